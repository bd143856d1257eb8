// Introduction and lessons. A lesson (`#lesson=` in the address) is a stage with a text, and stops at the turning
// points of one of its planners.

/** The first map: a bay in front of the goal. */
const BAY = [
  '..............................',
  '..............................',
  '..............................',
  '............@@@@@@@@@@........',
  '.....................@........',
  '.....................@........',
  '.....................@........',
  '.....................@........',
  '.....................@........',
  '.....................@........',
  '.....................@........',
  '.....................@........',
  '.....................@........',
  '............@@@@@@@@@@........',
  '..............................',
  '..............................',
  '..............................',
];

/**
 * Lessons: name, title, text, the map (rows, or the name of a built-in one), what is set, the planner whose turning points are
 * the stops, the number of ticks that are searched for stops, and speed.
 */
const LESSONS = [
  { key: 'first-move', title: 'Think first, or move first', text: 'A* waits until its search has found the shortest path. RTAA* moves at once, by what it knows of a few cells around it, and pays with a detour.',
    rows: BAY, start: [3, 8], goal: [27, 8], planners: ['astar', 'rtaa'], budget: 20, focus: 1, ticks: 400, speed: 12 },
  { key: 'depression', title: 'Filling a depression', text: 'The goal is near, but behind a wall. A learning planner has to raise its estimates in the corner, cell by cell, before it gets out. LRTA* is the slowest.',
    map: 'corner40', start: [30, 30], goal: [39, 39], planners: ['lrta', 'rtaa', 'da-rtaa'], budget: 10, focus: 1, ticks: 1500, speed: 20 },
  { key: 'turning-back', title: 'Turning back', text: 'TBA* follows the most promising branch of one search. When another branch looks better it turns back. Corner search (auto) is done before there is anything to turn back from.',
    map: 'rooms100', planners: ['tba', 'auto'], budget: 10, focus: 0, ticks: 1500, speed: 20 },
  { key: 'doors', title: 'Doors that swing', text: 'The map changes under the agents. D* Lite repairs its search, RTD* moves meanwhile, Repeated A* starts again.',
    map: 'doors100', planners: ['dstar-lite', 'rtd', 'repeated-astar'], budget: 20, swing: 20, focus: 1, ticks: 1000, speed: 20 },
  { key: 'fog', title: 'What is not seen', text: 'The agents see seven cells far, and take what they have not seen for free ground. So a short path is often a belief.',
    map: 'rooms100', planners: ['repeated-astar', 'tbaa'], budget: 20, radius: 7, focus: 1, ticks: 1000, speed: 20 },
];

/** Sets up a stage for a lesson. */
function setLesson(stage, /** @type {any} */ { rows, map, start, goal, planners, budget, radius = null, swing = 0 }) {
  if (rows) {
    Object.assign(stage, { name: 'first map', width: rows[0].length, height: rows.length, doors: [], changes: [], letters: new TextEncoder().encode(rows.join('')) });
  } else {
    stage.seed = 1;
    stage.take(`builtin:${map}`, wasm.Ground.builtin(map, 1));
  }
  if (start) Object.assign(stage, { start, goal });
  Object.assign(stage, { planners: planners.slice(), budget, radius, swing, prices: 'all', weighs: false });
}

/** The introduction, and the current lesson. */
class Guide {
  constructor(play) {
    Object.assign(this, { play, lesson: null, points: null, stops: [], timer: null });
    $('lessons').addEventListener('click', () => this.show($('intro').hidden));
    play.viewer.listeners.push(() => this.refresh());
  }

  /** Shows or hides the introduction. */
  show(isOn) {
    $('intro').hidden = !isOn;
    $('lessons').setAttribute('aria-expanded', String(isOn));
    if (isOn) this.lesson ? this.lessonBar() : this.welcome();
  }

  links() {
    return element('ol', { id: 'lesson-list', 'aria-label': 'Lessons' }, ...LESSONS.map(({ key, title }) => {
      const link = element('a', { href: `#lesson=${key}` }, title);
      link.addEventListener('click', (event) => (event.preventDefault(), this.begin(key)));
      return element('li', {}, link);
    }));
  }

  close() {
    const button = element('button', { type: 'button', class: 'quiet', 'aria-label': 'Hide the introduction', title: 'Hide' }, '×');
    button.addEventListener('click', () => this.show(false));
    return button;
  }

  /** Shows the first text and its button. */
  welcome() {
    const go = element('button', { type: 'button', id: 'begin', class: 'main' }, 'Watch both');
    go.addEventListener('click', () => {
      this.play.viewer.goTo(0);
      this.play.viewer.toggle();
    });
    $('intro').replaceChildren(
      element('p', { id: 'opening' }, 'A planner for games has a small budget in each tick. ', element('strong', {}, 'A* thinks first and then walks; RTAA* walks at once and learns on the way.')),
      go, element('p', { class: 'lead' }, 'Lessons:'), this.links(), this.close());
  }

  /** Begins a lesson. Returns `false` if none has this name. */
  begin(key) {
    const lesson = LESSONS.find((one) => one.key === key), { play } = this, { viewer } = play;
    if (!lesson) return false;
    viewer.layout = 'side';
    viewer.focus = 0;
    if (!play.restart(() => setLesson(play.stage, lesson))) return false;
    Object.assign(this, { lesson, stops: [], points: new TurningPoints(play.session.record, play.session.record.tracks[lesson.focus]), record: play.session.record });
    viewer.focusOn(lesson.focus);
    viewer.speed = SPEEDS.indexOf(lesson.speed);
    this.show(true);
    this.look();
    return true;
  }

  /** Searches for stops in the background, up to the end of the lesson. */
  look() {
    clearTimeout(this.timer);
    const { play, points, record } = this;
    // Another session ends the lesson.
    if (play.session.record !== record) return this.end();
    const { tick } = play.viewer;
    if (!record.isAtRest && record.end < this.lesson.ticks) play.session.extend(Math.min(this.lesson.ticks, record.end + 200), 8);
    const more = points.scan(8) || (!record.isAtRest && record.end < this.lesson.ticks);
    this.stops = points.stops;
    play.viewer.tick = tick;
    play.viewer.changed();
    if (more) this.timer = setTimeout(() => this.look(), 0);
    else this.isComplete = true;
  }

  end() {
    this.lesson = null;
    this.play.viewer.stops = null;
    if (!$('intro').hidden) this.welcome();
  }

  lessonBar() {
    const { lesson } = this, next = element('button', { type: 'button', id: 'next-stop', class: 'main' }), back = element('button', { type: 'button', id: 'last-stop' }, 'back');
    next.addEventListener('click', () => this.next());
    back.addEventListener('click', () => this.play.viewer.toStop(-1));
    this.isComplete = false;
    $('intro').replaceChildren(
      element('p', { id: 'opening' }, element('strong', {}, `${LESSONS.indexOf(lesson) + 1}. ${lesson.title}. `), lesson.text), back, next,
      element('p', { id: 'stop', role: 'status' }), element('p', { class: 'lead' }, 'Lessons:'), this.links(), this.close());
  }

  /** Goes to the next stop, or to the next lesson. */
  next() {
    const { viewer } = this.play, stop = this.stops.find(({ tick }) => tick > viewer.tick);
    if (stop) return viewer.by(stop.tick - viewer.tick);
    if (this.isComplete) this.begin(LESSONS[(LESSONS.indexOf(this.lesson) + 1) % LESSONS.length].key);
  }

  refresh() {
    const { lesson, play, stops } = this;
    if (!lesson) return;
    if (play.session.record !== this.record) return this.end();
    const { viewer } = play;
    viewer.stops = stops.map(({ tick }) => tick);
    const at = stops.findLastIndex(({ tick }) => tick <= viewer.tick), isLast = at === stops.length - 1;
    const text = at < 0 ? 'Press “next stop”, or play: it stops where something happens.' : `Stop ${at + 1} of ${stops.length}, tick ${stops[at].tick.toLocaleString('en')}: ${stops[at].text}.`;
    if ($('stop') && $('stop').textContent !== text) $('stop').textContent = text;
    if ($('next-stop')) {
      const name = isLast && this.isComplete ? 'next lesson' : 'next stop';
      if ($('next-stop').textContent !== name) $('next-stop').textContent = name;
      $('last-stop').disabled = at < 1;
    }
  }
}
