// The fleet: many units on one map, ordered by a click, while walls are drawn under them.

class TroopViewer extends View {
  constructor(play) {
    super();
    this.play = play;
    Object.assign(this, { playing: false, share: 1, carry: 0, path: [], selected: null, goal: null, box: null, times: [] });
    const { units, seed, budget, rate, deeds } = play.stage.fleet ?? { units: 1000, seed: 1, budget: 2, rate: 60, deeds: [] };
    Object.assign(this, { wanted: units, seed, budget, rate });
    this.panes = [new TroopPane(this)];
    this.hand = (pane, cell) => this.take(cell);
    this.load();
    this.deeds = deeds.slice();
  }

  /** All that others need to see the same: with the map, and what was done to the units, at which ticks. */
  get shared() {
    const { wanted: units, seed, budget, rate, deeds } = this;
    return { units, seed, budget, rate, deeds };
  }

  /** The same as commands for a shell: orders as they stand, and what was drawn. */
  commandLine() {
    return this.units.command_line(this.play.stage.name, Math.round(1000 * this.budget));
  }

  /** The same as a program. */
  program() {
    return this.units.program(Math.round(1000 * this.budget));
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
    Object.assign(this, { selected: null, goal: null, path: [], isStale: true, pointed: null, ticks: 0 });
    /** What is done to the units: the tick, what, and the rest; those up to `done` have been. */
    this.deeds = [];
    this.done = 0;
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
      this.catchUp();
      this.units.tick(this.budget / ticks);
      this.ticks++;
      this.before = this.places;
      this.places = this.units.places();
    }
    this.share = this.rate >= 60 ? 1 : Math.min(1, this.carry);
    if (ticks) this.look();
    return ticks;
  }

  /** Does what is to be done before the next tick. */
  catchUp() {
    while (this.done < this.deeds.length && this.deeds[this.done][0] <= this.ticks) {
      try {
        this.carryOut(this.deeds[this.done++]);
      } catch (error) {
        this.play.say(String(error.message ?? error));
      }
    }
  }

  /** Does something now. What was to be done later is forgotten: the future is another one. */
  enact(...deed) {
    this.deeds.length = this.done;
    if (!this.carryOut([this.ticks, ...deed])) return false;
    this.deeds.push([this.ticks, ...deed]);
    this.done++;
    this.play.soon?.();
    return true;
  }

  /** True if anything has changed. */
  carryOut([, what, ...given]) {
    if (what === 'roam') {
      this.units.roam(given[0]);
      this.goal = null;
    } else if (what === 'order') {
      const [units, x, y] = given;
      this.units.order(Uint32Array.from(units ?? this.places.keys()), x, y);
      this.goal = [x, y];
    } else {
      const [x, y, weight] = given;
      if (!this.units.edit(x, y, weight)) return false;
      this.record.weights[y * this.record.cells.width + x] = weight;
      this.isStale = true;
    }
    return true;
  }

  /** Sends every unit somewhere else. */
  roam() {
    this.enact('roam', this.deeds.filter(([, what]) => what === 'roam').length + this.seed + 1);
    this.toggle(true);
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
    this.enact('order', this.selected, x, y);
    $('live').textContent = `${many(this.selected?.length ?? this.places.length, 'unit')} sent to column ${x}, row ${y}.`;
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
          this.enact('edit', x, y, wanted);
        } catch (error) {
          return this.play.say(String(error));
        }
      }
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
