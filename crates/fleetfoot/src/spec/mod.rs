//! Specs such as `repeated-astar(direction=backward)`: the parameters of planners, what planners guarantee and require, and
//! the resources that specs name.

mod param;
mod planner_spec;
mod resources;
mod spec_syntax;

use alloc::string::String;
use core::fmt;

pub(crate) use param::{Choice, Decimal, Int, IntOr, Share, Text};
pub use param::{Param, Values};
pub use planner_spec::{Spec, SpecError};
pub use resources::{Resource, Resources, database};
pub(crate) use resources::{refuse, resource_name, unusable};
#[doc(hidden)]
pub use spec_syntax::{SpecSyntaxError, parse_params, split_spec, suggest};

/// The guarantees and requirements of an algorithm. The conformance kit tests each of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "a table of independent facts")]
pub struct Facts {
    /// No step exceeds its budget. With [`Prices::PAPERS`](crate::Prices::PAPERS) tracing is free: A* and its
    /// variants then trace the whole path in the last step of the search, as in the game time model, and eager
    /// Adaptive A* updates all values at once. TBA* and its variants bound tracing themselves.
    pub bounded: bool,
    /// Reaches the goal in a static world if the goal is reachable from every node that the agent can reach.
    pub complete: bool,
    /// Reports a missing path after a bounded number of steps. Other algorithms may report it.
    pub proves_no_path: bool,
    /// Expands the same nodes in the same order for any slicing of the budget.
    pub slice_invariant: bool,
    /// Moves along a shortest path in a known, static world if the budget is unlimited.
    pub optimal: bool,
    /// Supports unknown terrain under the freespace assumption.
    pub unknown_terrain: bool,
    /// The guarantees hold if costs increase.
    pub rising_costs: bool,
    /// The guarantees hold if costs decrease.
    pub falling_costs: bool,
    /// The work is polynomial in the size of the graph. Other algorithms keep their guarantees on small graphs; on
    /// large graphs they may not terminate, and neither may a step without a budget.
    pub polynomial: bool,
    /// Requires an undirected graph.
    pub needs_undirected: bool,
    /// Requires positions of nodes.
    pub needs_positions: bool,
    /// Requires a static world. Other algorithms may be run in changing worlds even if they guarantee nothing
    /// there.
    pub static_only: bool,
    /// Requires a grid with a corner index.
    pub needs_corner_index: bool,
}

impl Facts {
    /// The facts of a planner that only guarantees to keep its budget, on any static graph. Use `Facts { …,
    /// ..Facts::MINIMAL }`, which stays valid if facts are added.
    pub const MINIMAL: Self = Self {
        complete: false,
        proves_no_path: false,
        slice_invariant: false,
        optimal: false,
        unknown_terrain: false,
        rising_costs: false,
        falling_costs: false,
        static_only: true,
        ..Self::FULL
    };

    /// The facts of a complete and optimal algorithm.
    pub const FULL: Self = Self {
        bounded: true,
        complete: true,
        proves_no_path: true,
        slice_invariant: true,
        optimal: true,
        unknown_terrain: true,
        rising_costs: true,
        falling_costs: true,
        polynomial: true,
        needs_undirected: false,
        needs_positions: false,
        static_only: false,
        needs_corner_index: false,
    };
}

/// A row of the table of algorithms.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct PlannerInfo {
    /// The name in specs.
    pub key: &'static str,
    /// The name in print.
    pub name: &'static str,
    /// The publication.
    pub paper: &'static str,
    /// A summary in one line.
    pub summary: &'static str,
    /// Guarantees and requirements with default parameters.
    pub facts: Facts,
    /// The parameters.
    pub params: &'static [Param],
    /// Returns the facts for the parameters of a spec.
    pub(crate) adjust_facts: fn(&Spec, Facts) -> Facts,
}

impl PlannerInfo {
    /// For algorithms whose facts do not depend on parameters.
    pub(crate) const FIXED: fn(&Spec, Facts) -> Facts = |_, facts| facts;
}

impl PartialEq for PlannerInfo {
    /// Compares keys.
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

/// The reason a planner cannot be built, with a remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildError(String);

impl BuildError {
    pub(crate) fn new(what: impl Into<String>) -> Self {
        Self(what.into())
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for BuildError {}
