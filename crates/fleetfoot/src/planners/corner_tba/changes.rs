//! What changes of the ground mean to the search and to the way.
//!
//! A search goes on over changes: what it expands from then on is what is connected now. So a way out of its tree may lead
//! over ground that has been blocked; the way followed is checked when anything has changed, and if it is broken a new search
//! begins where the agent stands. A fall begins one only once the goal has been found, and only if a way through the
//! changed cell could be shorter than what is left: so each search comes to an end, however often the ground changes. What
//! was learned is kept until a cost falls.

use super::{CornerTba, World};
use crate::corners::{Pending, Stage};
use crate::graph::{ChangeLog, Graph, Grid};
use crate::id::{Cost, NodeId};
use crate::meter::{Meter, WorkKind};
use crate::parts::{Rooted, Tools};
use crate::planners::reader::Reading;

/// Cells of a way that are checked for the price of a word.
const CELLS_PER_WORD: u64 = 8;

/// What has changed since the search began.
#[derive(Clone, Copy, Debug)]
pub(super) struct News {
    /// Anything.
    pub(super) any: bool,
    /// A cost has fallen: what was learned may be too much.
    pub(super) fell: bool,
    /// The way followed may be broken.
    pub(super) unchecked: bool,
    /// Of the cells where costs fell, the one through which the shortest way could lead.
    pub(super) fall: NodeId,
}

impl News {
    pub(super) const NONE: Self = Self { any: false, fell: false, unchecked: false, fall: NodeId::NONE };
}

impl CornerTba {
    /// Reads the log; false while some of it is left for the next step.
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
        // The search has the other half.
        let reading = meter.with_fraction(1, 2, |meter| {
            reader.read(log, meter, |change, _| {
                (news.any, news.unchecked) = (true, true);
                if change.is_decrease() {
                    news.fell = true;
                    let bound = through(change.from);
                    if bound < least {
                        (news.fall, least) = (change.from, bound);
                    }
                }
                false
            })
        });
        // What is being expanded is begun again: its connections may be others.
        let Pending { node, f, .. } = self.search.pending;
        self.search.pending = Pending { node, f, ..Pending::NONE };
        if reading == Reading::Lost {
            self.news.fell = true;
            self.restart();
        } else if self.search.stage == Stage::NoPath {
            self.restart();
        }
        reading == Reading::Done
    }

    /// Drops the search if the way followed is broken, or if the goal has been found and a fall could shorten the way.
    pub(super) fn recheck(&mut self, world: &World<'_>, tools: &mut Tools<'_>) {
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

    /// Whether the way ahead is blocked, as far as one step can tell.
    fn is_broken(&mut self, world: &World<'_>, tools: &mut Tools<'_>) -> bool {
        let tree = self.tree();
        let (mut at, mut left) = (world.cell(world.at), world.scans.saturating_mul(CELLS_PER_WORD));
        let mut next = self.leg.toward.some().or_else(|| self.follow.after(self.leg.here, tree));
        // A way goes through a slot once. One that was forged may go in circles, and in one place, which costs nothing.
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

    /// Ends the present search: a new one is about to begin.
    pub(super) fn settle_news(&mut self, tools: &mut Tools<'_>) {
        if self.news.fell {
            self.search.search.nodes.forget();
        } else {
            let top = self.search.search.top().map_or(Cost::INF, |(_, f)| f);
            self.search.search.nodes.conclude(top.min(self.last_f), tools);
        }
        self.news = News::NONE;
    }
}
