// The replay page with a fleet in it, as a person meets it.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { closeAll, file, fleetfoot, goTo, open, read, settle, shots } from './harness.js';

const PAGES = {
  streams: ['builtin:passage2', '--scenario', 'streams'],
  evacuate: ['builtin:rooms100', '--scenario', 'evacuate', '--agents', '200'],
  doors: ['builtin:doors100', '--agents', '60', '--max-ticks', '300', '--world', 'dynamic(doors.script)'],
  fog: ['builtin:rooms100', '--agents', '40', '--world', 'unknown(radius=5)'],
  alone: ['builtin:rooms100', '--agents', '6', '--world', 'unknown(radius=5)', '--no-share'],
  thousands: ['builtin:cave512', '--agents', '5000', '--max-ticks', '150'],
};

before(() => {
  const lines = ['fleetfoot-script 1', 'size 100 100'];
  for (let k = 0; k < 60; k++) lines.push(`${2 * k} ${k % 3 ? 'open' : 'close'} ${(k * 37) % 100} ${(k * 13) % 10}0`);
  writeFileSync(file('doors.script'), lines.join('\n') + '\n');
  for (const [name, args] of Object.entries(PAGES)) fleetfoot('fleet', ...args, '--replay', `${name}.html`, '--csv', `${name}.csv`, '--format', 'json');
});
after(closeAll);

/** Returns a checksum of the units' state at a moment. */
const moment = (page) => page.evaluate(() => {
  const { replay } = window.fleetfoot;
  let digest = 17;
  const add = (n) => (digest = (Math.imul(digest, 31) + n) | 0);
  for (const key of ['x', 'y', 'code', 'fares', 'goal', 'by', 'passed']) for (const n of replay[key]) add(n);
  for (const way of replay.way) for (const n of way ?? []) add(n);
  for (const edit of replay.edits) edit.forEach(add);
  return digest;
});

for (const name of Object.keys(PAGES)) {
  test(`${name}: loads without a fault, seeks both ways, and plays to its end`, async () => {
    const { page, faults } = await open(`${name}.html`);
    const end = await page.evaluate(() => window.fleetfoot.record.end);
    const ticks = [0, 0.9, 0.3, 1, 0.31, 0.05, 0.6].map((share) => Math.floor(end * share)), first = new Map();
    for (const tick of [...ticks].sort((a, b) => a - b)) {
      await goTo(page, tick);
      first.set(tick, await moment(page));
    }
    for (const tick of ticks) {
      await goTo(page, tick);
      assert.equal(await moment(page), first.get(tick), `tick ${tick} after a jump`);
    }
    await goTo(page, end - 3);
    await page.click('#play');
    await page.waitForFunction(() => !window.fleetfoot.playing && window.fleetfoot.tick === window.fleetfoot.record.end);
    assert.deepEqual(faults, []);
    await page.context().close();
  });

  test(`${name}: the page counts what the program counts`, async () => {
    const rows = read(`${name}.csv`).trim().split('\n').slice(1).map((line) => line.split(',').map(Number));
    const { page } = await open(`${name}.html`);
    assert.equal(await page.evaluate(() => window.fleetfoot.record.end), rows.length);
    let finished = 0;
    for (const [tick, moved, waiting, , arrived, done, , work] of rows) {
      finished += done;
      if (tick % 17 && tick !== rows.length) continue;
      await goTo(page, tick);
      const counts = await page.evaluate(() => {
        const { replay, record: { tracks: [{ told, work, kinds }] } } = window.fleetfoot, counts = [0, 0, 0, 0, 0, 0];
        for (let unit = 0; unit < replay.units; unit++) counts[replay.mood(unit)]++;
        const codes = replay.code.filter((code) => code < 8).length;
        const chart = [0, 8].map((kind) => work[kinds * (replay.t - 1) + kind]);
        return { codes, counts, chart, finished: told.finished[replay.t], work: told.work[replay.t] };
      });
      assert.deepEqual([counts.codes, counts.counts[1], counts.counts[2]], [moved, waiting, arrived], `tick ${tick}`);
      assert.deepEqual(counts.chart, [moved, waiting], `tick ${tick}`);
      assert.deepEqual([counts.finished, counts.work], [finished, work], `tick ${tick}`);
    }
    await page.context().close();
  });
}

test('a click on a unit shows its way, its walk and why it waits', async () => {
  const { page, faults } = await open('streams.html');
  await goTo(page, 40);
  const pick = (mood) => page.evaluate((mood) => {
    const { replay, panes: [pane], chosen } = window.fleetfoot, box = pane.canvas.getBoundingClientRect();
    const unit = [...replay.code.keys()].find((unit) => unit !== chosen && replay.mood(unit) === mood && (mood !== 1 || replay.by[unit] >= 0));
    const [x, y] = pane.toScreen(replay.x[unit] + 0.5, replay.y[unit] + 0.5);
    return { unit, x: box.left + x, y: box.top + y };
  }, mood);
  const moving = await pick(0);
  await page.mouse.click(moving.x, moving.y);
  await settle(page);
  assert.equal(await page.evaluate(() => window.fleetfoot.chosen), moving.unit);
  const walk = await page.evaluate(() => window.fleetfoot.walkOf(window.fleetfoot.chosen));
  assert.equal(walk.length, 41);
  assert.deepEqual(walk[40], await page.evaluate(() => window.fleetfoot.lookedAt));
  assert.match(await page.locator('#cell').textContent(), new RegExp(`Unit ${moving.unit}, chosen`));
  const waiting = await pick(1);
  await page.mouse.click(waiting.x, waiting.y);
  await settle(page);
  assert.match(await page.locator('#cell').textContent(), /unit \d+ blocks it/);
  if (shots) await page.screenshot({ path: join(shots, 'fleet-chosen.png') });
  // The address holds it, and a second click lets go.
  await page.waitForFunction((unit) => location.hash.includes(`u=${unit}`), waiting.unit);
  await page.mouse.click(waiting.x, waiting.y);
  await settle(page);
  assert.equal(await page.evaluate(() => window.fleetfoot.chosen), null);
  assert.deepEqual(faults, []);
  await page.context().close();
});

test('layers, keys and the controls of a fleet', async () => {
  const { page, faults } = await open('streams.html');
  await goTo(page, 50);
  const picture = () => page.evaluate(() => {
    const { context, canvas } = window.fleetfoot.panes[0];
    return context.getImageData(0, 0, canvas.width, canvas.height).data.reduce((sum, byte) => (Math.imul(sum, 31) + byte) | 0, 17);
  });
  await page.evaluate(() => window.fleetfoot.choose(3));
  await settle(page);
  for (const key of ['1', '2', '3', '4', '5']) {
    const before = await picture();
    await page.keyboard.press(key);
    await settle(page);
    assert.notEqual(await picture(), before, `layer ${key}`);
    await page.keyboard.press(key);
    await settle(page);
    assert.equal(await picture(), before, `layer ${key}, back`);
  }
  for (const key of ['9', 'f', '0', 'i', 'l', 'x', 'PageDown', 'Home', 'End', 'b']) {
    await page.keyboard.press(key);
    await settle(page);
  }
  assert.equal(await page.locator('#reversal').isVisible(), false);
  assert.match(await page.locator('.status').textContent(), /100 at their goals/);
  assert.deepEqual(faults, []);
  await page.context().close();
});

/** The cells that have been seen at a moment, as rows of bits; by one unit, or by all. */
const seen = (page, unit = null) => page.evaluate((unit) => {
  const { record: { cells, meta }, replay } = window.fleetfoot, bits = new Set();
  const units = unit === null ? [...replay.code.keys()] : [unit], walks = units.map((unit) => window.fleetfoot.wholeWalk(unit).slice());
  for (const walk of walks) for (const [x, y] of walk.slice(0, replay.t)) {
    for (let dy = -meta.sight; dy <= meta.sight; dy++) for (let dx = -meta.sight; dx <= meta.sight; dx++) {
      if (x + dx >= 0 && y + dy >= 0 && x + dx < cells.width && y + dy < cells.height) bits.add((y + dy) * cells.width + x + dx);
    }
  }
  const { fog } = window.fleetfoot, shown = [...fog.first.keys()].filter((k) => fog.first[k] <= replay.t);
  return { told: [...bits].sort((a, b) => a - b), shown, counted: fog.counts[replay.t] };
}, unit);

test('fog: what units have not seen is shaded, and becomes known tick by tick', async () => {
  const { page, faults } = await open('fog.html');
  const end = await page.evaluate(() => window.fleetfoot.record.end);
  let before = -1;
  // A jump ahead of what has been read, then back, then on.
  for (const tick of [Math.floor(end / 2), 0, 1, 7, end]) {
    await goTo(page, tick);
    const { told, shown, counted } = await seen(page);
    assert.deepEqual(shown, told, `tick ${tick}`);
    assert.equal(counted, told.length);
    if (tick !== Math.floor(end / 2)) assert.ok(told.length > before, `tick ${tick}`), (before = told.length);
  }
  await goTo(page, 7);
  assert.match(await page.locator('.status').textContent(), /% of the map seen/);
  // The pixels are fog exactly where no unit has been near.
  const wrong = () => page.evaluate(() => {
    const { panes: [pane], palette, fog, replay, layers } = window.fleetfoot;
    const fogs = [palette.fog, palette.hidden];
    return pane.pixels.filter((color, k) => fogs.includes(color) !== (layers.fog && fog.first[k] > replay.t)).length;
  });
  assert.equal(await wrong(), 0);
  await page.keyboard.press('7');
  await settle(page);
  assert.equal(await page.evaluate(() => window.fleetfoot.layers.fog), false);
  assert.equal(await wrong(), 0);
  await page.keyboard.press('7');
  await settle(page);
  assert.equal(await page.locator('#layer-fog').isVisible(), true);
  // A page without fog has no such layer.
  const plain = await open('streams.html');
  assert.equal(await plain.page.locator('#layer-fog').isVisible(), false);
  assert.deepEqual([...faults, ...plain.faults], []);
  await plain.page.context().close();
  await page.context().close();
});

test('fog: units that share nothing know what they have seen themselves', async () => {
  const { page, faults } = await open('alone.html');
  await goTo(page, 30);
  const all = await seen(page);
  assert.deepEqual(all.shown, all.told);
  for (const unit of [0, 4]) {
    await page.evaluate((unit) => window.fleetfoot.choose(unit), unit);
    await settle(page);
    const { told, shown } = await seen(page, unit);
    assert.deepEqual(shown, told, `unit ${unit}`);
    assert.ok(told.length < all.told.length);
  }
  if (shots) await page.screenshot({ path: join(shots, 'fleet-alone.png') });
  assert.deepEqual(faults, []);
  await page.context().close();
});

test('nothing sticks out, on a phone or on a desk, light or dark', async () => {
  for (const name of Object.keys(PAGES)) {
    for (const [width, height] of [[390, 844], [1440, 900]]) {
      for (const dark of [false, true]) {
        const { page, faults } = await open(`${name}.html`, { width, height, dark });
        await page.evaluate(() => {
          window.fleetfoot.setLayer('trail', true);
          window.fleetfoot.goTo(window.fleetfoot.record.end * 0.4);
        });
        await settle(page);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= width, `${name} at ${width}: ${wide} pixels wide`);
        if (shots) await page.screenshot({ path: join(shots, `fleet-${name}-${width}-${dark ? 'dark' : 'light'}.png`) });
        assert.deepEqual(faults, []);
        await page.context().close();
      }
    }
  }
});

test('thousands of units: times, for people to read', async (t) => {
  const { page, faults } = await open('thousands.html');
  const times = await page.evaluate(async () => {
    const v = window.fleetfoot, seeks = [], steps = [];
    const time = (tick, list) => {
      v.tick = tick;
      const begin = performance.now();
      v.frame(begin);
      v.panes[0].context.getImageData(0, 0, 1, 1);
      list.push(performance.now() - begin);
    };
    for (let k = 0; k < 40; k++) time((k * 97) % v.record.end, seeks);
    for (let k = 0; k < 60; k++) time(k, steps);
    const median = (list) => list.sort((a, b) => a - b)[list.length >> 1];
    return { firstPicture: v.firstPicture, seek: median(seeks), step: median(steps), keyFrames: v.timelines[0].frames.length };
  });
  t.diagnostic(Object.entries(times).map(([key, n]) => `${key} ${Math.round(n)}`).join(', '));
  assert.deepEqual(faults, []);
  await page.context().close();
});
