// A story: the book's text beside the map, and stops where something happens for the first time.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { closeAll, fleetfoot, open, read, settle, shots } from './harness.js';

after(closeAll);

test('a story has the book beside the map, and stops where something first happens', async () => {
  fleetfoot('run', 'builtin:rooms100', '--from', '37,87', '--to', '1,21', '-p', 'tbaa', '-p', 'rtaa', '-b', '20', '--world', 'unknown(radius=7)', '--replay', 'story.html', '--story');
  const { page, faults } = await open('story.html');
  const text = await page.locator('#tale').innerText();
  assert.match(text, /TBAA\*[^]*RTAA\*/);
  assert.doesNotMatch(text, /\]\(|<!--|```|\\\*/, 'no Markdown is left');
  const stops = await page.evaluate(() => window.fleetfoot.stops);
  assert.ok(stops.length > 3 && stops[0] === 1, String(stops));
  // Playing goes from stop to stop.
  await page.evaluate(() => window.fleetfoot.setSpeed(7));
  for (const stop of stops.slice(0, 3)) {
    await page.locator('#play').click();
    await page.waitForFunction(() => !window.fleetfoot.playing);
    assert.equal(await page.evaluate(() => window.fleetfoot.tick), stop);
    assert.ok(await page.locator('#stops [aria-current]').count() > 0);
  }
  // What a stop says happens in its tick, and in no earlier one.
  const first = await page.locator('#stops button', { hasText: 'updates' }).first().textContent(), tick = Number(/tick ([\d,]+)/.exec(first)[1].replace(',', ''));
  fleetfoot('replay', 'story.html', '--to', 'jsonl', '-o', 'story.jsonl');
  const rows = read('story.jsonl').trim().split('\n').slice(1).map((line) => JSON.parse(line));
  assert.equal(tick, Math.min(...rows.filter(({ events }) => events?.some(({ learn }) => learn)).map((row) => row.tick)));
  await page.locator('.map').first().focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('m');
  await settle(page);
  assert.equal(await page.evaluate(() => window.fleetfoot.tick), stops[0]);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 1280, `${wide}`);
  if (shots) {
    await page.evaluate((tick) => window.fleetfoot.goTo(tick), stops[3]);
    await settle(page);
    await page.screenshot({ path: join(shots, 'story.png') });
    const small = await open('story.html', { width: 360, height: 740, dark: true });
    await small.page.screenshot({ path: join(shots, 'story-360.png'), fullPage: true });
  }
  assert.deepEqual(faults, []);
});
