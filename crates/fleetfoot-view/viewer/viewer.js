// The viewer: one clock, one view and one set of layers for all panes; the current position is in the page's address.

const SPEEDS = [1, 2, 5, 10, 20, 60, 150, 600, 3000, 15000];

class Viewer extends View {
  constructor(record) {
    super();
    this.Pane = Pane;
    this.playing = false;
    /** Computes further ticks of live runs, up to the given tick. */
    this.extend = null;
    /** A requested tick that has not been computed yet. The viewer goes there when it is. */
    this.wanted = null;
    /** The layout of the maps: `side` by side, `one` of them, or all planners overlaid (`over`). */
    this.layout = 'side';
    /** The selected planner: it is followed, is on the single map, and its whole run is in the chart. */
    this.focus = 0;
    this.chart = null;
    this.speed = 4;
    this.layers = Object.fromEntries(LAYERS.map(([key, , , isOn = true]) => [key, isOn]));
    /** Planners that are not shown where all are over one another. */
    this.without = new Set();
    this.setTheme(matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
    this.charts = [];
    /** Called with errors that a record causes later. `null` sends them to the console. */
    this.broken = null;
    this.carry = 0;
    this.listeners = [];
    this.load(record);
  }

  /** Shows another record, from its first moment. */
  load(record) {
    const before = this.record;
    this.record = record;
    this.timelines = record.tracks.map((track) => new Timeline(record, track, record.tracks.length));
    this.tick = record.first;
    /** Number of expansions of the next tick that are shown. */
    this.part = 0;
    /** The run that the slider covers; `null` for all. */
    this.selected = null;
    this.without = new Set([...this.without].filter((k) => k < record.tracks.length));
    this.wanted = null;
    this.focus = Math.min(this.focus, record.tracks.length - 1);
    /** Edits that are not yet in effect: columns, rows, weights; and marked cells. */
    this.drafts = [];
    if (before?.foggy !== record.foggy) this.truthBeside = record.foggy && record.tracks.length === 1;
    if (before && (before.cells.width !== record.cells.width || before.cells.height !== record.cells.height)) this.isFitted = true;
  }

  /** Returns the last tick of the selected run, or of all. */
  get end() {
    const track = this.record.tracks[this.selected];
    return track ? track.first + track.shown : this.record.end;
  }

  /** Makes the slider cover one run; `null` for all. */
  select(index) {
    this.selected = index;
    if (index !== null) this.focusOn(index);
    this.tick = Math.min(this.tick, this.end);
    this.part = 0;
    this.restyle();
  }

  /** Selects a planner. */
  focusOn(index) {
    this.focus = index;
    if (this.layout === 'one') this.setLayout('one');
    else this.changed();
  }

  /** Changes the layout of the maps. */
  setLayout(layout) {
    this.layout = layout;
    arrange(this);
    this.resized();
  }

  highest(index) {
    return Math.max(1, this.record.meta.lives[index].highest);
  }

  frame(time) {
    this.needsDraw = false;
    cancelAnimationFrame(this.pending);
    // What is wrong with a record may be met late: in the middle of a run.
    try {
      this.draw(time);
    } catch (error) {
      this.playing = false;
      if (!this.broken) throw error;
      this.broken(error);
    }
  }

  draw(time) {
    if (this.playing) this.play(time);
    if (this.wanted !== null) this.compute();
    this.seek();
    if (this.isFollowing) this.center();
    for (const pane of this.panes) if (pane.canvas) pane.draw();
    for (const { replay } of this.timelines) {
      replay.far.touched.fill(0);
      replay.far.repaint = false;
    }
    this.chart?.draw();
    for (const listener of this.listeners) listener();
    if (this.playing || this.wanted !== null) this.changed();
  }

  /** Computes toward the requested tick for a part of a frame. */
  compute() {
    this.extend(this.wanted);
    this.tick = Math.min(this.wanted, this.end);
    if (this.end >= this.wanted || this.record.isAtRest) this.wanted = null;
  }

  /** Brings all runs to the current moment. A moment within a tick that all runs have finished is that tick's end. */
  seek() {
    for (const timeline of this.timelines) timeline.seek(timeline.track.clamp(this.tick), this.part);
    if (this.part === 0 || this.timelines.some(({ replay }) => replay.isPartial)) return;
    this.part = 0;
    this.tick = Math.min(this.end, this.tick + 1);
    this.seek();
  }

  play(time) {
    // No time passes if only the size has changed.
    const passed = Math.min(0.25, (time - this.lastTime) / 1000 || 0);
    if (time) this.lastTime = time;
    this.carry += passed * SPEEDS[this.speed];
    const whole = Math.floor(this.carry);
    this.carry -= whole;
    this.part = 0;
    if (this.tick + whole > this.end) this.extend?.(this.isFast ? Infinity : this.tick + whole);
    const from = this.tick;
    this.tick = this.isFast ? this.end : Math.min(this.end, this.tick + whole);
    // A story stops at turning points.
    const stop = this.stops?.find((tick) => tick > from && tick <= this.tick);
    if (stop !== undefined) {
      this.tick = stop;
      this.pause();
    }
    if (this.tick >= this.end && !(this.extend && !this.record.isAtRest)) this.pause();
  }

  toggle() {
    if (this.playing || this.wanted !== null) return this.pause();
    if (this.tick >= this.end && !(this.extend && !this.record.isAtRest)) this.tick = this.record.first;
    this.playing = true;
    this.carry = 0;
    this.lastTime = NaN;
    this.changed();
  }

  pause() {
    this.playing = this.isFast = false;
    this.wanted = null;
    this.changed();
  }

  /** Goes to a tick. One that has not been computed yet is reached in the background. */
  goTo(tick) {
    this.part = 0;
    this.wanted = null;
    const wanted = tick === Infinity ? tick : Math.round(tick) || 0;
    if (wanted > this.end && this.extend && !this.record.isAtRest) {
      if (wanted === Infinity) return this.fast();
      this.extend(wanted);
      if (this.end < wanted && !this.record.isAtRest) this.wanted = wanted;
    }
    this.tick = Math.max(this.record.first, Math.min(this.end, wanted));
    this.changed();
  }

  /** Plays to the end as fast as ticks can be computed. */
  fast() {
    this.playing = this.isFast = true;
    this.changed();
  }

  /** Steps one expansion forward or back. */
  byExpansion(way) {
    this.playing = false;
    if (way > 0) {
      if (this.tick >= this.end) this.extend?.(this.tick + 1);
      if (this.tick < this.end) this.part++;
    } else if (this.part > 0) {
      this.part--;
    } else if (this.tick > this.record.first) {
      this.seek();
      const most = Math.max(...this.timelines.map(({ replay, track }) => (replay.t === track.clamp(this.tick) ? replay.news.expanded : 0)));
      this.tick--;
      this.part = Math.max(0, most - 1);
    }
    this.changed();
  }

  /** Goes `part` expansions into the tick that begins after `tick` ticks. */
  within(tick, part) {
    this.playing = false;
    Object.assign(this, { tick, part });
    this.changed();
  }

  by(ticks) {
    this.playing = false;
    this.goTo(this.tick + ticks);
  }

  /** Goes to the next or previous tick of a kind in any run: reversals, searches or changes. Returns `true` if there is one. */
  jump(kind, way) {
    this.playing = false;
    let best = null;
    for (const track of this.record.tracks) {
      const list = track[kind];
      // The moment shown is after a tick: the one that just happened is tick - 1.
      const present = this.tick - 1 - track.first;
      const k = way > 0 ? countBelow(list, present + 1) : countBelow(list, present) - 1;
      if (k < 0 || k >= list.length) continue;
      const tick = list[k] + track.first + 1;
      if (best === null || (tick - best) * way < 0) best = tick;
    }
    if (best !== null) this.goTo(best);
    else this.changed();
    return best !== null;
  }

  /** Goes to the next or previous stop of a story. */
  toStop(way) {
    const stops = this.stops ?? [], stop = way > 0 ? stops.find((tick) => tick > this.tick) : stops.findLast((tick) => tick < this.tick);
    if (stop !== undefined) this.by(stop - this.tick);
  }

  setSpeed(speed) {
    this.speed = Math.max(0, Math.min(SPEEDS.length - 1, speed));
    this.changed();
  }

  setTheme(name) {
    this.themeName = name;
    document.documentElement.dataset.theme = name;
    this.palette = new Palette(readTheme());
    this.restyle();
  }

  setLayer(key, isOn) {
    this.layers[key] = isOn;
    this.restyle();
  }

  restyle() {
    for (const pane of this.panes ?? []) pane.stale = true;
    if (this.panes) this.changed();
  }

  /** Zooms to all walks. */
  fitWalk() {
    const { cells, start, goal, tracks } = this.record;
    let [left, top, right, bottom] = [Infinity, Infinity, 0, 0];
    for (const list of [[start, goal], ...tracks.map((track) => track.places)]) {
      for (const cell of list) {
        const x = cells.x(cell), y = cells.y(cell);
        left = Math.min(left, x), right = Math.max(right, x), top = Math.min(top, y), bottom = Math.max(bottom, y);
      }
    }
    const { width, height } = this.frameOfView, margin = 4;
    const scale = Math.min(width / (right - left + 1 + 2 * margin), height / (bottom - top + 1 + 2 * margin));
    this.view = { x: (left + right + 1) / 2, y: (top + bottom + 1) / 2, scale };
    this.isFitted = false;
    this.isFollowing = false;
    this.changed();
  }

  center() {
    const { replay, track } = this.timelines[this.focus], { cells } = this.record, at = track.at[replay.over];
    this.view.x = cells.x(at) + 0.5;
    this.view.y = cells.y(at) + 0.5;
  }

  follow(isOn) {
    this.isFollowing = isOn;
    this.isFitted = false;
    if (isOn && this.view.scale < 6) this.view.scale = 10;
    this.changed();
  }

  /** Returns the cell where inspecting begins. */
  get lookedAt() {
    const { cells, tracks } = this.record, track = tracks[this.focus], at = track.at[track.clamp(this.tick)];
    return [cells.x(at), cells.y(at)];
  }

  /** Returns the current position, for the page's address. */
  get address() {
    const parts = [`t=${this.tick}`];
    if (!this.isFitted) {
      const short = (n) => String(Math.round(n * 100) / 100);
      parts.push(`z=${short(this.view.scale)}`, `x=${short(this.view.x)}`, `y=${short(this.view.y)}`);
    }
    const switched = (isOn) => LAYERS.filter(([key, , , before = true]) => before !== isOn && this.layers[key] === isOn).map(([key]) => key).join('.');
    if (switched(false)) parts.push(`off=${switched(false)}`);
    if (switched(true)) parts.push(`on=${switched(true)}`);
    if (this.without?.size) parts.push(`without=${[...this.without].map((k) => k + 1).join('.')}`);
    if (this.selected !== null) parts.push(`life=${this.selected + 1}`);
    if (this.layout !== 'side') parts.push(`maps=${this.layout}`);
    if (this.focus) parts.push(`focus=${this.focus + 1}`);
    parts.push(`s=${SPEEDS[this.speed]}`, `theme=${this.themeName}`);
    if (this.record.foggy) parts.push(`truth=${this.truthBeside ? 1 : 0}`);
    return parts.join('&');
  }

  set address(text) {
    const get = Object.fromEntries(new URLSearchParams(text));
    const number = (key) => (get[key] !== undefined && isFinite(get[key]) ? Number(get[key]) : null);
    if (this.record.tracks.length > 1 && this.record.tracks[number('life') - 1]) this.selected = number('life') - 1;
    if (this.record.tracks[number('focus') - 1]) this.focus = number('focus') - 1;
    if (['one', 'over'].includes(get.maps) && this.record.tracks.length > 1) this.layout = get.maps;
    if (number('t') !== null) this.goTo(number('t'));
    if (number('z') > 0) {
      const { width, height } = this.record.cells, clamp = (n, most) => Math.max(0, Math.min(most, n));
      const scale = Math.max(this.leastScale(), Math.min(MOST_SCALE, number('z')));
      this.view = { scale, x: clamp(number('x') ?? this.view.x, width), y: clamp(number('y') ?? this.view.y, height) };
      this.isFitted = false;
    }
    if (SPEEDS.includes(number('s'))) this.speed = SPEEDS.indexOf(number('s'));
    if (THEME_NAMES.includes(get.theme)) this.setTheme(get.theme);
    const [off, on, without] = [get.off, get.on, get.without].map((list) => (list ?? '').split('.'));
    for (const [key, , , before = true] of LAYERS) this.layers[key] = before ? !off.includes(key) : on.includes(key);
    this.without = new Set(this.record.tracks.map((_, k) => k).filter((k) => without.includes(String(k + 1))));
    if (get.truth) this.truthBeside = get.truth === '1' && this.record.foggy;
    this.restyle();
  }
}
