//! `auto`: the planner for those who do not want to choose. Our own.
//!
//! On plain grids with few corners it is [Corner TBA*](super::CornerTba), which copes with everything. On all other graphs
//! it is [TBA*](super::Tba) while nothing changes, [TBAA*](super::Tbaa) once costs have risen, and [RTD*](super::Rtd) with
//! `purse=on` once they have fallen: each is the best of the papers' planners for such worlds, as the book has it on the
//! page "Which planner for my game?". What one of them knew is dropped when the next takes over.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::dstar_lite::Focus;
use super::{
    Avoid, CornerTba, DStarLite, Global, Local, LookAhead, LssLrta, NoWay, OffWay, Rtd, RtdConfig, Tba,
    TbaConfig, Tbaa, TimeBoundedConfig,
};
use crate::graph::{ChangeLog, Limits, Undirected};
use crate::id::NodeId;
use crate::part;
use crate::parts::{Needs, Part, Pools, choices};
use crate::planner::{Decision, Keep, Planner, PlannerState, Stats, Step};
use crate::registry::{BoxedPlanner, BuildError, Facts, Info, Spec};
use crate::save::{SaveError, Sink, Source};

/// The row of `auto` in the list of algorithms.
pub(crate) const INFO: Info = Info {
    key: "auto",
    name: "auto",
    paper: "our own",
    summary: "takes what suits: corner-tba on plain grids; else tba, tbaa once costs rise, rtd once they fall",
    facts: Facts { slice_invariant: false, proves_no_path: false, undirected: true, ..Facts::COMPLETE },
    params: &[],
    given: Info::FIXED,
};

/// Builds it.
pub(crate) fn build<G: Undirected>(_: &Spec, graph: &G) -> Result<BoxedPlanner<G>, BuildError> {
    Ok(Box::new(Auto::new(graph)))
}

/// What the costs of a graph have done so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Changes {
    None,
    Rises,
    Falls,
}

choices! { Changes: None, Rises, Falls }

impl Changes {
    fn of(log: &ChangeLog) -> Self {
        if log.fell_since(0) {
            Self::Falls
        } else if log.end() > 0 {
            Self::Rises
        } else {
            Self::None
        }
    }
}

/// The planners that search nodes. All are there from the start, so that a step in which one takes over allocates no more
/// than others do.
#[derive(Clone, Debug)]
struct Nodewise {
    changes: Changes,
    still: Tba,
    rising: Tbaa,
    falling: Rtd,
}

part! { Nodewise { saved: changes, still, rising, falling; fixed: } }

impl Nodewise {
    /// The one at work, on any graph.
    fn state(&self) -> &dyn PlannerState {
        match self.changes {
            Changes::None => &self.still,
            Changes::Rises => &self.rising,
            Changes::Falls => &self.falling,
        }
    }

    fn all(&mut self) -> [&mut dyn PlannerState; 3] {
        [&mut self.still, &mut self.rising, &mut self.falling]
    }

    fn plan<G: Undirected>(&mut self, cx: Step<'_, G>) -> Decision {
        let changes = Changes::of(cx.changes);
        if changes != self.changes {
            self.changes = changes;
            self.all().into_iter().for_each(|planner| planner.release(cx.scratch));
        }
        match self.changes {
            Changes::None => self.still.plan(cx),
            Changes::Rises => self.rising.plan(cx),
            Changes::Falls => self.falling.plan(cx),
        }
    }
}

/// The planner that suits a graph and what happens to it.
#[derive(Clone, Debug)]
pub struct Auto(Choice);

#[derive(Clone, Debug)]
enum Choice {
    Corners(Box<CornerTba>),
    Nodes(Box<Nodewise>),
}

impl Auto {
    /// A planner for this graph, or for any other of its kind with as many nodes.
    pub fn new<G: Undirected>(graph: &G) -> Self {
        let grid = graph.as_grid();
        let has_few = grid.is_some_and(|grid| grid.corners().is_some_and(|corners| corners.beat_cells(grid)));
        Some(graph)
            .filter(|_| has_few)
            .and_then(Self::among_corners)
            .unwrap_or_else(|| Self::among_nodes(graph))
    }

    /// One that searches corners, on a grid with an index of them.
    fn among_corners<G: Undirected>(graph: &G) -> Option<Self> {
        let grid = graph.as_grid().filter(|grid| grid.corners().is_some())?;
        Some(Self(Choice::Corners(Box::new(CornerTba::new(OffWay::Choose, grid)))))
    }

    fn among_nodes<G: Undirected>(graph: &G) -> Self {
        let ahead = LookAhead { expansions: None, moves: None };
        let config = RtdConfig { ratio: 500_000, no_way: NoWay::Report, purse: true };
        let far = Global::DStarLite(DStarLite::new(Focus::PerEpisode, graph));
        let near = Local::LssLrta(LssLrta::new(ahead, Avoid::Nothing, graph));
        Self(Choice::Nodes(Box::new(Nodewise {
            changes: Changes::None,
            still: Tba::new(TbaConfig::default(), graph),
            rising: Tbaa::new(TimeBoundedConfig::default(), graph),
            falling: Rtd::new(config, far, near),
        })))
    }

    /// The key of the planner at work.
    pub fn key(&self) -> &'static str {
        match &self.0 {
            Choice::Corners(_) => super::corner_tba::INFO.key,
            Choice::Nodes(nodes) => match nodes.changes {
                Changes::None => super::tba::INFO.key,
                Changes::Rises => super::rtba::ADAPTIVE.key,
                Changes::Falls => super::rtd::INFO.key,
            },
        }
    }

    fn is_among_corners(&self) -> bool {
        matches!(self.0, Choice::Corners(_))
    }

    fn part(&self) -> &dyn Part {
        match &self.0 {
            Choice::Corners(planner) => &**planner,
            Choice::Nodes(planners) => &**planners,
        }
    }

    fn part_mut(&mut self) -> &mut dyn Part {
        match &mut self.0 {
            Choice::Corners(planner) => &mut **planner,
            Choice::Nodes(planners) => &mut **planners,
        }
    }

    fn state(&self) -> &dyn PlannerState {
        match &self.0 {
            Choice::Corners(planner) => &**planner,
            Choice::Nodes(planners) => planners.state(),
        }
    }
}

impl Part for Auto {
    fn write(&self, out: &mut dyn Sink) {
        self.is_among_corners().write(out);
        self.part().write(out);
    }

    fn read(&mut self, limits: &Limits, from: &mut Source<'_>) -> Result<(), SaveError> {
        let mut is_among_corners = false;
        is_among_corners.read(limits, from)?;
        if is_among_corners != self.is_among_corners() {
            return Err(SaveError::new(
                "it searches corners where this planner searches cells, or the other way round",
            ));
        }
        self.part_mut().read(limits, from)
    }

    fn give_back(&mut self, pools: &mut Pools) {
        self.part_mut().give_back(pools);
    }

    fn memory_bytes(&self) -> usize {
        let own = match &self.0 {
            Choice::Corners(_) => size_of::<CornerTba>(),
            Choice::Nodes(_) => size_of::<Nodewise>(),
        };
        own + self.part().memory_bytes()
    }

    fn need(&self, nodes: usize, needs: &mut Needs) {
        self.part().need(nodes, needs);
    }
}

impl PlannerState for Auto {
    fn nodes(&self) -> usize {
        self.state().nodes()
    }

    fn reset(&mut self, keep: Keep) {
        match &mut self.0 {
            Choice::Corners(planner) => planner.reset(keep),
            Choice::Nodes(planners) => planners.all().into_iter().for_each(|planner| planner.reset(keep)),
        }
    }

    fn counts(&self) -> Stats {
        match &self.0 {
            Choice::Corners(planner) => planner.counts(),
            Choice::Nodes(planners) => {
                let all = [planners.still.counts(), planners.rising.counts(), planners.falling.counts()];
                let sum = |of: fn(&Stats) -> u64| all.iter().map(of).sum();
                let most = |of: fn(&Stats) -> u64| all.iter().map(of).max().unwrap_or(0);
                Stats {
                    searches: sum(|stats| stats.searches),
                    open_max: most(|stats| stats.open_max),
                    closed_max: most(|stats| stats.closed_max),
                    updates: sum(|stats| stats.updates),
                    h_rise: sum(|stats| stats.h_rise),
                    h_states: planners.state().counts().h_states,
                    ..Stats::default()
                }
            }
        }
    }

    fn path(&self, at: NodeId) -> Vec<NodeId> {
        self.state().path(at)
    }
}

impl<G: Undirected> Planner<G> for Auto {
    fn plan(&mut self, cx: Step<'_, G>) -> Decision {
        match &mut self.0 {
            Choice::Corners(planner) => planner.plan(cx),
            Choice::Nodes(planners) => planners.plan(cx),
        }
    }

    /// The ground may have had few corners when the planner was built, and many when it was saved: it is made anew as it was.
    fn load(&mut self, graph: &G, from: &mut Source<'_>) -> Result<(), SaveError> {
        let is_among_corners = from.clone().choice(2)? == 1;
        if is_among_corners != self.is_among_corners() {
            let refusal = || SaveError::new("it searches corners, and the graph has no index of them");
            *self = if is_among_corners {
                Self::among_corners(graph).ok_or_else(refusal)?
            } else {
                Self::among_nodes(graph)
            };
        }
        self.read(&graph.limits(), from)?;
        self.check(graph)
    }

    fn check(&self, graph: &G) -> Result<(), SaveError> {
        match &self.0 {
            Choice::Corners(planner) => planner.check(graph),
            Choice::Nodes(planners) => {
                planners.still.check(graph)?;
                planners.rising.check(graph)?;
                planners.falling.check(graph)
            }
        }
    }
}
