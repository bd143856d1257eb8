//! FRIT (Rivera, Illanes, Baier & Hernández 2014): follows a tree of ideal paths, and reconnects to it where it is
//! broken.
//!
//! The ideal tree leads from every node to the goal as if there were no obstacles: the parent of a node is a
//! successor over which h is exact. The tree is not built in advance. A parent is computed when it is first
//! requested, and stored. If a node has no parent, or the edge to it is blocked, a uniform-cost search looks for
//! *any* node from which the tree still leads to the goal, and its path becomes part of the tree. So most moves
//! examine one node, and searches stay local.
//!
//! The searches are the paper's FRIT(BFS), sliced: the agent waits during a search. Following the tree to its end
//! (the paper's `InTree`) is charged per edge, and no node is tested twice in a search. A change only discards the
//! current search: stored parents are validated when they are used. (The paper cuts the tree when an obstacle is
//! observed.)
//!
//! FRIT is complete: a search connects all nodes of its path to the goal, paths are blocked finitely often, and a
//! tree without cycles is followed to its end. There are no cycles, since h decreases along ideal paths, and a new
//! path connects nodes that were not connected to the goal with one that is.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::mem;

use crate::graph::{Graph, ReverseGraph};
use crate::id::{Cost, NodeId};
use crate::meter::{Meter, WorkKind};
use crate::planner::{BoxedPlanner, Decision, Planner, PlannerState, Reset, StepContext, follow};
use crate::planner_part;
use crate::probe::Stats;
use crate::save::SaveError;
use crate::search::{Halt, NodeMap, NodeTable, OpenKind, PagedTree, Pages, Search, SearchTools};
use crate::spec::{BuildError, Facts, PlannerInfo, Spec};

/// The row of FRIT in the table of algorithms.
pub(crate) const INFO: PlannerInfo = PlannerInfo {
    key: "frit",
    name: "FRIT",
    paper: "Rivera, Illanes, Baier, Hernández 2014",
    summary: "follows the ideal path, and where it is blocked searches for the nearest state that is still connected to it",
    facts: Facts { optimal: false, ..Facts::FULL },
    params: &[],
    adjust_facts: PlannerInfo::FIXED,
};

/// Builds the planner.
pub(crate) fn build<G: ReverseGraph>(_: &Spec, graph: &G) -> Result<BoxedPlanner<G>, BuildError> {
    Ok(Box::new(Frit::new(graph)))
}

/// Number of new parents per step and expansion of the budget, if computing them is free.
const NEW_PER_EXPANSION: u64 = 2;
/// Number of stored parents followed per step, if that is free; also the number of expansions assumed for an
/// unlimited budget.
const MOST: u64 = 4096;

/// The number of tree edges that a search may still follow in this step.
struct Hops {
    noted: u64,
    new: u64,
}

impl Hops {
    fn of(meter: &Meter) -> Self {
        let worth = meter.expansions_left().unwrap_or(MOST).min(MOST);
        Self { noted: MOST, new: 1 + NEW_PER_EXPANSION * worth }
    }

    /// Takes one, if any is left.
    fn take(&mut self, is_noted: bool) -> bool {
        let left = if is_noted { &mut self.noted } else { &mut self.new };
        let is_left = *left > 0;
        *left = left.saturating_sub(1);
        is_left
    }
}

/// Follow and reconnect with the ideal tree.
#[derive(Clone, Debug)]
pub struct Frit {
    /// The stored parent of each node; the node itself if it has none.
    parents: NodeMap,
    /// Nodes of the tree that do not lead to the goal, as found in this search.
    seen: Pages<bool>,
    search: Search<PagedTree>,
    goal: NodeId,
    /// The start of the current search. `NONE` if there is none.
    start: NodeId,
    /// How far the tree was followed from the next node to be expanded.
    walker: NodeId,
    /// The node to connect with, and then its predecessors.
    join: NodeId,
    /// The cursor into the change log.
    cursor: u64,
    searches: u64,
}

/// The parent of a node.
enum Parent {
    To(NodeId),
    Nobody,
    /// The budget is exhausted.
    Paused,
}

impl Frit {
    /// Creates a planner for `graph`, or for any graph with the same number of nodes and no larger edge costs.
    pub fn new<G: Graph>(graph: &G) -> Self {
        let bound = graph.bound();
        Self {
            parents: NodeMap::new(bound),
            seen: Pages::new(bound, false),
            search: Search::new(PagedTree::new(bound), OpenKind::Ring, bound, graph.max_edge_cost()),
            goal: NodeId::NONE,
            start: NodeId::NONE,
            walker: NodeId::NONE,
            join: NodeId::NONE,
            cursor: 0,
            searches: 0,
        }
    }

    /// Discards the current search, in O(1).
    fn drop_search(&mut self) {
        (self.start, self.walker, self.join) = (NodeId::NONE, NodeId::NONE, NodeId::NONE);
    }

    /// Starts a search for a node from which the tree leads to the goal.
    fn begin(&mut self, at: NodeId, tools: &mut SearchTools<'_>) {
        self.drop_search();
        self.start = at;
        self.seen.clear();
        self.search.start(at, Cost::ZERO, tools);
        self.searches += 1;
    }

    /// Returns the parent of a node: the stored one if the edge to it exists, otherwise the first successor over
    /// which h is exact.
    fn parent<G: Graph>(&mut self, graph: &G, n: NodeId, tools: &mut SearchTools<'_>) -> Parent {
        let noted = self.parents.get(n);
        if noted == n {
            return Parent::Nobody;
        }
        if !tools.meter.charge(if noted.is_some() { WorkKind::Trace } else { WorkKind::Climb }) {
            return Parent::Paused;
        }
        let parent = if noted.is_some() {
            Some(noted).filter(|&to| graph.cost(n, to).is_finite())
        } else {
            let h = graph.h(n, self.goal);
            let ideal = graph.succs(n).find(|edge| edge.cost + graph.h(edge.to, self.goal) == h);
            ideal.map(|edge| edge.to)
        };
        if parent != Some(noted) {
            self.parents.set(n, parent.unwrap_or(n), tools.pools);
        }
        parent.map_or(Parent::Nobody, Parent::To)
    }

    /// Continues the search until the start is connected to the goal ([`Halt::Goal`]).
    fn reconnect<G: Graph>(&mut self, graph: &G, tools: &mut SearchTools<'_>) -> Halt {
        let mut hops = Hops::of(tools.meter);
        while !self.join.is_some() {
            let Some((n, _)) = self.search.top() else { return Halt::Empty };
            match self.leads_to_goal(graph, n, &mut hops, tools) {
                None => return Halt::Paused,
                Some(true) => self.join = n,
                Some(false) => {
                    let mut is_next = true;
                    let one = |_: &PagedTree, _| !mem::replace(&mut is_next, false);
                    match self.search.run_until(|n, _| graph.succs(n), |_, _| Cost::ZERO, one, tools) {
                        Halt::Goal => {}
                        halt => return halt,
                    }
                }
            }
        }
        while self.join != self.start {
            if !hops.take(true) || !tools.meter.charge(WorkKind::Trace) {
                return Halt::Paused;
            }
            let Some(before) = self.search.nodes.parent(self.join).some() else { break };
            self.parents.set(before, self.join, tools.pools);
            self.join = before;
        }
        self.drop_search();
        Halt::Goal
    }

    /// Returns whether the tree leads from the next node to the goal. `None` if the budget is exhausted.
    fn leads_to_goal<G: Graph>(
        &mut self,
        graph: &G,
        from: NodeId,
        hops: &mut Hops,
        tools: &mut SearchTools<'_>,
    ) -> Option<bool> {
        self.walker = self.walker.some().unwrap_or(from);
        let leads = loop {
            let n = self.walker;
            if n == self.goal {
                break true;
            }
            if self.seen.get(n.index()) {
                break false;
            }
            if !hops.take(self.parents.get(n).is_some()) {
                return None;
            }
            let parent = self.parent(graph, n, tools);
            if matches!(parent, Parent::Paused) {
                return None;
            }
            *self.seen.entry(n.index(), tools.pools) = true;
            match parent {
                Parent::To(next) => self.walker = next,
                _ => break false,
            }
        };
        tools.meter.count(WorkKind::Page, tools.pools.page_faults());
        self.walker = NodeId::NONE;
        Some(leads)
    }
}

planner_part! {
    Frit { saved: parents, seen, search, goal, start, walker, join, cursor, searches; fixed: }
}

impl PlannerState for Frit {
    fn graph_bound(&self) -> usize {
        self.parents.nodes()
    }

    fn reset(&mut self, keep: Reset) {
        self.drop_search();
        if keep == Reset::Full {
            self.parents.clear();
            self.goal = NodeId::NONE;
        }
    }

    fn search_stats(&self) -> Stats {
        let Search { open_max, closed_max, .. } = self.search;
        Stats { searches: self.searches, open_max, closed_max, ..Stats::default() }
    }

    fn path(&self, at: NodeId) -> Vec<NodeId> {
        follow(at, self.graph_bound(), |n| self.parents.get(n).some().filter(|&next| next != n))
    }
}

impl<G: Graph> Planner<G> for Frit {
    fn plan_step(&mut self, mut cx: StepContext<'_, G>) -> Decision {
        let (graph, at, goal) = (cx.graph, cx.at, cx.goal);
        if goal != self.goal {
            self.reset(Reset::Full);
            self.goal = goal;
        }
        if self.cursor != cx.changes.end() || self.start != at {
            self.drop_search();
        }
        self.cursor = cx.changes.end();
        if at == goal {
            return Decision::Wait;
        }
        let mut tools = cx.tools();
        // A successful search has given the agent's node a parent.
        for _ in 0..2 {
            if self.start.is_some() {
                match self.reconnect(graph, &mut tools) {
                    Halt::Goal => {}
                    Halt::Empty => return Decision::NoPath,
                    Halt::Paused => return Decision::Wait,
                }
            }
            match self.parent(graph, at, &mut tools) {
                Parent::To(next) => return Decision::Go(next),
                Parent::Nobody => self.begin(at, &mut tools),
                Parent::Paused => return Decision::Wait,
            }
        }
        Decision::Wait
    }

    fn check(&self, _: &G) -> Result<(), SaveError> {
        let is_under_way = self.walker.is_some() || self.join.is_some();
        if is_under_way && !self.start.is_some() || self.start.is_some() && !self.goal.is_some() {
            return Err(SaveError::new("its search has no start or no goal"));
        }
        self.search.check(|_| Cost::ZERO)
    }
}
