//! Clique abstraction, PR LRTA* and D LRTA* against models of them that are as plain as can be.

#[path = "abstraction/cliques.rs"]
mod cliques;
#[path = "abstraction/d_lrta.rs"]
mod d_lrta;
#[path = "abstraction/pr_lrta.rs"]
mod pr_lrta;
#[path = "abstraction/walk.rs"]
mod walk;
#[path = "abstraction/worlds.rs"]
mod worlds;
