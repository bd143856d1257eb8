// The cells of a map, one pixel each: what a run has made of them, or the truth, or what all planners have expanded.

/** The layers with their initial visibility, in the order of their keys 1, 2, …; the key of the search tree is t. A fleet has others.
 * @type {any[][]} */
let LAYERS = [
  ['fog', 'Belief', 'not seen, and taken for free ground'],
  ['hidden', 'Walls not seen', 'there, but the agent does not know'],
  ['searched', 'Expanded', 'in this tick, in this search, in earlier searches'],
  ['open', 'Open list', 'waiting to be expanded'],
  ['learned', 'Learned h', 'how far above the initial h; dashed line: the depression that is being filled'],
  ['paths', 'Paths', 'followed: solid; being traced: dashed; triangle: sub-goal'],
  ['trail', 'Trail', 'white dots: stepped back to the cell just left'],
  ['changes', 'Changes', 'closed, opened; ringed when they happen'],
  ['tree', 'Search tree', 'a line from each state of the present search to its parent (key t); zoom in where it is not drawn', false],
];

class CellLayer {
  /** Shows the run of this index; or, for `null`, the truth and all agents; or, for `'over'`, what all planners have expanded. */
  constructor(viewer, index) {
    this.viewer = viewer;
    this.index = index;
    this.isOfRun = Number.isInteger(index);
    this.isOver = index === 'over';
    const { width, height } = viewer.record.cells;
    this.sheet = Object.assign(document.createElement('canvas'), { width, height });
    this.sheetContext = this.sheet.getContext('2d');
    this.image = new ImageData(width, height);
    this.pixels = new Uint32Array(this.image.data.buffer);
    /** The pages as they were painted. */
    this.painted = new Array(viewer.record.cells.tiles).fill(undefined);
    this.watch();
  }

  /** Shows the replay of the present record. */
  watch() {
    this.timeline = this.viewer.timelines[this.isOfRun ? this.index : 0];
    this.expandedBy = [];
    this.scaledTo = 0;
    this.stale = true;
  }

  /** Updates the image of the cells. */
  paint() {
    const { replay } = this.timeline, { cells } = this.viewer.record;
    // Read for every cell below.
    [this.replay, this.palette, this.layers] = [replay, this.viewer.palette, this.viewer.layers];
    this.highest = this.isOfRun ? this.viewer.highest(this.index) : 1;
    const others = this.isOver ? this.viewer.timelines.map((timeline) => timeline.replay) : [];
    let left = cells.width, top = cells.height, right = 0, bottom = 0;
    const all = this.stale || (replay.far.repaint && this.isOfRun);
    for (let p = 0; p < cells.tiles; p++) {
      const page = replay.far.pages[p];
      const isOtherwise = others.some(({ far }) => far.touched[p] || far.repaint);
      if (!this.stale && page === this.painted[p] && !replay.far.touched[p] && !(all && page) && !isOtherwise) continue;
      this.expandedBy = others.map(({ far }) => far.pages[p]);
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
        const color = page
          ? this.color(page, k * WORDS, letters[cell], weights[cell])
          : this.untouched(letters[cell], weights[cell], known[cell]);
        this.pixels[(top + y) * cells.width + left + x] = this.isOver ? this.expandedColor(color, k * WORDS) : color;
      }
    }
  }

  /** Returns the color of a cell below the tints of all planners that have expanded it: one is pale, several are darker. Open states are paler. */
  expandedColor(color, w) {
    const { layers, palette, viewer } = this, by = [];
    let strength = 25;
    for (let k = 0; k < this.expandedBy.length; k++) {
      const page = this.expandedBy[k];
      if (!page || viewer.without.has(k)) continue;
      const isOpen = layers.open && page[w + SEARCH] && page[w + SEARCH] === viewer.timelines[k].replay.far.search * 2 + 1;
      if (!isOpen && !(layers.searched && page[w + EXPANDED] > 0)) continue;
      by.push(palette.agents[k]);
      strength += isOpen ? 30 : 65;
    }
    if (by.length === 0) return color;
    const blend = by.reduce((sum, agent, k) => (k ? mix(sum, agent, Math.round(256 / (k + 1))) : agent));
    return mix(color, blend, strength);
  }

  untouched(letter, weight, isKnown) {
    const { palette, layers } = this;
    if (isKnown || !layers.fog || !this.isOfRun) return palette.letters[letter];
    return weight === 0 && layers.hidden ? palette.hidden : palette.fog;
  }

  color(page, w, letter, first) {
    const { palette, layers, replay } = this;
    const ground = page[w + GROUND], truth = ground & 0xff;
    let color = palette.letters[letter];
    if (truth !== first) {
      if (truth === 0) color = layers.changes ? palette.shut : palette.wall;
      else if (first === 0) color = layers.changes ? mix(palette.plain, palette.opened, 115) : palette.plain;
      else if (layers.changes) color = mix(color, palette.opened, 80);
    }
    if (!this.isOfRun) return color;
    if (layers.fog) {
      const believed = (ground >> BELIEVED) & 0xff, isKnown = ground & KNOWN;
      // The agent relies on what it saw, and assumes that unseen cells are free.
      if (truth === 0 && believed > 0) color = layers.hidden ? palette.hidden : isKnown ? palette.plain : palette.fog;
      else if (!isKnown) color = palette.fog;
      else if (truth > 0 && believed === 0) color = palette.phantom;
    }
    const rise = layers.learned ? page[w + RISE] : 0;
    if (rise > 0) {
      const share = rise > 0x3fffffff ? 255 : Math.min(255, Math.sqrt(rise / this.highest) * 255);
      color = mix(color, palette.heat[share | 0], 215);
    }
    const mark = page[w + SEARCH], expanded = page[w + EXPANDED];
    if (mark === 0) return color;
    const isPresent = mark >>> 1 === replay.far.search, through = rise > 0 ? 1 : 0; // what was learned shows through
    if (expanded > 0 && expanded === replay.t && layers.searched) return mix(color, palette.now, 225 >> through);
    if (isPresent && mark & 1) return layers.open ? mix(color, palette.open, 200 >> through) : color;
    if (expanded === 0 || !layers.searched) return color;
    return isPresent ? mix(color, palette.closed, 205 >> through) : mix(color, palette.earlier, 170 >> (2 * through));
  }
}
