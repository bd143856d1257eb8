//! What a record says about itself, as JSON.

use fleetfoot::{Graph, Grid, Neighborhood, NodeId, Prices, WorkKind};
use serde::{Deserialize, Serialize};

/// A problem, and the lives that were recorded on it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Meta {
    /// Which program wrote the record.
    pub generator: String,
    /// The map's name.
    pub map: String,
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// What the agents know and what changes, as on the command line.
    pub world: String,
    /// Whether agents know only what they have seen.
    pub sighted: bool,
    /// The rules of movement, as on the command line.
    pub rules: String,
    /// The problem's number among those of its run.
    pub problem: u64,
    /// Column and row of the start.
    pub start: (u32, u32),
    /// Column and row of the goal.
    pub goal: (u32, u32),
    /// What moves cost.
    pub costs: Costs,
    /// The kinds of work, in the order of their numbers.
    pub kinds: Vec<String>,
    /// What each kind was charged, in tenths of an expansion.
    pub prices: Vec<u32>,
    /// What each kind costs where all work is charged, in the same unit.
    #[serde(alias = "honest")]
    pub all_work: Vec<u32>,
    /// The length of a shortest path, if there is one.
    pub optimal: Option<f64>,
    /// One to four of them.
    pub lives: Vec<TrackMeta>,
}

/// One life.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrackMeta {
    /// The planner, as on the command line.
    pub planner: String,
    /// The planner's name in print.
    pub name: String,
    /// The budget of a tick, as on the command line.
    pub budget: String,
    /// The budget of a tick in expansions, if it is given in them.
    pub expansions: Option<u64>,
    /// How many ticks had passed when recording began: the number of the first moment.
    pub first: u64,
    /// How many ticks were recorded.
    pub ticks: u64,
    /// Column and row of the agent before the first recorded tick.
    pub at: (u32, u32),
    /// How it ended; nothing if that was not recorded.
    pub outcome: Option<String>,
    /// The length of the recorded walk.
    pub length: f64,
    /// Every so many searches one was recorded.
    pub every: u64,
    /// Whether the planner has a near-sighted search beside another one.
    pub near: bool,
    /// The highest that any learned value rose above the initial one, in cost units.
    pub highest: u32,
}

/// What moves cost, in whole units: what is needed to foresee g and f.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Costs {
    /// Cost of a length of 1.
    pub unit: u32,
    /// Cost of a straight move; on weighted ground by the sum of both cells' weights.
    pub straight: u32,
    /// The same of a diagonal move.
    pub diagonal: u32,
    /// Whether ground has weights.
    pub weighted: bool,
    /// What the heuristic takes for a straight step.
    pub h_straight: u32,
    /// What it takes for a diagonal one.
    pub h_diagonal: u32,
    /// The weight that unknown ground is taken to have.
    pub least: u8,
}

impl Costs {
    /// What moves cost on a grid.
    pub fn of(grid: &Grid) -> Self {
        let (unit, origin) = (grid.unit(), grid.node(0, 0).unwrap_or(NodeId::NONE));
        let h = |x, y| grid.node(x, y).map(|n| grid.h(origin, n).raw());
        let h_straight = h(1, 0).or_else(|| h(0, 1)).unwrap_or(unit);
        let h_diagonal = h(1, 1).unwrap_or(2 * h_straight);
        // The heuristic is that of the lightest ground.
        let least = (h_straight / unit).max(1);
        let four = grid.rules().neighborhood == Neighborhood::Four;
        let diagonal = if four { unit } else { h_diagonal / least };
        // No plain diagonal is as long as two straight moves; with weights the dearest move is at least that dear.
        let weighted = grid.max_edge_cost().raw() >= 2 * unit;
        let half = if weighted { 2 } else { 1 };
        Self {
            unit,
            straight: unit / half,
            diagonal: diagonal / half,
            weighted,
            h_straight,
            h_diagonal,
            least: u8::try_from(least).unwrap_or(u8::MAX),
        }
    }

    /// The octile distance of two cells that are so far apart.
    #[inline]
    pub(crate) fn distance(&self, dx: u32, dy: u32) -> u32 {
        let (long, short) = (u64::from(dx.max(dy)), u64::from(dx.min(dy)));
        let (straight, diagonal) = (u64::from(self.h_straight), u64::from(self.h_diagonal));
        u32::try_from((long - short) * straight + short * diagonal).unwrap_or(u32::MAX)
    }

    /// The cost of a move in direction `d` between cells of these weights.
    #[inline]
    pub(crate) fn cost(&self, d: usize, a: u8, b: u8) -> u32 {
        let factor = if self.weighted { u32::from(a) + u32::from(b) } else { 1 };
        (if d < 4 { self.straight } else { self.diagonal }).saturating_mul(factor)
    }
}

/// Prices by kind, in tenths of an expansion.
pub fn prices(prices: &Prices) -> Vec<u32> {
    WorkKind::ALL.map(|kind| prices.of(kind)).to_vec()
}

/// Names of the kinds of work, in the order of their numbers.
pub fn kinds() -> Vec<String> {
    WorkKind::ALL.map(|kind| kind.name().to_owned()).to_vec()
}
