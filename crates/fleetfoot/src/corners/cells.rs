//! Searches from cell to cell, on grids without an index of corners.

use super::names::Names;
use super::search::{CornerSearch, Limit, Stage, Table};
use crate::graph::Graph;
use crate::grid::Grid;
use crate::id::Cost;
use crate::search::SearchTools;

impl<T: Table, N: Names> CornerSearch<T, N> {
    /// Runs a search over all cells as far as meter and limit allow.
    pub(crate) fn advance_over_cells(
        &mut self,
        grid: &Grid,
        log: u64,
        limit: Limit,
        tools: &mut SearchTools<'_>,
    ) -> Stage {
        if self.stage != Stage::Running {
            return self.stage;
        }
        for _ in 0..limit.expansions {
            let Some((n, _)) = self.search.top() else {
                self.end(log);
                break;
            };
            if n == self.goal_name {
                self.stage = Stage::Done;
                break;
            }
            if !tools.meter.expand() {
                break;
            }
            self.search.skip();
            self.search.closed += 1;
            let (g, at) = (self.search.nodes.g(n), self.names.cell(n));
            for edge in grid.succs(at) {
                let (g, to) = (g + edge.cost, self.names.name(edge.to, tools.pools));
                let search = &mut self.search;
                if let Some(place) = search.nodes.relax(to, g, n, tools.pools) {
                    let h = if self.goal.is_some() { grid.h(edge.to, self.goal) } else { Cost::ZERO };
                    search.open.put(to, (g + h, g), place, &mut search.nodes, tools.pools);
                }
            }
        }
        self.stage
    }
}
