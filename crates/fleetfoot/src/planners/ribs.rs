//! RIBS (Sturtevant, Bulitko & Björnsson 2010; as described in the chapter of Bulitko, Björnsson, Sturtevant &
//! Lawrence 2011): iterative deepening by a real agent, which walks the tree of IDA* and learns g instead of h.
//!
//! The cost limit is initially h(start). The agent moves to a neighbor that it reaches at the lowest known cost,
//! whose f is within the limit, and which it has not visited under this limit. If there is none, it walks back the
//! way it came. Back at the start, it increases the limit to the smallest f beyond it. A node without a live
//! neighbor that is best reached through it is *dead*. A node all of whose such neighbors have another optimal
//! parent is *redundant*. Dead nodes are redundant as well, so one flag is enough. The agent never visits them
//! again. `pruning=off` exists for comparison.
//!
//! **Invariants**, with a consistent h: g is optimal when a node is first expanded and never changes afterwards.
//! The virtual path from the start to the agent is shortest, so on arrival the cost of a shortest path is known,
//! although the agent has walked another one. Every live generated node keeps a live optimal parent, so pruning
//! removes no path to the goal.
//!
//! **Bound**: one expansion per step, at the agent's node. The neighbors are enumerated once, and once more if the
//! node is pruned or the limit increases. Moving is O(1). Memory: 16 bytes per node of an allocated page, and 4 per
//! node of the current path.
//!
//! **Many limits.** There is one iteration per f-value. With dense f-values, such as for diagonals of √2, the
//! number of iterations explodes: use diagonals of 1.4 or 1.5, or a minimum increase `step`. With `step`, g need
//! not be optimal at first: a better path to an expanded or pruned node may be found. Such a node becomes live and
//! is visited again under the same limit, so each iteration still finds the best paths within its limit. Only
//! exactness is lost: on arrival g is less than the cost of a shortest path plus `step`.
//!
//! **More than one expansion.** With `expansions=k` a *virtual* agent makes k steps per tick, and the agent follows
//! it: back along its own path to the common prefix, then forward along the virtual path. The length of the common
//! prefix is updated with every step, so following is O(1) and takes no budget. The edges of both paths were
//! observed by an expansion. When the virtual agent has found the goal it stays there, and the agent arrives after
//! at most the lengths of both paths. With k=1 both are always at the same node.
//!
//! **World**: static and undirected. An agent that sees all its neighbors needs no map (k=1 only): every edge that
//! it has used is known, and discoveries are ahead. If an edge out of an expanded node changes anyway, if the agent
//! is not at its expected position, or if the goal changes, the search is cleared in O(1) and restarts at the
//! agent's position.
//!
//! **Differences** from the publication: The first limit is h(start), not 0. "Dead" requires a live neighbor that
//! is *optimally* reached, which is stronger, as in HOG2. Optimal parents are counted, not listed. Parents are not
//! stored: the path itself contains them. So nothing must be re-parented when a node is pruned: a parent is only
//! needed while backtracking, where it is the previous node. HOG2's repair of a g that is too large never occurs
//! without `step` (asserted); with it, it is what makes nodes live again.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::cmp::Reverse;

use super::change_reader::{ChangeReader, ReadStatus};
use super::time_bounded::FACTS;
use crate::graph::{Edge, Graph, Limits, Undirected};
use crate::id::{Cost, NodeId};
use crate::meter::WorkKind;
use crate::planner::{BoxedPlanner, Decision, Planner, PlannerState, Reset, StepContext};
use crate::planner_part;
use crate::probe::{SearchEvent, Stats};
use crate::save::{SaveError, SaveReader, SaveWriter};
use crate::search::{Pages, PlannerPart, Pools, RibsNode, SearchTools, enum_part, pages};
use crate::spec::{BuildError, Choice, Facts, IntOr, PlannerInfo, Share, Spec};

const PRUNING: Choice<bool> = Choice::switch("pruning", true, "leave out states that are dead or redundant");
const EXPANSIONS: IntOr = IntOr::new(
    "expansions",
    "1",
    "budget",
    1,
    1_000_000_000,
    "maximum steps per tick of a virtual agent that is followed, or all that the budget grants",
);
const STEP: Share = Share::new(
    "step",
    "0",
    "raise the limit by at least this share of the most expensive edge; learned costs are too large by less than that",
);

/// The row of RIBS in the table of algorithms.
pub(crate) const INFO: PlannerInfo = PlannerInfo {
    key: "ribs",
    name: "RIBS",
    paper: "Sturtevant, Bulitko, Björnsson 2010",
    summary: "iterative deepening while walking: learns costs from its start; slow where f-values are dense (√2)",
    facts: Facts { optimal: false, unknown_terrain: true, static_only: true, ..FACTS },
    params: &[PRUNING.param, EXPANSIONS.param, STEP.param],
    adjust_facts: |spec, facts| Facts {
        // Nodes away from the agent have not been observed. With all the expansions it needs, it finds a shortest
        // path before it moves.
        unknown_terrain: spec.get(&EXPANSIONS) == Some(1),
        optimal: spec.get(&EXPANSIONS).is_none() && spec.get(&STEP) == 0,
        ..facts
    },
};

/// Builds the planner.
pub(crate) fn build<G: Undirected>(spec: &Spec, graph: &G) -> Result<BoxedPlanner<G>, BuildError> {
    let (pruning, expansions, step) = (spec.get(&PRUNING), spec.get(&EXPANSIONS), spec.get(&STEP));
    Ok(Box::new(Ribs::new(RibsConfig { pruning, expansions, step }, graph)))
}

/// Parameters of RIBS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RibsConfig {
    /// Whether dead and redundant nodes are pruned.
    pub pruning: bool,
    /// Number of steps of the virtual agent per tick. `None` for as many as the budget covers.
    pub expansions: Option<u64>,
    /// Minimum increase of the limit, in millionths of the maximum edge cost.
    pub step: u32,
}

impl Default for RibsConfig {
    fn default() -> Self {
        Self { pruning: true, expansions: Some(1), step: 0 }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Iteration {
    Idle,
    Searching,
    /// The virtual agent is at the goal.
    Found,
    NoPath,
}

enum_part! { Iteration: Idle, Searching, Found, NoPath }

/// The planner RIBS: real-time iterative-deepening best-first search.
#[derive(Clone, Debug)]
pub struct Ribs {
    config: RibsConfig,
    visits: Pages<RibsNode>,
    /// The virtual agent's path from the start, by depth, and its current depth.
    way: Pages<NodeId>,
    depth: u32,
    /// The agent's own path beyond the common prefix, its depth, and the depth of the last common node.
    own: Pages<NodeId>,
    own_depth: u32,
    shared: u32,
    stage: Iteration,
    goal: NodeId,
    /// The position to which the agent was sent.
    sent: NodeId,
    /// Always finite: infinity marks nodes that were not visited.
    limit: Cost,
    /// The smallest f beyond the limit so far.
    next: Cost,
    reader: ChangeReader,
    counts: Counts,
    /// `true` if this search was not restored. A restored one may be forged, so its invariants are not asserted.
    witnessed: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    /// Number of limits so far.
    iterations: u64,
    generated: u64,
    expanded: u64,
    open_max: u64,
    expanded_max: u64,
}

planner_part! { Counts { saved: iterations, generated, expanded, open_max, expanded_max; fixed: } }

/// The largest limit.
const MOST: Cost = Cost::new(u32::MAX - 1);

impl Ribs {
    /// Creates a planner for `graph`, or for any graph with the same number of nodes.
    pub fn new<G: Graph>(config: RibsConfig, graph: &G) -> Self {
        let bound = graph.bound();
        Self {
            config,
            visits: Pages::new(bound, RibsNode::BLANK),
            way: Pages::new(bound, NodeId::NONE),
            depth: 0,
            own: Pages::new(bound, NodeId::NONE),
            own_depth: 0,
            shared: 0,
            stage: Iteration::Idle,
            goal: NodeId::NONE,
            sent: NodeId::NONE,
            limit: Cost::ZERO,
            next: Cost::INF,
            reader: ChangeReader::default(),
            counts: Counts::default(),
            witnessed: false,
        }
    }

    /// Returns the cost limit of the current iteration.
    pub fn limit(&self) -> Cost {
        self.limit
    }

    /// Returns the cost of the best known path from the start to `n`. Infinite if there is none yet.
    pub fn g(&self, n: NodeId) -> Cost {
        self.visits.get(n.index()).g
    }

    /// Returns the position of the virtual agent. With one expansion per step, that is where the agent goes.
    pub fn virtual_place(&self) -> NodeId {
        self.way.get(self.depth as usize)
    }

    /// Clears the search.
    fn clear(&mut self) {
        self.visits.clear();
        (self.stage, self.depth, self.own_depth, self.shared) = (Iteration::Idle, 0, 0, 0);
        (self.limit, self.next, self.witnessed) = (Cost::ZERO, Cost::INF, false);
    }

    /// Discards the search if an edge that it has used has changed. Returns `false` if changes are left to read.
    fn notice_changes<G>(&mut self, cx: &mut StepContext<'_, G>) -> bool {
        let Self { reader, visits, stage, .. } = self;
        let mut is_stale = false;
        let reading = reader.read(cx.changes, cx.meter, |change, _| {
            is_stale |= visits.get(change.from.index()).is_expanded();
            is_stale || *stage == Iteration::Idle
        });
        if is_stale || reading == ReadStatus::Lost {
            self.clear();
        }
        reading != ReadStatus::Behind
    }

    fn begin<G: Graph>(&mut self, graph: &G, at: NodeId, tools: &mut SearchTools<'_>) {
        self.limit = graph.h(at, self.goal).min(MOST);
        *self.visits.at(at.index(), &mut tools.pools.visits) = RibsNode::root(self.limit);
        *self.way.at(0, &mut tools.pools.nodes) = at;
        (self.stage, self.witnessed) = (Iteration::Searching, true);
        self.counts.iterations += 1;
        (self.counts.generated, self.counts.expanded) = (1, 0);
        tools.emit(SearchEvent::Search { root: at });
    }

    /// Performs the virtual agent's steps of this tick.
    fn look_ahead<G: Graph>(&mut self, graph: &G, tools: &mut SearchTools<'_>) {
        let mut left = self.config.expansions.unwrap_or(u64::MAX);
        while self.stage == Iteration::Searching && left > 0 && tools.meter.expand() {
            left -= 1;
            self.visit(graph, tools);
        }
        tools.meter.count(WorkKind::Page, tools.pools.page_faults());
    }

    /// Performs one step of RIBS: expands the virtual agent's node, and moves the virtual agent.
    fn visit<G: Graph>(&mut self, graph: &G, tools: &mut SearchTools<'_>) {
        let s = self.virtual_place();
        let sight = self.expand(graph, s, tools);
        if self.depth == 0 {
            match sight.best {
                Some(best) => self.go_forth(best.node, tools),
                None => self.raise_limit(graph, s, tools),
            }
        } else if self.config.pruning && !sight.required {
            self.prune(graph, s, tools);
            self.go_back(tools);
        } else if let Some(best) = sight.best {
            self.go_forth(best.node, tools);
        } else {
            self.go_back(tools);
        }
    }

    /// Updates the g of the neighbors of `s`, and determines which of them are best reached through it.
    fn expand<G: Graph>(&mut self, graph: &G, s: NodeId, tools: &mut SearchTools<'_>) -> Sight {
        let here = self.visits.get(s.index());
        let is_exact = self.witnessed && self.config.step == 0;
        let parent = self.depth.checked_sub(1).map_or(NodeId::NONE, |d| self.way.get(d as usize));
        tools.emit(SearchEvent::Expand { node: s, parent, g: here.g, f: here.g + graph.h(s, self.goal) });
        let mut sight = Sight { best: None, required: false };
        for Edge { to: n, cost } in graph.succs(s) {
            let (q, known) = (here.g + cost, self.visits.get(n.index()));
            debug_assert!(!is_exact || known.g + cost >= here.g, "{s} has its optimal g when it is expanded");
            if q > known.g || (q == known.g && known.is_pruned()) {
                continue;
            }
            let visit = self.visits.at(n.index(), &mut tools.pools.visits);
            if q < known.g {
                debug_assert!(
                    !is_exact || !known.is_expanded(),
                    "{n} had its optimal g when it was expanded"
                );
                visit.improve(q, s);
                self.counts.generated += u64::from(!known.g.is_finite());
            } else if !here.is_current() {
                visit.join(s);
            }
            // A node that is best reached through `s` and not pruned, so `s` is alive.
            sight.required |= visit.parents() == 1;
            if visit.mark != self.limit {
                self.next = sight.weigh(n, q, q + graph.h(n, self.goal), self.limit, self.next);
            }
        }
        self.visits.at(s.index(), &mut tools.pools.visits).expand();
        self.counts.expanded += u64::from(!here.is_expanded());
        self.counts.open_max =
            self.counts.open_max.max(self.counts.generated.saturating_sub(self.counts.expanded));
        self.counts.expanded_max = self.counts.expanded_max.max(self.counts.expanded);
        sight
    }

    /// Prunes `s`, which is dead or redundant: every live node that it reaches best has another optimal parent.
    fn prune<G: Graph>(&mut self, graph: &G, s: NodeId, tools: &mut SearchTools<'_>) {
        let visit = self.visits.at(s.index(), &mut tools.pools.visits);
        visit.prune();
        let g = visit.g;
        for Edge { to: n, cost } in graph.succs(s) {
            let known = self.visits.get(n.index());
            if g + cost == known.g && !known.is_pruned() {
                self.visits.at(n.index(), &mut tools.pools.visits).leave(s);
            }
        }
    }

    /// Starts the next iteration at the start, all of whose neighbors have been met.
    fn raise_limit<G: Graph>(&mut self, graph: &G, start: NodeId, tools: &mut SearchTools<'_>) {
        let least = u64::from(graph.max_edge_cost().raw()) * u64::from(self.config.step) / 1_000_000;
        let least = Cost::new(u32::try_from(least).unwrap_or(u32::MAX));
        // The smallest f may be that of a node to which a better path was found since, within the old limit. Then
        // no node is within the new limit, and the next one is the f of a neighbor: at most two iterations.
        while self.next.is_finite() {
            self.limit = self.next.max(self.limit + least).min(MOST);
            self.next = Cost::INF;
            self.counts.iterations += 1;
            self.visits.at(start.index(), &mut tools.pools.visits).mark = self.limit;
            let mut sight = Sight { best: None, required: false };
            for Edge { to: n, cost } in graph.succs(start) {
                let known = self.visits.get(n.index());
                if known.g == cost && !known.is_pruned() {
                    self.next = sight.weigh(n, cost, cost + graph.h(n, self.goal), self.limit, self.next);
                }
            }
            if let Some(best) = sight.best {
                self.go_forth(best.node, tools);
                return;
            }
        }
        self.stage = Iteration::NoPath;
    }

    /// Moves the virtual agent to `n`.
    fn go_forth(&mut self, n: NodeId, tools: &mut SearchTools<'_>) {
        self.visits.at(n.index(), &mut tools.pools.visits).mark = self.limit;
        let deeper = self.depth + 1;
        if deeper as usize >= self.way.bound() {
            // Only a forged path is that long.
            self.clear();
            return;
        }
        *self.way.at(deeper as usize, &mut tools.pools.nodes) = n;
        self.depth = deeper;
        if n == self.sent {
            (self.own_depth, self.shared) = (deeper, deeper);
        } else if self.shared + 1 == deeper && deeper <= self.own_depth && self.own.get(deeper as usize) == n
        {
            self.shared = deeper;
        }
        if n == self.goal {
            self.stage = Iteration::Found;
        }
    }

    /// Moves the virtual agent back to its previous node.
    fn go_back(&mut self, tools: &mut SearchTools<'_>) {
        if self.shared == self.depth {
            *self.own.at(self.depth as usize, &mut tools.pools.nodes) = self.virtual_place();
            self.shared -= 1;
        }
        self.depth -= 1;
    }

    /// Returns the agent's next move: back to the common prefix, then toward the virtual agent.
    fn follow(&mut self) -> Decision {
        if self.own_depth > self.shared {
            self.own_depth -= 1;
        } else if self.depth > self.shared {
            self.own_depth += 1;
            self.shared = self.own_depth;
        } else {
            return Decision::Wait;
        }
        let way = if self.own_depth == self.shared { &self.way } else { &self.own };
        self.sent = way.get(self.own_depth as usize);
        Decision::Go(self.sent)
    }
}

/// The result of an expansion.
struct Sight {
    /// The next node.
    best: Option<Best>,
    /// `true` if a live neighbor has no other optimal parent. Otherwise the node is redundant, or even dead.
    required: bool,
}

struct Best {
    node: NodeId,
    f: Cost,
    g: Cost,
}

impl Sight {
    /// Makes `node` the best if it is within the limit and better than the best so far: smaller f, then larger g,
    /// then first. Otherwise returns the next limit that it implies.
    fn weigh(&mut self, node: NodeId, g: Cost, f: Cost, limit: Cost, next: Cost) -> Cost {
        if f > limit {
            return next.min(f);
        }
        if self.best.as_ref().is_none_or(|best| (f, Reverse(g)) < (best.f, Reverse(best.g))) {
            self.best = Some(Best { node, f, g });
        }
        next
    }
}

impl PlannerPart for Ribs {
    fn write(&self, out: &mut dyn SaveWriter) {
        self.stage.write(out);
        (self.goal, self.sent).write(out);
        (self.limit, self.next).write(out);
        self.reader.write(out);
        self.counts.write(out);
        if self.stage == Iteration::Idle {
            return;
        }
        for depth in [self.depth, self.own_depth, self.shared] {
            out.u32(depth);
        }
        (0..=self.depth).for_each(|depth| out.node(self.way.get(depth as usize)));
        (self.shared + 1..=self.own_depth).for_each(|depth| out.node(self.own.get(depth as usize)));
        let met = || self.visits.live().filter(|(_, visit)| visit.g.is_finite());
        out.u32(met().count() as u32);
        for (n, visit) in met() {
            out.node(NodeId::from_index(n));
            visit.write(out);
        }
    }

    fn read(&mut self, limits: &Limits, from: &mut SaveReader<'_>) -> Result<(), SaveError> {
        let (limits, pools) = (&limits.within(self.visits.bound()), &mut Pools::new());
        self.clear();
        self.stage.read(limits, from)?;
        self.goal.read(limits, from)?;
        self.sent.read(limits, from)?;
        (self.limit, self.next) = (from.cost()?.min(MOST), from.cost()?);
        PlannerPart::read(&mut self.reader, limits, from)?;
        self.counts.read(limits, from)?;
        if self.stage == Iteration::Idle {
            return Ok(());
        }
        (self.depth, self.own_depth, self.shared) = (from.u32()?, from.u32()?, from.u32()?);
        let deepest = self.depth.max(self.own_depth);
        if deepest as usize >= limits.bound || self.shared > self.depth.min(self.own_depth) {
            return Err(SaveError::new("its ways are longer than the graph, or apart"));
        }
        for depth in 0..=self.depth {
            *self.way.at(depth as usize, &mut pools.nodes) = from.node(limits)?;
        }
        for depth in self.shared + 1..=self.own_depth {
            *self.own.at(depth as usize, &mut pools.nodes) = from.node(limits)?;
        }
        for _ in 0..from.len(20)? {
            let n = from.node(limits)?;
            let visit = self.visits.at(n.index(), &mut pools.visits);
            if visit.g.is_finite() {
                return Err(SaveError::new("a state is there twice"));
            }
            *visit = RibsNode::read(limits, from)?;
        }
        Ok(())
    }

    pages! {
        paged: visits, way, own;
        others: config, depth, own_depth, shared, stage, goal, sent, limit, next, reader, counts, witnessed
    }
}

impl PlannerState for Ribs {
    fn graph_bound(&self) -> usize {
        self.visits.bound()
    }

    fn reset(&mut self, _: Reset) {
        self.clear();
    }

    fn search_stats(&self) -> Stats {
        Stats {
            searches: self.counts.iterations,
            open_max: self.counts.open_max,
            closed_max: self.counts.expanded_max,
            ..Stats::default()
        }
    }

    fn path(&self, at: NodeId) -> Vec<NodeId> {
        if !matches!(self.stage, Iteration::Searching | Iteration::Found) || at != self.sent {
            return Vec::new();
        }
        let back = (self.shared..self.own_depth).rev();
        let back =
            back.map(|depth| (if depth == self.shared { &self.way } else { &self.own }).get(depth as usize));
        let forth = (self.shared + 1..=self.depth).map(|depth| self.way.get(depth as usize));
        back.chain(forth).collect()
    }
}

impl<G: Undirected> Planner<G> for Ribs {
    fn plan_step(&mut self, mut cx: StepContext<'_, G>) -> Decision {
        let (graph, at, goal) = (cx.graph, cx.at, cx.goal);
        if goal != self.goal || at != self.sent {
            self.clear();
            (self.goal, self.sent) = (goal, at);
        }
        if !self.notice_changes(&mut cx) || at == goal {
            return Decision::Wait;
        }
        let tools = &mut cx.tools();
        if self.stage == Iteration::Idle {
            self.begin(graph, at, tools);
        }
        self.look_ahead(graph, tools);
        match self.stage {
            Iteration::NoPath => Decision::NoPath,
            Iteration::Idle => Decision::Wait,
            Iteration::Searching | Iteration::Found => self.follow(),
        }
    }

    fn check(&self, _: &G) -> Result<(), SaveError> {
        let is_placed = self.goal.is_some() && self.sent.is_some();
        if self.stage == Iteration::Idle || is_placed {
            Ok(())
        } else {
            Err(SaveError::new("its search has no place or goal"))
        }
    }
}
