// Panes and charts on the page, and the pointer over them.

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
    const pane = new viewer.Pane(viewer, index);
    const meta = record.meta.lives[index];
    const swatch = element('span', { class: 'number', style: `--agent: ${index ?? 0}` }, index === null || record.outlines.length < 2 ? '' : String(index + 1));
    const name = index === null ? 'The truth' : meta.name;
    const detail = index === null ? 'what the agents cannot see' : heading(record, index);
    pane.planner = detail;
    const why = element('p', { class: 'why' }), status = element('p', { class: 'status' }), note = element('p', { class: 'note', role: 'status', hidden: '' });
    const canvas = element('canvas', { class: 'map', role: 'img', tabindex: '0', 'aria-label': `Map: ${name}` });
    const box = element('section', { class: 'pane', 'aria-label': name },
      element('h2', {}, index === null || record.fleet ? '' : swatch, name, element('small', {}, detail)), canvas);
    if (index !== null) {
      box.append(note, ...(record.fleet ? [status] : [why, status]));
      viewer.captions.push({ why, status, note, canvas, name, index });
      const chart = new Chart(viewer, index);
      const strip = element('canvas', { class: 'chart', role: 'img', 'aria-label': `Work of each tick of ${name} against its budget` });
      box.append(strip);
      viewer.charts.push(chart);
      main.append(box);
      chart.attach(strip);
    } else {
      // As high as the others, so that both maps are at the same place.
      why.textContent = 'the world as it is, and every agent in it';
      box.append(why, status, element('div', { class: 'chart' }));
      main.append(box);
    }
    viewer.panes.push(pane);
    pane.attach(canvas);
    pointer(viewer, pane);
  }
}

/** Shows another record of the same planners on a map of the same size in the panes that there are; false if it is none. */
function rebind(viewer) {
  const { record, panes } = viewer, count = record.outlines.length + (viewer.truthBeside ? 1 : 0);
  const isSame = panes.length === count && panes.every(({ index, sheet, planner }) =>
    sheet.width === record.cells.width && sheet.height === record.cells.height && (index === null || planner === heading(record, index)));
  if (!isSame) return false;
  for (const pane of panes) pane.watch();
  for (const chart of viewer.charts) chart.watch();
  return true;
}

/** What stands above a life's pane. */
function heading(record, index) {
  const meta = record.meta.lives[index];
  return `${meta.planner !== meta.name ? meta.planner + ', ' : ''}budget ${meta.budget}`;
}

/** Dragging, zooming, pointing. */
function pointer(viewer, pane) {
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
    if (held.size > 1) drawing = drawing?.end();
    else if (event.button === 0) drawing = viewer.hand?.(pane, pane.toCell(...place(event)), event);
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
      drawing = drawing?.end();
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
