//! Clique abstraction, PR LRTA* and D LRTA*, compared with simple models.

mod cliques;
mod d_lrta;
mod look;
mod pr_lrta;
mod walk;
mod worlds;
