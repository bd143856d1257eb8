//! Changing worlds: edits, ticks, teleports and budgets in any order, compared with the oracle.

use std::sync::LazyLock;

use fleetfoot::planners::{AdStar, AdStarWeights, DStarLite, KeyFocus, Lpa};
use fleetfoot::registry::{self, BoxedPlanner, Spec};
use fleetfoot::search::{Halt, Pools, SearchTools};
use fleetfoot::{
    ChangeLog, Cost, Decision, Graph, Grid, Meter, Neighborhood, NodeId, Prices, Rules, Scratch, StepContext,
    WorkKind,
};
use fleetfoot_testkit::oracle;

const SIDE: u32 = 6;
/// Maximum weight of a cell.
const HEAVIEST: u8 = 3;
/// Maximum number of operations. Longer sequences find nothing more.
const LONGEST: usize = 400;

static SPECS: LazyLock<Vec<Spec>> = LazyLock::new(|| {
    let texts = [
        "dstar-lite",
        "ad-star",
        "rtd",
        "rtd(local=lrta,ratio=0.25)",
        "rtd(local=tla,focus=per-step)",
        "rtd(local=rtaa,share-leftover=on,no-path=local)",
        "rtd(global=ad-star,focus=per-step)",
        "rtd-noop(global=ad-star)",
        "mpgaa",
    ];
    texts.iter().map(|text| text.parse().expect("a valid spec")).collect()
});

/// The first byte selects rules, focus and log size. Every later byte is an operation, or an argument of one: a
/// cell, a weight, a budget.
pub fn changing(data: &[u8]) {
    let Some((&choice, deeds)) = data.split_first() else { return };
    let mut life = Life::new(choice);
    let mut deeds = deeds.iter().copied().take(LONGEST);
    while let Some(deed) = deeds.next() {
        let mut next = || deeds.next().unwrap_or(0);
        match deed % 16 {
            0..5 => life.edit(next(), next()),
            5 => life.at = life.cell(next()),
            6 => life.goal = life.cell(next()),
            7 => life.step_aside(next()),
            8..11 => life.tick(usize::from(next()), next()),
            11 | 12 => life.repair(next()),
            13 => life.anytime(next()),
            14 => life.lifelong(next()),
            _ => life.save(usize::from(next())),
        }
    }
}

struct Life {
    grid: Grid,
    log: ChangeLog,
    at: NodeId,
    goal: NodeId,
    /// The ends of LPA*'s path.
    fixed: (NodeId, NodeId),
    dstar: DStarLite,
    anytime: AdStar,
    lifelong: Lpa,
    planners: Vec<BoxedPlanner<Grid>>,
    scratch: Scratch,
    pools: Pools,
}

impl Life {
    fn new(choice: u8) -> Self {
        let neighborhood = if choice & 1 == 0 { Neighborhood::Eight } else { Neighborhood::Four };
        let rules = Rules { neighborhood, cut_corners: choice & 2 > 0, ..Rules::default() };
        let heaviest = if choice & 4 > 0 { HEAVIEST } else { 1 };
        let grid = Grid::new(SIDE, SIDE, rules, |_, _| 1).and_then(|grid| grid.with_weights(1, heaviest));
        let grid = grid.expect("a small grid");
        let focus = if choice & 8 > 0 { KeyFocus::PerStep } else { KeyFocus::PerEpisode };
        let decrease = if choice & 32 > 0 { 0 } else { 500_000 };
        let build = |spec: &Spec| spec.build(&grid).expect("it can be built");
        let cell = |x, y| grid.node(x, y).expect("inside");
        Self {
            log: ChangeLog::with_capacity(if choice & 16 > 0 { 20 } else { 1 << 16 }),
            at: cell(0, 0),
            goal: cell(SIDE - 1, SIDE - 1),
            fixed: (cell(0, SIDE - 1), cell(SIDE - 1, 0)),
            dstar: DStarLite::new(focus, &grid),
            anytime: AdStar::new(AdStarWeights { decrease, ..AdStarWeights::default() }, focus, &grid),
            lifelong: Lpa::new(&grid),
            planners: SPECS.iter().map(build).collect(),
            scratch: Scratch::new(),
            pools: Pools::new(),
            grid,
        }
    }

    fn cell(&self, byte: u8) -> NodeId {
        let k = u32::from(byte) % (SIDE * SIDE);
        self.grid.node(k % SIDE, k / SIDE).expect("inside")
    }

    fn edit(&mut self, cell: u8, weight: u8) {
        // A weight outside of the grid's range is refused, and nothing changes.
        drop(self.grid.set(self.cell(cell), weight % (HEAVIEST + 1), &mut self.log));
    }

    /// Moves the agent to a neighbor.
    fn step_aside(&mut self, byte: u8) {
        let ways: Vec<_> = self.grid.succs(self.at).map(|edge| edge.to).collect();
        if !ways.is_empty() {
            self.at = ways[usize::from(byte) % ways.len()];
        }
    }

    fn truth(&self) -> Cost {
        oracle::distance(&self.grid, self.at, self.goal)
    }

    /// Performs a step of a planner, and its move.
    fn tick(&mut self, which: usize, budget: u8) {
        let prices = if budget & 128 > 0 { Prices::ALL_WORK } else { Prices::PAPERS };
        let budget = u64::from(budget % 128).max(1);
        let k = which % SPECS.len();
        let (mut meter, spec) = (Meter::priced(budget, prices), &SPECS[k]);
        let decision = self.planners[k].step(
            StepContext::new(&self.grid, self.at, self.goal, &mut meter, &mut self.scratch)
                .with_changes(&self.log),
        );
        let work = meter.work();
        let is_first = work[WorkKind::Expand] == 1;
        assert!(work.priced(&prices) <= 10 * budget || is_first, "{spec}: {work:?} of {budget}");
        match decision {
            Decision::Go(to) => {
                assert!(oracle::edge(&self.grid, self.at, to).is_finite(), "{spec}: no such move");
                self.at = to;
            }
            Decision::NoPath => assert!(!self.truth().is_finite(), "{spec}: there is a way"),
            Decision::Wait => {}
        }
    }

    /// Saves and restores a planner, which must not change.
    fn save(&mut self, which: usize) {
        let k = which % SPECS.len();
        let saved = registry::SavedPlanner::new(&SPECS[k], &*self.planners[k], &self.grid);
        let again = saved.restore(&self.grid).expect("an honest copy");
        assert_eq!(registry::SavedPlanner::new(&SPECS[k], &*again, &self.grid), saved, "{}", SPECS[k]);
        self.planners[k] = again;
    }

    /// Runs a search; budget 0 means unlimited.
    fn search<R>(&mut self, budget: u8, search: impl FnOnce(&mut Self, &mut SearchTools<'_>) -> R) -> R {
        let mut meter =
            if budget == 0 { Meter::unlimited() } else { Meter::priced(budget.into(), Prices::PAPERS) };
        let mut pools = std::mem::take(&mut self.pools);
        let answer = search(self, &mut SearchTools { meter: &mut meter, pools: &mut pools, probe: None });
        self.pools = pools;
        let spent = meter.work()[WorkKind::Expand] + meter.work()[WorkKind::Refresh];
        assert!(budget == 0 || spent <= u64::from(budget), "{spent} of {budget}");
        answer
    }

    /// Checks D* Lite: when it ends it is exact; values satisfy their definition, and inconsistent nodes are on its
    /// queue.
    fn repair(&mut self, budget: u8) {
        let ends = (self.at, self.goal);
        let halt = self.search(budget, |life, tools| life.dstar.repair(&life.grid, ends, &life.log, tools));
        self.hold_field();
        let truth = self.truth();
        if halt != Halt::Paused {
            assert_eq!(self.dstar.cost(self.at), truth);
            assert_eq!(halt == Halt::Goal, truth.is_finite());
        }
    }

    fn hold_field(&self) {
        let field = self.dstar.field();
        let mut differing = 0;
        for n in (0..self.grid.bound()).map(NodeId::from_index) {
            let vertex = field.vertex(n);
            let by = self.grid.succs(n).map(|edge| edge.cost + field.vertex(edge.to).g);
            let least = if n == self.goal { Cost::ZERO } else { by.min().unwrap_or(Cost::INF) };
            assert_eq!(vertex.rhs, least, "rhs of {n}");
            differing += usize::from(vertex.g != vertex.rhs);
        }
        assert_eq!(differing, field.queue().count(), "what is in the queue");
        for (n, stands) in field.queue() {
            assert!(field.vertex(n).g != field.vertex(n).rhs && stands <= self.dstar.key(&self.grid, n));
        }
    }

    /// Checks Anytime D*: its path exists, and a finished search is within its bound.
    fn anytime(&mut self, budget: u8) {
        let ends = (self.at, self.goal);
        let halt = self.search(budget, |life, tools| life.anytime.repair(&life.grid, ends, &life.log, tools));
        let truth = self.truth();
        match halt {
            Halt::Paused => {}
            Halt::Empty => assert!(!truth.is_finite(), "there is a way"),
            Halt::Goal => {
                let down = std::iter::successors(Some(self.at), |&n| self.anytime.next_toward_goal(n));
                let walk: Vec<_> = down.take(self.grid.bound() + 1).collect();
                let cost = oracle::cost_of(&self.grid, &walk);
                assert_eq!(walk.last(), Some(&self.goal), "the way does not lead there");
                let (cost, most) = (u64::from(cost.raw()) * 1_000_000, u64::from(truth.raw()));
                let is_within = cost <= most * self.anytime.bound();
                assert!(is_within || !self.anytime.is_finished(), "more expensive than it says");
            }
        }
    }

    fn lifelong(&mut self, budget: u8) {
        let ends = self.fixed;
        let halt =
            self.search(budget, |life, tools| life.lifelong.repair(&life.grid, ends, &life.log, tools));
        let truth = oracle::distance(&self.grid, ends.0, ends.1);
        if halt != Halt::Paused {
            assert_eq!(self.lifelong.cost(ends.1), truth);
        }
        if halt == Halt::Goal {
            assert_eq!(oracle::cost_of(&self.grid, &self.lifelong.path(ends.1)), truth);
        }
    }
}
