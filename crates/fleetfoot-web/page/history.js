// Undo and redo of all changes of the stage.

/** Maximum size of maps in the history, in bytes. */
const HISTORY_BYTES = 3e6;

class UndoHistory {
  constructor(play) {
    Object.assign(this, { play, past: [], future: [] });
  }

  /** Returns a copy of the stage, for restoring it. */
  snapshot() {
    const { stage, viewer } = this.play;
    const copied = Object.fromEntries(['letters', 'doors', 'changes', 'planners'].map((key) => [key, stage[key].slice()]));
    return { fields: { ...stage, ...copied }, tick: viewer.tick };
  }

  /** Stores the stage before a change. Drops undone changes. */
  note() {
    this.past.push(this.snapshot());
    this.future = [];
    let bytes = 0, kept = 0;
    for (let k = this.past.length - 1; k >= 0 && bytes <= HISTORY_BYTES; k--) bytes += this.past[k].fields.letters.length, kept++;
    this.past = this.past.slice(-Math.max(kept, 2));
    this.refresh();
  }

  /** Drops the last copy: the change was refused. */
  forget() {
    this.past.pop();
    this.refresh();
  }

  undo() {
    this.go(this.past, this.future, 'undone');
  }

  redo() {
    this.go(this.future, this.past, 'made again');
  }

  go(from, to, what) {
    if (!from.length) return announce(`Nothing to be ${what}.`);
    const { play } = this, { fields, tick } = from.pop();
    to.push(this.snapshot());
    Object.assign(play.stage, fields);
    play.replace(new Session(play.stage), tick);
    announce(`The last change is ${what}.`);
    this.refresh();
  }

  refresh() {
    $('undo').disabled = !this.past.length;
    $('redo').disabled = !this.future.length;
  }
}
