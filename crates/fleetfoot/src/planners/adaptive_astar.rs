//! Adaptive A* (Koenig & Likhachev 2005): Repeated A* that learns h from search to search.
//!
//! Forward searches towards one goal, costs that only rise. A search that ended at f(s̄) teaches every state s it
//! closed that h(s) ≥ f(s̄) - g(s); h stays consistent, never falls, and no later search expands a state with
//! f below the path's cost that plain A* would not. By default lazily, in O(1) per state that is generated again
//! ([`AdaptiveTree`]); the eager form makes the pass over all states before the next search, as the meter grants.
//!
//! Where a cost falls what was learned may be too much, so it is forgotten.

use alloc::boxed::Box;

use super::RepeatedAStar;
use super::astar::Direction;
use super::open::{OPEN, TIES, open_with_ties};
use super::repeated_astar::{RepeatedAStarConfig, Replan};
use crate::graph::{Graph, ReverseGraph, Undirected};
use crate::id::Cost;
use crate::parts::{AdaptiveTree, OpenKind};
use crate::registry::{BoxedPlanner, BuildError, Choice, Facts, PlannerInfo, Spec};

const LAZY: Choice<bool> =
    Choice::switch("lazy", true, "update a state when it is met again, or all states before the next search");

/// The row of Adaptive A* in the list of algorithms.
pub(crate) const INFO: PlannerInfo = PlannerInfo {
    key: "adaptive-astar",
    name: "Adaptive A*",
    paper: "Koenig, Likhachev 2005",
    summary: "Repeated A* that learns a better heuristic from every search; for unknown terrain",
    facts: Facts { falling_costs: false, ..Facts::FULL },
    params: &[OPEN.param, TIES.param, LAZY.param],
    adjust_facts: PlannerInfo::FIXED,
};

/// Builds it.
pub(crate) fn build<G: ReverseGraph>(spec: &Spec, graph: &G) -> Result<BoxedPlanner<G>, BuildError> {
    Ok(Box::new(AdaptiveAStar::directed(config(spec)?, graph)))
}

/// Builds it for a graph on which it needs no heap.
pub(crate) fn build_undirected<G: Undirected>(spec: &Spec, graph: &G) -> Result<BoxedPlanner<G>, BuildError> {
    Ok(Box::new(AdaptiveAStar::undirected(config(spec)?, graph)))
}

fn config(spec: &Spec) -> Result<AdaptiveAStarConfig, BuildError> {
    Ok(AdaptiveAStarConfig { lazy: spec.get(&LAZY), open: open_with_ties(spec)?, replan: Replan::Needed })
}

/// Parameters of Adaptive A*.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AdaptiveAStarConfig {
    /// Whether to update h lazily.
    pub lazy: bool,
    /// Which open list to use.
    pub open: OpenKind,
    /// When to plan again.
    pub replan: Replan,
}

/// Adaptive A* as a planner: Repeated A* over a table that learns.
pub type AdaptiveAStar = RepeatedAStar<AdaptiveTree>;

impl AdaptiveAStar {
    /// A planner for this graph, or for any other with as many nodes. Learned values can rise by any amount
    /// along a one-way edge, so the open list is a heap.
    pub fn directed<G: Graph>(config: AdaptiveAStarConfig, graph: &G) -> Self {
        Self::with_max_f_increase(config, graph.bound(), Cost::INF)
    }

    /// A planner for this graph, or for any other with as many nodes and no dearer edges. Where every move can be
    /// taken back, consistent values change along an edge by no more than its cost.
    pub fn undirected<G: Undirected>(config: AdaptiveAStarConfig, graph: &G) -> Self {
        Self::with_max_f_increase(config, graph.bound(), graph.max_edge_cost() + graph.max_edge_cost())
    }

    fn with_max_f_increase(config: AdaptiveAStarConfig, bound: usize, max_f_increase: Cost) -> Self {
        let AdaptiveAStarConfig { lazy, open, replan } = config;
        let table = if lazy { AdaptiveTree::lazy } else { AdaptiveTree::eager };
        let config = RepeatedAStarConfig { direction: Direction::Forward, open, replan };
        Self::with_table(config, table(bound), bound, max_f_increase)
    }
}
