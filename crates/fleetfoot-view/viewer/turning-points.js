// Turning points of a run: what happens for the first time, and how the agent gets into a depression of the heuristic and out of it.

/** Limits of what is searched for turning points: ticks, and entries of the record. */
const SCAN_LIMITS = { ticks: 100000, entries: 3e6 };
/** An agent is in a depression if it has turned back as often since it was last nearest to its goal. */
const TURNS_OF_DEPRESSION = 3;
/** Leaving a depression is reported if it took as many ticks. */
const TICKS_OF_DEPRESSION = 12;

/** Returns the kind of a part of a reason: its text without numbers. */
function kindOf(part) {
  return part.replace(/, h of .*$/, '').replace(/ \(.*\)|, f [^:]*/, '').replace(/: f .*$/, ': f').replace(/\d[\d,.]*|∞/g, '#').replace(/# (\w+?)s\b/g, '# $1');
}

/** Reads a run from its beginning, up to its current end, and collects its turning points. */
class TurningPoints {
  constructor(record, track) {
    this.record = record;
    this.track = track;
    this.replay = new Replay(record, track);
    this.seen = new Set();
    this.stops = [];
    const { cells, goal } = record, at = track.at[0];
    this.goal = [cells.x(goal), cells.y(goal)];
    /** The least initial h so far, when that was, reversals since then, and how many of them are the next stop. */
    Object.assign(this, { least: replayDistance(this, at), since: 0, turns: 0, milestone: TURNS_OF_DEPRESSION });
  }

  /** Reads on, for a limited time. Returns `true` if there is more to read. */
  scan(milliseconds = Infinity) {
    const end = performance.now() + milliseconds, { replay, track } = this;
    while (replay.t < Math.min(track.ticks, SCAN_LIMITS.ticks) && replay.entries < SCAN_LIMITS.entries) {
      replay.step();
      this.take();
      if ((replay.t & 15) === 0 && performance.now() > end) return true;
    }
    return false;
  }

  take() {
    const { replay, track, seen } = this, texts = [];
    const fresh = reason(replay, track).split('; ').filter((part) => !seen.has(kindOf(part)));
    for (const part of fresh) seen.add(kindOf(part));
    if (fresh.length) texts.push(fresh.join('; '));
    const depression = this.depression();
    if (depression) texts.push(depression);
    if (texts.length) this.stops.push({ tick: track.first + replay.t, text: texts.join('; ') });
  }

  /** Returns what this tick means for a depression. Empty if nothing. */
  depression() {
    const { replay, track, record } = this, { t } = replay, h = replayDistance(this, track.at[t]);
    if (h < this.least) {
      const ticks = t - this.since, { turns } = this;
      Object.assign(this, { least: h, since: t, turns: 0, milestone: TURNS_OF_DEPRESSION });
      if (turns < TURNS_OF_DEPRESSION || ticks < TICKS_OF_DEPRESSION) return '';
      return `leaves the depression after ${many(ticks, 'tick')} and ${many(turns, 'reversal')}`;
    }
    const { reversals } = track;
    if (reversals[countBelow(reversals, t) - 1] !== t - 1) return '';
    if (++this.turns !== this.milestone) return '';
    this.milestone *= 2;
    const cell = track.at[t - 1], { cells } = record, initial = replay.distance(cells.x(cell), cells.y(cell), ...this.goal), rise = replay.word(cell, RISE);
    const learned = rise ? `, h of ${named(cells, cell)} was ${short(record, initial)}, is ${short(record, initial + rise)}` : '';
    return `fills a depression: ${many(this.turns, 'reversal')} since tick ${(track.first + this.since).toLocaleString('en')}${learned}`;
  }
}

/** Returns the initial h of a cell of a run. */
function replayDistance({ replay, record: { cells }, goal }, cell) {
  return replay.distance(cells.x(cell), cells.y(cell), ...goal);
}

/** Returns the turning points of several runs in order, each with the index of its run. */
function stopsOf(points) {
  return points.flatMap(({ stops }, index) => stops.map((stop) => ({ ...stop, index }))).sort((a, b) => a.tick - b.tick);
}
