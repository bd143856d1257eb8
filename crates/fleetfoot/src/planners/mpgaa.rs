//! MPGAA* (Hernández, Asín, Baier 2015): Multipath Generalized Adaptive A*. It learns h, and reuses the paths of
//! earlier searches.
//!
//! Repeated forward A* towards one goal, with three additions:
//!
//! 1. *Learning* (Adaptive A*). A search that stops at s̄ teaches every state s that it closed h(s) := f(s̄) - g(s).
//!    Here that is done lazily, in O(1) per search ([`AdaptiveTree`]). All values that are read are those of the
//!    paper's pass over CLOSED.
//! 2. *Paths* (Multipath Adaptive A*). Every state on a path that a search has built stores the `next` state on it.
//!    Before a state is expanded, the stored path from it is followed while h(s) = c(s, next(s)) + h(next(s))
//!    (`GoalCondition`). If it leads to the goal, the search stops there. By the equations that path costs h(s), and h
//!    never exceeds the true cost.
//! 3. *Falling costs* (Generalized Adaptive A*). After a fall h may be too large. `ReestablishConsistency` lowers it
//!    from the edges that fell. The state with the lowest new value tells its predecessors, as in Dijkstra's algorithm.
//!    A state whose value fell forgets its `next`, and takes the state that its new value comes from if that one is on
//!    a stored path.
//!
//! # Budget
//!
//! As with [`RepeatedAStar`](super::RepeatedAStar) and [`DStarLite`](super::DStarLite), the agent waits while there is
//! anything to do, and walks the path when it is complete. Changes are read first, at most 4,096 a step. Then h is made
//! consistent, and then the search goes on.
//!
//! A state that tells its predecessors is charged as an expansion, since it enumerates neighbors as one does. Each hop
//! along a stored path and each `next` that is set is a trace step. No state is followed twice in one search: a path
//! that joins one which has already failed fails. So a search makes at most as many hops as there are states with a
//! `next`. (The paper follows every path to its end.)
//!
//! A change restarts the search only if it may alter the answer. Before the search ends, that is a change of an edge
//! that it has used, or a fall that makes h inconsistent. After it has ended, that is a rise on the path ahead, or a
//! fall that lowers h on it. All other changes leave the equations along the path and the consistency of h as they are,
//! so the path is still a shortest one. The paper searches again after any change, and for this reason stops at once at
//! the start. A search that is restarted teaches what it has found so far, with the state on top of its open list as
//! s̄.
//!
//! # Ambiguities
//!
//! - Restatements of the paper differ on whether a rise clears the `next` of the edge's tail. Here it does not: h stays
//!   consistent, and a stored path over the edge fails its equation when it is next followed. A path that leaves the
//!   state by another edge stays good.
//! - The `next` of a state that the agent leaves is cleared, as published.
//! - The goal has no `next`. Literally, a state whose new value comes from the goal would lose its path. Here the goal
//!   counts as being on a stored path.
//! - Changes come as a log. A cost that fell and rose again is read at its present cost, so it lowers nothing.
//!
//! # Promises
//!
//! Every path that is followed is a shortest one in the graph as it is, in every step of the walk. Complete wherever
//! Repeated A* is; an empty open list proves that there is no path. Changes that never cease starve it. A new goal
//! forgets h and all paths, in O(1).

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::change_reader::{ChangeReader, ReadStatus};
use super::open_params::{OPEN, TIES, open_with_ties};
use crate::graph::{ChangeLog, EdgeChange, Graph, ReverseGraph, Undirected};
use crate::id::{Cost, NodeId};
use crate::meter::WorkKind;
use crate::planner::{BoxedPlanner, Decision, Planner, PlannerState, Reset, StepContext, follow};
use crate::planner_part;
use crate::probe::{SearchEvent, SearchProbe, Stats};
use crate::save::SaveError;
use crate::search::{
    AdaptiveTree, Fallen, Halt, NodeTable, OpenKind, Pools, Search, SearchTools, SearchTree, StoredPaths,
    enum_part,
};
use crate::spec::{BuildError, Facts, PlannerInfo, Spec};

/// The row of MPGAA* in the table of algorithms.
pub(crate) const INFO: PlannerInfo = PlannerInfo {
    key: "mpgaa",
    name: "MPGAA*",
    paper: "Hernández, Asín, Baier 2015",
    summary: "Adaptive A* whose searches stop where an earlier path still leads to the goal; costs may rise and fall",
    facts: Facts::FULL,
    params: &[OPEN.param, TIES.param],
    adjust_facts: PlannerInfo::FIXED,
};

/// Builds the planner.
pub(crate) fn build<G: ReverseGraph>(spec: &Spec, graph: &G) -> Result<BoxedPlanner<G>, BuildError> {
    Ok(Box::new(Mpgaa::directed(open_with_ties(spec)?, graph)))
}

/// Builds the planner for an undirected graph, on which it needs no heap.
pub(crate) fn build_undirected<G: Undirected>(spec: &Spec, graph: &G) -> Result<BoxedPlanner<G>, BuildError> {
    Ok(Box::new(Mpgaa::undirected(open_with_ties(spec)?, graph)))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// No search is running, and no path is followed.
    Idle,
    Searching,
    /// The search has ended; its path is being stored.
    Storing,
    Walking,
    NoPath,
}

enum_part! { Phase: Idle, Searching, Storing, Walking, NoPath }

/// Multipath Generalized Adaptive A*.
#[derive(Clone, Debug)]
pub struct Mpgaa {
    search: Search<AdaptiveTree>,
    /// The paper's `next`. For a node in `fallen`, the node that its value comes from (the paper's `support`).
    /// There is one session of marks per search, and one round per stored path that was followed. The last round
    /// marks the path that the agent walks.
    paths: StoredPaths,
    fallen: Fallen,
    phase: Phase,
    /// The start of the search. While walking, the agent's position in the last step.
    start: NodeId,
    goal: NodeId,
    /// The node up to which a stored path was followed, or from which the new path is still to be stored, or
    /// `NONE`.
    walker: NodeId,
    reader: ChangeReader,
    searches: u64,
}

impl Mpgaa {
    /// Creates a planner for `graph`, or for any graph with the same number of nodes. Learned values can increase
    /// by any amount along a directed edge, so the open list is a heap.
    pub fn directed<G: Graph>(open: OpenKind, graph: &G) -> Self {
        Self::with_max_f_increase(open, graph.bound(), Cost::INF)
    }

    /// Creates a planner for `graph`, or for any undirected graph with the same number of nodes and no larger edge
    /// costs. Consistent values on an undirected graph differ along an edge by at most its cost.
    pub fn undirected<G: Undirected>(open: OpenKind, graph: &G) -> Self {
        Self::with_max_f_increase(open, graph.bound(), graph.max_edge_cost() + graph.max_edge_cost())
    }

    fn with_max_f_increase(open: OpenKind, bound: usize, max_f_increase: Cost) -> Self {
        Self {
            search: Search::new(AdaptiveTree::lazy(bound), open, bound, max_f_increase),
            paths: StoredPaths::new(bound),
            fallen: Fallen::new(bound),
            phase: Phase::Idle,
            start: NodeId::NONE,
            goal: NodeId::NONE,
            walker: NodeId::NONE,
            reader: ChangeReader::default(),
            searches: 0,
        }
    }

    /// Returns the current estimate for `n`.
    pub fn h<G: Graph>(&self, graph: &G, n: NodeId) -> Cost {
        self.search.nodes.initial_estimate(n, || graph.h(n, self.goal))
    }

    /// Returns `true` if the estimates are consistent in the graph of the last step.
    pub fn is_consistent(&self) -> bool {
        self.fallen.is_empty()
    }

    /// Clears everything, in O(1).
    fn forget(&mut self) {
        self.search.forget();
        self.paths.clear();
        self.fallen.clear();
        (self.phase, self.walker) = (Phase::Idle, NodeId::NONE);
    }

    /// Ends the search or the walk, if any. The values of an unfinished search are learned.
    #[inline(never)]
    fn drop_search(&mut self, pools: &mut Pools) {
        self.teach(pools);
        self.search.open.restart(Cost::ZERO);
        (self.phase, self.walker) = (Phase::Idle, NodeId::NONE);
    }

    /// Learns from the search, unless that was done: every closed node is at least f(s̄) - g from the goal.
    fn teach(&mut self, pools: &mut Pools) {
        let f = self.search.top().map_or(Cost::INF, |(_, f)| f);
        self.search.nodes.teach(f, pools);
    }

    /// Detects an agent that is not at its expected position. If it has advanced along its path, the path behind it
    /// is removed.
    fn notice(&mut self, at: NodeId, pools: &mut Pools) {
        if self.phase == Phase::Idle || at == self.start {
            return;
        }
        if self.phase == Phase::Walking && at == self.paths.next(self.start) {
            self.paths.remove(self.start);
            self.start = at;
        } else {
            self.drop_search(pools);
        }
    }

    /// Processes new changes. Returns `false` if some are left for the next step.
    fn digest<G: Graph>(&mut self, graph: &G, log: &ChangeLog, tools: &mut SearchTools<'_>) -> bool {
        let mut reader = self.reader;
        let SearchTools { meter, pools, probe } = tools;
        let reading = reader.read(log, meter, |change, _| {
            if change.is_decrease() {
                self.fall(graph, change, pools, probe);
            } else {
                self.rise(change, pools);
            }
            false
        });
        self.reader = reader;
        if reading == ReadStatus::Lost {
            self.forget();
        }
        reading != ReadStatus::Behind
    }

    /// Restarts a search that has used the edge, or a walk along a path that contains it. A stored path that is
    /// being followed is followed again from its start.
    fn rise(&mut self, change: &EdgeChange, pools: &mut Pools) {
        let is_stored = || self.paths.is_latest(change.from) && self.paths.next(change.from) == change.to;
        match self.phase {
            Phase::Searching | Phase::Storing if self.search.nodes.is_closed(change.from) => {
                self.drop_search(pools);
            }
            Phase::Searching if self.walker.is_some() && is_stored() => {
                self.walker = NodeId::NONE;
                self.paths.start_session();
            }
            Phase::Storing | Phase::Walking if is_stored() => self.drop_search(pools),
            _ => {}
        }
    }

    /// Restarts a search that could have used the edge. Decreases the value of the tail to the cost over the edge
    /// if that is smaller.
    fn fall<G: Graph>(
        &mut self,
        graph: &G,
        change: &EdgeChange,
        pools: &mut Pools,
        probe: &mut Option<&mut dyn SearchProbe>,
    ) {
        let EdgeChange { from, to, .. } = *change;
        let cost = graph.cost(from, to);
        let is_searching = matches!(self.phase, Phase::Searching | Phase::Storing);
        let is_searched = is_searching || self.phase == Phase::NoPath;
        let is_lower = |planner: &Self| cost + planner.h(graph, to) < planner.h(graph, from);
        if is_searched && self.search.nodes.is_closed(from) || is_searching && is_lower(self) {
            // The values learned from the search determine what is smaller.
            self.drop_search(pools);
        }
        if is_lower(self) {
            let value = cost + self.h(graph, to);
            self.lower(graph, from, (value, to), pools, probe);
        }
    }

    /// `InsertState` of the paper, for a value that decreases. No search is running.
    fn lower<G: Graph>(
        &mut self,
        graph: &G,
        n: NodeId,
        (value, support): (Cost, NodeId),
        pools: &mut Pools,
        probe: &mut Option<&mut dyn SearchProbe>,
    ) {
        if self.phase == Phase::Walking && self.paths.is_latest(n) {
            self.drop_search(pools);
        }
        if let Some(probe) = probe {
            probe.event(SearchEvent::Learn { node: n, old: self.h(graph, n), new: value });
            probe.event(SearchEvent::Open { node: n, parent: support, g: value, f: value });
        }
        self.search.nodes.lower(n, value, pools);
        self.paths.set_next(n, support, pools);
        self.fallen.put(n, value, pools);
    }

    /// `ReestablishConsistency` of the paper, within the budget. Returns `false` if it is not finished.
    fn reestablish_consistency<G: ReverseGraph>(&mut self, graph: &G, tools: &mut SearchTools<'_>) -> bool {
        while !self.fallen.is_empty() {
            if !tools.meter.expand() {
                return false;
            }
            let Some((n, value)) = self.fallen.pop() else { break };
            let support = self.paths.next(n);
            tools.emit(SearchEvent::Expand { node: n, parent: support, g: value, f: value });
            if support != self.goal && !self.paths.next(support).is_some() {
                self.paths.set_next(n, NodeId::NONE, tools.pools);
            }
            let SearchTools { pools, probe, .. } = tools;
            for edge in graph.preds(n) {
                let by = edge.cost + value;
                if by < self.h(graph, edge.to) {
                    self.lower(graph, edge.to, (by, n), pools, probe);
                }
            }
        }
        tools.meter.count(WorkKind::Page, tools.pools.page_faults());
        true
    }

    fn begin<G: Graph>(&mut self, graph: &G, at: NodeId, tools: &mut SearchTools<'_>) {
        let h = self.h(graph, at);
        self.search.start(at, h, tools);
        self.search.nodes.estimate(at, || h);
        self.paths.start_session();
        (self.start, self.walker, self.phase) = (at, NodeId::NONE, Phase::Searching);
        self.searches += 1;
    }

    /// Continues the search until the next node is connected to the goal by a stored path ([`Halt::Goal`]).
    fn look_on<G: Graph>(&mut self, graph: &G, tools: &mut SearchTools<'_>) -> Halt {
        loop {
            if !self.walker.is_some() {
                let Self { search, paths, goal, .. } = self;
                let goal = *goal;
                let h = |nodes: &mut AdaptiveTree, n| nodes.estimate(n, || graph.h(n, goal));
                let stop = |_: &AdaptiveTree, n| n == goal || paths.is_fresh(n);
                match search.run_until(|n, _| graph.succs(n), h, stop, tools) {
                    Halt::Goal => self.walker = search.top().map_or(NodeId::NONE, |(n, _)| n),
                    halt => return halt,
                }
            }
            match self.leads_to_goal(graph, tools) {
                None => return Halt::Paused,
                Some(true) => return Halt::Goal,
                Some(false) => {
                    self.walker = NodeId::NONE;
                    self.paths.start_round();
                }
            }
        }
    }

    /// `GoalCondition` of the paper, from the walker on. Returns `None` if the budget ends before the path does.
    fn leads_to_goal<G: Graph>(&mut self, graph: &G, tools: &mut SearchTools<'_>) -> Option<bool> {
        loop {
            let n = self.walker;
            if n == self.goal {
                return Some(true);
            }
            if !self.paths.is_fresh(n) {
                return Some(false);
            }
            if !tools.meter.charge(WorkKind::Trace) {
                return None;
            }
            self.paths.mark(n, tools.pools);
            let next = self.paths.next(n);
            if self.h(graph, n) != graph.cost(n, next) + self.h(graph, next) {
                return Some(false);
            }
            self.walker = next;
        }
    }

    /// `BuildPath` of the paper, from the walker back to the start. Returns `false` if the budget ends before.
    fn store_path(&mut self, tools: &mut SearchTools<'_>) -> bool {
        while self.walker != self.start {
            let Some(parent) = self.search.nodes.parent(self.walker).some() else { break };
            if !tools.meter.charge(WorkKind::Trace) {
                return false;
            }
            self.paths.set_next(parent, self.walker, tools.pools);
            self.paths.mark(parent, tools.pools);
            tools.emit(SearchEvent::Trace { node: parent });
            self.walker = parent;
        }
        tools.meter.count(WorkKind::Page, tools.pools.page_faults());
        true
    }
}

planner_part! {
    Mpgaa { saved: search, paths, fallen, phase, start, goal, walker, reader, searches; fixed: }
}

impl PlannerState for Mpgaa {
    fn graph_bound(&self) -> usize {
        self.paths.nodes()
    }

    fn reset(&mut self, keep: Reset) {
        match keep {
            // The values of the search are learned at the start of the next step.
            Reset::KeepLearned => (self.phase, self.walker) = (Phase::Idle, NodeId::NONE),
            Reset::Full => self.forget(),
        }
    }

    fn search_stats(&self) -> Stats {
        let Search { open_max, closed_max, .. } = self.search;
        let (h_states, updates, h_rise) = self.search.nodes.learned();
        Stats { searches: self.searches, open_max, closed_max, h_states, updates, h_rise, memory_bytes: 0 }
    }

    fn path(&self, at: NodeId) -> Vec<NodeId> {
        let next = |n: NodeId| self.paths.next(n).some().filter(|_| self.paths.is_latest(n));
        if self.phase == Phase::Walking { follow(at, self.graph_bound(), next) } else { Vec::new() }
    }
}

impl<G: ReverseGraph> Planner<G> for Mpgaa {
    fn plan_step(&mut self, mut cx: StepContext<'_, G>) -> Decision {
        let (graph, at, goal, log) = (cx.graph, cx.at, cx.goal, cx.changes);
        if goal != self.goal {
            self.forget();
            (self.goal, self.reader.cursor) = (goal, log.end());
        }
        if at == goal {
            return Decision::Wait;
        }
        let mut tools = cx.tools();
        if self.phase == Phase::Idle {
            self.drop_search(tools.pools);
        }
        self.notice(at, tools.pools);
        if !self.digest(graph, log, &mut tools) || !self.reestablish_consistency(graph, &mut tools) {
            return Decision::Wait;
        }
        if self.phase == Phase::Idle {
            self.begin(graph, at, &mut tools);
        }
        if self.phase == Phase::Searching {
            match self.look_on(graph, &mut tools) {
                Halt::Goal => {
                    self.teach(tools.pools);
                    self.walker = self.search.top().map_or(self.start, |(n, _)| n);
                    self.phase = Phase::Storing;
                }
                Halt::Empty => {
                    self.teach(tools.pools);
                    self.phase = Phase::NoPath;
                }
                Halt::Paused => {}
            }
        }
        if self.phase == Phase::Storing && self.store_path(&mut tools) {
            self.search.open.restart(Cost::ZERO);
            (self.phase, self.walker) = (Phase::Walking, NodeId::NONE);
            tools.emit(SearchEvent::AdoptPath);
        }
        match self.phase {
            Phase::Walking => self.paths.next(at).some().map_or(Decision::Wait, Decision::Go),
            Phase::NoPath => Decision::NoPath,
            _ => Decision::Wait,
        }
    }

    fn check(&self, graph: &G) -> Result<(), SaveError> {
        let goal = self.goal;
        self.search.check(|n| if goal.is_some() { graph.h(n, goal) } else { Cost::INF })?;
        let is_begun = self.phase != Phase::Idle;
        if is_begun && !(self.start.is_some() && goal.is_some())
            || self.phase == Phase::Storing && !self.walker.is_some()
        {
            return Err(SaveError::new("its search has no start, goal or path"));
        }
        if self.phase == Phase::Walking && !self.paths.next(self.start).is_some() {
            return Err(SaveError::new("its path does not begin where the agent is"));
        }
        Ok(())
    }
}
