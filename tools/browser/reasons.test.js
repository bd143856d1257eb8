// Why a tick went as it did: what the page says of every tick of every planner, against what the program wrote down.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createContext, runInContext } from 'node:vm';
import { closeAll, fleetfoot, open, read, settle, shots } from './harness.js';

after(closeAll);

const planners = JSON.parse(fleetfoot('list', '--json'));
const names = planners.map(({ key }) => key);
const seers = planners.filter(({ facts }) => facts.unknown_terrain).map(({ key }) => key);
const fours = (list) => Array.from({ length: Math.ceil(list.length / 4) }, (_, k) => list.slice(4 * k, 4 * k + 4));

/** The page's own scripts that read a record and find reasons. They need no page, and are quicker without one. */
const PARTS = ['bytes', 'record', 'tick-reader', 'tree', 'replay', 'cell', 'reason'];
const scripts = PARTS.map((name) => readFileSync(new URL(`../../crates/fleetfoot-view/viewer/${name}.js`, import.meta.url), 'utf8')).join('');
const { linesOf } = runInContext(`${scripts}
/** What is said after each tick of each replay of a page. */
async function linesOf(page) {
  const record = await readRecord(fromBase64(/<script id="record"[^>]*>([^<]*)</.exec(page)[1].trim()));
  return record.tracks.map((track) => {
    const replay = new Replay(record, track);
    return Array.from({ length: track.ticks }, () => (replay.step(), reason(replay, track)));
  });
}
({ linesOf })`, createContext({ structuredClone, atob, Blob, Response, DecompressionStream, TextDecoder, console }));

const at = ([x, y]) => `${x}, ${y}`;
const states = (n) => `${n.toLocaleString('en')} state${n === 1 ? '' : 's'}`;

/** What one line must say. */
function check(text, row, story) {
  const events = row.events ?? [], count = (key) => events.filter((event) => event[key] !== undefined).length;
  const has = (words) => assert.ok(text.includes(words), `«${text}» does not say «${words}»`);
  const hasNot = (words) => assert.ok(!text.includes(words), `«${text}» says «${words}»`);
  assert.doesNotMatch(text, /undefined|NaN|null|^;|^$/);
  for (const { cell, weight } of row.seen ?? []) {
    if (weight === 0 && story.way.has(at(cell)) && !story.walls.has(at(cell))) story.blocked.push(at(cell));
    if (weight === 0) story.walls.add(at(cell));
    else story.walls.delete(at(cell));
  }
  for (const event of events) {
    if (event.trace) story.traced.push(at(event.trace));
    if (event !== 'follow' && 'search' in event) story.traced = [];
    if (event === 'follow') story.way = new Set(story.traced), (story.traced = []);
  }
  const moved = row.answer.go !== undefined, follows = events.includes('follow');
  if (row.answer === 'wait') has(story.moves ? 'waits' : 'waits for its first path');
  else if (row.answer === 'no-path') has('stops: no path to the goal');
  else hasNot('waits');
  (follows && moved ? has : hasNot)('new path found');
  if (count('learn')) has(`updates ${states(count('learn'))}`);
  else hasNot('updates');
  const fork = /fork at (\d+, \d+)/.exec(text)?.[1];
  if (fork) {
    assert.ok(story.way.has(fork), `${fork} is not on the path`);
    assert.ok(!story.way.has(at(row.at)), 'it is on its path already');
    story.said.forks++;
  }
  const blocked = /path blocked at (\d+, \d+)/.exec(text)?.[1];
  assert.equal(blocked ?? null, story.blocked[0] ?? null, text);
  if (blocked) story.said.blocked++;
  story.blocked = [];
  const lead = events.findLast((event) => event.lead);
  if (lead && String(lead.lead) === String(story.goal)) has('makes for the goal itself');
  else if (lead) has(`${lead.record === null ? 'led' : `led by record ${lead.record.toLocaleString('en')}`} to sub-goal ${at(lead.lead)}`), story.said.leads++;
  else hasNot('led ');
  if (moved) story.moves++;
}

async function all(name, args, list, counts) {
  for (const [k, four] of fours(list).entries()) {
    const file = `${name}${k}`;
    fleetfoot('run', ...args, ...four.flatMap((key) => ['-p', key]), '-b', '9', '--max-ticks', '400', '--replay', `${file}.html`);
    fleetfoot('replay', `${file}.html`, '--to', 'jsonl', '-o', `${file}.jsonl`);
    const [head, ...rows] = read(`${file}.jsonl`).trim().split('\n').map((line) => JSON.parse(line));
    const said = await linesOf(read(`${file}.html`));
    for (let replay = 0; replay < head.lives.length; replay++) {
      const mine = rows.filter((row) => row.life === replay), texts = said[replay];
      assert.equal(texts.length, mine.length);
      const story = { way: new Set(), traced: [], walls: new Set(), blocked: [], moves: 0, goal: head.goal, said: (counts[four[replay]] ??= { forks: 0, blocked: 0, leads: 0 }) };
      if (!head.sighted) head.rows.forEach((row, y) => [...row].forEach((letter, x) => '@OTW'.includes(letter) && story.walls.add(at([x, y]))));
      mine.forEach((row, t) => {
        try {
          check(texts[t], row, story);
        } catch (error) {
          error.message = `${four[replay]}, ${name}, tick ${t + 1}: ${error.message}`;
          throw error;
        }
      });
      if (head.lives[replay].outcome === 'arrived') assert.match(texts.at(-1), /^arrived; /);
    }
  }
}

test('every tick of every planner has its reason, which is in the record', async () => {
  const said = {};
  await all('known', ['builtin:corner40', '--from', '30,30', '--to', '39,39'], names, said);
  assert.ok(said.tba.forks > 0, 'TBA* goes back to a fork');
  await all('fog', ['builtin:corner40', '--from', '30,30', '--to', '39,39', '--world', 'unknown'], seers, said);
  assert.ok(Object.values(said).filter(({ blocked }) => blocked > 0).length >= 3, 'ways are seen to be blocked');
});

test('sub-goals are told and drawn', async () => {
  const said = {}, led = ['knn-lrta(records=200)', 'd-lrta', 'pr-lrta'];
  fleetfoot('map', 'generate', 'rooms', '--width', '41', '--height', '41', '--room', '7', '--seed', '2', '-o', 'rooms.map');
  await all('led', ['rooms.map', '--from', '2,2', '--to', '38,38'], led, said);
  for (const key of led) assert.ok(said[key].leads > 0, `${key} has sub-goals`);
  const { page } = await open('led0.html');
  const drawn = await page.evaluate(() => {
    const viewer = window.fleetfoot, found = [];
    viewer.timelines.forEach(({ track }, replay) => {
      for (viewer.tick = 1; viewer.tick <= Math.min(300, track.ticks); viewer.tick++) {
        viewer.redraw();
        const { led } = viewer.timelines[replay].replay, pane = viewer.panes[replay];
        if (!led || led.cell === viewer.record.goal || led.cell === track.at[viewer.tick]) continue;
        const [x, y] = pane.middle(led.cell), pixel = () => [...pane.context.getImageData(x * pane.ratio, y * pane.ratio, 1, 1).data].join();
        const shown = pixel();
        viewer.setLayer('paths', false);
        viewer.redraw();
        found.push(shown !== pixel());
        viewer.setLayer('paths', true);
        return;
      }
    });
    return found;
  });
  assert.deepEqual(drawn, [true, true, true]);
  if (shots) await page.screenshot({ path: join(shots, 'led.png') });
});

test('the events of a tick are listed, and can be stepped by expansion', async () => {
  fleetfoot('run', 'builtin:corner40', '--from', '30,30', '--to', '39,39', '-p', 'lss-lrta', '-b', '30', '--replay', 'list.html');
  fleetfoot('replay', 'list.html', '--to', 'jsonl', '-o', 'list.jsonl');
  const [, ...rows] = read('list.jsonl').trim().split('\n').map((line) => JSON.parse(line));
  const row = rows.find(({ events }) => events?.filter(({ learn }) => learn).length > 1 && events.filter(({ expand }) => expand).length > 4);
  const { page, faults } = await open('list.html', { hash: `t=${row.tick}` });
  await page.locator('summary', { hasText: 'Events of the tick' }).click();
  await settle(page);
  const list = await page.locator('#events li').allTextContents(), told = row.events;
  assert.deepEqual(list.filter((text) => text.startsWith('expands')).map((text) => /\d+, \d+/.exec(text)[0]), told.filter(({ expand }) => expand).map(({ expand }) => at(expand)));
  assert.deepEqual(list.filter((text) => text.startsWith('learns')).map((text) => /\d+, \d+/.exec(text)[0]), told.filter(({ learn }) => learn).map(({ learn }) => at(learn)));
  await page.locator('#events button').nth(2).click();
  await settle(page);
  assert.deepEqual(await page.evaluate(() => [window.fleetfoot.tick, window.fleetfoot.part, window.fleetfoot.timelines[0].replay.news.expanded]), [row.tick - 1, 3, 3]);
  assert.equal(await page.locator('#events button[aria-current]').count(), 1);
  await page.keyboard.press('.');
  await settle(page);
  assert.equal(await page.locator('#events button[aria-current]').getAttribute('data-part'), '4');
  assert.deepEqual(faults, []);
});

test('lives of very different lengths: the slider covers the one that is chosen, and who is stuck is cut', async () => {
  fleetfoot('run', 'builtin:corner40', '--from', '30,30', '--to', '39,39', '-p', 'hill-climb', '-p', 'astar', '-p', 'lrta', '-b', '9', '--max-ticks', '20000', '--replay', 'long.html');
  const { page, faults } = await open('long.html');
  const lives = await page.evaluate(() => window.fleetfoot.record.tracks.map(({ ticks, shown, note }) => ({ ticks, shown, note: note ?? null })));
  assert.equal(lives[0].ticks, 20000);
  assert.ok(lives[0].shown < 500, `${lives[0].shown} ticks are shown`);
  assert.match(lives[0].note, /^From tick [\d,]+ on it (waits at the same cell|moves among the same \d+ cells) until it gives up at tick 20,000: cut here\.$/);
  assert.equal(await page.locator('.pane .note').first().textContent(), lives[0].note);
  assert.deepEqual(lives.slice(1).map(({ ticks, shown, note }) => [shown - ticks, note]), [[0, null], [0, null]]);
  const most = await page.evaluate(() => window.fleetfoot.record.end);
  assert.equal(most, Math.max(...lives.map(({ shown }) => shown)));
  assert.equal(await page.locator('#scrub').getAttribute('max'), String(most));
  await page.locator('#whose').selectOption('1');
  await settle(page);
  assert.equal(await page.locator('#scrub').getAttribute('max'), String(lives[1].ticks));
  await page.keyboard.press('End');
  await settle(page);
  assert.equal(await page.evaluate(() => window.fleetfoot.tick), lives[1].ticks);
  const hash = await page.evaluate(() => window.fleetfoot.address);
  assert.match(hash, /life=2/);
  const again = await open('long.html', { hash });
  assert.equal(await again.page.locator('#whose').inputValue(), '1');
  // The kinds of terrain are in the legend, and differ from walls in both themes.
  assert.deepEqual(await page.locator('#grounds li').allTextContents(), ['ground', 'wall']);
  for (const theme of ['dark', 'light']) {
    const contrast = await page.evaluate((theme) => {
      window.fleetfoot.setTheme(theme);
      const light = (hex) => [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16) / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
        .reduce((sum, c, k) => sum + c * [0.2126, 0.7152, 0.0722][k], 0.05);
      const { ground } = window.fleetfoot.palette.theme, [a, b] = [light(ground['.']), light(ground['@'])];
      return Math.max(a, b) / Math.min(a, b);
    }, theme);
    assert.ok(contrast > 2.4, `${theme}: ground and walls differ ${contrast.toFixed(2)} times`);
  }
  if (shots) {
    await page.evaluate(() => { window.fleetfoot.setTheme('dark'); window.fleetfoot.goTo(30); });
    await settle(page);
    await page.screenshot({ path: join(shots, 'long-dark.png') });
  }
  assert.deepEqual([...faults, ...again.faults], []);
});
