// Going to any tick: key frames are made in the background, in slices that leave the page responsive.

/** Entries between two key frames, as long as memory allows: some milliseconds of decoding. */
const SPACING = 8000;
/** Milliseconds of a slice. */
const SLICE = 10;
/** Bytes that the key frames of all runs of a page may take. Beyond it every other one is dropped, and they are made half as often. */
const FRAME_BYTES = 10e6;

class Timeline {
  constructor(record, track, runs = 1) {
    const make = () => new (record.fleet ? FleetReplay : Replay)(record, track);
    this.replay = make();
    this.frames = [this.replay.save()];
    this.times = [0];
    this.scout = make();
    this.track = track;
    this.since = { entries: 0, t: 0 };
    this.spacing = SPACING;
    /** Bytes of all key frames, about, and how many they may be. */
    this.bytes = 0;
    this.room = FRAME_BYTES / runs;
  }

  /** How far key frames reach, from 0 to 1. */
  get progress() {
    return this.track.ticks ? this.scout.t / this.track.ticks : 1;
  }

  /** Works on key frames for a while; true if there is more to do. */
  index() {
    const end = performance.now() + SLICE, { scout, track } = this;
    while (scout.t < track.ticks) {
      scout.step();
      if (scout.entries - this.since.entries > this.spacing || scout.t - this.since.t > this.spacing / 2) this.keep();
      if ((scout.t & 15) === 0 && performance.now() > end) return true;
    }
    return false;
  }

  /** Makes a key frame of the moment that the scout has reached. */
  keep() {
    const { scout } = this;
    this.since = { entries: scout.entries, t: scout.t };
    this.bytes += scout.ownBytes();
    this.frames.push(scout.save());
    this.times.push(scout.t);
    if (this.bytes <= this.room || this.frames.length < 8) return;
    const isKept = (_, k) => k % 2 === 0;
    this.frames = this.frames.filter(isKept);
    this.times = this.times.filter(isKept);
    this.spacing *= 2;
    this.bytes /= 2;
  }

  /** What happens in the tick that begins after t ticks, one by one. */
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

  /** Goes to the moment after t ticks, or into the next one up to so many expansions. */
  seek(t, part = 0) {
    const { replay } = this;
    if (replay.before) replay.restore(replay.before);
    const frame = this.frames[countBelow(this.times, t + 1) - 1];
    if (t < replay.t || frame.t > replay.t) replay.restore(frame);
    while (replay.t < t) replay.step();
    if (part === 0 || t >= this.track.ticks) return;
    const before = replay.save();
    replay.step(part);
    replay.before = before;
  }
}
