//! Saving in mid-search.

use super::changes::News;
use super::look::Pending;
use super::walk::Leg;
use super::{CornerTba, Stage};
use crate::corners::Scan;
use crate::graph::{Graph, Grid, Limits};
use crate::id::{Cost, NodeId};
use crate::part;
use crate::parts::{Nodes, Part, choices, no_pages, pages};
use crate::save::{SaveError, Sink, Source};

part! { News { saved: any, fell, unchecked, fall; fixed: } }
part! { Leg { saved: here, toward; fixed: } }
choices! { Stage: Idle, Searching, Found, NoPath }

impl Part for Pending {
    fn write(&self, out: &mut dyn Sink) {
        let Self { slot, f, next, scan } = self;
        out.node(*slot);
        out.cost(*f);
        out.u32(*next);
        scan.is_some().write(out);
        scan.unwrap_or(Scan::done()).write(out);
    }

    fn read(&mut self, limits: &Limits, from: &mut Source<'_>) -> Result<(), SaveError> {
        let (mut has_scan, mut scan) = (false, Scan::done());
        (self.slot, self.f, self.next) = (from.node_or_none(limits)?, from.cost()?, from.u32()?);
        has_scan.read(limits, from)?;
        scan.read(limits, from)?;
        self.scan = has_scan.then_some(scan);
        Ok(())
    }

    no_pages!();
}

/// Nodes are cells in some parts, and slots in others.
impl Part for CornerTba {
    fn write(&self, out: &mut dyn Sink) {
        for flag in [self.tracing, self.has_strayed, self.has_weighed] {
            flag.write(out);
        }
        self.reader.cursor.write(out);
        self.goal.write(out);
        self.sent.write(out);
        self.stage.write(out);
        self.news.write(out);
        self.searches.write(out);
        self.join.write(out);
        self.debt.write(out);
        self.last_f.write(out);
        self.joining.write(out);
        self.names.write(out);
        self.root.write(out);
        self.end.write(out);
        self.leg.write(out);
        self.pending.write(out);
        self.search.write(out);
        self.new.write(out);
        self.follow.write(out);
    }

    fn read(&mut self, limits: &Limits, from: &mut Source<'_>) -> Result<(), SaveError> {
        for flag in [&mut self.tracing, &mut self.has_strayed, &mut self.has_weighed] {
            flag.read(limits, from)?;
        }
        self.reader.cursor.read(limits, from)?;
        self.goal.read(limits, from)?;
        self.sent.read(limits, from)?;
        self.stage.read(limits, from)?;
        self.news.read(limits, from)?;
        self.searches.read(limits, from)?;
        self.join.read(limits, from)?;
        self.debt = from.choice(1 << 20)?;
        self.last_f.read(limits, from)?;
        self.joining.read(limits, from)?;
        self.names.read(limits, from)?;
        let slots = &limits.within(self.names.len());
        self.root.read(slots, from)?;
        self.end.read(slots, from)?;
        self.leg.read(slots, from)?;
        self.pending.read(slots, from)?;
        self.search.read(slots, from)?;
        self.new.read(slots, from)?;
        self.follow.read(slots, from)?;
        let slot = self.pending.slot;
        if slot.is_some() && self.search.nodes.g(slot).is_finite() && !self.search.nodes.is_open(slot) {
            // Its depth is that of its children, less one.
            self.search.nodes.close(slot);
        }
        Ok(())
    }

    pages! {
        paged: names, search, new, follow;
        others: off_way, stage, pending, joining, join, debt, last_f, tracing, leg, root, goal, end, sent, has_strayed,
                has_weighed, reader, news, searches
    }
}

impl CornerTba {
    /// Gives up everything, before its pages are given back.
    pub(super) fn clear(&mut self) {
        self.forget();
        self.debt = 0;
    }

    /// Whether the parts fit each other and the grid as far as a step relies on it.
    pub(super) fn verify(&self, grid: &Grid) -> Result<(), SaveError> {
        let size = (grid.width(), grid.height());
        let is_cell = |k| {
            let (x, y) = grid.xy(self.names.entry(k).0);
            x < size.0 && y < size.1
        };
        let inside = (0..self.names.len()).all(is_cell);
        let scans = [Some(self.joining), self.pending.scan];
        let looks = scans.into_iter().flatten().all(|scan| scan.fits(size, grid.rules().neighbours));
        if !inside || !looks {
            return Err(SaveError::new("it looks around outside the map"));
        }
        let goal = self.goal;
        let h = |slot: NodeId| if goal.is_some() { grid.h(self.place(slot), goal) } else { Cost::INF };
        self.search.check(h)?;
        let tree = &self.search.nodes;
        let is_live = |slot: NodeId| slot.is_some() && tree.g(slot).is_finite();
        let Leg { here, toward } = self.leg;
        let stands = self.root.is_some() && self.end.is_some() && self.goal.is_some() && here.is_some();
        let runs = stands && is_live(here) && (!toward.is_some() || is_live(toward));
        let pending = self.pending.slot;
        let expands = !pending.is_some() || is_live(pending) && !tree.is_open(pending);
        let traces = !self.tracing || !self.new.is_empty();
        let found = self.stage != Stage::Found || is_live(self.end);
        if traces && (self.stage == Stage::Idle || runs && expands && found) {
            Ok(())
        } else {
            Err(SaveError::new("its search and its way do not belong together"))
        }
    }
}
