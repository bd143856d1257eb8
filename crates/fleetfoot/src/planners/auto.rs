//! `auto`: selects a planner. Not from a paper.
//!
//! It selects a planner by the behavior of the world so far, by the prices, and by the budget of a tick, and
//! switches when these change. The choices follow `fleetfoot reproduce regret`, which measures for each case what a
//! better choice would gain:
//!
//! - Known terrain: [Corner TBA*](super::CornerTba). In clutter, with a corner for every few cells, [Anytime
//!   D*](super::AdStar) below 50 expansions per tick if all work is charged.
//! - Terrain that is explored: [daRTAA*](super::Rtaa) with one move per search below 4 expansions per tick,
//!   [TBAA*](super::Tbaa) from 4 on, and Corner TBA* from 60 on, or from 200 on if the agent sees far. If only expansions
//!   are charged, Corner TBA* below 150,
//!   and daRTAA* from 200 on.
//! - Decreasing costs: [RTD*](super::Rtd) that shares leftovers. Corner TBA* on maps with landmarks from 8 to 59 expansions
//!   per tick, and below 150 if only expansions are charged. Known maps that change rarely are known terrain.
//! - Graphs without corners: [TBA*](super::Tba) instead of Corner TBA*.
//!
//! After a switch the new planner starts without learned values, since the planners' tables are incompatible.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::ad_star::{AdStar, AdStarWeights};
use super::dstar_lite::KeyFocus;
use super::{
    Avoid, CornerTba, DStarLite, LookAhead, LssLrta, NoPathPolicy, OffPathPolicy, Rtaa, Rtd, RtdConfig,
    RtdGlobal, RtdLocal, Tba, TbaConfig, Tbaa, TimeBoundedConfig,
};
use crate::graph::{ChangeLog, Limits, Undirected};
use crate::grid::Grid;
use crate::id::NodeId;
use crate::meter::{Meter, WorkKind};
use crate::planner::{BoxedPlanner, Decision, Planner, PlannerState, Reset, StepContext};
use crate::planner_part;
use crate::probe::Stats;
use crate::save::{SaveError, SaveReader, SaveWriter};
use crate::search::{PageCounts, PlannerPart, Pools, enum_part};
use crate::spec::{BuildError, Facts, PlannerInfo, Spec};

/// The row of `auto` in the table of algorithms.
pub(crate) const INFO: PlannerInfo = PlannerInfo {
    key: "auto",
    name: "auto",
    paper: "our own",
    summary: "takes what suits the world, the prices and the budget: corner-tba on known ground, tbaa or da-rtaa where \
              ground becomes known, rtd where costs fall",
    facts: Facts { slice_invariant: false, proves_no_path: false, needs_undirected: true, ..Facts::FULL },
    params: &[],
    adjust_facts: PlannerInfo::FIXED,
};

/// Builds the planner.
pub(crate) fn build<G: Undirected>(_: &Spec, graph: &G) -> Result<BoxedPlanner<G>, BuildError> {
    Ok(Box::new(Auto::new(graph)))
}

/// The changes of edge costs so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CostChanges {
    /// No changes: the terrain is known.
    None,
    /// Costs have increased: terrain is explored, or paths are closed.
    Rises,
    /// Costs have decreased.
    Falls,
}

impl CostChanges {
    fn of(log: &ChangeLog) -> Self {
        if log.has_decrease_since(0) {
            Self::Falls
        } else if log.end() > 0 {
            Self::Rises
        } else {
            Self::None
        }
    }
}

/// The selected planner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    CornerTba,
    Tba,
    AdStar,
    DaRtaa,
    Tbaa,
    Rtd,
}

enum_part! { Choice: CornerTba, Tba, AdStar, DaRtaa, Tbaa, Rtd }
enum_part! { CostChanges: None, Rises, Falls }

impl Choice {
    fn key(self) -> &'static str {
        match self {
            Self::CornerTba => super::corner_tba::INFO.key,
            Self::Tba => super::tba::INFO.key,
            Self::AdStar => super::ad_star::INFO.key,
            Self::DaRtaa => super::rtaa::AVOIDING.key,
            Self::Tbaa => super::rtba::ADAPTIVE.key,
            Self::Rtd => super::rtd::INFO.key,
        }
    }
}

/// Below this many expansions per tick, searches on corners do not pay in clutter if all work is charged.
const CLUTTER: u64 = 50;
/// In known terrain that changes all the time, Corner TBA* arrives before RTD* from the first of these budgets and below
/// the second.
const CHANGES: (u64, u64) = (8, 60);
/// From this many expansions per tick, TBAA* arrives before daRTAA* in terrain that is explored.
const TBAA: u64 = 4;
/// From this many expansions per tick, Corner TBA* arrives before TBAA* there: if the agent sees its neighbors, and if it
/// sees farther, so that more obstacles appear at once and more searches begin again. Learners arrive as soon on most maps
/// with such budgets, but need many times as long to leave some dead ends.
const NEAR_SIGHT: u64 = 60;
const FAR_SIGHT: u64 = 200;
/// More changed edges in a step than the neighbors of a cell have show that the agent sees farther.
const FAR: u64 = 128;
/// Below this many expansions per tick, Corner TBA* arrives first in every world if only expansions are charged.
const MANY: u64 = 150;

/// How a world changes.
#[derive(Clone, Copy, Debug)]
struct Pace {
    /// `true` if it changes all the time.
    is_busy: bool,
    /// `true` if many obstacles have appeared at once.
    sees_far: bool,
}

/// The properties of the map that determine the choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct MapTraits {
    has_corners: bool,
    /// `true` if the map has landmarks, as known maps do.
    has_landmarks: bool,
    is_cluttered: bool,
}

impl MapTraits {
    fn of<G: Undirected>(graph: &G) -> Self {
        let Some((grid, corners)) = Grid::of(graph).and_then(|grid| Some((grid, grid.corners()?))) else {
            return Self { has_corners: false, has_landmarks: false, is_cluttered: false };
        };
        Self {
            has_corners: corners.beat_cells(grid),
            has_landmarks: corners.landmarks().is_some(),
            is_cluttered: corners.are_dense(grid),
        }
    }

    /// Returns the reason for a choice.
    fn reason(self, world: CostChanges) -> &'static str {
        match world {
            CostChanges::None if self.is_cluttered => "known, cluttered ground",
            CostChanges::None if self.has_corners => "known ground",
            CostChanges::None => "a graph without corners",
            CostChanges::Rises if self.has_landmarks => "known ground on which paths close",
            CostChanges::Rises => "ground becomes known",
            CostChanges::Falls => "costs fall",
        }
    }

    /// Returns the planner for a world that changes at this pace.
    fn choose(self, world: CostChanges, pace: Pace, meter: &Meter) -> Choice {
        let budget = meter.expansions_left().unwrap_or(u64::MAX);
        let all_work = meter.prices().of(WorkKind::Scan) > 0 || meter.is_timed();
        let over_corners = if self.has_corners { Choice::CornerTba } else { Choice::Tba };
        match world {
            // A known map whose paths close, or that changes rarely, is still known.
            _ if world == CostChanges::None
                || self.has_landmarks && (world == CostChanges::Rises || !pace.is_busy) =>
            {
                let is_expensive = all_work && self.is_cluttered && budget < CLUTTER;
                if is_expensive { Choice::AdStar } else { over_corners }
            }
            _ if !all_work && budget < MANY && self.has_corners => Choice::CornerTba,
            CostChanges::Falls if self.has_landmarks && (CHANGES.0..CHANGES.1).contains(&budget) => {
                over_corners
            }
            CostChanges::Falls => Choice::Rtd,
            _ if budget < TBAA => Choice::DaRtaa,
            _ if budget < if pace.sees_far { FAR_SIGHT } else { NEAR_SIGHT } => Choice::Tbaa,
            _ if !all_work => Choice::DaRtaa,
            _ if self.has_corners => Choice::CornerTba,
            _ => Choice::Tbaa,
        }
    }
}

/// A planner that selects another planner by the graph and its changes.
#[derive(Clone, Debug)]
pub struct Auto {
    choice: Choice,
    world: CostChanges,
    /// `true` after the first step.
    has_begun: bool,
    /// Number of consecutive steps in which another choice was better.
    doubts: u32,
    /// Number of changes in the log at the last step.
    seen: u64,
    /// Number of changes per step, a mean over [`WINDOW`] steps, times [`WINDOW`].
    unrest: u64,
    /// `true` if more than [`FAR`] edges have changed in a step.
    sees_far: bool,
    /// Set on graphs with corners.
    corner_tba: Option<Box<CornerTba>>,
    /// Set when one of them is first needed; in clutter and on graphs without corners, from the start. The step in
    /// which the first of them takes over on open terrain is the only one that allocates.
    cells: Option<Box<OverCells>>,
}

/// The planners that search nodes. All are created at once, so that the step in which one takes over does not
/// allocate more than others.
#[derive(Clone, Debug)]
struct OverCells {
    tba: Tba,
    ad_star: AdStar,
    da_rtaa: Rtaa,
    tbaa: Tbaa,
    rtd: Rtd,
}

planner_part! { OverCells { saved: tba, ad_star, da_rtaa, tbaa, rtd; fixed: } }

impl OverCells {
    fn new<G: Undirected>(graph: &G) -> Box<Self> {
        let ahead = LookAhead { expansions: None, moves: None };
        let config = RtdConfig { ratio: 500_000, no_way: NoPathPolicy::Report, share_leftover: true };
        let repaired = RtdGlobal::DStarLite(DStarLite::new(KeyFocus::PerEpisode, graph));
        let local = RtdLocal::LssLrta(LssLrta::new(ahead, Avoid::Nothing, graph));
        Box::new(Self {
            tba: Tba::new(TbaConfig::default(), graph),
            ad_star: AdStar::new(AdStarWeights::default(), KeyFocus::PerEpisode, graph),
            da_rtaa: Rtaa::new(LookAhead { moves: Some(1), ..ahead }, Avoid::Depressions, graph),
            tbaa: Tbaa::new(TimeBoundedConfig::default(), graph),
            rtd: Rtd::new(config, repaired, local),
        })
    }
}

/// Number of consecutive steps in which another choice must be better before it is taken. Prevents repeated
/// restarts if the budget varies around a threshold.
const PATIENCE: u32 = 8;
/// Number of steps over which changes are averaged.
const WINDOW: u64 = 8;
/// Number of changes of edges per step from which a world counts as one that changes all the time. A door that opens
/// changes some ten edges.
const BUSY: u64 = 4;

impl Auto {
    /// Creates a planner for `graph`, or for any similar graph with the same number of nodes.
    pub fn new<G: Undirected>(graph: &G) -> Self {
        let ground = MapTraits::of(graph);
        let corner_tba = Self::over_corners(graph).filter(|_| ground.has_corners);
        // On open, known terrain Corner TBA* is sufficient, and the planner is smaller without the others.
        let is_enough = corner_tba.is_some() && !ground.is_cluttered;
        let cells = (!is_enough).then(|| OverCells::new(graph));
        let choice = if corner_tba.is_some() { Choice::CornerTba } else { Choice::Tba };
        Self {
            choice,
            world: CostChanges::None,
            has_begun: false,
            doubts: 0,
            seen: 0,
            unrest: 0,
            sees_far: false,
            corner_tba,
            cells,
        }
    }

    fn over_corners<G: Undirected>(graph: &G) -> Option<Box<CornerTba>> {
        let grid = Grid::of(graph).filter(|grid| grid.corners().is_some())?;
        Some(Box::new(CornerTba::new(OffPathPolicy::Choose, grid)))
    }

    /// Returns the key of the selected planner.
    pub fn key(&self) -> &'static str {
        self.choice.key()
    }

    /// Returns the key of the planner that `auto` selects on a graph for a step with this meter after such changes,
    /// and the reason. It is assumed that a world whose costs have decreased changes all the time, and that an
    /// agent that explores sees its neighbors only.
    pub fn explain<G: Undirected>(
        graph: &G,
        changes: CostChanges,
        meter: &Meter,
    ) -> (&'static str, &'static str) {
        let ground = MapTraits::of(graph);
        (ground.choose(changes, Pace { is_busy: true, sees_far: false }, meter).key(), ground.reason(changes))
    }

    /// Switches to another planner if it suits the world and the budget better.
    fn reconsider<G: Undirected>(&mut self, cx: &mut StepContext<'_, G>) {
        let world = CostChanges::of(cx.changes);
        let ground = MapTraits { has_corners: self.corner_tba.is_some(), ..MapTraits::of(cx.graph) };
        // What happened before the first step does not count.
        let end = cx.changes.end();
        let new = if self.has_begun { end.saturating_sub(self.seen) } else { 0 };
        self.unrest = self.unrest - self.unrest.div_ceil(WINDOW) + new.min(WINDOW * BUSY);
        self.seen = end;
        self.sees_far |= new > FAR;
        let pace = Pace { is_busy: self.unrest >= WINDOW * BUSY, sees_far: self.sees_far };
        let better = ground.choose(world, pace, cx.meter);
        let is_new = world != self.world || !self.has_begun;
        self.doubts = if better == self.choice { 0 } else { self.doubts.saturating_add(1) };
        (self.world, self.has_begun) = (world, true);
        if better != self.choice && (is_new || self.doubts >= PATIENCE) {
            self.all_mut().for_each(|planner| planner.release(cx.scratch));
            (self.choice, self.doubts) = (better, 0);
            if better != Choice::CornerTba {
                self.cells.get_or_insert_with(|| OverCells::new(cx.graph));
            }
        }
    }

    /// Returns the selected planner.
    fn state(&self) -> &dyn PlannerState {
        let cells = self.cells.as_deref().filter(|_| self.choice != Choice::CornerTba);
        match (cells, &self.corner_tba) {
            (Some(cells), _) => cells.state(self.choice),
            (None, Some(corner_tba)) => &**corner_tba,
            (None, None) => unreachable!("a planner that is at work has been made"),
        }
    }

    fn all(&self) -> impl Iterator<Item = &dyn PlannerState> {
        let corner_tba = self.corner_tba.iter().map(|planner| &**planner as &dyn PlannerState);
        corner_tba.chain(self.cells.iter().flat_map(|cells| cells.all()))
    }

    fn all_mut(&mut self) -> impl Iterator<Item = &mut dyn PlannerState> {
        let corner_tba = self.corner_tba.iter_mut().map(|planner| &mut **planner as &mut dyn PlannerState);
        corner_tba.chain(self.cells.iter_mut().flat_map(|cells| cells.all_mut()))
    }
}

impl OverCells {
    fn state(&self, choice: Choice) -> &dyn PlannerState {
        match choice {
            Choice::CornerTba | Choice::Tba => &self.tba,
            Choice::AdStar => &self.ad_star,
            Choice::DaRtaa => &self.da_rtaa,
            Choice::Tbaa => &self.tbaa,
            Choice::Rtd => &self.rtd,
        }
    }

    fn all(&self) -> [&dyn PlannerState; 5] {
        [&self.tba, &self.ad_star, &self.da_rtaa, &self.tbaa, &self.rtd]
    }

    fn all_mut(&mut self) -> [&mut dyn PlannerState; 5] {
        let Self { tba, ad_star, da_rtaa, tbaa, rtd } = self;
        [tba, ad_star, da_rtaa, tbaa, rtd]
    }
}

impl PlannerPart for Auto {
    fn write(&self, out: &mut dyn SaveWriter) {
        let Self { choice, world, has_begun, doubts, seen, unrest, sees_far, corner_tba, cells } = self;
        corner_tba.is_some().write(out);
        cells.is_some().write(out);
        choice.write(out);
        world.write(out);
        has_begun.write(out);
        doubts.write(out);
        seen.write(out);
        unrest.write(out);
        sees_far.write(out);
        if let Some(planner) = corner_tba {
            planner.write(out);
        }
        if let Some(planners) = cells {
            planners.write(out);
        }
    }

    fn read(&mut self, limits: &Limits, from: &mut SaveReader<'_>) -> Result<(), SaveError> {
        let (mut has_corner_tba, mut has_cells) = (false, false);
        has_corner_tba.read(limits, from)?;
        has_cells.read(limits, from)?;
        if has_corner_tba != self.corner_tba.is_some() || has_cells != self.cells.is_some() {
            return Err(SaveError::new(
                "it searches corners where this planner searches cells, or the reverse",
            ));
        }
        self.choice.read(limits, from)?;
        self.world.read(limits, from)?;
        self.has_begun.read(limits, from)?;
        self.doubts.read(limits, from)?;
        self.seen.read(limits, from)?;
        self.unrest = from.u64()?.min(WINDOW * WINDOW * BUSY);
        self.sees_far.read(limits, from)?;
        let is_there = if self.choice == Choice::CornerTba { has_corner_tba } else { has_cells };
        if !is_there {
            return Err(SaveError::new("the planner at work is missing"));
        }
        if let Some(planner) = &mut self.corner_tba {
            planner.read(limits, from)?;
        }
        if let Some(planners) = &mut self.cells {
            planners.read(limits, from)?;
        }
        Ok(())
    }

    fn release_pages(&mut self, pools: &mut Pools) {
        self.all_mut().for_each(|planner| planner.release_pages(pools));
    }

    fn memory_bytes(&self) -> usize {
        let corner_tba =
            self.corner_tba.iter().map(|planner| size_of::<CornerTba>() + planner.memory_bytes());
        let cells = self.cells.iter().map(|planners| size_of::<OverCells>() + planners.memory_bytes());
        corner_tba.chain(cells).sum()
    }

    fn count_pages(&self, nodes: usize, needs: &mut PageCounts) {
        self.all().for_each(|planner| planner.count_pages(nodes, needs));
    }
}

impl PlannerState for Auto {
    fn graph_bound(&self) -> usize {
        self.state().graph_bound()
    }

    fn reset(&mut self, keep: Reset) {
        self.all_mut().for_each(|planner| planner.reset(keep));
    }

    fn search_stats(&self) -> Stats {
        let sum = |of: fn(&Stats) -> u64| self.all().map(|planner| of(&planner.search_stats())).sum();
        let most =
            |of: fn(&Stats) -> u64| self.all().map(|planner| of(&planner.search_stats())).max().unwrap_or(0);
        Stats {
            searches: sum(|stats| stats.searches),
            open_max: most(|stats| stats.open_max),
            closed_max: most(|stats| stats.closed_max),
            updates: sum(|stats| stats.updates),
            h_rise: sum(|stats| stats.h_rise),
            h_states: self.state().search_stats().h_states,
            ..Stats::default()
        }
    }

    fn path(&self, at: NodeId) -> Vec<NodeId> {
        self.state().path(at)
    }
}

impl<G: Undirected> Planner<G> for Auto {
    fn plan_step(&mut self, mut cx: StepContext<'_, G>) -> Decision {
        self.reconsider(&mut cx);
        match (self.choice, &mut self.corner_tba, &mut self.cells) {
            (Choice::CornerTba, Some(planner), _) => planner.plan_step(cx),
            (Choice::Tba | Choice::CornerTba, _, Some(planners)) => planners.tba.plan_step(cx),
            (Choice::AdStar, _, Some(planners)) => planners.ad_star.plan_step(cx),
            (Choice::DaRtaa, _, Some(planners)) => planners.da_rtaa.plan_step(cx),
            (Choice::Tbaa, _, Some(planners)) => planners.tbaa.plan_step(cx),
            (Choice::Rtd, _, Some(planners)) => planners.rtd.plan_step(cx),
            (_, _, None) => unreachable!("a planner that is at work has been made"),
        }
    }

    /// Creates the planners that the saved one had: corners may have been added since.
    fn load(&mut self, graph: &G, from: &mut SaveReader<'_>) -> Result<(), SaveError> {
        let mut flags = from.clone();
        let (has_corner_tba, has_cells) = (flags.choice(2)? == 1, flags.choice(2)? == 1);
        let refusal = || SaveError::new("it searches corners, and the graph has no index of them");
        let corner_tba = has_corner_tba.then(|| Self::over_corners(graph).ok_or_else(refusal));
        self.corner_tba = corner_tba.transpose()?;
        self.cells = has_cells.then(|| OverCells::new(graph));
        self.read(&graph.limits(), from)?;
        self.check(graph)
    }

    fn check(&self, graph: &G) -> Result<(), SaveError> {
        if let Some(planner) = &self.corner_tba {
            planner.check(graph)?;
        }
        let Some(OverCells { tba, ad_star, da_rtaa, tbaa, rtd }) = self.cells.as_deref() else {
            return Ok(());
        };
        tba.check(graph)?;
        ad_star.check(graph)?;
        da_rtaa.check(graph)?;
        tbaa.check(graph)?;
        rtd.check(graph)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::Map;
    use crate::planner::Scratch;

    /// Lets the agent plan on a map with doors, `edits` of which change in each step, and returns the planner that is at
    /// work afterwards.
    fn plan(auto: &mut Auto, map: &mut Map, steps: u32, edits: impl Fn(u32) -> u32) -> &'static str {
        let (at, goal) = (map.node(0, 0).expect("a cell"), map.node(95, 95).expect("a cell"));
        let mut scratch = Scratch::new();
        for step in 0..steps {
            for k in 0..edits(step) {
                let n = map.node(20 + 8 * k, 20).expect("a cell");
                map.set(n, u8::from(!map.is_free(n))).expect("0 and 1");
            }
            let meter = &mut Meter::expansions(100);
            let context = StepContext::new(map.grid(), at, goal, meter, &mut scratch);
            auto.step(context.with_changes(map.log()));
        }
        auto.key()
    }

    #[test]
    fn a_known_map_with_a_door_is_known_until_doors_change_all_the_time() {
        let mut map = Map::new(96, 96, |x, y| x % 8 != 4 || y % 8 != 4).expect("a map");
        let mut auto = Auto::new(map.grid());
        let corners = super::super::corner_tba::INFO.key;
        assert_eq!(plan(&mut auto, &mut map, 10, |_| 0), corners);
        assert_eq!(
            plan(&mut auto, &mut map, 200, |step| u32::from(step % 25 == 0)),
            corners,
            "a door at times"
        );
        assert_eq!(plan(&mut auto, &mut map, 40, |_| 3), super::super::rtd::INFO.key, "many doors");
        assert_eq!(plan(&mut auto, &mut map, 60, |_| 0), corners, "quiet again");
    }

    /// A saved planner knows how busy the world has been.
    #[test]
    fn the_pace_of_changes_is_saved() {
        let mut map = Map::new(96, 96, |x, y| x % 8 != 4 || y % 8 != 4).expect("a map");
        let mut auto = Auto::new(map.grid());
        plan(&mut auto, &mut map, 30, |_| 3);
        let mut bytes = Vec::new();
        auto.write(&mut bytes);
        let mut again = Auto::new(map.grid());
        again.load(map.grid(), &mut SaveReader::new(&bytes)).expect("what was written");
        assert_eq!((again.seen, again.unrest, again.choice), (auto.seen, auto.unrest, auto.choice));
        assert!(auto.unrest >= WINDOW * BUSY);
    }
}
