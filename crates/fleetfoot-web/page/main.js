// Starts the page: loads the wasm, and the stage of the address or the default one.

/** The library's interface, made by wasm-bindgen. */
let wasm;

/** Returns the library's bytes: fetched, or from a script if the page was opened from disk, where it may not fetch. */
async function libraryBytes() {
  if (location.protocol !== 'file:') {
    const answer = await fetch('playground.wasm');
    if (!answer.ok) throw new Error(`playground.wasm cannot be loaded (${answer.status}); put it beside index.html`);
    return answer.arrayBuffer();
  }
  await new Promise((loaded, failed) => {
    const script = element('script', { src: 'playground.wasm.js' });
    script.addEventListener('load', loaded);
    script.addEventListener('error', () => failed(new Error('playground.wasm.js cannot be loaded; put it beside index.html')));
    document.head.append(script);
  });
  // The browser need not keep its text, which is longer than the library.
  document.querySelector('script[src="playground.wasm.js"]')?.remove();
  const packed = fromBase64(window.playgroundWasm);
  delete window.playgroundWasm;
  return inflate({ tag: 'playground.wasm.js', packed, raw: window.playgroundWasmSize });
}

async function begin() {
  document.body.dataset.ready = 'begun';
  if (typeof WebAssembly !== 'object') throw new Error('this browser has no WebAssembly; use a newer one');
  const { memory } = await fleetfootWasm({ module_or_path: await libraryBytes() });
  wasm = fleetfootWasm;
  const hash = location.hash.slice(1), packed = new URLSearchParams(hash).get('p');
  let stage = firstStage(), trouble = '', play;
  try {
    if (packed) stage = await Stage.unpack(packed);
    play = new Play(stage);
  } catch (error) {
    trouble = String(error.message ?? error);
    play = new Play(firstStage());
  }
  window.fleetfoot = play.viewer;
  window.playground = play;
  window.wasmMemory = () => memory.buffer;
  const { viewer } = play, lesson = new URLSearchParams(hash).get('lesson');
  viewer.chart = new SharedChart(viewer, $('chart'));
  viewer.scoreboard = new Scoreboard(viewer);
  // Slow enough to watch: the first run takes about eight seconds.
  viewer.speed = SPEEDS.indexOf(hash ? 20 : 10);
  arrange(viewer);
  layerList(viewer);
  controls(viewer);
  settings(play);
  tools(play);
  play.guide = new Guide(play);
  viewer.listeners.push(() => refresh(viewer));
  const open = tabs(play);
  if (lesson !== null && !play.guide.begin(lesson)) trouble = `There is no lesson “${lesson}”; choose one of those below.`;
  if (packed || play.guide.lesson) {
    const tick = Number(new URLSearchParams(hash).get('t')) || 0;
    if (tick > 0) play.extend(tick, REWIND);
    const layout = viewer.layout;
    viewer.address = hash;
    if (viewer.layout !== layout) arrange(viewer);
  }
  play.say(trouble);
  if (lesson !== null || !hash) play.guide.show(true);
  keepAddress(play);
  viewer.isShown = true;
  viewer.resized();
  viewer.firstPicture = performance.now();
  if (play.stage.fleet) openShared(open, play);
  document.body.dataset.ready = 'all';
}

/** Returns the default stage, with two planners that behave differently. */
function firstStage() {
  const stage = new Stage();
  setLesson(stage, LESSONS[0]);
  return stage;
}

/** Opens a shared fleet, which starts again and repeats its orders. */
function openShared(open, play) {
  try {
    open('fleet');
  } catch (error) {
    open('one');
    return play.say(String(error.message ?? error));
  }
  const { orders } = play.fleet;
  if (orders.length) announce(`Press play: ${many(orders.length, 'order')} in ${many(orders.at(-1)[0] + 1, 'tick')} will be given again.`);
}

function tabs(play) {
  let fleet = null;
  const open = (name) => {
    document.body.dataset.tab = name;
    for (const tab of ['one', 'fleet']) {
      $(`tab-${tab}`).setAttribute('aria-selected', String(tab === name));
      $(`tab-${tab}`).tabIndex = tab === name ? 0 : -1;
    }
    play.viewer.pause();
    play.viewer.isHidden = name === 'fleet';
    play.chooseTool(name === 'fleet' || matchMedia('(pointer: coarse)').matches ? 'move' : 'wall', false);
    $('undo').disabled = $('redo').disabled = name === 'fleet';
    if (name === 'fleet') {
      $('hint').textContent = 'Click to send units, drag to select some; or draw under them.';
      fleet ??= fleetTab(play);
      if (!fleet.isCurrent) fleet.load();
      fleet.isShown = true;
      fleet.isStale = true;
      fleet.panes[0].resize();
      fitCanvas(fleet.chart);
      fleet.resized();
    } else {
      fleet?.toggle(false);
      play.viewer.resized();
      play.history.refresh();
    }
    play.changed();
  };
  roving($('tabs'), '[role=tab]', (tab) => tab.click());
  $('tab-one').addEventListener('click', () => open('one'));
  $('tab-fleet').addEventListener('click', () => open('fleet'));
  return open;
}

function fail(error) {
  document.body.dataset.ready = 'failed';
  $('about').textContent = 'The playground cannot be shown';
  $('panes').replaceChildren(element('p', { class: 'failure', role: 'alert' }, `The playground cannot be shown: ${error.message ?? error}`));
  console.warn(error);
}

begin().catch(fail);
