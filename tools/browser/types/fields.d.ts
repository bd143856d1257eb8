// Fields that the constructors of the pages' classes set by `Object.assign`, or that subclasses and owners set.

interface CellLayer {
  layers: any;
  palette: any;
  replay: any;
}

interface Event {
  dataTransfer: any;
}

interface FleetPane {
  height: any;
  paintedKey: any;
  width: any;
}

interface FleetReplay {
  chunk: any;
  entries: any;
  record: any;
  t: any;
  tick: any;
  track: any;
  units: any;
}

interface FleetSession {
  budget: any;
  chart: any;
  edits: any;
  past: any;
  rate: any;
  seed: any;
  themed: any;
  ticks: any;
  wanted: any;
}

interface FleetViewer {
  scout: any;
}

interface Fog {
  cells: any;
  count: any;
  sight: any;
}

interface FrameChart {
  height: any;
  ratio: any;
  width: any;
}

interface Guide {
  play: any;
  points: any;
  record: any;
}

interface MarkLayer {
  context: any;
  height: any;
  toScreen(...at: any): any;
  view: any;
  width: any;
}

interface Pane {
  height: any;
  ratio: any;
  width: any;
}

interface Scoreboard {
  viewer: any;
}

interface SharedChart {
  canvas: any;
  context: any;
  height: any;
  ratio: any;
  viewer: any;
  width: any;
}

interface Stage {
  doors: any;
  goal: any;
  height: any;
  start: any;
  width: any;
}

interface TickReader {
  masks: any;
  ops: any;
  places: any;
  ticks: any;
  values: any;
}

interface TurningPoints {
  least: any;
  milestone: any;
  since: any;
  turns: any;
}

interface UnitsPane {
  height: any;
  ratio: any;
  width: any;
}

interface View {
  frame(time: number): void;
  isShown: any;
}

interface Viewer {
  stops: any;
}

interface Walked {
  color: any;
}

interface UndoHistory {
  play: any;
  past: any;
  future: any;
}
