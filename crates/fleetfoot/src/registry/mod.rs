//! The algorithms as data: what each is called, what it needs and promises, how it is built from a text such
//! as `repeated-astar(direction=backward)`, and how it is saved and restored.

mod build;
mod resources;
mod saved;
mod spec;
mod table;

use alloc::boxed::Box;

pub use build::{BuildError, build_directed, build_embedded, build_embedded_with, build_undirected};
pub use resources::{Resource, Resources, database};
pub use saved::{Saved, restore_directed, restore_embedded, restore_embedded_with, restore_undirected, save};
pub use spec::{Spec, SpecError};
pub use table::ALGORITHMS;

use crate::planner::Planner;

/// A planner built from a spec.
pub type BoxedPlanner<G> = Box<dyn Planner<G> + Send + Sync>;

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
    pub scales: bool,
    /// Needs a graph in which every move can be taken back.
    pub undirected: bool,
    /// Needs positions of nodes.
    pub coordinates: bool,
    /// Needs a world that stands still; others that promise nothing when costs change may be tried there.
    pub still: bool,
    /// Needs a grid with an index of its corners.
    pub corners: bool,
}

/// What values a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Values {
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// A whole number in this range.
    Whole(u64, u64),
    /// This word, or a whole number in this range.
    WholeOr(&'static str, u64, u64),
    /// A share between 0 and 1: `0.9`, or `90%`.
    Share,
    /// A decimal number in this range.
    Decimal(u32, u32),
    /// Any text.
    Text,
}

/// A parameter of an algorithm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Param {
    /// Its name in a spec.
    pub name: &'static str,
    /// What it is if not given.
    pub default: &'static str,
    /// What it may be.
    pub values: Values,
    /// What it does.
    pub doc: &'static str,
}

/// An algorithm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Info {
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
}

/// The algorithm with this key.
pub fn find(key: &str) -> Option<&'static Info> {
    ALGORITHMS.iter().find(|info| info.key == key)
}
