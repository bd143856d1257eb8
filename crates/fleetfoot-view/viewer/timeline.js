// Going to any tick: key frames are made in the background, in slices that leave the page responsive.

/** Entries between two key frames: some milliseconds of decoding. */
const SPACING = 8000;
/** Milliseconds of a slice. */
const SLICE = 10;

class Timeline {
  constructor(record, outline) {
    const make = () => new (record.fleet ? FleetLife : Life)(record, outline);
    this.life = make();
    this.frames = [this.life.save()];
    this.times = [0];
    this.scout = make();
    this.outline = outline;
    this.since = { entries: 0, t: 0 };
  }

  /** How far key frames reach, from 0 to 1. */
  get progress() {
    return this.outline.ticks ? this.scout.t / this.outline.ticks : 1;
  }

  /** Works on key frames for a while; true if there is more to do. */
  index() {
    const end = performance.now() + SLICE, { scout, outline } = this;
    while (scout.t < outline.ticks) {
      scout.step();
      if (scout.entries - this.since.entries > SPACING || scout.t - this.since.t > SPACING / 2) {
        this.since = { entries: scout.entries, t: scout.t };
        this.frames.push(scout.save());
        this.times.push(scout.t);
      }
      if ((scout.t & 15) === 0 && performance.now() > end) return true;
    }
    return false;
  }

  /** What happens in the tick that begins after t ticks, one by one. */
  eventsOf(t) {
    if (this.told?.t === t && this.told.life === this.life) return this.told.list;
    const reader = new Life(this.life.record, this.outline);
    reader.restore(this.frames[countBelow(this.times, t + 1) - 1]);
    while (reader.t < t) reader.step();
    reader.log = [];
    reader.step();
    this.told = { t, life: this.life, list: reader.log };
    return reader.log;
  }

  /** Goes to the moment after t ticks, or into the next one up to so many expansions. */
  seek(t, part = 0) {
    const { life } = this;
    if (life.before) life.restore(life.before);
    const frame = this.frames[countBelow(this.times, t + 1) - 1];
    if (t < life.t || frame.t > life.t) life.restore(frame);
    while (life.t < t) life.step();
    if (part === 0 || t >= this.outline.ticks) return;
    const before = life.save();
    life.step(part);
    life.before = before;
  }
}
