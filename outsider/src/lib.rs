//! An example of a planner outside of the library, made of its building blocks. It can be saved, restored, released
//! and measured like any other; `tests/kit.rs` runs the conformance kit on it.

use fleetfoot::search::{Halt, OpenKind, PagedTree, Search, TraceStatus, TreePath};
use fleetfoot::{Cost, Decision, Graph, NodeId, Planner, PlannerState, Reset, SaveError, Stats, StepContext};

/// A* that waits for its path and then follows it. It restarts after every change.
#[derive(Clone, Debug)]
pub struct Patient {
    search: Search<PagedTree>,
    /// From the start to the goal, once the search has ended.
    path: TreePath,
    /// Whether the path is complete.
    is_traced: bool,
    /// The agent's position at the start of the search. `NONE` before that.
    start: NodeId,
    goal: NodeId,
    /// The cursor into the change log.
    cursor: u64,
    searches: u64,
}

// A field that is missing here does not compile.
fleetfoot::planner_part! { Patient { saved: search, path, is_traced, start, goal, cursor, searches; fixed: } }

impl Patient {
    /// Creates a planner for `graph`, or for any graph with the same number of nodes and no larger edge costs.
    pub fn new<G: Graph>(graph: &G) -> Self {
        Self {
            search: Search::new(
                PagedTree::new(graph.bound()),
                OpenKind::Ring,
                graph.bound(),
                graph.max_f_increase(),
            ),
            path: TreePath::new(graph.bound()),
            is_traced: false,
            start: NodeId::NONE,
            goal: NodeId::NONE,
            cursor: 0,
            searches: 0,
        }
    }

    /// Returns `true` if search and path are useless for an agent at `at` with this goal.
    fn is_astray(&self, at: NodeId, goal: NodeId) -> bool {
        let is_here =
            if self.is_traced { self.path.contains(at, &self.search.nodes) } else { at == self.start };
        goal != self.goal || !is_here
    }
}

impl PlannerState for Patient {
    fn graph_bound(&self) -> usize {
        self.path.nodes()
    }

    fn reset(&mut self, _: Reset) {
        (self.start, self.goal, self.is_traced) = (NodeId::NONE, NodeId::NONE, false);
        self.path.clear();
        // The rest of a search would be saved, and could not be checked without its goal.
        self.search.clear(Cost::ZERO);
    }

    fn search_stats(&self) -> Stats {
        let Search { open_max, closed_max, .. } = self.search;
        Stats { searches: self.searches, open_max, closed_max, ..Stats::default() }
    }

    fn path(&self, at: NodeId) -> Vec<NodeId> {
        if self.is_traced { self.path.rest(at, &self.search.nodes) } else { Vec::new() }
    }
}

impl<G: Graph> Planner<G> for Patient {
    fn plan_step(&mut self, mut cx: StepContext<'_, G>) -> Decision {
        let (graph, at, goal) = (cx.graph, cx.at, cx.goal);
        let has_changed = self.cursor != cx.changes.end();
        self.cursor = cx.changes.end();
        if has_changed || self.is_astray(at, goal) {
            self.reset(Reset::Full);
        }
        if at == goal {
            return Decision::Wait;
        }
        let mut tools = cx.tools();
        if !self.start.is_some() {
            (self.start, self.goal) = (at, goal);
            self.search.start(at, graph.h(at, goal), &mut tools);
            self.searches += 1;
        }
        if self.path.is_empty() {
            match self.search.run(|n, _| graph.succs(n), |_, n| graph.h(n, goal), goal, &mut tools) {
                Halt::Goal => self.path.begin(goal, &self.search.nodes, tools.pools),
                Halt::Empty => return Decision::NoPath,
                Halt::Paused => return Decision::Wait,
            }
        }
        if !self.is_traced {
            let (tree, all) = (&self.search.nodes, (0, u64::MAX));
            self.is_traced =
                self.path.trace(tree, NodeId::NONE, all, |_, _| true, &mut tools) == TraceStatus::Done;
        }
        let next = if self.is_traced { self.path.after(at, &self.search.nodes) } else { None };
        next.map_or(Decision::Wait, Decision::Go)
    }

    fn check(&self, graph: &G) -> Result<(), SaveError> {
        if self.start.is_some() != self.goal.is_some() {
            return Err(SaveError::new("its search has a start and no goal, or a goal and no start"));
        }
        let goal = self.goal;
        self.search.check(|n| if goal.is_some() { graph.h(n, goal) } else { Cost::INF })
    }
}
