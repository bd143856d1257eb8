//! The graph type of the kit: any graph behind one type, so that planners are compiled once. It counts all calls of
//! a planner.

mod other;

use std::any::Any;
use std::cell::Cell;
use std::fmt::Debug;

use fleetfoot::registry::{self, BoxedPlanner, BuildError, PlannerGraph, Resources, Spec};
use fleetfoot::{Cost, Edge, Embedded, Graph, Grid, Limits, NodeId, ReverseGraph, Undirected};

use self::other::Edges;

/// The capabilities of a graph. Later ones include earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// Edges in both directions.
    Directed,
    /// All edges are reversible at the same cost.
    Undirected,
    /// Undirected, with positions: a grid.
    Positions,
}

/// Any graph as one type that counts calls.
///
/// It implements every graph trait. The [`Class`] determines which of them are valid. The kit runs a planner only on the
/// worlds that its facts require.
#[derive(Clone, Debug)]
pub struct World {
    graph: Inner,
    class: Class,
    /// The maximum number of edges out of a node, or into one.
    widest: usize,
    calls: Cell<Calls>,
}

#[derive(Clone, Debug)]
enum Inner {
    Grid(Box<Grid>),
    Other(Box<dyn other::Other>),
}

/// The number of calls of a graph, by kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Calls {
    /// Calls of `succs`, `pruned_successors` and `preds`.
    pub looks: u64,
    /// Edges that these returned.
    pub edges: u64,
    /// Calls of `h`.
    pub estimates: u64,
    /// Calls of `cost`.
    pub costs: u64,
}

impl World {
    /// Returns the grid, if the world is one.
    pub fn as_grid(&self) -> Option<&Grid> {
        match &self.graph {
            Inner::Grid(grid) => Some(grid),
            Inner::Other(_) => None,
        }
    }

    /// Creates a world from a grid, with a corner index if its rules support one.
    pub fn grid(grid: Grid) -> Self {
        Self::of(Inner::Grid(Box::new(grid.with_corners())), Class::Positions)
    }

    /// Creates a world from an undirected graph.
    pub fn undirected<G: Undirected + Clone + Debug + 'static>(graph: G) -> Self {
        Self::of(Inner::Other(Box::new(graph)), Class::Undirected)
    }

    /// Creates a world from any graph.
    pub fn directed<G: ReverseGraph + Clone + Debug + 'static>(graph: G) -> Self {
        Self::of(Inner::Other(Box::new(graph)), Class::Directed)
    }

    fn of(graph: Inner, class: Class) -> Self {
        let mut world = Self { graph, class, widest: 0, calls: Cell::default() };
        world.widest = match &world.graph {
            Inner::Grid(grid) => grid.max_degree(),
            Inner::Other(graph) => {
                let nodes = (0..graph.limits().current_bound).map(NodeId::from_index);
                nodes.map(|n| graph.succs(n).count().max(graph.preds(n).count())).max().unwrap_or(0)
            }
        };
        world
    }

    /// Returns its capabilities.
    pub fn class(&self) -> Class {
        self.class
    }

    /// Returns the maximum number of edges out of a node, or into one, when the world was created.
    pub fn widest(&self) -> usize {
        self.widest
    }

    /// Returns the inner graph, if it has this type.
    pub fn get_mut<G: 'static>(&mut self) -> Option<&mut G> {
        match &mut self.graph {
            Inner::Grid(grid) => (&mut **grid as &mut dyn Any).downcast_mut(),
            Inner::Other(graph) => graph.as_any_mut().downcast_mut(),
        }
    }

    /// Returns the calls since the last call of this function.
    pub fn take_calls(&self) -> Calls {
        self.calls.take()
    }

    fn note(&self, add: impl FnOnce(&mut Calls)) {
        let mut calls = self.calls.get();
        add(&mut calls);
        self.calls.set(calls);
    }

    /// Counts edges as they are taken, so that a planner that stops early is charged only for those.
    fn counted<I: Iterator<Item = Edge>>(&self, ways: I) -> impl Iterator<Item = Edge> + use<'_, I> {
        self.note(|calls| calls.looks += 1);
        ways.inspect(|_| self.note(|calls| calls.edges += 1))
    }
}

impl Graph for World {
    fn limits(&self) -> Limits {
        match &self.graph {
            Inner::Grid(grid) => grid.limits(),
            Inner::Other(graph) => graph.limits(),
        }
    }

    fn is_node(&self, n: NodeId) -> bool {
        match &self.graph {
            Inner::Grid(grid) => grid.is_node(n),
            Inner::Other(graph) => graph.is_node(n),
        }
    }

    fn succs(&self, n: NodeId) -> impl Iterator<Item = Edge> + '_ {
        self.counted(match &self.graph {
            Inner::Grid(grid) => Ways::Grid(grid.succs(n)),
            Inner::Other(graph) => Ways::Other(graph.succs(n)),
        })
    }

    fn pruned_successors(&self, n: NodeId, from: NodeId) -> impl Iterator<Item = Edge> + '_ {
        self.counted(match &self.graph {
            Inner::Grid(grid) => Ways::Grid(grid.pruned_successors(n, from)),
            Inner::Other(graph) => Ways::Other(graph.pruned_successors(n, from)),
        })
    }

    fn h(&self, a: NodeId, b: NodeId) -> Cost {
        self.note(|calls| calls.estimates += 1);
        match &self.graph {
            Inner::Grid(grid) => grid.h(a, b),
            Inner::Other(graph) => graph.h(a, b),
        }
    }

    fn cost(&self, a: NodeId, b: NodeId) -> Cost {
        self.note(|calls| calls.costs += 1);
        match &self.graph {
            Inner::Grid(grid) => grid.cost(a, b),
            Inner::Other(graph) => graph.cost(a, b),
        }
    }

    fn fingerprint(&self) -> u64 {
        match &self.graph {
            Inner::Grid(grid) => grid.fingerprint(),
            Inner::Other(graph) => graph.fingerprint(),
        }
    }

    /// Access to the grid is not counted: planners that use it have tests of their own.
    fn as_any(&self) -> Option<&dyn Any> {
        self.as_grid().map(|grid| grid as &dyn Any)
    }

    fn toward(&self, at: NodeId, goal: NodeId) -> Option<NodeId> {
        self.as_grid()?.toward(at, goal)
    }
}

impl ReverseGraph for World {
    fn preds(&self, n: NodeId) -> impl Iterator<Item = Edge> + '_ {
        self.counted(match &self.graph {
            Inner::Grid(grid) => Ways::Grid(grid.preds(n)),
            Inner::Other(graph) => Ways::Other(graph.preds(n)),
        })
    }

    fn is_symmetric(&self) -> bool {
        match &self.graph {
            Inner::Grid(grid) => grid.is_symmetric(),
            Inner::Other(graph) => graph.is_symmetric(),
        }
    }
}

impl Undirected for World {}

impl Embedded for World {
    fn position(&self, n: NodeId) -> (i32, i32) {
        self.as_grid().expect("planners whose facts ask for positions are run on grids only").position(n)
    }

    fn min_cost_per_unit(&self) -> Cost {
        self.as_grid().map_or(Cost::ZERO, Embedded::min_cost_per_unit)
    }
}

/// The planners of the kit are compiled here, once for all worlds.
impl PlannerGraph for World {
    fn build(&self, spec: &Spec, resources: &Resources) -> Result<BoxedPlanner<Self>, BuildError> {
        match self.class {
            Class::Directed => registry::build_directed(spec, self, resources),
            Class::Undirected => registry::build_undirected(spec, self, resources),
            Class::Positions => registry::build_embedded(spec, self, resources),
        }
    }
}

/// The edges out of a node, or into it.
enum Ways<A> {
    Grid(A),
    Other(Edges),
}

impl<A: Iterator<Item = Edge>> Iterator for Ways<A> {
    type Item = Edge;

    fn next(&mut self) -> Option<Edge> {
        match self {
            Self::Grid(ways) => ways.next(),
            Self::Other(ways) => ways.next(),
        }
    }
}
