//! The graph that the kit's planners run on: any graph behind one type, so that planners are compiled for it once,
//! with a counter of its own for everything that a planner asks.

mod other;

use std::any::Any;
use std::cell::Cell;
use std::fmt::Debug;

use fleetfoot::registry::{self, BoxedPlanner, BuildError, PlannerGraph, Resources, Spec};
use fleetfoot::{Cost, Edge, Embedded, Graph, Grid, Limits, NodeId, ReverseGraph, Undirected};

use self::other::Edges;

/// What a graph offers to planners. A later one offers all that an earlier one does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// Ways out and ways in.
    Directed,
    /// Every move can be taken back at the same cost.
    Undirected,
    /// Undirected, and nodes have positions: a grid.
    Positions,
}

/// Any graph, as one type that counts what is asked of it.
///
/// It implements every trait of graphs. Which of them mean something is its [`Class`]; the kit offers a planner only
/// the worlds that its facts ask for.
#[derive(Clone, Debug)]
pub struct World {
    graph: Inner,
    class: Class,
    /// The most ways out of a node, or into one.
    widest: usize,
    calls: Cell<Calls>,
}

#[derive(Clone, Debug)]
enum Inner {
    Grid(Box<Grid>),
    Other(Box<dyn other::Other>),
}

/// How often a graph was asked for what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Calls {
    /// Calls of `succs`, `pruned_successors` and `preds`.
    pub looks: u64,
    /// Edges that these have yielded.
    pub edges: u64,
    /// Calls of `h`.
    pub estimates: u64,
    /// Calls of `cost`.
    pub costs: u64,
}

impl World {
    /// A grid, with an index of its corners where its rules allow one.
    pub fn grid(grid: Grid) -> Self {
        Self::of(Inner::Grid(Box::new(grid.with_corners())), Class::Positions)
    }

    /// A graph in which every move can be taken back.
    pub fn undirected<G: Undirected + Clone + Debug + 'static>(graph: G) -> Self {
        Self::of(Inner::Other(Box::new(graph)), Class::Undirected)
    }

    /// Any graph.
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

    /// What it offers.
    pub fn class(&self) -> Class {
        self.class
    }

    /// The most ways out of a node, or into one, when the world was made.
    pub fn widest(&self) -> usize {
        self.widest
    }

    /// The graph inside, if it is of this type.
    pub fn get_mut<G: 'static>(&mut self) -> Option<&mut G> {
        match &mut self.graph {
            Inner::Grid(grid) => (&mut **grid as &mut dyn Any).downcast_mut(),
            Inner::Other(graph) => graph.as_any_mut().downcast_mut(),
        }
    }

    /// What was asked since this was called last.
    pub fn take_calls(&self) -> Calls {
        self.calls.take()
    }

    fn note(&self, add: impl FnOnce(&mut Calls)) {
        let mut calls = self.calls.get();
        add(&mut calls);
        self.calls.set(calls);
    }

    /// Edges are counted as they are taken, so that whoever stops early pays for no more than it saw.
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

    /// Whoever asks for the grid is not counted: planners that do so are held to what they charge by tests of their own.
    fn as_grid(&self) -> Option<&Grid> {
        match &self.graph {
            Inner::Grid(grid) => Some(grid),
            Inner::Other(_) => None,
        }
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

/// Here the planners of the kit are compiled, once for all worlds.
impl PlannerGraph for World {
    fn build(&self, spec: &Spec, resources: &Resources) -> Result<BoxedPlanner<Self>, BuildError> {
        match self.class {
            Class::Directed => registry::build_directed(spec, self, resources),
            Class::Undirected => registry::build_undirected(spec, self, resources),
            Class::Positions => registry::build_embedded(spec, self, resources),
        }
    }
}

/// The ways out of a node, or into it.
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
