// Why a tick went as it did, in a line: from what its planner told, and from what the agent did and saw.

function many(n, what) {
  return `${n.toLocaleString('en')} ${what}${n === 1 ? '' : 's'}`;
}

/** What is charged to the budget of a run, by the prices in its record. */
function charged({ kinds, prices, all_work }) {
  if (String(prices) === String(all_work)) return 'all work charged';
  return `charged: ${kinds.filter((_, k) => prices[k] > 0).join(', ')}`;
}

/** A cell in words. */
function named(cells, cell) {
  return `${cells.x(cell)}, ${cells.y(cell)}`;
}

const ENDS = { arrived: 'arrived', 'no-path': 'has proved that there is no way', 'gave-up': 'gave up' };

/** What the agent did in the present tick, and why, as far as its planner has told. */
function reason(life, outline) {
  const { news } = life, t = life.over;
  if (life.isPartial) return `thinks: ${many(news.expanded, 'expansion')} of this tick`;
  if (t === 0) return outline.first ? `recorded from tick ${outline.first.toLocaleString('en')}` : 'before its first tick';
  const parts = [deed(life, outline), ...thoughts(life)];
  if (t === outline.ticks && ENDS[outline.meta.outcome]) parts.unshift(ENDS[outline.meta.outcome]);
  return parts.join('; ');
}

/** What it did. */
function deed(life, outline) {
  const { news, led } = life, { cells, goal } = life.record, t = life.over;
  const d = outline.head[t - 1] & 15, { reversals } = outline;
  if (d === 9) return 'stands: no way leads to the goal, as far as it knows';
  if (d === 8) {
    if (outline.moves[t] === 0) return 'waits for its first way';
    return news.expanded || news.traced ? 'waits: its way is not ready' : 'waits';
  }
  const fork = forkOf(life, outline.at[t - 1], outline.at[t]);
  if (news.followed) return fork === null ? 'new way found: takes it' : `new way found: walks back to the fork at ${named(cells, fork)}`;
  if (fork !== null) return `walks back to the fork at ${named(cells, fork)}`;
  if (reversals[countBelow(reversals, t) - 1] === t - 1) {
    return news.learned ? 'turns back: with what it has learned the other way looks shorter' : 'turns back';
  }
  if (led && led.cell !== goal && !news.led) return `moves on to sub-goal ${named(cells, led.cell)}`;
  if (life.followed.includes(outline.at[t])) return 'follows its way';
  return isOfCorners(cells, life.followed) ? 'follows its way from corner to corner' : 'moves on';
}

/** Whether a way is told by the places where it turns. */
function isOfCorners(cells, way) {
  return way.some((cell, k) => k > 0 && Math.max(Math.abs(cells.x(cell) - cells.x(way[k - 1])), Math.abs(cells.y(cell) - cells.y(way[k - 1]))) > 1);
}

/** Where an agent that walks back up its search tree will meet the way that it means to follow; null if it does not. */
function forkOf(life, from, to) {
  const { far, followed, record } = life, { cells, goal } = record;
  // A tree that grows from the goal leads onwards.
  if (!followed.length || far.targetX !== cells.x(goal) || far.targetY !== cells.y(goal)) return null;
  const way = new Set(followed);
  if (way.has(from) || far.word(from, PARENT) !== to) return null;
  for (let cell = to, left = 1e5; cell !== NONE && left > 0; cell = far.word(cell, PARENT), left--) if (way.has(cell)) return cell;
  return null;
}

/** What it thought meanwhile. */
function thoughts({ news, near, led, record }) {
  const { searches, expanded, nearby, learned, traced, reached, blocked } = news, { cells, goal } = record, parts = [];
  if (blocked.length) parts.push(`way blocked at ${named(cells, blocked[0])}${searches ? ': searches anew' : ''}`);
  else if (searches && !learned && !near) parts.push(searches === 1 ? 'begins a new search' : `begins ${searches.toLocaleString('en')} searches`);
  if (news.led) {
    const by = led.record === null ? 'led' : `led by record ${led.record.toLocaleString('en')}`;
    parts.push(led.cell === goal ? 'makes for the goal itself' : `${by} to sub-goal ${named(cells, led.cell)}`);
  }
  if (reached) parts.push('the far-sighted search has reached it');
  if (near && expanded > nearby) parts.push(`the far-sighted search expands ${(expanded - nearby).toLocaleString('en')}`);
  const ahead = near ? nearby : expanded;
  if (learned) parts.push(`${ahead ? `looks ahead ${many(ahead, 'state')}, ` : ''}raises ${many(learned, 'state')}`);
  else if (ahead) parts.push(near ? `the near-sighted one looks at ${ahead.toLocaleString('en')}` : `expands ${ahead.toLocaleString('en')}`);
  if (traced && !expanded) parts.push(`traces ${many(traced, 'cell')}`);
  return parts;
}
