//! IDA* (Korf 1985), resumable: the agent waits until its path is complete, then walks it.
//!
//! Depth-first search within a limit on f = g + h, at first h(start). What lies beyond is cut off; if the goal is not
//! found, the least f that was cut off is the next limit. The goal is noticed when it is generated within the limit; a
//! state that is on the path already is no successor. Limits rise strictly and never exceed the cost of a shortest
//! path, so the path found is a shortest one. If nothing was cut off there is none.
//!
//! Memory is linear in the depth of the search; work is not bounded by anything smaller than the number of simple
//! paths. It is here for comparison, and as what RIBS grew out of: on open ground with obstacles, or where the goal
//! cannot be reached, it does not end in any reasonable time, and then neither does a step without a budget.
//!
//! A step costs at most the budget: one expansion for each state whose successors are generated, one trace step for
//! each node that the search goes back by, which the papers do not charge for. Any change of the world, a moved goal
//! and an agent that is off its path start the search afresh, in O(1).

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::graph::{Edge, Graph, ReverseGraph};
use crate::id::{Cost, NodeId};
use crate::meter::WorkKind;
use crate::part;
use crate::parts::{Stack, Tools, choices};
use crate::planner::{Decision, Planner, PlannerState, Reset, Stats, StepContext};
use crate::probe::SearchEvent;
use crate::registry::{BoxedPlanner, BuildError, Facts, PlannerInfo, Spec};
use crate::save::SaveError;

/// The row of IDA* in the list of algorithms.
pub(crate) const INFO: PlannerInfo = PlannerInfo {
    key: "ida",
    name: "IDA*",
    paper: "Korf 1985",
    summary: "A* with memory linear in the length of the path, however much work that takes; for comparison",
    facts: Facts { unknown_terrain: false, polynomial: false, ..Facts::FULL },
    params: &[],
    adjust_facts: PlannerInfo::FIXED,
};

/// Builds it.
pub(crate) fn build<G: ReverseGraph>(_: &Spec, graph: &G) -> Result<BoxedPlanner<G>, BuildError> {
    Ok(Box::new(Ida::new(graph)))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Deepening {
    /// Nothing is known yet.
    Idle,
    Searching,
    Walking,
    NoPath,
}

choices! { Deepening: Idle, Searching, Walking, NoPath }

/// IDA* as a planner.
#[derive(Clone, Debug)]
pub struct Ida {
    phase: Deepening,
    /// Where the agent was when the search began.
    start: NodeId,
    goal: NodeId,
    limit: Cost,
    /// The least f cut off so far.
    next: Cost,
    /// Where the search stands; when it is done, the path.
    stack: Stack,
    /// The changes seen so far.
    cursor: u64,
    /// What was done so far; memory is counted when asked for.
    counts: Stats,
    /// It was built for nodes with numbers below this.
    nodes: usize,
}

impl Ida {
    /// A planner for this graph, or for any other with as many nodes.
    pub fn new<G: Graph>(graph: &G) -> Self {
        Self {
            phase: Deepening::Idle,
            start: NodeId::NONE,
            goal: NodeId::NONE,
            limit: Cost::ZERO,
            next: Cost::INF,
            stack: Stack::new(graph.bound()),
            cursor: 0,
            counts: Stats::default(),
            nodes: graph.bound(),
        }
    }

    /// The present limit on f.
    pub fn limit(&self) -> Cost {
        self.limit
    }

    /// Forgets the search and the path, in O(1).
    fn drop_path(&mut self) {
        self.phase = Deepening::Idle;
        self.stack.clear();
    }

    /// Whether the agent is somewhere that the search or the path has no use for.
    fn is_astray(&self, at: NodeId) -> bool {
        match self.phase {
            Deepening::Idle => false,
            Deepening::Walking => self.stack.find(at).is_none(),
            Deepening::Searching | Deepening::NoPath => at != self.start,
        }
    }

    /// Searches until the goal is found, there is nothing left, or the meter refuses.
    fn deepen<G: Graph>(&mut self, graph: &G, tools: &mut Tools<'_>) -> Deepening {
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

    fn begin_iteration(&mut self, tools: &mut Tools<'_>) {
        (self.limit, self.next) = (self.next, Cost::INF);
        self.stack.note(Edge { to: self.start, cost: Cost::ZERO }, tools.pools);
        self.counts.searches += 1;
        tools.tell(SearchEvent::Search { root: self.start });
    }

    /// Generates the successors of the path's last node; whether one of them is the goal, which then ends the path.
    fn expand<G: Graph>(&mut self, graph: &G, tools: &mut Tools<'_>) -> bool {
        let Some((n, g)) = self.stack.last() else { return false };
        let depth = self.stack.len();
        let parent = depth.checked_sub(2).and_then(|k| self.stack.node(k)).unwrap_or(NodeId::NONE);
        tools.tell(SearchEvent::Expand { node: n, parent, g, f: g + graph.h(n, self.goal) });
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
            tools.tell(SearchEvent::Open { node: edge.to, parent: n, g, f });
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

part! { Ida { saved: phase, start, goal, limit, next, stack, cursor, counts; fixed: nodes } }

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
            tools.meter.count(WorkKind::Page, tools.pools.fills());
            if self.phase == Deepening::Walking {
                tools.tell(SearchEvent::AdoptPath);
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
