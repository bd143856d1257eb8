// Records whose checksums are right and whose contents are not: a readable message, no blank page, no page that hangs.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { after, before, test } from 'node:test';
import { closeAll, file, fleetfoot, open, read } from './harness.js';

const PAGES = {
  one: ['run', 'builtin:rooms100', '--from', '37,87', '--to', '1,21', '-p', 'tbaa', '-p', 'lrta', '-b', '20', '--max-ticks', '600', '--world', 'unknown(radius=7)'],
  crowd: ['fleet', 'builtin:passage2', '--scenario', 'streams'],
};

before(() => {
  for (const [name, args] of Object.entries(PAGES)) fleetfoot(...args, '--replay', `${name}.html`);
});
after(closeAll);

/** The sections of the record in a page: tags and unpacked bytes. */
function taken(page) {
  const [, base64] = /octet-stream;base64">([^<]*)</.exec(page), bytes = Buffer.from(base64, 'base64'), sections = [];
  for (let at = 12; ; ) {
    const tag = bytes.toString('latin1', at, at + 4), length = bytes.readUInt32LE(at + 8);
    if (tag === 'END.') return { head: bytes.subarray(0, 12), sections, end: bytes.subarray(at), base64 };
    sections.push({ tag, data: inflateSync(bytes.subarray(at + 12, at + 12 + length)) });
    at += 16 + length;
  }
}

/** The page with other sections, signed again. A section may lie about its length. */
function made(page, { head, sections, end, base64 }) {
  const parts = sections.map(({ tag, data, raw = data.length }) => {
    const packed = deflateSync(data), whole = Buffer.concat([Buffer.from(tag, 'latin1'), Buffer.alloc(8), packed, Buffer.alloc(4)]);
    whole.writeUInt32LE(raw, 4);
    whole.writeUInt32LE(packed.length, 8);
    whole.writeUInt32LE(crc32(whole.subarray(0, -4)), whole.length - 4);
    return whole;
  });
  return page.replace(base64, Buffer.concat([head, ...parts, end]).toString('base64'));
}

/** A page with another description. */
function described(page, change) {
  const record = taken(page), meta = record.sections.find(({ tag }) => tag === 'META'), about = JSON.parse(meta.data);
  meta.data = Buffer.from(change(about) ?? JSON.stringify(about));
  return made(page, record);
}

/** Opens a page, looks at all of its run, and returns what it says. Fails if it hangs. */
async function said(name, text) {
  writeFileSync(file('forged.html'), text);
  const opened = await open('forged.html'), { page, faults } = opened;
  const state = await page.evaluate(async () => {
    const viewer = window.fleetfoot;
    for (let k = 1; k <= 6 && document.body.dataset.ready !== 'failed'; k++) {
      viewer.goTo(Math.round((viewer.record.end * k) / 6));
      await new Promise(requestAnimationFrame);
      await new Promise(requestAnimationFrame);
    }
    return { ready: document.body.dataset.ready, text: document.body.innerText };
  });
  const thrown = faults.filter((fault) => fault.startsWith('error'));
  assert.deepEqual(thrown, [], name);
  await page.context().close();
  return state;
}

test('descriptions that cannot be are named', async () => {
  const changes = {
    'no JSON': () => '{"map": ', 'nothing': () => '{}', 'a list': () => '[]',
    'no width': (meta) => void delete meta.width, 'width 0': (meta) => void (meta.width = 0), 'another width': (meta) => void (meta.width = 1000),
    'a huge map': (meta) => void Object.assign(meta, { width: 60000, height: 60000 }), 'a negative height': (meta) => void (meta.height = -5),
    'no runs': (meta) => void (meta.lives = []), 'too many runs': (meta) => void meta.lives.push(meta.lives[0]), 'runs of another kind': (meta) => void (meta.lives = 7),
    'a start outside': (meta) => void (meta.lives[0].at = [5000, 2]), 'a goal outside': (meta) => void (meta.goal = [-1, 2]), 'no costs': (meta) => void delete meta.costs,
    'no kinds of work': (meta) => void delete meta.kinds,
  };
  const page = read('one.html');
  for (const [name, change] of Object.entries(changes)) {
    const { ready, text } = await said(name, described(page, change));
    assert.equal(ready, 'failed', name);
    assert.match(text, /This replay cannot be shown: (the record is damaged: |the map of 60000 × 60000 cells is too large: )/, name);
  }
  // A number that is only a hint does no harm.
  const { ready } = await said('many ticks', described(page, (meta) => void (meta.lives[0].ticks = 4e9)));
  assert.ok(['all', 'failed'].includes(ready));
});

test('parts that are missing, too short or too long are named', async () => {
  for (const name of Object.keys(PAGES)) {
    const page = read(`${name}.html`), tags = [...new Set(taken(page).sections.map(({ tag }) => tag))];
    for (const tag of tags) {
      for (const [what, change] of Object.entries({
        missing: (sections) => sections.filter((section) => section.tag !== tag),
        short: (sections) => sections.map((section) => (section.tag === tag ? { tag, data: section.data.subarray(0, section.data.length >> 1) } : section)),
        empty: (sections) => sections.map((section) => (section.tag === tag ? { tag, data: Buffer.alloc(0) } : section)),
        lying: (sections) => sections.map((section) => (section.tag === tag ? { ...section, raw: 0xfffffff0 } : section)),
      })) {
        const record = taken(page), { ready, text } = await said(`${name}, ${tag} ${what}`, made(page, { ...record, sections: change(record.sections) }));
        const isFine = ready === 'all' && text.length > 100, isNamed = ready === 'failed' && /cannot be shown: the record is damaged: /.test(text);
        assert.ok(isFine || isNamed, `${name}, ${tag} ${what}: ${ready}, ${text.slice(0, 200)}`);
      }
    }
  }
});

test('ticks with other bytes are shown as far as they make sense, or named; nothing hangs', async () => {
  let seed = 12345;
  const random = (below) => ((seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff) >>> 8) % below;
  for (const [name, tag] of [['one', 'TICK'], ['crowd', 'MOVE']]) {
    const page = read(`${name}.html`);
    for (let round = 0; round < 25; round++) {
      const record = taken(page), parts = record.sections.filter((section) => section.tag === tag), part = parts[random(parts.length)];
      part.data = Buffer.from(part.data);
      // Bytes near the beginning are lengths and counts.
      for (let k = 0; k <= round % 5; k++) part.data[round < 8 ? random(24) : random(part.data.length)] = random(3) ? random(256) : 255;
      const { ready, text } = await said(`${name}, round ${round}`, made(page, record));
      assert.ok(ready === 'all' || /cannot be shown: the record is damaged: /.test(text), `${name}, round ${round}: ${ready}, ${text.slice(0, 200)}`);
    }
  }
});
