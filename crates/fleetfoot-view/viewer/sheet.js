// A sheet: the map, one pixel per cell, with what a life has made of it, or with the truth.

/** The layers, in the order of their keys 1, 2, …; a fleet has others. */
let LAYERS = [
  ['fog', 'Belief', 'not seen, and taken for free ground'],
  ['hidden', 'Walls not seen', 'there, but the agent does not know'],
  ['searched', 'Expanded', 'in this tick, in this search, in earlier searches'],
  ['open', 'Open list', 'waiting to be expanded'],
  ['learned', 'Learned h', 'how far above the initial h'],
  ['paths', 'Paths', 'followed: solid; being traced: dashed; triangle: sub-goal'],
  ['trail', 'Trail', 'white dots: stepped back to the cell just left'],
  ['changes', 'Changes', 'shut: red; opened: green; ringed when they happen'],
];

class Sheet {
  /** Shows a life; or, without one, the truth and all lives. */
  constructor(viewer, index) {
    this.viewer = viewer;
    this.index = index;
    this.isTruth = index === null;
    const { width, height } = viewer.record.cells;
    this.sheet = Object.assign(document.createElement('canvas'), { width, height });
    this.sheetContext = this.sheet.getContext('2d');
    this.image = new ImageData(width, height);
    this.pixels = new Uint32Array(this.image.data.buffer);
    /** The pages as they were painted. */
    this.painted = new Array(viewer.record.cells.tiles).fill(undefined);
    this.watch();
  }

  /** Shows the life of the present record. */
  watch() {
    this.timeline = this.viewer.timelines[this.index ?? 0];
    this.scaledTo = 0;
    this.stale = true;
  }

  /** Brings the sheet of cells up to date. */
  paint() {
    const { life } = this.timeline, { cells } = this.viewer.record;
    // What every cell needs, at hand.
    [this.life, this.palette, this.layers] = [life, this.viewer.palette, this.viewer.layers];
    this.highest = this.isTruth ? 1 : this.viewer.highest(this.index);
    let left = cells.width, top = cells.height, right = 0, bottom = 0;
    const all = this.stale || (life.far.repaint && !this.isTruth);
    for (let p = 0; p < cells.tiles; p++) {
      const page = life.far.pages[p];
      if (!this.stale && page === this.painted[p] && !life.far.touched[p] && !(all && page)) continue;
      this.paintPage(p, page);
      this.painted[p] = page;
      const x = (p % cells.across) << 4, y = ((p / cells.across) | 0) << 4;
      left = Math.min(left, x), top = Math.min(top, y);
      right = Math.max(right, x + 16), bottom = Math.max(bottom, y + 16);
    }
    this.stale = false;
    if (right > left) {
      const width = Math.min(right, cells.width) - left, height = Math.min(bottom, cells.height) - top;
      this.sheetContext.putImageData(this.image, 0, 0, left, top, width, height);
    }
  }

  paintPage(p, page) {
    const { cells, letters, weights, known } = this.viewer.record;
    const left = (p % cells.across) << 4, top = ((p / cells.across) | 0) << 4;
    const right = Math.min(16, cells.width - left), bottom = Math.min(16, cells.height - top);
    for (let y = 0; y < bottom; y++) {
      for (let x = 0; x < right; x++) {
        const k = (y << 4) | x, cell = (p << 8) | k;
        const colour = page
          ? this.colour(page, k * WORDS, letters[cell], weights[cell])
          : this.untouched(letters[cell], weights[cell], known[cell]);
        this.pixels[(top + y) * cells.width + left + x] = colour;
      }
    }
  }

  untouched(letter, weight, isKnown) {
    const { palette, layers } = this;
    if (isKnown || !layers.fog || this.isTruth) return palette.letters[letter];
    return weight === 0 && layers.hidden ? palette.hidden : palette.fog;
  }

  colour(page, w, letter, first) {
    const { palette, layers, life } = this;
    const ground = page[w + GROUND], truth = ground & 0xff;
    let colour = palette.letters[letter];
    if (truth !== first) {
      if (truth === 0) colour = layers.changes ? palette.shut : palette.wall;
      else if (first === 0) colour = layers.changes ? mix(palette.plain, palette.opened, 115) : palette.plain;
      else if (layers.changes) colour = mix(colour, palette.opened, 80);
    }
    if (this.isTruth) return colour;
    if (layers.fog) {
      const believed = (ground >> BELIEVED) & 0xff, isKnown = ground & KNOWN;
      // The agent goes by what it saw, and takes what it has not seen for free.
      if (truth === 0 && believed > 0) colour = layers.hidden ? palette.hidden : isKnown ? palette.plain : palette.fog;
      else if (!isKnown) colour = palette.fog;
      else if (truth > 0 && believed === 0) colour = palette.phantom;
    }
    const rise = layers.learned ? page[w + RISE] : 0;
    if (rise > 0) {
      const share = rise > 0x3fffffff ? 255 : Math.min(255, Math.sqrt(rise / this.highest) * 255);
      colour = mix(colour, palette.heat[share | 0], 215);
    }
    const mark = page[w + SEARCH], expanded = page[w + EXPANDED];
    if (mark === 0) return colour;
    const isPresent = mark >>> 1 === life.far.search, through = rise > 0 ? 1 : 0; // what was learned shows through
    if (expanded > 0 && expanded === life.t && layers.searched) return mix(colour, palette.now, 225 >> through);
    if (isPresent && mark & 1) return layers.open ? mix(colour, palette.open, 200 >> through) : colour;
    if (expanded === 0 || !layers.searched) return colour;
    return isPresent ? mix(colour, palette.closed, 205 >> through) : mix(colour, palette.earlier, 170 >> (2 * through));
  }
}
