// A pane with a fleet: thousands of units, their trails and goals, and the route of the selected one.

/** The layers of a fleet in the order of their keys, with their initial visibility. */
const FLEET_LAYERS = [
  ['units', 'Units', 'moving, waiting, at its goal, no path to its goal', true],
  ['way', 'Path', 'of the unit that was clicked, and its walk so far', true],
  ['blame', 'Blocked by', 'lines from units that wait to those that block them', false],
  ['trail', 'Trails', `the last ${TRAIL} ticks of all units`, false],
  ['goals', 'Goals', 'of all units', false],
  ['changes', 'Changes', 'closed, opened', true],
  ['fog', 'Fog', 'what units have not seen', true],
  ['hidden', 'Walls not seen', 'there, but units do not know', true],
];

class FleetPane extends Pane {
  /** Paints the current map. */
  paint() {
    const { replay } = this.timeline, { record, palette, layers } = this.viewer, { cells, letters, weights } = record;
    const fog = layers.fog ? this.viewer.fog : null;
    const key = `${replay.edits.length}|${layers.changes}|${fog ? `${replay.t}|${layers.hidden}|${this.viewer.chosen}` : ''}`;
    if (!this.stale && key === this.paintedKey) return;
    [this.stale, this.paintedKey] = [false, key];
    const now = new Map(replay.edits);
    for (let y = 0, k = 0; y < cells.height; y++) {
      for (let x = 0; x < cells.width; x++, k++) {
        const cell = cells.at(x, y), weight = now.get(cell) ?? weights[cell];
        let color = palette.letters[letters[cell]];
        if (weight === 0 && weights[cell]) color = layers.changes ? palette.shut : palette.wall;
        else if (weight && !weights[cell]) color = layers.changes ? mix(palette.plain, palette.opened, 115) : palette.plain;
        if (fog && fog.first[k] > replay.t) color = weight === 0 && layers.hidden ? palette.hidden : palette.fog;
        this.pixels[k] = color;
      }
    }
    this.sheetContext.putImageData(this.image, 0, 0);
  }

  /** Draws nothing: cells of a fleet have no numbers. */
  values() {}

  overlay({ replay }) {
    const { layers, chosen } = this.viewer;
    if (layers.goals) this.goals(replay);
    if (layers.trail) this.trails(replay);
    if (layers.units) this.units(replay);
    if (layers.blame) this.blame(replay);
    if (layers.way && chosen !== null) this.chosen(replay, chosen);
  }

  moods() {
    const { units } = this.viewer.palette.theme;
    return [units.moving, units.waiting, units.arrived, units.unreachable, units.idle];
  }

  /** Draws all units, by state. A unit has at least a few pixels, so that it is visible where cells are small. */
  units(replay) {
    const { context } = this, { scale } = this.viewer.view, colors = this.moods();
    const side = Math.max(2, scale >= 6 ? scale * 0.74 : scale), [left, top] = this.toScreen(0.5, 0.5);
    const isRound = scale >= 9, radius = side / 2;
    // Waiting units are drawn last, since they matter most.
    for (const mood of [4, 3, 2, 0, 1]) {
      context.beginPath();
      for (let unit = 0; unit < replay.units; unit++) {
        if (replay.mood(unit) !== mood) continue;
        const x = left + replay.x[unit] * scale, y = top + replay.y[unit] * scale;
        if (x < -scale || y < -scale || x > this.width + scale || y > this.height + scale) continue;
        if (isRound) context.moveTo(x + radius, y), context.arc(x, y, radius, 0, 7);
        else context.rect(x - radius, y - radius, side, side);
      }
      context.fillStyle = colors[mood];
      context.fill();
    }
  }

  goals(replay) {
    const { context } = this, { scale } = this.viewer.view, { theme } = this.viewer.palette, { width } = this.viewer.record.cells;
    const size = Math.max(2, scale * 0.4), [left, top] = this.toScreen(0.5, 0.5);
    context.beginPath();
    for (let unit = 0; unit < replay.units; unit++) {
      const goal = replay.goal[unit];
      if (goal < 0 || replay.code[unit] === LEFT) continue;
      const x = left + (goal % width) * scale, y = top + Math.floor(goal / width) * scale;
      context.rect(x - size / 2, y - size / 2, size, size);
    }
    context.fillStyle = theme.goal;
    context.fill();
  }

  /** Draws the recent moves of all units, the older the fainter. */
  trails(replay) {
    const { context } = this, { scale } = this.viewer.view, { theme } = this.viewer.palette;
    const history = this.viewer.history(TRAIL), [left, top] = this.toScreen(0.5, 0.5);
    context.lineWidth = Math.max(1, scale * 0.22);
    context.strokeStyle = theme.followed;
    context.lineCap = 'round';
    for (let k = history.length - 1; k >= 0; k--) {
      const older = history[k], newer = k === 0 ? replay : history[k - 1];
      context.globalAlpha = 0.75 * (1 - k / TRAIL);
      context.beginPath();
      for (let unit = 0; unit < replay.units; unit++) {
        if (older.x[unit] === newer.x[unit] && older.y[unit] === newer.y[unit]) continue;
        context.moveTo(left + older.x[unit] * scale, top + older.y[unit] * scale);
        context.lineTo(left + newer.x[unit] * scale, top + newer.y[unit] * scale);
      }
      context.stroke();
    }
    context.globalAlpha = 1;
  }

  /** Draws lines from waiting units to the units that block them. */
  blame(replay) {
    const { context } = this, { theme } = this.viewer.palette, { scale } = this.viewer.view;
    context.beginPath();
    for (let unit = 0; unit < replay.units; unit++) {
      const by = replay.by[unit];
      if (by < 0 || replay.mood(unit) !== 1) continue;
      context.moveTo(...this.toScreen(replay.x[unit] + 0.5, replay.y[unit] + 0.5));
      context.lineTo(...this.toScreen(replay.x[by] + 0.5, replay.y[by] + 0.5));
    }
    context.lineWidth = Math.max(1.5, scale * 0.16);
    context.strokeStyle = theme.ink;
    context.stroke();
  }

  /** Draws the walk, route and goal of the selected unit, and the unit that blocks it. */
  chosen(replay, unit) {
    const { context } = this, { theme } = this.viewer.palette, { scale } = this.viewer.view;
    const pen = Math.max(1.5, Math.min(6, scale * 0.25)), middle = (x, y) => this.toScreen(x + 0.5, y + 0.5);
    const line = (points, color, width, dash) => {
      if (points.length < 2) return;
      context.beginPath();
      points.forEach(([x, y], k) => (k ? context.lineTo(...middle(x, y)) : context.moveTo(...middle(x, y))));
      context.lineJoin = context.lineCap = 'round';
      context.setLineDash([]);
      context.lineWidth = width + 2;
      context.strokeStyle = theme.halo;
      context.stroke();
      context.setLineDash(dash);
      context.lineWidth = width;
      context.strokeStyle = color;
      context.stroke();
      context.setLineDash([]);
    };
    line(this.viewer.walkOf(unit), theme.agents[1], pen * 0.8, []);
    if (replay.code[unit] === LEFT) return;
    const here = [replay.x[unit], replay.y[unit]], goal = replay.goalOf(unit), way = [here];
    const points = replay.way[unit] ?? [];
    for (let k = 2 * replay.passed[unit]; k < points.length; k += 2) way.push([points[k], points[k + 1]]);
    line(way, theme.followed, pen, [pen * 2.2, pen * 1.8]);
    const ring = (x, y, color, grow) => {
      context.beginPath();
      context.arc(...middle(x, y), Math.max(6, scale * 0.62) + grow, 0, 7);
      for (const [width, style] of [[5, theme.halo], [2.5, color]]) {
        context.lineWidth = width;
        context.strokeStyle = style;
        context.stroke();
      }
    };
    if (goal) ring(...goal, theme.goal, 0);
    ring(...here, theme.ink, 1);
    const by = replay.by[unit];
    if (by >= 0) ring(replay.x[by], replay.y[by], theme.units.waiting, 0);
  }
}
