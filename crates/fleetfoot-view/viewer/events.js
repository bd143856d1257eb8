// The list of a tick's events, which can be stepped through by expansion.

/** Maximum number of listed events. */
const MOST_EVENTS = 600;

/** Describes an event.
 * @param {any} record
 * @param {any} event */
function describeEvent(record, [kind, cell, ...given]) {
  const { cells } = record, length = (cost) => lengthOf(record, cost);
  /** @param {any} given */
  const values = ([g, f]) => `g ${length(g)}, h ${length(Math.max(0, f - g))}, f ${length(f)}`;
  switch (kind) {
    case 'search': return cell === NONE ? 'a search begins that was left out' : `a search begins at ${named(cells, cell)}`;
    case 'expand': return `expands ${named(cells, cell)}: ${values(given)}`;
    case 'open': return `opens ${named(cells, cell)}: ${values(given)}`;
    case 'leave': return `takes ${named(cells, cell)} off the open list`;
    case 'learn': return `learns h of ${named(cells, cell)}: ${length(given[0])}`;
    case 'trace': return `traces ${named(cells, cell)}`;
    case 'follow': return 'follows the traced path';
    case 'lead': return `makes for ${named(cells, cell)}${given[0] === null ? '' : `, of record ${given[0]}`}`;
    default: return `turns to its ${cell ? 'near' : 'far'}-sighted search`;
  }
}

/** Lists the events of the last tick, or of the one that is played in part. */
function eventList(viewer) {
  const box = $('events'), { record, part } = viewer, index = viewer.selected ?? 0, timeline = viewer.timelines[index], { track } = timeline;
  if (!box.parentElement.open || viewer.playing) return;
  const t = track.clamp(viewer.tick) - (part > 0 ? 0 : 1), key = `${index}|${t}|${record.serial}`;
  if (box.dataset.key !== key) {
    box.dataset.key = key;
    const list = t < 0 || t >= track.ticks ? [] : timeline.eventsOf(t);
    let expanded = 0;
    box.replaceChildren(...list.slice(0, MOST_EVENTS).map((event) => {
      const text = describeEvent(record, event);
      if (event[0] !== 'expand') return element('li', {}, text);
      const button = element('button', { type: 'button', 'data-part': ++expanded }, text), to = expanded;
      button.addEventListener('click', () => viewer.within(t + track.first, to));
      return element('li', {}, button);
    }));
    const left = list.length - MOST_EVENTS;
    $('events-note').textContent = list.length === 0 ? 'Nothing was told of this tick.' : left > 0 ? `And ${many(left, 'event')} more.` : '';
  }
  for (const button of box.querySelectorAll('button')) {
    const isNow = Number(button.dataset.part) === part;
    if (isNow && !button.hasAttribute('aria-current')) button.scrollIntoView({ block: 'nearest' });
    button.toggleAttribute('aria-current', isNow);
  }
}
