//! A program as the playground copies it, so that it is compiled and run.
#![cfg_attr(rustfmt, rustfmt_skip)]
#![expect(clippy::pedantic, reason = "short, meant for copying")]

// [dependencies]
// fleetfoot = "0.1"
use std::error::Error;

use fleetfoot::{Agent, Grid, Map, Meter, Rules, Scratch};

const MAP: &[&str] = &[
    "......",
    "..@@S.",
    "......",
];

/// Column, row and weight of cells that change, by tick.
const CHANGES: &[(u64, u32, u32, u8)] = &[
    (2, 4, 0, 0),
];

/// Doors swing every `PERIOD` ticks, one after another.
const DOORS: &[(u32, u32)] = &[(1, 0), (1, 2)];
const PERIOD: u64 = 3;

/// Returns the weight of a door from this tick on, if it swings then.
fn swung(tick: u64, door: u64) -> Option<u8> {
    let at = tick + 7 * door;
    let swings = at / PERIOD - 7 * door / PERIOD;
    (tick > 0 && at.is_multiple_of(PERIOD)).then_some(swings.is_multiple_of(2) as u8)
}

fn main() -> Result<(), Box<dyn Error>> {
    let weight = |x: u32, y: u32| match MAP[y as usize].as_bytes()[x as usize] {
        b'.' => 1,
        b'G' => 1,
        b'S' => 1,
        _ => 0,
    };
    for planner in ["tba", "auto"] {
        let (width, height) = (MAP[0].len() as u32, MAP.len() as u32);
        let mut map = Map::from(Grid::new(width, height, Rules::default(), weight)?);
        let (start, goal) = (map.node(0, 1).unwrap(), map.node(5, 1).unwrap());
        let (mut agent, mut scratch) = (Agent::new(&map, planner, start, goal)?, Scratch::new());
        for tick in 0..100_000 {
            for &(_, x, y, weight) in CHANGES.iter().filter(|change| change.0 == tick) {
                map.set(map.node(x, y).unwrap(), weight)?;
            }
            for (k, &(x, y)) in DOORS.iter().enumerate() {
                if let Some(weight) = swung(tick, k as u64).filter(|_| map.xy(agent.at()) != (x, y)) {
                    map.set(map.node(x, y).unwrap(), weight)?;
                }
            }
            map.update_indices(1000);
            let status = agent.tick_with(&map, &mut Meter::expansions(10), &mut scratch);
            if agent.at() == goal {
                println!("{planner}: {status:?} at {:?} after {} ticks", map.xy(agent.at()), tick + 1);
                break;
            }
        }
    }
    Ok(())
}
