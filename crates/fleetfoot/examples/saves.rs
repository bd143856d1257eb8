//! A game saved in mid-search and loaded again: map and agent are plain data, and the walk goes on as if nothing had
//! happened.
//!
//! `cargo run --example saves --features serde`

use fleetfoot::{Agent, Map, SavedAgent};

fn main() -> Result<(), Box<dyn core::error::Error>> {
    let mut map = Map::new(64, 64, |x, y| x != 32 || y % 21 == 0)?;
    let (start, goal) = (map.node(2, 30).ok_or("outside")?, map.node(61, 33).ok_or("outside")?);
    let mut agent = Agent::new(&map, "auto", start, goal)?;
    for _ in 0..10 {
        agent.tick(&map, 20);
    }
    map.set(map.node(32, 21).ok_or("outside")?, 0)?;

    let file = serde_json::to_string(&(&map, agent.save(&map)))?;
    let (loaded, saved): (Map, SavedAgent) = serde_json::from_str(&file)?;
    let mut other = Agent::load(&loaded, &saved)?;

    let mut ticks = 0;
    while !agent.tick(&map, 20).is_final() {
        other.tick(&loaded, 20);
        assert_eq!(agent.at(), other.at(), "tick {ticks}");
        ticks += 1;
    }
    println!("saved to {} bytes; both agents made the same {ticks} moves after that", file.len());
    Ok(())
}
