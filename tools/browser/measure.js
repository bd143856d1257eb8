// Measures the pages: frames, heap, first paint, seeking, the budget of a fleet. Wall-clock figures depend on what else the machine
// does; beside each stands the processor time of the page (Performance.getMetrics), which depends on it much less.
//
//   tools/browser/run.sh measure                 all of it: four minutes and a half
//   tools/browser/run.sh measure four            one of: paint, four, crowd, seek, budget
//   MINUTES=0.5 tools/browser/run.sh measure four
//   HOLDERS=1 tools/browser/run.sh measure four  also what the heap holds, by constructor

import { availableParallelism, loadavg } from 'node:os';
import { closeAll, fleetfoot, open, openPlayground, settle } from './harness.js';

const only = process.argv.slice(2), minutes = Number(process.env.MINUTES ?? 3);
const share = (list, part) => list.toSorted((a, b) => a - b)[Math.min(list.length - 1, Math.floor(part * list.length))];
const ms = (n) => `${n.toFixed(n < 10 ? 2 : 1)} ms`;

/** What the browser has counted for a page so far, in seconds and bytes. */
async function metered(opened) {
  const tools = await opened.context.newCDPSession(opened.page);
  await tools.send('Performance.enable', { timeDomain: 'threadTicks' });
  return {
    tools,
    async now() {
      const { metrics } = await tools.send('Performance.getMetrics');
      return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
    },
    /** Returns the heap without garbage, in MB. */
    async heap() {
      await tools.send('HeapProfiler.enable');
      for (let k = 0; k < 3; k++) await tools.send('HeapProfiler.collectGarbage');
      // With arrays' bytes, which JSHeapUsedSize does not count.
      return (await opened.page.evaluate(() => performance.memory.usedJSHeapSize)) / 1e6;
    },
  };
}

/** Watches frames for a while: how many a second, and what each costs the processor. */
async function frames(opened, seconds) {
  const meter = await metered(opened), before = await meter.now();
  const gaps = await opened.page.evaluate(async (seconds) => {
    const gaps = [];
    let last = await new Promise(requestAnimationFrame);
    for (const end = performance.now() + 1000 * seconds; performance.now() < end; ) {
      const now = await new Promise(requestAnimationFrame);
      gaps.push(now - last);
      last = now;
    }
    return gaps;
  }, seconds);
  const after = await meter.now(), cost = (name) => (1000 * (after[name] - before[name])) / gaps.length, sum = gaps.reduce((a, b) => a + b, 0);
  return { rate: (1000 * gaps.length) / sum, p99: share(gaps, 0.99), script: cost('ScriptDuration'), task: cost('TaskDuration'), count: gaps.length };
}

const told = ({ rate, p99, script, task }) => `${rate.toFixed(1)} frames/s (99 % at most ${ms(p99)} apart), ${ms(task)} of processor per frame, of which scripts ${ms(script)}`;

/** Sums what a heap snapshot holds, by constructor. */
async function holders(tools) {
  const chunks = [];
  tools.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk));
  await tools.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  const { snapshot: { meta }, nodes, strings } = JSON.parse(chunks.join('')), fields = meta.node_fields, sizes = new Map();
  const [type, name, size] = ['type', 'name', 'self_size'].map((field) => fields.indexOf(field)), types = meta.node_types[0];
  for (let k = 0; k < nodes.length; k += fields.length) {
    const key = `${types[nodes[k + type]]} ${strings[nodes[k + name]].slice(0, 50)}`;
    const one = sizes.get(key) ?? [0, 0];
    sizes.set(key, [one[0] + nodes[k + size], one[1] + 1]);
  }
  return [...sizes].sort((a, b) => b[1][0] - a[1][0]).slice(0, 18).map(([key, [bytes, count]]) => `    ${(bytes / 1e6).toFixed(2)} MB in ${count}: ${key}`).join('\n');
}

const MEASURES = {
  async paint() {
    for (const [name, visit] of [['playground', () => openPlayground({ first: true })], ['replay of four planners', () => open('four.html')]]) {
      const paints = [], ready = [], tasks = [];
      for (let k = 0; k < 7; k++) {
        const opened = await visit(), { tools } = await metered(opened);
        paints.push(await opened.page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0].startTime));
        ready.push(await opened.page.evaluate(() => window.fleetfoot.firstPicture));
        tasks.push(1000 * (await tools.send('Performance.getMetrics')).metrics.find((metric) => metric.name === 'TaskDuration').value);
        await opened.context.close();
      }
      console.log(`first paint of the ${name}, from disk: ${ms(share(paints, 0.5))} (worst ${ms(Math.max(...paints))}); its maps: ${ms(share(ready, 0.5))} (worst ${ms(Math.max(...ready))}); processor ${ms(share(tasks, 0.5))}; target 500 ms`);
    }
  },

  async four() {
    const opened = await openPlayground({ width: 1440, height: 900 }), { page } = opened;
    await page.evaluate(() => window.playground.takeMap('builtin:maze512'));
    await page.evaluate(() => window.playground.restart(() => Object.assign(window.playground.stage, { planners: ['lrta', 'rtaa', 'lss-lrta', 'da-rtaa'], budget: 10 })));
    await settle(page);
    const meter = await metered(opened), first = await meter.heap();
    await page.evaluate(() => (window.fleetfoot.setSpeed(5), window.fleetfoot.toggle()));
    await page.waitForTimeout(60000 * Math.max(0, minutes - 1 / 6));
    const result = await frames(opened, Math.min(10, 60 * minutes)), heap = await meter.heap();
    const { tick, playing, bytes } = await page.evaluate(() => ({ tick: window.fleetfoot.tick, playing: window.fleetfoot.playing, bytes: window.wasmMemory().byteLength }));
    console.log(`four planners on maze512 after ${minutes} minutes, tick ${tick}${playing ? '' : ' (at rest)'}: ${told(result)}; heap ${heap.toFixed(1)} MB (${first.toFixed(1)} at first), wasm ${(bytes / 1e6).toFixed(1)} MB; targets 50 frames/s, 30 MB`);
    if (process.env.HOLDERS) console.log(await holders(meter.tools));
    await opened.context.close();
  },

  async crowd() {
    const opened = await openPlayground({ width: 1440, height: 900 }), { page } = opened;
    await page.evaluate(() => window.playground.takeMap('builtin:cave512'));
    await page.locator('#tab-fleet').click();
    await page.evaluate(() => (window.fleet.wanted = 5000, window.fleet.restart(), window.fleet.order([256, 256])));
    await page.waitForFunction(() => window.fleet.ticks > 30);
    // A wall across the middle of the map, with a gap, thrown in while they walk.
    await page.evaluate(() => { for (let x = 150; x < 360; x++) if (x % 40) window.fleet.enact('edit', x, 230, 0); });
    const result = await frames(opened, 15);
    console.log(`5,000 units with one goal on cave512, and a wall thrown in: ${told(result)}; target 50 frames/s`);
    await opened.context.close();
  },

  async seek() {
    fleetfoot('run', 'builtin:maze512', '--from', '43,341', '--to', '444,426', '-p', 'lrta', '-b', '10', '--max-ticks', '50000', '--replay', 'long.html');
    const opened = await open('long.html'), { page } = opened;
    await page.waitForFunction(() => document.body.dataset.ready === 'all', null, { timeout: 120000 });
    const meter = await metered(opened), before = await meter.now();
    const { times, end } = await page.evaluate(async () => {
      const viewer = window.fleetfoot, { end } = viewer.record, times = [];
      for (let k = 0, seed = 7; k < 300; k++) {
        seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
        const begun = performance.now();
        viewer.goTo(seed % end);
        viewer.redraw();
        times.push(performance.now() - begun);
        if (k % 20 === 0) await new Promise(requestAnimationFrame);
      }
      return { times, end };
    });
    const task = (1000 * ((await meter.now()).TaskDuration - before.TaskDuration)) / times.length;
    console.log(`seeking in ${end.toLocaleString('en')} ticks on maze512: ${ms(share(times, 0.5))} at the median, ${ms(share(times, 0.95))} at 95 %, ${ms(Math.max(...times))} at most, ${ms(task)} of processor; target 100 ms at 95 %`);
    await opened.context.close();
  },

  async budget() {
    const opened = await openPlayground({ width: 1440, height: 900 }), { page } = opened;
    for (const [map, units] of [['cave256', 1000], ['cave512', 5000]]) {
      await page.evaluate((map) => window.playground.takeMap(`builtin:${map}`), map);
      await page.locator('#tab-fleet').click();
      await page.evaluate((units) => (window.fleet.wanted = units, window.fleet.restart(), window.fleet.roam()), units);
      await page.waitForFunction(() => window.fleet.ticks > 60);
      const { thinking, budget } = await page.evaluate(async () => {
        const { fleet } = window, thinking = [], add = fleet.chart.add.bind(fleet.chart);
        fleet.chart.add = (think, draw) => (thinking.push(think), add(think, draw));
        for (const end = performance.now() + 10000; performance.now() < end; ) {
          await new Promise(requestAnimationFrame);
          if (fleet.ticks % 600 === 599) fleet.roam();
        }
        fleet.chart.add = add;
        return { thinking, budget: fleet.budget };
      });
      const over = thinking.filter((time) => time > budget).length;
      console.log(`planning of ${units.toLocaleString('en')} units on ${map}, budget ${budget} ms a frame: ${ms(share(thinking, 0.5))} at the median, ${ms(share(thinking, 0.99))} at 99 %, ${ms(Math.max(...thinking))} at most, ${over} of ${thinking.length} frames over`);
      await page.locator('#tab-one').click();
    }
    await opened.context.close();
  },
};

const chosen = Object.keys(MEASURES).filter((name) => !only.length || only.includes(name));
console.log(`load of the machine ${loadavg()[0].toFixed(1)} on ${availableParallelism()} cores`);
if (chosen.includes('paint')) fleetfoot('run', 'builtin:rooms100', '--from', '85,19', '--to', '2,63', ...['astar', 'tba', 'lrta', 'rtaa'].flatMap((key) => ['-p', key]), '-b', '10', '--replay', 'four.html');
for (const name of chosen) await MEASURES[name]();
console.log(`load of the machine ${loadavg()[0].toFixed(1)}`);
await closeAll();
