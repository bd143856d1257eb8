//! Tests sessions of the playground natively.

mod copying;
mod fleets;
mod sessions;

use fleetfoot_sim::budget::PriceList;
use fleetfoot_sim::map::GridMap;
use fleetfoot_web::{Session, Setup, catalogue};

/// Returns a plain setup on a built-in map.
fn setup(name: &str, planners: &[&str]) -> (Setup, GridMap) {
    let place = catalogue::builtin(name, 1).unwrap();
    let setup = Setup {
        name: format!("builtin:{name}"),
        start: place.start,
        goal: place.goal,
        planners: planners.iter().map(|&planner| planner.to_owned()).collect(),
        budget: Some(10),
        prices: PriceList::default(),
        radius: None,
        weighs: false,
        doors: place.doors,
        swing: 0,
        changes: Vec::new(),
    };
    (setup, place.map)
}

/// Returns the walks of all agents: the cell of each after every tick.
fn walks(session: &mut Session, ticks: u64) -> Vec<Vec<(u32, u32)>> {
    let mut walks = vec![Vec::new(); session.meta().lives.len()];
    for _ in 0..ticks {
        if session.live(1) == 0 {
            break;
        }
        for (life, walk) in walks.iter_mut().enumerate() {
            walk.push(session.at(life).unwrap());
        }
    }
    walks
}
