// Explains a tick in one line, from the planner's events and from what the agent did and saw.

function many(n, what) {
  return `${n.toLocaleString('en')} ${what}${n === 1 ? '' : 's'}`;
}

/** Returns the name of the price list in a record. */
function charged({ kinds, prices, all_work }) {
  if (String(prices) === String(all_work)) return 'all work charged';
  return `charged: ${kinds.filter((_, k) => prices[k] > 0).join(', ')}`;
}

/** Formats a cell. */
function named(cells, cell) {
  return `${cells.x(cell)}, ${cells.y(cell)}`;
}

/** Formats a cost as a length with one decimal. */
function short(record, cost) {
  if (cost > 0x7fffffff) return '∞';
  return String(Math.round((10 * cost) / record.meta.costs.unit) / 10);
}

const ENDS = { arrived: 'arrived', 'no-path': 'has proved that there is no path', 'gave-up': 'gave up' };

/** Returns what the agent did in the current tick, and why, as far as its planner reports it. */
function reason(replay, track) {
  const { news } = replay, t = replay.over;
  if (replay.isPartial) return `thinks: ${many(news.expanded, 'expansion')} of this tick`;
  if (t === 0) return track.first ? `recorded from tick ${track.first.toLocaleString('en')}` : 'before its first tick';
  const parts = [action(replay, track), ...thoughts(replay)];
  if (t === track.ticks && ENDS[track.meta.outcome]) parts.unshift(ENDS[track.meta.outcome]);
  return parts.join('; ');
}

/** Returns what the agent did. */
function action(replay, track) {
  const { news, led } = replay, { cells, goal } = replay.record, t = replay.over;
  const d = track.head[t - 1] & 15, { reversals } = track;
  if (d === 9) return 'stops: no path to the goal, as far as it knows';
  if (d === 8) {
    if (track.moves[t] === 0) return 'waits for its first path';
    return news.expanded || news.traced ? 'waits: its path is not ready' : 'waits';
  }
  const here = track.at[t - 1], fork = forkOf(replay, here, track.at[t]);
  if (news.followed) return fork === null ? 'new path found: takes it' : `new path found${rivals(replay, here)}: goes back to the fork at ${named(cells, fork)}`;
  if (fork !== null) return `goes back to the fork at ${named(cells, fork)}`;
  if (reversals[countBelow(reversals, t) - 1] === t - 1) return turnBack(replay, here, track.at[t]);
  if (led && led.cell !== goal && !news.led) return `moves on to sub-goal ${named(cells, led.cell)}`;
  if (replay.followed.includes(track.at[t])) return 'follows its path';
  return isOfCorners(cells, replay.followed) ? 'follows its path from corner to corner' : 'moves on';
}

/** Returns `true` if a path consists of waypoints. */
function isOfCorners(cells, path) {
  return path.some((cell, k) => k > 0 && Math.max(Math.abs(cells.x(cell) - cells.x(path[k - 1])), Math.abs(cells.y(cell) - cells.y(path[k - 1]))) > 1);
}

/** Returns the cell where an agent that backtracks along its search tree will join its path. Returns `null` if it does not backtrack. */
function forkOf(replay, from, to) {
  const { far, followed, record } = replay, { cells, goal } = record;
  // A backward search tree leads to the goal.
  if (!followed.length || far.targetX !== cells.x(goal) || far.targetY !== cells.y(goal)) return null;
  const path = new Set(followed);
  if (path.has(from) || far.word(from, PARENT) !== to) return null;
  for (let cell = to, left = 1e5; cell !== NONE && left > 0; cell = far.word(cell, PARENT), left--) if (path.has(cell)) return cell;
  return null;
}

/** Compares the f of the new path with the best open f beyond the agent's cell. Empty if they do not explain the turn. */
function rivals(replay, here) {
  const { far, followed, record } = replay, there = far.word(followed[0], F), beyond = bestOpenBeyond(far, here);
  if (beyond === null) return `, f ${short(record, there)} there, nothing open on this side`;
  return there <= beyond ? `, f ${short(record, there)} there, ${short(record, beyond)} here` : '';
}

/** Returns the least f of open cells whose path from the root leads through a cell. Returns `null` if there are none. */
function bestOpenBeyond(tree, through) {
  const open = tree.search * 2 + 1, isBeyond = new Map([[through, true], [NONE, false]]);
  let best = null;
  for (let p = 0; p < tree.pages.length; p++) {
    const page = tree.pages[p];
    if (!page) continue;
    for (let k = 0; k < 256; k++) {
      const w = k * WORDS;
      if (page[w + SEARCH] !== open || (best !== null && page[w + F] >= best)) continue;
      const path = [];
      let cell = (p << 8) | k;
      for (; !isBeyond.has(cell) && path.length < 1e5; cell = tree.word(cell, PARENT)) path.push(cell);
      const found = isBeyond.get(cell) ?? false;
      for (const one of path) isBeyond.set(one, found);
      if (found) best = page[w + F];
    }
  }
  return best;
}

/** Explains a step back to the cell just left, by values if they explain it. */
function turnBack(replay, here, back) {
  const { far, record, news } = replay, { cells } = record;
  if (!news.learned && !far.word(here, RISE)) return 'turns back';
  const there = neighborValue(replay, here, back);
  let ahead = Infinity;
  const x = cells.x(here), y = cells.y(here);
  for (const [dx, dy] of DIRECTIONS) {
    if (x + dx < 0 || y + dy < 0 || x + dx >= cells.width || y + dy >= cells.height) continue;
    const cell = cells.at(x + dx, y + dy);
    if (cell === back || !replay.believed(cell)) continue;
    // A diagonal move needs both its sides to be free.
    if (dx && dy && (!replay.believed(cells.at(x + dx, y)) || !replay.believed(cells.at(x, y + dy)))) continue;
    ahead = Math.min(ahead, neighborValue(replay, here, cell));
  }
  if (ahead === Infinity) return 'turns back: a dead end';
  if (there <= ahead) return `turns back: f ${short(record, there)} there, ${short(record, ahead)} any other direction`;
  return news.learned ? 'turns back: after its updates that direction looks shorter' : 'turns back';
}

/** Returns the cost of a move to a neighbor plus the estimate from there. */
function neighborValue(replay, from, to) {
  const { cells, goal } = replay.record, { costs } = replay, dx = cells.x(to) - cells.x(from), dy = cells.y(to) - cells.y(from);
  const factor = costs.weighted ? replay.believed(from) + replay.believed(to) : 1;
  const h = replay.distance(cells.x(to), cells.y(to), cells.x(goal), cells.y(goal)) + replay.far.word(to, RISE);
  return (dx && dy ? costs.diagonal : costs.straight) * factor + h;
}

/** Describes what the planner computed in the tick. */
function thoughts({ news, near, led, record }) {
  const { searches, expanded, nearby, learned, traced, reached, blocked, most } = news, { cells, goal } = record, parts = [];
  if (blocked.length) parts.push(`path blocked at ${named(cells, blocked[0])}${searches ? ': searches again' : ''}`);
  else if (searches && !learned && !near) parts.push(searches === 1 ? 'begins a new search' : `begins ${searches.toLocaleString('en')} searches`);
  if (news.led) {
    const by = led.record === null ? 'led' : `led by record ${led.record.toLocaleString('en')}`;
    parts.push(led.cell === goal ? 'makes for the goal itself' : `${by} to sub-goal ${named(cells, led.cell)}`);
  }
  if (reached) parts.push('the global search has reached it');
  if (near && expanded > nearby) parts.push(`the global search expands ${(expanded - nearby).toLocaleString('en')}`);
  const ahead = near ? nearby : expanded;
  if (learned) {
    const rise = most ? `, h of ${named(cells, most.cell)} from ${short(record, most.before)} to ${short(record, most.after)}` : '';
    parts.push(`${ahead ? `looks ahead ${many(ahead, 'state')}, ` : ''}updates ${many(learned, 'state')}${rise}`);
  } else if (ahead) {
    parts.push(near ? `the local one looks at ${ahead.toLocaleString('en')}` : `expands ${ahead.toLocaleString('en')}`);
  }
  if (traced && !expanded) parts.push(`traces ${many(traced, 'cell')}`);
  return parts;
}
