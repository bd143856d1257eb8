// A view of a map: which part of it is shown, how large, and what is pointed at. Those who show something draw it in `frame`.

/** Pixels of a cell, at most. */
const MOST_SCALE = 96;

class View {
  constructor() {
    /** What is shown; its `cells` say how large the map is. */
    this.record = null;
    this.panes = [];
    this.view = { x: 0, y: 0, scale: 0 };
    this.isFitted = true;
    this.isFollowing = false;
    this.pointed = null;
    /** What takes the pointer before panning does. */
    this.pointerTool = null;
    /** Whether something else is on the page, which has the keys. */
    this.isHidden = false;
    this.needsDraw = false;
  }

  /** Something has changed: draws in the next frame. */
  changed() {
    if (this.needsDraw) return;
    this.needsDraw = true;
    this.pending = requestAnimationFrame((time) => this.frame(time));
  }

  /** Draws everything at once: a canvas that has another size is blank until then. */
  redraw() {
    if (this.isShown) this.frame(NaN);
    else this.changed();
  }

  resized() {
    if (this.isFitted) this.fit();
    this.redraw();
  }

  /** The pane that the view is fitted to. */
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

  /** No map is shown smaller: a quarter of what fits. */
  leastScale({ width, height } = this.frameOfView) {
    const { cells } = this.record;
    return Math.min(width / cells.width, height / cells.height) / 4;
  }

  /** Zooms about a point of a pane, or about its middle. */
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

  /** A cell was clicked. */
  click() {}

  point(cell) {
    if (String(cell) === String(this.pointed)) return;
    this.pointed = cell;
    this.changed();
  }
}
