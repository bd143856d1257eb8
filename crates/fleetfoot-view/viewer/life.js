// A life at a moment: what is known, searched, learned and traced after so many ticks, and how to get to others.
//
// Each cell has eight words. Cells live in pages of 256, made when they are first touched. A key frame keeps the pages
// as they are; whoever writes to a kept page first copies it. So going back is putting other pages in place.

const G = 0, F = 1, PARENT = 2, EXCESS = 3, RISE = 4, EXPANDED = 5, SEARCH = 6, GROUND = 7, WORDS = 8;
/** In the word SEARCH: twice the number of the last search that touched the cell, and whether it is open. In GROUND: */
const BELIEVED = 8, KNOWN = 1 << 16;
const SATURATED = 0xffffffff;

class Life {
  constructor(record, outline) {
    this.record = record;
    this.outline = outline;
    this.costs = record.meta.costs;
    this.pages = new Array(record.cells.tiles).fill(null);
    /** Pages that no key frame holds. */
    this.own = new Uint8Array(record.cells.tiles);
    /** Pages that have changed since they were painted. */
    this.touched = new Uint8Array(record.cells.tiles);
    this.t = 0;
    this.search = 0;
    this.traced = [];
    this.followed = [];
    /** Cells that changed in this tick. */
    this.edited = [];
    this.lesson = 0;
    this.isSkipping = false;
    this.lastTraced = NONE;
    const x = record.cells.x(outline.at[0]), y = record.cells.y(outline.at[0]);
    /** Where steps are counted from: searches, lessons, traces, world. */
    this.cursors = [x, y, x, y, x, y, x, y];
    this.target(record.goal);
    /** Pages with cells expanded in this tick, and in this search; null if unknown. */
    this.fresh = [];
    this.inSearch = [];
    this.repaint = true;
    this.openChunk(0);
    this.entries = 0;
  }

  openChunk(k) {
    this.chunk = k;
    const chunk = this.outline.chunks[k];
    this.left = chunk ? chunk.count : 0;
    this.columns = chunk ? chunk.columns.map(([from, to]) => new Reader(chunk.raw, from, to)) : [];
  }

  target(cell) {
    this.targetX = this.record.cells.x(cell);
    this.targetY = this.record.cells.y(cell);
  }

  /** The initial h of a place. */
  distance(x, y, tx, ty) {
    const dx = Math.abs(x - tx), dy = Math.abs(y - ty);
    const short = Math.min(dx, dy);
    return (Math.max(dx, dy) - short) * this.costs.h_straight + short * this.costs.h_diagonal;
  }

  /** The page of a cell, to be written to. */
  page(cell) {
    const p = cell >>> 8;
    this.touched[p] = 1;
    if (this.own[p]) return this.pages[p];
    this.own[p] = 1;
    return (this.pages[p] = this.pages[p] ? this.pages[p].slice() : this.blank(p));
  }

  blank(p) {
    const { weights, known } = this.record;
    const page = new Uint32Array(256 * WORDS);
    for (let k = 0; k < 256; k++) {
      const weight = weights[(p << 8) | k], isKnown = known[(p << 8) | k];
      const believed = isKnown ? weight : this.costs.least;
      page[k * WORDS + GROUND] = weight | (believed << BELIEVED) | (isKnown ? KNOWN : 0);
      page[k * WORDS + PARENT] = NONE;
    }
    return page;
  }

  /** A word of a cell, whether its page exists or not. */
  word(cell, word) {
    const page = this.pages[cell >>> 8];
    if (page) return page[(cell & 255) * WORDS + word];
    return this.blank(cell >>> 8)[(cell & 255) * WORDS + word];
  }

  /** Plays one tick. */
  step() {
    while (this.left === 0) this.openChunk(this.chunk + 1);
    this.left--;
    const [ticks, ops, , masks] = this.columns;
    for (const p of this.fresh) this.touched[p] = 1;
    this.fresh.length = 0;
    this.edited = [];
    const head = ticks.byte();
    for (let mask = ticks.number(); mask; mask &= mask - 1) ticks.number();
    const edits = head & HAS_EDITS ? ticks.number() : 0;
    const sights = head & HAS_SIGHTS ? ticks.number() : 0;
    for (let k = 0; k < edits; k++) {
      const cell = this.place(6), page = this.page(cell), w = (cell & 255) * WORDS + GROUND;
      page[w] = (page[w] & ~0xff) | masks.byte();
      this.edited.push(cell);
    }
    for (let k = 0; k < sights; k++) {
      const cell = this.place(6), page = this.page(cell), w = (cell & 255) * WORDS + GROUND;
      const truth = page[w] & 0xff;
      page[w] = truth | ((masks.byte() ^ truth) << BELIEVED) | KNOWN;
    }
    this.t++;
    if (head & HAS_ENTRIES) {
      for (let op = ops.byte(); op !== 255; op = ops.byte()) {
        const many = ops.number();
        this.entries += many;
        for (let k = 0; k < many; k++) this.entry(op);
      }
    }
  }

  /** The next place, as a cell; moves the cursor with this number. */
  place(cursor) {
    const places = this.columns[2], cursors = this.cursors;
    const byte = places.byte();
    if (byte === 255) {
      cursors[cursor] += places.signed();
      cursors[cursor + 1] += places.signed();
    } else {
      cursors[cursor] += (byte % 15) - 7;
      cursors[cursor + 1] += ((byte / 15) | 0) - 7;
    }
    return this.record.cells.at(cursors[cursor], cursors[cursor + 1]);
  }

  entry(op) {
    switch (op) {
      case 0: return this.begin(this.place(0));
      case 1: case 2: case 3: return this.expand(op);
      case 4: return this.open(this.place(0));
      case 5: return this.learn(this.place(2));
      case 6: return this.trace(this.place(4));
      case 7: return this.trace(this.word(this.lastTraced, PARENT));
      case 8: {
        this.followed = this.traced;
        this.traced = [];
        return;
      }
      case 9: {
        this.newSearch();
        this.isSkipping = true;
        return;
      }
      default: throw new Error(`unknown entry ${op}`);
    }
  }

  newSearch() {
    this.search++;
    this.traced = [];
    // What was open is so no longer.
    if (this.inSearch) for (const p of this.inSearch) this.touched[p] = 1;
    else this.repaint = true;
    this.inSearch = [];
  }

  begin(root) {
    this.newSearch();
    this.isSkipping = false;
    const at = this.outline.at[this.t - 1];
    this.target(root === this.record.goal ? at : this.record.goal);
    const page = this.page(root), w = (root & 255) * WORDS, { cells } = this.record;
    const h = this.distance(cells.x(root), cells.y(root), this.targetX, this.targetY);
    page[w + G] = 0;
    page[w + F] = saturate(h + (page[w + EXCESS] | 0));
    page[w + PARENT] = NONE;
    page[w + SEARCH] = this.search * 2 + 1;
  }

  /** What is told in full of a cell. */
  told(cell, x, y, parent, g, f) {
    const page = this.page(cell), w = (cell & 255) * WORDS;
    const excess = f - g - this.distance(x, y, this.targetX, this.targetY);
    page[w + G] = g;
    page[w + F] = f;
    page[w + PARENT] = parent;
    page[w + EXCESS] = Math.max(-0x80000000, Math.min(0x7fffffff, excess));
  }

  visit(cell) {
    const values = this.columns[4], { cells } = this.record, rows = values.number();
    const parent = rows ? cells.at((rows - 1) % cells.width, ((rows - 1) / cells.width) | 0) : NONE;
    const g = values.number(), f = values.number();
    this.told(cell, cells.x(cell), cells.y(cell), parent, g, f);
  }

  expand(op) {
    const { cells } = this.record, { costs } = this, values = this.columns[4];
    const cell = this.place(0), x = this.cursors[0], y = this.cursors[1];
    const mask = this.columns[3].byte();
    if (op === 3) this.visit(cell);
    const page = this.page(cell), w = (cell & 255) * WORDS;
    page[w + EXPANDED] = this.t;
    page[w + SEARCH] = this.search * 2;
    this.note(cell >>> 8);
    this.fresh.push(cell >>> 8);
    const g = page[w + G], f = page[w + F];
    const weight = (page[w + GROUND] >> BELIEVED) & 0xff;
    for (let d = 0; d < 8; d++) {
      if (!((mask >> d) & 1)) continue;
      const nx = x + DIRECTIONS[d][0], ny = y + DIRECTIONS[d][1], to = cells.at(nx, ny);
      const other = this.page(to), v = (to & 255) * WORDS;
      const factor = costs.weighted ? weight + ((other[v + GROUND] >> BELIEVED) & 0xff) : 1;
      const next = saturate(g + (d < 4 ? costs.straight : costs.diagonal) * factor);
      const h = saturate(this.distance(nx, ny, this.targetX, this.targetY) + (other[v + EXCESS] | 0));
      const foreseen = Math.max(saturate(next + h), f);
      const residual = op === 1 ? 0 : values.signed();
      if (residual === 0) {
        other[v + G] = next;
        other[v + F] = foreseen;
        other[v + PARENT] = cell;
      } else {
        this.told(to, nx, ny, cell, next, foreseen + residual);
      }
      this.opened(to, other, v);
    }
  }

  open(cell) {
    this.visit(cell);
    this.opened(cell, this.page(cell), (cell & 255) * WORDS);
  }

  opened(cell, page, w) {
    page[w + SEARCH] = this.search * 2 + 1;
    if (this.outline.meta.implicit) page[w + RISE] = Math.max(0, page[w + EXCESS] | 0);
    this.note(cell >>> 8);
  }

  /** Remembers that the present search has been on this page. */
  note(p) {
    const list = this.inSearch;
    if (list && list[list.length - 1] !== p) list.push(p);
  }

  learn(cell) {
    const page = this.page(cell), w = (cell & 255) * WORDS, { cells, goal } = this.record;
    const initial = this.distance(cells.x(cell), cells.y(cell), cells.x(goal), cells.y(goal));
    const foreseen = this.isSkipping ? initial + (page[w + EXCESS] | 0) : this.lesson - page[w + G];
    const value = foreseen + this.columns[4].signed(), rise = value - initial;
    this.lesson = value + page[w + G];
    page[w + EXCESS] = Math.min(0x7fffffff, rise);
    page[w + RISE] = Math.max(0, rise);
  }

  trace(cell) {
    const { traced } = this;
    if (traced.length && this.word(traced[traced.length - 1], PARENT) !== cell) traced.length = 0;
    traced.push(cell);
    this.lastTraced = cell;
  }

  /** How things stand, to come back to. */
  save() {
    this.own.fill(0);
    return {
      pages: this.pages.slice(),
      t: this.t,
      search: this.search,
      traced: this.traced.slice(),
      followed: this.followed.slice(),
      edited: this.edited.slice(),
      lesson: this.lesson,
      isSkipping: this.isSkipping,
      lastTraced: this.lastTraced,
      cursors: this.cursors.slice(),
      target: [this.targetX, this.targetY],
      chunk: this.chunk,
      left: this.left,
      columns: this.columns.map((reader) => reader.at),
      entries: this.entries,
    };
  }

  restore(frame) {
    this.pages = frame.pages.slice();
    this.own.fill(0);
    this.t = frame.t;
    this.search = frame.search;
    this.traced = frame.traced.slice();
    this.followed = frame.followed.slice();
    this.edited = frame.edited.slice();
    this.lesson = frame.lesson;
    this.isSkipping = frame.isSkipping;
    this.lastTraced = frame.lastTraced;
    this.cursors = frame.cursors.slice();
    [this.targetX, this.targetY] = frame.target;
    this.openChunk(frame.chunk);
    this.left = frame.left;
    frame.columns.forEach((at, k) => (this.columns[k].at = at));
    this.entries = frame.entries;
    this.fresh = [];
    this.inSearch = null;
    this.repaint = true;
  }
}

function saturate(n) {
  return n > SATURATED ? SATURATED : n < 0 ? 0 : n;
}
