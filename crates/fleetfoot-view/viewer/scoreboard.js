// The scoreboard: compares the planners at the current moment. Clicking a column sorts it.

/** Columns: key, name, meaning. */
const SCORES = [
  ['index', 'planner', 'In the order of the maps'],
  ['arrived', 'state', 'Arrived, or what the agent does'],
  ['ratio', 'cost', 'The cost of the path so far, divided by that of the shortest path on the map at first'],
  ['expanded', 'expanded', 'States expanded so far'],
  ['reversals', 'reversals', 'Steps back to the cell just left, so far'],
  ['ticks', 'ticks', 'Ticks so far, up to the arrival'],
];

/** Returns the numbers of a run at the current moment. */
function score(viewer, index) {
  const { replay, track } = viewer.timelines[index], { meta } = viewer.record, t = replay.over, end = track.first + track.ticks;
  const hasArrived = t === track.ticks && track.meta.outcome === 'arrived', { optimal } = meta;
  const walked = replay.cost / meta.costs.unit, isShut = t > 0 && (track.head[t - 1] & 15) === 9;
  return {
    index, name: meta.lives[index].name, arrived: hasArrived ? end : Infinity,
    state: hasArrived ? 'arrived' : track.isEnded ? 'ended' : isShut ? 'no path' : t > 0 && (track.head[t - 1] & 15) === 8 ? 'waits' : t > 0 ? 'moves' : '–',
    ratio: optimal ? walked / optimal : NaN, expanded: track.expanded[t], reversals: countBelow(track.reversals, t), ticks: t,
  };
}

class Scoreboard {
  constructor(viewer) {
    Object.assign(this, { viewer, key: 'index', isDown: false, shown: '' });
    const head = element('tr', {}, ...SCORES.map(([key, name, title]) => {
      const button = element('button', { type: 'button', title: `${title}. Press to sort.`, 'data-key': key }, name);
      button.addEventListener('click', () => this.sort(key));
      return element('th', { scope: 'col' }, button);
    }));
    this.body = element('tbody');
    this.table = element('table', { id: 'scores' }, element('caption', { class: 'hidden' }, 'Scoreboard at the present tick'), element('thead', {}, head), this.body);
    $('board').replaceChildren(this.table);
  }

  sort(key) {
    this.isDown = key === this.key && !this.isDown;
    this.key = key;
    this.shown = '';
    this.refresh();
  }

  refresh() {
    const { viewer, key } = this, rows = viewer.record.tracks.map((_, k) => score(viewer, k));
    const order = rows.map((row) => row[key]), rank = (n) => (Number.isNaN(n) ? Infinity : n);
    rows.sort((a, b) => (rank(order[a.index]) - rank(order[b.index]) || a.index - b.index) * (this.isDown ? -1 : 1));
    const cells = rows.map((row) => [row.state, Number.isNaN(row.ratio) ? '–' : row.ratio.toFixed(2), ...[row.expanded, row.reversals, row.ticks].map((n) => n.toLocaleString('en'))]);
    const shown = JSON.stringify([rows.map(({ index, name }) => [index, name]), cells, viewer.focus, key, this.isDown]);
    if (shown === this.shown) return;
    this.shown = shown;
    this.keep(rows);
    rows.forEach((row, k) => {
      const [name, ...others] = this.body.rows[k].cells, button = name.firstChild;
      button.setAttribute('aria-pressed', String(row.index === viewer.focus));
      if (button.dataset.index !== String(row.index) || button.dataset.name !== row.name) {
        Object.assign(button.dataset, { index: String(row.index), name: row.name });
        button.replaceChildren(agentNumber(row.index), ` ${row.name}`);
      }
      others.forEach((cell, c) => cell.textContent !== cells[k][c] && (cell.textContent = cells[k][c]));
    });
    for (const cell of this.table.tHead.rows[0].cells) {
      const isKey = cell.firstChild.dataset.key === key;
      if (isKey) cell.setAttribute('aria-sort', this.isDown ? 'descending' : 'ascending');
      else cell.removeAttribute('aria-sort');
    }
  }

  /** Adds or removes rows to match the planners. Existing rows stay, so that the focus does. */
  keep(rows) {
    while (this.body.rows.length > rows.length) this.body.lastChild.remove();
    while (this.body.rows.length < rows.length) {
      const button = element('button', { type: 'button', title: 'Select this planner: its map where one is shown, its whole run in the chart, and follow it' });
      button.addEventListener('click', () => this.viewer.focusOn(Number(button.dataset.index)));
      this.body.append(element('tr', {}, element('th', { scope: 'row' }, button), ...SCORES.slice(1).map(() => element('td', {}))));
    }
  }
}
