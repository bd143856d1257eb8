//! Clique abstraction, PR LRTA* and D LRTA* against models of them that are as plain as can be.

mod cliques;
mod d_lrta;
mod look;
mod pr_lrta;
mod walk;
mod worlds;
