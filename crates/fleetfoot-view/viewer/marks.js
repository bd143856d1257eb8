// Draws over the cells of a map: paths, walks, marks, start, goal and agents.

/** Minimum size of a cell, in pixels, for numbers in it. */
const LEGIBLE = 44;
/** Length of the wide part of the trail, in ticks. */
const RECENT = 100;

/** Maximum number of cells of a depression that is marked. */
const MAX_DEPRESSION = 4096;

class MarkLayer extends CellLayer {
  /** Draws a dashed line around the depression that the agent is filling: the connected cells with learned values around it. */
  depression(replay, at, color) {
    const region = regionOf(replay, at);
    if (region.size < 2) return;
    const { context } = this, { cells } = this.viewer.record, { theme } = this.viewer.palette, { scale } = this.viewer.view;
    context.beginPath();
    for (const cell of region) {
      const x = cells.x(cell), y = cells.y(cell), [px, py] = this.toScreen(x, y);
      const isIn = (dx, dy) => region.has(cells.at(x + dx, y + dy));
      if (x === 0 || !isIn(-1, 0)) context.moveTo(px, py), context.lineTo(px, py + scale);
      if (y === 0 || !isIn(0, -1)) context.moveTo(px, py), context.lineTo(px + scale, py);
      if (x === cells.width - 1 || !isIn(1, 0)) context.moveTo(px + scale, py), context.lineTo(px + scale, py + scale);
      if (y === cells.height - 1 || !isIn(0, 1)) context.moveTo(px, py + scale), context.lineTo(px + scale, py + scale);
    }
    context.lineCap = 'butt';
    for (const [width, style, dash] of [[4, theme.halo, []], [2, color, [5, 3]]]) {
      context.setLineDash(dash);
      context.lineWidth = width;
      context.strokeStyle = style;
      context.stroke();
    }
    context.setLineDash([]);
  }

  grid() {
    const { context, view } = this, { record, palette } = this.viewer;
    context.beginPath();
    const [x0, y0] = this.toScreen(0, 0);
    const [x1, y1] = this.toScreen(record.cells.width, record.cells.height);
    for (let x = Math.max(0, Math.floor(view.x - this.width / 2 / view.scale)); x <= record.cells.width; x++) {
      const px = this.toScreen(x, 0)[0];
      if (px > this.width) break;
      context.moveTo(px, Math.max(0, y0)), context.lineTo(px, Math.min(this.height, y1));
    }
    for (let y = Math.max(0, Math.floor(view.y - this.height / 2 / view.scale)); y <= record.cells.height; y++) {
      const py = this.toScreen(0, y)[1];
      if (py > this.height) break;
      context.moveTo(Math.max(0, x0), py), context.lineTo(Math.min(this.width, x1), py);
    }
    context.globalAlpha = 0.12;
    context.lineWidth = 1;
    context.strokeStyle = palette.theme.ink;
    context.stroke();
    context.globalAlpha = 1;
  }

  /** Writes g, h and f into the cells of the current search, and learned values into others. */
  values() {
    const { context, view } = this, { record, palette } = this.viewer, { replay } = this.timeline, { cells } = record;
    const half = [this.width / 2 / view.scale, this.height / 2 / view.scale];
    const from = [Math.max(0, Math.floor(view.x - half[0])), Math.max(0, Math.floor(view.y - half[1]))];
    const to = [Math.min(cells.width, Math.ceil(view.x + half[0])), Math.min(cells.height, Math.ceil(view.y + half[1]))];
    const size = Math.min(15, view.scale / 4.2);
    context.font = `${size}px system-ui, sans-serif`;
    context.textAlign = 'left';
    context.textBaseline = 'top';
    context.fillStyle = palette.theme.ink;
    for (let y = from[1]; y < to[1]; y++) {
      for (let x = from[0]; x < to[0]; x++) {
        const [px, py] = this.toScreen(x, y);
        cellValues(record, replay, cells.at(x, y)).forEach((text, k) => context.fillText(text, px + 3, py + 2 + k * size * 1.12));
      }
    }
  }

  /** Draws dots for a local search next to a global one: filled for expanded cells, hollow for open ones. */
  near({ near, nearCells }, layers) {
    const { context } = this, { theme } = this.viewer.palette, { scale } = this.viewer.view;
    const radius = Math.max(1.2, Math.min(6, scale * 0.22));
    const dots = (isOpen) => {
      context.beginPath();
      for (const cell of nearCells) {
        const mark = near.word(cell, SEARCH), [x, y] = this.middle(cell);
        if ((mark & 1) !== isOpen || (!isOpen && !near.word(cell, EXPANDED))) continue;
        context.moveTo(x + radius, y);
        context.arc(x, y, radius, 0, 7);
      }
    };
    context.lineWidth = Math.max(0.8, radius * 0.45);
    context.strokeStyle = context.fillStyle = theme.near;
    if (layers.open) dots(1), context.stroke();
    if (layers.searched) dots(0), context.fill();
  }

  /** Draws a subgoal: a triangle, and a thin line to it. */
  lead(cell, at) {
    const { context } = this, { theme } = this.viewer.palette;
    const [x, y] = this.middle(cell), r = Math.max(7, Math.min(22, this.viewer.view.scale * 0.6));
    this.path([at, cell], 1.5, theme.goal, [3, 4]);
    context.beginPath();
    context.moveTo(x, y - r), context.lineTo(x + r * 0.9, y + r * 0.7), context.lineTo(x - r * 0.9, y + r * 0.7);
    context.closePath();
    for (const [width, color] of [[5, theme.halo], [2, theme.ink]]) {
      context.lineWidth = width;
      context.strokeStyle = color;
      context.stroke();
    }
    context.fillStyle = theme.goal;
    context.fill();
  }

  middle(cell) {
    const { cells } = this.viewer.record;
    return this.toScreen(cells.x(cell) + 0.5, cells.y(cell) + 0.5);
  }

  path(list, width, color, dash) {
    if (list.length < 2) return;
    const { context } = this;
    context.beginPath();
    context.moveTo(...this.middle(list[0]));
    for (let k = 1; k < list.length; k++) context.lineTo(...this.middle(list[k]));
    context.lineJoin = context.lineCap = 'round';
    context.setLineDash([]);
    context.strokeStyle = this.viewer.palette.theme.halo;
    context.globalAlpha = 0.7;
    context.lineWidth = width + 2;
    context.stroke();
    context.globalAlpha = 1;
    context.setLineDash(dash);
    context.lineWidth = width;
    context.strokeStyle = color;
    context.stroke();
    context.setLineDash([]);
  }

  /** Draws the whole walk thin, each edge once, and its last part wide. */
  trail(track, t, pen, color) {
    const { context } = this, { edges } = track, { halo } = this.viewer.palette.theme;
    const end = countBelow(edges.tick, t), isLong = end > 150;
    context.lineJoin = context.lineCap = 'round';
    const stroke = (width, style, alpha) => {
      context.globalAlpha = alpha;
      context.lineWidth = width;
      context.strokeStyle = style;
      context.stroke();
      context.globalAlpha = 1;
    };
    if (isLong && this.viewer.view.scale < 2.5) this.walked(track, end, color);
    else this.edges(edges.ends, end);
    if (!isLong) stroke(pen + 1.6, halo, 0.85);
    if (!isLong || this.viewer.view.scale >= 2.5) stroke(isLong ? pen * 0.5 : pen, color, isLong ? 0.65 : 0.95);
    if (isLong) {
      context.beginPath();
      context.moveTo(...this.middle(track.at[t]));
      for (let k = t; k-- > Math.max(0, t - RECENT); ) context.lineTo(...this.middle(track.at[k]));
      stroke(pen + 1.8, halo, 0.9);
      stroke(pen, color, 1);
    }
    this.turns(track, t, pen);
  }

  edges(ends, end) {
    const { context } = this, [left, top] = this.toScreen(0.5, 0.5), { scale } = this.viewer.view;
    context.beginPath();
    for (let k = 0; k < 4 * end; k += 4) {
      const x = left + ends[k] * scale, y = top + ends[k + 1] * scale;
      if (x < -scale || y < -scale || x > this.width + scale || y > this.height + scale) continue;
      context.moveTo(x, y);
      context.lineTo(left + ends[k + 2] * scale, top + ends[k + 3] * scale);
    }
  }

  /** Tints the cells of a long walk where cells are small, so that learned values stay visible. */
  walked(track, end, color) {
    const { context } = this, { cells } = this.viewer.record, { scale } = this.viewer.view;
    const drawn = (track.walked ??= new Walked(cells.width, cells.height));
    drawn.update(track.edges.ends, end, color);
    const [x, y] = this.toScreen(0, 0);
    context.globalAlpha = 0.4;
    context.drawImage(drawn.canvas, x, y, cells.width * scale, cells.height * scale);
    context.globalAlpha = 1;
  }

  /** Draws rings around changes of this tick, up to a maximum number. */
  changes(cells) {
    const { context } = this, { theme } = this.viewer.palette;
    const radius = Math.max(7, this.viewer.view.scale * 0.9);
    context.beginPath();
    for (const cell of cells.slice(0, 200)) {
      const [x, y] = this.middle(cell);
      context.moveTo(x + radius, y);
      context.arc(x, y, radius, 0, 7);
    }
    for (const [width, color] of [[4, theme.halo], [2, theme.shut]]) {
      context.lineWidth = width;
      context.strokeStyle = color;
      context.stroke();
    }
  }

  /** Draws reversals; only the latest ones where cells are small. */
  turns({ turns }, t, pen) {
    const { context } = this, shown = countBelow(turns.tick, t), { scale } = this.viewer.view;
    const radius = Math.max(1.8, pen * 0.62);
    context.lineWidth = 1.2;
    context.strokeStyle = '#141418';
    context.fillStyle = '#ffffff';
    context.beginPath();
    for (let k = scale < 4 ? Math.max(0, shown - 40) : 0; k < shown; k++) {
      const [x, y] = this.middle(turns.cell[k]);
      if (x < -9 || y < -9 || x > this.width + 9 || y > this.height + 9) continue;
      context.moveTo(x + radius, y);
      context.arc(x, y, radius, 0, 7);
    }
    context.fill();
    context.stroke();
  }

  /** Draws start and goal, which differ in shape and color. */
  ends(record) {
    const { context } = this, { theme } = this.viewer.palette;
    const size = Math.max(6, Math.min(22, this.viewer.view.scale * 0.45));
    const shape = (cell, color, isDiamond) => {
      const [x, y] = this.middle(cell), r = isDiamond ? size * 1.3 : size * 0.9;
      context.beginPath();
      if (isDiamond) context.moveTo(x, y - r), context.lineTo(x + r, y), context.lineTo(x, y + r), context.lineTo(x - r, y);
      else context.rect(x - r, y - r, 2 * r, 2 * r);
      context.closePath();
      context.lineWidth = 5;
      context.strokeStyle = theme.halo;
      context.stroke();
      context.lineWidth = 2;
      context.strokeStyle = theme.ink;
      context.stroke();
      context.fillStyle = color;
      context.fill();
    };
    shape(record.start, theme.start, false);
    shape(record.goal, theme.goal, true);
  }

  /** Draws an agent. An arrived one is smaller, so that its goal stays visible. */
  agent(cell, color, label, hasArrived) {
    const { context } = this, { theme } = this.viewer.palette, share = hasArrived ? 0.62 : 1;
    const [x, y] = this.middle(cell), radius = share * Math.max(label ? 7 : 5, Math.min(18, this.viewer.view.scale * 0.42));
    for (const [grow, style] of [[3, theme.ink], [1.6, theme.halo], [0, color]]) {
      context.beginPath();
      context.arc(x, y, radius + share * grow, 0, 7);
      context.fillStyle = style;
      context.fill();
    }
    if (!label) return;
    context.fillStyle = theme.halo;
    context.font = `700 ${Math.round(radius * 1.35)}px system-ui, sans-serif`;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.fillText(label, x, y + 0.5);
  }

  /** Draws a frame around the inspected cell. */
  cursor() {
    const { pointed, view, palette } = this.viewer, { context } = this;
    if (!pointed) return;
    const [x, y] = this.toScreen(...pointed), side = Math.max(5, view.scale);
    const inset = (view.scale - side) / 2;
    for (const [width, color] of [[3, palette.theme.halo], [1.5, palette.theme.ink]]) {
      context.lineWidth = width;
      context.strokeStyle = color;
      context.strokeRect(x + inset, y + inset, side, side);
    }
  }
}


/** Returns the connected cells with learned values around a cell. Empty if the cell has no learned value. */
function regionOf(replay, at) {
  const { cells } = replay.record, region = new Set(), queue = [at];
  while (queue.length && region.size < MAX_DEPRESSION) {
    const cell = queue.pop();
    if (region.has(cell) || !replay.far.pages[cell >>> 8] || !replay.word(cell, RISE)) continue;
    region.add(cell);
    const x = cells.x(cell), y = cells.y(cell);
    if (x > 0) queue.push(cells.at(x - 1, y));
    if (y > 0) queue.push(cells.at(x, y - 1));
    if (x < cells.width - 1) queue.push(cells.at(x + 1, y));
    if (y < cells.height - 1) queue.push(cells.at(x, y + 1));
  }
  return region;
}

/** An image of the cells of a walk, one pixel each. */
class Walked {
  constructor(width, height) {
    this.canvas = Object.assign(document.createElement('canvas'), { width, height });
    this.context = this.canvas.getContext('2d');
    this.end = 0;
  }

  /** Shows the first `end` edges of a walk. */
  update(ends, end, color) {
    if (end === this.end && color === this.color) return;
    if (end < this.end || color !== this.color) {
      this.context.clearRect(0, 0, this.canvas.width, this.canvas.height);
      this.end = 0;
    }
    // Only what is new: a picture of the map in memory would take a megabyte for each planner.
    this.context.fillStyle = color;
    for (let k = 4 * this.end; k < 4 * end; k += 2) this.context.fillRect(ends[k], ends[k + 1], 1, 1);
    [this.end, this.color] = [end, color];
  }
}
