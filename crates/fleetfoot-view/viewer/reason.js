// Why a tick went as it did, in a line.

function many(n, what) {
  return `${n.toLocaleString('en')} ${what}${n === 1 ? '' : 's'}`;
}

/** What the agent did in the present tick, and why, as far as its planner has told. */
function reason(life, outline) {
  const { news } = life, t = life.over;
  if (life.isPartial) return `thinks: ${many(news.expanded, 'expansion')} of this tick`;
  if (t === 0) return outline.first ? `recorded from tick ${outline.first.toLocaleString('en')}` : 'before its first tick';
  const end = { arrived: 'arrived', 'no-path': 'proved that there is no way', 'gave-up': 'gave up' }[outline.meta.outcome];
  if (t === outline.ticks && end) return end;
  const does = deed(outline, t, news), thinks = thought(news);
  return thinks ? `${does}; ${thinks}` : does;
}

/** What it did. */
function deed(outline, t, news) {
  const d = outline.head[t - 1] & 15, { reversals } = outline;
  if (d === 9) return 'stands: no way leads to the goal, as far as it knows';
  if (d === 8) {
    if (outline.moves[t] === 0) return 'waits for its first way';
    return news.expanded || news.traced ? 'waits: its way is not ready' : 'waits';
  }
  if (reversals[countBelow(reversals, t) - 1] === t - 1) {
    if (news.followed) return 'path changed: walks back to the fork';
    return news.learned ? 'turns back: what it has learned makes the other way look shorter' : 'turns back';
  }
  if (news.followed) return 'path changed: takes the new one';
  return 'moves on';
}

/** What it thought meanwhile. */
function thought({ searches, expanded, learned, traced }) {
  const parts = [];
  if (searches) parts.push(searches === 1 ? 'begins a new search' : `begins ${searches.toLocaleString('en')} searches`);
  if (expanded) parts.push(`expands ${expanded.toLocaleString('en')}`);
  if (learned) parts.push(`learns: raised ${many(learned, 'state')}`);
  if (traced && !expanded) parts.push(`traces ${many(traced, 'cell')}`);
  return parts.join(', ');
}
