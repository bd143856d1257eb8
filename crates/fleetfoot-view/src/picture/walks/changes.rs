//! The changes during a walk, and the path that was shortest before them.

use std::collections::BTreeMap;

use fleetfoot_sim::world::World;

use super::{Cell, INK, Walk, WalkPanel};
use crate::canvas::{Colour, blend};

/// Cells that were blocked and opened. Bright, since a walk leads through them.
const OPENED: Colour = [240, 228, 66];
/// Cells that were free and closed later.
const CLOSED: Colour = [196, 84, 40];
/// Overlay of cells whose weight changed.
const WEIGHED: Colour = [176, 120, 40];
/// The original shortest path.
const WAY: Colour = [96, 96, 100];

/// What happened to a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Change {
    Weighed,
    Closed,
    Opened,
}

/// By column and row.
pub(super) type Changes = BTreeMap<Cell, Change>;

impl Walk {
    /// Records the changes of the world during the walk, and the shortest path in its first tick.
    pub fn note_changes(&mut self, world: &World, way: Vec<Cell>) {
        let last = self.steps.last().map_or(0, |(tick, _)| *tick);
        let truth = world.truth();
        for (cell, weight) in world.changes_until(last) {
            let change = match (truth.weight(cell), weight) {
                (0, 0) => continue,
                (0, _) => Change::Opened,
                (_, 0) => Change::Closed,
                (old, new) if old == new => continue,
                _ => Change::Weighed,
            };
            let known = self.changes.entry(truth.xy(cell)).or_insert(change);
            *known = change.max(*known);
        }
        self.way = way;
    }

    /// Describes the visible changes. Empty if nothing changed.
    pub fn describe_changes(walks: &[Self]) -> String {
        let has = |change| walks.iter().any(|walk| walk.changes.values().any(|other| *other == change));
        let mut told = Vec::new();
        told.extend(has(Change::Opened).then_some("Yellow: opened."));
        told.extend(has(Change::Closed).then_some("Brown: closed during the walk."));
        told.extend(has(Change::Weighed).then_some("Tan: its weight changed."));
        let has_way = walks.iter().any(|walk| walk.way.len() > 1);
        told.extend(has_way.then_some("Dashed gray: the shortest path in the first tick."));
        told.join(" ")
    }

    /// Returns the color of a cell, tinted if its weight changed.
    pub(super) fn weighed(&self, cell: Cell, colour: Colour) -> Colour {
        match self.changes.get(&cell) {
            Some(Change::Weighed) => blend(colour, WEIGHED, 0.3),
            _ => colour,
        }
    }
}

impl WalkPanel<'_> {
    /// Draws cells that opened or closed, large enough to be visible next to a walk, and the original shortest path.
    pub(super) fn changes(&mut self, walk: &Walk) {
        let cell = self.zoom();
        let (closed, opened) =
            (cell.max(2.2 * self.visible()), (cell + (0.4 * cell).min(6.0)).max(3.2 * self.visible()));
        let rim = (0.2 * cell).clamp(1.0, 3.0);
        for (what, side, colour) in [
            (Change::Closed, closed, CLOSED),
            (Change::Opened, opened + 2.0 * rim, INK),
            (Change::Opened, opened, OPENED),
        ] {
            for (cell, _) in walk.changes.iter().filter(|(_, change)| **change == what) {
                let (frame, centre) = (self.0.frame, self.0.centre(*cell));
                self.0.canvas.square(frame, centre, side, colour);
            }
        }
        let pen = (0.6 * self.pen()).max(1.4);
        for (_, step) in walk.way.windows(2).enumerate().filter(|(k, _)| k % 3 < 2) {
            self.0.line((step[0], step[1]), pen, WAY);
        }
    }
}
