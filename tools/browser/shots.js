// Screenshots of all pages at four sizes, light and dark, and printed, to be looked at.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { closeAll, file, fleetfoot, goTo, open, openPlain, openPlayground, settle } from './harness.js';

const SIZES = [[1440, 900], [1366, 768], [1024, 768], [390, 844]];
const FOUR = ['astar', 'tba', 'lrta', 'rtaa'].flatMap((key) => ['-p', key]);
const folder = process.env.SHOTS ?? 'shots', only = process.argv.slice(2);
mkdirSync(folder, { recursive: true });

/** The pages: name, and what opens one in a state worth looking at. */
const PAGES = {
  replay: async (options) => {
    const opened = await open('four.html', options);
    await goTo(opened.page, 150);
    return opened;
  },
  overlaid: async (options) => {
    const opened = await open('four.html', { ...options, hash: 't=150&maps=over' });
    await settle(opened.page);
    return opened;
  },
  story: async (options) => {
    const opened = await open('story.html', options);
    await goTo(opened.page, 150);
    return opened;
  },
  report: (options) => openPlain('report/report.html', options),
  first: (options) => openPlayground({ ...options, first: true }),
  lesson: async (options) => {
    const opened = await openPlayground({ ...options, first: true, hash: 'lesson=depression' });
    await opened.page.waitForFunction(() => window.playground.guide.isComplete, null, { timeout: 60000 });
    for (let k = 0; k < 4; k++) await opened.page.locator('#next-stop').click(), await settle(opened.page);
    return opened;
  },
  playground: async (options) => {
    const opened = await openPlayground(options);
    await opened.page.evaluate(() => window.playground.restart(() => (window.playground.stage.planners = ['astar', 'tba', 'lrta', 'rtaa'])));
    await goTo(opened.page, 80);
    return opened;
  },
  fleet: async (options) => {
    const opened = await openPlayground(options), { page } = opened;
    await page.locator('#tab-fleet').click();
    await page.evaluate(() => window.fleet.roam());
    await page.waitForFunction(() => window.fleet.ticks > 40);
    await page.evaluate(() => (window.fleet.toggle(false), window.fleet.pick(3)));
    await settle(page);
    return opened;
  },
};

const wanted = Object.keys(PAGES).filter((name) => !only.length || only.includes(name));
if (wanted.some((name) => ['replay', 'overlaid'].includes(name))) fleetfoot('run', 'builtin:rooms100', '--from', '85,19', '--to', '2,63', ...FOUR, '-b', '10', '--max-ticks', '3000', '--replay', 'four.html');
if (wanted.includes('story')) fleetfoot('run', 'builtin:rooms100', '--from', '85,19', '--to', '2,63', '-p', 'tbaa', '-p', 'rtaa', '-b', '10', '--world', 'unknown(radius=7)', '--replay', 'story.html', '--story');
if (wanted.includes('report')) {
  const experiment = ['title = "Planners in mazes"', 'maps = ["maze(width=41,height=41,seed={seed})"]', 'planners = ["astar", "tba", "lrta", "rtaa"]', 'budgets = [5, 50, 250]', 'seeds = [1, 2]', '[problems]', 'random = 4'];
  writeFileSync(file('mazes.toml'), experiment.join('\n') + '\n');
  fleetfoot('bench', 'mazes.toml', '--output', 'report');
}
for (const name of wanted) {
  for (const [width, height] of SIZES) {
    for (const dark of [false, true]) {
      const { page, context, faults } = await PAGES[name]({ width, height, dark });
      await page.screenshot({ path: join(folder, `${name}-${width}-${dark ? 'dark' : 'light'}.png`), fullPage: width < 500 });
      for (const fault of faults) console.log(`${name}, ${width}: ${fault}`);
      await context.close();
    }
  }
  const { page, context } = await PAGES[name]({ width: 1280, height: 800 });
  await page.pdf({ format: 'A4', printBackground: true, path: join(folder, `${name}.pdf`) });
  await context.close();
  console.log(name);
}
await closeAll();
