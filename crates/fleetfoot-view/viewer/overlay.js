// Search trees, and all planners over one another: which of them are shown, in which colors.

/** Cells of fewer pixels have no room for a line to a parent. */
const TREE_SCALE = 3;

/** Draws the tree of the present search on the part of the map that is shown: a line from each state to its parent. */
function drawTree(pane, tree, color) {
  const { context, view, viewer: { record: { cells }, palette } } = pane;
  if (!tree || view.scale < TREE_SCALE) return;
  const half = [pane.width / 2 / view.scale, pane.height / 2 / view.scale];
  const first = [view.x - half[0], view.y - half[1]].map((at) => Math.max(0, (at - 1) >> 4));
  const last = [Math.min(cells.across, ((view.x + half[0] + 1) >> 4) + 1), Math.min(cells.down, ((view.y + half[1] + 1) >> 4) + 1)];
  context.beginPath();
  for (let row = first[1]; row < last[1]; row++) {
    for (let column = first[0]; column < last[0]; column++) {
      const p = row * cells.across + column, page = tree.pages[p];
      if (!page) continue;
      for (let k = 0, w = 0; k < 256; k++, w += WORDS) {
        if (page[w + SEARCH] >>> 1 !== tree.search || page[w + PARENT] === NONE || !page[w + SEARCH]) continue;
        context.moveTo(...pane.middle((p << 8) | k));
        context.lineTo(...pane.middle(page[w + PARENT]));
      }
    }
  }
  context.lineCap = 'round';
  context.globalAlpha = 0.8;
  const pen = Math.max(1, Math.min(2.5, view.scale * 0.12));
  for (const [width, style] of [[pen + 1.5, palette.theme.halo], [pen, color]]) {
    context.lineWidth = width;
    context.strokeStyle = style;
    context.stroke();
  }
  context.globalAlpha = 1;
}

/** Buttons above the overlaid map: which planners are shown. */
function overlayButtons(viewer) {
  const { record } = viewer;
  return record.tracks.map((_, k) => {
    const { name } = record.meta.lives[k], button = element('button', { type: 'button', title: `Show or hide ${name}`, 'aria-label': `${k + 1} ${name}` }, agentNumber(k));
    const show = () => button.setAttribute('aria-pressed', String(!viewer.without.has(k)));
    button.addEventListener('click', () => {
      if (!viewer.without.delete(k)) viewer.without.add(k);
      show();
      viewer.restyle();
    });
    show();
    return button;
  });
}
