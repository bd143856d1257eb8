// A replay at a moment: what is known, searched, learned and traced after t ticks, and how to reach other moments.

const SATURATED = 0xffffffff;

class Replay {
  constructor(record, track) {
    this.record = record;
    this.track = track;
    this.costs = record.meta.costs;
    /** The only or global search, which also stores the world, and the local one of a planner that has two. */
    this.far = new SearchTree(record, track.at[0]);
    this.near = null;
    /** The search that events belong to. */
    this.tree = this.far;
    /** The cells that the current local search has touched. */
    this.nearCells = [];
    this.t = 0;
    this.traced = [];
    this.followed = [];
    /** The subgoal, if the planner reports one: a cell, and the database record that it comes from. */
    this.led = null;
    /** Cells that changed in this tick. */
    this.edited = [];
    this.lesson = 0;
    this.lastTraced = NONE;
    /** The cost of the path so far. */
    this.cost = 0;
    const at = [record.cells.x(track.at[0]), record.cells.y(track.at[0])];
    /** The cells that steps are relative to. */
    this.cursors = { lessons: at.slice(), traces: at.slice(), world: at.slice(), leads: at.slice() };
    /** Pages with cells expanded in this tick. */
    this.fresh = [];
    this.feed = new TickReader(track);
    this.entries = 0;
    this.news = emptyTick();
    /** The current tick is played in part; then the moment before it. */
    this.isPartial = false;
    this.before = null;
    /** The events of a tick, collected on demand. */
    this.log = null;
  }

  /** Returns the initial h between two positions. */
  distance(x, y, tx, ty) {
    const dx = Math.abs(x - tx), dy = Math.abs(y - ty);
    const short = Math.min(dx, dy);
    return (Math.max(dx, dy) - short) * this.costs.h_straight + short * this.costs.h_diagonal;
  }

  /** Returns a word of a cell of the only or global search. */
  word(cell, word) {
    return this.far.word(cell, word);
  }

  /** Returns the number of finished ticks: the agent moves at the end of one. */
  get over() {
    return this.isPartial ? this.t - 1 : this.t;
  }

  /** Plays one tick, or the part of it up to `most` expansions. */
  step(most = Infinity) {
    this.feed.next();
    this.news = emptyTick();
    const { ticks, masks } = this.feed;
    for (const p of this.fresh) this.far.touched[p] = 1;
    this.fresh.length = 0;
    this.edited = [];
    const head = ticks.byte();
    for (let mask = ticks.number(); mask; mask &= mask - 1) ticks.number();
    const edits = head & HAS_EDITS ? ticks.number() : 0;
    const sights = head & HAS_SIGHTS ? ticks.number() : 0;
    for (let k = 0; k < edits; k++) {
      const cell = this.place(this.cursors.world), page = this.far.page(cell), w = (cell & 255) * WORDS + GROUND;
      page[w] = (page[w] & ~0xff) | masks.byte();
      this.edited.push(cell);
    }
    for (let k = 0; k < sights; k++) {
      const cell = this.place(this.cursors.world), page = this.far.page(cell), w = (cell & 255) * WORDS + GROUND;
      const truth = page[w] & 0xff, before = (page[w] >> BELIEVED) & 0xff, now = masks.byte() ^ truth;
      if (before > 0 && now === 0 && this.followed.includes(cell)) this.news.blocked.push(cell);
      page[w] = truth | (now << BELIEVED) | KNOWN;
    }
    this.t++;
    if (!this.entriesOf(head, most)) return;
    this.cost += this.moveCost();
  }

  /** Reads the entries of a tick, up to a number of expansions. Returns `false` if it stops within the tick. */
  entriesOf(head, most) {
    const { ops } = this.feed;
    if (head & HAS_ENTRIES) {
      for (let op = ops.byte(); op !== 255; op = ops.byte()) {
        const many = ops.number();
        // No kind of entry comes more often than every cell has directions.
        if (many > this.record.cells.tiles << 11) throw damaged('a tick has too many entries');
        this.entries += many;
        for (let k = 0; k < many; k++) {
          this.isPartial = op >= 1 && op <= 3 && this.news.expanded >= most;
          if (this.isPartial) return false;
          this.entry(op);
        }
      }
    }
    return true;
  }

  /** Returns the cost of the move of the present tick on the map as it is. */
  moveCost() {
    const { track, costs } = this, direction = track.head[this.t - 1] & 15;
    if (direction >= 8) return 0;
    const factor = costs.weighted ? this.weight(track.at[this.t - 1]) + this.weight(track.at[this.t]) : 1;
    return (direction < 4 ? costs.straight : costs.diagonal) * factor;
  }

  /** Returns the weight of a cell. */
  weight(cell) {
    return this.far.pages[cell >>> 8] ? this.far.word(cell, GROUND) & 0xff : this.record.weights[cell];
  }

  /** Reads the next position as a cell and moves the cursor. */
  place(cursor) {
    this.feed.place(cursor);
    if (!this.record.cells.has(cursor[0], cursor[1])) throw damaged('a cell lies outside the map');
    return this.record.cells.at(cursor[0], cursor[1]);
  }

  entry(op) {
    const { tree } = this;
    switch (op) {
      case 0: return this.begin(this.place(tree.cursor));
      case 1: case 2: case 3: return this.expand(op);
      case 4: case 12: return this.open(op, this.place(tree.cursor));
      case 5: return this.learn(this.place(this.cursors.lessons));
      case 6: return this.trace(this.place(this.cursors.traces));
      case 7: return this.trace(tree.word(this.lastTraced, PARENT));
      case 8: return this.follow();
      case 9: return this.skip();
      case 10: return this.leave(this.place(tree.cursor));
      case 11: return this.turn();
      case 13: return this.lead(this.place(this.cursors.leads));
      default: throw new Error(`the record is damaged: an unknown entry, ${op}`);
    }
  }

  /** Switches to the planner's other search. */
  turn() {
    this.near ??= new SearchTree(this.record, this.track.at[0]);
    this.tree = this.tree === this.far ? this.near : this.far;
    this.log?.push(['turn', this.tree === this.near]);
  }

  lead(cell) {
    const record = this.feed.values.number() - 1;
    this.led = { cell, record: record < 0 ? null : record };
    this.news.led = true;
    this.log?.push(['lead', cell, this.led.record]);
  }

  follow() {
    this.followed = this.traced;
    this.news.followed = true;
    this.news.reached = this.near !== null && this.tree === this.far;
    this.log?.push(['follow', this.followed.at(-1) ?? NONE]);
    this.traced = [];
    // The global search has found a path, so the local search ends.
    if (this.tree === this.far) this.endNear();
  }

  endNear() {
    if (this.near) this.near.begin();
    this.nearCells = [];
  }

  newSearch() {
    this.news.searches++;
    this.tree.begin();
    this.traced = [];
    if (this.tree === this.near) this.nearCells = [];
  }

  skip() {
    this.newSearch();
    this.log?.push(['search', NONE]);
    this.tree.isSkipping = true;
  }

  begin(root) {
    this.newSearch();
    this.log?.push(['search', root]);
    const { tree } = this, { cells, goal } = this.record;
    tree.isSkipping = false;
    tree.aim(root === goal ? this.track.at[this.t - 1] : goal);
    const page = tree.page(root), w = (root & 255) * WORDS;
    const h = this.distance(cells.x(root), cells.y(root), tree.targetX, tree.targetY);
    page[w + G] = 0;
    page[w + F] = saturate(h + (page[w + EXCESS] | 0));
    page[w + PARENT] = NONE;
    this.opened(root, page, w);
  }

  /** Sets g, f and parent of a cell that are stated in full. */
  told(cell, x, y, parent, g, f) {
    const { tree } = this, page = tree.page(cell), w = (cell & 255) * WORDS;
    const excess = f - g - this.distance(x, y, tree.targetX, tree.targetY);
    page[w + G] = g;
    page[w + F] = f;
    page[w + PARENT] = parent;
    page[w + EXCESS] = Math.max(-0x80000000, Math.min(0x7fffffff, excess));
  }

  visit(cell) {
    const { values } = this.feed, { cells } = this.record, rows = values.number();
    const parent = rows ? cells.at((rows - 1) % cells.width, ((rows - 1) / cells.width) | 0) : NONE;
    const g = values.number(), f = values.number();
    this.told(cell, cells.x(cell), cells.y(cell), parent, g, f);
  }

  /** Sets f of a cell. */
  renew(cell) {
    const { cells } = this.record, page = this.tree.page(cell), w = (cell & 255) * WORDS;
    this.told(cell, cells.x(cell), cells.y(cell), page[w + PARENT], page[w + G], page[w + F] + this.feed.values.signed());
  }

  expand(op) {
    const { cells } = this.record, { costs, tree } = this, { values } = this.feed;
    const cell = this.place(tree.cursor), [x, y] = tree.cursor;
    const mask = this.feed.masks.byte();
    this.news.expanded++;
    if (tree === this.near) this.news.nearby++;
    if (op === 3) this.visit(cell);
    const page = tree.page(cell), w = (cell & 255) * WORDS;
    this.log?.push(['expand', cell, page[w + G], page[w + F]]);
    this.meet(cell, page, w);
    page[w + EXPANDED] = this.t;
    page[w + SEARCH] = tree.search * 2;
    tree.note(cell >>> 8);
    if (tree === this.far) this.fresh.push(cell >>> 8);
    const g = page[w + G], f = page[w + F];
    const weight = costs.weighted ? this.believed(cell) : 0;
    for (let d = 0; d < 8; d++) {
      if (!((mask >> d) & 1)) continue;
      const nx = x + DIRECTIONS[d][0], ny = y + DIRECTIONS[d][1], to = cells.at(nx, ny);
      if (!cells.has(nx, ny)) throw damaged('a neighbor lies outside the map');
      const other = tree.page(to), v = (to & 255) * WORDS;
      const factor = costs.weighted ? weight + this.believed(to) : 1;
      const next = saturate(g + (d < 4 ? costs.straight : costs.diagonal) * factor);
      const h = saturate(this.distance(nx, ny, tree.targetX, tree.targetY) + (other[v + EXCESS] | 0));
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

  open(op, cell) {
    if (op === 4) this.visit(cell);
    else this.renew(cell);
    this.opened(cell, this.tree.page(cell), (cell & 255) * WORDS);
  }

  opened(cell, page, w) {
    this.meet(cell, page, w);
    page[w + SEARCH] = this.tree.search * 2 + 1;
    this.tree.note(cell >>> 8);
    this.log?.push(['open', cell, page[w + G], page[w + F]]);
  }

  /** Adds a cell to those of the local search. */
  meet(cell, page, w) {
    if (this.tree === this.near && page[w + SEARCH] >>> 1 !== this.near.search) this.nearCells.push(cell);
  }

  /** Removes a cell from the open list. */
  leave(cell) {
    this.log?.push(['leave', cell]);
    this.tree.page(cell)[(cell & 255) * WORDS + SEARCH] &= ~1;
  }

  /** Returns the weight of a cell that the agent believes. */
  believed(cell) {
    return (this.far.word(cell, GROUND) >> BELIEVED) & 0xff;
  }

  learn(cell) {
    const { tree } = this, page = tree.page(cell), w = (cell & 255) * WORDS, { cells, goal } = this.record;
    const initial = this.distance(cells.x(cell), cells.y(cell), cells.x(goal), cells.y(goal));
    const foreseen = tree.isSkipping ? initial + (page[w + EXCESS] | 0) : this.lesson - page[w + G];
    const value = foreseen + this.feed.values.signed(), rise = value - initial;
    this.lesson = value + page[w + G];
    this.news.learned++;
    this.log?.push(['learn', cell, value]);
    page[w + EXCESS] = Math.min(0x7fffffff, rise);
    const far = this.far.page(cell), before = far[w + RISE];
    far[w + RISE] = Math.max(0, rise);
    // The largest update of a tick is the one that is reported.
    if (rise - before > (this.news.most?.by ?? 0)) this.news.most = { cell, by: rise - before, before: initial + before, after: value };
  }

  trace(cell) {
    const { traced } = this;
    if (traced.length && this.tree.word(traced[traced.length - 1], PARENT) !== cell) traced.length = 0;
    traced.push(cell);
    this.news.traced++;
    this.log?.push(['trace', cell]);
    this.lastTraced = cell;
  }

  /** Returns the bytes that a key frame of this moment adds to the previous ones. */
  ownBytes() {
    return this.far.ownBytes() + (this.near?.ownBytes() ?? 0) + 4 * (this.nearCells.length + this.traced.length + this.followed.length) + 2000;
  }

  /** Returns this moment, for restoring it. */
  save() {
    return {
      far: this.far.save(),
      near: this.near && this.near.save(),
      isNear: this.tree === this.near,
      nearCells: this.nearCells.slice(),
      t: this.t,
      traced: this.traced.slice(),
      followed: this.followed.slice(),
      led: this.led,
      edited: this.edited.slice(),
      lesson: this.lesson,
      lastTraced: this.lastTraced,
      cost: this.cost,
      cursors: structuredClone(this.cursors),
      feed: this.feed.save(),
      entries: this.entries,
      news: structuredClone(this.news),
    };
  }

  restore(frame) {
    this.far.restore(frame.far);
    if (!frame.near) this.near = null;
    else (this.near ??= new SearchTree(this.record, this.track.at[0])).restore(frame.near);
    this.tree = frame.isNear ? this.near : this.far;
    this.nearCells = frame.nearCells.slice();
    this.t = frame.t;
    this.traced = frame.traced.slice();
    this.followed = frame.followed.slice();
    this.led = frame.led;
    this.edited = frame.edited.slice();
    this.lesson = frame.lesson;
    this.lastTraced = frame.lastTraced;
    this.cost = frame.cost;
    this.cursors = structuredClone(frame.cursors);
    this.feed.restore(frame.feed);
    this.entries = frame.entries;
    this.news = structuredClone(frame.news);
    this.isPartial = false;
    this.before = null;
    this.fresh = [];
  }
}

/** Returns the counts of a tick without events: all searches, the local search, whether the global search has reached the agent, and newly blocked cells of its path. */
function emptyTick() {
  return { searches: 0, expanded: 0, nearby: 0, learned: 0, most: null, traced: 0, followed: false, reached: false, led: false, blocked: [] };
}

function saturate(n) {
  return n > SATURATED ? SATURATED : n < 0 ? 0 : n;
}
