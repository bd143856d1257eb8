//! The algorithms, one file each.

mod adaptive_astar;
mod astar;
mod late_tba;
mod reader;
mod repeated_astar;
mod rtba;
mod tba;
mod time_bounded;

pub use adaptive_astar::{AdaptiveAStar, AdaptiveAStarConfig};
pub use astar::{AStar, AStarConfig, Direction, shortest_path};
pub use late_tba::LateTba;
pub use repeated_astar::{RepeatedAStar, RepeatedAStarConfig, Replan};
pub use rtba::{Restarting, Rtba, Tbaa};
pub use tba::{Shortcut, Tba, TbaConfig};
pub use time_bounded::{FirstStep, TimeBoundedConfig};
