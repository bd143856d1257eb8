//! Adaptive A* (Koenig & Likhachev 2005): Repeated A* that improves h from search to search.
//!
//! It applies to forward searches toward one goal while costs only increase. After a search that ended at f(s̄),
//! every closed node s satisfies h(s) ≥ f(s̄) - g(s). The improved h stays consistent and never decreases, and no
//! later search expands a node with f below the cost of the path that A* would not expand. By default h is updated
//! lazily, in O(1) per node that is generated again ([`AdaptiveTree`]). The eager variant updates all nodes before
//! the next search, within the budget.
//!
//! If a cost decreases, learned values may be too large, so they are cleared.

use alloc::boxed::Box;

use super::RepeatedAStar;
use super::astar::Direction;
use super::open_params::{OPEN, TIES, open_with_ties};
use super::repeated_astar::{RepeatedAStarConfig, Replan};
use crate::graph::{Graph, ReverseGraph, Undirected};
use crate::id::Cost;
use crate::planner::BoxedPlanner;
use crate::search::{AdaptiveTree, OpenKind};
use crate::spec::{BuildError, Choice, Facts, PlannerInfo, Spec};

const LAZY: Choice<bool> =
    Choice::switch("lazy", true, "update a state when it is met again, or all states before the next search");

/// The row of Adaptive A* in the table of algorithms.
pub(crate) const INFO: PlannerInfo = PlannerInfo {
    key: "adaptive-astar",
    name: "Adaptive A*",
    paper: "Koenig, Likhachev 2005",
    summary: "Repeated A* that learns a better heuristic from every search; for unknown terrain",
    facts: Facts { falling_costs: false, ..Facts::FULL },
    params: &[OPEN.param, TIES.param, LAZY.param],
    adjust_facts: PlannerInfo::FIXED,
};

/// Builds the planner.
pub(crate) fn build<G: ReverseGraph>(spec: &Spec, graph: &G) -> Result<BoxedPlanner<G>, BuildError> {
    Ok(Box::new(AdaptiveAStar::directed(config(spec)?, graph)))
}

/// Builds the planner for an undirected graph, on which it needs no heap.
pub(crate) fn build_undirected<G: Undirected>(spec: &Spec, graph: &G) -> Result<BoxedPlanner<G>, BuildError> {
    Ok(Box::new(AdaptiveAStar::undirected(config(spec)?, graph)))
}

fn config(spec: &Spec) -> Result<AdaptiveAStarConfig, BuildError> {
    Ok(AdaptiveAStarConfig { lazy: spec.get(&LAZY), open: open_with_ties(spec)?, replan: Replan::Needed })
}

/// Parameters of Adaptive A*.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AdaptiveAStarConfig {
    /// `true` to update h lazily.
    pub lazy: bool,
    /// The kind of the open list.
    pub open: OpenKind,
    /// When to search again.
    pub replan: Replan,
}

/// The planner Adaptive A*: Repeated A* with a table that learns.
pub type AdaptiveAStar = RepeatedAStar<AdaptiveTree>;

impl AdaptiveAStar {
    /// Creates a planner for `graph`, or for any graph with the same number of nodes. Learned values can increase
    /// by any amount along a directed edge, so the open list is a heap.
    pub fn directed<G: Graph>(config: AdaptiveAStarConfig, graph: &G) -> Self {
        Self::with_max_f_increase(config, graph.bound(), Cost::INF)
    }

    /// Creates a planner for `graph`, or for any undirected graph with the same number of nodes and no larger edge
    /// costs. Consistent values on an undirected graph differ along an edge by at most its cost.
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
