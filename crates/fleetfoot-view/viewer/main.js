// The page: the present moment in words, its address, and how it all begins.

/** The tick, the speed and the switches. */
function refreshControls(viewer) {
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
}

/** Everything that shows the present moment in words. */
function refresh(viewer) {
  const { tick } = viewer;
  refreshControls(viewer);
  for (const caption of viewer.captions) {
    const { life, outline } = viewer.timelines[caption.index], { meta } = outline, t = life.t;
    const over = t === outline.ticks && meta.outcome;
    const moves = outline.moves[t], turns = countBelow(outline.reversals, t);
    const words = [over ? { arrived: 'arrived', 'no-path': 'proved that there is no way', 'gave-up': 'gave up' }[meta.outcome] : doing(outline, t),
      many(moves, 'move'), many(t - moves, 'wait'), many(turns, 'reversal'), `search ${life.far.search.toLocaleString('en')}`];
    const text = words.join(' · ');
    if (caption.status.textContent !== text) caption.status.textContent = caption.status.title = text;
    caption.canvas.setAttribute('aria-label', `Map: ${caption.name}, tick ${tick}: ${text}`);
  }
  cellInfo(viewer);
}

function many(n, what) {
  return `${n.toLocaleString('en')} ${what}${n === 1 ? '' : 's'}`;
}

function doing(outline, t) {
  if (t === 0) return outline.first ? `recorded from tick ${outline.first.toLocaleString('en')}` : 'before its first tick';
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
    try {
      waiting[0].index();
    } catch (error) {
      return fail(error);
    }
    const done = viewer.timelines.reduce((sum, timeline) => sum + timeline.progress, 0) / viewer.timelines.length;
    $('progress').value = done;
    setTimeout(more, 0);
  };
  more();
}

/** What was recorded, in a line. */
function aboutLives({ meta, first }) {
  const from = first ? [`recorded from tick ${first.toLocaleString('en')} on`] : [];
  return [...from, `${meta.map}, ${meta.width} × ${meta.height}`, `world ${meta.world}`, `from ${meta.start.join(', ')} to ${meta.goal.join(', ')}`,
    meta.optimal === null ? 'no way at first' : `shortest way ${Math.round(meta.optimal * 10) / 10}`];
}

function aboutFleet(meta) {
  return [many(meta.units, 'unit'), `${meta.map}, ${meta.width} × ${meta.height}`, `world ${meta.world}`, meta.rules];
}

async function main() {
  const begun = performance.now();
  if (!$('record')) throw cutOff();
  const record = await readRecord(fromBase64($('record').textContent.trim()));
  const { meta } = record;
  if (record.fleet) LAYERS = FLEET_LAYERS;
  const viewer = new (record.fleet ? FleetViewer : Viewer)(record);
  window.fleetfoot = viewer;
  document.title = `${meta.lives.map((life) => life.name).join(', ')} on ${meta.map} – Fleetfoot`;
  const about = record.fleet ? aboutFleet(meta) : aboutLives(record);
  $('about').textContent = about.join(' · ');
  const hash = location.hash.slice(1);
  if (hash) viewer.address = hash;
  arrange(viewer);
  (record.fleet ? fleetLayers : layerList)(viewer);
  controls(viewer);
  viewer.listeners.push(() => (record.fleet ? refreshFleet : refresh)(viewer));
  addressBar(viewer);
  viewer.isShown = true;
  viewer.resized();
  viewer.firstPicture = performance.now();
  viewer.loading = viewer.firstPicture - begun;
  document.body.dataset.ready = 'first';
  indexInBackground(viewer);
}

/** Says why nothing can be shown, where everybody looks. */
function fail(error) {
  document.body.dataset.ready = 'failed';
  $('about').textContent = 'This replay cannot be shown';
  $('panes').replaceChildren(element('p', { class: 'failure', role: 'alert' }, `This replay cannot be shown: ${error.message}`));
  console.warn(error);
}

// The record comes after this script, so that a page that is cut off within it can say so.
document.body.dataset.ready = 'begun';
document.addEventListener('DOMContentLoaded', () => main().catch(fail));
