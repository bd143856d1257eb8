// A fleet: position and goal of every unit, and the unit that blocks it. FORMAT.md describes the format.

/** Actions of a unit besides the eight directions. */
const STANDS = 8, LEFT = 9;
/** States of units, by number. */
const UNIT_STATUS = ['idle', 'seeking', 'underway', 'arrived', 'unreachable', 'buried'];
/** Number of statistics stored for each tick. */
const TOLD = 6;
/** Kinds in the chart. */
const MOVING = 0, WAITING = 8;
/** Length of units' trails, in ticks. */
const TRAIL = 24;

/** Reads a fleet's record as a record with one track, whose work is the numbers of moving and waiting units. */
function readFleet(record, find, raw, parts) {
  const { meta, cells } = record, list = find('UNIT'), reader = new Reader(list, 0, list.length);
  const starts = Uint32Array.from({ length: meta.units }, () => {
    const place = reader.number();
    return cells.at(place % meta.width, Math.floor(place / meta.width));
  });
  const chunks = raw.filter((_, k) => parts[k].tag === 'MOVE').map((bytes) => readColumns(bytes, 6));
  // In the chart's colors for its first and its last kind of work, which are those of the units on the map.
  const kinds = Array.from({ length: WAITING + 1 }, (_, k) => ({ [MOVING]: 'moving', [WAITING]: 'waiting' })[k] ?? '');
  const replay = { name: meta.fleet, planner: meta.fleet, budget: meta.budget, expansions: null, first: 0, ticks: meta.ticks, highest: 0 };
  Object.assign(meta, { kinds, prices: kinds.map(() => 10), all_work: kinds.map(() => 10), lives: [replay] });
  const track = {
    meta: replay, chunks, first: 0, ticks: meta.ticks, kinds: kinds.length, work: new Uint32Array(kinds.length * meta.ticks), reversals: [], searches: [], changes: [],
    /** By moment: statistics of the last tick, or totals. */
    told: Object.fromEntries(['work', 'micros', 'conflicts', 'finished'].map((key) => [key, new Float64Array(meta.ticks + 1)])),
    clamp: (tick) => Math.max(0, Math.min(meta.ticks, tick)),
  };
  const fog = meta.sight == null ? null : new Fog(cells, meta.ticks, meta.sight);
  Object.assign(record, { fleet: { starts, units: meta.units, fog }, foggy: false, tracks: [track], first: 0, end: meta.ticks });
  summarize(track);
  return record;
}

/** The tick in which each cell was first seen. Records do not store it, since it follows from the units' positions. */
class Fog {
  constructor(cells, ticks, sight) {
    Object.assign(this, { cells, sight, covered: 0, count: 0 });
    this.first = new Uint32Array(cells.width * cells.height).fill(NONE);
    /** By moment: number of cells that have been seen. */
    this.counts = new Uint32Array(ticks + 1);
  }

  /** Marks the cells around a position as seen in this tick. */
  look(x, y, tick) {
    const { first, sight, cells: { width, height } } = this;
    for (let row = Math.max(0, y - sight); row <= Math.min(height - 1, y + sight); row++) {
      for (let k = row * width + Math.max(0, x - sight), end = row * width + Math.min(width - 1, x + sight); k <= end; k++) {
        if (first[k] !== NONE) continue;
        first[k] = tick;
        this.count++;
      }
    }
  }

  /** Advances to a tick. Ticks come in order, each once. */
  cover(tick) {
    this.counts[tick] = this.count;
    this.covered = tick;
  }
}

/** Collects the statistics of all ticks for the charts. */
function summarize(track) {
  const { told, work, kinds } = track;
  let t = 0;
  for (const chunk of track.chunks) {
    const [ticks, , , , , edits] = chunk.columns.map(([from, to]) => new Reader(chunk.raw, from, to));
    for (let k = 0; k < chunk.count; k++, t++) {
      told.work[t + 1] = ticks.number();
      told.micros[t + 1] = ticks.number();
      told.conflicts[t + 1] = told.conflicts[t] + ticks.number();
      told.finished[t + 1] = told.finished[t] + ticks.number();
      work[kinds * t + MOVING] = ticks.number();
      work[kinds * t + WAITING] = ticks.number();
      const changes = edits.number();
      for (let n = 0; n < changes; n++) edits.number(), edits.byte();
      if (changes) track.changes.push(t);
    }
  }
}

/** Reads a list of units with new data. */
function eachUnit(reader, read) {
  let unit = 0;
  for (let left = reader.number(); left > 0; left--) read((unit += reader.number()));
}

/** A fleet at one moment. It can advance by a tick, and be restored to a saved moment. */
class FleetReplay {
  constructor(record, track) {
    const { units, starts } = record.fleet;
    Object.assign(this, { record, track, t: 0, entries: 0, units, chunk: 0, tick: 0, readers: null });
    this.x = Int32Array.from(starts, (cell) => record.cells.x(cell));
    this.y = Int32Array.from(starts, (cell) => record.cells.y(cell));
    this.code = new Uint8Array(units).fill(STANDS);
    this.fares = new Uint8Array(units);
    this.goal = new Int32Array(units).fill(-1);
    this.by = new Int32Array(units).fill(-1);
    /** By unit: waypoints as columns and rows, and how many of them it has passed. */
    this.way = new Array(units).fill(null);
    this.passed = new Uint16Array(units);
    /** Map edits: cell and weight, in order. */
    this.edits = [];
    // Part of the interface of replays.
    this.far = { touched: new Uint8Array(0), repaint: false, search: 0 };
  }

  /** Returns the size of a key frame in bytes. */
  ownBytes() {
    return this.units * 28 + this.edits.length * 4;
  }

  save() {
    const { t, entries, chunk, tick } = this;
    const copy = (list) => list.slice();
    return {
      t, entries, chunk, tick, at: this.readers?.map((reader) => reader.at), x: copy(this.x), y: copy(this.y), code: copy(this.code),
      fares: copy(this.fares), goal: copy(this.goal), by: copy(this.by), way: copy(this.way), passed: copy(this.passed), edits: copy(this.edits),
    };
  }

  restore(frame) {
    const { t, entries, chunk, tick, at } = frame;
    Object.assign(this, { t, entries, chunk, tick });
    for (const key of ['x', 'y', 'code', 'fares', 'goal', 'by', 'passed']) this[key].set(frame[key]);
    this.way = frame.way.slice();
    this.edits = frame.edits.slice();
    this.readers = null;
    if (at) this.open(), this.readers.forEach((reader, k) => (reader.at = at[k]));
  }

  open() {
    if (this.chunk >= this.track.chunks.length) throw damaged('ticks are missing');
    const { raw, columns } = this.track.chunks[this.chunk];
    this.readers = columns.map(([from, to]) => new Reader(raw, from, to));
  }

  step() {
    if (!this.readers) this.open();
    const [ticks, moves, goals, states, ways, edits] = this.readers, { cells } = this.record;
    let news = 0;
    const { fog } = this.record.fleet, lookers = fog && fog.covered === this.t ? this.lookers() : null;
    for (let k = 0; k < TOLD; k++) ticks.number();
    for (let left = edits.number(); left > 0; left--) {
      const place = edits.number();
      this.edits.push([cells.at(place % cells.width, Math.floor(place / cells.width)), edits.byte()]);
    }
    eachUnit(moves, (unit) => {
      news++;
      this.code[unit] = moves.byte();
    });
    if (lookers) {
      for (const unit of lookers) if (this.code[unit] !== LEFT) fog.look(this.x[unit], this.y[unit], this.t + 1);
      fog.cover(this.t + 1);
    }
    for (let unit = 0; unit < this.units; unit++) {
      const code = this.code[unit];
      if (code >= STANDS) continue;
      this.x[unit] += DIRECTIONS[code][0];
      this.y[unit] += DIRECTIONS[code][1];
    }
    eachUnit(goals, (unit) => (this.goal[unit] = goals.number() - 1));
    eachUnit(states, (unit) => {
      news++;
      this.fares[unit] = states.byte();
      this.by[unit] = states.number() - 1;
    });
    eachUnit(ways, (unit) => this.readWay(unit, ways));
    // The distance of key frames grows with their size.
    this.entries += 1 + (news * 500) / Math.max(500, this.units);
    this.t++;
    if (++this.tick === this.track.chunks[this.chunk].count) {
      Object.assign(this, { chunk: this.chunk + 1, tick: 0, readers: null });
    }
  }

  /** Returns the units that see something new at the beginning of a tick: those that moved in the previous one. */
  lookers() {
    const list = [];
    for (let unit = 0; unit < this.units; unit++) if (this.t === 0 || this.code[unit] < STANDS) list.push(unit);
    return list;
  }

  readWay(unit, reader) {
    const points = reader.number();
    if (points % 2 === 0) {
      this.passed[unit] += points / 2;
      return;
    }
    const way = new Int32Array(points - 1);
    let x = this.x[unit], y = this.y[unit];
    for (let k = 0; k < way.length; k += 2) {
      way[k] = x += reader.signed();
      way[k + 1] = y += reader.signed();
    }
    this.way[unit] = way;
    this.passed[unit] = 0;
  }

  /** Returns the goal of a unit as column and row. */
  goalOf(unit) {
    const { width } = this.record.cells, goal = this.goal[unit];
    return goal < 0 ? null : [goal % width, Math.floor(goal / width)];
  }

  /** Returns 0 moving, 1 waiting, 2 at its goal, 3 goal unreachable, 4 without an order, 5 gone. */
  mood(unit) {
    if (this.code[unit] === LEFT) return 5;
    if (this.fares[unit] > 3) return 3;
    if (this.fares[unit] === 0 && this.goal[unit] < 0) return 4;
    if (this.goal[unit] === this.y[unit] * this.record.cells.width + this.x[unit]) return 2;
    return this.code[unit] < STANDS ? 0 : 1;
  }

  /** Returns the unit in a cell, if there is one. */
  unitAt(x, y) {
    for (let unit = 0; unit < this.units; unit++) {
      if (this.x[unit] === x && this.y[unit] === y && this.code[unit] !== LEFT) return unit;
    }
    return null;
  }
}
