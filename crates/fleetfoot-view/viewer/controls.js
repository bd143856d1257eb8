// Buttons, keys and layers.

/** What every key does; the help is made from this. */
function keyTable(viewer) {
  const look = (dx, dy) => {
    const { cells } = viewer.record, [x, y] = viewer.pointed ?? viewer.lookedAt;
    viewer.point([Math.max(0, Math.min(cells.width - 1, x + dx)), Math.max(0, Math.min(cells.height - 1, y + dy))]);
  };
  const layer = (k) => LAYERS[k] && viewer.setLayer(LAYERS[k][0], !viewer.layers[LAYERS[k][0]]);
  return [
    ['Space', 'play or pause', { ' ': () => viewer.toggle() }],
    ['← →', 'one tick back or on; with Shift ten', {
      ArrowLeft: (event) => viewer.by(event.shiftKey ? -10 : -1), ArrowRight: (event) => viewer.by(event.shiftKey ? 10 : 1) }],
    [', .', 'one expansion back or on', { ',': () => viewer.byExpansion(-1), '.': () => viewer.byExpansion(1) }],
    ['Page Up, Page Down', 'a twentieth of the life back or on', {
      PageUp: () => viewer.by(-Math.ceil((viewer.end - viewer.record.first) / 20)),
      PageDown: () => viewer.by(Math.ceil((viewer.end - viewer.record.first) / 20)) }],
    ['Home, End', 'first or last tick', { Home: () => viewer.by(-Infinity), End: () => viewer.goTo(viewer.more ? Infinity : viewer.end) }],
    ['↑ ↓', 'faster or slower', { ArrowUp: () => viewer.setSpeed(viewer.speed + 1), ArrowDown: () => viewer.setSpeed(viewer.speed - 1) }],
    ['r, n, c', 'next reversal, new search, change; with Shift the one before', {
      r: () => viewer.jump('reversals', 1), R: () => viewer.jump('reversals', -1), n: () => viewer.jump('searches', 1),
      N: () => viewer.jump('searches', -1), c: () => viewer.jump('changes', 1), C: () => viewer.jump('changes', -1) }],
    ...(viewer.stops ? [['m', 'next stop of the story; with Shift the one before', { m: () => viewer.toStop(1), M: () => viewer.toStop(-1) }]] : []),
    ['+ −', 'zoom', { '+': () => viewer.zoom(1.25), '=': () => viewer.zoom(1.25), '-': () => viewer.zoom(0.8) }],
    ['w a s d', 'pan', { w: () => viewer.pan(0, 60), a: () => viewer.pan(60, 0), s: () => viewer.pan(0, -60), d: () => viewer.pan(-60, 0) }],
    ['0, 9, f', 'the whole map, the walk, follow the agent', {
      0: () => viewer.fit(), 9: () => viewer.fitWalk(), f: () => viewer.follow(!viewer.isFollowing) }],
    ['i j k l', 'look at another cell; x: at none', {
      i: () => look(0, -1), j: () => look(-1, 0), k: () => look(0, 1), l: () => look(1, 0), x: () => viewer.point(null) }],
    [`1 to ${LAYERS.length}`, 'layers on and off', Object.fromEntries(LAYERS.map((_, k) => [k + 1, () => layer(k)]))],
    ['b', 'light or dark', { b: () => viewer.setTheme(viewer.themeName === 'dark' ? 'light' : 'dark') }],
    ['?', 'this help', { '?': () => ($('help').open ? $('help').close() : $('help').showModal()) }],
  ];
}

function controls(viewer) {
  const scrub = $('scrub'), speed = $('speed');
  scrub.addEventListener('input', () => {
    viewer.playing = false;
    viewer.goTo(Number(scrub.value));
  });
  SPEEDS.forEach((perSecond, k) => speed.append(new Option(`${perSecond.toLocaleString('en')}/s`, k)));
  speed.addEventListener('change', () => viewer.setSpeed(Number(speed.value)));
  $('tick').addEventListener('change', () => viewer.goTo(Number($('tick').value)));
  const actions = {
    first: () => viewer.by(-Infinity), back: () => viewer.by(-1), play: () => viewer.toggle(), on: () => viewer.by(1),
    last: () => viewer.by(Infinity), less: () => viewer.byExpansion(-1), more: () => viewer.byExpansion(1), reversal: (event) => jumpTo('reversals', event), search: (event) => jumpTo('searches', event),
    change: (event) => jumpTo('changes', event), fit: () => viewer.fit(), walk: () => viewer.fitWalk(),
    follow: () => viewer.follow(!viewer.isFollowing), zoomin: () => viewer.zoom(1.4), zoomout: () => viewer.zoom(1 / 1.4),
    theme: () => viewer.setTheme(viewer.themeName === 'dark' ? 'light' : 'dark'), keys: () => $('help').showModal(),
    close: () => $('help').close(),
  };
  const jumpTo = (kind, event) => {
    const found = viewer.jump(kind, event.shiftKey ? -1 : 1);
    if (!found) $('live').textContent = 'No more of them in that direction.';
  };
  for (const [id, action] of Object.entries(actions)) $(id).addEventListener('click', action);
  const { record } = viewer, whose = $('whose');
  // Lives that are lived on have no end yet.
  whose.hidden = record.outlines.length < 2 || record.isLive;
  whose.append(new Option('all', ''), ...record.meta.lives.map((life, k) => new Option(`${k + 1} ${life.name}`, k)));
  whose.addEventListener('change', () => viewer.cover(whose.value === '' ? null : Number(whose.value)));
  $('events').parentElement.addEventListener('toggle', () => viewer.changed());
  const keys = keyTable(viewer), bound = Object.assign({}, ...keys.map(([, , handlers]) => handlers));
  $('keylist').append(...keys.flatMap(([name, text]) => [element('dt', {}, name), element('dd', {}, text)]));
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || viewer.isAway) return;
    if (event.target.closest('input:not([type=range], [type=checkbox], [type=radio]), textarea, select, dialog')) return;
    // Space and Enter press the button that has the focus.
    if (event.key === ' ' && event.target.closest('button, input, summary')) return;
    const action = bound[event.key];
    if (!action) return;
    event.preventDefault();
    action(event);
  });
}

/** The layers with their colours: legend and switches in one. */
function layerList(viewer) {
  const { record } = viewer, hasNear = record.isLive || record.meta.lives.some((life) => life.near);
  $('layers').replaceChildren();
  const swatches = {
    fog: ['fog'], hidden: ['walls'], searched: ['now', 'closed', 'earlier'], open: ['open'], learned: ['heat'], paths: ['followed', 'traced'],
    trail: record.meta.lives.map((_, k) => `trail a${k}`), changes: ['shut', 'opened'],
  };
  if (hasNear) swatches.searched.push('near'), swatches.open.push('near open');
  const more = hasNear ? { searched: '; dots: by the near-sighted search', open: '; rings: of the near-sighted search' } : {};
  // Only what there is to see in this record.
  const isThere = {
    fog: record.foggy,
    hidden: record.foggy,
    learned: record.isLive || record.meta.lives.some((life) => life.highest > 0),
    changes: record.isLive || record.outlines.some((outline) => outline.changes.length > 0),
  };
  for (const [key, name, text] of LAYERS) {
    const box = element('input', { type: 'checkbox', id: `layer-${key}` });
    box.addEventListener('change', () => viewer.setLayer(key, box.checked));
    const colours = element('span', { class: 'swatches', 'aria-hidden': 'true' }, ...swatches[key].map((c) => element('i', { class: c })));
    const label = element('label', {}, box, colours, element('span', {}, name, element('small', {}, text + (more[key] ?? ''))));
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
}

/** The colours of the strip charts. */
function workLegend({ charts, record }) {
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
