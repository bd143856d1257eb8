//! IDA* (Korf 1985), resumable: the agent waits until its path is complete, then follows it.
//!
//! Depth-first search with a limit on f = g + h, initially h(start). Nodes beyond the limit are cut off. If the
//! goal is not found, the smallest f that was cut off becomes the next limit. The goal is detected when it is
//! generated within the limit. Nodes on the current path are not successors. Limits increase strictly and never
//! exceed the cost of a shortest path, so the path found is shortest. If nothing was cut off, there is no path.
//!
//! Memory is linear in the search depth. The work is bounded only by the number of simple paths. IDA* is included
//! for comparison, and as the origin of RIBS: with open terrain and obstacles, or with an unreachable goal, it does
//! not end in reasonable time, and neither does a step without a budget.
//!
//! A step costs at most the budget: one expansion per node whose successors are generated, and one trace step per
//! node of backtracking, which the papers do not charge. A change of the world, a new goal, or an agent off its
//! path restart the search, in O(1).

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::graph::{Edge, Graph, ReverseGraph};
use crate::id::{Cost, NodeId};
use crate::meter::WorkKind;
use crate::planner::{BoxedPlanner, Decision, Planner, PlannerState, Reset, StepContext};
use crate::planner_part;
use crate::probe::{SearchEvent, Stats};
use crate::save::SaveError;
use crate::search::{DfsStack, SearchTools, enum_part};
use crate::spec::{BuildError, Facts, PlannerInfo, Spec};

/// The row of IDA* in the table of algorithms.
pub(crate) const INFO: PlannerInfo = PlannerInfo {
    key: "ida",
    name: "IDA*",
    paper: "Korf 1985",
    summary: "A* with memory linear in the length of the path, however much work that takes; for comparison",
    facts: Facts { unknown_terrain: false, polynomial: false, ..Facts::FULL },
    params: &[],
    adjust_facts: PlannerInfo::FIXED,
};

/// Builds the planner.
pub(crate) fn build<G: ReverseGraph>(_: &Spec, graph: &G) -> Result<BoxedPlanner<G>, BuildError> {
    Ok(Box::new(Ida::new(graph)))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Deepening {
    /// No search was started.
    Idle,
    Searching,
    Walking,
    NoPath,
}

enum_part! { Deepening: Idle, Searching, Walking, NoPath }

/// The planner IDA*.
#[derive(Clone, Debug)]
pub struct Ida {
    phase: Deepening,
    /// The agent's position at the start of the search.
    start: NodeId,
    goal: NodeId,
    limit: Cost,
    /// The smallest f that was cut off so far.
    next: Cost,
    /// The current path of the search; the solution once it is found.
    stack: DfsStack,
    /// The cursor into the change log.
    cursor: u64,
    /// Statistics. Memory is computed on request.
    counts: Stats,
    /// The bound of the graph's node numbers.
    nodes: usize,
}

impl Ida {
    /// Creates a planner for `graph`, or for any graph with the same number of nodes.
    pub fn new<G: Graph>(graph: &G) -> Self {
        Self {
            phase: Deepening::Idle,
            start: NodeId::NONE,
            goal: NodeId::NONE,
            limit: Cost::ZERO,
            next: Cost::INF,
            stack: DfsStack::new(graph.bound()),
            cursor: 0,
            counts: Stats::default(),
            nodes: graph.bound(),
        }
    }

    /// Returns the current limit on f.
    pub fn limit(&self) -> Cost {
        self.limit
    }

    /// Clears the search and the path, in O(1).
    fn drop_path(&mut self) {
        self.phase = Deepening::Idle;
        self.stack.clear();
    }

    /// Returns `true` if the agent is at a node that neither the search nor the path can use.
    fn is_astray(&self, at: NodeId) -> bool {
        match self.phase {
            Deepening::Idle => false,
            Deepening::Walking => self.stack.find(at).is_none(),
            Deepening::Searching | Deepening::NoPath => at != self.start,
        }
    }

    /// Searches until the goal is found, nothing is left, or the budget is exhausted.
    fn deepen<G: Graph>(&mut self, graph: &G, tools: &mut SearchTools<'_>) -> Deepening {
        loop {
            if self.stack.peek().is_some() {
                if !tools.meter.expand() {
                    return Deepening::Searching;
                }
                self.stack.advance(tools.pools);
                if self.expand(graph, tools) {
                    return Deepening::Walking;
                }
            } else if self.stack.is_empty() {
                if !self.next.is_finite() {
                    return Deepening::NoPath;
                }
                self.begin_iteration(tools);
            } else if tools.meter.charge(WorkKind::Trace) {
                self.stack.retreat();
            } else {
                return Deepening::Searching;
            }
        }
    }

    fn begin_iteration(&mut self, tools: &mut SearchTools<'_>) {
        (self.limit, self.next) = (self.next, Cost::INF);
        self.stack.note(Edge { to: self.start, cost: Cost::ZERO }, tools.pools);
        self.counts.searches += 1;
        tools.emit(SearchEvent::Search { root: self.start });
    }

    /// Generates the successors of the last node. Returns `true` if one of them is the goal, which is then appended
    /// to the path.
    fn expand<G: Graph>(&mut self, graph: &G, tools: &mut SearchTools<'_>) -> bool {
        let Some((n, g)) = self.stack.last() else { return false };
        let depth = self.stack.len();
        let parent = depth.checked_sub(2).and_then(|k| self.stack.node(k)).unwrap_or(NodeId::NONE);
        tools.emit(SearchEvent::Expand { node: n, parent, g, f: g + graph.h(n, self.goal) });
        self.counts.closed_max = self.counts.closed_max.max(depth as u64);
        for edge in graph.succs(n) {
            if self.stack.find(edge.to).is_some() {
                continue;
            }
            let g = g + edge.cost;
            let f = g + graph.h(edge.to, self.goal);
            if f > self.limit {
                self.next = self.next.min(f);
                continue;
            }
            tools.emit(SearchEvent::Open { node: edge.to, parent: n, g, f });
            self.stack.note(edge, tools.pools);
            if edge.to == self.goal {
                self.stack.advance(tools.pools);
                return true;
            }
        }
        self.stack.reverse_untried();
        self.counts.open_max = self.counts.open_max.max(self.stack.untried() as u64);
        false
    }
}

planner_part! { Ida { saved: phase, start, goal, limit, next, stack, cursor, counts; fixed: nodes } }

impl PlannerState for Ida {
    fn graph_bound(&self) -> usize {
        self.nodes
    }

    fn reset(&mut self, _: Reset) {
        self.drop_path();
    }

    fn search_stats(&self) -> Stats {
        self.counts
    }

    fn path(&self, at: NodeId) -> Vec<NodeId> {
        let after = if self.phase == Deepening::Walking { self.stack.find(at) } else { None };
        after.map_or_else(Vec::new, |k| (k + 1..).map_while(|k| self.stack.node(k)).collect())
    }
}

impl<G: Graph> Planner<G> for Ida {
    fn plan_step(&mut self, mut cx: StepContext<'_, G>) -> Decision {
        let (graph, at, goal, changes) = (cx.graph, cx.at, cx.goal, cx.changes.end());
        if changes != self.cursor || goal != self.goal || self.is_astray(at) {
            self.cursor = changes;
            self.drop_path();
        }
        if at == goal {
            return Decision::Wait;
        }
        if self.phase == Deepening::Idle {
            (self.start, self.goal, self.next) = (at, goal, graph.h(at, goal));
            self.phase = Deepening::Searching;
        }
        if self.phase == Deepening::Searching {
            let mut tools = cx.tools();
            self.phase = self.deepen(graph, &mut tools);
            tools.meter.count(WorkKind::Page, tools.pools.page_faults());
            if self.phase == Deepening::Walking {
                tools.emit(SearchEvent::AdoptPath);
            }
        }
        match self.phase {
            Deepening::Walking => {
                let next = self.stack.find(at).and_then(|k| self.stack.node(k + 1));
                next.map_or(Decision::Wait, Decision::Go)
            }
            Deepening::NoPath => Decision::NoPath,
            _ => Decision::Wait,
        }
    }

    fn check(&self, _: &G) -> Result<(), SaveError> {
        let end = self.stack.last().map(|(n, _)| n);
        let sound = match self.phase {
            Deepening::Idle => self.stack.is_empty() && self.stack.untried() == 0,
            Deepening::Walking => self.start.is_some() && end == Some(self.goal),
            Deepening::Searching | Deepening::NoPath => {
                self.start.is_some() && self.goal.is_some() && self.limit < self.next
            }
        };
        if sound { Ok(()) } else { Err(SaveError::new("its search has no start, goal, path or limit")) }
    }
}
