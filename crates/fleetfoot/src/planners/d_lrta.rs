//! D LRTA* (Bulitko, Luštrek, Schaeffer, Björnsson & Sigmundarson 2008): LRTA* towards intermediate goals, with a depth
//! for each of them, both looked up in a [database](crate::database::DLrtaDatabase) by the agent's region and its goal's.
//!
//! When the agent enters a region that is new to it, or has come to its intermediate goal, it looks up where to go next on
//! the way to the goal's region, and how far to look ahead; in the goal's own region it goes for the goal. Until then it goes
//! for what it looked up last, also where that leads through regions that it has been in: asking there again at every
//! crossing sends it to and fro. Values are learned per intermediate goal, and forgotten with it, since it is not taken up
//! again.
//!
//! What is looked up is meant for the region's middle, so that a database as the paper has it can send an agent round in a
//! circle of regions. So the agent counts how often it asks: at the third time in one region under the same goal it
//! stops asking, for good, and goes for the goal by LRTA* with the greatest depth. That makes it complete: each intermediate goal
//! is reached, or given up for another, and there are finitely many; LRTA* is complete as well.
//!
//! A step is one of LRTA*: what does not fit into the budget is not looked at. Looking up is one comparison
//! ([`Kind::Compare`]). A step expands no more than the largest ball of the greatest depth, (2d-1)² cells on grids of eight
//! neighbours. Whether there is a way at all the abstraction's last level tells at once. The world has to stand still.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::lrta::{Lrta, LrtaConfig, Reach, Rule};
use super::pr_lrta::ABSTRACT;
use crate::database::{DLrtaBuilder, DLrtaDatabase, DLrtaScratch, damaged};
use crate::graph::{Cliques, Embedded, Graph, Level, ReverseGraph};
use crate::id::{Cost, NodeId};
use crate::meter::{Kind, Meter};
use crate::part;
use crate::parts::{HTable, Pools, Stamp};
use crate::planner::{Decision, Keep, Planner, PlannerState, Stats, Step};
use crate::probe::Event;
use crate::registry::{
    BoxedPlanner, BuildError, Facts, Info, Resource, Resources, Spec, Text, Whole, Word, refuse,
    resource_name, unusable,
};
use crate::save::SaveError;

/// Regions for which the database is made at the start: it takes seconds then, and 1.3 megabytes.
const MOST_REGIONS: usize = 512;

const LEVEL: Whole = Whole::new(
    "level",
    "3",
    3,
    8,
    "level of the clique abstraction whose nodes are the regions; that of the database, if one is named",
);
const DEPTH: Whole =
    Whole::new("depth", "16", 1, 255, "the greatest depth; that of the database, if one is named");
const PUBLISHED_GOALS: Word<bool> = Word::new(
    "goals",
    &["onward", "published"],
    &[false, true],
    "intermediate goals that never lead back, or the paper's, which may; those of the database, if one is named",
);
const DATABASE: Text =
    Text::new("database", "none", "the database to use; none makes one at the start, on small maps");

/// The row of D LRTA* in the list of algorithms.
pub(crate) const INFO: Info = Info {
    key: "d-lrta",
    name: "D LRTA*",
    paper: "Bulitko, Luštrek, Schaeffer, Björnsson, Sigmundarson 2008",
    summary: "LRTA* towards intermediate goals, at depths for each, which a database has for pairs of regions",
    facts: Facts { slice_invariant: false, ..ABSTRACT },
    params: &[LEVEL.param, DEPTH.param, PUBLISHED_GOALS.param, DATABASE.param],
    given: Info::FIXED,
};

/// Builds it.
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

/// Whether what the spec gives is what the database was built with.
fn agrees(spec: &Spec, regions: &DLrtaDatabase) -> Result<(), BuildError> {
    let goals = if regions.is_as_published() { "published" } else { "onward" };
    let has = [
        (LEVEL.param.name, regions.level().to_string()),
        (DEPTH.param.name, regions.depth().to_string()),
        (PUBLISHED_GOALS.param.name, goals.to_string()),
    ];
    match has.iter().find(|(param, has)| spec.gives(param) && spec.value(param) != has) {
        None => Ok(()),
        Some((param, has)) => {
            Err(BuildError::new(format!("the database was built with {param}={has}; leave `{param}` out")))
        }
    }
}

/// The name of its database: its file, or what it is made by.
fn database_name(spec: &Spec) -> String {
    resource_name(spec, &[LEVEL.param, DEPTH.param, PUBLISHED_GOALS.param])
}

fn builder<'g, G: Embedded>(spec: &Spec, graph: &'g G, cliques: Arc<Cliques>) -> DLrtaBuilder<'g, G> {
    let (level, depth) = (spec.get(&LEVEL) as u32, spec.get(&DEPTH) as u32);
    let builder = DLrtaBuilder::with_cliques(graph, cliques, level, depth);
    if spec.get(&PUBLISHED_GOALS) { builder.as_published() } else { builder }
}

fn make<G: Embedded>(
    spec: &Spec,
    graph: &G,
    cliques: &Arc<Cliques>,
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

/// The names of what it uses.
pub(crate) fn resource_names(spec: &Spec) -> Vec<String> {
    alloc::vec![Resources::CLIQUES.to_string(), database_name(spec)]
}

/// Makes what it uses, unless that would take too long.
pub(crate) fn make_resource<G: Embedded>(
    name: &str,
    spec: &Spec,
    graph: &G,
    resources: &Resources,
) -> Option<Resource> {
    if name == Resources::CLIQUES {
        return Some(Resource::Cliques(Arc::new(Cliques::new(graph))));
    }
    let cliques = resources.cliques(graph).ok()?;
    make(spec, graph, &cliques).ok().map(Resource::DLrta)
}

/// The same by many threads, however long it takes.
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

/// Times that the agent asks in a region under one goal.
const ENTRIES: u32 = 2;

/// D LRTA* as a planner.
#[derive(Clone, Debug)]
pub struct DLrta {
    database: Arc<DLrtaDatabase>,
    cliques: Arc<Cliques>,
    lrta: Lrta,
    goal: NodeId,
    /// Where the agent was sent.
    expected: NodeId,
    /// What was looked up last; no state before the first time.
    target: Target,
    /// By region: how often the agent has asked there under this goal.
    entries: HTable,
    /// Whether the agent has stopped asking.
    alone: bool,
    /// That of the database.
    stamp: Stamp,
}

#[derive(Clone, Copy, Debug)]
struct Target {
    state: NodeId,
    depth: u32,
}

part! { Target { saved: state, depth; fixed: } }

impl DLrta {
    /// A planner for the graph that `cliques` and `database` were made of.
    pub fn new<G: Graph>(database: Arc<DLrtaDatabase>, cliques: Arc<Cliques>, graph: &G) -> Self {
        let config = LrtaConfig { reach: Reach::Depth(1), rule: Rule::PathMax, goals: 1 };
        Self {
            entries: HTable::new(database.regions() as usize),
            stamp: Stamp(database.checksum()),
            database,
            cliques,
            lrta: Lrta::new(config, graph),
            goal: NodeId::NONE,
            expected: NodeId::NONE,
            target: Target { state: NodeId::NONE, depth: 1 },
            alone: false,
        }
    }

    /// Whether the agent has stopped asking, since it was led in a circle.
    pub fn is_alone(&self) -> bool {
        self.alone
    }

    /// A new goal, or a new place: no region counts as entered.
    fn begin(&mut self, goal: NodeId) {
        self.entries.clear();
        (self.goal, self.target.state, self.alone) = (goal, NodeId::NONE, false);
    }

    fn region(&self, n: NodeId) -> NodeId {
        self.cliques.of(n, self.database.level() as usize)
    }

    /// Looks up where to go from a region; false if the meter does not grant it.
    fn ask(&mut self, region: NodeId, meter: &mut Meter, pools: &mut Pools) -> bool {
        if !meter.charge(Kind::Compare) {
            return false;
        }
        let entries = self.entries.get(region, || Cost::ZERO) + Cost::new(1);
        self.entries.set(region, entries.min(HTable::dead()), pools);
        self.alone = entries > Cost::new(ENTRIES);
        let (state, depth) = self.database.entry(region, self.region(self.goal));
        self.target = if self.alone {
            Target { state: self.goal, depth: self.database.depth() }
        } else {
            Target { state: state.some().unwrap_or(self.goal), depth }
        };
        true
    }
}

part! {
    DLrta {
        saved: stamp, goal, expected, target, alone, entries, lrta;
        fixed: database, cliques
    }
}

impl PlannerState for DLrta {
    fn nodes(&self) -> usize {
        self.lrta.nodes()
    }

    fn reset(&mut self, keep: Keep) {
        self.lrta.reset(keep);
        self.expected = NodeId::NONE;
        if keep == Keep::Nothing {
            self.goal = NodeId::NONE;
        }
    }

    fn counts(&self) -> Stats {
        self.lrta.counts()
    }

    fn path(&self, at: NodeId) -> Vec<NodeId> {
        self.lrta.path(at)
    }
}

impl<G: ReverseGraph> Planner<G> for DLrta {
    fn plan(&mut self, cx: Step<'_, G>) -> Decision {
        let Step { graph, at, goal, changes, meter, scratch, probe } = cx;
        if goal != self.goal || at != self.expected {
            self.begin(goal);
        }
        self.expected = at;
        if at == goal {
            return Decision::Wait;
        }
        if !self.cliques.joined(at, goal) {
            return Decision::NoPath;
        }
        let region = self.region(at);
        let asks = at == self.target.state || self.entries.learned(region).is_none();
        let mut probe = probe;
        if !self.alone && asks {
            if !self.ask(region, meter, &mut scratch.pools) {
                return Decision::Wait;
            }
            if let Some(probe) = &mut probe {
                probe.event(Event::Lead { node: self.target.state, record: None });
            }
        }
        let Target { state, depth } = self.target;
        self.lrta.look(Reach::Depth(u64::from(depth)));
        let decision = self.lrta.plan(Step { graph, at, goal: state, changes, meter, scratch, probe });
        match decision {
            Decision::Go(next) => self.expected = next,
            // There is a way to the goal: what says otherwise is a memory that was forged.
            Decision::NoPath => {
                self.lrta.reset(Keep::Nothing);
                return Decision::Wait;
            }
            Decision::Wait => {}
        }
        decision
    }

    fn check(&self, graph: &G) -> Result<(), SaveError> {
        if (self.entries.states() > 0 || self.alone) && !self.target.state.is_some() {
            return Err(SaveError::new("it goes nowhere"));
        }
        if self.target.depth > self.database.depth() {
            return Err(SaveError::new("it looks farther than its database says"));
        }
        self.lrta.check(graph)
    }
}
