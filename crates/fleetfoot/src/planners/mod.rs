//! The algorithms, one file each.

mod adaptive_astar;
mod astar;
mod avoid;
mod late_tba;
mod learner;
mod lrta;
mod lrts;
mod lss_lrta;
mod reader;
mod repeated_astar;
mod ribs;
mod rtaa;
mod rtba;
mod tba;
mod time_bounded;
mod tla;

pub use adaptive_astar::{AdaptiveAStar, AdaptiveAStarConfig};
pub use astar::{AStar, AStarConfig, Direction, shortest_path};
pub use avoid::Avoid;
pub use late_tba::LateTba;
pub use learner::{Agent, Learner, LookAhead, Method};
pub use lrta::{Lrta, LrtaConfig, LrtaMethod, Reach, Rule};
pub(crate) use lrts::DEEPEST;
pub use lrts::{Lrts, LrtsConfig, LrtsMethod};
pub use lss_lrta::{LssLrta, LssLrtaMethod};
pub use repeated_astar::{RepeatedAStar, RepeatedAStarConfig, Replan};
pub use ribs::{Ribs, RibsConfig};
pub use rtaa::{Rtaa, RtaaMethod};
pub use rtba::{Restarting, Rtba, Tbaa};
pub use tba::{Shortcut, Tba, TbaConfig};
pub use time_bounded::{FirstStep, TimeBoundedConfig};
pub use tla::{Tla, TlaMethod};
