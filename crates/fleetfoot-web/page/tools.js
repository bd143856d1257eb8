// The tools above the map, sharing and copying.

function tools(play) {
  const { viewer } = play;
  const swatch = { wall: 'wall', erase: 'ground', grass: 'grass', swamp: 'swamp' };
  const buttons = TOOLS.map(([key, name, , , hint], k) => {
    const sample = swatch[key] ? [element('i', { style: `background: var(--${swatch[key]})` })] : key === 'door' ? [element('i', { class: 'door' })] : [];
    const button = element('button', { type: 'button', role: 'radio', title: `${hint} (Alt+${k + 1})`, 'data-tool': key }, ...sample, name);
    button.addEventListener('click', () => choose(key));
    return button;
  });
  const choose = (key, isByHand = true) => {
    play.choose(key);
    play.isToolChosen = isByHand;
    for (const button of buttons) {
      const isOn = button.dataset.tool === key;
      button.setAttribute('aria-checked', String(isOn));
      button.tabIndex = isOn ? 0 : -1;
    }
    $('hint').textContent = TOOLS.find(([tool]) => tool === key)[4];
  };
  play.chooseTool = choose;
  $('toolset').append(...buttons);
  roving($('toolset'), '[role=radio]', (button) => choose(button.dataset.tool));
  choose(play.tool, false);
  $('brush').addEventListener('change', () => (play.brush = Number($('brush').value)));
  $('again').addEventListener('click', () => play.restart());
  $('fares').append(...UNIT_STATUS.map((name, k) => element('li', {}, element('i', { class: UNIT_COLORS[k] }), name)));
  $('clear').addEventListener('click', () => play.restart(() => play.stage.blank(play.stage.width, play.stage.height)) && announce('The map is cleared. Undo brings it back (Ctrl+Z).'));
  const isOne = () => document.body.dataset.tab === 'one';
  const undo = () => (isOne() ? play.history : play.fleet).undo(), redo = () => (isOne() ? play.history : play.fleet).redo();
  $('undo').addEventListener('click', undo);
  $('redo').addEventListener('click', redo);
  play.history.refresh();
  // Draws without a pointer, at the inspected cell.
  document.addEventListener('keydown', (event) => {
    const isText = event.target.closest('input:not([type=range], [type=checkbox]), textarea');
    if ((event.ctrlKey || event.metaKey) && !isText && ['z', 'Z', 'y'].includes(event.key)) {
      event.preventDefault();
      return event.key === 'z' && !event.shiftKey ? undo() : redo();
    }
    if (event.altKey && TOOLS[Number(event.key) - 1]) event.preventDefault(), choose(TOOLS[Number(event.key) - 1][0]);
    if (!isOne() || !event.target.matches('.map, body')) return;
    if (event.key === 'Escape' && play.held) return play.release();
    if (event.key !== 'Enter' || !viewer.pointed) return;
    if (play.tool === 'move') return play.carry(viewer.pointed);
    play.history.note();
    play.draw([viewer.pointed], true);
    play.drawn();
  });
  const copy = async (text, what) => {
    try {
      await navigator.clipboard.writeText(text);
      announce(`${what} copied.`);
    } catch {
      // Some browsers deny pages from disk access to the clipboard.
      showText(what, text);
    }
  };
  $('share').addEventListener('click', async () => {
    await writeAddress(play);
    copy(location.href, 'The address');
  });
  const fleet = () => (document.body.dataset.tab === 'fleet' ? play.fleet : null);
  $('copy-shell').addEventListener('click', () => copy(fleet()?.commandLine() ?? play.session.inner.command_line(), 'The command line'));
  $('copy-rust').addEventListener('click', () => copy(fleet()?.program() ?? play.session.inner.program(), 'The program'));
}

/** Shows a text to copy by hand. */
function showText(what, text) {
  const area = element('textarea', { rows: '14', readonly: '', 'aria-label': what }), close = element('button', { type: 'button' }, 'Close');
  const dialog = element('dialog', { 'aria-label': what }, element('h2', {}, what), area, element('p', {}, close));
  area.value = text;
  close.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  area.select();
  area.scrollTop = 0;
}

async function writeAddress(play) {
  const isFleet = document.body.dataset.tab === 'fleet';
  const { lesson } = play.guide;
  const what = lesson && !isFleet ? `lesson=${lesson.key}` : `p=${await play.stage.pack(isFleet ? play.fleet?.shared : undefined)}`;
  const hash = `${what}&${play.viewer.address}`;
  if (location.hash.slice(1) !== hash) history.replaceState(null, '', `#${hash}`);
  play.written = hash;
}

/** Updates the address, at most once per second. */
function keepAddress(play) {
  let timer = null;
  const soon = () => (timer ??= setTimeout(() => {
    timer = null;
    // The position changes all the time while agents move.
    if (play.viewer.playing || play.fleet?.playing) soon();
    else writeAddress(play);
  }, 700));
  play.soon = soon;
  play.listeners.push(soon);
  play.viewer.listeners.push(soon);
  addEventListener('hashchange', () => location.hash.slice(1) !== play.written && location.reload());
}
