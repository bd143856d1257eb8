// A fleet's map: terrain, thousands of units, and marks.

/** The map with its units. */
class UnitsPane {
  constructor(viewer) {
    this.viewer = viewer;
  }

  attach(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext('2d');
    new ResizeObserver(() => this.resize()).observe(canvas);
  }

  resize() {
    if (this.canvas.isConnected && this.canvas.offsetParent && fitCanvas(this)) this.viewer.resized();
  }

  get view() {
    return this.viewer.view;
  }

  toScreen(x, y) {
    return Pane.prototype.toScreen.call(this, x, y);
  }

  toCell(px, py) {
    return Pane.prototype.toCell.call(this, px, py);
  }

  /** Draws the terrain from an image with one pixel per cell, repainted where the map has changed. */
  ground() {
    const { viewer } = this, { cells, letters, weights } = viewer.record, { letters: colors, shut, opened } = viewer.palette;
    if (this.sheet?.width !== cells.width || this.sheet?.height !== cells.height) {
      this.sheet = Object.assign(document.createElement('canvas'), { width: cells.width, height: cells.height });
      this.image = new ImageData(cells.width, cells.height);
      this.pixels = new Uint32Array(this.image.data.buffer);
    }
    for (let k = 0; k < letters.length; k++) {
      const before = '.GS'.includes(String.fromCharCode(letters[k])), weight = weights[k];
      let color = colors[letters[k]];
      if (before && weight === 0) color = shut;
      else if (!before && weight > 0) color = mix(viewer.palette.plain, opened, 115);
      this.pixels[k] = color;
    }
    this.sheet.getContext('2d').putImageData(this.image, 0, 0);
  }

  draw() {
    const { context, ratio, viewer } = this, { view, palette, record } = viewer;
    if (viewer.isStale) this.ground();
    viewer.isStale = false;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = palette.theme.edge;
    context.fillRect(0, 0, this.width, this.height);
    context.imageSmoothingEnabled = view.scale * ratio < 1;
    const [x, y] = this.toScreen(0, 0);
    context.drawImage(this.sheet, x, y, record.cells.width * view.scale, record.cells.height * view.scale);
    this.units();
    this.marks();
    Pane.prototype.cursor.call(this);
  }

  /** Draws the units by state, interpolated between ticks. */
  units() {
    const { context, viewer } = this, { view, shownPlaces: places, record } = viewer, { theme } = viewer.palette;
    const before = viewer.isPast ? places : viewer.before, share = viewer.isPast ? 1 : viewer.share;
    const { width } = record.cells, size = Math.max(1.5, view.scale * 0.8), inset = (view.scale - size) / 2;
    const colors = UNIT_COLORS.map((name) => theme.units[name]);
    const [left, top] = this.toScreen(0, 0);
    for (let fares = 0; fares < UNIT_STATUS.length; fares++) {
      context.fillStyle = colors[fares];
      for (let k = 0; k < places.length; k++) {
        if (places[k] >>> 28 !== fares) continue;
        const cell = places[k] & 0xfffffff, from = k < before.length ? before[k] & 0xfffffff : cell;
        const x = (cell % width) * share + (from % width) * (1 - share), y = ((cell / width) | 0) * share + ((from / width) | 0) * (1 - share);
        const px = left + x * view.scale + inset, py = top + y * view.scale + inset;
        if (px < -size || py < -size || px > this.width || py > this.height) continue;
        context.fillRect(px, py, size, size);
      }
    }
  }

  /** Draws the selection, its goal, and the path of the inspected unit. */
  marks() {
    const { context, viewer } = this, { view, record, shownPlaces: places, selected, goal, box, chosen } = viewer, { theme } = viewer.palette;
    const { width } = record.cells, middle = (cell) => this.toScreen((cell % width) + 0.5, ((cell / width) | 0) + 0.5);
    if (selected && view.scale >= 3) {
      context.strokeStyle = theme.ink;
      context.lineWidth = 1;
      for (const k of selected) {
        const [x, y] = middle(places[k] & 0xfffffff);
        context.strokeRect(x - view.scale / 2, y - view.scale / 2, view.scale, view.scale);
      }
    }
    if (goal) {
      const [x, y] = this.toScreen(goal[0] + 0.5, goal[1] + 0.5), r = Math.max(6, view.scale * 0.6);
      context.beginPath();
      context.moveTo(x, y - r), context.lineTo(x + r, y), context.lineTo(x, y + r), context.lineTo(x - r, y);
      context.closePath();
      for (const [lineWidth, strokeStyle] of [[5, theme.halo], [2, theme.ink]]) Object.assign(context, { lineWidth, strokeStyle }), context.stroke();
      context.fillStyle = theme.goal;
      context.fill();
    }
    if (viewer.path.length > 1) {
      context.beginPath();
      viewer.path.forEach((cell, k) => context[k ? 'lineTo' : 'moveTo'](...middle(cell)));
      for (const [lineWidth, strokeStyle] of [[5, theme.halo], [2.5, theme.followed]]) Object.assign(context, { lineWidth, strokeStyle }), context.stroke();
    }
    if (chosen !== null && chosen < places.length) {
      const [x, y] = middle(places[chosen] & 0xfffffff);
      for (const [lineWidth, strokeStyle] of [[5, theme.halo], [2.5, theme.ink]]) {
        context.beginPath();
        context.arc(x, y, Math.max(6, view.scale * 0.7), 0, 7);
        Object.assign(context, { lineWidth, strokeStyle });
        context.stroke();
      }
    }
    if (box) {
      const [[x0, y0], [x1, y1]] = box.map(([x, y]) => this.toScreen(x, y));
      context.setLineDash([5, 3]);
      context.strokeStyle = theme.ink;
      context.lineWidth = 1.5;
      context.strokeRect(x0, y0, x1 - x0, y1 - y0);
      context.setLineDash([]);
    }
  }
}
