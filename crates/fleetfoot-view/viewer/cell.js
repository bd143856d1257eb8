// Describes a cell in words.

const GROUNDS = { '.': 'ground', G: 'grass', S: 'swamp', '@': 'wall', O: 'outside', T: 'trees', W: 'water' };

/** Formats a cost as a length. */
function lengthOf(record, cost) {
  if (cost > 0x7fffffff) return '∞';
  const n = cost / record.meta.costs.unit;
  return Number.isInteger(n) ? String(n) : n.toFixed(2);
}

function weightWord(weight) {
  return weight === 0 ? 'blocked' : weight === 1 ? 'free' : `weight ${weight}`;
}

/** Describes the state of a cell in a search. */
function describeVisit(record, replay, tree, cell, name) {
  const { cells } = record, word = (k) => tree.word(cell, k), mark = word(SEARCH);
  if (!mark) return [];
  const g = word(G), f = word(F), parent = word(PARENT), expanded = word(EXPANDED);
  const isPresent = mark >>> 1 === tree.search, when = expanded ? `expanded in tick ${replay.track.first + expanded}` : 'not expanded';
  const state = !isPresent ? 'an earlier one' : mark & 1 ? 'open' : expanded ? 'closed' : 'no longer open';
  return [
    [name, `${state}; ${when}`],
    ['g', lengthOf(record, g)], ['h', lengthOf(record, Math.max(0, f - g))], ['f', lengthOf(record, f)],
    ['parent', parent === NONE ? 'none: a root' : `${cells.x(parent)}, ${cells.y(parent)}`],
  ];
}

/** Returns the short numbers in a cell: those of the current search, otherwise the learned value. */
function cellValues(record, replay, cell) {
  const { cells, goal } = record, rise = replay.word(cell, RISE);
  for (const tree of [replay.near, replay.far]) {
    if (!tree || !tree.word(cell, SEARCH) || tree.word(cell, SEARCH) >>> 1 !== tree.search) continue;
    const g = tree.word(cell, G), f = tree.word(cell, F);
    return [`g ${lengthOf(record, g)}`, `h ${lengthOf(record, Math.max(0, f - g))}`, `f ${lengthOf(record, f)}`];
  }
  if (!rise) return [];
  return [`h ${lengthOf(record, replay.distance(cells.x(cell), cells.y(cell), cells.x(goal), cells.y(goal)) + rise)}`];
}

/** Returns terms and texts about a cell, for one replay. */
function describeCell(record, replay, [x, y]) {
  const { cells, goal } = record, cell = cells.at(x, y);
  const word = (k) => replay.word(cell, k);
  const ground = word(GROUND), truth = ground & 0xff, believed = (ground >> BELIEVED) & 0xff;
  const letter = String.fromCharCode(record.letters[cell]);
  const rows = [['truth', `${GROUNDS[letter] ?? letter}, ${weightWord(truth)}`]];
  if (!(ground & KNOWN)) rows.push(['belief', `not seen, taken to be ${weightWord(believed)}`]);
  else if (believed !== truth) rows.push(['belief', `${weightWord(believed)}, as last seen`]);
  const initial = replay.distance(x, y, cells.x(goal), cells.y(goal));
  rows.push(...describeVisit(record, replay, replay.far, cell, replay.near ? 'global' : 'search'));
  // Only the current local search is described, since a new one begins in almost every tick.
  if (replay.near && replay.near.word(cell, SEARCH) >>> 1 === replay.near.search) {
    rows.push(...describeVisit(record, replay, replay.near, cell, 'local'));
  }
  const rise = word(RISE);
  rows.push(['initial h', lengthOf(record, initial)]);
  if (rise) rows.push(['learned h', `${lengthOf(record, initial + rise)}, that is ${lengthOf(record, rise)} more`]);
  return rows;
}
