//! How long units wait for their searches, next to what a fleet promises.
//!
//! The promise: with a budget of B expansions a tick, a unit that waits for a long search behind k others has it within
//! 8 · (k + 2) · C / L ticks, where C is the cost of the most expensive search, and L what a tick leaves for long searches: at least B / 26,
//! if every other phase has work, and about B / 2 where only short searches have.

use fleetfoot::fleet::{Fleet, Goal, TeamId, UnitId, UnitStatus};
use fleetfoot::{Map, NodeId};
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::generate::{cave, maze, rooms};
use serde::Serialize;

use crate::rng::Rng;
use crate::stage::stage;

/// Number of units.
const UNITS: usize = 200;
/// Maximum number of ticks of a run.
const MOST_TICKS: u64 = 200_000;
/// Budgets, in expansions.
const BUDGETS: [u64; 3] = [50, 400, 3000];
/// What is left of a budget for long searches in any case: one part of this number.
const LEAST_LEFT: f64 = 26.0;

/// What units waited in one run.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The map.
    pub map: String,
    /// Whether all units get their orders at once, or one of ten every tick.
    pub orders: String,
    /// Budget of a tick.
    pub budget: u64,
    /// Units that were served.
    pub served: usize,
    /// Cost of the most expensive search of one of these units alone, in expansions.
    pub dearest: u64,
    /// The longest wait, in ticks.
    pub longest: u64,
    /// The largest share of its bound that a unit waited.
    pub share: f64,
    /// The same if half of the budget is left for long searches.
    pub share_of_half: f64,
    /// Units that waited longer than their bound.
    pub beyond: usize,
}

/// Measures maps of both kinds: small ones, where units go by exact distances, and large ones.
///
/// # Errors
/// If a map cannot be made.
pub fn run(seed: u64) -> Result<Vec<Row>, InputError> {
    let rooms =
        rooms::Rooms { width: 201, height: 201, size: 9, door_percent: 60, centred: false, connected: true };
    let maps = [
        ("rooms60", rooms::Rooms { width: 60, height: 60, ..rooms }.generate(seed)?.map),
        ("maze129", maze::generate(129, 129, 1, seed)?.map),
        ("rooms201", rooms.generate(seed)?.map),
        ("cave256", cave::generate(256, 256, seed)?.map),
    ];
    let mut rows = Vec::new();
    for (name, made) in &maps {
        let (map, free) = stage(made);
        let rng = &mut Rng::new(seed);
        let trips = trips(rng, &free);
        let dearest = trips.iter().map(|&trip| alone(&map, trip)).max().unwrap_or(1);
        for budget in BUDGETS {
            for at_once in [true, false] {
                rows.push(Row { map: (*name).into(), ..measure(&map, &trips, budget, dearest, at_once) });
            }
        }
    }
    Ok(rows)
}

/// Returns starts, all different, each with a goal.
fn trips(rng: &mut Rng, free: &[NodeId]) -> Vec<(NodeId, NodeId)> {
    let mut starts = free.to_vec();
    let count = UNITS.min(free.len() / 4);
    for k in 0..count {
        let other = k + rng.below(starts.len() - k);
        starts.swap(k, other);
    }
    starts.truncate(count);
    starts.into_iter().map(|start| (start, rng.pick(free))).collect()
}

/// Returns what the search for one unit costs if there is no other one, in expansions.
fn alone(map: &Map, (start, goal): (NodeId, NodeId)) -> u64 {
    let mut fleet = Fleet::new(map.clone());
    let unit = fleet.spawn(TeamId::FIRST, start).expect("a free cell");
    fleet.order(&[unit], Goal::at(goal));
    let mut work = 0;
    while fleet.status(unit) == Some(UnitStatus::Seeking) {
        // So little that the tick with the last part of the search does not do much besides.
        fleet.tick(100);
        work += fleet.summary().work;
    }
    work.max(1)
}

fn measure(map: &Map, trips: &[(NodeId, NodeId)], budget: u64, dearest: u64, at_once: bool) -> Row {
    let mut fleet = Fleet::new(map.clone());
    let spawned: Vec<(UnitId, NodeId)> = trips
        .iter()
        .map(|&(start, goal)| (fleet.spawn(TeamId::FIRST, start).expect("a free cell"), goal))
        .collect();
    let (mut later, mut waiting) = (spawned.iter(), Vec::new());
    let (mut served, mut longest, mut share, mut share_of_half, mut beyond) = (0, 0, 0.0_f64, 0.0_f64, 0);
    for tick in 0..MOST_TICKS {
        let count = if at_once { trips.len() } else { trips.len() / 10 };
        for &(unit, goal) in later.by_ref().take(count) {
            let ahead = waiting.len() as u64;
            fleet.order(&[unit], Goal::at(goal));
            waiting.push((unit, tick, ahead));
        }
        fleet.tick(budget);
        waiting.retain(|&(unit, since, ahead)| {
            if fleet.status(unit) == Some(UnitStatus::Seeking) {
                return true;
            }
            let waited = tick + 1 - since;
            let work = (8 * (ahead + 2) * dearest) as f64;
            // A wait is a whole number of ticks.
            let part = |left: f64| waited as f64 / (work / (budget as f64 / left)).ceil().max(1.0);
            (served, longest) = (served + 1, longest.max(waited));
            (share, share_of_half) = (share.max(part(LEAST_LEFT)), share_of_half.max(part(2.0)));
            beyond += usize::from(part(LEAST_LEFT) > 1.0);
            false
        });
        if waiting.is_empty() && later.len() == 0 {
            break;
        }
    }
    let orders = if at_once { "at once" } else { "a tenth each tick" }.into();
    Row {
        map: String::new(),
        orders,
        budget,
        served,
        dearest,
        longest,
        share,
        share_of_half,
        beyond: beyond + waiting.len(),
    }
}
