//! Doors that open and close while an agent moves: the map is edited between ticks.
//!
//! `cargo run --example doors`

use fleetfoot::{Agent, Map, Meter, NearestCell, TickOutcome};

fn main() -> Result<(), Box<dyn core::error::Error>> {
    // Two rooms, and two doors in the wall between them.
    let mut map = Map::new(40, 20, |x, y| x != 20 || y == 3 || y == 16)?;
    let [start, goal, near, far] =
        [(2, 3), (37, 3), (20, 3), (20, 16)].map(|(x, y)| map.node(x, y).expect("inside the map"));
    let mut agent = Agent::new(&map, "auto", start, goal)?;
    for tick in 0.. {
        match tick {
            10 => println!("tick 10: the near door closes: {}", map.set(near, 0)?),
            20 => println!("tick 20: so does the far one: {}", map.set(far, 0)?),
            40 => println!("tick 40: the near door opens: {}", map.set(near, 1)?),
            _ => {}
        }
        map.update_indices(100); // what the closed doors have cut off is found out little by little
        match agent.tick(&map, 50) {
            TickOutcome::Unreachable if tick == 30 => {
                // A clear answer, and the nearest reachable cell.
                if let NearestCell::Cell(cell) =
                    map.nearest(agent.at(), map.xy(goal), &mut Meter::expansions(100))
                {
                    println!(
                        "tick 30: no path to {:?}; the nearest reachable cell is {:?}",
                        map.xy(goal),
                        map.xy(cell)
                    );
                }
            }
            TickOutcome::Arrived => {
                println!("tick {tick}: arrived, led by {}", agent.spec());
                break;
            }
            _ => {}
        }
    }
    Ok(())
}
