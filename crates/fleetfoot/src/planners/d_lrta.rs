//! D LRTA* (Bulitko, Luštrek, Schaeffer, Björnsson & Sigmundarson 2008): LRTA* toward subgoals. Subgoal and
//! look-ahead depth are looked up in a [database](crate::database::DLrtaDatabase) by the regions of the agent and
//! of its goal.
//!
//! When the agent enters a new region, or reaches its subgoal, it looks up the next subgoal on the path to the
//! goal's region, and the depth. In the goal's region it heads for the goal. Until then it keeps its subgoal, even
//! in regions it has visited before: looking up again at every border would move it back and forth. Learned values
//! belong to a subgoal and are cleared with it.
//!
//! Entries are computed for the center of a region, so a published database can send an agent around a cycle of
//! regions. The agent therefore counts its look-ups. At the third one in a region for the same goal it stops using
//! the database, and heads for the goal by LRTA* with the maximum depth. That makes the algorithm complete: each
//! subgoal is reached or replaced, there are finitely many, and LRTA* is complete.
//!
//! A look-ahead is sliced ([`SlicedLookAhead`]): it does what the budget covers, and the agent waits meanwhile. Any budget
//! works, and the moves do not depend on it. A look-ahead expands at most the largest ball of the maximum depth,
//! (2d-1)² cells on grids with eight neighbors. At depth 1, the most frequent one, it is a single expansion with
//! its update. A look-up is one comparison ([`WorkKind::Compare`]). The last level of the abstraction shows at once
//! whether a path exists. The world must be static; after a change, the agent looks ahead again.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cmp::Reverse;

mod build;

pub use build::{DLrtaBuilder, DLrtaScratch};

use super::pr_lrta::ABSTRACT;
use super::sliced_lookahead::{SlicedLookAhead, StepResult, WholeGraph};
use crate::databases::{DLrtaDatabase, damaged};
use crate::graph::{CliqueAbstraction, Embedded, Graph, Level, ReverseGraph};
use crate::id::{Cost, NodeId};
use crate::meter::{Meter, WorkKind};
use crate::planner::{BoxedPlanner, Decision, Planner, PlannerState, Reset, StepContext};
use crate::planner_part;
use crate::probe::{SearchEvent, Stats};
use crate::save::SaveError;
use crate::search::{LearnedValues, Pools, SearchTools, Stamp};
use crate::spec::{
    BuildError, Choice, Int, PlannerInfo, Resource, Resources, Spec, Text, refuse, resource_name, unusable,
};

/// Maximum number of regions for which the database is computed at startup. It takes seconds, and 1.3 MB.
const MOST_REGIONS: usize = 512;

const LEVEL: Int = Int::new(
    "level",
    "3",
    3,
    8,
    "level of the clique abstraction whose nodes are the regions; that of the database, if one is named",
);
const DEPTH: Int =
    Int::new("depth", "16", 1, 255, "the greatest depth; that of the database, if one is named");
const PUBLISHED_GOALS: Choice<bool> = Choice::new(
    "goals",
    &["onward", "published"],
    &[false, true],
    "intermediate goals that never lead back, or the paper's, which may; those of the database, if one is named",
);
const DATABASE: Text =
    Text::new("database", "none", "the database to use; none makes one at the start, on small maps");

/// The row of D LRTA* in the table of algorithms.
pub(crate) const INFO: PlannerInfo = PlannerInfo {
    key: "d-lrta",
    name: "D LRTA*",
    paper: "Bulitko, Luštrek, Schaeffer, Björnsson, Sigmundarson 2008",
    summary: "LRTA* towards intermediate goals that a database stores for each pair of regions, with a search depth",
    facts: ABSTRACT,
    params: &[LEVEL.param, DEPTH.param, PUBLISHED_GOALS.param, DATABASE.param],
    adjust_facts: PlannerInfo::FIXED,
};

/// Builds the planner.
pub(crate) fn build<G: Embedded>(
    spec: &Spec,
    graph: &G,
    resources: &Resources,
) -> Result<BoxedPlanner<G>, BuildError> {
    let cliques = resources.cliques(graph)?;
    let name = database_name(spec);
    let database = match resources.get(&name) {
        Some(Resource::DLrta(regions)) => {
            regions.check(graph).map_err(|error| unusable(&name, &error))?;
            agrees(spec, regions)?;
            let here = cliques.level(regions.level() as usize).map_or(0, Level::len);
            if here != regions.regions() as usize {
                return Err(unusable(&name, &damaged()));
            }
            Arc::clone(regions)
        }
        other => {
            refuse(spec, &name, other)?;
            make(spec, graph, &cliques)?
        }
    };
    Ok(Box::new(DLrta::new(database, cliques, graph)))
}

/// Checks that the parameters of the spec match those of the database.
fn agrees(spec: &Spec, regions: &DLrtaDatabase) -> Result<(), BuildError> {
    let goals = if regions.is_as_published() { "published" } else { "onward" };
    let has = [
        (LEVEL.param.name, regions.level().to_string()),
        (DEPTH.param.name, regions.depth().to_string()),
        (PUBLISHED_GOALS.param.name, goals.to_string()),
    ];
    match has.iter().find(|(param, has)| spec.is_set(param) && spec.value(param) != has) {
        None => Ok(()),
        Some((param, has)) => {
            Err(BuildError::new(format!("the database was built with {param}={has}; leave `{param}` out")))
        }
    }
}

/// Returns the name of the database: its file, or the parameters that define it.
fn database_name(spec: &Spec) -> String {
    resource_name(spec, &[LEVEL.param, DEPTH.param, PUBLISHED_GOALS.param])
}

fn builder<'g, G: Embedded>(
    spec: &Spec,
    graph: &'g G,
    cliques: Arc<CliqueAbstraction>,
) -> DLrtaBuilder<'g, G> {
    let (level, depth) = (spec.get(&LEVEL) as u32, spec.get(&DEPTH) as u32);
    let builder = DLrtaBuilder::with_cliques(graph, cliques, level, depth);
    if spec.get(&PUBLISHED_GOALS) { builder.with_published_goals() } else { builder }
}

fn make<G: Embedded>(
    spec: &Spec,
    graph: &G,
    cliques: &Arc<CliqueAbstraction>,
) -> Result<Arc<DLrtaDatabase>, BuildError> {
    let builder = builder(spec, graph, Arc::clone(cliques));
    if builder.rows() > MOST_REGIONS {
        return Err(BuildError::new(format!(
            "the map has {} regions, too many to make D LRTA*'s database of {} MB at the start; make it by \
             `fleetfoot database build MAP --kind d-lrta -o FILE` and name it: d-lrta(database=FILE)",
            builder.rows(),
            DLrtaDatabase::size(builder.rows() as u64).div_ceil(1_000_000)
        )));
    }
    let mut scratch = DLrtaScratch::new(&builder);
    let rows: Vec<_> = (0..builder.rows()).map(|k| builder.row(&mut scratch, k)).collect();
    builder.assemble(&rows).map(Arc::new).map_err(|error| unusable(&database_name(spec), &error))
}

/// Returns the names of the planner's resources.
pub(crate) fn resource_names(spec: &Spec) -> Vec<String> {
    alloc::vec![Resources::CLIQUES.to_string(), database_name(spec)]
}

/// Computes a resource, unless that takes too long.
pub(crate) fn make_resource<G: Embedded>(
    name: &str,
    spec: &Spec,
    graph: &G,
    resources: &Resources,
) -> Option<Resource> {
    if name == Resources::CLIQUES {
        return Some(Resource::Cliques(Arc::new(CliqueAbstraction::new(graph))));
    }
    let cliques = resources.cliques(graph).ok()?;
    make(spec, graph, &cliques).ok().map(Resource::DLrta)
}

/// Computes a resource in parallel, even if that takes long.
#[cfg(feature = "rayon")]
pub(crate) fn make_resource_parallel<G: Embedded + Sync>(
    name: &str,
    spec: &Spec,
    graph: &G,
    resources: &Resources,
) -> Option<Resource> {
    if name == Resources::CLIQUES {
        return make_resource(name, spec, graph, resources);
    }
    let builder = builder(spec, graph, resources.cliques(graph).ok()?);
    builder.build_parallel().ok().map(|regions| Resource::DLrta(Arc::new(regions)))
}

/// Number of look-ups per region and goal.
const ENTRIES: u32 = 2;

/// The planner D LRTA*.
#[derive(Clone, Debug)]
pub struct DLrta {
    database: Arc<DLrtaDatabase>,
    cliques: Arc<CliqueAbstraction>,
    look_ahead: SlicedLookAhead,
    /// `true` if a look-ahead was started.
    looks: bool,
    looked: Stats,
    /// The cursor into the change log.
    cursor: u64,
    goal: NodeId,
    /// The position to which the agent was sent.
    expected: NodeId,
    /// The last look-up. No node before the first one.
    target: Target,
    /// For each region, the number of look-ups for this goal.
    entries: LearnedValues,
    /// `true` if the agent has stopped using the database.
    alone: bool,
    /// The fingerprint of the database.
    stamp: Stamp,
}

#[derive(Clone, Copy, Debug)]
struct Target {
    state: NodeId,
    depth: u32,
}

planner_part! { Target { saved: state, depth; fixed: } }

impl DLrta {
    /// Creates a planner for the graph of `cliques` and `database`.
    pub fn new<G: Graph>(database: Arc<DLrtaDatabase>, cliques: Arc<CliqueAbstraction>, graph: &G) -> Self {
        Self {
            entries: LearnedValues::new(database.regions() as usize),
            stamp: Stamp(database.checksum()),
            database,
            cliques,
            look_ahead: SlicedLookAhead::new(1, 1_000_000, graph.bound()),
            looks: false,
            looked: Stats::default(),
            cursor: 0,
            goal: NodeId::NONE,
            expected: NodeId::NONE,
            target: Target { state: NodeId::NONE, depth: 1 },
            alone: false,
        }
    }

    /// Returns `true` if the agent has stopped using the database because it was led around a cycle.
    pub fn is_alone(&self) -> bool {
        self.alone
    }

    /// Starts with a new goal or position: all counters are cleared.
    fn begin(&mut self, goal: NodeId) {
        self.entries.clear();
        (self.goal, self.target.state, self.alone) = (goal, NodeId::NONE, false);
        self.stop_looking();
        self.look_ahead.h.clear();
    }

    /// Discards an unfinished look-ahead, in O(1).
    fn stop_looking(&mut self) {
        self.looks = false;
        self.look_ahead.search.clear(Cost::ZERO);
    }

    fn region(&self, n: NodeId) -> NodeId {
        self.cliques.node_at_level(n, self.database.level() as usize)
    }

    /// Looks up the subgoal for a region. Returns `false` if the budget does not cover it.
    fn ask(&mut self, region: NodeId, meter: &mut Meter, pools: &mut Pools) -> bool {
        if !meter.charge(WorkKind::Compare) {
            return false;
        }
        let entries = self.entries.get(region, || Cost::ZERO) + Cost::new(1);
        self.entries.set(region, entries.min(LearnedValues::DEAD_END), pools);
        self.alone = entries > Cost::new(ENTRIES);
        let (state, depth) = self.database.entry(region, self.region(self.goal));
        let next = if self.alone {
            Target { state: self.goal, depth: self.database.depth() }
        } else {
            Target { state: state.some().unwrap_or(self.goal), depth }
        };
        if next.state != self.target.state {
            self.look_ahead.h.clear();
        }
        self.target = next;
        true
    }

    /// Continues the look-ahead toward the subgoal. Returns the move, if it is known.
    fn look<G: Graph>(&mut self, graph: &G, at: NodeId, tools: &mut SearchTools<'_>) -> Option<NodeId> {
        if self.target.depth <= 1 {
            return self.look_around(graph, at, tools);
        }
        // A planner restored during a look-ahead also takes the depth from its target.
        self.look_ahead.reach(self.target.depth);
        if !self.looks {
            self.look_ahead.begin(at, &WholeGraph(graph), tools);
            self.looks = true;
            self.looked.searches += 1;
        }
        let view = self.look_ahead.look_on(self.target.state, &WholeGraph(graph), tools);
        if view == StepResult::Paused {
            return None;
        }
        self.stop_looking();
        if let StepResult::To(next) = view { Some(next) } else { None }
    }

    /// Performs a look-ahead of depth 1: one expansion, never paused, with its update.
    fn look_around<G: Graph>(
        &mut self,
        graph: &G,
        at: NodeId,
        tools: &mut SearchTools<'_>,
    ) -> Option<NodeId> {
        let mut prepayment = tools.meter.prepay();
        prepayment.add_per_expansion(tools.meter, WorkKind::Learn, 1);
        let is_granted = tools.meter.expand();
        if is_granted {
            prepayment.pay(tools.meter, WorkKind::Learn, 1);
        }
        prepayment.finish(tools.meter);
        if !is_granted {
            return None;
        }
        let (state, table) = (self.target.state, &self.look_ahead.h);
        let h = |n| table.get(n, || graph.h(n, state));
        let before = h(at);
        tools.emit(SearchEvent::Search { root: at });
        tools.emit(SearchEvent::Expand { node: at, parent: NodeId::NONE, g: Cost::ZERO, f: before });
        let (mut best, mut neighbors) = (None, 0);
        for edge in graph.succs(at).filter(|edge| edge.to != at) {
            neighbors += 1;
            let f = edge.cost + h(edge.to);
            tools.emit(SearchEvent::Open { node: edge.to, parent: at, g: edge.cost, f });
            // The order of deeper look-ahead: ties go to the larger g, then to the goal, then to the first node.
            let key = (f, Reverse(edge.cost), edge.to != state);
            best = best.filter(|(least, _)| *least <= key).or(Some((key, edge.to)));
        }
        let looked = &mut self.looked;
        (looked.searches, looked.updates) = (looked.searches + 1, looked.updates + 1);
        (looked.open_max, looked.closed_max) = (looked.open_max.max(neighbors), 1);
        let ((f, ..), next) = best?;
        let new = f.min(LearnedValues::DEAD_END);
        if new > before {
            self.look_ahead.h.set(at, new, tools.pools);
            looked.h_rise += u64::from(new.saturating_sub(before).raw());
            tools.emit(SearchEvent::Learn { node: at, old: before, new });
        }
        Some(next)
    }
}

planner_part! {
    DLrta {
        saved: stamp, goal, expected, target, alone, looks, looked, cursor, entries, look_ahead;
        fixed: database, cliques
    }
}

impl PlannerState for DLrta {
    fn graph_bound(&self) -> usize {
        self.look_ahead.h.nodes()
    }

    fn reset(&mut self, keep: Reset) {
        self.stop_looking();
        self.expected = NodeId::NONE;
        if keep == Reset::Full {
            self.goal = NodeId::NONE;
        }
    }

    fn search_stats(&self) -> Stats {
        let Self { look_ahead, looked, .. } = self;
        Stats {
            searches: looked.searches,
            open_max: looked.open_max.max(look_ahead.search.open_max),
            closed_max: looked.closed_max.max(look_ahead.search.closed_max),
            h_states: look_ahead.h.states() as u64,
            updates: looked.updates + look_ahead.updates,
            h_rise: looked.h_rise + look_ahead.h_rise,
            memory_bytes: 0,
        }
    }

    fn path(&self, _: NodeId) -> Vec<NodeId> {
        Vec::new()
    }
}

impl<G: ReverseGraph> Planner<G> for DLrta {
    fn plan_step(&mut self, mut cx: StepContext<'_, G>) -> Decision {
        let (graph, at, goal) = (cx.graph, cx.at, cx.goal);
        if goal != self.goal || at != self.expected {
            self.begin(goal);
        }
        self.expected = at;
        if at == goal {
            return Decision::Wait;
        }
        if !self.cliques.is_connected(at, goal) {
            return Decision::NoPath;
        }
        if self.cursor != cx.changes.end() {
            self.cursor = cx.changes.end();
            self.stop_looking();
        }
        let region = self.region(at);
        let asks = at == self.target.state || self.entries.learned(region).is_none();
        if !self.alone && asks {
            if !self.ask(region, cx.meter, &mut cx.scratch.pools) {
                return Decision::Wait;
            }
            if let Some(probe) = &mut cx.probe {
                probe.event(SearchEvent::Subgoal { node: self.target.state, record: None });
            }
        }
        let next = self.look(graph, at, &mut cx.tools());
        cx.meter.count(WorkKind::Page, cx.scratch.pools.page_faults());
        let longest = graph.bound() as u64 * u64::from(graph.max_edge_cost().raw());
        if self.look_ahead.h.learned(at).is_some_and(|h| u64::from(h.raw()) >= longest) {
            // A path to the goal exists. Only forged values can deny it.
            self.look_ahead.h.clear();
            return Decision::Wait;
        }
        let Some(next) = next else { return Decision::Wait };
        self.expected = next;
        Decision::Go(next)
    }

    fn check(&self, _: &G) -> Result<(), SaveError> {
        if (self.entries.states() > 0 || self.alone) && !self.target.state.is_some() {
            return Err(SaveError::new("it goes nowhere"));
        }
        if self.target.depth > self.database.depth() {
            return Err(SaveError::new("it looks farther than its database says"));
        }
        if self.looks && !(self.target.state.is_some() && self.target.depth > 1) {
            return Err(SaveError::new("it looks for nothing"));
        }
        if self.looks { self.look_ahead.check(self.expected) } else { Ok(()) }
    }
}
