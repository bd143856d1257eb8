//! Clique abstraction (Sturtevant & Buro 2005): a hierarchy of levels. Each node of a level represents a small
//! clique of nodes of the level below.
//!
//! Nodes are processed in the order of their numbers. A node without a parent and with at least two neighbors is
//! merged with three parentless neighbors that form a clique with it, otherwise with two. Nodes for which this
//! fails are deferred, and processed in reverse order: each is paired with a parentless neighbor; a node with a
//! single neighbor joins that neighbor's parent; the others get a parent of their own. Two parents are adjacent if
//! any of their children are. Parents are numbered along a Z-order curve over their positions, so that neighbors
//! mostly have similar numbers. The last level has no edges: one node per connected component.
//!
//! The cells of a node are therefore connected, and every move between adjacent nodes can be carried out on the
//! map. The position of a node is the mean of its cells, in 1/256 of a unit, rounded once. An edge costs the octile
//! distance of its ends, and at least 1, so that distance is a consistent heuristic on every level.
//!
//! Nodes of the graph without edges belong to no level. Memory: 8 bytes per node of the graph, and about 85 bytes
//! per node of a level. The levels have about a third as many nodes as the graph.

mod build;

use alloc::vec;
use alloc::vec::Vec;

use self::build::grow;
use super::{Edge, Embedded};
use crate::id::{Cost, NodeId};

/// The level to which nodes of the graph are mapped directly. Higher levels are reached parent by parent; their
/// tables are small.
const BASE: usize = 3;
/// No node: the node belongs to no level.
const NONE: u32 = u32::MAX;

/// The levels of a clique abstraction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CliqueAbstraction {
    fingerprint: u64,
    /// From level 1 on.
    levels: Vec<Level>,
    /// The node at level [`BASE`], or at the last level if that is lower, for each node of the graph.
    base: Vec<u32>,
}

/// A level: nodes with positions and children, and edges between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    /// The parent of each node of the level below.
    parents: Vec<u32>,
    children: Lists,
    neighbors: Lists,
    /// The position of each node, in 1/256.
    places: Vec<(i32, i32)>,
    /// For each node, the number of graph nodes that it represents, and the one nearest to its position.
    grounds: Vec<(u32, NodeId)>,
    /// The unit of costs is 2^shift / 256. Larger than 1/256 only if long paths could overflow.
    shift: u32,
}

/// A list of numbers per node, stored consecutively.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
struct Lists {
    ends: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    fn of(&self, n: usize) -> &[u32] {
        let start = n.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.items[start as usize..self.ends[n] as usize]
    }

    /// Ends the list of the current node.
    fn close(&mut self) {
        self.ends.push(self.items.len() as u32);
    }

    fn memory_bytes(&self) -> usize {
        4 * (self.ends.capacity() + self.items.capacity())
    }
}

impl CliqueAbstraction {
    /// Builds all levels of a graph.
    pub fn new<G: Embedded>(graph: &G) -> Self {
        grow(graph)
    }

    /// Returns the number of levels, numbered from 1. The last level has no edges. Zero for a graph without edges.
    pub fn level_count(&self) -> usize {
        self.levels.len()
    }

    /// Returns a level; the last one if `level` is too large. Returns `None` for a graph without edges.
    pub fn level(&self, level: usize) -> Option<&Level> {
        self.levels.get(level.max(1).min(self.level_count()).checked_sub(1)?)
    }

    /// Returns the node that represents `n` at a level; at the last level if `level` is too large. `NONE` if `n`
    /// has no edge.
    #[inline]
    pub fn node_at_level(&self, n: NodeId, level: usize) -> NodeId {
        let level = level.max(1).min(self.level_count());
        let mut node = self.base.get(n.index()).copied().unwrap_or(NONE);
        if level < BASE && node != NONE {
            node = self.levels[0].parents[n.index()];
            for level in self.levels.get(1..level).into_iter().flatten() {
                node = level.parents[node as usize];
            }
        } else if node != NONE {
            for level in self.levels.get(BASE..level).into_iter().flatten() {
                node = level.parents[node as usize];
            }
        }
        NodeId::new(node)
    }

    /// Returns `true` if a path connects `a` and `b`, in O(levels).
    pub fn is_connected(&self, a: NodeId, b: NodeId) -> bool {
        let part = self.node_at_level(a, self.level_count());
        a == b || part.is_some() && part == self.node_at_level(b, self.level_count())
    }

    /// Returns the nodes of the graph that a node of a level represents.
    pub fn ground(&self, level: usize, node: NodeId) -> Vec<NodeId> {
        let level = level.max(1).min(self.level_count());
        let mut nodes = vec![node.raw()];
        for level in self.levels[..level].iter().rev() {
            nodes = nodes.iter().flat_map(|&n| level.children.of(n as usize)).copied().collect();
        }
        nodes.into_iter().map(NodeId::new).collect()
    }

    /// Returns the maximum number of expansions in an episode of PR LRTA*: a look-ahead over all nodes fewer than
    /// `depth` edges away, and a search among the cells of one node. Examines every node of the level.
    pub fn most_expansions(&self, level: usize, depth: usize) -> u64 {
        self.level(level).map_or(0, |level| u64::from(level.largest()) + level.max_ball_size(depth) as u64)
    }

    /// Returns the [`Graph::fingerprint`](crate::Graph::fingerprint) of the graph.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// Returns the number of bytes held.
    pub fn memory_bytes(&self) -> usize {
        4 * self.base.capacity() + self.levels.iter().map(Level::memory_bytes).sum::<usize>()
    }
}

impl Level {
    /// Returns the number of nodes.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Returns `true` if there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Returns the parent, at this level, of a node of the level below.
    pub fn parent(&self, below: NodeId) -> NodeId {
        NodeId::new(self.parents[below.index()])
    }

    /// Returns the children of a node, at the level below.
    pub fn children(&self, n: NodeId) -> impl ExactSizeIterator<Item = NodeId> + '_ {
        self.children.of(n.index()).iter().map(|&child| NodeId::new(child))
    }

    /// Returns the edges out of a node, ordered by the number of their heads.
    #[inline]
    pub fn edges(&self, n: NodeId) -> impl Iterator<Item = Edge> + '_ {
        let neighbors = self.neighbors.of(n.index()).iter();
        neighbors.map(move |&to| {
            let to = NodeId::new(to);
            Edge { to, cost: self.h(n, to).max(Cost::new(1)) }
        })
    }

    /// Returns a consistent estimate: the octile distance of two positions, rounded up.
    #[inline]
    pub fn h(&self, a: NodeId, b: NodeId) -> Cost {
        Cost::new(octile(self.places[a.index()], self.places[b.index()], self.shift))
    }

    /// Returns the position of a node, in 1/256.
    pub fn position(&self, n: NodeId) -> (i32, i32) {
        self.places[n.index()]
    }

    /// Returns the graph node nearest to a node's position, among those that it represents.
    #[inline]
    pub fn centre(&self, n: NodeId) -> NodeId {
        self.grounds[n.index()].1
    }

    /// Returns the number of graph nodes that a node represents.
    pub fn size(&self, n: NodeId) -> u32 {
        self.grounds[n.index()].0
    }

    /// Returns the maximum number of graph nodes that a node represents.
    pub fn largest(&self) -> u32 {
        self.grounds.iter().map(|(size, _)| *size).max().unwrap_or(0)
    }

    /// Returns the maximum number of nodes fewer than `depth` edges away from a node.
    pub fn max_ball_size(&self, depth: usize) -> usize {
        let mut seen = vec![NONE; self.len()];
        let mut ball = Vec::new();
        let count = |root: u32| {
            ball.clear();
            ball.push(root);
            seen[root as usize] = root;
            let mut layer = 0;
            for _ in 1..depth {
                let end = ball.len();
                for k in layer..end {
                    for &to in self.neighbors.of(ball[k] as usize) {
                        if core::mem::replace(&mut seen[to as usize], root) != root {
                            ball.push(to);
                        }
                    }
                }
                layer = end;
            }
            ball.len()
        };
        (0..self.len() as u32).map(count).max().unwrap_or(0)
    }

    /// Returns the maximum cost of an edge.
    pub fn max_edge_cost(&self) -> Cost {
        let nodes = (0..self.len()).map(NodeId::from_index);
        nodes.flat_map(|n| self.edges(n)).map(|edge| edge.cost).max().unwrap_or(Cost::ZERO)
    }

    fn memory_bytes(&self) -> usize {
        let places = self.places.capacity() * size_of::<(i32, i32)>();
        let grounds = self.grounds.capacity() * size_of::<(u32, NodeId)>();
        4 * self.parents.capacity()
            + self.children.memory_bytes()
            + self.neighbors.memory_bytes()
            + places
            + grounds
    }
}

/// Returns the octile distance, rounded up. The square root of two is 577/408, which keeps the triangle inequality.
#[inline]
fn octile(a: (i32, i32), b: (i32, i32), shift: u32) -> u32 {
    let (dx, dy) = (u64::from(a.0.abs_diff(b.0)), u64::from(a.1.abs_diff(b.1)));
    let (long, short) = (dx.max(dy), dx.min(dy));
    (408 * (long - short) + 577 * short).div_ceil(408 << shift) as u32
}
