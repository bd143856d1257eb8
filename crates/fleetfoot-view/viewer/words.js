// Updates texts about the current moment, and makes key frames in idle time.

/** Maximum number of ticks of a session in the playground. */
const MAX_LIVE_TICKS = 200000;

/** Updates tick, speed and switches. */
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
  $('whose').value = viewer.selected ?? '';
  $('of').textContent = viewer.extend && !record.isAtRest ? '' : `of ${end.toLocaleString('en')}`;
  showComputing(viewer);
  $('layout').value = viewer.layout;
  $('layout').hidden = record.tracks.length < 2;
  play.classList.toggle('playing', viewer.playing);
  play.setAttribute('aria-label', viewer.playing ? 'Pause' : 'Play');
  $('follow').setAttribute('aria-pressed', viewer.isFollowing);
  for (const [id, kind] of [['reversal', 'reversals'], ['search', 'searches'], ['change', 'changes']]) {
    $(id).disabled = record.tracks.every((track) => track[kind].length === 0);
  }
  for (const [key] of LAYERS) $(`layer-${key}`).checked = viewer.layers[key];
  if ($('truth')) $('truth').checked = viewer.truthBeside;
  groundLegend(viewer);
}

/** Shows the progress of computing a requested tick. */
function showComputing({ wanted, end, record, isFast }) {
  const box = $('computing'), isOn = wanted !== null || isFast;
  const limit = record.isLive && record.end >= MAX_LIVE_TICKS ? `A session ends at tick ${MAX_LIVE_TICKS.toLocaleString('en')}.` : '';
  const text = !isOn ? limit : wanted === null ? `computing: tick ${end.toLocaleString('en')}` : `computing: tick ${end.toLocaleString('en')} of ${wanted.toLocaleString('en')}`;
  if (box.textContent !== text) box.textContent = text;
  const bar = $('progress');
  if (!record.isLive) return;
  bar.hidden = wanted === null;
  if (wanted !== null) bar.value = end / wanted;
}

/** Updates all texts about the current moment. */
function refresh(viewer) {
  refreshControls(viewer);
  for (const caption of viewer.captions) showCaption(viewer, caption);
  viewer.scoreboard?.refresh();
  if (viewer.hasNewKinds) workLegend(viewer);
  viewer.hasNewKinds = false;
  cellInfo(viewer);
  eventList(viewer);
}

function showCaption(viewer, { index, why, note, canvas, name }) {
  const { replay, track } = viewer.timelines[index], t = replay.over;
  const moves = track.moves[t], turns = countBelow(track.reversals, t), because = reason(replay, track);
  const text = [many(moves, 'move'), many(t - moves, 'wait'), many(turns, 'reversal')].join(' · ');
  if (why.textContent !== because) why.textContent = why.title = because;
  // Read aloud when the map has the focus. Not in every frame: that would cost more than drawing.
  if (!viewer.playing) canvas.setAttribute('aria-label', `Map: ${name}, tick ${viewer.tick}: ${because}; ${text}`);
  const said = track.note ?? '';
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
  viewer.timelines.forEach(({ replay }, k) => {
    if (viewer.timelines.length > 1) box.append(element('h3', {}, `${k + 1}  ${record.meta.lives[k].name}`));
    box.append(element('dl', {}, ...describeCell(record, replay, pointed).flatMap(([term, text]) => [element('dt', {}, term), element('dd', {}, text)])));
  });
}

/** Makes key frames in idle time. */
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
