// The first visit, and the lessons from their links to their last stops.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { closeAll, openPlayground, settle } from './harness.js';

after(closeAll);

const clean = ({ faults }) => assert.deepEqual(faults, []);

test('a first visit shows one sentence, one button, five lessons and a small map; the button shows the point', async () => {
  for (const [width, height] of [[1440, 900], [390, 844]]) {
    const opened = await openPlayground({ first: true, width, height }), { page } = opened;
    assert.match(await page.locator('#opening').textContent(), /A\* thinks first and then walks; RTAA\* walks at once/);
    assert.equal(await page.locator('#lesson-list a').count(), 5);
    const { size, planners } = await page.evaluate(() => ({ size: Math.max(window.playground.stage.width, window.playground.stage.height), planners: window.playground.stage.planners }));
    assert.ok(size <= 32 && planners.length === 2);
    const box = await page.locator('#begin').boundingBox();
    assert.ok(box.y + box.height < height, 'the button is in sight');
    await page.locator('#begin').click();
    // A* still waits when RTAA* has moved; the whole run takes less than ten seconds at this speed.
    await page.waitForFunction(() => window.fleetfoot.tick >= 8);
    assert.match(await page.locator('.why').first().textContent(), /^waits for its first path/);
    assert.ok(await page.evaluate(() => window.fleetfoot.record.tracks[1].moves[8] > 3));
    await page.evaluate(() => window.playground.extend(500, 5000));
    assert.ok(await page.evaluate(() => window.fleetfoot.record.end) <= 120);
    clean(opened);
  }
});

test('each lesson is followed from its link to its last stop', async () => {
  const keys = ['first-move', 'depression', 'turning-back', 'doors', 'fog'];
  const opened = await openPlayground({ first: true }), { page } = opened;
  for (const [k, key] of keys.entries()) {
    assert.equal(await page.locator('#lesson-list a').nth(k).getAttribute('href'), `#lesson=${key}`);
    await page.locator('#lesson-list a').nth(k).click();
    await page.waitForFunction((key) => window.playground.guide.lesson?.key === key && window.playground.guide.isComplete, key, { timeout: 60000 });
    const stops = await page.evaluate(() => window.playground.guide.stops.length), seen = new Set();
    assert.ok(stops >= 3, `${key}: ${stops} stops`);
    for (let n = 0; n < stops; n++) {
      await settle(page);
      if (await page.locator('#next-stop').textContent() === 'next lesson') break;
      await page.locator('#next-stop').click();
      await settle(page);
      seen.add(await page.locator('#stop').textContent());
    }
    assert.equal(seen.size, stops, `${key}: every stop has its text`);
    assert.equal(await page.locator('#next-stop').textContent(), 'next lesson');
  }
  clean(opened);
  // The address of a lesson, and one that there is not.
  const other = await openPlayground({ first: true, hash: 'lesson=fog' });
  assert.equal(await other.page.evaluate(() => window.playground.guide.lesson.key), 'fog');
  const bad = await openPlayground({ first: true, hash: 'lesson=nonsense' });
  assert.match(await bad.page.locator('#alert').textContent(), /no lesson “nonsense”/);
  clean(bad);
});

test('without WebAssembly, and with a forged address, the page says what is wrong', async () => {
  const without = await openPlayground({ first: true, prepare: (page) => page.addInitScript(() => delete window.WebAssembly) });
  assert.match(await without.page.locator('.failure').textContent(), /this browser has no WebAssembly; use a newer one/);
  for (const hash of ['p=', 'p=AAAA', `p=${'A'.repeat(4000)}`, 't=5&z=NaN', 'p=%00%ff', 'lesson=']) {
    const { page } = await openPlayground({ first: true, hash });
    assert.equal(await page.evaluate(() => document.body.dataset.ready), 'all', hash);
    assert.ok(await page.locator('.map').first().isVisible(), hash);
    await page.context().close();
  }
});
