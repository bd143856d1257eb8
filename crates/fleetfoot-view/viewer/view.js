// A view of a map: which part of it is visible, at which scale, and the cell under the pointer. Subclasses draw in `frame`.

/** Maximum size of a cell, in pixels. */
const MOST_SCALE = 96;

class View {
  constructor() {
    /** The record that is shown; its `cells` have the size of the map. */
    this.record = null;
    this.panes = [];
    this.view = { x: 0, y: 0, scale: 0 };
    this.isFitted = true;
    this.isFollowing = false;
    this.pointed = null;
    /** Tool that handles the pointer before panning does. */
    this.pointerTool = null;
    /** Another part of the page is visible and receives the keys. */
    this.isHidden = false;
    this.needsDraw = false;
  }

  /** Requests drawing in the next frame. */
  changed() {
    if (this.needsDraw) return;
    this.needsDraw = true;
    this.pending = requestAnimationFrame((time) => this.frame(time));
  }

  /** Draws everything now: a resized canvas is blank until then. */
  redraw() {
    if (this.isShown) this.frame(NaN);
    else this.changed();
  }

  resized() {
    if (this.isFitted) this.fit();
    this.redraw();
  }

  /** Returns the pane that the view is fitted to. */
  get frameOfView() {
    return this.panes.find((pane) => pane.canvas) ?? { width: 600, height: 400 };
  }

  fit() {
    const { width, height } = this.frameOfView, { cells } = this.record;
    this.view = { x: cells.width / 2, y: cells.height / 2, scale: Math.min(width / cells.width, height / cells.height) * 0.97 };
    this.isFitted = true;
    this.isFollowing = false;
    this.changed();
  }

  /** Returns the minimum scale: a quarter of the one that fits. */
  leastScale({ width, height } = this.frameOfView) {
    const { cells } = this.record;
    return Math.min(width / cells.width, height / cells.height) / 4;
  }

  /** Zooms around a point of a pane, or around its middle. */
  zoom(factor, pane, px, py) {
    const { view } = this, frame = pane ?? this.frameOfView;
    const dx = (px ?? frame.width / 2) - frame.width / 2, dy = (py ?? frame.height / 2) - frame.height / 2;
    const scale = Math.max(this.leastScale(frame), Math.min(MOST_SCALE, view.scale * factor));
    view.x += dx / view.scale - dx / scale;
    view.y += dy / view.scale - dy / scale;
    view.scale = scale;
    this.isFitted = false;
    this.changed();
  }

  pan(dx, dy) {
    this.view.x -= dx / this.view.scale;
    this.view.y -= dy / this.view.scale;
    this.isFitted = false;
    this.isFollowing = false;
    this.changed();
  }

  /** Handles a click on a cell. */
  click() {}

  point(cell) {
    if (String(cell) === String(this.pointed)) return;
    this.pointed = cell;
    this.changed();
  }
}
