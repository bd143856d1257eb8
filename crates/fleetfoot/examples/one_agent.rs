//! One agent on a map that it knows: it moves from the first tick on, and each tick costs at most 20 expansions.
//!
//! `cargo run --example one_agent`

use fleetfoot::{Agent, Map, TickOutcome};

const ROOM: [&str; 9] = [
    "........................",
    ".##################.....",
    ".#................#.....",
    ".#................#.....",
    ".#................#.....",
    ".#................#.....",
    ".############.....#.....",
    "..................#.....",
    "........................",
];

fn main() -> Result<(), Box<dyn core::error::Error>> {
    let map = Map::new(24, 9, |x, y| ROOM[y as usize].as_bytes()[x as usize] == b'.')?;
    let (start, goal) = (map.node(3, 4).ok_or("outside")?, map.node(22, 4).ok_or("outside")?);
    let mut agent = Agent::new(&map, "auto", start, goal)?;
    let mut walked = vec![start];
    let status = loop {
        match agent.tick(&map, 20) {
            TickOutcome::Moved(cell) => walked.push(cell),
            TickOutcome::Waiting => {}
            status => break status,
        }
    };
    for (y, row) in (0..).zip(ROOM) {
        let cells = (0..).zip(row.chars());
        let drawn = cells.map(|(x, c)| if walked.iter().any(|&n| map.xy(n) == (x, y)) { 'o' } else { c });
        println!("{}", drawn.collect::<String>());
    }
    println!("{status:?} with {} after {} moves", agent.spec(), walked.len());
    Ok(())
}
