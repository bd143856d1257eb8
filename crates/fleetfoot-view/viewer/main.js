// The page: panes, controls, keys.

const $ = (id) => document.getElementById(id);

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** Panes and charts, as many as are asked for. */
function arrange(viewer) {
  const { record } = viewer;
  const main = $('panes');
  main.replaceChildren();
  viewer.panes = [];
  viewer.charts = [];
  viewer.captions = [];
  const indices = record.outlines.map((_, k) => k);
  if (viewer.truthBeside) indices.push(null);
  main.dataset.count = indices.length;
  for (const index of indices) {
    const pane = new Pane(viewer, index);
    const meta = record.meta.lives[index];
    const swatch = element('span', { class: 'number', style: `--agent: ${index ?? 0}` }, index === null || record.outlines.length < 2 ? '' : String(index + 1));
    const name = index === null ? 'The truth' : meta.name;
    const detail = index === null ? 'what the agents cannot see' : `${meta.planner !== meta.name ? meta.planner + ', ' : ''}budget ${meta.budget}`;
    const status = element('p', { class: 'status' });
    const canvas = element('canvas', { class: 'map', role: 'img', tabindex: '0', 'aria-label': `Map: ${name}` });
    const box = element('section', { class: 'pane', 'aria-label': name },
      element('h2', {}, index === null ? '' : swatch, name, element('small', {}, detail)), canvas);
    if (index !== null) {
      box.append(status);
      viewer.captions.push({ status, canvas, name, index });
      const chart = new Chart(viewer, index);
      const strip = element('canvas', { class: 'chart', role: 'img', 'aria-label': `Work of each tick of ${name} against its budget` });
      box.append(strip);
      viewer.charts.push(chart);
      main.append(box);
      chart.attach(strip);
    } else {
      // As high as the others, so that both maps are at the same place.
      status.textContent = 'the world as it is, and every agent in it';
      box.append(status, element('div', { class: 'chart' }));
      main.append(box);
    }
    viewer.panes.push(pane);
    pane.attach(canvas);
    pointer(viewer, pane);
  }
}

/** Dragging, zooming, pointing. */
function pointer(viewer, pane) {
  const { canvas } = pane, held = new Map();
  const place = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  canvas.addEventListener('pointerdown', (event) => {
    canvas.setPointerCapture(event.pointerId);
    held.set(event.pointerId, place(event));
  });
  canvas.addEventListener('pointermove', (event) => {
    const now = place(event), before = held.get(event.pointerId);
    if (!before) return viewer.point(pane.toCell(...now));
    if (held.size === 2) {
      const [other] = [...held].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
      const distance = (at) => Math.hypot(at[0] - other[0], at[1] - other[1]);
      viewer.zoom(distance(now) / Math.max(1, distance(before)), pane, (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
    } else {
      viewer.pan(now[0] - before[0], now[1] - before[1]);
    }
    held.set(event.pointerId, now);
  });
  for (const name of ['pointerup', 'pointercancel']) {
    canvas.addEventListener(name, (event) => {
      if (name === 'pointerup' && event.pointerType === 'touch') viewer.point(pane.toCell(...place(event)));
      held.delete(event.pointerId);
    });
  }
  canvas.addEventListener('pointerleave', (event) => event.pointerType === 'mouse' && viewer.point(null));
  canvas.addEventListener('wheel', (event) => {
    event.preventDefault();
    viewer.zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), pane, ...place(event));
  }, { passive: false });
}

/** What every key does; the help is made from this. */
function keyTable(viewer) {
  const look = (dx, dy) => {
    const { cells, outlines } = viewer.record, outline = outlines[0];
    const at = outline.at[outline.clamp(viewer.tick)];
    const [x, y] = viewer.pointed ?? [cells.x(at), cells.y(at)];
    viewer.point([Math.max(0, Math.min(cells.width - 1, x + dx)), Math.max(0, Math.min(cells.height - 1, y + dy))]);
  };
  const layer = (k) => LAYERS[k] && viewer.setLayer(LAYERS[k][0], !viewer.layers[LAYERS[k][0]]);
  return [
    ['Space', 'play or pause', { ' ': () => viewer.toggle() }],
    ['← →', 'one tick back or on; with Shift ten', {
      ArrowLeft: (event) => viewer.by(event.shiftKey ? -10 : -1), ArrowRight: (event) => viewer.by(event.shiftKey ? 10 : 1) }],
    ['Page Up, Page Down', 'a twentieth of the life back or on', {
      PageUp: () => viewer.by(-Math.ceil((viewer.record.end - viewer.record.first) / 20)),
      PageDown: () => viewer.by(Math.ceil((viewer.record.end - viewer.record.first) / 20)) }],
    ['Home, End', 'first or last tick', { Home: () => viewer.by(-Infinity), End: () => viewer.goTo(viewer.record.end) }],
    ['↑ ↓', 'faster or slower', { ArrowUp: () => viewer.setSpeed(viewer.speed + 1), ArrowDown: () => viewer.setSpeed(viewer.speed - 1) }],
    ['r, n, c', 'next reversal, new search, change; with Shift the one before', {
      r: () => viewer.jump('reversals', 1), R: () => viewer.jump('reversals', -1), n: () => viewer.jump('searches', 1),
      N: () => viewer.jump('searches', -1), c: () => viewer.jump('changes', 1), C: () => viewer.jump('changes', -1) }],
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
  const { record } = viewer;
  const scrub = $('scrub'), speed = $('speed');
  scrub.min = record.first;
  scrub.max = record.end;
  scrub.addEventListener('input', () => {
    viewer.playing = false;
    viewer.goTo(Number(scrub.value));
  });
  SPEEDS.forEach((perSecond, k) => speed.append(new Option(`${perSecond.toLocaleString('en')}/s`, k)));
  speed.addEventListener('change', () => viewer.setSpeed(Number(speed.value)));
  $('tick').addEventListener('change', () => viewer.goTo(Number($('tick').value)));
  const actions = {
    first: () => viewer.by(-Infinity), back: () => viewer.by(-1), play: () => viewer.toggle(), on: () => viewer.by(1),
    last: () => viewer.by(Infinity), reversal: (event) => jumpTo('reversals', event), search: (event) => jumpTo('searches', event),
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
  for (const [id, kind] of [['reversal', 'reversals'], ['search', 'searches'], ['change', 'changes']]) {
    $(id).disabled = record.outlines.every((outline) => outline[kind].length === 0);
  }
  const keys = keyTable(viewer), bound = Object.assign({}, ...keys.map(([, , handlers]) => handlers));
  $('keylist').append(...keys.flatMap(([name, text]) => [element('dt', {}, name), element('dd', {}, text)]));
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest('#tick, select, dialog')) return;
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
  const swatches = { fog: ['fog'], searched: ['now', 'closed', 'earlier'], open: ['open'], learned: ['heat'], paths: ['followed', 'traced'], trail: ['trail'], changes: ['shut', 'opened'] };
  // Only what there is to see in this record.
  const { record } = viewer;
  const isThere = {
    fog: record.foggy,
    learned: record.meta.lives.some((life) => life.highest > 0),
    changes: record.outlines.some((outline) => outline.changes.length > 0),
  };
  for (const [key, name, text] of LAYERS) {
    const box = element('input', { type: 'checkbox', id: `layer-${key}` });
    box.addEventListener('change', () => viewer.setLayer(key, box.checked));
    const colours = element('span', { class: 'swatches', 'aria-hidden': 'true' }, ...swatches[key].map((c) => element('i', { class: c })));
    const label = element('label', {}, box, colours, element('span', {}, name, element('small', {}, text)));
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
  const used = new Set(viewer.charts.flatMap((chart) => chart.used));
  viewer.record.meta.kinds.forEach((kind, k) => used.has(k) && $('kinds').append(element('li', { 'data-kind': k }, kind)));
  $('kinds-note').textContent = viewer.record.meta.prices.slice(1).some((price) => price > 0)
    ? 'Heights are what work costs.'
    : 'Heights are what work honestly costs; this run was charged for expansions only.';
}

/** Everything that shows the present moment in words. */
function refresh(viewer) {
  const { record, tick } = viewer;
  const play = $('play');
  if (document.activeElement !== $('tick')) $('tick').value = tick;
  $('scrub').value = tick;
  $('scrub').setAttribute('aria-valuetext', `tick ${tick} of ${record.end}`);
  $('speed').value = viewer.speed;
  $('of').textContent = `of ${record.end.toLocaleString('en')}`;
  play.classList.toggle('playing', viewer.playing);
  play.setAttribute('aria-label', viewer.playing ? 'Pause' : 'Play');
  $('follow').setAttribute('aria-pressed', viewer.isFollowing);
  for (const [key] of LAYERS) $(`layer-${key}`).checked = viewer.layers[key];
  if ($('truth')) $('truth').checked = viewer.truthBeside;
  for (const caption of viewer.captions) {
    const { life, outline } = viewer.timelines[caption.index], { meta } = outline, t = life.t;
    const over = t === outline.ticks && meta.outcome;
    const moves = outline.moves[t], turns = countBelow(outline.reversals, t);
    const words = [over ? { arrived: 'arrived', 'no-path': 'proved that there is no way', 'gave-up': 'gave up' }[meta.outcome] : doing(outline, t),
      `${moves.toLocaleString('en')} moves`, `${(t - moves).toLocaleString('en')} waits`, `${turns.toLocaleString('en')} reversals`,
      `search ${life.search.toLocaleString('en')}`];
    const text = words.join(' · ');
    if (caption.status.textContent !== text) caption.status.textContent = text;
    caption.canvas.setAttribute('aria-label', `Map: ${caption.name}, tick ${tick}: ${text}`);
  }
  cellInfo(viewer);
}

function doing(outline, t) {
  if (t === 0) return 'before its first tick';
  const d = outline.head[t - 1] & 15;
  return d < 8 ? 'moved' : d === 8 ? 'waited' : 'found no way';
}

function cellInfo(viewer) {
  const { pointed, record } = viewer, box = $('cell');
  const key = `${pointed}|${viewer.tick}`;
  if (box.dataset.key === key) return;
  box.dataset.key = key;
  box.replaceChildren();
  if (!pointed) return box.append(element('p', {}, 'Point at a cell, or press i, j, k or l.'));
  box.append(element('p', {}, `Column ${pointed[0]}, row ${pointed[1]}`));
  viewer.timelines.forEach(({ life }, k) => {
    if (viewer.timelines.length > 1) box.append(element('h4', {}, `${k + 1}  ${record.meta.lives[k].name}`));
    box.append(element('dl', {}, ...describeCell(record, life, pointed).flatMap(([term, text]) => [element('dt', {}, term), element('dd', {}, text)])));
  });
}

/** Keeps the page's address at the present place, a few times a second at most. */
function addressBar(viewer) {
  let timer = null;
  const write = () => {
    timer = null;
    if (location.hash.slice(1) !== viewer.address) history.replaceState(null, '', `#${viewer.address}`);
  };
  viewer.listeners.push(() => (timer ??= setTimeout(write, 400)));
  addEventListener('hashchange', () => {
    const before = viewer.truthBeside;
    viewer.address = location.hash.slice(1);
    if (viewer.truthBeside !== before) arrange(viewer);
    viewer.resized();
  });
}

/** Makes key frames whenever there is time. */
function indexInBackground(viewer) {
  const more = () => {
    const waiting = viewer.timelines.filter((timeline) => timeline.progress < 1);
    if (!waiting.length) {
      $('progress').hidden = true;
      document.body.dataset.ready = 'all';
      return;
    }
    waiting[0].index();
    const done = viewer.timelines.reduce((sum, timeline) => sum + timeline.progress, 0) / viewer.timelines.length;
    $('progress').value = done;
    setTimeout(more, 0);
  };
  more();
}

async function main() {
  const begun = performance.now();
  const record = await readRecord(fromBase64($('record').textContent.trim()));
  const { meta } = record;
  const viewer = new Viewer(record);
  window.fleetfoot = viewer;
  document.title = `${meta.lives.map((life) => life.name).join(', ')} on ${meta.map} – Fleetfoot`;
  $('about').textContent = [`${meta.map}, ${meta.width} × ${meta.height}`, `world ${meta.world}`, `from ${meta.start.join(', ')} to ${meta.goal.join(', ')}`,
    meta.optimal === null ? 'no way at first' : `shortest way ${Math.round(meta.optimal * 10) / 10}`].join(' · ');
  const hash = location.hash.slice(1);
  if (hash) viewer.address = hash;
  arrange(viewer);
  layerList(viewer);
  controls(viewer);
  viewer.listeners.push(() => refresh(viewer));
  addressBar(viewer);
  viewer.resized();
  viewer.frame(performance.now());
  viewer.firstPicture = performance.now();
  viewer.loading = viewer.firstPicture - begun;
  document.body.dataset.ready = 'first';
  indexInBackground(viewer);
}

main().catch((error) => {
  $('about').textContent = `This replay cannot be shown: ${error.message}`;
  document.body.dataset.ready = 'failed';
  throw error;
});
