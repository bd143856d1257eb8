//! The graphs on which planners can be built.

use super::{BoxedPlanner, BuildError, Resources, Spec, build_directed, build_embedded, build_undirected};
use crate::graph::{Csr, GoalSet, ImplicitGraph, ReverseGraph, ReverseStateSpace, Reversed, UndirectedCsr};
use crate::grid::Grid;
use crate::heuristic::{Heuristic, WithHeuristic};

/// A graph on which [`Spec::build`] can build planners.
///
/// Implement it with the strongest function that the graph supports: [`build_directed`], [`build_undirected`] or
/// [`build_embedded`]. Stronger functions build more planners. The planners are compiled where the trait is
/// implemented.
///
/// ```
/// use fleetfoot::registry::{self, BoxedPlanner, BuildError, PlannerGraph, Resources, Spec};
/// # use fleetfoot::{Cost, Csr, CsrBuilder, Edge, Graph, NodeId, ReverseGraph};
/// struct Roads(Csr);
/// # impl Graph for Roads {
/// #     fn limits(&self) -> fleetfoot::Limits { self.0.limits() }
/// #     fn succs(&self, n: NodeId) -> impl Iterator<Item = Edge> + '_ { self.0.succs(n) }
/// #     fn h(&self, a: NodeId, b: NodeId) -> Cost { self.0.h(a, b) }
/// #     fn fingerprint(&self) -> u64 { self.0.fingerprint() }
/// # }
/// # impl ReverseGraph for Roads {
/// #     fn preds(&self, n: NodeId) -> impl Iterator<Item = Edge> + '_ { self.0.preds(n) }
/// # }
/// impl PlannerGraph for Roads {
///     fn build(&self, spec: &Spec, resources: &Resources) -> Result<BoxedPlanner<Self>, BuildError> {
///         registry::build_directed(spec, self, resources)
///     }
/// }
/// # let roads = Roads(CsrBuilder::new(2).build()?);
/// let planner = "dstar-lite".parse::<Spec>()?.build(&roads)?;
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub trait PlannerGraph: ReverseGraph + Sized {
    /// Builds a planner for this graph. Called by [`Spec::build`].
    fn build(&self, spec: &Spec, resources: &Resources) -> Result<BoxedPlanner<Self>, BuildError>;
}

impl Spec {
    /// Builds the planner. Computes missing resources (databases, abstractions) on the spot; this can take minutes
    /// on large maps.
    pub fn build<G: PlannerGraph>(&self, graph: &G) -> Result<BoxedPlanner<G>, BuildError> {
        graph.build(self, &Resources::EMPTY)
    }

    /// Builds the planner with precomputed resources. If the spec names a database, it is looked up in `resources`.
    pub fn build_with<G: PlannerGraph>(
        &self,
        graph: &G,
        resources: &Resources,
    ) -> Result<BoxedPlanner<G>, BuildError> {
        graph.build(self, resources)
    }
}

/// Implements [`PlannerGraph`]. The planners of the first three graphs are compiled in this crate, those of the
/// others where they are used.
macro_rules! planner_graph {
    ($($(#[$attribute:meta])* [$($parameters:tt)*] $graph:ty: $build:ident;)*) => {$(
        impl<$($parameters)*> PlannerGraph for $graph {
            $(#[$attribute])*
            fn build(&self, spec: &Spec, resources: &Resources) -> Result<BoxedPlanner<Self>, BuildError> {
                $build(spec, self, resources)
            }
        }
    )*};
}

planner_graph! {
    #[inline(never)] [] Grid: build_embedded;
    #[inline(never)] [] UndirectedCsr: build_undirected;
    #[inline(never)] [] Csr: build_directed;
    #[inline] [] &Grid: build_embedded;
    #[inline] [] &UndirectedCsr: build_undirected;
    #[inline] [] &Csr: build_directed;
    [S: ReverseStateSpace] ImplicitGraph<S>: build_directed;
    [G: ReverseGraph] GoalSet<G>: build_directed;
    #[inline] [] Reversed<Grid>: build_undirected;
    #[inline] [] Reversed<UndirectedCsr>: build_undirected;
    #[inline] [] Reversed<Csr>: build_directed;
    #[inline] [] Reversed<&Grid>: build_undirected;
    #[inline] [] Reversed<&UndirectedCsr>: build_undirected;
    #[inline] [] Reversed<&Csr>: build_directed;
    [H: Heuristic<Grid>] WithHeuristic<Grid, H>: build_embedded;
    [H: Heuristic<UndirectedCsr>] WithHeuristic<UndirectedCsr, H>: build_undirected;
    [H: Heuristic<Csr>] WithHeuristic<Csr, H>: build_directed;
    ['a, H: Heuristic<&'a Grid>] WithHeuristic<&'a Grid, H>: build_embedded;
    ['a, H: Heuristic<&'a UndirectedCsr>] WithHeuristic<&'a UndirectedCsr, H>: build_undirected;
    ['a, H: Heuristic<&'a Csr>] WithHeuristic<&'a Csr, H>: build_directed;
}
