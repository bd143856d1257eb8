//! Saving and restoring during a search.

use super::CornerTba;
use super::changes::PendingChanges;
use super::follow::Leg;
use crate::corners::Stage;
use crate::graph::Limits;
use crate::grid::Grid;
use crate::id::NodeId;
use crate::planner_part;
use crate::save::{SaveError, SaveReader, SaveWriter};
use crate::search::{NodeTable, PlannerPart, pages};

planner_part! { PendingChanges { saved: any, fell, unchecked, fall; fixed: } }
planner_part! { Leg { saved: here, toward; fixed: } }

/// Node numbers are cells in some parts, and slots in others.
impl PlannerPart for CornerTba {
    fn write(&self, out: &mut dyn SaveWriter) {
        for flag in [self.tracing, self.has_strayed, self.has_weighed] {
            flag.write(out);
        }
        self.reader.cursor.write(out);
        self.sent.write(out);
        self.news.write(out);
        self.searches.write(out);
        self.last_f.write(out);
        self.search.write(out);
        self.leg.write(out);
        self.new.write(out);
        self.follow.write(out);
    }

    fn read(&mut self, limits: &Limits, from: &mut SaveReader<'_>) -> Result<(), SaveError> {
        for flag in [&mut self.tracing, &mut self.has_strayed, &mut self.has_weighed] {
            flag.read(limits, from)?;
        }
        self.reader.cursor.read(limits, from)?;
        self.sent.read(limits, from)?;
        self.news.read(limits, from)?;
        self.searches.read(limits, from)?;
        self.last_f.read(limits, from)?;
        self.search.read(limits, from)?;
        let slots = &limits.within(self.search.names.len());
        self.leg.read(slots, from)?;
        self.new.read(slots, from)?;
        self.follow.read(slots, from)
    }

    pages! {
        paged: search, new, follow;
        others: off_way, last_f, tracing, leg, sent, has_strayed, has_weighed, reader, news, searches
    }
}

impl CornerTba {
    /// Clears everything, before the pages are released.
    pub(super) fn clear(&mut self) {
        self.forget();
        self.search.debt = 0;
    }

    /// Checks that the parts are consistent with each other and with the grid, as far as a step relies on it.
    pub(super) fn verify(&self, grid: &Grid) -> Result<(), SaveError> {
        self.search.verify(grid, (0..self.search.names.len()).map(NodeId::from_index))?;
        let tree = self.tree();
        let is_live = |slot: NodeId| slot.is_some() && tree.g(slot).is_finite();
        let Leg { here, toward } = self.leg;
        let runs = self.search.root.is_some()
            && self.search.goal.is_some()
            && is_live(here)
            && (!toward.is_some() || is_live(toward));
        let traces = !self.tracing || !self.new.is_empty();
        if traces && (self.search.stage == Stage::Idle || runs) {
            Ok(())
        } else {
            Err(SaveError::new("its search and its path do not belong together"))
        }
    }
}
