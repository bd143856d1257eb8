// A search tree: what one of a planner's searches has made of the cells. Most planners have one; some a near-sighted one
// beside it.
//
// Each cell has eight words. Cells live in pages of 256, made when they are first touched. A key frame keeps the pages
// as they are; whoever writes to a kept page first copies it. So going back is putting other pages in place.

const G = 0, F = 1, PARENT = 2, EXCESS = 3, RISE = 4, EXPANDED = 5, SEARCH = 6, GROUND = 7, WORDS = 8;
/** In the word SEARCH: twice the number of the last search that touched the cell, and whether it is open. In GROUND: */
const BELIEVED = 8, KNOWN = 1 << 16;

class SearchTree {
  constructor(record, at) {
    this.record = record;
    this.pages = new Array(record.cells.tiles).fill(null);
    /** Pages that no key frame holds. */
    this.own = new Uint8Array(record.cells.tiles);
    /** Pages that have changed since they were painted. */
    this.touched = new Uint8Array(record.cells.tiles);
    /** The present search, counted from 1; cells of earlier ones are no longer open. */
    this.search = 0;
    this.isSkipping = false;
    /** Pages that the present search has been on; null if unknown. */
    this.inSearch = [];
    this.repaint = true;
    /** Where steps are counted from. */
    this.cursor = [record.cells.x(at), record.cells.y(at)];
    this.aim(record.goal);
  }

  /** What the present search looks for. */
  aim(cell) {
    this.targetX = this.record.cells.x(cell);
    this.targetY = this.record.cells.y(cell);
  }

  /** The page of a cell, to be written to. */
  page(cell) {
    const p = cell >>> 8;
    this.touched[p] = 1;
    if (this.own[p]) return this.pages[p];
    this.own[p] = 1;
    return (this.pages[p] = this.pages[p] ? this.pages[p].slice() : this.blank(p));
  }

  blank(p) {
    const { weights, known, meta } = this.record;
    const page = new Uint32Array(256 * WORDS);
    for (let k = 0; k < 256; k++) {
      const weight = weights[(p << 8) | k], isKnown = known[(p << 8) | k];
      const believed = isKnown ? weight : meta.costs.least;
      page[k * WORDS + GROUND] = weight | (believed << BELIEVED) | (isKnown ? KNOWN : 0);
      page[k * WORDS + PARENT] = NONE;
    }
    return page;
  }

  /** A word of a cell, whether its page exists or not. */
  word(cell, word) {
    const page = this.pages[cell >>> 8];
    if (page) return page[(cell & 255) * WORDS + word];
    return this.blank(cell >>> 8)[(cell & 255) * WORDS + word];
  }

  /** A search begins: what was open is so no longer. */
  begin() {
    this.search++;
    if (this.inSearch) for (const p of this.inSearch) this.touched[p] = 1;
    else this.repaint = true;
    this.inSearch = [];
  }

  /** Remembers that the present search has been on this page. */
  note(p) {
    const list = this.inSearch;
    if (list && list[list.length - 1] !== p) list.push(p);
  }

  /** Bytes of the pages that no key frame holds yet. */
  ownBytes() {
    let own = 0;
    for (const isOwn of this.own) own += isOwn;
    return own * 256 * WORDS * 4 + this.pages.length * 4;
  }

  save() {
    this.own.fill(0);
    return {
      pages: this.pages.slice(),
      search: this.search,
      isSkipping: this.isSkipping,
      cursor: this.cursor.slice(),
      target: [this.targetX, this.targetY],
    };
  }

  restore(frame) {
    this.pages = frame.pages.slice();
    this.own.fill(0);
    this.search = frame.search;
    this.isSkipping = frame.isSkipping;
    this.cursor = frame.cursor.slice();
    [this.targetX, this.targetY] = frame.target;
    this.inSearch = null;
    this.repaint = true;
  }
}
