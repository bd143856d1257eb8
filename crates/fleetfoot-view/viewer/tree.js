// A search tree: the state of all cells in one of a planner's searches. Most planners have one; some have a local one
// in addition.
//
// Each cell has eight words. Cells are in pages of 256, made when they are first touched. A key frame shares the
// pages: a shared page is copied before it is changed. So going back replaces pages.

const G = 0, F = 1, PARENT = 2, EXCESS = 3, RISE = 4, EXPANDED = 5, SEARCH = 6, GROUND = 7, WORDS = 8;
/** The word SEARCH is twice the number of the last search that touched the cell, plus 1 if it is open. In GROUND: */
const BELIEVED = 8, KNOWN = 1 << 16;

class SearchTree {
  constructor(record, at) {
    this.record = record;
    this.pages = new Array(record.cells.tiles).fill(null);
    /** Pages that no key frame holds. */
    this.own = new Uint8Array(record.cells.tiles);
    /** Pages that have changed since they were painted. */
    this.touched = new Uint8Array(record.cells.tiles);
    /** Number of the current search, counted from 1. Cells of earlier ones are no longer open. */
    this.search = 0;
    this.isSkipping = false;
    /** Pages that the current search has touched; `null` if unknown. */
    this.inSearch = [];
    this.repaint = true;
    /** The cell that steps are relative to. */
    this.cursor = [record.cells.x(at), record.cells.y(at)];
    this.aim(record.goal);
  }

  /** Sets the target of the current search. */
  aim(cell) {
    this.targetX = this.record.cells.x(cell);
    this.targetY = this.record.cells.y(cell);
  }

  /** Returns the page of a cell for writing. */
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

  /** Returns a word of a cell, even if its page does not exist. */
  word(cell, word) {
    const page = this.pages[cell >>> 8];
    if (page) return page[(cell & 255) * WORDS + word];
    return this.blank(cell >>> 8)[(cell & 255) * WORDS + word];
  }

  /** Begins a search, which closes the open cells of the previous one. */
  begin() {
    this.search++;
    if (this.inSearch) for (const p of this.inSearch) this.touched[p] = 1;
    else this.repaint = true;
    this.inSearch = [];
  }

  /** Adds a page to those that the current search has touched. */
  note(p) {
    const list = this.inSearch;
    if (list && list[list.length - 1] !== p) list.push(p);
  }

  /** Returns the size of the pages that no key frame shares, in bytes. */
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
