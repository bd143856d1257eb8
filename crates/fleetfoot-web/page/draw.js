// Drawing on the map, and dragging its ends.

/** Tools: key, name, letter and weight of the terrain, hint.
 * @type {any[][]} */
const TOOLS = [
  ['move', 'move', null, null, 'Drag start and goal, or the map.'],
  ['wall', 'wall', '@', 0, 'Draw walls, also while agents move.'],
  ['erase', 'ground', '.', 1, 'Draw free ground.'],
  ['door', 'door', '.', null, 'Before the first tick: set doors. Later: open and close them.'],
  ['grass', 'grass', 'G', 2, 'Grass: a move costs twice as much.'],
  ['swamp', 'swamp', 'S', 4, 'Swamp: a move costs four times as much.'],
];

/** Returns the cells on a line, both ends included. */
function line([x0, y0], [x1, y1]) {
  const steps = Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0), 1), cells = [];
  for (let k = 0; k <= steps; k++) cells.push([Math.round(x0 + ((x1 - x0) * k) / steps), Math.round(y0 + ((y1 - y0) * k) / steps)]);
  return cells;
}

/** Returns the cells under a brush. */
function under([x, y], brush, width, height) {
  const from = -((brush - 1) >> 1), cells = [];
  for (let dy = from; dy < from + brush; dy++) {
    for (let dx = from; dx < from + brush; dx++) {
      if (x + dx >= 0 && y + dy >= 0 && x + dx < width && y + dy < height) cells.push([x + dx, y + dy]);
    }
  }
  return cells;
}

/** Returns the pointer tool of a map, which drags start or goal, or draws terrain. */
function makePointerTool(play) {
  return (pane, cell, event) => {
    if (!cell) return null;
    // A finger draws only with a chosen tool. Otherwise it pans.
    const tool = event?.pointerType === 'touch' && !play.isToolChosen ? 'move' : play.tool;
    const { stage, viewer } = play, reach = Math.max(0.5, 11 / viewer.view.scale);
    const end = ['goal', 'start'].find((name) => Math.hypot(stage[name][0] - cell[0], stage[name][1] - cell[1]) <= reach);
    if (end && (tool === 'move' || viewer.tick === 0)) return dragging(play, end);
    return tool === 'move' ? null : drawing(play, cell);
  };
}

function dragging(play, end) {
  const { stage, viewer } = play;
  let to = stage[end];
  return {
    move(cell) {
      if (!cell || !stage.isFree(...cell)) return;
      to = cell;
      viewer.record[end] = viewer.record.cells.at(...cell);
      viewer.changed();
    },
    end() {
      if (String(to) !== String(stage[end])) play.restart(() => (stage[end] = to));
      return null;
    },
  };
}

function drawing(play, first) {
  let last = first;
  play.history.note();
  play.draw([first], true);
  return {
    move(cell) {
      if (!cell || String(cell) === String(last)) return;
      play.draw(line(last, cell).slice(1), false);
      last = cell;
    },
    end() {
      play.drawn();
      return null;
    },
  };
}
