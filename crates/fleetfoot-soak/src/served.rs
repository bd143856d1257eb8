//! How long units wait for their searches, next to what a fleet promises.
//!
//! The promise: with a budget of B expansions a tick, a unit that waits behind k others is served within (k + 4) · C / (B / 2) ticks, where
//! C is the cost of the most expensive search.

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
    let (mut served, mut longest, mut share, mut beyond) = (0, 0, 0.0_f64, 0);
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
            let bound = ((ahead + 4) * dearest) as f64 / (budget as f64 / 2.0);
            // A wait is a whole number of ticks.
            let part = waited as f64 / bound.ceil().max(1.0);
            (served, longest, share) = (served + 1, longest.max(waited), share.max(part));
            beyond += usize::from(part > 1.0);
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
        beyond: beyond + waiting.len(),
    }
}
