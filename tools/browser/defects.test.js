// What visitors ran into: each case failed once.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { closeAll, drag, fleetfoot, goTo, open, openPlayground, place, program, settle } from './harness.js';

const FOUR = ['astar', 'tba', 'lrta', 'rtaa'].flatMap((key) => ['-p', key]);

before(() => {
  fleetfoot('run', 'builtin:rooms100', '--from', '85,19', '--to', '2,63', ...FOUR, '-b', '10', '--max-ticks', '3000', '--replay', 'four.html');
});
after(closeAll);

const clean = ({ faults }) => assert.deepEqual(faults, []);
const tickOf = (page) => page.evaluate(() => window.fleetfoot.tick);
const mapSizes = (page) => page.evaluate(() => [...document.querySelectorAll('#panes canvas.map')].map((map) => map.clientHeight));

test('four maps are at least 260 pixels high at 1366 × 768, and share one chart', async () => {
  for (const opened of [await open('four.html', { width: 1366, height: 768 }), await openPlayground({ width: 1366, height: 768 })]) {
    const { page } = opened;
    if (await page.evaluate(() => Boolean(window.playground))) {
      await page.evaluate(() => window.playground.restart(() => (window.playground.stage.planners = ['astar', 'tba', 'lrta', 'rtaa'])));
      await page.evaluate(() => window.playground.guide.show(false));
      await settle(page);
    }
    const sizes = await mapSizes(page);
    assert.equal(sizes.length, 4);
    assert.ok(Math.min(...sizes) >= 260, String(sizes));
    assert.equal(await page.locator('canvas.chart:visible').count(), 1);
    clean(opened);
  }
});

test('maps are shown side by side, one, or over one another; the scoreboard selects and sorts', async () => {
  const opened = await open('four.html', { width: 1366, height: 768 }), { page } = opened;
  await goTo(page, 150);
  const one = async () => (await mapSizes(page))[0];
  const small = await one();
  await page.locator('#layout').selectOption('one');
  await settle(page);
  assert.equal(await page.locator('.pane').count(), 1);
  assert.ok(await one() > 1.8 * small);
  await page.locator('#scores tbody button').nth(2).click();
  await settle(page);
  assert.equal(await page.locator('.pane .name').textContent(), 'LRTA*');
  await page.keyboard.press('v');
  await settle(page);
  assert.equal(await page.locator('.pane .name').textContent(), 'Overlaid');
  // A cell that two planners have expanded differs in color from one of a single planner.
  const colors = await page.evaluate(() => {
    const { timelines, panes: [pane], record: { cells } } = window.fleetfoot, found = new Map();
    for (let y = 0, k = 0; y < cells.height; y++) for (let x = 0; x < cells.width; x++, k++) {
      const cell = cells.at(x, y), by = timelines.map(({ replay }, n) => (replay.far.pages[cell >>> 8] && replay.word(cell, 5) ? n : '')).join('');
      found.set(by, (found.get(by) ?? new Set()).add(pane.pixels[k]));
    }
    return [...found].map(([by, set]) => [by, [...set]]);
  });
  const of = (by) => colors.find(([key]) => key === by)?.[1] ?? [];
  assert.ok(of('0').length && of('01').length && !of('01').some((color) => of('0').includes(color)));
  // The address holds it.
  assert.match(await page.evaluate(() => window.fleetfoot.address), /maps=over&focus=3/);
  const again = await open('four.html', { hash: await page.evaluate(() => window.fleetfoot.address) });
  assert.equal(await again.page.locator('.pane .name').textContent(), 'Overlaid');
  // Numbers against the record, and sorting.
  const rows = await page.evaluate(() => [...document.querySelectorAll('#scores tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent.trim())));
  const truth = await page.evaluate(() => window.fleetfoot.timelines.map(({ replay, track }) => {
    let expanded = 0, cost = 0;
    for (let t = 0; t < replay.t; t++) expanded += track.work[t * track.kinds], cost += (track.head[t] & 15) < 4 ? 1 : (track.head[t] & 15) < 8 ? Math.SQRT2 : 0;
    return [expanded.toLocaleString('en'), (cost / window.fleetfoot.record.meta.optimal).toFixed(2)];
  }));
  rows.forEach((row, k) => assert.deepEqual([row[3], row[2]], truth[k]));
  await page.locator('#scores thead button', { hasText: 'expanded' }).click();
  const order = await page.locator('#scores tbody td:nth-child(4)').allTextContents(), sorted = order.map((text) => Number(text.replaceAll(',', '')));
  assert.deepEqual(sorted, sorted.toSorted((a, b) => a - b));
  assert.equal(await page.locator('#scores th[aria-sort=ascending]').count(), 1);
  await page.locator('#scores thead button', { hasText: 'expanded' }).click();
  assert.equal(await page.locator('#scores th[aria-sort=descending]').count(), 1);
  clean(opened);
});

test('costs on the scoreboard are those of the record, with weights and changes too', async () => {
  fleetfoot('run', 'builtin:cave256', '--from', '163,187', '--to', '27,202', '-p', 'rtd', '-p', 'tba', '-b', '12', '--terrain', 'S=3,G=2', '--replay', 'weights.html');
  for (const name of ['weights.html', 'four.html']) {
    const { page } = await open(name);
    await page.evaluate(() => window.fleetfoot.goTo(window.fleetfoot.record.end));
    await settle(page);
    const costs = await page.evaluate(() => window.fleetfoot.timelines.filter(({ track }) => track.meta.outcome === 'arrived')
      .map(({ replay, track }) => [replay.cost / window.fleetfoot.record.meta.costs.unit, track.meta.length]));
    assert.ok(costs.length >= 2);
    for (const [cost, length] of costs) assert.ok(Math.abs(cost - length) < 0.001 * length, `${name}: ${cost} is not ${length}`);
  }
});

test('a swipe on a phone draws nothing; changes can be undone and made again', async () => {
  const phone = await openPlayground({ width: 390, height: 844 });
  assert.equal(await phone.page.evaluate(() => window.playground.tool), 'move');
  const before = await phone.page.evaluate(() => String(window.playground.stage.letters));
  await phone.page.locator('.map').first().scrollIntoViewIfNeeded();
  const { x, y } = await place(phone.page, 50, 45), touch = await phone.context.newCDPSession(phone.page);
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
  for (let k = 1; k < 6; k++) await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [{ x: x + 12 * k, y }] });
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await settle(phone.page);
  assert.equal(await phone.page.evaluate(() => String(window.playground.stage.letters)), before);
  // By expansion on a phone as well.
  for (const id of ['#less', '#more']) assert.ok(await phone.page.locator(id).isVisible(), id);
  clean(phone);

  const opened = await openPlayground(), { page } = opened;
  const letters = () => page.evaluate(() => String(window.playground.stage.letters));
  const first = await letters();
  await drag(page, [[33, 45], [33, 48]]);
  const drawn = await letters();
  assert.notEqual(drawn, first);
  await page.locator('#undo').click();
  assert.equal(await letters(), first);
  await page.keyboard.press('Control+Shift+Z');
  assert.equal(await letters(), drawn);
  await page.locator('#clear').click();
  assert.ok(!(await letters()).includes('64'));
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  assert.equal(await letters(), first);
  // Planners, and edits while agents move.
  await goTo(page, 5);
  await drag(page, [[43, 45], [43, 46]]);
  assert.ok(await page.evaluate(() => window.playground.stage.changes.length > 0));
  await page.locator('.planner > select').nth(1).selectOption('lrta');
  await page.keyboard.press('Escape');
  await page.locator('#undo').click();
  await page.locator('#undo').click();
  assert.deepEqual(await page.evaluate(() => [window.playground.stage.changes, window.playground.stage.planners[1]]), [[], 'rtaa']);
  assert.equal(await tickOf(page), 5);
  clean(opened);
});

test('start and goal are moved by keyboard, and Enter with the tool to move throws nothing', async () => {
  const opened = await openPlayground({ first: true }), { page } = opened;
  await page.locator('.map').first().focus();
  await page.keyboard.press('Alt+1');
  await page.keyboard.press('i');
  await page.keyboard.press('Enter');
  await page.evaluate(() => window.fleetfoot.point(window.playground.stage.start));
  await page.keyboard.press('Enter');
  assert.match(await page.locator('#live').textContent(), /The start is picked up/);
  for (const key of ['k', 'k', 'l', 'Enter']) await page.keyboard.press(key);
  assert.deepEqual(await page.evaluate(() => window.playground.stage.start), [4, 10]);
  clean(opened);
});

test('arrow keys on tabs, tools and sliders do not step the simulation', async () => {
  const opened = await openPlayground({ first: true }), { page } = opened;
  await goTo(page, 5);
  await page.locator('#tab-one').focus();
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.locator('#tab-fleet').getAttribute('aria-selected'), 'true');
  await page.keyboard.press('ArrowLeft');
  assert.equal(await page.locator('#tab-one').getAttribute('aria-selected'), 'true');
  await page.locator('[data-tool=wall]').focus();
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.locator('[data-tool=erase]').getAttribute('aria-checked'), 'true');
  assert.equal(await page.locator('[data-tool][aria-pressed]').count(), 0);
  await page.locator('#budget').focus();
  await page.keyboard.press('ArrowRight');
  assert.match(await page.locator('#budget').getAttribute('aria-valuetext'), /expansion/);
  assert.equal(await tickOf(page), 5);
  clean(opened);
});

test('a tick that is typed is reached, however long it takes to compute', async () => {
  const opened = await openPlayground(), { page } = opened;
  await page.evaluate(() => window.playground.restart(() => {
    const { stage } = window.playground;
    stage.blank(40, 40);
    for (let y = 0; y < 39; y++) stage.draw(20, y, '@');
    for (let x = 5; x < 20; x++) stage.draw(x, 39, '@');
    Object.assign(stage, { planners: ['lrta', 'hill-climb', 'lrta', 'lrta'], start: [10, 20], goal: [30, 20] });
  }));
  // As if ticks were expensive: three at a time.
  await page.evaluate(() => {
    const { session } = window.playground, extend = session.extend.bind(session);
    session.extend = (wanted) => extend(Math.min(wanted, session.record.end + 3), 1);
  });
  await page.locator('#tick').fill('60');
  await page.locator('#tick').press('Enter');
  await page.waitForFunction(() => /^computing: tick \d+ of 60$/.test(document.getElementById('computing').textContent));
  assert.ok(await page.locator('#progress').isVisible());
  await page.waitForFunction(() => window.fleetfoot.tick === 60 && window.fleetfoot.wanted === null);
  assert.equal(await page.locator('#computing').textContent(), '');
  clean(opened);
});

test('the chart keeps what it has drawn: a frame draws no more bars at tick 3,000 than at tick 300', async () => {
  const opened = await openPlayground(), { page } = opened;
  const bars = (tick) => page.evaluate(async (tick) => {
    const { playground: play, fleetfoot: viewer } = window;
    play.extend(tick, 20000);
    viewer.goTo(tick);
    for (let k = 0; k < 3; k++) await new Promise(requestAnimationFrame);
    let count = 0;
    for (const chart of viewer.charts) {
      const { stack } = chart;
      chart.stack = (...given) => (count++, stack.apply(chart, given));
    }
    for (let k = 1; k <= 20; k++) {
      play.extend(tick + k, 20000);
      viewer.goTo(tick + k);
      viewer.redraw();
    }
    for (const chart of viewer.charts) delete chart.stack;
    return count / 20;
  }, tick);
  await page.evaluate(() => window.playground.restart(() => Object.assign(window.playground.stage, { planners: ['hill-climb', 'hill-climb', 'hill-climb', 'hill-climb'], swing: 50, doors: [[1, 1]] })));
  await page.evaluate(() => window.playground.restart(() => window.playground.stage.take('builtin:corner40', undefined)) || 0).catch(() => 0);
  const early = await bars(300), late = await bars(3000);
  assert.ok(late <= early + 60, `${early} bars, then ${late}`);
});

test('follow follows each agent in its own pane', async () => {
  const { page } = await open('four.html');
  await goTo(page, 150);
  await page.keyboard.press('f');
  await settle(page);
  const off = await page.evaluate(() => window.fleetfoot.panes.map((pane) => {
    const at = pane.timeline.track.at[150], [x, y] = pane.middle(at);
    return Math.hypot(x - pane.width / 2, y - pane.height / 2);
  }));
  assert.ok(Math.max(...off) < 1, String(off));
});

test('a story stops at turning points, also while a depression is filled', async () => {
  fleetfoot('run', 'builtin:corner40', '--from', '30,30', '--to', '39,39', '-p', 'rtaa', '-b', '10', '--replay', 'filling.html', '--story');
  const { page } = await open('filling.html');
  const { stops, end } = await page.evaluate(() => ({ stops: window.fleetfoot.stops, end: window.fleetfoot.record.end }));
  const gaps = stops.map((tick, k) => (stops[k + 1] ?? end) - tick);
  assert.ok(stops.length >= 8 && Math.max(...gaps) <= Math.max(60, end / 2), `${stops} of ${end}`);
  const texts = await page.locator('#stops button').allTextContents();
  assert.ok(texts.some((text) => /fills a depression: \d+ reversals since tick \d+, h of \d+, \d+ was [\d.]+, is [\d.]+/.test(text)), texts.join('\n'));
});

test('a key of a layer that is not there does nothing; the tick box has room; notes leave maps in line', async () => {
  const { page } = await open('four.html');
  const before = await page.evaluate(() => JSON.stringify(window.fleetfoot.layers));
  await page.keyboard.press('1');
  assert.equal(await page.evaluate(() => JSON.stringify(window.fleetfoot.layers)), before);
  assert.match(await page.locator('#live').textContent(), /no such layer/);
  await page.locator('#tick').fill('2000000');
  assert.ok(await page.locator('#tick').evaluate((box) => box.scrollWidth <= box.clientWidth));
  const playground = await openPlayground();
  await playground.page.evaluate(() => window.playground.restart(() => (window.playground.stage.planners = ['ribs', 'rtd'])));
  await goTo(playground.page, 3);
  await drag(playground.page, [[53, 45], [53, 46]]);
  await goTo(playground.page, 5);
  assert.ok(await playground.page.locator('.pane > .note:visible').count() > 0);
  const tops = await playground.page.evaluate(() => [...document.querySelectorAll('#panes canvas.map')].map((map) => [map.getBoundingClientRect().top, map.clientHeight].join()));
  assert.equal(new Set(tops).size, 1, String(tops));
});

test('swinging doors are copied as their rule, and the copied run is the same', async () => {
  const opened = await openPlayground(), { page } = opened;
  await page.evaluate(() => window.playground.takeMap('builtin:doors100'));
  await page.evaluate(() => window.playground.restart(() => Object.assign(window.playground.stage, { planners: ['rtd', 'rtaa'], budget: 50, swing: 20 })));
  await page.locator('#last').click();
  await page.waitForFunction(() => window.fleetfoot.record.isAtRest && !window.fleetfoot.playing, null, { timeout: 60000 });
  const text = await page.evaluate(() => window.playground.session.inner.command_line());
  assert.ok(text.length < 8000, `${text.length} letters`);
  const lengths = await page.evaluate(() => window.fleetfoot.record.meta.lives.map(({ ticks, length }) => [ticks, length]));
  const there = mkdtempSync(join(tmpdir(), 'fleetfoot-copied-'));
  execFileSync('bash', ['-ec', `${text.trimEnd()}`], { cwd: there, env: { ...process.env, PATH: dirname(program) + delimiter + process.env.PATH }, stdio: 'pipe' });
  execFileSync(program, ['replay', 'race.html', '--to', 'jsonl', '-o', 'race.jsonl'], { cwd: there, stdio: 'ignore' });
  const [head] = execFileSync('head', ['-1', 'race.jsonl'], { cwd: there, encoding: 'utf8', maxBuffer: 1 << 28 }).split('\n');
  assert.deepEqual(JSON.parse(head).lives.map(({ ticks, length }) => [ticks, length]), lengths);
});
