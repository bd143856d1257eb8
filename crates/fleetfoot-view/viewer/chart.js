// The work of each tick by kind against the budget: a strip for each planner, in one chart, and below them the whole run of one.
//
// What a tick was charged is drawn upwards from the base line, at the prices of the run, so that it goes up to the budget and no
// farther. What it did without being charged hangs below the base line, hatched, at what it costs where all work is charged.

/** Pixels of a bar. */
const BAR = 5;

/** One run in the chart. */
class Chart {
  constructor(viewer, index) {
    this.viewer = viewer;
    this.index = index;
    const { meta } = viewer.record;
    this.track = viewer.record.tracks[index];
    /** Kinds of work that were charged, and kinds that take time but were not charged. */
    this.charged = [];
    this.free = [];
    this.done = meta.kinds.map(() => false);
    this.prices = meta.kinds.map((_, k) => (meta.prices[k] || meta.all_work[k]) / 10);
    this.budget = this.track.meta.expansions;
    /** By tick: charged work, and work that was not charged. */
    this.sums = [[], []];
    this.scaled = 0;
    this.above = Math.max(this.budget ? this.budget * 1.15 : 0, 1e-9);
    this.below = 0;
    this.update();
  }

  /** Adds the new ticks. Returns `true` if new kinds of work appeared. */
  update() {
    const { meta } = this.viewer.record, { ticks, kinds, work } = this.track, [charged, free] = this.sums;
    const from = charged.length;
    if (from === ticks) return false;
    let isNew = false;
    for (let at = from * kinds; at < ticks * kinds; at++) {
      if (work[at] && !this.done[at % kinds]) this.done[at % kinds] = isNew = true;
    }
    if (isNew) {
      const used = (prices) => meta.kinds.map((_, k) => k).filter((k) => this.done[k] && prices[k] > 0);
      this.charged = used(meta.prices);
      this.free = used(meta.all_work).filter((k) => meta.prices[k] === 0);
    }
    const sum = (t, list) => list.reduce((sum, k) => sum + work[t * kinds + k] * this.prices[k], 0);
    for (let t = from; t < ticks; t++) charged.push(sum(t, this.charged)), free.push(sum(t, this.free));
    if (ticks > 1.25 * this.scaled) this.rescale(ticks);
    return isNew;
  }

  rescale(ticks) {
    this.scaled = ticks;
    // A single search without a budget can dwarf all other ticks: the scale is cut at the highest 1 in 500.
    const high = (sums) => Float32Array.from(sums).sort()[Math.floor((ticks - 1) * 0.998)] * 1.1 || 0;
    const [charged, free] = this.sums.map(high);
    this.above = Math.max(this.budget ? this.budget * 1.15 : 0, charged, 1e-9);
    // Work that was not charged is cut, so that it leaves room for the charged work.
    this.below = Math.min(free, this.above * 0.6);
  }

  total(t) {
    return this.sums[0][t] + this.sums[1][t];
  }

  /** Returns the base line in a field of this height. */
  base(height) {
    return (height * this.above) / (this.above + this.below);
  }

  /** Returns the color of a kind of work; in a fleet's chart, that of units that move or wait. */
  color(k, theme) {
    return this.viewer.record.fleet ? theme.units[k === MOVING ? 'moving' : 'waiting'] : theme.kinds[k];
  }

  /** Draws bars by kind: charged work above the base line, other work hatched below it. */
  stack(context, t, x, width, height, theme) {
    const { work, kinds } = this.track, base = this.base(height), scale = base / this.above;
    let y = base;
    for (const k of this.charged) {
      const size = Math.min(y, work[t * kinds + k] * this.prices[k] * scale);
      context.fillStyle = this.color(k, theme);
      context.fillRect(x, y - size, width, size);
      y -= size;
    }
    y = base;
    for (const k of this.free) {
      const all = work[t * kinds + k] * this.prices[k] * scale, size = Math.min(height - y, all);
      context.fillStyle = hatched(theme.kinds[k]);
      context.fillRect(x, y, width, size);
      y += size;
      if (all <= size) continue;
      // A solid end marks a bar that is cut.
      context.fillStyle = theme.kinds[k];
      context.fillRect(x, height - 2, width, 2);
    }
  }

  /** Draws the ticks around the current one into a field of this size. */
  strip(context, width, height, theme) {
    const half = Math.ceil(width / 2 / BAR), present = this.viewer.tick - this.track.first;
    for (let t = Math.max(0, present - half); t < Math.min(this.track.ticks, present + half); t++) {
      context.globalAlpha = t < present ? 1 : 0.35;
      this.stack(context, t, width / 2 + (t - present) * BAR, BAR - 1, height, theme);
    }
    context.globalAlpha = 1;
    context.fillStyle = theme.ink;
    if (this.below > 0) context.fillRect(0, Math.round(this.base(height)) - 0.5, width, 1);
    if (this.budget) this.line(context, width, height, theme);
    context.fillStyle = theme.ink;
    context.fillRect(width / 2 - 0.75, 0, 1.5, height);
  }

  /** Draws the budget as a dashed line. */
  line(context, width, height, theme) {
    const y = Math.round(this.base(height) * (1 - this.budget / this.above)) + 0.5;
    context.setLineDash([5, 3]);
    context.strokeStyle = theme.ink;
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(0, y);
    context.lineTo(width, y);
    context.stroke();
    context.setLineDash([]);
    // All planners mostly have the same budget: one label is enough.
    if (this.index > 0 && this.viewer.charts[0].budget === this.budget) return;
    label(context, `budget ${this.budget}`, 5 + (this.viewer.charts.length > 1 ? 18 : 0), y + 3, theme);
  }
}

/** Draws a small text on a pale background. */
function label(context, text, x, y, theme) {
  context.font = '11px system-ui, sans-serif';
  context.textAlign = 'left';
  context.textBaseline = 'top';
  context.fillStyle = theme.edge;
  context.globalAlpha = 0.8;
  context.fillRect(x - 3, y - 1, context.measureText(text).width + 6, 13);
  context.globalAlpha = 1;
  context.fillStyle = theme.ink;
  context.fillText(text, x, y);
}

/** Hatching patterns, by color. */
const HATCHES = new Map();

function hatched(color) {
  if (!HATCHES.has(color)) {
    const tile = Object.assign(document.createElement('canvas'), { width: 4, height: 4 }), context = tile.getContext('2d');
    context.fillStyle = color;
    for (let k = 0; k < 4; k++) context.fillRect(k, 3 - k, 1, 1), context.fillRect((k + 1) % 4, 3 - k, 1, 1);
    HATCHES.set(color, context.createPattern(tile, 'repeat'));
  }
  return HATCHES.get(color);
}
