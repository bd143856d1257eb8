//! Saving a search in its middle.

use super::Scan;
use super::landmarks::GoalBounds;
use super::names::{ByCell, BySlot, Names};
use super::search::{CornerSearch, Pending, Stage, Table};
use crate::graph::{Graph, Limits};
use crate::grid::Grid;
use crate::id::{Cost, NodeId};
use crate::save::{SaveError, SaveReader, SaveWriter};
use crate::search::{PageCounts, PlannerPart, Pools, SearchTree, enum_part};

enum_part! { Stage: Idle, Running, Done, NoPath }

/// What the names of a tree hold, and which names there are.
pub(crate) trait SavedNames: Names {
    fn write(&self, out: &mut dyn SaveWriter);
    fn read(&mut self, limits: &Limits, from: &mut SaveReader<'_>) -> Result<(), SaveError>;
    /// The limits of names, where `limits` are those of cells.
    fn limits(&self, limits: &Limits) -> Limits;
    fn release_pages(&mut self, pools: &mut Pools);
    fn memory_bytes(&self) -> usize;
    fn count_pages(&self, nodes: usize, needs: &mut PageCounts);
}

impl SavedNames for ByCell {
    fn write(&self, out: &mut dyn SaveWriter) {
        out.u32(self.ends.len() as u32);
        self.ends.iter().for_each(|&end| out.node(end));
    }

    fn read(&mut self, limits: &Limits, from: &mut SaveReader<'_>) -> Result<(), SaveError> {
        self.ends.clear();
        for _ in 0..from.len(4)? {
            self.ends.push(from.node(limits)?);
        }
        Ok(())
    }

    fn limits(&self, limits: &Limits) -> Limits {
        *limits
    }

    fn release_pages(&mut self, _: &mut Pools) {
        self.ends.clear();
    }

    fn memory_bytes(&self) -> usize {
        size_of::<NodeId>() * self.ends.capacity()
    }

    fn count_pages(&self, _: usize, _: &mut PageCounts) {}
}

impl SavedNames for BySlot {
    fn write(&self, out: &mut dyn SaveWriter) {
        self.slots.write(out);
        self.last_end.write(out);
    }

    fn read(&mut self, limits: &Limits, from: &mut SaveReader<'_>) -> Result<(), SaveError> {
        self.slots.read(limits, from)?;
        self.last_end.read(&limits.within(self.len()), from)?;
        if self.is_sound() { Ok(()) } else { Err(SaveError::new("the corners around its goal are no list")) }
    }

    fn limits(&self, limits: &Limits) -> Limits {
        limits.within(self.len())
    }

    fn release_pages(&mut self, pools: &mut Pools) {
        self.clear();
        self.slots.release_pages(pools);
    }

    fn memory_bytes(&self) -> usize {
        self.slots.memory_bytes()
    }

    fn count_pages(&self, nodes: usize, needs: &mut PageCounts) {
        self.slots.count_pages(nodes, needs);
    }
}

impl Pending {
    fn write(&self, out: &mut dyn SaveWriter) {
        let Self { node, f, next, scan } = self;
        out.node(*node);
        out.cost(*f);
        out.u32(*next);
        scan.is_some().write(out);
        scan.unwrap_or(Scan::done()).write(out);
    }

    fn read(&mut self, names: &Limits, from: &mut SaveReader<'_>) -> Result<(), SaveError> {
        let (mut has_scan, mut scan) = (false, Scan::done());
        (self.node, self.f, self.next) = (from.node_or_none(names)?, from.cost()?, from.u32()?);
        has_scan.read(names, from)?;
        scan.read(names, from)?;
        self.scan = has_scan.then_some(scan);
        Ok(())
    }
}

impl GoalBounds {
    fn write(&self, out: &mut dyn SaveWriter) {
        self.edition.is_some().write(out);
        self.edition.unwrap_or(0).write(out);
        self.upper.iter().chain(&self.lower).for_each(|&cost| out.cost(cost));
        self.from_opened.write(out);
    }

    fn read(&mut self, limits: &Limits, from: &mut SaveReader<'_>) -> Result<(), SaveError> {
        let (mut is_some, mut edition) = (false, 0_u32);
        is_some.read(limits, from)?;
        edition.read(limits, from)?;
        self.edition = is_some.then_some(edition);
        for cost in self.upper.iter_mut().chain(&mut self.lower) {
            *cost = from.cost()?;
        }
        self.from_opened.read(limits, from)
    }
}

/// [`CornerSearch::verify`] must follow a read. Forged bounds make paths longer, and nothing else.
impl<T: Table + SearchTree, N: SavedNames> PlannerPart for CornerSearch<T, N> {
    fn write(&self, out: &mut dyn SaveWriter) {
        let Self { search, names, stage, pending, joining, bounds, debt, root, goal, .. } = self;
        let Self { root_name, goal_name, begun, traced, is_thorough, .. } = self;
        names.write(out);
        stage.write(out);
        root.write(out);
        goal.write(out);
        root_name.write(out);
        goal_name.write(out);
        begun.write(out);
        traced.write(out);
        is_thorough.write(out);
        debt.write(out);
        joining.write(out);
        bounds.write(out);
        pending.write(out);
        search.write(out);
    }

    fn read(&mut self, limits: &Limits, from: &mut SaveReader<'_>) -> Result<(), SaveError> {
        self.names.read(limits, from)?;
        let names = &self.names.limits(limits);
        self.stage.read(limits, from)?;
        self.root.read(limits, from)?;
        self.goal.read(limits, from)?;
        self.root_name.read(names, from)?;
        self.goal_name.read(names, from)?;
        (self.begun, self.traced) = (from.count()?, from.count()?);
        self.is_thorough.read(limits, from)?;
        self.debt = from.choice(1 << 24)?;
        self.joining.read(limits, from)?;
        self.bounds.read(limits, from)?;
        self.pending.read(names, from)?;
        self.search.read(names, from)?;
        let pending = self.pending.node;
        if pending.is_some()
            && self.search.nodes.g(pending).is_finite()
            && !self.search.nodes.is_open(pending)
        {
            // Its depth is that of its children, less one.
            self.search.nodes.close(pending);
        }
        Ok(())
    }

    fn release_pages(&mut self, pools: &mut Pools) {
        self.names.release_pages(pools);
        self.search.release_pages(pools);
    }

    fn memory_bytes(&self) -> usize {
        self.names.memory_bytes() + self.search.memory_bytes()
    }

    fn count_pages(&self, nodes: usize, needs: &mut PageCounts) {
        self.names.count_pages(nodes, needs);
        self.search.count_pages(nodes, needs);
    }
}

impl<T: Table + SearchTree, N: SavedNames> CornerSearch<T, N> {
    /// Checks that the parts of a search that was read fit each other and the grid, as far as later steps rely on it.
    /// `nodes` are the names in its tree.
    pub(crate) fn verify(
        &self,
        grid: &Grid,
        nodes: impl IntoIterator<Item = NodeId>,
    ) -> Result<(), SaveError> {
        let size = (grid.width(), grid.height());
        let is_on_map = |n: NodeId| {
            let (x, y) = grid.xy(n);
            n.index() < grid.bound() && x < size.0 && y < size.1
        };
        let is_none_or_on_map = |n: NodeId| !n.is_some() || is_on_map(n);
        let (tree, goal, pending) = (&self.search.nodes, self.goal, self.pending.node);
        let scans = [Some(self.joining), self.pending.scan];
        let mut scans = scans.into_iter().flatten();
        let mut ends_fit = true;
        // Ends lead to the goal. A search without a goal has none, and looks for none.
        self.names.for_each_end(|end| ends_fit &= goal.is_some() && is_on_map(end));
        let fits = scans.all(|scan| scan.fits(size, grid.rules().neighborhood))
            && ends_fit
            && (goal.is_some() || self.joining.is_done())
            && nodes.into_iter().all(|name| is_on_map(self.names.cell(name)))
            && is_none_or_on_map(self.root)
            && is_none_or_on_map(goal)
            && self.names_are(self.root, self.root_name)
            && self.names_are(goal, self.goal_name)
            && (!pending.is_some() || tree.g(pending).is_finite() && !tree.is_open(pending))
            && (self.stage == Stage::Idle || self.root.is_some())
            && (self.stage != Stage::Done || !goal.is_some() || tree.g(self.goal_name).is_finite());
        if !fits {
            return Err(SaveError::new("a search does not belong to its map"));
        }
        let h = |name: NodeId| {
            if goal.is_some() { grid.h(self.names.cell(name), goal) } else { Cost::ZERO }
        };
        self.search.check(h)
    }

    /// Returns `true` if both are none, or the name is the cell's.
    fn names_are(&self, cell: NodeId, name: NodeId) -> bool {
        cell.is_some() == name.is_some() && (!name.is_some() || self.names.cell(name) == cell)
    }
}
