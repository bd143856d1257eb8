// A pane: a map on the screen, with paths, walks and agents over its cells.

/** Resizes a canvas to its size on the screen. Returns `false` if nothing changed. */
function fitCanvas(owner) {
  const { canvas } = owner, ratio = window.devicePixelRatio || 1, box = canvas.getBoundingClientRect();
  const width = Math.max(1, box.width), height = Math.max(1, box.height);
  if (owner.width === width && owner.height === height && owner.ratio === ratio) return false;
  Object.assign(owner, { width, height, ratio });
  // This clears the canvas, so callers must redraw at once.
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  return true;
}

class Pane extends MarkLayer {
  attach(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext('2d');
    new ResizeObserver(() => this.resize()).observe(canvas);
    this.resize();
  }

  resize() {
    if (this.canvas.isConnected && fitCanvas(this)) this.viewer.resized();
  }

  /** Returns the visible part of the map. If agents are followed, each pane follows its own. */
  get view() {
    const { viewer, index } = this;
    if (!viewer.isFollowing || !Number.isInteger(index) || viewer.record.fleet) return viewer.view;
    const { cells } = viewer.record, at = this.timeline.track.at[this.timeline.replay.over];
    return { x: cells.x(at) + 0.5, y: cells.y(at) + 0.5, scale: viewer.view.scale };
  }

  /** Converts cells to pixels of the screen. */
  toScreen(x, y) {
    const { view } = this;
    return [(x - view.x) * view.scale + this.width / 2, (y - view.y) * view.scale + this.height / 2];
  }

  toCell(px, py) {
    const { view, viewer: { record } } = this;
    const x = Math.floor((px - this.width / 2) / view.scale + view.x);
    const y = Math.floor((py - this.height / 2) / view.scale + view.y);
    return x >= 0 && y >= 0 && x < record.cells.width && y < record.cells.height ? [x, y] : null;
  }

  draw() {
    this.paint();
    const { context, ratio, sheet } = this, { view, palette, record } = this.viewer;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = palette.theme.edge;
    context.fillRect(0, 0, this.width, this.height);
    context.imageSmoothingEnabled = view.scale * ratio < 1;
    context.imageSmoothingQuality = 'high';
    const [x, y] = this.toScreen(0, 0);
    context.drawImage(sheet, x, y, record.cells.width * view.scale, record.cells.height * view.scale);
    if (view.scale >= 16) this.grid();
    if (view.scale >= LEGIBLE && this.isOfRun) this.values();
    this.drafts();
    if (!this.isOfRun) this.viewer.timelines.forEach((timeline, k) => this.isOver && this.viewer.without.has(k) || this.overlay(timeline, k));
    if (this.isOver) this.ends(record);
    else this.overlay(this.timeline, this.index);
    this.cursor();
  }

  /** Draws edits that take effect in the next tick, and frames around doors. */
  drafts() {
    const { context } = this, { drafts, palette, view, record } = this.viewer, side = view.scale;
    for (const [x, y, weight] of drafts) {
      context.fillStyle = weight === 0 ? palette.theme.shut : weight === 1 ? palette.theme.opened : palette.theme.ground[weight < 4 ? 'G' : 'S'];
      context.fillRect(...this.toScreen(x, y), side, side);
    }
    context.lineWidth = Math.max(1, side * 0.12);
    context.strokeStyle = palette.theme.door;
    for (const [x, y] of record.doors ?? []) {
      const [px, py] = this.toScreen(x, y);
      context.strokeRect(px + side * 0.12, py + side * 0.12, side * 0.76, side * 0.76);
    }
  }

  /** Draws paths, trail, ends and agent. */
  overlay(timeline, k) {
    const { theme } = this.viewer.palette, { layers, record } = this.viewer;
    const { replay, track } = timeline;
    const pen = Math.max(1.5, Math.min(7, this.viewer.view.scale * 0.3)), hasSearch = this.isOfRun || this.isOver;
    // Planners over one another: what is of one of them is in its color.
    const own = this.isOver ? theme.agents[k] : null;
    if (layers.tree && hasSearch) drawTree(this, replay.far, own ?? theme.followed), drawTree(this, replay.near, own ?? theme.near);
    if (layers.learned && hasSearch) this.depression(replay, track.at[replay.over], own ?? theme.heat[3]);
    if (layers.paths && this.isOver) this.path(replay.followed, pen * 0.6, own, [pen * 2, pen * 1.6]);
    if (layers.paths && this.isOfRun) {
      this.path(replay.traced, pen * 0.9, theme.traced, [pen * 2, pen * 1.6]);
      this.path(replay.followed, pen * 1.1, theme.followed, []);
    }
    if (layers.paths && this.isOfRun && replay.led && replay.led.cell !== record.goal) this.lead(replay.led.cell, track.at[replay.over]);
    if (this.isOfRun && replay.near) this.near(replay, layers);
    if (layers.changes && replay.t > 1) this.changes(replay.edited);
    if (layers.trail) this.trail(track, replay.over, pen, theme.agents[k]);
    if (!this.isOver && (k === 0 || this.isOfRun)) this.ends(record);
    const at = track.at[replay.over];
    this.agent(at, theme.agents[k], this.viewer.timelines.length > 1 ? String(k + 1) : '', at === record.goal);
  }
}
