// The page of a replay: its address, and its start.

/** Writes the current position to the page's address, at most a few times per second. */
function addressBar(viewer) {
  let timer = null;
  const write = () => {
    timer = null;
    if (location.hash.slice(1) !== viewer.address) history.replaceState(null, '', `#${viewer.address}`);
  };
  viewer.listeners.push(() => (timer ??= setTimeout(write, 400)));
  addEventListener('hashchange', () => {
    const before = String(paneKinds(viewer));
    viewer.address = location.hash.slice(1);
    if (String(paneKinds(viewer)) !== before) arrange(viewer);
    viewer.resized();
  });
}

/** Describes the record in a line. */
function aboutLives({ meta, first }) {
  const from = first ? [`recorded from tick ${first.toLocaleString('en')} on`] : [];
  return [...from, `${meta.map}, ${meta.width} × ${meta.height}`, `world ${meta.world}`, `from ${meta.start.join(', ')} to ${meta.goal.join(', ')}`,
    meta.optimal === null ? 'no path at first' : `shortest path ${Math.round(meta.optimal * 10) / 10}`, charged(meta)];
}

function aboutFleet(meta) {
  return [many(meta.units, 'unit'), `${meta.map}, ${meta.width} × ${meta.height}`, `world ${meta.world}`, meta.rules, 'all work charged'];
}

async function main() {
  const begun = performance.now();
  if (!$('record')) throw cutOff();
  const record = await readRecord(fromBase64($('record').textContent.trim()));
  const { meta } = record;
  if (record.fleet) LAYERS = FLEET_LAYERS;
  /** @type {any} */
  const viewer = new (record.fleet ? FleetViewer : Viewer)(record);
  window.fleetfoot = viewer;
  document.title = `${meta.lives.map((replay) => replay.name).join(', ')} on ${meta.map} – Fleetfoot`;
  const about = record.fleet ? aboutFleet(meta) : aboutLives(record);
  $('about').textContent = about.join(' · ');
  const hash = location.hash.slice(1);
  if (hash) viewer.address = hash;
  viewer.broken = fail;
  viewer.chart = new SharedChart(viewer, $('chart'));
  if (!record.fleet) viewer.scoreboard = new Scoreboard(viewer);
  arrange(viewer);
  (record.fleet ? fleetLayers : layerList)(viewer);
  if (!record.fleet) tellStory(viewer);
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

/** Shows an error instead of the maps. */
function fail(error) {
  document.body.dataset.ready = 'failed';
  $('about').textContent = 'This replay cannot be shown';
  $('panes').replaceChildren(element('p', { class: 'failure', role: 'alert' }, `This replay cannot be shown: ${readable(error)}`));
  console.warn(error);
}

// The record comes after this script, so that a truncated page can report it.
document.body.dataset.ready = 'begun';
document.addEventListener('DOMContentLoaded', () => main().catch(fail));
