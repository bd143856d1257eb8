// The maps on the page: side by side, one of them large, or all planners overlaid.

/** @type {(id: string) => any} */
const $ = (id) => document.getElementById(id);

/** @returns {any} */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** Returns the number of a planner in its color. */
function agentNumber(index) {
  return element('span', { class: `number a${index}` }, String(index + 1));
}

/** Returns the visible panes: indices of runs; `null` for the truth; `'over'` for all planners overlaid. */
function paneKinds(viewer) {
  const { record, layout } = viewer, all = record.tracks.map((_, k) => k);
  if (layout === 'over' && all.length > 1) return ['over'];
  const kinds = layout === 'one' ? [viewer.focus] : all;
  return viewer.truthBeside ? [...kinds, null] : kinds;
}

/** Returns the title of a pane: name and details. */
function paneTitle(viewer, index) {
  if (index === null) return ['The truth', 'the world as it is, with every agent in it'];
  if (index === 'over') return ['Overlaid', 'what each has expanded, in its color; darker where several have'];
  return [viewer.record.meta.lives[index].name, heading(viewer.record, index)];
}

/** Makes the panes. */
function arrange(viewer) {
  const { record } = viewer, main = $('panes'), kinds = paneKinds(viewer);
  main.replaceChildren();
  viewer.panes = [];
  viewer.captions = [];
  main.dataset.count = kinds.length;
  for (const index of kinds) {
    const pane = new viewer.Pane(viewer, index), [name, detail] = paneTitle(viewer, index);
    pane.planner = detail;
    const why = element('p', { class: 'why' }), status = element('p', { class: 'status' }), note = element('p', { class: 'note', role: 'status', hidden: '' });
    const canvas = element('canvas', { class: 'map', role: 'img', tabindex: '0', 'aria-label': `Map: ${name}` });
    const number = Number.isInteger(index) && record.tracks.length > 1 ? [agentNumber(index)] : [];
    const box = element('section', { class: 'pane', 'aria-label': number.length ? `${index + 1} ${name}` : name },
      element('h2', { title: detail }, ...number, element('span', { class: 'name' }, name), element('small', {}, detail)), why, canvas);
    if (index === 'over') why.replaceChildren(...overlayButtons(viewer));
    if (Number.isInteger(index)) {
      box.append(note, ...(record.fleet ? [status] : []));
      viewer.captions.push({ why, status, note, canvas, name, index });
    }
    if (record.fleet) why.remove();
    main.append(box);
    viewer.panes.push(pane);
    pane.attach(canvas);
    watchPointer(viewer, pane);
  }
  viewer.chart?.watch();
}

/** Shows another record in the existing panes. Returns `false` unless it has the same planners and map size. */
function rebind(viewer) {
  const { record, panes } = viewer, kinds = paneKinds(viewer);
  const isSame = panes.length === kinds.length && panes.every(({ index, sheet, planner }, k) =>
    sheet.width === record.cells.width && sheet.height === record.cells.height && index === kinds[k] && planner === paneTitle(viewer, index)[1]);
  if (!isSame) return false;
  for (const pane of panes) pane.watch();
  viewer.chart?.watch();
  return true;
}

/** Returns the title of a run's pane. */
function heading(record, index) {
  const meta = record.meta.lives[index];
  return `${meta.planner !== meta.name ? meta.planner + ', ' : ''}budget ${meta.budget}`;
}

/** Handles dragging, zooming and pointing. */
function watchPointer(viewer, pane) {
  const { canvas } = pane, held = new Map();
  let pressed = null;
  const place = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  let drawing = null;
  canvas.addEventListener('pointerdown', (event) => {
    canvas.setPointerCapture(event.pointerId);
    held.set(event.pointerId, place(event));
    // A second finger is for zooming.
    if (held.size > 1) drawing = drawing?.end(event);
    else if (event.button === 0) drawing = viewer.pointerTool?.(pane, pane.toCell(...place(event)), event);
    pressed = held.size === 1 ? place(event) : null;
  });
  canvas.addEventListener('pointermove', (event) => {
    const now = place(event), before = held.get(event.pointerId);
    if (!before) return viewer.point(pane.toCell(...now));
    if (drawing) return drawing.move(pane.toCell(...now));
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
      drawing = drawing?.end(event);
      if (name === 'pointerup' && pressed && Math.hypot(...place(event).map((at, k) => at - pressed[k])) < 4) viewer.click(pane.toCell(...place(event)));
      pressed = null;
    });
  }
  canvas.addEventListener('pointerleave', (event) => event.pointerType === 'mouse' && viewer.point(null));
  canvas.addEventListener('wheel', (event) => {
    event.preventDefault();
    viewer.zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), pane, ...place(event));
  }, { passive: false });
}
