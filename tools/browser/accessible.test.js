// All three pages for readers who use a keyboard or a screen reader: no violation that axe finds, in both themes.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { closeAll, file, fleetfoot, goTo, open, openPlain, openPlayground, settle, shots } from './harness.js';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

before(() => {
  fleetfoot('run', 'builtin:rooms100', '--from', '85,19', '--to', '2,63', '-p', 'tbaa', '-p', 'rtaa', '-b', '10', '--world', 'unknown(radius=7)', '--replay', 'story.html', '--story');
  fleetfoot('fleet', 'builtin:passage2', '--scenario', 'streams', '--replay', 'fleet.html');
  const experiment = ['title = "Tiny"', 'maps = ["maze(width=21,height=21,seed={seed})"]', 'planners = ["astar", "tba", "lrta"]', 'budgets = [5, 50]', 'seeds = [1, 2]', '[problems]', 'random = 3'];
  writeFileSync(file('tiny.toml'), experiment.join('\n') + '\n');
  fleetfoot('bench', 'tiny.toml', '--output', 'report');
});
after(closeAll);

/** The violations of a page, as axe names them, with the first element of each. */
async function violations(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  return violations.map(({ id, nodes }) => `${id}: ${nodes.length}, ${nodes[0].html.slice(0, 160)}: ${nodes[0].failureSummary.split('\n').slice(1, 3).join(' ').slice(0, 200)}`);
}

for (const dark of [false, true]) {
  const theme = dark ? 'dark' : 'light';
  test(`playground, ${theme}`, async () => {
    const { page } = await openPlayground({ first: true, dark });
    assert.deepEqual(await violations(page), []);
    await page.locator('#lesson-list a').nth(1).click();
    await page.waitForFunction(() => window.playground.guide.stops.length > 3);
    await page.locator('#next-stop').click();
    await settle(page);
    assert.deepEqual(await violations(page), []);
    await page.locator('#tab-fleet').click();
    await page.evaluate(() => window.fleet.pick(3));
    await settle(page);
    assert.deepEqual(await violations(page), []);
    const phone = await openPlayground({ first: true, dark, width: 390, height: 844 });
    assert.deepEqual(await violations(phone.page), []);
  });

  test(`replay, ${theme}`, async () => {
    for (const name of ['story.html', 'fleet.html']) {
      const { page } = await open(name, { dark });
      await goTo(page, 30);
      assert.deepEqual(await violations(page), [], name);
      await page.keyboard.press('?');
      assert.deepEqual(await violations(page), [], `${name}, keys`);
    }
  });

  test(`report, ${theme}`, async () => {
    const { page } = await openPlain('report/report.html', { dark });
    assert.deepEqual(await violations(page), []);
    if (shots) await page.screenshot({ path: join(shots, `report-${theme}.png`) });
  });
}

test('a report is printed as on a screen, not as on a phone', async () => {
  const { page } = await openPlain('report/report.html');
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: 718, height: 1000 });
  assert.deepEqual(await page.evaluate(() => ['thead', 'tr', 'td'].map((name) => getComputedStyle(document.querySelector(`table:not(.cards) ${name}`)).display)),
    ['table-header-group', 'table-row', 'table-cell']);
  const pdf = await page.pdf({ format: 'A4', ...(shots ? { path: join(shots, 'report.pdf') } : {}) });
  const pages = pdf.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g).length;
  assert.ok(pages <= 8, `${pages} pages`);
  // The dark theme prints on white paper.
  const dark = await openPlain('report/report.html', { dark: true });
  await dark.page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  assert.equal(await dark.page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(255, 255, 255)');
});
