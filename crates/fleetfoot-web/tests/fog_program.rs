//! A program as the playground copies it, so that it is compiled and run.
#![cfg_attr(rustfmt, rustfmt_skip)]
#![expect(clippy::pedantic, reason = "short, meant for copying")]

// [dependencies]
// fleetfoot = "0.1"
use std::error::Error;

use fleetfoot::{Agent, Belief, Grid, Map, Meter, Prices, Rules, Scratch};

const MAP: &[&str] = &[
    "......",
    "..@@S.",
    "......",
];

/// Column, row and weight of cells that change, by tick.
const CHANGES: &[(u64, u32, u32, u8)] = &[
    (2, 4, 0, 0),
];

/// How far agents see.
const RADIUS: i64 = 2;

fn main() -> Result<(), Box<dyn Error>> {
    let weight = |x: u32, y: u32| match MAP[y as usize].as_bytes()[x as usize] {
        b'.' => 1,
        b'G' => 2,
        b'S' => 4,
        _ => 0,
    };
    let (width, height) = (MAP[0].len() as u32, MAP.len() as u32);
    for planner in ["tba", "auto"] {
        let mut truth = Map::from(Grid::new(width, height, Rules::default(), weight)?.with_weights(1, 4)?);
        let mut belief = Belief::unknown(width, height, Rules::default(), 1..=4)?;
        let (start, goal) = (truth.node(0, 1).unwrap(), truth.node(5, 1).unwrap());
        let (mut agent, mut scratch) = (Agent::new(belief.map(), planner, start, goal)?, Scratch::new());
        for tick in 0..100_000 {
            for &(_, x, y, weight) in CHANGES.iter().filter(|change| change.0 == tick) {
                truth.set(truth.node(x, y).unwrap(), weight)?;
            }
            let (x, y) = truth.xy(agent.at());
            for (dx, dy) in (-RADIUS..=RADIUS).flat_map(|dy| (-RADIUS..=RADIUS).map(move |dx| (dx, dy))) {
                let octile = (dx.abs() - dy.abs()).abs() as f64 + dx.abs().min(dy.abs()) as f64 * 2f64.sqrt();
                let cell = truth.node((x as i64 + dx) as u32, (y as i64 + dy) as u32);
                if let Some(cell) = cell.filter(|_| octile <= RADIUS as f64) {
                    belief.reveal(cell, truth.grid().weight(cell))?;
                }
            }
            let status = agent.tick_with(belief.map(), &mut Meter::priced(10, Prices::PAPERS), &mut scratch);
            if status.is_final() && CHANGES.iter().all(|change| change.0 <= tick) {
                println!("{planner}: {status:?} at {:?} after {} ticks", truth.xy(agent.at()), tick + 1);
                break;
            }
        }
    }
    Ok(())
}
