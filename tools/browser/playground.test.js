// The playground in a real browser: drawing, dragging, planners, sharing, sizes, keys.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { closeAll, drag, goTo, moment, openPlayground as open, place, program, ready, settle, shots } from './harness.js';

after(closeAll);

const clean = ({ faults }) => assert.deepEqual(faults, []);
/** A small drawn map: a wall with a gap, walked from left to right. */
async function small(page, planners = ['tba', 'auto']) {
  await page.evaluate((planners) => window.playground.restart(() => {
    const { stage } = window.playground;
    stage.blank(20, 15);
    for (let y = 2; y < 15; y++) stage.draw(10, y, '@');
    Object.assign(stage, { planners, budget: 5, prices: 'papers' });
  }), planners);
  await settle(page);
}
const weightAt = (page, x, y, replay = 0) => page.evaluate(([x, y, replay]) => {
  const { record, timelines } = window.fleetfoot;
  return timelines[replay].replay.word(record.cells.at(x, y), 7) & 0xff;
}, [x, y, replay]);
const alertText = (page) => page.locator('#alert').textContent();

test('opens from disk and from a host, and asks for nothing else', async () => {
  const disk = await open();
  assert.deepEqual(disk.requests.slice(1).sort(), ['playground.js', 'playground.wasm.js']);
  clean(disk);
  const host = await open({ host: true });
  assert.deepEqual(host.requests.slice(1).sort(), ['playground.js', 'playground.wasm']);
  clean(host);
  for (const { page } of [disk, host]) await goTo(page, 40);
  assert.deepEqual(await moment(disk.page), await moment(host.page));
});

test('agents walk, and history can be scrubbed', async () => {
  const opened = await open(), { page } = opened;
  await page.keyboard.press(' ');
  await page.waitForFunction(() => window.fleetfoot.tick > 25);
  await page.keyboard.press(' ');
  const { tick } = await moment(page);
  await goTo(page, 20);
  const then = await moment(page);
  await goTo(page, tick);
  await page.locator('#scrub').evaluate((scrub) => { scrub.value = 20; scrub.dispatchEvent(new Event('input')); });
  await settle(page);
  assert.deepEqual(await moment(page), then);
  await page.locator('#last').click();
  await page.waitForFunction(() => window.fleetfoot.record.isAtRest && !window.fleetfoot.playing);
  assert.match(await page.locator('.why').first().textContent(), /^arrived; /);
  clean(opened);
});

test('ticks are stepped through by expansion, on and back', async () => {
  const opened = await open(), { page } = opened;
  await small(page, ['astar', 'auto']);
  await goTo(page, 3);
  const whole = await moment(page);
  const seen = [];
  for (let k = 0; k < 4; k++) {
    await page.locator('#more').click();
    await settle(page);
    seen.push(await moment(page));
  }
  assert.deepEqual(seen.map(({ tick, part }) => [tick, part]), [[3, 1], [3, 2], [3, 3], [3, 4]]);
  assert.match(await page.locator('.why').first().textContent(), /^thinks: 4 expansions of this tick/);
  assert.equal(new Set(seen.map(({ digests }) => digests[0])).size, 4);
  await page.keyboard.press(',');
  await settle(page);
  assert.deepEqual(await moment(page), seen[2]);
  for (let k = 0; k < 3; k++) await page.keyboard.press(',');
  await settle(page);
  assert.deepEqual(await moment(page), whole);
  // Past the last expansion of the tick the next tick is reached, with its move.
  for (let k = 0; k < 30 && (await moment(page)).tick === 3; k++) {
    await page.keyboard.press('.');
    await settle(page);
  }
  const after = await moment(page);
  await goTo(page, 4);
  assert.deepEqual(await moment(page), after);
  clean(opened);
});

test('walls are drawn before the first tick', async () => {
  const opened = await open(), { page } = opened;
  await small(page);
  await drag(page, [[4, 3], [4, 9]]);
  assert.equal(await weightAt(page, 4, 6), 0);
  assert.equal((await moment(page)).tick, 0);
  await page.locator('[data-tool=erase]').click();
  await drag(page, [[4, 5], [4, 6]]);
  assert.deepEqual([await weightAt(page, 4, 4), await weightAt(page, 4, 6)], [0, 1]);
  await page.locator('[data-tool=swamp]').click();
  await drag(page, [[6, 5], [8, 5]]);
  assert.equal(await weightAt(page, 7, 5), 4);
  assert.ok(await page.locator('#weighs').isChecked());
  clean(opened);
});

test('the map changes under agents that walk; who cannot cope says so', async () => {
  const opened = await open(), { page } = opened;
  await small(page, ['dstar-lite', 'ribs', 'tba']);
  await goTo(page, 4);
  await drag(page, [[10, 1], [10, 0]]);
  assert.equal((await moment(page)).tick, 4);
  await page.locator('#on').click();
  await settle(page);
  assert.equal(await weightAt(page, 10, 0), 0);
  const notes = page.locator('.pane > .note');
  assert.match(await notes.nth(1).textContent(), /cannot cope/);
  await page.locator('#last').click();
  await page.waitForFunction(() => window.fleetfoot.record.isAtRest && !window.fleetfoot.playing);
  assert.match(await page.locator('.why').first().textContent(), /stops: no path to the goal/);
  // A way is opened, and they go on.
  const stuck = (await moment(page)).tick;
  await page.locator('[data-tool=erase]').click();
  await drag(page, [[10, 14], [10, 13]]);
  await page.locator('#last').click();
  await page.waitForFunction(() => window.fleetfoot.record.isAtRest && !window.fleetfoot.playing);
  assert.match(await page.locator('.why').first().textContent(), /^arrived/);
  assert.ok((await moment(page)).tick > stuck);
  // Drawing in the past makes another future.
  await goTo(page, 2);
  await drag(page, [[2, 2], [2, 3]]);
  assert.equal(await page.evaluate(() => window.fleetfoot.record.end), 2);
  clean(opened);
});

test('doors are set, opened and shut, and swing by themselves', async () => {
  const opened = await open(), { page } = opened;
  await small(page, ['rtd']);
  await page.locator('[data-tool=door]').click();
  await drag(page, [[10, 8], [10, 8]]);
  assert.deepEqual(await page.evaluate(() => window.playground.stage.doors), [[10, 8]]);
  assert.equal(await weightAt(page, 10, 8), 1);
  await page.locator('#swing').fill('5');
  await page.locator('#swing').press('Enter');
  await goTo(page, 6);
  assert.equal(await weightAt(page, 10, 8), 0);
  assert.ok(!(await page.locator('#change').isDisabled()));
  await drag(page, [[10, 8], [10, 8]]);
  await goTo(page, 7);
  assert.equal(await weightAt(page, 10, 8), 1);
  clean(opened);
});

test('start and goal are dragged', async () => {
  const opened = await open(), { page } = opened;
  await small(page);
  await page.locator('[data-tool=move]').click();
  await drag(page, [[16, 7], [15, 3], [14, 2]]);
  assert.deepEqual(await page.evaluate(() => window.playground.stage.goal), [14, 2]);
  await drag(page, [[3, 7], [1, 1]]);
  assert.deepEqual(await page.evaluate(() => window.playground.stage.start), [1, 1]);
  // Not onto a wall.
  await drag(page, [[1, 1], [10, 7]]);
  assert.notDeepEqual(await page.evaluate(() => window.playground.stage.start), [10, 7]);
  clean(opened);
});

test('planners, budget, prices and fog are chosen; nonsense is named and changes nothing', async () => {
  const opened = await open(), { page } = opened;
  await small(page, ['astar']);
  const planners = page.locator('.planner > select');
  await planners.nth(1).selectOption('lrta');
  await planners.nth(2).selectOption('dstar-lite');
  await planners.nth(3).selectOption('tbaa');
  assert.equal(await page.locator('.pane').count(), 4);  // Each parameter has a labeled field, with the words of the registry.
  await page.locator('.planner').nth(0).locator('select').first().selectOption('tba');
  await page.locator('.planner').nth(0).locator('summary').click();
  await page.getByLabel('Parameter switch-rule of planner 1').selectOption('on');
  assert.equal(await page.evaluate(() => window.playground.stage.planners[0]), 'tba(switch-rule=on)');
  await page.getByLabel('Parameter switch-rule of planner 1').selectOption('off');
  assert.equal(await page.evaluate(() => window.playground.stage.planners[0]), 'tba');
  // The fields of another planner are folded.
  await page.locator('.planner').nth(0).locator('select').first().selectOption('rtd');
  await page.locator('.planner').nth(0).locator('summary').click();
  const number = page.locator('.planner').nth(0).locator('.fields input').first();
  await number.fill('nonsense');
  await number.press('Enter');
  assert.match(await alertText(page), /nonsense/);
  assert.deepEqual(await page.evaluate(() => window.playground.stage.planners), ['rtd', 'lrta', 'dstar-lite', 'tbaa']);

  await planners.nth(3).selectOption('');
  assert.equal(await page.locator('.pane').count(), 3);
  assert.equal(await alertText(page), '');
  await page.locator('#budget').fill('100');
  assert.match(await page.locator('#budget-text').textContent(), /no limit/);
  await page.locator('#budget').fill('0');
  assert.equal(await page.locator('#budget-text').textContent(), '1 expansion');
  await page.locator('#budget').fill('99');
  assert.equal(await page.locator('#budget-text').textContent(), '1,000 expansions');
  await page.locator('#prices').selectOption('all');
  await page.locator('#fog').check();
  await goTo(page, 5);
  assert.deepEqual(await page.evaluate(() => {
    const { prices, radius, budget } = window.playground.stage;
    return { prices, radius, budget };
  }), { prices: 'all', radius: 7, budget: 1000 });
  assert.ok(await page.evaluate(() => window.fleetfoot.record.foggy));
  clean(opened);
});

test('numbers stand in cells that are large', async () => {
  const opened = await open(), { page } = opened;
  await small(page, ['astar']);
  await goTo(page, 3);
  const text = () => page.evaluate(() => {
    const { record, timelines } = window.fleetfoot, texts = [];
    const pane = window.fleetfoot.panes[0], { fillText } = pane.context;
    pane.context.fillText = (text, ...rest) => (texts.push(text), fillText.call(pane.context, text, ...rest));
    pane.draw();
    delete pane.context.fillText;
    return texts;
  });
  assert.deepEqual((await text()).filter((word) => /^[ghf] /.test(word)), []);
  await page.evaluate(() => Object.assign(window.fleetfoot, { view: { x: 4, y: 7, scale: 60 }, isFitted: false }) && window.fleetfoot.changed());
  await settle(page);
  const words = await text();
  assert.ok(words.includes('g 0') && words.includes('h 13') && words.includes('f 13'), words.join());
  clean(opened);
});

test('the address holds everything', async () => {
  const opened = await open(), { page, context } = opened;
  await small(page, ['rtd', 'tba(switch-rule=on)']);
  await goTo(page, 6);
  await drag(page, [[10, 1], [10, 0]]);
  await goTo(page, 12);
  await page.locator('#share').click();
  await page.waitForFunction(() => location.hash.startsWith('#p='));
  const address = page.url(), here = await moment(page);
  const other = await context.newPage();
  await other.goto(address);
  await ready(other);
  assert.deepEqual(await moment(other), here);
  assert.deepEqual(await other.evaluate(() => window.playground.stage.changes), await page.evaluate(() => window.playground.stage.changes));
  assert.ok(address.length < 2500, `${address.length}`);
  // An older address calls the prices otherwise.
  const older = await page.evaluate(async () => {
    const { stage } = window.playground, { prices, ...rest } = JSON.parse(stage.setup);
    const packed = await stage.pack.call(Object.create(stage, { setup: { value: JSON.stringify({ ...rest, toll: 'honest' }) } }));
    return [prices, packed];
  });
  assert.equal(older[0], 'papers');
  const fourth = await context.newPage();
  await fourth.goto(address.replace(/#p=.*/, `#p=${older[1]}`));
  await ready(fourth);
  assert.equal(await fourth.locator('#prices').inputValue(), 'all');
  assert.match(await fourth.locator('#about').textContent(), /5 expansions a tick, all work charged/);
  // A damaged address is named, and the page goes on with its first stage.
  const third = await context.newPage();
  await third.goto(address.replace('#p=', '#p=AAAA'));
  await ready(third);
  assert.match(await alertText(third), /the address holds no stage that can be read; copy the whole address again/);
  await goTo(third, 5);
  assert.equal((await moment(third)).tick, 5);
  clean(opened);
});

test('the command line that is copied makes the same walks', async () => {
  const opened = await open(), { page } = opened;
  await small(page, ['rtd', 'dstar-lite']);
  await goTo(page, 6);
  await drag(page, [[10, 1], [10, 0]]);
  await page.locator('[data-tool=erase]').click();
  await drag(page, [[10, 12], [10, 11]]);
  await page.locator('#last').click();
  await page.waitForFunction(() => window.fleetfoot.record.isAtRest && !window.fleetfoot.playing);
  const text = await page.evaluate(() => window.playground.session.inner.command_line());
  const lengths = await page.evaluate(() => window.fleetfoot.record.meta.lives.map(({ ticks, length }) => ({ ticks, length })));
  const there = mkdtempSync(join(tmpdir(), 'fleetfoot-copied-'));
  execFileSync('bash', ['-ec', text], { cwd: there, env: { ...process.env, PATH: dirname(program) + delimiter + process.env.PATH }, stdio: 'ignore' });
  execFileSync(program, ['replay', 'race.html', '--to', 'jsonl', '-o', 'race.jsonl'], { cwd: there, stdio: 'ignore' });
  const [first] = readFileSync(join(there, 'race.jsonl'), 'utf8').split('\n');
  assert.deepEqual(JSON.parse(first).lives.map(({ ticks, length }) => ({ ticks, length })), lengths);
  const rust = await page.evaluate(() => window.playground.session.inner.program());
  assert.match(rust, /fn main\(\) -> Result/);
  clean(opened);
});

test('everything can be done by keys, and has a name for those who cannot see it', async () => {
  const opened = await open(), { page } = opened;
  await small(page, ['rtd']);
  await page.locator('.map').first().focus();
  await page.keyboard.press('Alt+2');
  for (const key of ['l', 'l', 'k', 'Enter']) await page.keyboard.press(key);
  await settle(page);
  assert.equal(await weightAt(page, 5, 8), 0);
  await page.keyboard.press('ArrowRight');
  await settle(page);
  assert.equal((await moment(page)).tick, 1);
  const nameless = await page.evaluate(() => [...document.querySelectorAll('button, input, select, canvas, textarea')].filter((one) => {
    const named = one.getAttribute('aria-label') || one.textContent.trim() || one.labels?.[0]?.textContent.trim() || one.title;
    return !named;
  }).map((one) => one.outerHTML.slice(0, 80)));
  assert.deepEqual(nameless, []);
  assert.match(await page.locator('.map').first().getAttribute('aria-label'), /^Map: RTD\*, tick 1: /);
  clean(opened);
});

test('fingers draw with a tool that was chosen', async () => {
  const opened = await open({ width: 360, height: 740 }), { page } = opened;
  await small(page, ['tba']);
  await page.locator('[data-tool=wall]').click();
  await page.locator('.map').first().scrollIntoViewIfNeeded();
  const { x, y } = await place(page, 5, 5);
  await page.touchscreen.tap(x, y);
  await settle(page);
  assert.equal(await weightAt(page, 5, 5), 0);
  clean(opened);
});

for (const [width, height] of [[360, 740], [1280, 800], [3840, 2160]]) {
  for (const dark of [false, true]) {
    test(`fits ${width} × ${height}, ${dark ? 'dark' : 'light'}`, async () => {
      const opened = await open({ width, height, dark }), { page } = opened;
      await goTo(page, 45);
      const wide = await page.evaluate(() => [document.documentElement.scrollWidth, ...[...document.querySelectorAll('button, select, input')]
        .filter((one) => one.offsetParent).map((one) => Math.ceil(one.getBoundingClientRect().right))].reduce((a, b) => Math.max(a, b)));
      assert.ok(wide <= width, `${wide} is wider than ${width}`);
      if (shots) await page.screenshot({ path: join(shots, `playground-${width}-${dark ? 'dark' : 'light'}.png`) });
      await page.locator('#tab-fleet').click();
      await page.evaluate(() => window.fleet.roam());
      await page.waitForFunction(() => window.fleet.ticks > 40);
      await settle(page);
      const there = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(there <= width, `${there} is wider than ${width}`);
      if (shots) await page.screenshot({ path: join(shots, `fleet-${width}-${dark ? 'dark' : 'light'}.png`) });
      // From disk the clipboard may be shut: the text is shown to be copied by hand.
      await page.evaluate(() => {
        window.fleet.toggle(false);
        navigator.clipboard.writeText = () => Promise.reject(new Error('shut'));
      });
      await page.locator('#share').click();
      const box = await page.locator('dialog textarea').boundingBox();
      assert.ok(box.x >= 0 && box.x + box.width <= width, `the dialog goes from ${box.x} to ${box.x + box.width}`);
      if (shots) await page.screenshot({ path: join(shots, `share-${width}-${dark ? 'dark' : 'light'}.png`) });
      clean(opened);
    });
  }
}
