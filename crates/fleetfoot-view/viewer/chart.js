// The strip chart: the work of each tick by kind against the budget. Above, the ticks around the present one; below, all.
//
// What a tick was charged stands on the base line, at the prices of the run, so that it goes up to the budget and no
// farther. What it did without being charged hangs below the base line, hatched, at what it costs where all work is charged.

/** Pixels of a bar in the upper part. */
const BAR = 5;

class Chart {
  constructor(viewer, index) {
    this.viewer = viewer;
    this.index = index;
    this.watch();
  }

  /** Shows the life of the present record, from its beginning. */
  watch() {
    const { meta } = this.viewer.record;
    this.outline = this.viewer.record.outlines[this.index];
    /** Kinds of work that were charged, and those that are not free to the machine and were not. */
    this.charged = [];
    this.free = [];
    this.done = meta.kinds.map(() => false);
    this.prices = meta.kinds.map((_, k) => (meta.prices[k] || meta.all_work[k]) / 10);
    this.budget = this.outline.meta.expansions;
    /** By tick: what was charged, and what was not. */
    this.sums = [[], []];
    this.scaled = 0;
    this.above = Math.max(this.budget ? this.budget * 1.15 : 0, 1e-9);
    this.below = 0;
    this.update();
  }

  /** Takes in the ticks that have come since; true if there are kinds of work that were not there before. */
  update() {
    const { meta } = this.viewer.record, { ticks, kinds, work } = this.outline, [charged, free] = this.sums;
    const from = charged.length;
    if (from === ticks) return false;
    this.summary = null;
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
    if (ticks > 1.05 * this.scaled) this.rescale(ticks);
    return isNew;
  }

  rescale(ticks) {
    this.scaled = ticks;
    // A single search without a budget can dwarf all other ticks: the scale is cut at the highest 1 in 500.
    const high = (sums) => Float32Array.from(sums).sort()[Math.floor((ticks - 1) * 0.998)] * 1.1 || 0;
    const [charged, free] = this.sums.map(high);
    this.above = Math.max(this.budget ? this.budget * 1.15 : 0, charged, 1e-9);
    // What was not charged must not crowd out what was: it is cut where it is much.
    this.below = Math.min(free, this.above * 0.6);
  }

  total(t) {
    return this.sums[0][t] + this.sums[1][t];
  }

  attach(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext('2d');
    new ResizeObserver(() => this.resize()).observe(canvas);
    this.resize();
    const seek = (event) => {
      const box = canvas.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
      this.viewer.pause();
      if (this.dragging || y > this.split) {
        this.dragging = true;
        this.viewer.goTo(this.viewer.record.first + Math.round((x / this.width) * this.span));
      } else {
        this.viewer.goTo(this.viewer.tick + Math.round((x - this.width / 2) / BAR));
      }
    };
    canvas.addEventListener('pointerdown', (event) => {
      canvas.setPointerCapture(event.pointerId);
      seek(event);
    });
    canvas.addEventListener('pointermove', (event) => this.dragging && seek(event));
    canvas.addEventListener('pointerup', () => (this.dragging = false));
  }

  resize() {
    if (!this.canvas.isConnected || !fitCanvas(this)) return;
    this.split = Math.round(this.height * 0.66);
    this.summary = null;
    this.viewer.redraw();
  }

  get span() {
    return Math.max(1, this.viewer.end - this.viewer.record.first);
  }

  draw() {
    const { context, ratio } = this, { theme } = this.viewer.palette;
    if (this.update()) this.viewer.hasNewKinds = true;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, this.width, this.height);
    this.near(theme);
    if (!this.summary) this.summarise(theme);
    context.drawImage(this.summary, 0, this.split + 3, this.width, this.height - this.split - 3);
    const x = ((this.viewer.tick - this.viewer.record.first) / this.span) * this.width;
    context.fillStyle = theme.ink;
    context.fillRect(Math.min(this.width - 2, Math.max(0, x - 1)), this.split + 2, 2, this.height);
  }

  /** Where the base line is in a field of this height. */
  base(height) {
    return (height * this.above) / (this.above + this.below);
  }

  /** Bars by kind: from the base line upwards, and hatched from there downwards. */
  stack(context, t, x, width, height, theme) {
    const { work, kinds } = this.outline, base = this.base(height), scale = base / this.above;
    let y = base;
    for (const k of this.charged) {
      const size = Math.min(y, work[t * kinds + k] * this.prices[k] * scale);
      context.fillStyle = theme.kinds[k];
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
      // Cut off: a solid end says so.
      context.fillStyle = theme.kinds[k];
      context.fillRect(x, height - 2, width, 2);
    }
  }

  near(theme) {
    const { context } = this, half = Math.ceil(this.width / 2 / BAR), height = this.split;
    const present = this.viewer.tick - this.outline.first;
    for (let t = Math.max(0, present - half); t < Math.min(this.outline.ticks, present + half); t++) {
      const x = this.width / 2 + (t - present) * BAR;
      context.globalAlpha = t < present ? 1 : 0.35;
      this.stack(context, t, x, BAR - 1, height, theme);
    }
    context.globalAlpha = 1;
    if (this.below > 0) {
      context.fillStyle = theme.ink;
      context.fillRect(0, Math.round(this.base(height)) - 0.5, this.width, 1);
    }
    this.line(theme, height);
    context.fillStyle = theme.ink;
    context.fillRect(this.width / 2 - 0.75, 0, 1.5, this.split);
  }

  line(theme, height) {
    if (!this.budget) return;
    const { context } = this, y = Math.round(this.base(height) * (1 - this.budget / this.above)) + 0.5;
    context.setLineDash([5, 3]);
    context.strokeStyle = theme.ink;
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(0, y);
    context.lineTo(this.width, y);
    context.stroke();
    context.setLineDash([]);
    context.font = '11px system-ui, sans-serif';
    const label = `budget ${this.budget}`;
    context.fillStyle = theme.edge;
    context.globalAlpha = 0.8;
    context.fillRect(2, y + 2, context.measureText(label).width + 6, 13);
    context.globalAlpha = 1;
    context.fillStyle = theme.ink;
    context.textAlign = 'left';
    context.textBaseline = 'top';
    context.fillText(label, 5, y + 3);
  }

  /** The whole life, for each column of pixels its dearest tick. */
  summarise(theme) {
    const height = Math.round((this.height - this.split - 3) * this.ratio), width = this.canvas.width;
    this.summary = Object.assign(document.createElement('canvas'), { width, height: Math.max(1, height) });
    const context = this.summary.getContext('2d'), offset = this.outline.first - this.viewer.record.first;
    context.fillStyle = theme.edge;
    context.fillRect(0, 0, width, height);
    for (let x = 0; x < width; x++) {
      const from = Math.floor((x / width) * this.span) - offset;
      const to = Math.max(from + 1, Math.floor(((x + 1) / width) * this.span) - offset);
      let best = -1;
      for (let t = Math.max(0, from); t < Math.min(to, this.outline.ticks); t++) {
        if (best < 0 || this.total(t) > this.total(best)) best = t;
      }
      if (best >= 0) this.stack(context, best, x, 1, height, theme);
    }
  }
}

/** By colour: a pattern of slanted lines in it. */
const HATCHES = new Map();

function hatched(colour) {
  if (!HATCHES.has(colour)) {
    const tile = Object.assign(document.createElement('canvas'), { width: 4, height: 4 }), context = tile.getContext('2d');
    context.fillStyle = colour;
    for (let k = 0; k < 4; k++) context.fillRect(k, 3 - k, 1, 1), context.fillRect((k + 1) % 4, 3 - k, 1, 1);
    HATCHES.set(colour, context.createPattern(tile, 'repeat'));
  }
  return HATCHES.get(colour);
}
