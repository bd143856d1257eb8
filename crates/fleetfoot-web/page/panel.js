// The panel: map, planners, budget and world.

/** Expansions of a tick by the slider's place; the last place is no limit. */
function budgetAt(place) {
  return place >= 100 ? null : Math.max(1, Math.min(1000, Math.round(10 ** (place / 33))));
}

function placeOf(budget) {
  return budget === null ? 100 : Math.min(99, Math.round(33 * Math.log10(Math.max(1, budget))));
}

const SIZES = [['20 × 15, empty', 20, 15], ['40 × 30, empty', 40, 30], ['96 × 64, empty', 96, 64]];
const MOST_PLANNERS = 4;

/** Makes the panel, and keeps it true to the stage. */
function panel(play) {
  const { stage } = play, planners = JSON.parse(wasm.planners());
  mapList(play);
  const rows = Array.from({ length: MOST_PLANNERS }, (_, k) => plannerRow(play, planners, k));
  $('planners').append(...rows.map((row) => row.box));
  const slide = () => $('budget-text').textContent = budgetText(budgetAt(Number($('budget').value)));
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
    optimal === null ? 'no way at first' : `shortest way ${Math.round(optimal * 10) / 10}`,
    `${budgetText(stage.budget)} a tick, ${charged(meta)}`].join(' · ');
}

/** A planner and what it is set to; the first cannot be left out. */
function plannerRow(play, planners, k) {
  const { stage } = play;
  const select = element('select', { 'aria-label': `Planner ${k + 1}` }), given = element('input', { 'aria-label': `Parameters of planner ${k + 1}`, autocomplete: 'off', spellcheck: 'false' });
  if (k > 0) select.append(new Option('none', ''));
  for (const { key, name, summary } of planners) select.append(Object.assign(new Option(name, key), { title: summary }));
  const number = element('span', { class: 'number', style: `--agent: ${k}`, 'aria-hidden': 'true' }, String(k + 1));
  const change = () => play.restart(() => {
    const list = stage.planners.slice(), spec = select.value && given.value.trim() ? `${select.value}(${given.value.trim()})` : select.value;
    if (spec) list.splice(Math.min(k, list.length), 1, spec);
    else list.splice(k, 1);
    stage.planners = list;
  }, { keep: true });
  select.addEventListener('change', () => ((given.value = ''), change()));
  given.addEventListener('change', change);
  return {
    box: element('div', { class: 'planner' }, number, select, given),
    show(spec) {
      const [, key, params] = /^([^(]*)(?:\((.*)\))?$/.exec(spec) ?? [], info = planners.find((planner) => planner.key === key);
      select.value = key ?? '';
      select.title = info?.summary ?? '';
      given.value = params ?? '';
      given.hidden = !info?.params.length;
      given.placeholder = info?.params.map((param) => `${param.name}=${param.default}`).join(', ') ?? '';
      given.title = info?.params.map((param) => `${param.name}: ${param.about}${param.words.length ? ` (${param.words.join(', ')})` : ''}`).join('\n') ?? '';
    },
  };
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
    play.restart(() => stage.take(list.value, wasm.Ground.builtin(list.value.slice(8), stage.seed)));
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

/** A MovingAI map that was dropped or chosen. A bad one is named, and the page goes on. */
async function openFile(play, file) {
  if (!file) return;
  const { stage } = play, bytes = new Uint8Array(await file.arrayBuffer());
  $('chosen').value = '';
  let ground;
  try {
    ground = wasm.Ground.read(bytes, stage.seed);
  } catch (error) {
    const text = String(error);
    return play.say(/^line/.test(text) ? `${file.name}, ${text}` : `${file.name}: ${text}`);
  }
  play.restart(() => stage.take(file.name, ground));
}
