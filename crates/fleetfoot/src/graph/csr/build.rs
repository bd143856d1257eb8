//! The builder of explicit graphs, and their errors.

use alloc::vec::Vec;
use core::fmt;

use super::rows::Rows;
use super::{Cost, Csr, Edge, NodeId};

/// The reason an explicit graph cannot be built or edited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CsrError(pub(super) Kind);

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Outside { node: NodeId, nodes: usize },
    Cost { from: NodeId, to: NodeId, cost: Cost },
    TooMany { nodes: usize, edges: usize },
    TooDear { nodes: usize, max_edge_cost: Cost },
    NoEdge { from: NodeId, to: NodeId },
    AboveDearest { cost: Cost, max_edge_cost: Cost },
    OneWay { from: NodeId, to: NodeId },
}

impl fmt::Display for CsrError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Outside { node, nodes } => {
                write!(
                    f,
                    "node {node} lies outside a graph of {nodes} nodes; number nodes from 0, or declare more"
                )
            }
            Kind::Cost { from, to, cost } => {
                write!(f, "the edge {from} -> {to} costs {cost}; use a positive, finite cost")
            }
            Kind::TooMany { nodes, edges } => write!(
                f,
                "{nodes} nodes with {edges} edges are more than 32-bit numbers can name; split the graph"
            ),
            Kind::TooDear { nodes, max_edge_cost } => write!(
                f,
                "a path over {nodes} nodes with edges of up to {max_edge_cost} could overflow 32-bit costs; \
                 use a coarser cost unit"
            ),
            Kind::NoEdge { from, to } => write!(
                f,
                "there is no edge {from} -> {to} to change; build the graph with it, and remove it until needed"
            ),
            Kind::AboveDearest { cost, max_edge_cost } => write!(
                f,
                "a cost of {cost} is above {max_edge_cost}, the maximum that the graph was built for; \
                 declare more with `CsrBuilder::max_edge_cost`"
            ),
            Kind::OneWay { from, to } => write!(
                f,
                "the edge {from} -> {to} has no twin of the same cost; \
                 use `CsrBuilder::undirected_edge`, or keep the graph directed"
            ),
        }
    }
}

impl core::error::Error for CsrError {}

/// Collects the edges of a [`Csr`].
///
/// ```
/// use fleetfoot::{Cost, CsrBuilder, Graph, NodeId};
/// let [a, b, c] = [0, 1, 2].map(NodeId::new);
/// let graph = CsrBuilder::new(3).edge(a, b, Cost::new(5)).undirected_edge(b, c, Cost::new(2)).build()?;
/// assert_eq!(graph.cost(c, b), Cost::new(2));
/// assert_eq!(graph.cost(b, a), Cost::INF);
/// # Ok::<(), fleetfoot::CsrError>(())
/// ```
#[derive(Clone, Debug)]
pub struct CsrBuilder {
    nodes: usize,
    /// The tail, and the edge, in insertion order.
    edges: Vec<(NodeId, Edge)>,
    max_edge_cost: Cost,
    /// The first error. `build` returns it, so that adding edges needs no `?`.
    mistake: Option<CsrError>,
}

impl CsrBuilder {
    /// Creates a builder for a graph of `nodes` nodes, numbered from 0, without edges.
    pub fn new(nodes: usize) -> Self {
        Self { nodes, edges: Vec::new(), max_edge_cost: Cost::new(1), mistake: None }
    }

    /// Adds an edge. Edges out of a node, and edges into it, are enumerated in insertion order. Of parallel edges
    /// only the cheapest is kept, at the position of the first.
    pub fn edge(&mut self, from: NodeId, to: NodeId, cost: Cost) -> &mut Self {
        let outside = [from, to].into_iter().find(|n| n.index() >= self.nodes);
        if let Some(node) = outside {
            self.mistake.get_or_insert(CsrError(Kind::Outside { node, nodes: self.nodes }));
        } else if cost == Cost::ZERO || !cost.is_finite() {
            self.mistake.get_or_insert(CsrError(Kind::Cost { from, to, cost }));
        } else {
            self.max_edge_cost = self.max_edge_cost.max(cost);
            self.edges.push((from, Edge { to, cost }));
        }
        self
    }

    /// Adds an edge in both directions.
    pub fn undirected_edge(&mut self, a: NodeId, b: NodeId, cost: Cost) -> &mut Self {
        self.edge(a, b, cost).edge(b, a, cost)
    }

    /// Sets the maximum cost that edges may have later. Default: the maximum of the added edges. Edges can always
    /// be removed.
    pub fn max_edge_cost(&mut self, cost: Cost) -> &mut Self {
        self.max_edge_cost = self.max_edge_cost.max(cost);
        self
    }

    /// Builds the graph.
    ///
    /// # Errors
    /// Returns the first edge with an unknown node, or with a zero or infinite cost. Also fails if there are too
    /// many nodes or edges to number, or if a path could reach [`Cost::INF`].
    pub fn build(&self) -> Result<Csr, CsrError> {
        let (nodes, edges, max_edge_cost) = (self.nodes, self.edges.len(), self.max_edge_cost);
        if let Some(mistake) = &self.mistake {
            return Err(mistake.clone());
        }
        if nodes >= u32::MAX as usize || edges >= u32::MAX as usize {
            return Err(CsrError(Kind::TooMany { nodes, edges }));
        }
        if nodes as u64 * u64::from(max_edge_cost.raw()) >= u64::from(Cost::INF.raw()) {
            return Err(CsrError(Kind::TooDear { nodes, max_edge_cost }));
        }
        let edges = self.without_parallels();
        let backwards = edges.iter().map(|&(from, e)| (e.to, Edge { to: from, cost: e.cost }));
        let out = Rows::new(nodes, edges.iter().copied());
        let into = Rows::new(nodes, backwards);
        let fingerprint = out.fingerprint(max_edge_cost);
        Ok(Csr { out, into, max_edge_cost, fingerprint })
    }

    fn without_parallels(&self) -> Vec<(NodeId, Edge)> {
        let mut edges = self.edges.clone();
        let mut order: Vec<u32> = (0..edges.len() as u32).collect();
        let ends = |i: u32| (self.edges[i as usize].0, self.edges[i as usize].1.to);
        order.sort_unstable_by_key(|&i| (ends(i), i));
        for parallels in order.chunk_by(|&i, &j| ends(i) == ends(j)) {
            let least = parallels.iter().map(|&i| edges[i as usize].1.cost).min().unwrap_or(Cost::INF);
            for &i in parallels {
                edges[i as usize].1.cost = Cost::INF;
            }
            edges[parallels[0] as usize].1.cost = least;
        }
        edges.retain(|(_, e)| e.cost.is_finite());
        edges
    }
}
