//! A program as the playground copies it, so that it is compiled and run.
#![cfg_attr(rustfmt, rustfmt_skip)]
#![expect(clippy::pedantic, clippy::allow_attributes, reason = "short, meant for copying")]

// [dependencies]
// fleetfoot = "0.1"
use std::error::Error;
use std::sync::LazyLock;
use std::time::Instant;

use fleetfoot::fleet::{Fleet, Goal, UnitStatus, TeamId};
use fleetfoot::{Grid, Map, Meter, Rules};

const MAP: &[&str] = &[
    "......",
    "..@@S.",
    "......",
];

/// Where units begin: column and row.
const STARTS: &[(u32, u32)] = &[
    (3, 2),
    (3, 0),
    (1, 2),
];

/// Orders by units (none: all), column and row; changes by column, row and weight.
#[allow(dead_code)]
enum Deed {
    Send(&'static [usize], u32, u32),
    Set(u32, u32, u8),
}

/// What is done, by tick.
const DEEDS: &[(u64, Deed)] = &[
    (0, Deed::Send(&[], 5, 0)),
    (2, Deed::Set(0, 2, 0)),
    (2, Deed::Send(&[1], 0, 0)),
];

/// Nanoseconds since the first call.
fn nanos() -> u64 {
    static BEGIN: LazyLock<Instant> = LazyLock::new(Instant::now);
    BEGIN.elapsed().as_nanos() as u64
}

fn main() -> Result<(), Box<dyn Error>> {
    let weight = |x: u32, y: u32| match MAP[y as usize].as_bytes()[x as usize] {
        b'.' => 1,
        b'G' => 2,
        b'S' => 4,
        _ => 0,
    };
    let (width, height) = (MAP[0].len() as u32, MAP.len() as u32);
    let mut fleet = Fleet::new(Map::from(Grid::new(width, height, Rules::default(), weight)?.with_weights(1, 4)?));
    let mut units = Vec::new();
    for &(x, y) in STARTS {
        units.push(fleet.spawn(TeamId::FIRST, fleet.map().node(x, y).unwrap())?);
    }
    for tick in 0..100_000 {
        for (_, deed) in DEEDS.iter().filter(|deed| deed.0 == tick) {
            match *deed {
                Deed::Send(some, x, y) => {
                    let some: Vec<_> = some.iter().map(|&k| units[k]).collect();
                    let sent = if some.is_empty() { &units } else { &some };
                    fleet.order(sent, Goal::near(fleet.map().node(x, y).unwrap()));
                }
                Deed::Set(x, y, weight) => {
                    fleet.set(fleet.map().node(x, y).unwrap(), weight)?;
                }
            }
        }
        // `fleet.tick(10_000)` does the same on every machine.
        let _ = fleet.tick_with(&mut Meter::until(nanos, nanos() + 500000));
        if fleet.summary().underway == 0 && DEEDS.iter().all(|deed| deed.0 <= tick) {
            let arrived = units.iter().filter(|&&unit| fleet.status(unit) == Some(UnitStatus::Arrived)).count();
            println!("{arrived} of {} units have arrived after {} ticks", units.len(), tick + 1);
            break;
        }
    }
    Ok(())
}
