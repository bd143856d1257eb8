// The tools above the map, sharing and copying.

function tools(play) {
  const { viewer } = play;
  const box = $('toolset');
  const swatch = { wall: 'var(--shut)', erase: 'var(--opened)', door: 'var(--traced)', grass: '#a8c686', swamp: '#b59a5b' };
  const buttons = TOOLS.map(([key, name, , , hint], k) => {
    const sample = key === 'move' ? '' : element('i', { style: `background: ${swatch[key]}` });
    const button = element('button', { type: 'button', role: 'radio', title: `${hint} (Alt+${k + 1})`, 'data-tool': key }, sample, name);
    button.addEventListener('click', () => choose(key));
    return button;
  });
  const choose = (key) => {
    play.choose(key);
    for (const button of buttons) {
      button.setAttribute('aria-checked', button.dataset.tool === key);
      button.setAttribute('aria-pressed', button.dataset.tool === key);
    }
    $('hint').textContent = TOOLS.find(([tool]) => tool === key)[4];
  };
  box.append(...buttons);
  choose(play.tool);
  $('brush').addEventListener('change', () => (play.brush = Number($('brush').value)));
  $('again').addEventListener('click', () => play.restart());
  const fares = ['--now', '--open', '--a0', '--opened', '--shut', '--hidden'];
  $('fares').append(...FARES.map((name, k) => element('li', {}, element('i', { style: `background: var(${fares[k]})` }), name)));
  $('clear').addEventListener('click', () => play.restart(() => play.stage.blank(play.stage.width, play.stage.height)));
  // Drawing without a pointer: the cell that is looked at.
  document.addEventListener('keydown', (event) => {
    if (event.altKey && TOOLS[Number(event.key) - 1]) event.preventDefault(), choose(TOOLS[Number(event.key) - 1][0]);
    if (document.body.dataset.tab !== 'one' || event.key !== 'Enter' || !viewer.pointed || !event.target.matches('.map, body')) return;
    play.draw([viewer.pointed], true);
    play.drawn();
  });
  const copy = async (text, what) => {
    try {
      await navigator.clipboard.writeText(text);
      $('live').textContent = `${what} copied.`;
      $('hint').textContent = `${what} copied.`;
    } catch {
      // Pages from disk may not write to the clipboard everywhere.
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

/** A text to copy by hand. */
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
  const hash = `p=${await play.stage.pack(isFleet ? play.fleet?.shared : undefined)}&${play.viewer.address}`;
  if (location.hash.slice(1) !== hash) history.replaceState(null, '', `#${hash}`);
  play.written = hash;
}

/** Keeps the address true, once a second at most. */
function keepAddress(play) {
  let timer = null;
  const soon = () => (timer ??= setTimeout(() => {
    timer = null;
    // While agents walk the place changes all the time.
    if (play.viewer.playing || play.fleet?.playing) soon();
    else writeAddress(play);
  }, 700));
  play.soon = soon;
  play.listeners.push(soon);
  play.viewer.listeners.push(soon);
  addEventListener('hashchange', () => location.hash.slice(1) !== play.written && location.reload());
}
