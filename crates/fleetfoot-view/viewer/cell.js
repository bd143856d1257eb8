// What is known of a cell, in words.

const GROUNDS = { '.': 'ground', G: 'grass', S: 'swamp', '@': 'wall', O: 'outside', T: 'trees', W: 'water' };

/** A cost as a length. */
function lengthOf(record, cost) {
  if (cost > 0x7fffffff) return '∞';
  const n = cost / record.meta.costs.unit;
  return Number.isInteger(n) ? String(n) : n.toFixed(2);
}

function weightWord(weight) {
  return weight === 0 ? 'blocked' : weight === 1 ? 'free' : `weight ${weight}`;
}

/** Terms and texts about a cell, for one life. */
function describeCell(record, life, [x, y]) {
  const { cells, goal } = record, cell = cells.at(x, y);
  const word = (k) => life.word(cell, k);
  const ground = word(GROUND), truth = ground & 0xff, believed = (ground >> BELIEVED) & 0xff;
  const letter = String.fromCharCode(record.letters[cell]);
  const rows = [['truth', `${GROUNDS[letter] ?? letter}, ${weightWord(truth)}`]];
  if (!(ground & KNOWN)) rows.push(['belief', `not seen, taken to be ${weightWord(believed)}`]);
  else if (believed !== truth) rows.push(['belief', `${weightWord(believed)}, as last seen`]);
  const mark = word(SEARCH);
  const initial = life.distance(x, y, cells.x(goal), cells.y(goal));
  if (mark) {
    const g = word(G), f = word(F), parent = word(PARENT);
    const isPresent = mark >>> 1 === life.search;
    rows.push(['g', lengthOf(record, g)], ['h', lengthOf(record, Math.max(0, f - g))], ['f', lengthOf(record, f)]);
    rows.push(['parent', parent === NONE ? 'none: a root' : `${cells.x(parent)}, ${cells.y(parent)}`]);
    const expanded = word(EXPANDED);
    const when = expanded ? `expanded in tick ${life.outline.first + expanded - 1}` : 'not expanded';
    rows.push(['search', `${isPresent ? (mark & 1 ? 'open' : 'closed') : 'an earlier one'}; ${when}`]);
  }
  const rise = word(RISE);
  rows.push(['initial h', lengthOf(record, initial)]);
  if (rise) rows.push(['learned h', `${lengthOf(record, initial + rise)}, that is ${lengthOf(record, rise)} more`]);
  return rows;
}
