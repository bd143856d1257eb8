// The settings: map, planners, budget and world.

/** Returns the expansions per tick for a position of the slider. The last position is unlimited. */
function budgetAt(place) {
  return place >= 100 ? null : Math.max(1, Math.min(1000, Math.round(10 ** (place / 33))));
}

function placeOf(budget) {
  return budget === null ? 100 : Math.min(99, Math.round(33 * Math.log10(Math.max(1, budget))));
}

/** Empty maps: name, width, height.
 * @type {any[][]} */
const SIZES = [['20 × 15, empty', 20, 15], ['40 × 30, empty', 40, 30], ['96 × 64, empty', 96, 64]];
const MAX_PLANNERS = 4;
/** Maps of this page have at most a million cells. */
const MAX_FILE_BYTES = 8e6;

/** Creates the settings, and updates them from the stage. */
function settings(play) {
  const { stage } = play, planners = JSON.parse(wasm.planners());
  mapList(play);
  const rows = Array.from({ length: MAX_PLANNERS }, (_, k) => plannerRow(play, planners, k));
  $('planners').append(...rows.map((row) => row.box));
  const slide = () => {
    const text = budgetText(budgetAt(Number($('budget').value)));
    $('budget-text').textContent = text;
    $('budget').setAttribute('aria-valuetext', text);
  };
  $('budget').addEventListener('input', slide);
  $('budget').addEventListener('change', () => play.restart(() => (stage.budget = budgetAt(Number($('budget').value))), { keep: true }));
  $('prices').addEventListener('change', () => play.restart(() => (stage.prices = $('prices').value), { keep: true }));
  const sight = () => play.restart(() => {
    const radius = Math.max(2, Math.min(50, Math.round(Number($('radius').value)) || 7));
    stage.radius = $('fog').checked ? radius : null;
  }, { keep: true });
  $('fog').addEventListener('change', sight);
  $('radius').addEventListener('change', () => $('fog').checked && sight());
  $('weighs').addEventListener('change', () => play.restart(() => (stage.weighs = $('weighs').checked)));
  $('swing').addEventListener('change', () => play.restart(() => {
    stage.swing = Math.max(0, Math.min(10000, Math.round(Number($('swing').value)) || 0));
  }, { keep: true }));
  const show = () => {
    for (const row of rows) if (!$('alert').hidden) row.reset();
    rows.forEach((row, k) => row.show(stage.planners[k] ?? ''));
    $('budget').value = placeOf(stage.budget);
    slide();
    $('prices').value = stage.prices;
    $('fog').checked = stage.radius !== null;
    if (stage.radius !== null) $('radius').value = stage.radius;
    $('weighs').checked = stage.weighs;
    $('swing').value = stage.swing;
    $('map').value = [...$('map').options].some((option) => option.value === stage.name) ? stage.name : 'drawn';
    about(play);
  };
  play.listeners.push(show);
  show();
}

function budgetText(budget) {
  return budget === null ? 'no limit (∞)' : many(budget, 'expansion');
}

function about({ stage, session }) {
  const { meta } = session.record, { optimal } = meta;
  $('about').textContent = [`${stage.name.replace('builtin:', '')}, ${stage.width} × ${stage.height}`,
    optimal === null ? 'no path at first' : `shortest path ${Math.round(optimal * 10) / 10}`,
    `${budgetText(stage.budget)} a tick, ${charged(meta)}`].join(' · ');
}

function mapList(play) {
  const { stage } = play, list = $('map');
  for (const { name, about } of JSON.parse(wasm.builtins())) list.append(new Option(`${name}: ${about}`, `builtin:${name}`));
  SIZES.forEach(([name], k) => list.append(new Option(name, `blank:${k}`)));
  list.append(Object.assign(new Option('drawn, or from a file', 'drawn'), { disabled: true }));
  list.addEventListener('change', () => {
    if (list.value.startsWith('blank:')) {
      const [, width, height] = SIZES[Number(list.value.slice(6))];
      return play.restart(() => stage.blank(width, height));
    }
    play.takeMap(list.value);
  });
  $('problem').addEventListener('click', () => play.restart(() => {
    stage.seed++;
    const text = new TextEncoder().encode(wasm.map_text(stage.width, stage.height, stage.letters)), { name, doors } = stage;
    stage.take(name, wasm.Ground.read(text, stage.seed));
    stage.doors = doors;
  }));
  $('file').addEventListener('click', () => $('chosen').click());
  $('chosen').addEventListener('change', () => openFile(play, $('chosen').files[0]));
  for (const name of ['dragover', 'dragleave', 'drop']) {
    document.addEventListener(name, (event) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      document.body.classList.toggle('dropping', name === 'dragover');
      if (name === 'drop') openFile(play, event.dataTransfer.files[0]);
    });
  }
}

/** Opens a MovingAI map that was dropped or chosen. Shows errors. */
async function openFile(play, file) {
  if (!file) return;
  const { stage } = play;
  $('chosen').value = '';
  // Far larger than any map of the page, so it is not read.
  if (file.size > MAX_FILE_BYTES) return play.say(`${file.name}: the file has ${Math.round(file.size / 1e6)} MB, and this page shows maps of up to 1,048,576 cells (1024 × 1024); use a smaller map, or the program`);
  const bytes = new Uint8Array(await file.arrayBuffer());
  let ground;
  try {
    ground = wasm.Ground.read(bytes, stage.seed);
  } catch (error) {
    const text = String(error);
    return play.say(/^line/.test(text) ? `${file.name}, ${text}` : `${file.name}: ${text}`);
  }
  play.restart(() => stage.take(file.name, ground));
}
