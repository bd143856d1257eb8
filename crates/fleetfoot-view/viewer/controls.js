// Buttons, keys and layers.

/** Announces a text to readers who cannot see the page, and shows it where the page has a place for it. */
function announce(text) {
  $('live').textContent = text;
  if ($('hint')) $('hint').textContent = text;
}

/** The layouts of maps, and their names. */
const LAYOUTS = { side: 'side by side', one: 'one map', over: 'overlaid' };

function nextLayout(viewer) {
  const names = Object.keys(LAYOUTS);
  if (viewer.record.tracks.length > 1) viewer.setLayout(names[(names.indexOf(viewer.layout) + 1) % names.length]);
}

/** Returns `true` if the element that has the focus needs this key itself: text fields all of them, others those that they act on. */
function ownsKey({ target, key }) {
  if (target.closest('input:not([type=range], [type=checkbox], [type=radio]), textarea, select, dialog')) return true;
  const isPressed = key === ' ' || key === 'Enter', isMoved = key.startsWith('Arrow') || ['Home', 'End', 'PageUp', 'PageDown'].includes(key);
  if (isMoved && target.closest('[role=tab], [role=radio], [type=range]:not(#scrub), [tabindex]:not(canvas)')) return true;
  return isPressed && target.closest('button, input, summary, a') !== null;
}

/** Lets arrow keys choose within a group of tabs or radio buttons. */
function roving(group, selector, choose) {
  group.addEventListener('keydown', (event) => {
    const all = [...group.querySelectorAll(selector)].filter((one) => one.offsetParent), at = all.indexOf(event.target);
    const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
    const to = event.key === 'Home' ? 0 : event.key === 'End' ? all.length - 1 : event.key in steps ? (at + steps[event.key] + all.length) % all.length : -1;
    if (at < 0 || to < 0) return;
    event.preventDefault();
    event.stopPropagation();
    all[to].focus();
    choose(all[to]);
  });
}

/** Returns the action of every key. The help is made from this. */
function keyTable(viewer) {
  const look = (dx, dy) => {
    const { cells } = viewer.record, [x, y] = viewer.pointed ?? viewer.lookedAt;
    viewer.point([Math.max(0, Math.min(cells.width - 1, x + dx)), Math.max(0, Math.min(cells.height - 1, y + dy))]);
  };
  // Layers that this record does not have cannot be switched.
  const layer = (k) => {
    const box = LAYERS[k] && $(`layer-${LAYERS[k][0]}`);
    if (!box || box.closest('label').hidden) return announce('There is no such layer here.');
    viewer.setLayer(LAYERS[k][0], !viewer.layers[LAYERS[k][0]]);
  };
  return [
    ['Space', 'play or pause', { ' ': () => viewer.toggle() }],
    ['← →', 'one tick back or on; with Shift ten', {
      ArrowLeft: (event) => viewer.by(event.shiftKey ? -10 : -1), ArrowRight: (event) => viewer.by(event.shiftKey ? 10 : 1) }],
    [', .', 'one expansion back or on', { ',': () => viewer.byExpansion(-1), '.': () => viewer.byExpansion(1) }],
    ['Page Up, Page Down', 'a twentieth of the run back or on', {
      PageUp: () => viewer.by(-Math.ceil((viewer.end - viewer.record.first) / 20)),
      PageDown: () => viewer.by(Math.ceil((viewer.end - viewer.record.first) / 20)) }],
    ['Home, End', 'first or last tick', { Home: () => viewer.by(-Infinity), End: () => viewer.goTo(viewer.extend ? Infinity : viewer.end) }],
    ['↑ ↓', 'faster or slower', { ArrowUp: () => viewer.setSpeed(viewer.speed + 1), ArrowDown: () => viewer.setSpeed(viewer.speed - 1) }],
    ['r, n, c', 'next reversal, new search, change; with Shift the one before', {
      r: () => viewer.jump('reversals', 1), R: () => viewer.jump('reversals', -1), n: () => viewer.jump('searches', 1),
      N: () => viewer.jump('searches', -1), c: () => viewer.jump('changes', 1), C: () => viewer.jump('changes', -1) }],
    ...(viewer.stops ? [['m', 'next stop of the story; with Shift the one before', { m: () => viewer.toStop(1), M: () => viewer.toStop(-1) }]] : []),
    ['+ −', 'zoom', { '+': () => viewer.zoom(1.25), '=': () => viewer.zoom(1.25), '-': () => viewer.zoom(0.8) }],
    ['w a s d', 'pan', { w: () => viewer.pan(0, 60), a: () => viewer.pan(60, 0), s: () => viewer.pan(0, -60), d: () => viewer.pan(-60, 0) }],
    ['0, 9, f', 'the whole map, the walk, follow the agents', {
      0: () => viewer.fit(), 9: () => viewer.fitWalk(), f: () => viewer.follow(!viewer.isFollowing) }],
    ['v, p', 'maps side by side, one, or overlaid; select the next planner', {
      v: () => nextLayout(viewer), p: () => viewer.focusOn((viewer.focus + 1) % viewer.record.tracks.length) }],
    ['i j k l', 'look at another cell; x: at none', {
      i: () => look(0, -1), j: () => look(-1, 0), k: () => look(0, 1), l: () => look(1, 0), x: () => viewer.point(null) }],
    [`1 to ${Math.min(8, LAYERS.length)}`, 'layers on and off', Object.fromEntries(LAYERS.slice(0, 8).map((_, k) => [k + 1, () => layer(k)]))],
    ...(LAYERS[8] ? [['t', 'search tree on and off', { t: () => layer(8) }]] : []),
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
  SPEEDS.forEach((perSecond, k) => speed.append(new Option(`${perSecond.toLocaleString('en')}/s`, String(k))));
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
  const jumpTo = (kind, event) => viewer.jump(kind, event.shiftKey ? -1 : 1) || announce('No more of them in that direction.');
  for (const [id, action] of Object.entries(actions)) $(id).addEventListener('click', action);
  $('layout').addEventListener('change', () => viewer.setLayout($('layout').value));
  const { record } = viewer, whose = $('whose');
  // Live runs have no end yet.
  whose.hidden = record.tracks.length < 2 || record.isLive;
  whose.append(new Option('all', ''), ...record.meta.lives.map((replay, k) => new Option(`${k + 1} ${replay.name}`, String(k))));
  whose.addEventListener('change', () => viewer.select(whose.value === '' ? null : Number(whose.value)));
  $('events').parentElement.addEventListener('toggle', () => viewer.changed());
  const keys = keyTable(viewer), bound = Object.assign({}, ...keys.map(([, , handlers]) => handlers));
  $('keylist').append(...keys.flatMap(([name, text]) => [element('dt', {}, name), element('dd', {}, text)]));
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || viewer.isHidden) return;
    if (ownsKey(event)) return;
    const action = bound[event.key];
    if (!action) return;
    event.preventDefault();
    action(event);
  });
}
