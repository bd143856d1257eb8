// The tab of the fleet: its controls and keys.

/** Makes the tab. */
function fleetTab(play) {
  const canvas = element('canvas', { class: 'map', role: 'img', tabindex: '0', 'aria-label': 'Map of the fleet' });
  const strip = element('canvas', { class: 'chart', role: 'img', 'aria-label': 'What each frame takes, in milliseconds' });
  $('fleet').append(element('section', { class: 'pane', 'aria-label': 'Map of the fleet' }, canvas, element('p', { class: 'status', id: 'fleet-status' }), strip));
  const viewer = new FleetSession(play);
  viewer.panes[0].attach(canvas);
  viewer.chart = new FrameChart(viewer, strip);
  watchPointer(viewer, viewer.panes[0]);
  // A right click orders.
  canvas.addEventListener('contextmenu', (event) => {
    event.preventDefault();
    const box = canvas.getBoundingClientRect(), cell = viewer.panes[0].toCell(event.clientX - box.left, event.clientY - box.top);
    if (cell && event.pointerType !== 'touch') viewer.order(cell, event.shiftKey);
  });
  const number = (id, key, most) => $(id).addEventListener('change', () => {
    viewer[key] = Math.max(1, Math.min(most, Math.round(Number($(id).value)) || 1));
    $(id).value = viewer[key];
    viewer.restart();
  });
  number('fleet-count', 'wanted', 20000);
  const showBudget = () => {
    const text = `${viewer.budget} ms a frame`;
    $('fleet-budget-text').textContent = text;
    $('fleet-budget').setAttribute('aria-valuetext', text);
  };
  const budgets = [0.1, 0.2, 0.5, 1, 2, 4, 8, 12];
  $('fleet-budget').addEventListener('input', () => {
    viewer.budget = budgets[Number($('fleet-budget').value)];
    showBudget();
    play.soon();
    viewer.changed();
  });
  $('fleet-rate').addEventListener('change', () => {
    Object.assign(viewer, { rate: Number($('fleet-rate').value), share: 1 });
    play.soon();
  });
  $('fleet-count').value = viewer.wanted;
  $('fleet-rate').value = viewer.rate;
  $('fleet-budget').value = Math.max(0, budgets.indexOf(viewer.budget));
  showBudget();
  const actions = {
    'fleet-play': () => viewer.toggle(),
    'fleet-back': () => viewer.step(-1),
    'fleet-on': () => viewer.step(1),
    'fleet-roam': () => viewer.roam(),
    'fleet-all': () => ((viewer.selected = null), viewer.changed()),
    'fleet-again': () => viewer.restart(),
    'fleet-fit': () => viewer.fit(),
  };
  for (const [id, action] of Object.entries(actions)) $(id).addEventListener('click', action);
  document.addEventListener('keydown', (event) => {
    if (document.body.dataset.tab !== 'fleet' || event.ctrlKey || event.metaKey || event.altKey) return;
    if (ownsKey(event) || (event.target.closest('input, [role=tab], [role=radio]') && event.key.startsWith('Arrow'))) return;
    const { width, height } = viewer.record.cells, [x, y] = viewer.pointed ?? [width >> 1, height >> 1];
    const look = (dx, dy) => viewer.point([Math.max(0, Math.min(width - 1, x + dx)), Math.max(0, Math.min(height - 1, y + dy))]);
    const keys = {
      ' ': () => viewer.toggle(), '+': () => viewer.zoom(1.25), '=': () => viewer.zoom(1.25), '-': () => viewer.zoom(0.8), 0: () => viewer.fit(),
      i: () => look(0, -1), j: () => look(-1, 0), k: () => look(0, 1), l: () => look(1, 0),
      Enter: () => (play.tool === 'move' ? viewer.take([x, y], event)?.end() : viewer.drawing([x, y]).end()),
      ArrowLeft: () => viewer.step(-1), ArrowRight: () => viewer.step(1), '?': () => $('help').showModal(),
      b: () => $('theme').click(),
      w: () => viewer.pan(0, 60), a: () => viewer.pan(60, 0), s: () => viewer.pan(0, -60), d: () => viewer.pan(-60, 0),
    };
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });
  // Follows changes of map and theme.
  play.listeners.push(() => document.body.dataset.tab === 'fleet' && !viewer.isCurrent && viewer.restart());
  play.viewer.listeners.push(() => {
    if (viewer.themed === play.viewer.themeName) return;
    viewer.themed = play.viewer.themeName;
    viewer.isStale = true;
    viewer.changed();
  });
  window.fleet = play.fleet = viewer;
  return viewer;
}
