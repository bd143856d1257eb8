// How it all begins: the wasm is loaded, the stage comes from the address or is the first one, the page goes live.

/** What wasm-bindgen made of the library. */
let wasm;

/** The library's bytes: fetched, or, from disk, where a page may fetch nothing, by a script that holds them. */
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
  const { viewer } = play;
  arrange(viewer);
  layerList(viewer);
  controls(viewer);
  panel(play);
  tools(play);
  viewer.listeners.push(() => refresh(viewer));
  const open = tabs(play);
  if (hash) {
    const tick = Number(new URLSearchParams(hash).get('t')) || 0;
    if (tick > 0) play.live(tick, REWIND);
    viewer.address = hash;
  }
  play.say(trouble);
  keepAddress(play);
  viewer.isShown = true;
  viewer.resized();
  if (play.stage.fleet) openShared(open, play);
  document.body.dataset.ready = 'all';
}

/** Where everybody begins: rooms, and two planners that show what this is about. */
function firstStage() {
  const stage = new Stage();
  stage.take('builtin:rooms100', wasm.Ground.builtin('rooms100', stage.seed));
  return stage;
}

/** A fleet that was shared begins where it began, and does again what was done. */
function openShared(open, play) {
  try {
    open('fleet');
  } catch (error) {
    open('one');
    return play.say(String(error.message ?? error));
  }
  const { deeds } = play.fleet;
  if (deeds.length) $('hint').textContent = `Press play: ${many(deeds.length, 'deed')} in ${many(deeds.at(-1)[0] + 1, 'tick')} will be done again.`;
}

function tabs(play) {
  let fleet = null;
  const open = (name) => {
    document.body.dataset.tab = name;
    for (const tab of ['one', 'fleet']) $(`tab-${tab}`).setAttribute('aria-selected', tab === name);
    play.viewer.pause();
    play.viewer.isAway = name === 'fleet';
    document.querySelector(`[data-tool=${name === 'fleet' ? 'move' : 'wall'}]`).click();
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
    }
    play.changed();
  };
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
