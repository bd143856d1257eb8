// The viewer of a fleet: the selected unit, its walk, and their description in words.

class FleetViewer extends Viewer {
  constructor(record) {
    super(record);
    this.Pane = FleetPane;
    this.chosen = null;
    this.walks = new Map();
    this.layers = Object.fromEntries(FLEET_LAYERS.map(([key, , , isOn]) => [key, isOn]));
  }

  /** Steps by whole ticks: a fleet's ticks have no parts. */
  byExpansion(way) {
    this.by(way);
  }

  get replay() {
    return this.timelines[0].replay;
  }

  /** Selects the unit on a cell, or none. */
  click(cell) {
    const unit = cell && this.replay.unitAt(...cell);
    this.choose(unit === this.chosen ? null : unit);
  }

  choose(unit) {
    this.chosen = unit !== null && unit >= 0 && unit < this.replay.units ? unit : null;
    this.changed();
  }

  /** Returns what units know: all together, or the selected one if units share nothing. Returns `null` on known maps. */
  get fog() {
    const { fleet, meta, cells } = this.record, unit = this.chosen;
    if (!fleet.fog || !meta.alone || unit === null) return fleet.fog;
    if (this.own?.unit !== unit) {
      const fog = new Fog(cells, meta.ticks, meta.sight), walk = this.wholeWalk(unit);
      for (let t = 0; t < meta.ticks; t++) {
        if (t === 0 || walk[t][0] !== walk[t - 1][0] || walk[t][1] !== walk[t - 1][1]) fog.look(...walk[t], t + 1);
        fog.cover(t + 1);
      }
      this.own = { unit, fog };
    }
    return this.own.fog;
  }

  center() {
    const unit = this.chosen ?? 0, { replay } = this;
    this.view.x = replay.x[unit] + 0.5;
    this.view.y = replay.y[unit] + 0.5;
  }

  get lookedAt() {
    const unit = this.chosen ?? 0;
    return [this.replay.x[unit], this.replay.y[unit]];
  }

  /** Zooms to the selected unit's walk and route, or to everything. */
  fitWalk() {
    if (this.chosen === null) return this.fit();
    const goal = this.replay.goalOf(this.chosen), places = [...this.walkOf(this.chosen), this.lookedAt, ...(goal ? [goal] : [])];
    const xs = places.map(([x]) => x), ys = places.map(([, y]) => y), span = (list) => Math.max(...list) - Math.min(...list) + 9;
    const { width, height } = this.frameOfView, middle = (list) => (Math.max(...list) + Math.min(...list) + 1) / 2;
    this.view = { x: middle(xs), y: middle(ys), scale: Math.min(32, width / span(xs), height / span(ys)) };
    this.isFitted = this.isFollowing = false;
    this.changed();
  }

  /** Returns a second replay at tick t, for looking back. */
  scoutAt(t) {
    this.scout ??= new Timeline(this.record, this.record.tracks[0]);
    // It only reads key frames; the timeline on the page makes them.
    Object.assign(this.scout, { frames: this.timelines[0].frames, times: this.timelines[0].times, covered: Infinity });
    this.scout.seek(t);
    return this.scout.replay;
  }

  /** Returns the positions of all units one tick ago, two ticks ago, … */
  history(ticks) {
    const { t } = this.replay;
    if (this.past?.t === t) return this.past.list;
    const first = Math.max(0, t - ticks), scout = this.scoutAt(first), list = [];
    for (; scout.t < t; scout.step()) list.unshift({ x: scout.x.slice(), y: scout.y.slice() });
    this.past = { t, list };
    return list;
  }

  /** Returns the walk of a unit up to now. */
  walkOf(unit) {
    return this.wholeWalk(unit).slice(0, Math.min(this.record.end, this.replay.t) + 1);
  }

  /** Returns the whole walk of a unit as columns and rows, by moment. Reads it from the record on demand. */
  wholeWalk(unit) {
    const { tracks, fleet, cells } = this.record;
    if (!this.walks.has(unit)) {
      let x = cells.x(fleet.starts[unit]), y = cells.y(fleet.starts[unit]), code = STANDS;
      const walk = [[x, y]];
      for (const chunk of tracks[0].chunks) {
        const moves = new Reader(chunk.raw, ...chunk.columns[1]);
        for (let k = 0; k < chunk.count; k++) {
          eachUnit(moves, (other) => {
            const now = moves.byte();
            if (other === unit) code = now;
          });
          if (code < STANDS) [x, y] = [x + DIRECTIONS[code][0], y + DIRECTIONS[code][1]];
          walk.push([x, y]);
        }
      }
      this.walks.clear();
      this.walks.set(unit, walk);
    }
    return this.walks.get(unit);
  }

  get address() {
    return super.address + (this.chosen === null ? '' : `&u=${this.chosen}`);
  }

  set address(text) {
    super.address = text;
    const unit = new URLSearchParams(text).get('u');
    this.choose(unit === null || !isFinite(Number(unit)) ? null : Number(unit));
  }
}

/** Describes a unit in words. */
function describeUnit(viewer, unit) {
  const { replay } = viewer, goal = replay.goalOf(unit), by = replay.by[unit], mood = replay.mood(unit);
  const rows = [['place', `${replay.x[unit]}, ${replay.y[unit]}`], ['goal', goal ? goal.join(', ') : 'none']];
  if (mood === 5) return [['state', 'has left the map']];
  const states = ['moving', 'waiting', 'at its goal', 'no path leads to its goal', 'has no order'];
  rows.unshift(['state', UNIT_STATUS[replay.fares[unit]] === 'buried' ? 'walled in' : states[mood]]);
  if (mood === 1) {
    const isSeeking = UNIT_STATUS[replay.fares[unit]] === 'seeking';
    const other = by >= 0 ? `unit ${by} blocks it, which is ${states[replay.mood(by)] ?? 'gone'}` : null;
    rows.push(['why', other ?? (isSeeking ? 'its path is still being searched for' : 'it makes room for others, or waits for its turn')]);
  }
  const points = replay.way[unit] ? replay.way[unit].length / 2 - replay.passed[unit] : 0;
  rows.push(['path', points > 0 ? many(points, 'turn') + ' ahead' : UNIT_STATUS[replay.fares[unit]] === 'seeking' ? 'being searched for' : 'straight to its goal']);
  return rows;
}

/** Updates all texts about the current moment of a fleet. */
function refreshFleet(viewer) {
  refreshControls(viewer);
  const { replay, record, tick } = viewer, [caption] = viewer.captions, { told } = record.tracks[0], t = replay.t;
  const counts = [0, 0, 0, 0, 0, 0];
  for (let unit = 0; unit < replay.units; unit++) counts[replay.mood(unit)]++;
  const names = ['moving', 'waiting', 'at their goals', 'without a path', 'without an order', 'gone'];
  const words = counts.map((n, k) => (n || k < 3 ? `${n.toLocaleString('en')} ${names[k]}` : '')).filter(Boolean);
  words.push(`${told.finished[t].toLocaleString('en')} finished`);
  if (t > 0) words.push(`work ${told.work[t].toLocaleString('en')}, ${told.micros[t].toLocaleString('en')} µs`);
  const { fog } = viewer;
  if (fog) words.push(`${Math.floor((100 * fog.counts[t]) / fog.first.length)} % of the map seen`);
  if (told.conflicts[t]) words.push(`${told.conflicts[t].toLocaleString('en')} conflicts`);
  const text = words.join(' · ');
  if (caption.status.textContent !== text) caption.status.textContent = caption.status.title = text;
  caption.canvas.setAttribute('aria-label', `Map: ${record.meta.fleet}, tick ${tick}: ${text}`);
  const box = $('cell'), pointed = viewer.pointed && replay.unitAt(...viewer.pointed), key = `${viewer.pointed}|${tick}|${viewer.chosen}`;
  if (box.dataset.key === key) return;
  box.dataset.key = key;
  box.replaceChildren();
  if (viewer.pointed) {
    const [x, y] = viewer.pointed, isHidden = fog && fog.first[y * record.cells.width + x] > t;
    box.append(element('p', {}, `Column ${x}, row ${y}${isHidden ? ', not seen' : ''}`));
  }
  for (const unit of new Set([viewer.chosen, pointed])) {
    if (unit === null) continue;
    box.append(element('h3', {}, `Unit ${unit}${unit === viewer.chosen ? ', chosen' : ''}`));
    box.append(element('dl', {}, ...describeUnit(viewer, unit).flatMap(([term, words]) => [element('dt', {}, term), element('dd', {}, words)])));
  }
  if (viewer.chosen === null) box.append(element('p', { class: 'note' }, 'Click a unit to see its path, its walk, and why it waits.'));
}

/** Shows the layers of a fleet with their colors. */
function fleetLayers(viewer) {
  const swatches = {
    units: ['moving', 'waiting', 'arrived', 'unreachable'], way: ['ahead', 'walked'], blame: ['ink'], trail: ['followed'], goals: ['goals'], changes: ['shut', 'opened'], fog: ['fog'], hidden: ['walls'],
  };
  const { tracks: [{ changes }], fleet: { fog }, meta } = viewer.record;
  const lacks = { changes: changes.length === 0, fog: !fog, hidden: !fog };
  for (const [key, name, text] of FLEET_LAYERS) {
    const box = element('input', { type: 'checkbox', id: `layer-${key}` });
    box.addEventListener('change', () => viewer.setLayer(key, box.checked));
    const colors = element('span', { class: 'swatches', 'aria-hidden': 'true' }, ...swatches[key].map((c) => element('i', { class: c })));
    const label = element('label', {}, box, colors, element('span', {}, name, element('small', {}, key === 'fog' && meta.alone ? `${text}; click one to see what it knows` : text)));
    label.hidden = lacks[key] ?? false;
    $('layers').append(label);
  }
  $('work').querySelector('summary').textContent = 'Units of a tick';
  $('cell').closest('details').querySelector('summary').textContent = 'Unit';
  $('kinds').replaceChildren(...['moving', 'waiting'].map((name) => element('li', { class: 'unit' }, element('i', { class: name }), name)));
  groundLegend(viewer);
  $('events').parentElement.hidden = true;
  $('kinds-note').textContent = 'Bars: how many units move, and how many wait.';
  for (const id of ['reversal', 'search', 'less', 'more', 'board']) $(id).hidden = true;
  $('walk').textContent = 'unit';
  $('walk').title = 'The walk and the path of the chosen unit (9)';
  $('follow').title = 'Follow the chosen unit (f)';
}
