//! A fleet with one budget: two squads exchange sides through two doors, one of which closes on them for a while.
//!
//! `cargo run --release --example fleet`

use fleetfoot::Map;
use fleetfoot::fleet::{Event, Fleet, Goal, TeamId, UnitId};

fn main() -> Result<(), Box<dyn core::error::Error>> {
    // Two halls, and two doors in the wall between them.
    let map = Map::new(80, 40, |x, y| x != 40 || (8..12).contains(&y) || (28..32).contains(&y))?;
    let cell = |x, y| map.node(x, y).expect("inside the map");
    let (west, east) = (cell(8, 20), cell(71, 20));
    let door: Vec<_> = (8..12).map(|y| cell(40, y)).collect();
    let squads = [2, 68].map(|left| (0..100).map(|k| cell(left + k % 10, 15 + k / 10)).collect::<Vec<_>>());

    let mut fleet = Fleet::new(map);
    let mut spawn = |cells: &[_]| -> Result<Vec<UnitId>, _> {
        cells.iter().map(|&cell| fleet.spawn(TeamId::FIRST, cell)).collect()
    };
    let (first, second) = (spawn(&squads[0])?, spawn(&squads[1])?);
    fleet.order(&first, Goal::near(east)); // each has a cell of its own around it
    fleet.order(&second, Goal::near(west));

    let (mut arrived, mut waits) = (0, 0);
    for tick in 0..400 {
        if tick == 15 || tick == 60 {
            let weight = u8::from(tick == 60);
            // A wall on a unit would bury it, so a cell of the door stays open while a unit is on it.
            for &cell in door.iter().filter(|&&cell| fleet.unit_on(cell).is_none()).collect::<Vec<_>>() {
                fleet.set(cell, weight)?;
            }
            println!("tick {tick}: the northern door {}", if weight == 0 { "closes" } else { "opens" });
        }
        // The budget of this tick, in expansions.
        for event in fleet.tick(2000) {
            match event {
                Event::Arrived { .. } => arrived += 1,
                Event::Blocked { .. } => waits += 1,
                Event::Unreachable { unit, nearest, .. } => {
                    println!("{unit} has no way; {nearest:?} is near");
                }
                _ => {}
            }
        }
        if arrived == first.len() + second.len() {
            println!(
                "tick {tick}: all {arrived} have been at their goals, and were in each other's way {waits} times"
            );
            break;
        }
    }
    Ok(())
}
