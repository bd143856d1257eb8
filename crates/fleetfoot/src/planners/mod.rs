//! The algorithms, one file each.

mod astar;
mod repeated_astar;

pub use astar::{AStar, AStarConfig, Direction, shortest_path};
pub use repeated_astar::{Replan, RepeatedAStar, RepeatedAStarConfig};
