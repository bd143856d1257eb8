// The fleet: many units on one map, ordered by a click, while walls are drawn under them.

/** Frames that the chart remembers. */
const FRAMES = 240;
/** Milliseconds of a frame at 60 a second. */
const FRAME = 1000 / 60;

/** The map with its units. */
class TroopPane {
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

  toScreen(x, y) {
    return Pane.prototype.toScreen.call(this, x, y);
  }

  toCell(px, py) {
    return Pane.prototype.toCell.call(this, px, py);
  }

  /** A sheet of ground, one pixel per cell, painted anew where the map has changed. */
  ground() {
    const { viewer } = this, { cells, letters, weights } = viewer.record, { letters: colours, shut, opened } = viewer.palette;
    if (this.sheet?.width !== cells.width || this.sheet?.height !== cells.height) {
      this.sheet = Object.assign(document.createElement('canvas'), { width: cells.width, height: cells.height });
      this.image = new ImageData(cells.width, cells.height);
      this.pixels = new Uint32Array(this.image.data.buffer);
    }
    for (let k = 0; k < letters.length; k++) {
      const before = '.GS'.includes(String.fromCharCode(letters[k])), weight = weights[k];
      let colour = colours[letters[k]];
      if (before && weight === 0) colour = shut;
      else if (!before && weight > 0) colour = mix(viewer.palette.plain, opened, 115);
      this.pixels[k] = colour;
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
  }

  /** The units, by how they fare; between two ticks on their way. */
  units() {
    const { context, viewer } = this, { view, places, before, share, record } = viewer, { theme } = viewer.palette;
    const { width } = record.cells, size = Math.max(1.5, view.scale * 0.8), inset = (view.scale - size) / 2;
    const colours = [theme.now, theme.open, theme.agents[0], theme.opened, theme.shut, theme.hidden];
    const [left, top] = this.toScreen(0, 0);
    for (let fares = 0; fares < FARES.length; fares++) {
      context.fillStyle = colours[fares];
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

  /** What is selected, where it was sent, and the way of the unit that is pointed at. */
  marks() {
    const { context, viewer } = this, { view, record, places, selected, goal, box } = viewer, { theme } = viewer.palette;
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

/** What frames take: thinking, and drawing, against the budget and a sixtieth of a second. */
class FrameChart {
  constructor(viewer, canvas) {
    this.viewer = viewer;
    this.canvas = canvas;
    this.context = canvas.getContext('2d');
    this.frames = [];
    new ResizeObserver(() => canvas.offsetParent && fitCanvas(this)).observe(canvas);
  }

  add(think, draw) {
    this.frames.push([think, draw]);
    if (this.frames.length > FRAMES) this.frames.shift();
  }

  draw() {
    if (!this.width) return;
    const { context, ratio, frames, width, height } = this, { theme } = this.viewer.palette, { budget } = this.viewer;
    const most = Math.max(FRAME * 1.2, budget * 1.2), scale = height / most, bar = width / FRAMES;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    frames.forEach(([think, draw], k) => {
      const x = width - (frames.length - k) * bar, high = Math.min(think, most) * scale;
      context.fillStyle = theme.kinds[0];
      context.fillRect(x, height - high, Math.max(1, bar - 0.5), high);
      context.fillStyle = theme.kinds[7];
      context.fillRect(x, height - high - draw * scale, Math.max(1, bar - 0.5), draw * scale);
    });
    context.font = '11px system-ui, sans-serif';
    context.textBaseline = 'bottom';
    for (const [value, text] of [[budget, `budget ${budget} ms`], [FRAME, '60 frames a second']]) {
      const y = Math.round(height - value * scale) + 0.5;
      context.setLineDash([5, 3]);
      context.strokeStyle = context.fillStyle = theme.ink;
      context.lineWidth = 1;
      context.beginPath();
      context.moveTo(0, y), context.lineTo(width, y);
      context.stroke();
      context.setLineDash([]);
      context.fillText(text, 4, y - 1);
    }
  }
}

class TroopViewer extends View {
  constructor(play) {
    super();
    this.play = play;
    Object.assign(this, { playing: false, budget: 2, rate: 60, wanted: 1000, share: 1, carry: 0, seed: 1, path: [], selected: null, goal: null, box: null, times: [] });
    this.panes = [new TroopPane(this)];
    this.hand = (pane, cell) => this.take(cell);
    this.load();
  }

  get palette() {
    return this.play.viewer.palette;
  }

  /** The map of the stage, with as many units as are wanted. */
  load() {
    const { stage } = this.play, fresh = new wasm.Units(stage.width, stage.height, stage.letters, stage.weighs);
    this.units?.free();
    this.units = fresh;
    this.shown = [stage.letters, stage.weighs];
    const cells = { width: stage.width, height: stage.height };
    if (this.record?.cells.width !== cells.width || this.record?.cells.height !== cells.height) this.isFitted = true;
    this.record = { cells, letters: stage.letters.slice(), weights: fresh.weights() };
    Object.assign(this, { selected: null, goal: null, path: [], isStale: true, pointed: null });
    fresh.scatter(this.wanted, this.seed);
    this.places = this.before = fresh.places();
    this.summary = JSON.parse(fresh.summary());
  }

  /** Whether it is on the map of the stage. */
  get isCurrent() {
    const { letters, weighs } = this.play.stage;
    return this.shown[0] === letters && this.shown[1] === weighs;
  }

  /** Begins anew. What is wrong is said. */
  restart() {
    try {
      this.load();
      this.play.say('');
    } catch (error) {
      this.play.say(String(error.message ?? error));
    }
    this.resized();
  }

  frame(time) {
    this.needsDraw = false;
    cancelAnimationFrame(this.pending);
    if (document.body.dataset.tab !== 'fleet') return;
    const begun = performance.now(), ticks = this.playing ? this.advance(time) : 0, thought = performance.now();
    if (this.panes[0].width) this.panes[0].draw();
    const drawn = performance.now();
    if (ticks) this.chart.add(thought - begun, drawn - thought);
    this.chart.draw();
    this.tell(time);
    if (this.playing) this.changed();
  }

  /** As many ticks as the time that has passed asks for. */
  advance(time) {
    const passed = Math.min(0.1, (time - this.last) / 1000 || 0);
    if (time) this.last = time;
    this.times.push(time);
    if (this.times.length > 60) this.times.shift();
    this.carry += passed * this.rate;
    const ticks = Math.min(4, Math.floor(this.carry + 0.02));
    this.carry = Math.max(0, Math.min(1, this.carry - ticks));
    for (let k = 0; k < ticks; k++) {
      this.units.tick(this.budget / ticks);
      this.before = this.places;
      this.places = this.units.places();
    }
    this.share = this.rate >= 60 ? 1 : Math.min(1, this.carry);
    if (ticks) this.look();
    return ticks;
  }

  toggle(isOn = !this.playing) {
    this.playing = isOn;
    this.last = NaN;
    this.times = [];
    this.share = 1;
    this.changed();
  }

  /** The way of the unit that is pointed at. */
  look() {
    const { pointed, record, places } = this, cell = pointed && pointed[1] * record.cells.width + pointed[0];
    const unit = pointed ? places.findIndex((place) => (place & 0xfffffff) === cell) : -1;
    if (unit >= 0) this.watched = unit;
    else if (!pointed) this.watched = -1;
    this.path = this.watched >= 0 && this.watched < places.length ? [places[this.watched] & 0xfffffff, ...this.units.path(this.watched)] : [];
  }

  point(cell) {
    super.point(cell);
    this.look();
  }

  /** The pointer: with the tool to move, a click orders and a drag selects; other tools draw. */
  take(cell) {
    if (!cell) return null;
    if (this.play.tool !== 'move') return this.drawing(cell);
    let to = cell;
    return {
      move: (now) => {
        if (!now) return;
        to = now;
        this.box = [[Math.min(cell[0], to[0]), Math.min(cell[1], to[1])], [Math.max(cell[0], to[0]) + 1, Math.max(cell[1], to[1]) + 1]];
        this.changed();
      },
      end: () => {
        if (this.box && String(to) !== String(cell)) this.select(this.box);
        else this.order(cell);
        this.box = null;
        this.changed();
        return null;
      },
    };
  }

  select([[x0, y0], [x1, y1]]) {
    const { width } = this.record.cells, found = [];
    this.places.forEach((place, k) => {
      const cell = place & 0xfffffff, x = cell % width, y = (cell / width) | 0;
      if (x >= x0 && x < x1 && y >= y0 && y < y1) found.push(k);
    });
    this.selected = found.length ? found : null;
    $('live').textContent = found.length ? `${many(found.length, 'unit')} selected.` : 'All units are ordered together.';
  }

  order([x, y]) {
    const units = this.selected ?? [...this.places.keys()];
    this.units.order(Uint32Array.from(units), x, y);
    this.goal = [x, y];
    $('live').textContent = `${many(units.length, 'unit')} sent to column ${x}, row ${y}.`;
    if (!this.playing) this.toggle(true);
  }

  drawing(first) {
    let last = first;
    const paint = (path, isFirst) => {
      const [, , , weight] = TOOLS.find(([key]) => key === this.play.tool), isDoor = this.play.tool === 'door';
      if (isDoor && !isFirst) return;
      const { width, height } = this.record.cells, { weights } = this.record;
      for (const [x, y] of path.flatMap((cell) => under(cell, isDoor ? 1 : this.play.brush, width, height))) {
        const wanted = weight ?? (weights[y * width + x] > 0 ? 0 : 1);
        try {
          if (this.units.edit(x, y, wanted)) weights[y * width + x] = wanted;
        } catch (error) {
          return this.play.say(String(error));
        }
      }
      this.isStale = true;
      this.changed();
    };
    paint([first], true);
    return {
      move: (cell) => {
        if (!cell || String(cell) === String(last)) return;
        paint(line(last, cell).slice(1), false);
        last = cell;
      },
      end: () => null,
    };
  }

  /** How it goes, in words, a few times a second. */
  tell(time) {
    if (this.playing && time - this.told < 250) return;
    this.told = time;
    this.summary = JSON.parse(this.units.summary());
    const { units, arrived, seeking, unreachable, ticks } = this.summary, { times } = this;
    const rate = times.length > 10 ? Math.round((1000 * (times.length - 1)) / (times.at(-1) - times[0])) : 0;
    const words = [many(units, 'unit'), `${arrived.toLocaleString('en')} arrived`, `${seeking.toLocaleString('en')} seeking`, many(ticks, 'tick')];
    if (unreachable) words.push(`${unreachable.toLocaleString('en')} without a way`);
    if (rate && this.playing) words.push(`${rate} frames a second`);
    $('fleet-status').textContent = words.join(' · ');
    this.panes[0].canvas.setAttribute('aria-label', `Map of the fleet: ${words.join(', ')}`);
    $('fleet-play').textContent = this.playing ? 'pause' : 'play';
  }
}

/** Makes the tab. */
function fleetTab(play) {
  const canvas = element('canvas', { class: 'map', role: 'img', tabindex: '0', 'aria-label': 'Map of the fleet' });
  const strip = element('canvas', { class: 'chart', role: 'img', 'aria-label': 'What each frame takes, in milliseconds' });
  $('fleet').append(element('section', { class: 'pane', 'aria-label': 'Fleet' }, canvas, element('p', { class: 'status', id: 'fleet-status' }), strip));
  const viewer = new TroopViewer(play);
  viewer.panes[0].attach(canvas);
  viewer.chart = new FrameChart(viewer, strip);
  pointer(viewer, viewer.panes[0]);
  const number = (id, key, most) => $(id).addEventListener('change', () => {
    viewer[key] = Math.max(1, Math.min(most, Math.round(Number($(id).value)) || 1));
    $(id).value = viewer[key];
    viewer.restart();
  });
  number('fleet-count', 'wanted', 20000);
  const budgets = [0.1, 0.2, 0.5, 1, 2, 4, 8, 12];
  $('fleet-budget').addEventListener('input', () => {
    viewer.budget = budgets[Number($('fleet-budget').value)];
    $('fleet-budget-text').textContent = `${viewer.budget} ms a frame`;
    viewer.changed();
  });
  $('fleet-rate').addEventListener('change', () => ((viewer.rate = Number($('fleet-rate').value)), (viewer.share = 1)));
  const actions = {
    'fleet-play': () => viewer.toggle(),
    'fleet-roam': () => (viewer.units.roam(++viewer.seed), (viewer.goal = null), viewer.toggle(true)),
    'fleet-all': () => ((viewer.selected = null), viewer.changed()),
    'fleet-again': () => viewer.restart(),
    'fleet-fit': () => viewer.fit(),
  };
  for (const [id, action] of Object.entries(actions)) $(id).addEventListener('click', action);
  document.addEventListener('keydown', (event) => {
    if (document.body.dataset.tab !== 'fleet' || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest('input, select, button, dialog, summary')) return;
    const { width, height } = viewer.record.cells, [x, y] = viewer.pointed ?? [width >> 1, height >> 1];
    const look = (dx, dy) => viewer.point([Math.max(0, Math.min(width - 1, x + dx)), Math.max(0, Math.min(height - 1, y + dy))]);
    const keys = {
      ' ': () => viewer.toggle(), '+': () => viewer.zoom(1.25), '=': () => viewer.zoom(1.25), '-': () => viewer.zoom(0.8), 0: () => viewer.fit(),
      i: () => look(0, -1), j: () => look(-1, 0), k: () => look(0, 1), l: () => look(1, 0),
      Enter: () => (play.tool === 'move' ? viewer.order([x, y]) : viewer.drawing([x, y])), '?': () => $('help').showModal(),
      b: () => $('theme').click(),
      w: () => viewer.pan(0, 60), a: () => viewer.pan(60, 0), s: () => viewer.pan(0, -60), d: () => viewer.pan(-60, 0),
    };
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });
  // Another map, and another theme.
  play.listeners.push(() => document.body.dataset.tab === 'fleet' && !viewer.isCurrent && viewer.restart());
  play.viewer.listeners.push(() => {
    if (viewer.themed === play.viewer.themeName) return;
    viewer.themed = play.viewer.themeName;
    viewer.isStale = true;
    viewer.changed();
  });
  window.fleet = viewer;
  return viewer;
}
