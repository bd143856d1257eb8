// A session: agents that the library computes, and the record of their runs, which the viewer shows as it grows.

/** Maximum time for computing ticks in a frame, in milliseconds. */
const EXTENDING = 12;
let serial = 0;

class Session {
  constructor(stage) {
    this.stage = stage;
    this.inner = new wasm.Playground(stage.setup, stage.width, stage.height, stage.letters);
    const meta = JSON.parse(this.inner.meta()), cells = new Cells(meta.width, meta.height);
    const known = new Uint8Array(meta.width * meta.height).fill(meta.sighted ? 0 : 1);
    this.record = {
      meta, cells, foggy: meta.sighted, first: 0, end: 0, isLive: true, serial: ++serial, doors: stage.doors,
      letters: cells.tiled(stage.letters), weights: cells.tiled(this.inner.weights()), known: cells.tiled(known),
      start: cells.at(...meta.start), goal: cells.at(...meta.goal),
    };
    this.record.tracks = meta.lives.map((replay) => new Track(this.record, replay, []));
    this.take();
  }

  /** Computes up to this tick, within the time of a frame. */
  extend(wanted, most = EXTENDING) {
    const { inner } = this, end = performance.now() + most;
    for (let step = 1; inner.ticks() < wanted && !inner.is_at_rest(); step = Math.min(64, 2 * step)) {
      inner.live(Math.min(step, wanted - inner.ticks(), 0xffffffff));
      if (performance.now() > end) break;
    }
    this.take();
  }

  /** Adds newly recorded ticks to the record. */
  take() {
    const { inner, record } = this, { lives } = JSON.parse(inner.meta()), states = JSON.parse(inner.states());
    record.tracks.forEach((track, k) => {
      const bytes = inner.chunks(k), view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      for (let at = 0; at < bytes.length; ) {
        const length = view.getUint32(at, true);
        track.append(readChunk(bytes.subarray(at + 4, at + 4 + length)));
        at += 4 + length;
      }
      Object.assign(track.meta, lives[k]);
      track.note = states[k].note;
      track.isEnded = states[k].state === 'ended';
    });
    record.end = inner.ticks();
    record.isAtRest = inner.is_at_rest();
  }

  free() {
    this.inner.free();
  }
}
