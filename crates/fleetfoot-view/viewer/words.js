// The present moment in words, and key frames while there is time.

/** The tick, the speed and the switches. */
function refreshControls(viewer) {
  const { record, tick } = viewer;
  const play = $('play'), scrub = $('scrub');
  if (document.activeElement !== $('tick')) $('tick').value = tick;
  const { end } = viewer;
  scrub.min = record.first;
  scrub.max = end;
  scrub.value = tick;
  scrub.setAttribute('aria-valuetext', `tick ${tick} of ${end}`);
  $('speed').value = viewer.speed;
  $('whose').value = viewer.whose ?? '';
  $('of').textContent = viewer.more && !record.isAtRest ? '' : `of ${end.toLocaleString('en')}`;
  play.classList.toggle('playing', viewer.playing);
  play.setAttribute('aria-label', viewer.playing ? 'Pause' : 'Play');
  $('follow').setAttribute('aria-pressed', viewer.isFollowing);
  for (const [id, kind] of [['reversal', 'reversals'], ['search', 'searches'], ['change', 'changes']]) {
    $(id).disabled = record.outlines.every((outline) => outline[kind].length === 0);
  }
  for (const [key] of LAYERS) $(`layer-${key}`).checked = viewer.layers[key];
  if ($('truth')) $('truth').checked = viewer.truthBeside;
  groundLegend(viewer);
}

/** The kinds of ground of the map, in the colours of the theme. */
function groundLegend({ record, palette, themeName }) {
  const list = $('grounds'), key = `${themeName}|${record.serial}|${record.meta.map}`;
  if (list.dataset.key === key) return;
  list.dataset.key = key;
  const { width, height } = record.cells, letters = new Set();
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) letters.add(String.fromCharCode(record.letters[record.cells.at(x, y)]));
  const shown = Object.keys(GROUNDS).filter((letter) => letters.has(letter));
  list.replaceChildren(...shown.map((letter) => element('li', {}, element('i', { style: `background: ${palette.theme.ground[letter]}` }), GROUNDS[letter])));
}

/** Everything that shows the present moment in words. */
function refresh(viewer) {
  refreshControls(viewer);
  for (const caption of viewer.captions) showCaption(viewer, caption);
  if (viewer.hasNewKinds) workLegend(viewer);
  viewer.hasNewKinds = false;
  cellInfo(viewer);
  eventList(viewer);
}

function showCaption(viewer, { index, why, status, note, canvas, name }) {
  const { life, outline } = viewer.timelines[index], t = life.over;
  const moves = outline.moves[t], turns = countBelow(outline.reversals, t), because = reason(life, outline);
  const text = [many(moves, 'move'), many(t - moves, 'wait'), many(turns, 'reversal'), `search ${life.far.search.toLocaleString('en')}`].join(' · ');
  if (why.textContent !== because) why.textContent = why.title = because;
  if (status.textContent !== text) status.textContent = status.title = text;
  canvas.setAttribute('aria-label', `Map: ${name}, tick ${viewer.tick}: ${because}; ${text}`);
  const said = outline.note ?? '';
  if (note.textContent === said) return;
  note.textContent = said;
  note.hidden = !said;
}

function cellInfo(viewer) {
  const { pointed, record } = viewer, box = $('cell');
  const key = `${pointed}|${viewer.tick}|${viewer.part}|${record.serial}`;
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
