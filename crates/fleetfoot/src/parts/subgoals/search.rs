//! Shortest paths over a subgoal graph.

use alloc::vec;
use alloc::vec::Vec;

use super::{Cell, SubgoalGraph, along, cell, node};
use crate::graph::{Edge, Graph, Grid};
use crate::id::{Cost, NodeId};
use crate::meter::{Kind, Meter};
use crate::parts::{Flat, Halt, Nodes, OpenKind, Pools, Search, Ties, Tools};

/// Working memory for searches over one subgoal graph; one per thread.
#[derive(Debug)]
pub struct SubgoalSearch {
    search: Search<Flat>,
    pools: Pools,
    /// The ways from the start.
    start: Vec<Edge>,
    /// By subgoal: what the way to the goal costs; infinite for most.
    to_goal: Vec<Cost>,
    expanded: u64,
}

impl SubgoalSearch {
    /// Memory for this graph.
    pub fn new(graph: &SubgoalGraph) -> Self {
        let (bound, kind) = (graph.len() + 2, OpenKind::Heap(Ties::LargerG));
        Self {
            search: Search::new(Flat::new(bound), kind, bound, Cost::INF),
            pools: Pools::new(),
            start: Vec::new(),
            to_goal: vec![Cost::INF; graph.len()],
            expanded: 0,
        }
    }

    /// Subgoals expanded so far, in all searches.
    pub fn expanded(&self) -> u64 {
        self.expanded
    }

    /// A shortest path between two free cells, both included; empty if there is none. The grid must be the one that
    /// the graph was made of.
    pub fn path(&mut self, graph: &SubgoalGraph, grid: &Grid, a: NodeId, b: NodeId) -> Vec<NodeId> {
        let (from, to) = (cell(grid, a), cell(grid, b));
        let mut path = vec![a];
        if graph.is_open_between(from, to) {
            walk(grid, from, to, &mut path);
            return path;
        }
        path.clear();
        let mut corners = self.corners(graph, grid, a, b);
        let Some(mut here) = corners.pop() else { return path };
        path.push(node(grid, here));
        while let Some(next) = corners.pop() {
            walk(grid, here, next, &mut path);
            here = next;
        }
        path
    }

    /// Where a shortest path turns, from the goal back to the start; empty if there is none.
    fn corners(&mut self, graph: &SubgoalGraph, grid: &Grid, a: NodeId, b: NodeId) -> Vec<Cell> {
        let Self { search, pools, start, to_goal, expanded } = self;
        start.clear();
        graph.for_each_direct(cell(grid, a), |subgoal| {
            let cost = grid.h(a, graph.subgoals[subgoal as usize]);
            start.push(Edge { to: NodeId::new(subgoal), cost });
        });
        let mut ends = Vec::new();
        graph.for_each_direct(cell(grid, b), |subgoal| {
            to_goal[subgoal as usize] = grid.h(graph.subgoals[subgoal as usize], b);
            ends.push(subgoal);
        });
        let (root, goal) = (NodeId::from_index(graph.len()), NodeId::from_index(graph.len() + 1));
        let place =
            |n: NodeId| graph.subgoals.get(n.index()).copied().unwrap_or(if n == root { a } else { b });
        let (start, to_goal) = (&start[..], &mut to_goal[..]);
        let succs = |n: NodeId, _| {
            let (edges, last) = match graph.subgoals.get(n.index()) {
                Some(_) => (graph.edges(n.index()), to_goal[n.index()]),
                None => (start, Cost::INF),
            };
            let last = last.is_finite().then_some(Edge { to: goal, cost: last });
            edges.iter().copied().chain(last)
        };
        let mut meter = Meter::unlimited();
        let mut tools = Tools { meter: &mut meter, pools, probe: None };
        search.start(root, grid.h(a, b), &mut tools);
        let halt = search.run(succs, |_, n| grid.h(place(n), b), goal, &mut tools);
        *expanded += meter.work()[Kind::Expand];
        for subgoal in ends {
            to_goal[subgoal as usize] = Cost::INF;
        }
        if halt != Halt::Goal {
            return Vec::new();
        }
        let mut corners = vec![cell(grid, b)];
        let mut at = search.nodes.parent(goal);
        while at.is_some() {
            corners.push(cell(grid, place(at)));
            at = search.nodes.parent(at);
        }
        corners
    }
}

impl SubgoalGraph {
    /// Whether the way between two cells with its diagonal moves first is free; then it is a shortest one. It is free
    /// wherever the two are directly connected.
    fn is_open_between(&self, mut at: Cell, to: Cell) -> bool {
        while at != to {
            let way = way(at, to);
            let is_diagonal = way.0 != 0 && way.1 != 0;
            let next = along(at, way, 1);
            if !(if is_diagonal { self.passes(at, way) } else { self.is_free(next) }) {
                return false;
            }
            at = next;
        }
        true
    }
}

/// The direction of the next move, diagonal ones first.
fn way(at: Cell, to: Cell) -> (i32, i32) {
    ((to.0 - at.0).signum(), (to.1 - at.1).signum())
}

/// Adds the cells after `at` up to `to`, diagonal moves first.
fn walk(grid: &Grid, mut at: Cell, to: Cell, path: &mut Vec<NodeId>) {
    while at != to {
        at = along(at, way(at, to), 1);
        path.push(node(grid, at));
    }
}
