// The ticks of a replay as bytes, in the order in which they are read: five columns in each chunk.

class TickReader {
  constructor(track) {
    this.track = track;
    this.open(-1);
  }

  open(k) {
    this.chunk = k;
    const chunk = this.track.chunks[k];
    this.left = chunk ? chunk.count : 0;
    this.columns = chunk ? chunk.columns.map(([from, to]) => new Reader(chunk.raw, from, to)) : [];
    [this.ticks, this.ops, this.places, this.masks, this.values] = this.columns;
  }

  /** Advances to the next tick. */
  next() {
    while (this.left === 0) {
      if (this.chunk + 1 >= this.track.chunks.length) throw damaged('ticks are missing');
      this.open(this.chunk + 1);
    }
    this.left--;
  }

  /** Moves a cursor (column and row) to the next position. */
  place(cursor) {
    const { places } = this, byte = places.byte();
    if (byte === 255) {
      cursor[0] += places.signed();
      cursor[1] += places.signed();
    } else if (byte === undefined) {
      throw damaged('places are missing');
    } else {
      cursor[0] += (byte % 15) - 7;
      cursor[1] += ((byte / 15) | 0) - 7;
    }
  }

  save() {
    return { chunk: this.chunk, left: this.left, columns: this.columns.map((reader) => reader.at) };
  }

  restore(frame) {
    this.open(frame.chunk);
    this.left = frame.left;
    frame.columns.forEach((at, k) => (this.columns[k].at = at));
  }
}
