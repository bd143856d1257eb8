//! kNN LRTA* (Bulitko, Björnsson & Lawrence 2010): LRTA* with a look-ahead of one, guided along the subgoals of a
//! similar problem that was solved in advance.
//!
//! For a new goal, it queries its database for the most similar records. It takes the first one whose start can be
//! reached from the agent, and whose end can reach the goal, by hill climbing. The agent then heads for the nodes
//! of the record in order, and finally for the goal, with separate learned values for each. Without a record it
//! heads for the goal. (First it tests whether the goal can be reached by hill climbing alone, as a later program
//! of the authors does.)
//!
//! A segment that can be climbed is walked by hill climbing, without learning; the paper uses LRTA* there as well.
//! Without weights both visit the same cells. With weights they do not: LRTA* turns back from every expensive cell
//! on the climb and first fills the region before it. LRTA* is used where a climb gets stuck, which cannot happen
//! on the graph of the records, and where there is no record.
//!
//! All of this is charged as it happens: a query one comparison at a time, and a climb one step at a time, at most
//! `limit` steps of them per planner step even if they are free. The agent waits meanwhile, so that tests from its
//! position stay valid. Tests that do not depend on its position come first. A normal move is one expansion.
//!
//! Complete on static undirected graphs: LRTA* reaches each subgoal, and there are finitely many.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::databases::{KnnBuilder, KnnConfig, KnnDatabase, KnnQuery};
use crate::graph::{Embedded, Graph, Limits};
use crate::id::{Cost, NodeId};
use crate::meter::WorkKind;
use crate::planner::{BoxedPlanner, Decision, Planner, PlannerState, Reset, StepContext};
use crate::planner_part;
use crate::probe::{SearchEvent, Stats};
use crate::save::{SaveError, SaveReader, SaveWriter};
use crate::search::{
    Climb, ClimbProgress, ClimbTest, LearnedValues, PagedHashMap, PlannerPart, Stamp, climb, no_pages,
};
use crate::spec::{
    BuildError, Choice, Facts, Int, IntOr, PlannerInfo, Resource, Resources, Spec, Text, database, refuse,
    resource_name, unusable,
};

const DATABASE: Text =
    Text::new("database", "none", "the file of records; with none they are made when the planner is built");
const RECORDS: IntOr = IntOr::new(
    "records",
    "auto",
    "auto",
    0,
    1_000_000,
    "without a database: how many to make; by itself so many that 98 of 100 problems find one that fits, 20,000 at most",
);
const SEED: Int =
    Int::new("seed", "1", 0, u64::MAX, "without a database: what their problems are drawn from");
const CANDIDATES: Int = Int::new("candidates", "10", 1, 1000, "how many similar records are tried");
const LIMIT: Int = Int::new(
    "limit",
    "250",
    1,
    1_000_000,
    "steps after which a climb to a record, or from it to the goal, has failed",
);
const DIRECT: Choice<bool> =
    Choice::switch("direct", true, "first try whether climbing alone leads to the goal");

/// The row of kNN LRTA* in the table of algorithms.
pub(crate) const INFO: PlannerInfo = PlannerInfo {
    key: "knn-lrta",
    name: "kNN LRTA*",
    paper: "Bulitko, Björnsson, Lawrence 2010",
    summary: "follows the subgoals of a stored solution to a similar problem; one expansion a move",
    facts: Facts {
        proves_no_path: false,
        slice_invariant: false,
        optimal: false,
        unknown_terrain: false,
        rising_costs: false,
        falling_costs: false,
        needs_undirected: true,
        needs_positions: true,
        ..Facts::FULL
    },
    params: &[DATABASE.param, RECORDS.param, SEED.param, CANDIDATES.param, LIMIT.param, DIRECT.param],
    adjust_facts: PlannerInfo::FIXED,
};

/// Builds the planner.
pub(crate) fn build<G: Embedded>(
    spec: &Spec,
    graph: &G,
    resources: &Resources,
) -> Result<BoxedPlanner<G>, BuildError> {
    let config = KnnLrtaConfig {
        candidates: spec.get(&CANDIDATES) as usize,
        limit: u32::try_from(spec.get(&LIMIT)).unwrap_or(u32::MAX),
        direct: spec.get(&DIRECT),
    };
    if database(spec).is_some() && [RECORDS.param, SEED.param].iter().any(|param| spec.is_set(param.name)) {
        return Err(BuildError::new(
            "`records` and `seed` are for making a database; leave them out, or leave `database` out",
        ));
    }
    let name = database_name(spec);
    let records = match resources.get(&name) {
        Some(Resource::Knn(records)) => {
            records.check(graph).map_err(|error| unusable(&name, &error))?;
            Arc::clone(records)
        }
        other => {
            refuse(spec, &name, other)?;
            make(spec, graph)
        }
    };
    Ok(Box::new(KnnLrta::new(config, records, graph.bound())))
}

/// Returns the name of the database: its file, or the parameters that define it.
fn database_name(spec: &Spec) -> String {
    resource_name(spec, &[RECORDS.param, SEED.param])
}

fn builder<'g, G: Embedded>(spec: &Spec, graph: &'g G) -> KnnBuilder<'g, G> {
    KnnBuilder::new(graph, KnnConfig { seed: spec.get(&SEED), is_exact: false })
}

fn make<G: Embedded>(spec: &Spec, graph: &G) -> Arc<KnnDatabase> {
    let builder = builder(spec, graph);
    Arc::new(match spec.get(&RECORDS) {
        Some(records) => builder.build(u32::try_from(records).unwrap_or(u32::MAX)),
        None => builder.build_to_coverage(),
    })
}

/// Returns the names of the planner's resources.
pub(crate) fn resource_names(spec: &Spec) -> Vec<String> {
    alloc::vec![database_name(spec)]
}

/// Computes a resource.
pub(crate) fn make_resource<G: Embedded>(_: &str, spec: &Spec, graph: &G, _: &Resources) -> Option<Resource> {
    Some(Resource::Knn(make(spec, graph)))
}

/// Computes a resource in parallel. Extends a smaller database that was built with the same seed.
#[cfg(feature = "rayon")]
pub(crate) fn make_resource_parallel<G: Embedded + Sync>(
    _: &str,
    spec: &Spec,
    graph: &G,
    resources: &Resources,
) -> Option<Resource> {
    let builder = builder(spec, graph);
    Some(Resource::Knn(Arc::new(match spec.get(&RECORDS) {
        Some(records) => {
            let made = resources.iter().filter_map(|(name, resource)| match resource {
                Resource::Knn(database) if is_made(spec, name, database) => Some(&**database),
                _ => None,
            });
            let fewer = made.filter(|database| {
                u64::from(database.records()) < records && builder.could_have_made(database)
            });
            builder.build_parallel(records, fewer.max_by_key(|database| database.records()))
        }
        None => builder.build_enough_parallel(),
    })))
}

/// Returns `true` if a database was computed for this planner with the seed of this spec, and not read from a file.
#[cfg(feature = "rayon")]
fn is_made(spec: &Spec, name: &str, database: &KnnDatabase) -> bool {
    let with = |records: u32| {
        alloc::format!("{}={records},{}={}", RECORDS.param.name, SEED.param.name, spec.get(&SEED))
    };
    name == alloc::format!("{}({})", INFO.key, with(database.records()))
}

/// Parameters of kNN LRTA*.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnnLrtaConfig {
    /// Number of records to test: M in the chapter.
    pub candidates: usize,
    /// Maximum number of steps of a climb.
    pub limit: u32,
    /// Whether hill climbing to the goal is tested before any record.
    pub direct: bool,
}

/// The current phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Task {
    /// A new goal was set.
    Begin,
    /// Tests whether the goal can be reached by hill climbing.
    Direct(ClimbTest),
    /// Queries the database.
    Ask,
    /// Tests whether the goal can be reached from the end of the k-th record,
    End(u32, ClimbTest),
    /// and its start from the agent's position.
    Start(u32, ClimbTest),
    /// Walks to the k-th node of a record,
    Follow { record: u32, k: u32 },
    /// or to the goal.
    Home,
}

/// The planner kNN LRTA*.
#[derive(Clone, Debug)]
pub struct KnnLrta {
    database: Arc<KnnDatabase>,
    config: KnnLrtaConfig,
    /// The bound of the graph's node numbers.
    nodes: usize,
    goal: NodeId,
    /// The position to which the agent was sent.
    expected: NodeId,
    phase: Task,
    /// `true` if the current target is known to be reachable by hill climbing.
    climbs: bool,
    nearest: KnnQuery,
    /// Learned values by subgoal and node.
    h: PagedHashMap,
    counts: Stats,
    /// The fingerprint of the database.
    stamp: Stamp,
}

impl KnnLrta {
    /// Creates a planner for the graph of the database, whose node numbers are below `nodes`.
    pub fn new(config: KnnLrtaConfig, database: Arc<KnnDatabase>, nodes: usize) -> Self {
        Self {
            nodes,
            nearest: KnnQuery::new(config.candidates),
            stamp: Stamp(database.checksum()),
            database,
            config,
            goal: NodeId::NONE,
            expected: NodeId::NONE,
            phase: Task::Begin,
            climbs: false,
            h: PagedHashMap::new(),
            counts: Stats::default(),
        }
    }

    /// Returns the record that guides the agent, if any.
    pub fn record(&self) -> Option<u32> {
        if let Task::Follow { record, .. } = self.phase { Some(record) } else { None }
    }

    /// Searches for a record. Returns `true` once the agent's target is known.
    fn retrieve<G: Embedded>(&mut self, cx: &mut StepContext<'_, G>) -> bool {
        let (graph, at, goal) = (cx.graph, cx.at, cx.goal);
        let KnnLrtaConfig { limit, direct, .. } = self.config;
        // Even if climbing is free, a step performs at most as many climbing steps as one climb may take.
        let mut quota = if cx.meter.is_limited() { limit } else { u32::MAX };
        loop {
            self.phase = match self.phase {
                Task::Begin if direct => Task::Direct(ClimbTest::new(at, goal, limit)),
                Task::Begin => self.ask(at, goal),
                Task::Direct(mut climb) => match climb.run(graph, &mut quota, cx.meter) {
                    ClimbProgress::Arrived => {
                        self.climbs = true;
                        Task::Home
                    }
                    ClimbProgress::Failed => self.ask(at, goal),
                    ClimbProgress::Paused => return self.pause(Task::Direct(climb)),
                },
                Task::Ask => {
                    if !self.nearest.run(graph, &self.database, cx.meter) {
                        return false;
                    }
                    self.candidate(0)
                }
                Task::End(k, mut climb) => match climb.run(graph, &mut quota, cx.meter) {
                    ClimbProgress::Arrived => {
                        let (start, _) = self.database.problem(self.found(k));
                        Task::Start(k, ClimbTest::new(at, start, limit))
                    }
                    ClimbProgress::Failed => self.candidate(k + 1),
                    ClimbProgress::Paused => return self.pause(Task::End(k, climb)),
                },
                Task::Start(k, mut climb) => match climb.run(graph, &mut quota, cx.meter) {
                    ClimbProgress::Arrived => {
                        self.climbs = true;
                        Task::Follow { record: self.found(k), k: 0 }
                    }
                    ClimbProgress::Failed => self.candidate(k + 1),
                    ClimbProgress::Paused => return self.pause(Task::Start(k, climb)),
                },
                Task::Follow { .. } | Task::Home => return true,
            }
        }
    }

    fn pause(&mut self, phase: Task) -> bool {
        self.phase = phase;
        false
    }

    fn ask(&mut self, at: NodeId, goal: NodeId) -> Task {
        self.nearest.ask(&self.database, at, goal);
        Task::Ask
    }

    /// Starts the test of the k-th record found. Without one, the agent heads for the goal.
    fn candidate(&mut self, k: u32) -> Task {
        if k as usize >= self.nearest.found().len() {
            self.climbs = false;
            return Task::Home;
        }
        let (_, end) = self.database.problem(self.found(k));
        Task::End(k, ClimbTest::new(end, self.goal, self.config.limit))
    }

    fn found(&self, k: u32) -> u32 {
        self.nearest.found().nth(k as usize).unwrap_or(0)
    }

    /// Returns the agent's target: the next node of its record where it is not already, or the goal.
    fn target(&mut self, at: NodeId) -> NodeId {
        while let Task::Follow { record, k } = self.phase {
            if k >= self.database.len(record) {
                self.phase = Task::Home;
            } else if self.database.at(record, k) == at {
                // Each node of a record can be reached from the previous one by hill climbing, and the goal from
                // the last.
                (self.phase, self.climbs) = (Task::Follow { record, k: k + 1 }, true);
            } else {
                return self.database.at(record, k);
            }
        }
        self.goal
    }

    /// Performs one move: a step of the climb that was tested, or of LRTA* with a look-ahead of one. Either is an
    /// expansion.
    fn walk<G: Embedded>(&mut self, cx: &mut StepContext<'_, G>, target: NodeId) -> Decision {
        let (graph, at) = (cx.graph, cx.at);
        let mut prepayment = cx.meter.prepay();
        prepayment.add_per_expansion(cx.meter, WorkKind::Learn, 1);
        let is_granted = cx.meter.expand();
        if is_granted {
            prepayment.pay(cx.meter, WorkKind::Learn, 1);
        }
        prepayment.finish(cx.meter);
        if !is_granted {
            return Decision::Wait;
        }
        let before = self.h(graph, target, at);
        cx.tools().emit(SearchEvent::Search { root: at });
        cx.tools().emit(SearchEvent::Expand { node: at, parent: NodeId::NONE, g: Cost::ZERO, f: before });
        if self.climbs {
            if let Climb::To(next) = climb(graph, at, target) {
                self.counts.searches += 1;
                return Decision::Go(next);
            }
            self.climbs = false;
        }
        let (mut best, mut neighbors) = (None, 0);
        for edge in graph.succs(at).filter(|edge| edge.to != at) {
            neighbors += 1;
            let f = edge.cost + self.h(graph, target, edge.to);
            cx.tools().emit(SearchEvent::Open { node: edge.to, parent: at, g: edge.cost, f });
            // Ties as in hill climbing, so that both walk climbable segments in the same way.
            let key = (f, Reverse(edge.cost));
            best = best.filter(|(least, _)| *least <= key).or(Some((key, edge.to)));
        }
        let counts = &mut self.counts;
        counts.searches += 1;
        (counts.open_max, counts.closed_max) = (counts.open_max.max(neighbors), 1);
        let Some(((f, _), next)) = best else { return Decision::NoPath };
        counts.updates += 1;
        if f > before {
            let f = f.min(LearnedValues::DEAD_END);
            self.h.set(target, at, f, &mut cx.scratch.pools);
            self.counts.h_rise += u64::from(f.saturating_sub(before).raw());
            cx.tools().emit(SearchEvent::Learn { node: at, old: before, new: f });
        }
        let longest = graph.bound() as u64 * u64::from(graph.max_edge_cost().raw());
        let is_hopeless = u64::from(f.max(before).raw()) >= longest;
        match (is_hopeless, target == self.goal) {
            (false, _) => Decision::Go(next),
            (true, true) => Decision::NoPath,
            // No path is that long, so this subgoal is unreachable: the graph is not that of the record.
            (true, false) => {
                (self.phase, self.climbs) = (Task::Home, false);
                Decision::Wait
            }
        }
    }

    fn h<G: Graph>(&self, graph: &G, target: NodeId, n: NodeId) -> Cost {
        self.h.get(target, n).unwrap_or_else(|| graph.h(n, target))
    }
}

planner_part! {
    KnnLrta {
        saved: stamp, goal, expected, counts, phase, climbs, nearest, h;
        fixed: database, config, nodes
    }
}

/// Written as a number and its data: a record found, a record and a position in it, a climb.
impl PlannerPart for Task {
    fn write(&self, out: &mut dyn SaveWriter) {
        let idle = ClimbTest::new(NodeId::NONE, NodeId::NONE, 0);
        let (code, k, climb) = match *self {
            Self::Begin => (0, 0, idle),
            Self::Direct(climb) => (1, 0, climb),
            Self::Ask => (2, 0, idle),
            Self::End(k, climb) => (3, k, climb),
            Self::Start(k, climb) => (4, k, climb),
            Self::Follow { record, k } => (5, k, ClimbTest { left: record, ..idle }),
            Self::Home => (6, 0, idle),
        };
        [code, k, climb.left].write(out);
        [climb.at, climb.goal].write(out);
    }

    fn read(&mut self, limits: &Limits, from: &mut SaveReader<'_>) -> Result<(), SaveError> {
        let (code, k, left) = (from.choice(7)?, from.u32()?, from.u32()?);
        let climb = ClimbTest { at: from.node_or_none(limits)?, goal: from.node_or_none(limits)?, left };
        *self = match code {
            0 => Self::Begin,
            1 => Self::Direct(climb),
            2 => Self::Ask,
            3 => Self::End(k, climb),
            4 => Self::Start(k, climb),
            5 => Self::Follow { record: left, k },
            _ => Self::Home,
        };
        Ok(())
    }

    no_pages!();
}

impl PlannerState for KnnLrta {
    fn graph_bound(&self) -> usize {
        self.nodes
    }

    fn reset(&mut self, keep: Reset) {
        self.phase = Task::Begin;
        if keep == Reset::Full {
            self.h.clear();
            self.goal = NodeId::NONE;
        }
    }

    fn search_stats(&self) -> Stats {
        Stats { h_states: self.h.len() as u64, ..self.counts }
    }

    fn path(&self, _: NodeId) -> Vec<NodeId> {
        Vec::new()
    }
}

impl<G: Embedded> Planner<G> for KnnLrta {
    fn plan_step(&mut self, mut cx: StepContext<'_, G>) -> Decision {
        if cx.goal != self.goal {
            self.goal = cx.goal;
            self.phase = Task::Begin;
            self.h.clear();
        }
        if cx.at != self.expected {
            // The record is discarded: the tests were made from another position.
            self.phase = Task::Begin;
        }
        let before = self.phase;
        let decision = if cx.at == cx.goal || !self.retrieve(&mut cx) {
            Decision::Wait
        } else {
            let target = self.target(cx.at);
            if self.phase != before {
                cx.tools().emit(SearchEvent::Subgoal { node: target, record: self.record() });
            }
            self.walk(&mut cx, target)
        };
        cx.meter.count(WorkKind::Page, cx.scratch.pools.page_faults());
        self.expected = if let Decision::Go(next) = decision { next } else { cx.at };
        decision
    }

    fn check(&self, _: &G) -> Result<(), SaveError> {
        self.nearest.check(&self.database)?;
        let is_climb =
            |climb: ClimbTest| climb.at.is_some() && climb.goal.is_some() && climb.left <= self.config.limit;
        let is_sound = match self.phase {
            Task::Begin | Task::Ask | Task::Home => true,
            Task::Direct(climb) => is_climb(climb),
            Task::End(k, climb) | Task::Start(k, climb) => {
                is_climb(climb) && (k as usize) < self.nearest.found().len()
            }
            Task::Follow { record, .. } => record < self.database.records(),
        };
        if is_sound { Ok(()) } else { Err(SaveError::new("its place in its record cannot be")) }
    }
}
