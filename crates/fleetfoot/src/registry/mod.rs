//! The table of algorithms: names, guarantees and requirements, construction from specs such as
//! `repeated-astar(direction=backward)`, and saved planners.

mod algorithms;
mod planner_graph;
mod saved;

use alloc::format;
use alloc::vec::Vec;
use core::str::FromStr;

pub use crate::planner::BoxedPlanner;
pub use crate::spec::{
    BuildError, Facts, Param, PlannerInfo, Resource, Resources, Spec, SpecError, Values, database,
};
#[doc(hidden)]
pub use crate::spec::{SpecSyntaxError, parse_params, split_spec, suggest};
pub use algorithms::{ALGORITHMS, build_directed, build_embedded, build_undirected};
pub use planner_graph::PlannerGraph;
pub use saved::SavedPlanner;

/// Returns the algorithm with this key.
pub fn find(key: &str) -> Option<&'static PlannerInfo> {
    let key = key.strip_suffix('*').unwrap_or(key);
    ALGORITHMS.iter().find(|info| info.key.eq_ignore_ascii_case(key))
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let (key, list) = split_spec(text)?;
        let Some(info) = find(key) else {
            let keys: Vec<_> = ALGORITHMS.iter().map(|info| info.key).collect();
            return Err(SpecError(format!("there is no planner `{key}`; {}", suggest(key, &keys))));
        };
        Self::with_params(info, list)
    }
}
