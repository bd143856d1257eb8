//! Saving in mid-search.

use super::changes::News;
use super::look::Pending;
use super::walk::Leg;
use super::{CornerTba, STAGES, Stage};
use crate::corners::Scan;
use crate::graph::{Graph, Grid};
use crate::id::Cost;
use crate::parts::Nodes;
use crate::save::{SaveError, Sink, Source};

impl CornerTba {
    pub(super) fn write(&self, out: &mut dyn Sink) {
        out.u64(self.reader.cursor);
        out.node(self.goal);
        out.node(self.sent);
        out.u32(STAGES.iter().position(|s| *s == self.stage).unwrap_or(0) as u32);
        let News { any, fell, unchecked, fall } = self.news;
        let flags = [self.tracing, self.has_strayed, self.has_weighed, any, fell, unchecked];
        out.u32(flags.iter().rev().fold(0, |bits, flag| bits << 1 | u32::from(*flag)));
        out.node(fall);
        out.u64(self.searches);
        out.u32(self.join);
        out.u32(self.debt);
        out.cost(self.last_f);
        self.joining.save(out);
        self.names.save(out);
        for slot in [self.root, self.end, self.leg.here, self.leg.toward, self.pending.slot] {
            out.node(slot);
        }
        out.cost(self.pending.f);
        out.u32(self.pending.next);
        out.u32(u32::from(self.pending.scan.is_some()));
        self.pending.scan.unwrap_or(Scan::done()).save(out);
        self.search.save(out);
        self.new.save(out);
        self.follow.save(out);
    }

    pub(super) fn read(&mut self, grid: &Grid, from: &mut Source<'_>) -> Result<(), SaveError> {
        let (bound, size) = (grid.bound(), (grid.width(), grid.height()));
        self.reader.cursor = from.u64()?;
        (self.goal, self.sent) = (from.node_or_none(bound)?, from.node_or_none(bound)?);
        self.stage = STAGES[from.choice(STAGES.len() as u32)? as usize];
        let flags = from.choice(64)?;
        let flag = |k: u32| flags >> k & 1 == 1;
        (self.tracing, self.has_strayed, self.has_weighed) = (flag(0), flag(1), flag(2));
        self.news = News { any: flag(3), fell: flag(4), unchecked: flag(5), fall: from.node_or_none(bound)? };
        self.searches = from.count()?;
        (self.join, self.debt) = (from.u32()?, from.choice(1 << 20)?);
        self.last_f = from.cost()?;
        self.joining = Scan::load(size, from)?;
        self.names.load(bound, from)?;
        let slots = self.names.len();
        for slot in [&mut self.root, &mut self.end, &mut self.leg.here, &mut self.leg.toward] {
            *slot = from.node_or_none(slots)?;
        }
        let (slot, f, next) = (from.node_or_none(slots)?, from.cost()?, from.u32()?);
        let has_scan = from.choice(2)? == 1;
        let scan = Some(Scan::load(size, from)?).filter(|_| has_scan);
        self.pending = Pending { slot, f, next, scan };
        let (goal, names) = (self.goal, &self.names);
        let h = |n| {
            if goal.is_some() { grid.h(names.entry(crate::id::NodeId::index(n)).0, goal) } else { Cost::INF }
        };
        self.search.load(slots, h, from)?;
        self.new.load(slots, from)?;
        self.follow.load(slots, from)?;
        self.check(grid)?;
        if slot.is_some() {
            // Its depth is that of its children, less one.
            self.search.nodes.close(slot);
        }
        Ok(())
    }

    /// Whether the parts fit each other as far as a step relies on it.
    fn check(&self, grid: &Grid) -> Result<(), SaveError> {
        let inside = (0..self.names.len()).all(|k| {
            let (x, y) = grid.xy(self.names.entry(k).0);
            x < grid.width() && y < grid.height()
        });
        let tree = &self.search.nodes;
        let is_live = |slot: crate::id::NodeId| slot.is_some() && tree.g(slot).is_finite();
        let Leg { here, toward } = self.leg;
        let stands = self.root.is_some() && self.end.is_some() && self.goal.is_some() && here.is_some();
        let runs = stands && is_live(here) && (!toward.is_some() || is_live(toward));
        let pending = self.pending.slot;
        let expands = !pending.is_some() || is_live(pending) && !tree.is_open(pending);
        let traces = !self.tracing || !self.new.is_empty();
        let found = self.stage != Stage::Found || is_live(self.end);
        if inside && traces && (self.stage == Stage::Idle || runs && expands && found) {
            Ok(())
        } else {
            Err(SaveError::new("its search and its way do not belong together"))
        }
    }
}
