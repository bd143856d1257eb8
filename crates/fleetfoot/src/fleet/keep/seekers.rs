//! One search in its middle.

use alloc::vec::Vec;

use super::teams::read_row;
use super::{flag, inside, write_list};
use crate::corners::Scan;
use crate::fleet::seek::{Pending, Seeker, Stage};
use crate::graph::{Graph, Grid};
use crate::id::{Cost, NodeId};
use crate::parts::{Nodes, Part};
use crate::save::{SaveError, Sink, Source};

const STAGES: [Stage; 4] = [Stage::Idle, Stage::Runs, Stage::Done, Stage::NoWay];

impl Seeker {
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        let Self { search, stage, pending, joining, ends, row, debt: _, root, goal, begun, traced, .. } =
            self;
        flag(out, self.is_thorough);
        out.u32(STAGES.iter().position(|other| other == stage).unwrap_or(0) as u32);
        out.node(*root);
        out.node(*goal);
        out.u64(*begun);
        out.u64(*traced);
        let Pending { node, f, next, scan } = *pending;
        out.node(node);
        out.cost(f);
        out.u32(next);
        flag(out, scan.is_some());
        scan.unwrap_or(Scan::done()).write(out);
        joining.write(out);
        write_list(out, ends.iter().copied());
        flag(out, row.is_some());
        if let Some((edition, row)) = row {
            out.u32(*edition);
            for &cost in row {
                out.cost(cost);
            }
        }
        search.write(out);
    }

    pub(super) fn read(&mut self, grid: &Grid, from: &mut Source<'_>) -> Result<(), SaveError> {
        let limits = grid.limits();
        self.is_thorough = from.choice(2)? == 1;
        self.stage = STAGES[from.choice(STAGES.len() as u32)? as usize];
        (self.root, self.goal) = (inside(grid, from)?, from.node_or_none(&limits)?);
        (self.begun, self.traced) = (from.count()?, from.count()?);
        let (node, f, next) = (from.node_or_none(&limits)?, from.cost()?, from.u32()?);
        let has_scan = from.choice(2)? == 1;
        let mut scan = Scan::done();
        scan.read(&limits, from)?;
        self.pending = Pending { node, f, next, scan: has_scan.then_some(scan) };
        self.joining.read(&limits, from)?;
        for _ in 0..from.len(4)? {
            self.ends.push(inside(grid, from)?);
        }
        if from.choice(2)? == 1 {
            let edition = from.u32()?;
            self.row = Some((edition, read_row(from)?));
        }
        self.search.read(&limits, from)?;
        let goal = self.goal;
        let h = |n: NodeId| if goal.is_some() { grid.h(n, goal) } else { Cost::ZERO };
        self.search.check(h)?;
        let size = (grid.width(), grid.height());
        let tree = &self.search.nodes;
        let is_on_map = |n: NodeId| {
            let (x, y) = grid.xy(n);
            x < size.0 && y < size.1
        };
        let neighbours = grid.rules().neighbours;
        let scans = [Some(self.joining), self.pending.scan];
        let scans = scans.into_iter().flatten().all(|scan| scan.fits(size, neighbours));
        let is_sound = scans
            && tree.generated().into_iter().all(is_on_map)
            && (!goal.is_some() || is_on_map(goal))
            && (!node.is_some() || tree.g(node).is_finite() && !tree.is_open(node))
            && (self.stage != Stage::Done || !goal.is_some() || tree.g(goal).is_finite());
        if !is_sound {
            return Err(SaveError::new("a search does not belong to its map"));
        }
        if node.is_some() {
            // It is being expanded: what it leads to lies a step deeper than it does.
            self.search.nodes.close(node);
        }
        Ok(())
    }
}
