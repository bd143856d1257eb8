// The replay page, as a person meets it.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { closeAll, file, fleetfoot, goTo, moment, open, read, settle, shots } from './harness.js';

const PAGES = {
  tba: ['builtin:cave256', '--from', '202,252', '--to', '115,32', '-p', 'tba', '-b', '20'],
  tbaa: ['builtin:rooms100', '--from', '37,87', '--to', '1,21', '-p', 'tbaa', '-b', '20', '--prices', 'papers', '--world', 'unknown(radius=7)'],
  rtaa: ['builtin:corner40', '--from', '30,30', '--to', '39,39', '-p', 'rtaa', '-b', '10', '--prices', 'papers'],
  doors: ['builtin:rooms100', '--from', '5,5', '--to', '95,95', '-p', 'repeated-astar', '-b', '30', '--world', 'dynamic(doors.script,radius=9)'],
  race: ['builtin:rooms100', '--from', '85,19', '--to', '2,63', '-p', 'astar', '-p', 'tba', '-p', 'lrta', '-b', '10'],
  rtd: ['builtin:rooms100', '--from', '5,5', '--to', '95,95', '-p', 'rtd', '-p', 'dstar-lite', '-p', 'ad-star', '-p', 'rtd(global=ad-star)', '-b', '20', '--prices', 'papers', '--world', 'dynamic(doors.script,radius=9)'],
  weighted: ['builtin:cave256', '--from', '163,187', '--to', '27,202', '-p', 'rtd', '-p', 'tba(shortcut=per-step)', '-b', '12', '--terrain', 'S=3,G=2'],
  window: ['builtin:corner40', '--from', '30,30', '--to', '39,39', '-p', 'rtaa', '-b', '10', '--replay-window', '300..420'],
  pair: ['builtin:rooms100', '--from', '85,19', '--to', '2,63', '-p', 'lss-lrta', '-p', 'repeated-astar', '-b', '10', '--world', 'unknown'],
  large: ['builtin:cave1024', '--from', '136,665', '--to', '848,727', '-p', 'rtaa', '-b', '10', '--max-ticks', '100000'],
};

before(() => {
  const lines = ['fleetfoot-script 1', 'size 101 101'];
  for (let k = 0; k < 150; k++) lines.push(`${k} ${k % 3 ? 'open' : 'close'} ${(k * 37) % 100} ${(k * 13) % 10}0`);
  writeFileSync(file('doors.script'), lines.join('\n') + '\n');
  for (const [name, args] of Object.entries(PAGES)) fleetfoot('run', ...args, '--replay', `${name}.html`);
});
after(closeAll);

for (const name of Object.keys(PAGES)) {
  test(`${name}: loads without a fault, seeks both ways, and plays to its end`, async () => {
    const { page, faults } = await open(`${name}.html`);
    const end = await page.evaluate(() => window.fleetfoot.record.end);
    const start = await page.evaluate(() => window.fleetfoot.record.first);
    const ticks = [0, 0.9, 0.3, 1, 0.31, 0.05, 0.6].map((share) => start + Math.floor((end - start) * share));
    const first = new Map();
    for (const tick of [...ticks].sort((a, b) => a - b)) {
      await goTo(page, tick);
      first.set(tick, await moment(page));
    }
    for (const tick of ticks) {
      await goTo(page, tick);
      const again = await moment(page);
      assert.deepEqual(again, first.get(tick), `tick ${tick} after a jump`);
      assert.ok(again.colors > 1, 'a picture is there');
    }
    assert.equal(new Set([...first.values()].map((m) => String(m.digests))).size, first.size, 'every moment is another');
    await goTo(page, end - 3);
    await page.click('#play');
    await page.waitForFunction(() => !window.fleetfoot.playing && window.fleetfoot.tick === window.fleetfoot.record.end);
    assert.deepEqual(faults, []);
    await page.context().close();
  });
}

test('the page knows what the program knows', async () => {
  for (const name of ['tba', 'tbaa', 'doors', 'race', 'pair', 'rtd', 'weighted']) {
    fleetfoot('replay', `${name}.html`, '--to', 'jsonl', '-o', `${name}.jsonl`);
    const [head, ...rows] = read(`${name}.jsonl`).trim().split('\n').map((line) => JSON.parse(line));
    const { page } = await open(`${name}.html`);
    for (let replay = 0; replay < head.lives.length; replay++) {
      const known = { far: { g: {}, open: {} }, near: { g: {}, open: {} }, learned: {}, truth: {}, seen: {} };
      let at, tree = 'far';
      const mine = rows.filter((row) => row.life === replay);
      const stops = [0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 0.8, 0.9, 1].map((share) => Math.ceil(mine.length * share));
      for (const [k, row] of mine.entries()) {
        for (const { cell, weight } of row.changed ?? []) known.truth[cell] = weight;
        for (const { cell, weight } of row.seen ?? []) known.seen[cell] = weight;
        for (const event of row.events ?? []) {
          if (event === 'follow') {
            // A way that the global search has found ends the local one.
            if (tree === 'far') known.near.open = {};
            continue;
          }
          const cell = event.expand ?? event.open;
          if (event.turn) tree = event.turn;
          const { g, open } = known[tree];
          if (cell) g[cell] = [event.g, event.f, event.parent];
          if ('search' in event) known[tree].open = {};
          if (event.search) known[tree].open[event.search] = true, (g[event.search] = null);
          if (event.open) open[event.open] = true;
          if (event.expand) delete open[event.expand];
          if (event.leave) delete open[event.leave];
          if (event.learn) known.learned[event.learn] = event.h;
        }
        at = row.answer.go ?? row.at;
        if (!stops.includes(k + 1)) continue;
        await goTo(page, k + 1);
        const wrong = await page.evaluate(([replay, known, at]) => {
          const { record, timelines } = window.fleetfoot, { cells } = record, state = timelines[replay].replay, wrong = [];
          const place = (text) => text.split(',').map(Number);
          const same = (what, a, b) => a === b || wrong.push(`${what}: ${a} is not ${b}`);
          for (const name of ['far', 'near']) {
            const tree = state[name];
            for (const [key, told] of Object.entries(known[name].g)) {
              if (!told) continue;
              const cell = cells.at(...place(key)), parent = tree.word(cell, 2);
              same(`${name}, g of ${key}`, tree.word(cell, 0), told[0]);
              same(`${name}, f of ${key}`, tree.word(cell, 1), told[1]);
              same(`${name}, parent of ${key}`, parent === 0xffffffff ? null : cells.x(parent) + ',' + cells.y(parent), told[2] && told[2].join());
            }
            const open = [];
            for (let y = 0; tree && y < cells.height; y++) {
              for (let x = 0; x < cells.width; x++) if (tree.pages[cells.at(x, y) >>> 8] && tree.word(cells.at(x, y), 6) === tree.search * 2 + 1) open.push(`${x},${y}`);
            }
            same(`${name}, open`, open.sort().join(' '), Object.keys(known[name].open).sort().join(' '));
          }
          const dots = state.nearCells.filter((cell) => state.near.word(cell, 6) & 1).map((cell) => `${cells.x(cell)},${cells.y(cell)}`);
          same('rings', dots.sort().join(' '), Object.keys(known.near.open).sort().join(' '));
          for (const [key, h] of Object.entries(known.learned)) {
            const [x, y] = place(key), initial = state.distance(x, y, ...record.meta.goal);
            same(`h of ${key}`, state.word(cells.at(x, y), 4), Math.max(0, h - initial));
          }
          for (const [key, weight] of Object.entries(known.truth)) same(`truth of ${key}`, state.word(cells.at(...place(key)), 7) & 255, weight);
          for (const [key, weight] of Object.entries(known.seen)) same(`belief of ${key}`, (state.word(cells.at(...place(key)), 7) >> 8) & 255, weight);
          const here = timelines[replay].track.at[state.t];
          same('place', cells.x(here) + ',' + cells.y(here), at.join());
          return wrong.slice(0, 5);
        }, [replay, known, at]);
        assert.deepEqual(wrong, [], `${name}, replay ${replay}, tick ${k + 1}`);
      }
    }
    await page.context().close();
  }
});

test('planners side by side stay in step', async () => {
  const { page, faults } = await open('race.html');
  assert.equal(await page.locator('.pane').count(), 3);
  await goTo(page, 100);
  const ticks = await page.evaluate(() => window.fleetfoot.timelines.map(({ replay }) => replay.t));
  assert.deepEqual(ticks, [100, 100, 100]);
  await page.keyboard.press('End');
  await settle(page);
  const ends = await page.evaluate(() => window.fleetfoot.timelines.map(({ replay, track }) => replay.t === track.ticks));
  assert.deepEqual(ends, [true, true, true]);
  assert.equal(await page.locator('.why', { hasText: 'arrived' }).count(), 3);
  assert.deepEqual(faults, []);
  await page.context().close();
});

test('everything can be done by keyboard', async () => {
  const { page, faults } = await open('rtaa.html');
  const state = () => page.evaluate(() => {
    const { tick, playing, speed, view, layers, themeName, pointed, isFollowing } = window.fleetfoot;
    return JSON.stringify({ tick, playing, speed, view, layers, themeName, pointed, isFollowing, help: document.getElementById('help').open });
  });
  await goTo(page, 1000);
  const keys = ['ArrowRight', 'ArrowLeft', 'Shift+ArrowRight', 'PageDown', 'PageUp', 'Home', 'End', 'ArrowUp', 'ArrowDown', 'Shift+R', 'Shift+R', 'r',
    'Shift+N', 'n', '+', '-', 'w', 'a', 's', 'd', '9', '0', 'f', 'i', 'j', 'k', 'l', 'x', '3', '4', '5', '6', '7', 'b', ' ', ' '];
  for (const key of keys) {
    const before = await state();
    await page.keyboard.press(key === ' ' ? 'Space' : key);
    await settle(page);
    assert.notEqual(await state(), before, `key ${key} does something`);
  }
  await page.keyboard.press('?');
  assert.equal(await page.locator('#help').isVisible(), true);
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('#help').isVisible(), false);
  // Every control can be reached and says what it is.
  const unnamed = await page.evaluate(() => [...document.querySelectorAll('button, input, select, canvas.map, canvas.chart')]
    .filter((e) => !(e.getAttribute('aria-label') || e.textContent.trim() || e.closest('label'))).map((e) => e.outerHTML));
  assert.deepEqual(unnamed, []);
  assert.deepEqual(faults, []);
  await page.context().close();
});

test('jumps find reversals, searches and changes', async () => {
  const { page } = await open('doors.html');
  const jumps = await page.evaluate(() => {
    const v = window.fleetfoot, found = {};
    for (const kind of ['reversals', 'searches', 'changes']) {
      v.goTo(0);
      found[kind] = [];
      while (v.jump(kind, 1)) found[kind].push(v.tick);
      const back = [];
      v.goTo(v.record.end + 1);
      while (v.jump(kind, -1)) back.push(v.tick);
      found[kind + 'Back'] = back.reverse();
    }
    return found;
  });
  fleetfoot('replay', 'doors.html', '--to', 'jsonl', '-o', 'doors.jsonl');
  const rows = read('doors.jsonl').trim().split('\n').slice(1).map((line) => JSON.parse(line));
  const ticks = (test) => rows.filter(test).map((row) => row.tick);
  assert.deepEqual(jumps.searches, ticks((row) => row.events?.some((event) => event !== 'follow' && 'search' in event)));
  assert.deepEqual(jumps.changes, ticks((row) => row.changed && row.tick > 1));
  const moves = rows.filter((row) => row.answer.go);
  const back = moves.filter((row, k) => k > 0 && String(row.answer.go) === String(moves[k - 1].at)).map((row) => row.tick);
  assert.deepEqual(jumps.reversals, back);
  // Going back finds all but the one at which one stands.
  for (const kind of ['searches', 'changes']) assert.ok(jumps[kind].join().endsWith(jumps[kind + 'Back'].join()) || jumps[kind + 'Back'].join() === jumps[kind].join());
  await page.context().close();
});

test('the address holds the place', async () => {
  const { page } = await open('tbaa.html', { hash: 't=77&z=12&x=30&y=60&off=open.trail&s=60&theme=dark&truth=0' });
  const place = () => page.evaluate(() => {
    const { tick, view, layers, speed, themeName, panes } = window.fleetfoot;
    return { tick, view, off: Object.keys(layers).filter((key) => key !== 'tree' && !layers[key]), speed, themeName, panes: panes.length };
  });
  assert.deepEqual(await place(), { tick: 77, view: { scale: 12, x: 30, y: 60 }, off: ['open', 'trail'], speed: 5, themeName: 'dark', panes: 1 });
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => location.hash.includes('t=78'));
  assert.match(await page.evaluate(() => location.hash), /t=78&z=12&x=30&y=60&off=open\.trail&s=60&theme=dark&truth=0/);
  await page.evaluate(() => (location.hash = 't=5&truth=1'));
  await settle(page);
  assert.deepEqual(await place().then(({ tick, panes, off }) => ({ tick, panes, off })), { tick: 5, panes: 2, off: [] });
  // Nonsense in the address does no harm.
  await page.evaluate(() => (location.hash = 't=zzz&z=-3&x=1e999&off=..&s=17&theme=pink'));
  await settle(page);
  assert.equal((await place()).tick, 5);
  // An impossible zoom and position are brought back to the map.
  await page.evaluate(() => (location.hash = 't=5&z=0.000001&x=-1000000&y=5000'));
  await settle(page);
  const { view } = await place();
  assert.ok(view.scale > 0.3 && view.x === 0 && view.y <= 200, JSON.stringify(view));
  await page.context().close();
});

test('pointing at a cell tells its values', async () => {
  const { page } = await open('rtaa.html', { hash: 't=600' });
  for (const key of ['i', 'l']) await page.keyboard.press(key);
  await settle(page);
  const terms = await page.locator('#cell dt').allTextContents();
  for (const term of ['truth', 'g', 'h', 'f', 'parent', 'initial h', 'learned h']) assert.ok(terms.includes(term), `${term} in ${terms}`);
  const canvas = page.locator('canvas.map').first(), box = await canvas.boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await settle(page);
  assert.match(await page.locator('#cell p').first().textContent(), /Column \d+, row \d+/);
  const before = await page.evaluate(() => ({ ...window.fleetfoot.view }));
  await page.mouse.wheel(0, -300);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 + 50, box.y + box.height / 2 + 20);
  await page.mouse.up();
  const now = await page.evaluate(() => ({ ...window.fleetfoot.view }));
  assert.ok(now.scale > before.scale && now.x < before.x && now.y < before.y, 'zoomed and panned');
  await page.context().close();
});

test('nothing sticks out, on a phone or on a desk, light or dark', async () => {
  for (const name of ['tba', 'tbaa', 'rtaa', 'doors', 'race', 'large']) {
    for (const [width, height] of [[390, 844], [820, 1180], [1440, 900]]) {
      for (const dark of [false, true]) {
        const { page, faults } = await open(`${name}.html`, { width, height, dark });
        await page.evaluate(() => window.fleetfoot.goTo(window.fleetfoot.record.end * 0.4));
        await settle(page);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= width, `${name} at ${width}: ${wide} pixels wide`);
        const maps = await page.evaluate(() => [...document.querySelectorAll('canvas.map')].map((c) => [c.clientWidth, c.clientHeight]));
        for (const [w, h] of maps) assert.ok(w > 150 && h > 100, `${name} at ${width}: a map of ${w} x ${h}`);
        const play = await page.locator('#play').boundingBox();
        assert.ok(play.y + play.height <= height, 'the controls are in sight');
        if (shots) await page.screenshot({ path: join(shots, `${name}-${width}-${dark ? 'dark' : 'light'}.png`) });
        assert.deepEqual(faults, []);
        await page.context().close();
      }
    }
  }
});

test('a page that is damaged, cut off or of another format says so, and what to do', async () => {
  const whole = read('tba.html'), mark = 'octet-stream;base64">', begin = whole.indexOf(mark) + mark.length, end = whole.indexOf('</script>', begin);
  const put = (at, text) => whole.slice(0, at) + text + whole.slice(at + text.length);
  const bytes = Buffer.from(whole.slice(begin, end), 'base64');
  const newer = Buffer.from(bytes);
  newer[8] = 9;
  const cut = /cannot be shown: the page ends too early: it is cut off; copy the file again/;
  const cases = {
    changed: [put(begin + 2000, 'AAAAAAAA'), /cannot be shown: the record is damaged: a checksum does not match; record the run again, or copy the file again/],
    nonsense: [put(begin + 2000, '!!!!'), /the record is damaged: the page's data is not base64; record/],
    newer: [whole.slice(0, begin) + newer.toString('base64') + whole.slice(end), /the record has format 9, and this page reads format 2; record the run again/],
    empty: [whole.slice(0, begin) + whole.slice(end), cut],
    inRecord: [whole.slice(0, begin + 5001), cut],
    atEnd: [whole.slice(0, end - 30), cut],
    beforeRecord: [whole.slice(0, begin - mark.length - 40), cut],
    inScript: [whole.slice(0, 60000), cut],
    inStyle: [whole.slice(0, 3000), cut],
  };
  for (const [name, [text, expected]] of Object.entries(cases)) {
    writeFileSync(file(`${name}.html`), text);
    const { page } = await open(`${name}.html`);
    assert.equal(await page.evaluate(() => document.body.dataset.ready), 'failed', name);
    assert.match(await page.evaluate(() => document.body.innerText), expected, name);
    if (shots && name === 'changed') await page.screenshot({ path: join(shots, 'damaged.png') });
    await page.context().close();
    // The program finds the same fault.
    const told = expected === cut ? /cut off|holds no Fleetfoot record|the file is empty/ : name === 'newer' ? /has format 9/ : /is damaged/;
    assert.throws(() => fleetfoot('replay', `${name}.html`, '--to', 'ffr', '-o', 'none.ffr'), told, name);
  }
});

test('a window says from where on it was recorded', async () => {
  const { page } = await open('window.html');
  assert.match(await page.locator('#about').textContent(), /recorded from tick 300 on/);
  assert.match(await page.locator('.why').textContent(), /recorded from tick 300/);
  assert.deepEqual(await page.evaluate(() => [window.fleetfoot.tick, window.fleetfoot.record.end]), [300, 420]);
  await page.context().close();
});

test('charged work keeps to the budget, and what is not charged is shown apart', async () => {
  for (const name of ['rtd', 'rtaa', 'tbaa']) {
    const { page } = await open(`${name}.html`);
    const charts = await page.evaluate(() => window.fleetfoot.charts.map((chart) => {
      const { ticks, kinds, work } = chart.track;
      let most = 0;
      for (let t = 0; t < ticks; t++) most = Math.max(most, chart.charged.reduce((sum, k) => sum + work[t * kinds + k] * chart.prices[k], 0));
      return { most, budget: chart.budget, free: chart.free.length, base: chart.base(100) };
    }));
    for (const { most, budget, free, base } of charts) {
      assert.ok(most <= budget && most > 0, `${name}: ${most} of ${budget}`);
      assert.equal(free > 0, base < 100, `${name}: hatched bars below a base line`);
    }
    assert.ok((await page.locator('#kinds li.free').count()) > 0, name);
    assert.match(await page.locator('#kinds-note').textContent(), /Hatched, below: work that was not charged/);
    await page.context().close();
  }
});

test('names can be read, and nothing moves while it plays', async () => {
  const { page, faults } = await open('rtd.html', { width: 1024, height: 600 });
  const names = () => page.evaluate(() => [...document.querySelectorAll('.pane')].map((pane) => {
    const range = document.createRange(), title = pane.querySelector('h2');
    range.selectNodeContents(title.querySelector('.name'));
    const text = range.getBoundingClientRect(), box = title.getBoundingClientRect(), map = pane.querySelector('.map').getBoundingClientRect();
    return { isWhole: text.right <= box.right && text.top >= box.top && text.bottom <= box.bottom + 1, map: map.height };
  }));
  for (const beside of [true, false]) {
    await page.evaluate((beside) => document.getElementById('truth').checked !== beside && document.getElementById('truth').click(), beside);
    await settle(page);
    for (const { isWhole, map } of await names()) assert.ok(isWhole && map >= 170, `${isWhole} ${map}`);
  }
  const sizes = () => page.evaluate(() => JSON.stringify([...document.querySelectorAll('canvas')].map((c) => [c.clientWidth, c.clientHeight])));
  const before = await sizes(), end = await page.evaluate(() => window.fleetfoot.record.end);
  for (let tick = 0; tick <= end; tick += Math.ceil(end / 25)) {
    await goTo(page, tick);
    assert.equal(await sizes(), before, `tick ${tick}`);
  }
  // A resize is drawn at once: no frame is blank.
  const blank = await page.evaluate(() => {
    const pane = window.fleetfoot.panes[0];
    pane.canvas.style.height = '95px';
    pane.resize();
    const { data } = pane.context.getImageData(0, 0, pane.canvas.width, pane.canvas.height);
    return data.every((byte) => byte === 0);
  });
  assert.equal(blank, false);
  assert.deepEqual(faults, []);
  await page.context().close();
});

test('the legend shows every walk in its own color', async () => {
  const { page } = await open('rtd.html');
  const colors = await page.evaluate(() => [...document.querySelectorAll('#layers .trail')].map((i) => getComputedStyle(i).getPropertyValue('--trail')));
  assert.equal(new Set(colors).size, 4);
  const agents = await page.evaluate(() => window.fleetfoot.palette.theme.agents);
  assert.deepEqual(colors.map((color) => color.trim()), agents);
  await page.context().close();
});

test('the largest record: times, for people to read', async (t) => {
  const { page, faults } = await open('large.html');
  const times = await page.evaluate(async () => {
    const v = window.fleetfoot, seeks = [];
    let x = 12345;
    for (let k = 0; k < 60; k++) {
      x = (x * 1103515245 + 12345) % 2147483648;
      v.tick = x % v.record.end;
      const begin = performance.now();
      v.frame(begin);
      v.panes[0].context.getImageData(0, 0, 1, 1);
      seeks.push(performance.now() - begin);
      await new Promise((done) => setTimeout(done, 1));
    }
    seeks.sort((a, b) => a - b);
    return { ticks: v.record.end, firstPicture: v.firstPicture, seekMedian: seeks[30], seekMost: seeks[59], keyFrames: v.timelines[0].frames.length };
  });
  t.diagnostic(Object.entries(times).map(([key, n]) => `${key} ${Math.round(n)}`).join(', '));
  assert.equal(times.ticks, 100000);
  assert.ok(times.keyFrames > 10);
  assert.deepEqual(faults, []);
  await page.context().close();
});
