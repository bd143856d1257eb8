//! The effect of map changes on the search and on the path.
//!
//! A search continues after changes and uses the current connections for later expansions. A path in its tree may
//! therefore cross cells that are now blocked. The path is checked after every change, and if it is broken a new
//! search starts at the agent's position. A decrease of a cost starts a new search only if the goal was found and a
//! path through the changed cell could be shorter than the rest of the path. So every search ends, however often
//! the map changes. Learned values are kept until a cost decreases.

use super::{CornerTba, World};
use crate::corners::{Pending, Stage};
use crate::graph::{ChangeLog, Graph};
use crate::grid::Grid;
use crate::id::{Cost, NodeId};
use crate::meter::{Meter, WorkKind};
use crate::planners::change_reader::ReadStatus;
use crate::search::{SearchTools, SearchTree};

/// Number of path cells that are checked for the price of a word.
const CELLS_PER_WORD: u64 = 8;

/// The changes since the search started.
#[derive(Clone, Copy, Debug)]
pub(super) struct PendingChanges {
    /// Any change.
    pub(super) any: bool,
    /// A cost has decreased, so learned values may be too large.
    pub(super) fell: bool,
    /// The path may be broken.
    pub(super) unchecked: bool,
    /// Of the cells with decreased costs, the one through which the shortest path could lead.
    pub(super) fall: NodeId,
}

impl PendingChanges {
    pub(super) const NONE: Self = Self { any: false, fell: false, unchecked: false, fall: NodeId::NONE };
}

impl CornerTba {
    /// Reads the log. Returns `false` if a part of it is left for the next step.
    pub(super) fn digest(
        &mut self,
        grid: &Grid,
        log: &ChangeLog,
        (at, goal): (NodeId, NodeId),
        meter: &mut Meter,
    ) -> bool {
        if self.reader.cursor == log.end() {
            return true;
        }
        let through = |n: NodeId| if n.is_some() { grid.h(at, n) + grid.h(n, goal) } else { Cost::INF };
        let (news, reader) = (&mut self.news, &mut self.reader);
        let mut least = through(news.fall);
        // The search gets the other half.
        let outer = meter.narrow(meter.fraction(1, 2));
        let reading = reader.read(log, meter, |change, _| {
            (news.any, news.unchecked) = (true, true);
            if change.is_decrease() {
                news.fell = true;
                let bound = through(change.from);
                if bound < least {
                    (news.fall, least) = (change.from, bound);
                }
            }
            false
        });
        meter.widen(outer);
        // The current expansion is restarted: its connections may have changed.
        let Pending { node, f, .. } = self.search.pending;
        self.search.pending = Pending { node, f, ..Pending::NONE };
        if reading == ReadStatus::Lost {
            self.news.fell = true;
            self.restart();
        } else if self.search.stage == Stage::NoPath {
            self.restart();
        }
        reading == ReadStatus::Done
    }

    /// Discards the search if the path is broken, or if the goal was found and a decrease could shorten the path.
    pub(super) fn recheck(&mut self, world: &World<'_>, tools: &mut SearchTools<'_>) {
        if self.news.unchecked && self.search.stage != Stage::Idle && self.is_broken(world, tools) {
            self.restart();
        }
        if let Some(fall) = self.news.fall.some()
            && let Some(rest) = self.rest(|a, b| world.cost(a, b), world.at)
        {
            self.news.fall = NodeId::NONE;
            if world.cost(world.at, fall) + world.cost(fall, self.search.goal) < rest {
                self.restart();
            }
        }
    }

    /// Returns `true` if the path ahead is blocked, as far as this step can check it.
    fn is_broken(&mut self, world: &World<'_>, tools: &mut SearchTools<'_>) -> bool {
        let tree = self.tree();
        let (mut at, mut left) = (world.cell(world.at), world.scans.saturating_mul(CELLS_PER_WORD));
        let mut next = self.leg.toward.some().or_else(|| self.follow.after(self.leg.here, tree));
        // A path visits a slot at most once. A forged one may contain cycles of length zero.
        let mut most = self.search.names.len();
        while let Some(slot) = next {
            if most == 0 {
                return true;
            }
            most -= 1;
            for cell in world.corners.cells(at, world.cell(self.place(slot))) {
                if left == 0 || (left.is_multiple_of(CELLS_PER_WORD) && !tools.meter.charge(WorkKind::Scan)) {
                    return false;
                }
                left -= 1;
                if !world.corners.is_open_step(at, cell) {
                    return true;
                }
                at = cell;
            }
            next = self.follow.after(slot, tree);
        }
        self.news.unchecked = false;
        false
    }

    /// Ends the current search before a new one starts.
    pub(super) fn settle_news(&mut self, tools: &mut SearchTools<'_>) {
        if self.news.fell {
            self.search.search.nodes.forget();
        } else {
            let top = self.search.search.top().map_or(Cost::INF, |(_, f)| f);
            self.search.search.nodes.finish_search(top.min(self.last_f), tools);
        }
        self.news = PendingChanges::NONE;
    }
}
