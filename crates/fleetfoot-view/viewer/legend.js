// Layers, symbols and kinds of work with their colors: legend and switches in one.

/** Shows the layers with their colors and switches. */
function layerList(viewer) {
  const { record } = viewer, hasNear = record.isLive || record.meta.lives.some((replay) => replay.near);
  $('layers').replaceChildren();
  const swatches = {
    fog: ['fog'], hidden: ['walls'], searched: ['now', 'closed', 'earlier'], open: ['open'], learned: ['heat'], paths: ['followed', 'traced'],
    trail: record.meta.lives.map((_, k) => `trail a${k}`), changes: ['shut', 'opened', 'changing'], tree: ['tree'],
  };
  if (hasNear) swatches.searched.push('dot'), swatches.open.push('ring');
  const more = hasNear ? { searched: '; dots: by the local search', open: '; rings: of the local search' } : {};
  // Layers without content in this record are hidden.
  const isThere = {
    fog: record.foggy,
    hidden: record.foggy,
    learned: record.isLive || record.meta.lives.some((replay) => replay.highest > 0),
    changes: record.isLive || record.tracks.some((track) => track.changes.length > 0),
  };
  for (const [key, name, text] of LAYERS) {
    const box = element('input', { type: 'checkbox', id: `layer-${key}` });
    box.addEventListener('change', () => viewer.setLayer(key, box.checked));
    const colors = element('span', { class: 'swatches', 'aria-hidden': 'true' }, ...swatches[key].map((c) => element('i', { class: c })));
    const label = element('label', {}, box, colors, element('span', {}, name, element('small', {}, text + (more[key] ?? ''))));
    label.hidden = isThere[key] === false;
    $('layers').append(label);
  }
  if (viewer.record.foggy) {
    const box = element('input', { type: 'checkbox', id: 'truth' });
    box.addEventListener('change', () => {
      viewer.truthBeside = box.checked;
      arrange(viewer);
      viewer.resized();
    });
    $('layers').append(element('label', {}, box, element('span', { class: 'swatches' }), element('span', {}, 'Truth beside', element('small', {}, 'a second map, without fog'))));
  }
  workLegend(viewer);
  symbolLegend(viewer);
}

/** Marks on the map: their names, and the records that have them.
 * @type {[string, string, (record: any) => boolean][]} */
const SYMBOLS = [
  ['start', 'start', () => true],
  ['goal', 'goal', () => true],
  ['agent', 'agent', () => true],
  ['door', 'door', (record) => record.isLive || record.doors?.length > 0],
  ['turned', 'reversal', () => true],
  ['subgoal', 'sub-goal', (record) => record.isLive || record.meta.lives.some(({ planner }) => /knn|d-lrta|pr-lrta/.test(planner))],
];

/** Shows the marks on the map with their names. */
function symbolLegend({ record }) {
  $('symbols').replaceChildren(...SYMBOLS.filter(([, , isThere]) => isThere(record)).map(([key, name]) => element('li', {}, element('i', { class: key }), name)));
}

/** Shows the kinds of terrain on the map, in the colors of the theme. */
function groundLegend({ record }) {
  const list = $('grounds'), key = `${record.serial}|${record.meta.map}`;
  if (list.dataset.key === key) return;
  list.dataset.key = key;
  const letters = new Set();
  for (let y = 0; y < record.cells.height; y++) for (let x = 0; x < record.cells.width; x++) letters.add(String.fromCharCode(record.letters[record.cells.at(x, y)]));
  const shown = Object.keys(GROUNDS).filter((letter) => letters.has(letter));
  list.replaceChildren(...shown.map((letter) => element('li', {}, element('i', { style: `background: var(--${GROUND_COLORS[letter]})` }), GROUNDS[letter])));
}

/** Shows the colors of the chart. */
function workLegend({ charts, record }) {
  if (record.fleet) return;
  $('kinds').replaceChildren();
  const has = (kind, list) => charts.some((chart) => chart[list].includes(kind));
  record.meta.kinds.forEach((kind, k) => {
    if (has(k, 'charged')) $('kinds').append(element('li', { 'data-kind': k }, kind));
    if (has(k, 'free')) $('kinds').append(element('li', { 'data-kind': k, class: 'free' }, `${kind}, not charged`));
  });
  const hasBudget = charts.some((chart) => chart.budget), hasFree = charts.some((chart) => chart.free.length);
  $('kinds-note').textContent = [
    hasBudget ? 'Dashed line: the budget. Bars: what was charged, at the prices of this run.' : 'Bars: what was charged, at the prices of this run.',
    hasFree ? 'Hatched, below: work that was not charged, at what it costs where all work is charged; with a solid end where it is cut.' : '',
  ].join(' ').trim();
}
