// Search trees, planners over one another, and what fits where: scoreboard, reasons, prints.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { closeAll, fleetfoot, goTo, open, settle } from './harness.js';

const FOUR = ['astar', 'tba', 'lrta', 'rtaa'].flatMap((key) => ['-p', key]);

before(() => {
  fleetfoot('run', 'builtin:rooms100', '--from', '85,19', '--to', '2,63', ...FOUR, '-b', '10', '--max-ticks', '3000', '--replay', 'four.html');
});
after(closeAll);

/** The lines from state to parent that a map draws. */
const branches = (page) => page.evaluate(() => {
  const { panes: [pane], record: { cells } } = window.fleetfoot, { context } = pane, found = [];
  let from = null;
  const moveTo = context.moveTo.bind(context), lineTo = context.lineTo.bind(context), stroke = context.stroke.bind(context);
  const drawn = [];
  context.moveTo = (x, y) => (from = pane.toCell(x, y), moveTo(x, y));
  context.lineTo = (x, y) => (drawn.push([from, pane.toCell(x, y)]), lineTo(x, y));
  context.stroke = () => (stroke(), drawn.length > 50 && found.push(...drawn.splice(0)));
  const { trail } = pane;
  pane.trail = () => {};
  pane.draw();
  pane.trail = trail;
  for (const name of ['moveTo', 'lineTo', 'stroke']) delete context[name];
  return found.filter(([a, b]) => a && b).map((line) => line.map(([x, y]) => cells.at(x, y)));
});

test('the search tree is drawn: a line from each state of the present search to its parent', async () => {
  const { page, faults } = await open('four.html', { width: 1366, height: 768, hash: 't=150&maps=one&focus=2' });
  assert.deepEqual(await branches(page), []);
  await page.keyboard.press('t');
  await settle(page);
  assert.ok(await page.locator('#layer-tree').isChecked());
  const drawn = await branches(page);
  assert.ok(drawn.length > 1000, `${drawn.length} lines`);
  // Each is a parent of the record, one move away.
  const wrong = await page.evaluate((drawn) => {
    const { timelines: [, { replay: { far } }], record: { cells } } = window.fleetfoot;
    return drawn.filter(([from, to]) => far.word(from, 2) !== to || Math.max(Math.abs(cells.x(from) - cells.x(to)), Math.abs(cells.y(from) - cells.y(to))) !== 1).length;
  }, drawn);
  assert.equal(wrong, 0);
  assert.match(await page.evaluate(() => window.fleetfoot.address), /on=tree/);
  const again = await open('four.html', { hash: await page.evaluate(() => window.fleetfoot.address) });
  assert.ok(await again.page.evaluate(() => window.fleetfoot.layers.tree));
  assert.deepEqual(faults, []);
});

test('two planners are shown over each other, others are hidden', async () => {
  const { page, faults } = await open('four.html', { width: 1366, height: 768, hash: 't=150&maps=over' });
  const buttons = page.locator('.why button');
  assert.equal(await buttons.count(), 4);
  /** The colors of cells by the planners that have expanded them. */
  const colors = () => page.evaluate(() => {
    const { timelines, panes: [pane], record: { cells } } = window.fleetfoot, found = {};
    for (let y = 0, k = 0; y < cells.height; y++) for (let x = 0; x < cells.width; x++, k++) {
      const cell = cells.at(x, y), by = timelines.map(({ replay }, n) => (replay.far.pages[cell >>> 8] && replay.word(cell, 5) ? n : '')).join('');
      const isOpen = timelines.some(({ replay: { far } }) => far.pages[cell >>> 8] && far.word(cell, 6) === far.search * 2 + 1);
      if (!isOpen && '.'.charCodeAt(0) === window.fleetfoot.record.letters[cell]) (found[by] ??= new Set()).add(pane.pixels[k]);
    }
    return Object.fromEntries(Object.entries(found).map(([by, set]) => [by, [...set]]));
  });
  const all = await colors();
  await buttons.nth(1).click();
  await buttons.nth(2).click();
  await settle(page);
  const two = await colors();
  assert.deepEqual([all['01'].length, two['01'].length], [1, 1]);
  // What A* and TBA* have expanded looks like what A* alone has, once TBA* is hidden.
  assert.equal(two['01'][0], two['0'][0]);
  assert.notEqual(all['01'][0], all['0'][0]);
  assert.equal(await buttons.nth(1).getAttribute('aria-pressed'), 'false');
  assert.match(await page.evaluate(() => window.fleetfoot.address), /without=2\.3/);
  const again = await open('four.html', { hash: await page.evaluate(() => window.fleetfoot.address) });
  assert.deepEqual(await again.page.locator('.why button').evaluateAll((all) => all.map((one) => one.getAttribute('aria-pressed'))), ['true', 'false', 'false', 'true']);
  // Nonsense in the address does no harm.
  const bad = await open('four.html', { hash: 't=150&maps=over&without=9.x.-1&on=nothing' });
  assert.deepEqual(await bad.page.evaluate(() => [...window.fleetfoot.without]), []);
  assert.deepEqual([faults, bad.faults], [[], []]);
});

test('the scoreboard fits beside the maps at every size, and reasons have room for their numbers', async () => {
  for (const [width, height] of [[1440, 900], [1366, 768], [1024, 768], [390, 844]]) {
    const { page, context } = await open('four.html', { width, height });
    await goTo(page, 1600);
    const { board, table } = await page.evaluate(() => ({ board: document.getElementById('board').clientWidth, table: document.getElementById('scores').scrollWidth }));
    assert.ok(table <= board, `${width}: a table of ${table} in ${board}`);
    await goTo(page, 150);
    const cut = await page.evaluate(() => [...document.querySelectorAll('.why')].filter((why) => why.scrollHeight > why.clientHeight + 3).map((why) => why.textContent));
    if (width > 1024) assert.deepEqual(cut, [], `${width}`);
    await context.close();
  }
});

test('a printed replay keeps the shapes of its maps, and takes few pages', async () => {
  const { page } = await open('four.html', { hash: 't=150' });
  const pdf = await page.pdf({ format: 'A4', ...(process.env.SHOTS ? { path: join(process.env.SHOTS, 'four.pdf') } : {}) });
  const pages = pdf.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g).length;
  assert.ok(pages <= 2, `${pages} pages`);
  await page.emulateMedia({ media: 'print' });
  assert.deepEqual(await page.locator('canvas').evaluateAll((all) => [...new Set(all.map((one) => getComputedStyle(one).objectFit))]), ['contain']);
});

test('an overlaid map with a button off has no violation that axe finds', async () => {
  const { createRequire } = await import('node:module'), { readFileSync } = await import('node:fs');
  const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  for (const dark of [false, true]) {
    const { page } = await open('four.html', { dark, hash: 't=150&maps=over&without=2.3&on=tree' });
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
    assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 160)}`), []);
  }
});
