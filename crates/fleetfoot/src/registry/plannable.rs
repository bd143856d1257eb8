//! Which planners can be built on which graph.

use super::{BoxedPlanner, BuildError, Resources, Spec, directed, embedded, undirected};
use crate::graph::{AnyOf, Csr, Grid, Intern, ReverseGraph, ReverseSpace, Reversed, UndirectedCsr};
use crate::heuristic::{Guided, Heuristic};

/// A graph that planners can be built on by [`Spec::build`].
///
/// A type implements it by the one function of the registry whose bound it meets: [`directed`], [`undirected`] or
/// [`embedded`], the stronger the more planners. The planners are compiled for the graph where it is implemented, and
/// nowhere else.
///
/// ```
/// use fleetfoot::registry::{self, BoxedPlanner, BuildError, Plannable, Resources, Spec};
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
/// impl Plannable for Roads {
///     fn build(&self, spec: &Spec, resources: &Resources) -> Result<BoxedPlanner<Self>, BuildError> {
///         registry::directed(spec, self, resources)
///     }
/// }
/// # let roads = Roads(CsrBuilder::new(2).build()?);
/// let planner = "dstar-lite".parse::<Spec>()?.build(&roads)?;
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub trait Plannable: ReverseGraph + Sized {
    /// Builds a planner for this graph; [`Spec::build`] calls it.
    fn build(&self, spec: &Spec, resources: &Resources) -> Result<BoxedPlanner<Self>, BuildError>;
}

impl Spec {
    /// Builds the planner. What it needs beside the graph it makes itself, here and now, which can take long on large maps.
    pub fn build<G: Plannable>(&self, graph: &G) -> Result<BoxedPlanner<G>, BuildError> {
        graph.build(self, &Resources::NONE)
    }

    /// The same, with what was made beforehand: a planner whose spec names a database uses the one in `resources` that has
    /// this name.
    pub fn build_with<G: Plannable>(
        &self,
        graph: &G,
        resources: &Resources,
    ) -> Result<BoxedPlanner<G>, BuildError> {
        graph.build(self, resources)
    }
}

/// Implements [`Plannable`] by one of the three functions. The first three graphs have all planners compiled in this
/// crate; for the others, and for borrowed graphs, that is left to whoever builds one.
macro_rules! plannable {
    ($($(#[$attribute:meta])* [$($parameters:tt)*] $graph:ty: $build:ident;)*) => {$(
        impl<$($parameters)*> Plannable for $graph {
            $(#[$attribute])*
            fn build(&self, spec: &Spec, resources: &Resources) -> Result<BoxedPlanner<Self>, BuildError> {
                $build(spec, self, resources)
            }
        }
    )*};
}

plannable! {
    #[inline(never)] [] Grid: embedded;
    #[inline(never)] [] UndirectedCsr: undirected;
    #[inline(never)] [] Csr: directed;
    #[inline] [] &Grid: embedded;
    #[inline] [] &UndirectedCsr: undirected;
    #[inline] [] &Csr: directed;
    [S: ReverseSpace] Intern<S>: directed;
    [G: ReverseGraph] AnyOf<G>: directed;
    #[inline] [] Reversed<Grid>: undirected;
    #[inline] [] Reversed<UndirectedCsr>: undirected;
    #[inline] [] Reversed<Csr>: directed;
    #[inline] [] Reversed<&Grid>: undirected;
    #[inline] [] Reversed<&UndirectedCsr>: undirected;
    #[inline] [] Reversed<&Csr>: directed;
    [H: Heuristic<Grid>] Guided<Grid, H>: embedded;
    [H: Heuristic<UndirectedCsr>] Guided<UndirectedCsr, H>: undirected;
    [H: Heuristic<Csr>] Guided<Csr, H>: directed;
    ['a, H: Heuristic<&'a Grid>] Guided<&'a Grid, H>: embedded;
    ['a, H: Heuristic<&'a UndirectedCsr>] Guided<&'a UndirectedCsr, H>: undirected;
    ['a, H: Heuristic<&'a Csr>] Guided<&'a Csr, H>: directed;
}
