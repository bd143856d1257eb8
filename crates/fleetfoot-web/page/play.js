// Combines stage, session and viewer, and executes the user's actions.

/** Maximum time for going back to a tick, in milliseconds. */
const REWIND = 5000;

class Play {
  constructor(stage) {
    this.stage = stage;
    this.session = new Session(stage);
    this.viewer = new Viewer(this.session.record);
    this.viewer.extend = (tick) => this.extend(tick);
    this.viewer.pointerTool = makePointerTool(this);
    // On a touch screen a first swipe must not draw.
    this.tool = matchMedia('(pointer: coarse)').matches ? 'move' : 'wall';
    this.isToolChosen = false;
    /** Start or goal, if picked up by keyboard. */
    this.held = null;
    this.history = new UndoHistory(this);
    this.brush = 1;
    /** There are edits at the first tick that are not in the session yet. */
    this.isDirty = false;
    this.listeners = [];
  }

  /** Computes up to a tick, for a limited time. */
  extend(tick, most) {
    const before = this.session.record.end;
    this.session.extend(tick, most);
    if (this.session.record.end > before) this.viewer.drafts = [];
    this.rescale();
    this.index();
  }

  /** Updates the scale of learned values. */
  rescale() {
    const { viewer } = this, highest = this.session.record.meta.lives.map((replay) => replay.highest);
    viewer.panes.forEach((pane) => {
      if (pane.index === null || highest[pane.index] <= (pane.scaledTo ?? 0) * 1.1) return;
      pane.scaledTo = highest[pane.index];
      pane.stale = true;
    });
  }

  /** Makes key frames in idle time. */
  index() {
    if (this.isIndexing) return;
    this.isIndexing = true;
    setTimeout(() => {
      this.isIndexing = false;
      // While it plays, the shown replay makes them.
      const waiting = this.viewer.playing ? null : this.viewer.timelines.find((timeline) => timeline.progress < 1);
      if (!waiting) return;
      waiting.index();
      this.index();
    }, 0);
  }

  /** Starts a new session after a change of the stage. Shows errors, and then restores the stage. */
  restart(change, { keep = false, isNoted = false } = {}) {
    if (!isNoted) this.history.note();
    const before = { ...this.stage, letters: this.stage.letters.slice() }, { tick } = this.viewer;
    change?.();
    if (!keep) this.stage.changes = [];
    let session;
    try {
      session = new Session(this.stage);
    } catch (error) {
      Object.assign(this.stage, before);
      if (!isNoted) this.history.forget();
      this.say(String(error.message ?? error));
      this.changed();
      this.viewer.record.start = this.viewer.record.cells.at(...this.stage.start);
      this.viewer.record.goal = this.viewer.record.cells.at(...this.stage.goal);
      this.viewer.drafts = [];
      this.viewer.changed();
      return false;
    }
    this.say('');
    this.replace(session, keep ? tick : 0);
    return true;
  }

  /** Replaces the session, at a tick. */
  replace(session, tick) {
    const { viewer } = this, { foggy } = viewer.record;
    this.session.free();
    this.session = session;
    viewer.load(session.record);
    if (tick > 0) session.extend(tick, REWIND);
    viewer.tick = Math.min(tick, session.record.end);
    if (foggy !== session.record.foggy || !rebind(viewer)) {
      arrange(viewer);
      layerList(viewer);
    }
    this.index();
    viewer.resized();
    this.changed();
  }

  /** Chooses a tool; heavy terrain needs a map with weights. */
  choose(tool) {
    const [, , , weight] = TOOLS.find(([key]) => key === tool);
    this.tool = tool;
    if (weight > 1 && !this.stage.weighs) this.restart(() => (this.stage.weighs = true), { keep: true });
  }

  /** Draws over these cells with the tool. */
  draw(path, isFirst) {
    const { stage, viewer } = this, [, , letter, weight] = TOOLS.find(([key]) => key === this.tool);
    const brush = this.tool === 'door' ? 1 : this.brush;
    const cells = path.flatMap((cell) => under(cell, brush, stage.width, stage.height));
    if (this.tool === 'door' && !isFirst) return;
    for (const [x, y] of cells) {
      if (viewer.tick === 0) this.drawFirst(x, y, letter, weight);
      else this.drawLater(x, y, weight);
    }
    viewer.changed();
  }

  /** Draws on the map before the first tick. */
  drawFirst(x, y, letter, weight) {
    const { stage, viewer } = this;
    if ([stage.start, stage.goal].some((end) => end[0] === x && end[1] === y)) return;
    const isDoor = ([dx, dy]) => dx === x && dy === y;
    if (this.tool === 'door') {
      const had = stage.doors.some(isDoor);
      stage.doors = stage.doors.filter((door) => !isDoor(door));
      if (!had) stage.doors.push([x, y]);
      viewer.record.doors = stage.doors;
    } else if (stage.doors.some(isDoor)) {
      stage.doors = stage.doors.filter((door) => !isDoor(door));
      viewer.record.doors = stage.doors;
    }
    if (stage.letter(x, y) !== letter) stage.draw(x, y, letter);
    viewer.drafts.push([x, y, weight ?? 1]);
    this.isDirty = true;
  }

  /** Draws on the map of a running session, which drops the later timeline. */
  drawLater(x, y, weight) {
    const { viewer, stage } = this;
    if (viewer.tick < this.session.record.end) this.rewind();
    if (weight === null) {
      const cell = viewer.record.cells.at(x, y);
      const drawn = viewer.drafts.findLast((draft) => draft[0] === x && draft[1] === y);
      const now = drawn ? drawn[2] : viewer.timelines[0].replay.word(cell, GROUND) & 0xff;
      weight = now > 0 ? 0 : 1;
    }
    try {
      if (!this.session.inner.edit(x, y, weight)) return;
    } catch (error) {
      return this.say(String(error));
    }
    stage.changes.push([viewer.tick, x, y, weight]);
    viewer.drafts.push([x, y, weight]);
    this.session.record.isAtRest = this.session.inner.is_at_rest();
  }

  /** Drops all ticks after the current one. */
  rewind() {
    const { viewer, stage } = this, { tick, playing } = viewer;
    stage.changes = stage.changes.filter((change) => change[0] < tick);
    const session = new Session(stage);
    session.extend(tick, REWIND);
    this.replace(session, tick);
    viewer.playing = playing;
  }

  /** Handles the end of a stroke. */
  drawn() {
    if (this.isDirty) this.restart(null, { isNoted: true });
    this.isDirty = false;
    this.changed();
  }

  /** Shows another built-in map, with its own problem. */
  takeMap(name) {
    return this.restart(() => this.stage.take(name, wasm.Ground.builtin(name.slice(8), this.stage.seed)));
  }

  /** Picks up start or goal at a cell, or drops it there. */
  carry([x, y]) {
    const { stage } = this;
    if (this.held) {
      if (!stage.isFree(x, y)) return announce('There is a wall: choose a free cell.');
      const end = this.held;
      this.held = null;
      this.restart(() => (stage[end] = [x, y]));
      return announce(`The ${end} is at column ${x}, row ${y}.`);
    }
    this.held = ['goal', 'start'].find((end) => stage[end][0] === x && stage[end][1] === y) ?? null;
    announce(this.held ? `The ${this.held} is picked up: go to a cell with i, j, k and l and press Enter. Escape puts it back.` : 'Press Enter on start or goal to pick it up, or choose another tool.');
  }

  /** Cancels moving start or goal. */
  release() {
    announce(`The ${this.held} is where it was.`);
    this.held = null;
  }

  say(text) {
    $('alert').textContent = text;
    $('alert').hidden = !text;
  }

  changed() {
    for (const listener of this.listeners) listener();
  }
}
