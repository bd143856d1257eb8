//! Which planners can be built on which graph.

use super::{BoxedPlanner, BuildError, Resources, Spec, build_directed, build_embedded, build_undirected};
use crate::graph::{
    Csr, GoalSet, Grid, ImplicitGraph, ReverseGraph, ReverseStateSpace, Reversed, UndirectedCsr,
};
use crate::heuristic::{Heuristic, WithHeuristic};

/// A graph that planners can be built on by [`Spec::build`].
///
/// A type implements it by the one function of the registry whose bound it meets: [`build_directed`], [`build_undirected`] or
/// [`build_embedded`], the stronger the more planners. The planners are compiled for the graph where it is implemented, and
/// nowhere else.
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
    /// Builds a planner for this graph; [`Spec::build`] calls it.
    fn build(&self, spec: &Spec, resources: &Resources) -> Result<BoxedPlanner<Self>, BuildError>;
}

impl Spec {
    /// Builds the planner. What it needs beside the graph it makes itself, here and now, which can take long on large maps.
    pub fn build<G: PlannerGraph>(&self, graph: &G) -> Result<BoxedPlanner<G>, BuildError> {
        graph.build(self, &Resources::EMPTY)
    }

    /// The same, with what was made beforehand: a planner whose spec names a database uses the one in `resources` that has
    /// this name.
    pub fn build_with<G: PlannerGraph>(
        &self,
        graph: &G,
        resources: &Resources,
    ) -> Result<BoxedPlanner<G>, BuildError> {
        graph.build(self, resources)
    }
}

/// Implements [`PlannerGraph`] by one of the three functions. The first three graphs have all planners compiled in this
/// crate; for the others, and for borrowed graphs, that is left to whoever builds one.
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
