// The fleet: units on one map that are ordered by clicks while the map is edited.

/** Maximum number of ticks that can be stepped back, and of bytes that they use. */
const PAST_TICKS = 2000, PAST_BYTES = 6e6;

/** Descriptions of units' states. */
const UNIT_WORDS = { idle: 'without an order', seeking: 'searching for a path', underway: 'on its path', arrived: 'at its goal', unreachable: 'without a path to its goal', buried: 'walled in' };
/** Colors of units, by state. */
const UNIT_COLORS = ['idle', 'seeking', 'moving', 'arrived', 'unreachable', 'unreachable'];

class FleetSession extends View {
  constructor(play) {
    super();
    this.play = play;
    Object.assign(this, { playing: false, share: 1, carry: 0, path: [], selected: null, goal: null, box: null, times: [], chosen: null, isPast: 0 });
    const { units, seed, budget, rate, orders } = play.stage.fleet ?? { units: 1000, seed: 1, budget: 2, rate: 60, orders: [] };
    Object.assign(this, { wanted: units, seed, budget, rate });
    this.panes = [new UnitsPane(this)];
    this.pointerTool = (pane, cell, event) => this.take(cell, event);
    this.load();
    this.orders = orders.slice();
  }

  /** Returns everything that reproduces the fleet on its map: settings, and orders with their ticks. */
  get shared() {
    const { wanted: units, seed, budget, rate, orders } = this;
    return { units, seed, budget, rate, orders };
  }

  /** Returns the fleet as shell commands: current orders, and edits. */
  commandLine() {
    return this.units.command_line(this.play.stage.name, Math.round(1000 * this.budget));
  }

  /** Returns the fleet as a program. */
  program() {
    return this.units.program(Math.round(1000 * this.budget));
  }

  get palette() {
    return this.play.viewer.palette;
  }

  /** Loads the map of the stage, with the requested number of units. */
  load() {
    const { stage } = this.play, fresh = new wasm.Units(stage.width, stage.height, stage.letters, stage.weighs);
    this.units?.free();
    this.units = fresh;
    this.shown = [stage.letters, stage.weighs];
    const cells = { width: stage.width, height: stage.height };
    if (this.record?.cells.width !== cells.width || this.record?.cells.height !== cells.height) this.isFitted = true;
    this.record = { cells, letters: stage.letters.slice(), weights: fresh.weights() };
    Object.assign(this, { selected: null, goal: null, path: [], isStale: true, pointed: null, ticks: 0, chosen: null });
    /** Positions of the units before past ticks, the latest last; the number of ticks stepped back; edits to undo and redo; queued goals. */
    Object.assign(this, { past: [], isPast: 0, edits: [], undone: [], queues: [] });
    /** Orders and edits: tick, kind, and arguments. Those before `done` have been executed. */
    this.orders = [];
    this.done = 0;
    fresh.scatter(this.wanted, this.seed);
    this.places = this.before = fresh.places();
    this.summary = JSON.parse(fresh.summary());
  }

  /** Returns `true` if it is on the map of the stage. */
  get isCurrent() {
    const { letters, weighs } = this.play.stage;
    return this.shown[0] === letters && this.shown[1] === weighs;
  }

  /** Restarts. Shows errors. */
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

  /** Executes ticks according to the elapsed time. */
  advance(time) {
    const passed = Math.min(0.1, (time - this.last) / 1000 || 0);
    if (time) this.last = time;
    this.times.push(time);
    if (this.times.length > 60) this.times.shift();
    this.carry += passed * this.rate;
    const ticks = Math.min(4, Math.floor(this.carry + 0.02));
    this.carry = Math.max(0, Math.min(1, this.carry - ticks));
    // The whole frame has one deadline, which includes work besides ticks.
    const until = performance.now() + this.budget;
    for (let k = 0; k < ticks; k++) this.tick(Math.max(0, until - performance.now()) / (ticks - k));
    this.share = this.rate >= 60 ? 1 : Math.min(1, this.carry);
    if (ticks) this.look();
    return ticks;
  }

  /** Executes one tick with a budget in milliseconds. */
  tick(budget) {
    this.catchUp();
    this.serveQueues();
    this.units.tick(budget);
    this.ticks++;
    this.past.push(this.places);
    if (this.past.length > Math.min(PAST_TICKS, PAST_BYTES / (4 * Math.max(1, this.places.length)))) this.past.shift();
    this.before = this.places;
    this.places = this.units.places();
  }

  /** Returns the shown positions: the latest ones, or those of a past tick. */
  get shownPlaces() {
    return this.isPast ? this.past[this.past.length - this.isPast] : this.places;
  }

  /** Steps one tick back or forward. Beyond the latest one, executes a tick. */
  step(by) {
    this.toggle(false);
    const to = this.isPast - by;
    if (to < 0) this.tick(this.budget);
    this.isPast = Math.max(0, Math.min(this.past.length, to));
    this.look();
    this.told = NaN;
    this.changed();
  }

  /** Orders the next queued goals of units that have arrived. */
  serveQueues() {
    if (!this.queues.length || this.ticks % 8) return;
    for (const queue of this.queues) {
      const units = queue.units ?? [...this.places.keys()], done = units.filter((k) => [0, 3, 4, 5].includes(this.places[k] >>> 28)).length;
      if (done >= 0.9 * units.length) this.enact('order', queue.units, ...queue.goals.shift());
    }
    this.queues = this.queues.filter(({ goals }) => goals.length);
  }

  /** Executes orders and edits that are due before the next tick. */
  catchUp() {
    while (this.done < this.orders.length && this.orders[this.done][0] <= this.ticks) {
      try {
        this.carryOut(this.orders[this.done++]);
      } catch (error) {
        this.play.say(String(error.message ?? error));
      }
    }
  }

  /** Executes an order or edit now. Drops later ones: they belong to the old timeline. */
  enact(...order) {
    this.isPast = 0;
    this.orders.length = this.done;
    if (!this.carryOut([this.ticks, ...order])) return false;
    this.orders.push([this.ticks, ...order]);
    this.done++;
    this.play.soon?.();
    return true;
  }

  /** Executes an order or edit. Returns `true` if anything has changed. */
  carryOut(/** @type {any} */ [, what, ...given]) {
    if (what === 'roam') {
      this.units.roam(given[0]);
      this.goal = null;
    } else if (what === 'order') {
      const [units, x, y] = given;
      this.units.order(Uint32Array.from(units ?? this.places.keys()), x, y);
      this.goal = [x, y];
    } else {
      const [x, y, weight] = given;
      const place = y * this.record.cells.width + x, before = this.record.weights[place];
      if (!this.units.edit(x, y, weight)) return false;
      this.stroke?.push([x, y, before, weight]);
      this.record.weights[place] = weight;
      this.isStale = true;
    }
    return true;
  }

  /** Undoes or redoes the last stroke, from now on. */
  undo() {
    this.swap(this.edits, this.undone, 'undone', ([x, y, before]) => this.enact('edit', x, y, before));
  }

  redo() {
    this.swap(this.undone, this.edits, 'made again', ([x, y, , weight]) => this.enact('edit', x, y, weight));
  }

  swap(from, to, what, enact) {
    const stroke = from.pop();
    if (!stroke) return announce(`Nothing to be ${what}.`);
    to.push(stroke);
    for (const edit of what === 'undone' ? stroke.toReversed() : stroke) enact(edit);
    this.showHistory();
    announce(`The last stroke is ${what}.`);
    this.changed();
  }

  showHistory() {
    $('undo').disabled = !this.edits.length;
    $('redo').disabled = !this.undone.length;
  }

  /** Sends every unit to a random cell. */
  roam() {
    this.enact('roam', this.orders.filter(([, what]) => what === 'roam').length + this.seed + 1);
    this.toggle(true);
  }

  toggle(isOn = !this.playing) {
    this.playing = isOn;
    if (isOn) this.isPast = 0;
    this.last = NaN;
    this.times = [];
    this.share = 1;
    this.changed();
  }

  /** Returns the unit at a cell. Returns `null` if there is none. */
  unitAt(cell) {
    const place = cell[1] * this.record.cells.width + cell[0], unit = this.shownPlaces.findIndex((at) => (at & 0xfffffff) === place);
    return unit < 0 ? null : unit;
  }

  /** Shows the path of the inspected unit, and the reason that it waits. */
  look() {
    const { chosen, places } = this;
    this.path = chosen === null || this.isPast || chosen >= places.length ? [] : [places[chosen] & 0xfffffff, ...this.units.path(chosen)];
  }

  choose(unit) {
    this.chosen = unit;
    this.look();
    this.told = NaN;
    this.changed();
  }

  /** Handles the pointer. With the tool `move`, a click on a unit inspects it, a click on a cell orders, and a drag selects. Other tools draw. */
  take(cell, event) {
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
        else if (this.unitAt(cell) !== null && !event?.shiftKey) this.pick(this.unitAt(cell));
        else this.order(cell, event?.shiftKey);
        this.box = null;
        this.changed();
        return null;
      },
    };
  }

  /** Handles a click on a unit: selects it and explains its state; a second click deselects it. */
  pick(unit) {
    const isOff = this.chosen === unit;
    this.selected = isOff ? null : [unit];
    this.choose(isOff ? null : unit);
    announce(isOff ? 'All units are ordered together.' : `Unit ${unit} is selected.`);
  }

  select(/** @type {any} */ [[x0, y0], [x1, y1]]) {
    const { width } = this.record.cells, found = [];
    this.places.forEach((place, k) => {
      const cell = place & 0xfffffff, x = cell % width, y = (cell / width) | 0;
      if (x >= x0 && x < x1 && y >= y0 && y < y1) found.push(k);
    });
    this.selected = found.length ? found : null;
    announce(found.length ? `${many(found.length, 'unit')} selected.` : 'All units are ordered together.');
  }

  /** Sends the selected units, or all; queued orders follow the current ones. */
  order([x, y], isQueued = false) {
    const { selected } = this, key = String(selected), count = many(selected?.length ?? this.places.length, 'unit');
    if (isQueued) {
      const queue = this.queues.find(({ units }) => String(units) === key);
      if (queue) queue.goals.push([x, y]);
      else this.queues.push({ units: selected, goals: [[x, y]] });
      announce(`${count}: column ${x}, row ${y} comes next.`);
    } else {
      // An order replaces the queue of the same units.
      this.queues = this.queues.filter(({ units }) => String(units) !== key);
      this.enact('order', selected, x, y);
      announce(`${count} sent to column ${x}, row ${y}.`);
    }
    if (!this.playing) this.toggle(true);
  }

  drawing(first) {
    let last = first;
    const stroke = (this.stroke = []);
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
      end: () => {
        this.stroke = null;
        if (stroke.length) this.edits.push(stroke), (this.undone = []);
        this.showHistory();
        return null;
      },
    };
  }

  /** Updates the summary, a few times per second. */
  tell(time) {
    if (this.playing && time - this.told < 250) return;
    this.told = time;
    this.summary = JSON.parse(this.units.summary());
    const { units, arrived, seeking, unreachable, ticks } = this.summary, { times } = this;
    const rate = times.length > 10 ? Math.round((1000 * (times.length - 1)) / (times.at(-1) - times[0])) : 0;
    const words = [many(units, 'unit'), `${arrived.toLocaleString('en')} arrived`, `${seeking.toLocaleString('en')} seeking`, many(ticks, 'tick')];
    if (unreachable) words.push(`${unreachable.toLocaleString('en')} without a path`);
    if (this.isPast) words[3] = `back at tick ${(ticks - this.isPast).toLocaleString('en')} of ${ticks.toLocaleString('en')}`;
    if (this.queues.length) words.push(many(this.queues.reduce((sum, { goals }) => sum + goals.length, 0), 'queued order'));
    if (rate && this.playing) words.push(`${rate} frames a second`);
    $('fleet-status').textContent = words.join(' · ');
    this.panes[0].canvas.setAttribute('aria-label', `Map of the fleet: ${words.join(', ')}`);
    $('fleet-play').textContent = this.playing ? 'pause' : 'play';
    this.describe();
  }

  /** Describes the inspected unit. */
  describe() {
    const { chosen: unit, record: { cells: { width } }, shownPlaces: places } = this, box = $('unit');
    const key = unit === null ? '' : [unit, this.ticks - this.isPast, places[unit]].join();
    if (box.dataset.key === key) return;
    box.dataset.key = key;
    if (unit === null) return box.replaceChildren(element('p', { class: 'note' }, 'Click a unit to see its reason.'));
    const cell = places[unit] & 0xfffffff, status = UNIT_STATUS[places[unit] >>> 28], rows = [['place', `${cell % width}, ${Math.floor(cell / width)}`], ['state', UNIT_WORDS[status]]];
    if (!this.isPast) {
      const { by, goal } = JSON.parse(this.units.reason(unit)), isStill = (this.before[unit] & 0xfffffff) === cell;
      rows.push(['goal', goal ? goal.join(', ') : 'none']);
      if (by !== null) rows.push(['why', `unit ${by} blocks it, which is ${UNIT_WORDS[UNIT_STATUS[places[by] >>> 28]]}`]);
      else if (isStill && status === 'underway') rows.push(['why', 'it makes room for others, or waits for its turn']);
      if (this.path.length > 1) rows.push(['path', many(this.path.length - 1, 'cell') + ' ahead']);
    }
    box.replaceChildren(element('h2', {}, `Unit ${unit}`), element('dl', {}, ...rows.flatMap(([term, text]) => [element('dt', {}, term), element('dd', {}, text)])));
  }
}
