// A story: what the book says beside the map, and stops where something happens for the first time.

/** What is looked through for stops: so many ticks, and so much of what was told in them. */
const MOST_TOLD = { ticks: 100000, entries: 3e6 };

/** A part of a reason without its numbers: what kind of thing it is. */
function kindOf(part) {
  return part.replace(/\d[\d,]*/g, '#').replace(/# (\w+?)s\b/g, '# $1');
}

/** The ticks at which a life does something for the first time, with what it is. */
function firsts(record, outline) {
  const life = new Life(record, outline), seen = new Set(), stops = [];
  while (life.t < Math.min(outline.ticks, MOST_TOLD.ticks) && life.entries < MOST_TOLD.entries) {
    life.step();
    const fresh = reason(life, outline).split('; ').filter((part) => !seen.has(kindOf(part)));
    for (const part of fresh) seen.add(kindOf(part));
    if (fresh.length) stops.push({ tick: outline.first + life.t, text: fresh.join('; ') });
  }
  return stops;
}

/** A text of the book: code is between backticks. */
function bookText(kind, text) {
  const parts = text.split('`').map((part, k) => (k % 2 ? element('code', {}, part) : part));
  return element({ heading: 'h3', paragraph: 'p', item: 'li' }[kind], {}, ...parts);
}

/** Puts the story beside the maps, if the page holds one. */
function tellStory(viewer) {
  if (!$('story')) return;
  const chapters = JSON.parse($('story').textContent), { record } = viewer, several = record.outlines.length > 1;
  const stops = record.outlines.flatMap((outline, k) => firsts(record, outline).map((stop) => ({ ...stop, index: k }))).sort((a, b) => a.tick - b.tick);
  viewer.stops = [...new Set(stops.map(({ tick }) => tick))];
  const list = element('ol', { id: 'stops' }, ...stops.map(({ tick, text, index }) => {
    const number = several ? [element('span', { class: 'number', style: `--agent: ${index}` }, String(index + 1))] : [];
    const button = element('button', { type: 'button', 'data-tick': tick }, ...number, `tick ${tick.toLocaleString('en')}: ${text}`);
    button.addEventListener('click', () => viewer.by(tick - viewer.tick));
    return element('li', {}, button);
  }));
  const texts = chapters.flatMap(({ title, blocks }) => [element('h2', {}, title), ...blocks.map(({ kind, text }) => bookText(kind, text))]);
  const hint = element('p', { class: 'note' }, 'Press play: it stops where something happens for the first time. Or press m.');
  const panel = element('section', { id: 'tale', 'aria-label': 'Story', tabindex: '0' }, element('h2', {}, 'What happens'), hint, list, ...texts);
  document.body.append(panel);
  document.body.dataset.story = '';
  viewer.listeners.push(() => {
    for (const button of list.querySelectorAll('button')) button.toggleAttribute('aria-current', Number(button.dataset.tick) === viewer.tick);
    const now = list.querySelector('[aria-current]');
    if (now && now !== viewer.shownStop) now.scrollIntoView({ block: 'nearest' });
    viewer.shownStop = now;
  });
}
