// The record: the map, and a track of each run (position and action of the agent) that needs no search events.

const NONE = 0xffffffff;
const DIRECTIONS = [[1, 0], [0, 1], [-1, 0], [0, -1], [1, 1], [-1, 1], [1, -1], [-1, -1]];
/** The kind of work that counts expansions. */
const EXPANSIONS = 0;
const HAS_EDITS = 0x10, HAS_SIGHTS = 0x20, HAS_ENTRIES = 0x40, HAS_SEARCH = 0x80;

/** An agent is stuck if its run ends in a cycle of at most this many moves that lasts at least this many ticks. */
const MOST_ROUND = 24, MOST_SHOWN = 120;

/** Cells, numbered by tiles of 16 x 16, so that near cells are near in memory. */
class Cells {
  constructor(width, height) {
    this.width = width;
    this.height = height;
    this.across = (width + 15) >> 4;
    this.down = (height + 15) >> 4;
    this.tiles = this.across * this.down;
  }

  at(x, y) {
    return (((y >> 4) * this.across + (x >> 4)) << 8) | ((y & 15) << 4) | (x & 15);
  }

  x(cell) {
    return (((cell >>> 8) % this.across) << 4) | (cell & 15);
  }

  y(cell) {
    return (((cell >>> 8) / this.across) << 4) | ((cell >> 4) & 15);
  }

  /** Returns `true` if this column and row are on the map. */
  has(x, y) {
    return x >>> 0 < this.width && y >>> 0 < this.height;
  }

  /** Reorders an array from rows to tiles. */
  tiled(rows) {
    const out = new Uint8Array(this.tiles << 8), { width, height, across } = this;
    for (let y = 0, k = 0; y < height; y++) {
      const row = (((y >> 4) * across) << 8) | ((y & 15) << 4);
      for (let x = 0; x < width; x++) out[row + ((x >> 4) << 8) + (x & 15)] = rows[k++];
    }
    return out;
  }
}

/** The largest map that a page shows: 4096 × 4096 cells. All panes together may have four times as many. */
const MAX_CELLS = 1 << 24, MAX_PANE_CELLS = 1 << 26;

/** Throws an error if the map of a record is damaged, or too large for a browser: before memory is taken for it. */
function checkMap(meta, find) {
  const { width, height } = meta, count = width * height, lives = meta.fleet === undefined ? meta.lives : [];
  if (!(Number.isInteger(width) && Number.isInteger(height) && width > 0 && height > 0)) throw damaged('the map has no size');
  if (count > MAX_CELLS || count * lives?.length > MAX_PANE_CELLS) {
    const most = count > MAX_CELLS ? `a page shows up to ${MAX_CELLS.toLocaleString('en')}` : `a page shows up to ${MAX_PANE_CELLS.toLocaleString('en')} in all its maps; record fewer planners in one file`;
    throw new Error(`the map of ${width} × ${height} cells is too large: ${most}; or draw it with \`fleetfoot replay FILE --to png\``);
  }
  if (find('LETR')?.length !== count || find('WGHT')?.length !== count) throw damaged('the map has another size than it says');
  if (meta.fleet !== undefined) return;
  if (!Array.isArray(lives) || !lives.length || !meta.costs || !Array.isArray(meta.kinds)) throw damaged('its description is incomplete');
  const isOn = (cell) => Array.isArray(cell) && cell[0] >>> 0 === cell[0] && cell[1] >>> 0 === cell[1] && cell[0] < width && cell[1] < height;
  if (![meta.start, meta.goal, ...lives.map(({ at }) => at)].every(isOn)) throw damaged('an agent stands outside the map');
}

/** Reads the whole record. */
async function readRecord(file) {
  const parts = sections(file);
  const raw = await Promise.all(parts.map(inflate));
  const find = (tag) => raw[parts.findIndex((part) => part.tag === tag)];
  const meta = JSON.parse(new TextDecoder().decode(find('META')));
  // Its former name.
  meta.all_work ??= meta.honest;
  checkMap(meta, find);
  const cells = new Cells(meta.width, meta.height);
  const map = { meta, cells, letters: cells.tiled(find('LETR')), weights: cells.tiled(find('WGHT')) };
  if (meta.fleet !== undefined) return readFleet(map, find, raw, parts);
  const bits = find('KNWN');
  const known = new Uint8Array(meta.width * meta.height).fill(1);
  if (bits) for (let k = 0; k < known.length; k++) known[k] = (bits[k >> 3] >> (k & 7)) & 1;
  /** @type {any} */
  const record = {
    ...map,
    known: cells.tiled(known),
    foggy: meta.sighted,
    start: cells.at(...meta.start),
    goal: cells.at(...meta.goal),
    lives: [],
  };
  let chunks = null;
  const groups = [];
  parts.forEach((part, k) => {
    if (part.tag === 'NEXT') groups.push((chunks = []));
    if (part.tag === 'TICK') chunks.push(readChunk(raw[k]));
  });
  if (groups.length !== meta.lives.length) throw damaged('a run is missing');
  record.tracks = meta.lives.map((replay, k) => new Track(record, replay, groups[k]));
  record.first = Math.min(...meta.lives.map((replay) => replay.first));
  for (const track of record.tracks) track.cut();
  record.end = Math.max(...record.tracks.map((track) => track.first + track.shown));
  return record;
}

function readChunk(raw) {
  return readColumns(raw, 5);
}

function readColumns(raw, most) {
  const reader = new Reader(raw, 0, raw.length);
  const count = reader.number();
  const columns = [];
  for (let k = 0; k < most; k++) {
    const length = reader.number();
    columns.push([reader.at, reader.at + length]);
    reader.at += length;
  }
  // A tick has at least a byte in the first column.
  if (reader.at > raw.length || count > columns[0][1] - columns[0][0]) throw damaged('a part is shorter than it says');
  return { raw, count, columns };
}

/** A run as seen from outside, for all ticks. Its tick t has the number first + t. */
class Track {
  constructor(record, meta, chunks) {
    const { cells } = record, start = cells.at(...meta.at);
    this.cells = cells;
    this.meta = meta;
    this.chunks = [];
    this.first = meta.first;
    this.ticks = 0;
    this.kinds = record.meta.kinds.length;
    /** The agent's cell before tick t. */
    this.at = new Uint32Array(1);
    this.head = new Uint8Array(0);
    this.work = new Uint32Array(0);
    this.moves = new Uint32Array(1);
    /** Expansions before tick t. */
    this.expanded = new Float64Array(1);
    /** Ticks of reversals, of new searches, of changes in the world. */
    this.reversals = [];
    this.searches = [];
    this.changes = [];
    /** Every edge of the walk once: columns and rows of its ends, and its first tick. */
    this.edges = { ends: [], tick: [] };
    this.turns = { cell: [], tick: [] };
    this.at[0] = start;
    this.reading = { before: NONE, walked: new Uint8Array(cells.tiles << 8), turned: new Set() };
    this.reserve(chunks.reduce((sum, { count }) => sum + count, 0));
    for (const chunk of chunks) this.append(chunk);
  }

  /** Reserves memory for `ticks` ticks. */
  reserve(ticks) {
    if (ticks <= this.head.length) return;
    const room = Math.max(ticks, 2 * this.head.length, 256);
    const grown = (old, length) => {
      const list = new old.constructor(length);
      list.set(old);
      return list;
    };
    this.at = grown(this.at, room + 1);
    this.head = grown(this.head, room);
    this.work = grown(this.work, room * this.kinds);
    this.moves = grown(this.moves, room + 1);
    this.expanded = grown(this.expanded, room + 1);
  }

  /** Appends ticks. */
  append(chunk) {
    const { cells, reading } = this, { walked, turned } = reading;
    const ticks = new Reader(chunk.raw, ...chunk.columns[0]);
    this.chunks.push(chunk);
    this.reserve(this.ticks + chunk.count);
    for (let t = this.ticks; t < this.ticks + chunk.count; t++) {
      const head = (this.head[t] = ticks.byte());
      const mask = ticks.number();
      for (let kind = 0; kind < this.kinds; kind++) {
        if ((mask >> kind) & 1) this.work[t * this.kinds + kind] = ticks.number();
      }
      this.expanded[t + 1] = this.expanded[t] + this.work[t * this.kinds + EXPANSIONS];
      if (head & HAS_EDITS) ticks.number();
      if (head & HAS_SIGHTS) ticks.number();
      if (head & HAS_EDITS && t > 0) this.changes.push(t);
      if (head & HAS_SEARCH) this.searches.push(t);
      const here = this.at[t], d = head & 15;
      this.moves[t + 1] = this.moves[t] + (d < 8 ? 1 : 0);
      if (d >= 8) {
        this.at[t + 1] = here;
        continue;
      }
      const x = cells.x(here) + DIRECTIONS[d][0], y = cells.y(here) + DIRECTIONS[d][1];
      if (!cells.has(x, y)) throw damaged('an agent leaves the map');
      const next = (this.at[t + 1] = cells.at(x, y));
      // An edge is stored at both its ends, so that it is drawn once whatever its direction.
      const back = d < 4 ? (d + 2) & 3 : 11 - d;
      if (!((walked[here] >> d) & 1)) {
        walked[here] |= 1 << d;
        walked[next] |= 1 << back;
        this.edges.ends.push(x - DIRECTIONS[d][0], y - DIRECTIONS[d][1], x, y);
        this.edges.tick.push(t);
      }
      if (next === reading.before) {
        this.reversals.push(t);
        if (!turned.has(here)) this.turns.cell.push(here), this.turns.tick.push(t), turned.add(here);
      }
      reading.before = here;
    }
    this.ticks += chunk.count;
  }

  /** Returns the number of shown ticks: all, or those before a cycle that lasts to the end. */
  get shown() {
    return this.shownTo ?? this.ticks;
  }

  /** Cuts a run that was aborted while the agent waited, or cycled among a few cells. */
  cut() {
    const { at, ticks } = this;
    if (this.meta.outcome !== 'gave-up') return;
    let from = ticks, round = 0;
    for (let period = 1; period <= MOST_ROUND; period++) {
      let t = ticks;
      while (t >= period && at[t] === at[t - period]) t--;
      if (t < from) [from, round] = [t, period];
    }
    if (ticks - from < Math.max(MOST_SHOWN, ticks / 4)) return;
    this.shownTo = from + MOST_SHOWN / 2;
    const cells = new Set(at.subarray(from - round + 1, ticks + 1)).size, where = cells === 1 ? 'waits at the same cell' : `moves among the same ${cells} cells`;
    this.note = `From tick ${(this.first + from).toLocaleString('en')} on it ${where} until it gives up at tick ${(this.first + ticks).toLocaleString('en')}: cut here.`;
  }

  /** Returns the agent's cells, in order. */
  get places() {
    return this.at.subarray(0, this.ticks + 1);
  }

  /** Converts a tick of the record to the run's own tick, between 0 and its end. */
  clamp(tick) {
    return Math.max(0, Math.min(this.ticks, tick - this.first));
  }
}

/** Returns the number of entries of a sorted list below a limit. */
function countBelow(list, limit) {
  let low = 0, high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle] < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
