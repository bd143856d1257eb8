// The chart of all planners: a strip for each, and the whole run of the one that is selected.

/** Height of the picture of the whole run, in pixels. */
const SUMMARY = 30;
/** Height of a strip, by the number of planners. */
const STRIP = [84, 84, 58, 48, 42];

class SharedChart {
  constructor(viewer, canvas) {
    Object.assign(this, { viewer, canvas, context: canvas.getContext('2d'), rows: [], width: 0, height: 0, ratio: 1, isDragging: false });
    /** The picture of the whole run: columns of pixels, filled as ticks arrive. */
    this.summary = null;
    this.watch();
    new ResizeObserver(() => this.resize()).observe(canvas);
    const seek = (event) => {
      const box = canvas.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
      viewer.pause();
      if (this.isDragging || y > this.split) {
        this.isDragging = true;
        viewer.goTo(Math.min(viewer.end, viewer.record.first + Math.round((x / this.width) * this.span)));
      } else {
        viewer.goTo(viewer.tick + Math.round((x - this.width / 2) / BAR));
      }
    };
    canvas.addEventListener('pointerdown', (event) => {
      canvas.setPointerCapture(event.pointerId);
      seek(event);
    });
    canvas.addEventListener('pointermove', (event) => this.isDragging && seek(event));
    canvas.addEventListener('pointerup', () => (this.isDragging = false));
  }

  /** Shows the runs of the current record, from their beginning. */
  watch() {
    const { tracks } = this.viewer.record;
    // The rows need each other for their labels.
    this.viewer.charts = this.rows = [];
    tracks.forEach((_, k) => this.rows.push(new Chart(this.viewer, k)));
    this.strip = STRIP[Math.min(tracks.length, STRIP.length - 1)];
    this.split = this.rows.length * this.strip;
    this.canvas.style.height = `${this.split + 3 + SUMMARY}px`;
    this.summary = null;
    this.viewer.hasNewKinds = true;
    this.resize();
  }

  resize() {
    if (!this.canvas.isConnected || !this.canvas.offsetParent || !fitCanvas(this)) return;
    this.summary = null;
    this.viewer.redraw();
  }

  /** Returns the number of ticks in the picture of the whole run. It doubles while a live run goes on, so that earlier columns stay valid. */
  get span() {
    const { record, end, extend } = this.viewer, ticks = Math.max(1, end - record.first);
    return extend && !record.isAtRest ? 2 ** Math.ceil(Math.log2(Math.max(128, ticks))) : ticks;
  }

  draw() {
    for (const row of this.rows) if (row.update()) this.viewer.hasNewKinds = true;
    if (!this.width || !this.canvas.offsetParent) return;
    const { context, ratio, rows, width, strip } = this, { theme } = this.viewer.palette;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, this.height);
    rows.forEach((row, k) => {
      context.save();
      context.translate(0, k * strip);
      context.beginPath();
      context.rect(0, 0, width, strip - 2);
      context.clip();
      row.strip(context, width, strip - 3, theme);
      if (rows.length > 1) this.number(k, theme);
      context.restore();
    });
    this.drawSummary(theme);
    context.drawImage(this.summary.canvas, 0, this.split + 3, width, SUMMARY);
    const x = ((this.viewer.tick - this.viewer.record.first) / this.span) * width;
    context.fillStyle = theme.ink;
    context.fillRect(Math.min(width - 2, Math.max(0, x - 1)), this.split + 2, 2, SUMMARY + 1);
  }

  number(k, theme) {
    const { context } = this;
    context.fillStyle = theme.agents[k];
    context.beginPath();
    context.arc(10, 10, 8, 0, 7);
    context.fill();
    context.fillStyle = theme.halo;
    context.font = '700 11px system-ui, sans-serif';
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.fillText(String(k + 1), 10, 10.5);
  }

  /** Draws the whole run of the selected planner: the most expensive tick of each column of pixels. Redraws columns with new ticks only. */
  drawSummary(theme) {
    const row = this.rows[Math.min(this.viewer.focus, this.rows.length - 1)], { span } = this, { canvas } = this;
    const key = [span, canvas.width, row.index, row.scaled, this.viewer.themeName].join();
    if (this.summary?.key !== key) {
      const picture = Object.assign(document.createElement('canvas'), { width: canvas.width, height: Math.max(1, Math.round(SUMMARY * this.ratio)) });
      this.summary = { key, canvas: picture, context: picture.getContext('2d'), from: 0 };
      this.summary.context.fillStyle = theme.edge;
      this.summary.context.fillRect(0, 0, picture.width, picture.height);
    }
    const { context, canvas: { width, height }, from } = this.summary, { ticks } = row.track;
    if (from === ticks) return;
    const offset = row.track.first - this.viewer.record.first, column = (t) => Math.floor(((t + offset) / span) * width);
    for (let x = column(from); x <= Math.min(width - 1, column(ticks)); x++) {
      const begin = Math.floor((x / width) * span) - offset, end = Math.max(begin + 1, Math.floor(((x + 1) / width) * span) - offset);
      let best = -1;
      for (let t = Math.max(0, begin); t < Math.min(end, ticks); t++) if (best < 0 || row.total(t) > row.total(best)) best = t;
      if (best < 0) continue;
      context.fillStyle = theme.edge;
      context.fillRect(x, 0, 1, height);
      row.stack(context, best, x, 1, height, theme);
    }
    this.summary.from = ticks;
  }
}
