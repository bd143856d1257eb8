// The strip chart: the work of each tick by kind against the budget. Above, the ticks around the present one; below, all.

/** Pixels of a bar in the upper part. */
const BAR = 5;

class Chart {
  constructor(viewer, index) {
    this.viewer = viewer;
    this.index = index;
    this.outline = viewer.record.outlines[index];
    const { meta } = viewer.record;
    /** At honest prices: what is free under the papers' prices is not free to the machine. */
    this.prices = meta.honest.map((price) => price / 10);
    this.budget = this.outline.meta.expansions;
    this.total = new Float32Array(this.outline.ticks);
    for (let t = 0; t < this.outline.ticks; t++) {
      for (let k = 0; k < this.outline.kinds; k++) this.total[t] += this.outline.work[t * this.outline.kinds + k] * this.prices[k];
    }
    let most = this.budget ? this.budget * 1.15 : 0;
    // Without a budget a single search can dwarf all other ticks; the scale is then cut at the highest 1 in 500.
    const sorted = Float32Array.from(this.total).sort();
    most = Math.max(most, sorted[Math.floor((sorted.length - 1) * 0.998)] * 1.1 || 1);
    this.most = most;
    this.used = meta.kinds.map((_, k) => k).filter((k) => this.prices[k] > 0 && this.total.some((_, t) => this.outline.work[t * this.outline.kinds + k] > 0));
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
    const ratio = window.devicePixelRatio || 1, box = this.canvas.getBoundingClientRect();
    this.width = Math.max(1, box.width);
    this.height = Math.max(1, box.height);
    this.canvas.width = Math.round(this.width * ratio);
    this.canvas.height = Math.round(this.height * ratio);
    this.ratio = ratio;
    this.split = Math.round(this.height * 0.62);
    this.summary = null;
    this.viewer.changed();
  }

  get span() {
    return Math.max(1, this.viewer.record.end - this.viewer.record.first);
  }

  draw() {
    const { context, ratio } = this, { theme } = this.viewer.palette;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, this.width, this.height);
    this.near(theme);
    if (!this.summary) this.summarise(theme);
    context.drawImage(this.summary, 0, this.split + 3, this.width, this.height - this.split - 3);
    const x = ((this.viewer.tick - this.viewer.record.first) / this.span) * this.width;
    context.fillStyle = theme.ink;
    context.fillRect(Math.min(this.width - 2, Math.max(0, x - 1)), this.split + 2, 2, this.height);
  }

  /** A stack of bars by kind, from the bottom up. */
  stack(context, t, x, width, bottom, height, theme) {
    const { work, kinds } = this.outline;
    let y = bottom;
    for (const k of this.used) {
      const n = work[t * kinds + k];
      if (!n) continue;
      const size = Math.min(y - (bottom - height), ((n * this.prices[k]) / this.most) * height);
      context.fillStyle = theme.kinds[k];
      context.fillRect(x, y - size, width, size);
      y -= size;
    }
  }

  near(theme) {
    const { context } = this, half = Math.ceil(this.width / 2 / BAR), height = this.split - 4;
    const present = this.viewer.tick - this.outline.first;
    for (let t = Math.max(0, present - half); t < Math.min(this.outline.ticks, present + half); t++) {
      const x = this.width / 2 + (t - present) * BAR;
      context.globalAlpha = t < present ? 1 : 0.35;
      this.stack(context, t, x, BAR - 1, this.split, height, theme);
    }
    context.globalAlpha = 1;
    this.line(theme, height);
    context.fillStyle = theme.ink;
    context.fillRect(this.width / 2 - 0.75, 0, 1.5, this.split);
  }

  line(theme, height) {
    if (!this.budget) return;
    const { context } = this, y = Math.round(this.split - (this.budget / this.most) * height) + 0.5;
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
        if (best < 0 || this.total[t] > this.total[best]) best = t;
      }
      if (best >= 0) this.stack(context, best, x, 1, height, height, theme);
    }
  }
}
