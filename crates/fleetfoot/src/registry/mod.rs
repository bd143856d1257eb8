//! The algorithms as data: what each is called, what it needs and promises, how it is built from a text such
//! as `repeated-astar(direction=backward)`, and how it is saved and restored.

mod algorithms;
mod param;
mod planner_graph;
mod resources;
mod saved;
mod spec;
mod spec_syntax;

pub use crate::planner::BoxedPlanner;
pub use algorithms::{ALGORITHMS, BuildError, build_directed, build_embedded, build_undirected};
pub(crate) use param::{Choice, Decimal, Int, IntOr, Share, Text};
pub use param::{Param, Values};
pub use planner_graph::PlannerGraph;
pub use resources::{Resource, Resources, database};
pub(crate) use resources::{refuse, resource_name, unusable};
pub use saved::SavedPlanner;
pub use spec::{Spec, SpecError};
#[doc(hidden)]
pub use spec_syntax::{SpecSyntaxError, parse_params, split_spec, suggest};

/// What an algorithm promises and needs. The conformance kit tests each claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "a table of independent facts")]
pub struct Facts {
    /// No step exceeds its budget. At the papers' prices tracing is free: A* and its kin then trace their whole path
    /// in the step in which the search ends, as the game time model has it, and eager Adaptive A* makes its whole pass at
    /// once; TBA* and its kin keep a bound of their own.
    pub bounded: bool,
    /// Arrives if the world stands still and the goal can be reached from wherever the agent gets to.
    pub complete: bool,
    /// Where there is no way, says so before long. Others may say so, but need not.
    pub proves_no_path: bool,
    /// Expands the same states in the same order however its budget is sliced.
    pub slice_invariant: bool,
    /// At an unlimited budget in a known world that stands still it walks a shortest path.
    pub optimal: bool,
    /// Works with a map that reveals itself under the freespace assumption.
    pub unknown_terrain: bool,
    /// Keeps its promises when costs rise.
    pub rising_costs: bool,
    /// Keeps its promises when costs fall.
    pub falling_costs: bool,
    /// Its work grows with the graph, not with the number of ways through it. Others keep their promises on small graphs;
    /// on large ones they may not come to an end, and neither may a step without a budget.
    pub polynomial: bool,
    /// Needs a graph in which every move can be taken back.
    pub needs_undirected: bool,
    /// Needs positions of nodes.
    pub needs_positions: bool,
    /// Needs a world that stands still; others that promise nothing when costs change may be tried there.
    pub static_only: bool,
    /// Needs a grid with an index of its corners.
    pub needs_corner_index: bool,
}

impl Facts {
    /// What holds for a planner that promises nothing but to keep its budget, on any graph that stands still. Facts that
    /// are written as `Facts { …, ..Facts::MINIMAL }` stay right when others are added.
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

    /// What holds for every complete algorithm that plans for the graph as it is.
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

/// An algorithm.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct PlannerInfo {
    /// Its name in specs.
    pub key: &'static str,
    /// Its name in print.
    pub name: &'static str,
    /// Where it was published.
    pub paper: &'static str,
    /// What it does, in a line.
    pub summary: &'static str,
    /// What it promises and needs.
    pub facts: Facts,
    /// What can be set.
    pub params: &'static [Param],
    /// What the facts become with the parameters of a spec.
    pub(crate) adjust_facts: fn(&Spec, Facts) -> Facts,
}

impl PlannerInfo {
    /// The facts do not depend on parameters.
    pub(crate) const FIXED: fn(&Spec, Facts) -> Facts = |_, facts| facts;
}

impl PartialEq for PlannerInfo {
    /// Algorithms are the same if their keys are.
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

/// The algorithm with this key.
pub fn find(key: &str) -> Option<&'static PlannerInfo> {
    let key = key.strip_suffix('*').unwrap_or(key);
    ALGORITHMS.iter().find(|info| info.key.eq_ignore_ascii_case(key))
}
