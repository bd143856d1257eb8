//! Fog of war: the agent sees three cells far, and assumes that unseen cells are free.
//!
//! `cargo run --example fog`

use fleetfoot::{Agent, Belief, Map, NodeId, Rules, TickOutcome};

/// Adds what the agent sees to its belief.
fn look(truth: &Map, belief: &mut Belief, at: NodeId) -> Result<(), fleetfoot::GridError> {
    let (x, y) = truth.xy(at);
    for (dx, dy) in (-3..=3).flat_map(|dy| (-3..=3).map(move |dx| (dx, dy))) {
        if let Some(n) = truth.node(x.wrapping_add_signed(dx), y.wrapping_add_signed(dy)) {
            belief.reveal(n, u8::from(truth.is_free(n)))?;
        }
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn core::error::Error>> {
    let truth = Map::new(60, 40, |x, y| x % 12 != 6 || (x * 7 + y * 5) % 40 == 0)?; // walls with gaps
    let (start, goal) = (truth.node(1, 20).ok_or("outside")?, truth.node(58, 20).ok_or("outside")?);
    let mut belief = Belief::unknown(60, 40, Rules::default(), 1..=1)?;
    look(&truth, &mut belief, start)?;
    let mut agent = Agent::new(belief.map(), "auto", start, goal)?;
    let mut moves = 0;
    let status = loop {
        match agent.tick(belief.map(), 30) {
            TickOutcome::Moved(at) => look(&truth, &mut belief, at)?,
            TickOutcome::Waiting => {}
            status => break status,
        }
        moves += 1;
    };
    println!(
        "{status:?} after {moves} ticks; {} of 2400 cells seen, led by {}",
        belief.known_count(),
        agent.spec()
    );
    Ok(())
}
