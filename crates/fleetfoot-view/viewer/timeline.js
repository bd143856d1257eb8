// Seeks to any tick. Key frames are made in the background, in slices that leave the page responsive.

/** Minimum number of entries between two key frames: a few milliseconds of decoding. */
const SPACING = 8000;
/** Duration of a slice, in milliseconds. */
const SLICE = 10;
/** Maximum memory of the key frames of all runs of a page, in bytes. Beyond it every second one is dropped and the spacing doubles. */
const FRAME_BYTES = 3e6;

class Timeline {
  constructor(record, track, runs = 1) {
    this.make = () => new (record.fleet ? FleetReplay : Replay)(record, track);
    /** @type {any} */
    this.replay = this.make();
    this.frames = [this.replay.save()];
    this.times = [0];
    /** Replay that makes key frames of ticks that have not been shown; `null` if nothing is left to do. */
    this.scout = null;
    /** Key frames exist up to this tick. */
    this.covered = 0;
    this.track = track;
    this.since = { entries: 0, t: 0 };
    this.spacing = SPACING;
    /** Approximate bytes of all key frames, and their maximum. */
    this.bytes = 0;
    this.room = FRAME_BYTES / runs;
  }

  /** Returns the share of the run that key frames cover, from 0 to 1. */
  get progress() {
    return this.track.ticks ? this.covered / this.track.ticks : 1;
  }

  /** Makes key frames for a while. Returns `true` if there is more to do. */
  index() {
    const end = performance.now() + SLICE, { track } = this;
    if (this.covered < track.ticks) {
      const scout = (this.scout ??= this.make());
      if (scout.t < this.times.at(-1)) scout.restore(this.frames.at(-1));
      while (scout.t < track.ticks) {
        scout.step();
        this.cover(scout);
        if ((scout.t & 15) === 0 && performance.now() > end) return true;
      }
    }
    // Frees several megabytes.
    this.scout = null;
    return false;
  }

  /** Handles a tick that was read: makes a key frame if it is new, and far enough from the previous one. */
  cover(reader) {
    if (reader.t !== this.covered + 1) return;
    this.covered = reader.t;
    if (reader.entries - this.since.entries > this.spacing || reader.t - this.since.t > this.spacing / 2) this.keep(reader);
  }

  /** Stores a key frame of a moment. */
  keep(reader) {
    this.since = { entries: reader.entries, t: reader.t };
    this.bytes += reader.ownBytes();
    this.frames.push(reader.save());
    this.times.push(reader.t);
    if (this.bytes <= this.room || this.frames.length < 8) return;
    const isKept = (_, k) => k % 2 === 0;
    this.frames = this.frames.filter(isKept);
    this.times = this.times.filter(isKept);
    this.spacing *= 2;
    this.bytes /= 2;
  }

  /** Returns the events of the tick that begins after t ticks. */
  eventsOf(t) {
    if (this.told?.t === t && this.told.replay === this.replay) return this.told.list;
    const reader = new Replay(this.replay.record, this.track);
    reader.restore(this.frames[countBelow(this.times, t + 1) - 1]);
    while (reader.t < t) reader.step();
    reader.log = [];
    reader.step();
    this.told = { t, replay: this.replay, list: reader.log };
    return reader.log;
  }

  /** Goes to the moment after t ticks, or `part` expansions into the next one. */
  seek(t, part = 0) {
    const { replay } = this;
    if (replay.before) replay.restore(replay.before);
    const frame = this.frames[countBelow(this.times, t + 1) - 1];
    if (t < replay.t || frame.t > replay.t) replay.restore(frame);
    while (replay.t < t) {
      replay.step();
      this.cover(replay);
    }
    if (part === 0 || t >= this.track.ticks) return;
    const before = replay.save();
    replay.step(part);
    replay.before = before;
  }
}
