//! The index of corners against one made anew, and paths among them against Dijkstra.

mod index;
mod paths;
mod planner;

use fleetfoot::{Neighbours, Rules};

/// The rules that corners hold for.
fn rules(four: bool) -> Rules {
    let neighbours = if four { Neighbours::Four } else { Neighbours::Eight };
    Rules { neighbours, ..Rules::default() }
}
