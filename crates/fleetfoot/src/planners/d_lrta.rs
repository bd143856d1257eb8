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

use alloc::sync::Arc;

use alloc::vec::Vec;

use super::lrta::{Lrta, LrtaConfig, Reach, Rule};
use crate::database::DLrtaDatabase;
use crate::graph::{Cliques, Graph, ReverseGraph};
use crate::id::{Cost, NodeId};
use crate::meter::{Kind, Meter};
use crate::parts::{HTable, Pools};
use crate::planner::{Decision, Keep, Planner, PlannerState, Scratch, Stats, Step};
use crate::save::{SaveError, Sink, Source};

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
}

#[derive(Clone, Copy, Debug)]
struct Target {
    state: NodeId,
    depth: u32,
}

impl DLrta {
    /// A planner for the graph that `cliques` and `database` were made of.
    pub fn new<G: Graph>(database: Arc<DLrtaDatabase>, cliques: Arc<Cliques>, graph: &G) -> Self {
        let config = LrtaConfig { reach: Reach::Depth(1), rule: Rule::PathMax, goals: 1 };
        Self {
            entries: HTable::new(database.regions() as usize),
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

    fn stats(&self) -> Stats {
        let stats = self.lrta.stats();
        Stats { memory_bytes: stats.memory_bytes + self.entries.memory_bytes() as u64, ..stats }
    }

    fn release(&mut self, scratch: &mut Scratch) {
        self.reset(Keep::Nothing);
        self.lrta.release(scratch);
        self.entries.release(&mut scratch.pools);
    }

    fn save(&self, out: &mut dyn Sink) {
        out.u64(self.database.checksum());
        for n in [self.goal, self.expected, self.target.state] {
            out.node(n);
        }
        out.u32(self.target.depth);
        out.u32(u32::from(self.alone));
        self.entries.save(out);
        self.lrta.save(out);
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
        if !self.alone && asks && !self.ask(region, meter, &mut scratch.pools) {
            return Decision::Wait;
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

    fn load(&mut self, graph: &G, from: &mut Source<'_>) -> Result<(), SaveError> {
        let (bound, regions) = (graph.numbered(), self.database.regions() as usize);
        if from.u64()? != self.database.checksum() {
            return Err(SaveError::new("it used another database; restore it with that one"));
        }
        self.goal = from.node_or_none(bound)?;
        self.expected = from.node_or_none(bound)?;
        self.target.state = from.node_or_none(bound)?;
        self.target.depth = from.choice(self.database.depth() + 1)?.max(1);
        self.alone = from.choice(2)? == 1;
        self.entries.load(regions, from)?;
        if (self.entries.states() > 0 || self.alone) && !self.target.state.is_some() {
            return Err(SaveError::new("it goes nowhere"));
        }
        self.lrta.load(graph, from)
    }
}
