//! `auto`: the planner for those who do not want to choose.

use super::Spec;
use crate::graph::{ChangeLog, Grid};

/// What stands for a planner's name.
pub const KEY: &str = "auto";

/// What the costs of a map do, as far as can be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Changes {
    /// They stand still.
    None,
    /// They only rise: a map that reveals itself, doors that only close.
    Rises,
    /// They rise and fall.
    Both,
}

impl Changes {
    /// What they have done so far.
    pub fn of(log: &ChangeLog) -> Self {
        if log.fell_since(0) {
            Self::Both
        } else if log.end() > 0 {
            Self::Rises
        } else {
            Self::None
        }
    }
}

/// The planner for such a map. Why is measured in the book, on the page "Which planner for my game?".
pub fn choose(grid: &Grid, changes: Changes) -> Spec {
    let spec = match changes {
        _ if grid.corners().is_some_and(|corners| corners.are_few(grid)) => "corner-tba",
        Changes::None => "tba",
        Changes::Rises => "tbaa",
        Changes::Both => "rtd(purse=on)",
    };
    spec.parse().expect("a spec of ours")
}
