// A story: the book's chapter next to the map, with stops at turning points.

/** Returns an element with a text of the book, where code is between backticks. */
function bookText(kind, text) {
  const parts = text.split('`').map((part, k) => (k % 2 ? element('code', {}, part) : part));
  return element({ heading: 'h3', paragraph: 'p', item: 'li' }[kind], {}, ...parts);
}

/** Returns the blocks of a chapter; consecutive items form a list. */
function bookBlocks(blocks) {
  const out = [];
  for (const { kind, text } of blocks) {
    const made = bookText(kind, text);
    if (kind !== 'item') out.push(made);
    else if (out.at(-1)?.tagName === 'UL') out.at(-1).append(made);
    else out.push(element('ul', {}, made));
  }
  return out;
}

/** Returns a list of stops as buttons. */
function stopList(viewer, stops) {
  const several = viewer.record.tracks.length > 1;
  return element('ol', { id: 'stops' }, ...stops.map(({ tick, text, index }) => {
    const number = several ? [agentNumber(index)] : [];
    const button = element('button', { type: 'button', 'data-tick': tick }, ...number, `tick ${tick.toLocaleString('en')}: ${text}`);
    button.addEventListener('click', () => viewer.by(tick - viewer.tick));
    return element('li', {}, button);
  }));
}

/** Marks the current stop. */
function markStop(viewer, list) {
  for (const button of list.querySelectorAll('button')) {
    const isNow = Number(button.dataset.tick) === viewer.tick;
    if (isNow !== button.hasAttribute('aria-current')) isNow ? button.setAttribute('aria-current', 'step') : button.removeAttribute('aria-current');
  }
  const now = list.querySelector('[aria-current]');
  // Only the list scrolls: the page must not jump while it plays.
  if (now && now !== viewer.shownStop) list.scrollTop = now.offsetTop - list.offsetTop - list.clientHeight / 2;
  viewer.shownStop = now;
}

/** Shows the story next to the maps, if the page has one. */
function tellStory(viewer) {
  if (!$('story')) return;
  const chapters = JSON.parse($('story').textContent), { record } = viewer;
  const points = record.tracks.map((track) => new TurningPoints(record, track));
  for (const point of points) point.scan();
  const stops = stopsOf(points);
  viewer.stops = [...new Set(stops.map(({ tick }) => tick))];
  const list = stopList(viewer, stops);
  const texts = chapters.flatMap(({ title, blocks }) => [element('h2', {}, title), ...bookBlocks(blocks)]);
  const hint = element('p', { class: 'note' }, 'Press play: it stops at each of these. Or press m.');
  const panel = element('section', { id: 'tale', 'aria-label': 'Story', tabindex: '0' }, element('h2', {}, 'What happens'), hint, list, ...texts);
  document.body.append(panel);
  document.body.dataset.story = '';
  viewer.listeners.push(() => markStop(viewer, list));
}
