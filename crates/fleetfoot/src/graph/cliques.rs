//! Clique abstraction (Sturtevant & Buro 2005): a map in ever coarser levels, each node of a level a few nodes of the one
//! below that all touch each other.
//!
//! Nodes are taken in the order of their numbers, neighbours too. A node that has no parent yet and more than one
//! neighbour looks for three neighbours without a parent that form a clique with it, else for two; what finds none waits.
//! Those that waited come again, the last one first: each is paired with a neighbour without a parent; a tail, which has one
//! neighbour only, joins that neighbour's parent; the others become parents of their own. Two parents are neighbours
//! if children of theirs are. Parents are numbered along a Z-shaped curve over the plane, by the cells that they lie in, and
//! then in the order in which they were made, so that neighbours mostly have numbers close together. The last level has no edges: one node for each connected part of the map.
//!
//! So the ground that a node stands for is connected, and every move between neighbours can be carried out on it. A node
//! lies at the mean of its ground, in 1/256 of a unit, rounded once; an edge costs the octile distance of its ends, and at
//! least 1; so that distance is a consistent estimate on every level.
//!
//! Nodes of the graph without any edge belong to no level. Memory: 8 bytes per node of the graph, and some 85 for each node of
//! a level, of which there are about a third as many.

mod build;

use alloc::vec;
use alloc::vec::Vec;

use self::build::grow;
use super::{Edge, Embedded};
use crate::id::{Cost, NodeId};

/// The level to which the ground is mapped in one step; further up it goes parent by parent, over tables that are small.
const BASE: usize = 3;
/// No node: of what belongs to no level.
const NONE: u32 = u32::MAX;

/// The levels of a map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CliqueAbstraction {
    fingerprint: u64,
    /// From level 1 on.
    levels: Vec<Level>,
    /// By node of the graph: its node on level [`BASE`], or on the last one if that is lower.
    base: Vec<u32>,
}

/// One level: nodes, where they lie, what they stand for, and edges between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    /// By node of the level below: its node here.
    parents: Vec<u32>,
    children: Lists,
    neighbors: Lists,
    /// By node: where it lies, in 1/256.
    places: Vec<(i32, i32)>,
    /// By node: how many nodes of the graph it stands for, and the one of them that lies nearest to its place.
    grounds: Vec<(u32, NodeId)>,
    /// Costs are in 2^shift times 1/256: more than 1/256 only where long paths could overflow.
    shift: u32,
}

/// A list of numbers for each node, one after the other.
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

    /// Ends the list of the next node.
    fn close(&mut self) {
        self.ends.push(self.items.len() as u32);
    }

    fn memory_bytes(&self) -> usize {
        4 * (self.ends.capacity() + self.items.capacity())
    }
}

impl CliqueAbstraction {
    /// All levels of a graph.
    pub fn new<G: Embedded>(graph: &G) -> Self {
        grow(graph)
    }

    /// The number of the last level, which has no edges; levels are numbered from 1. Zero for a graph without edges.
    pub fn level_count(&self) -> usize {
        self.levels.len()
    }

    /// A level, the last one for numbers beyond it; nothing for a graph without edges.
    pub fn level(&self, level: usize) -> Option<&Level> {
        self.levels.get(level.max(1).min(self.level_count()).checked_sub(1)?)
    }

    /// The node that stands for `n` on a level, on the last one for numbers beyond it; none if `n` has no edge.
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

    /// Whether a way leads from `a` to `b`, in O(levels).
    pub fn is_connected(&self, a: NodeId, b: NodeId) -> bool {
        let part = self.node_at_level(a, self.level_count());
        a == b || part.is_some() && part == self.node_at_level(b, self.level_count())
    }

    /// The nodes of the graph that a node of a level stands for.
    pub fn ground(&self, level: usize, node: NodeId) -> Vec<NodeId> {
        let level = level.max(1).min(self.level_count());
        let mut nodes = vec![node.raw()];
        for level in self.levels[..level].iter().rev() {
            nodes = nodes.iter().flat_map(|&n| level.children.of(n as usize)).copied().collect();
        }
        nodes.into_iter().map(NodeId::new).collect()
    }

    /// The most expansions that an episode of PR LRTA* needs: a look-ahead over every node fewer than `depth` edges away,
    /// and a search of the ground of one node. Looks around from every node of the level.
    pub fn most_expansions(&self, level: usize, depth: usize) -> u64 {
        self.level(level).map_or(0, |level| u64::from(level.largest()) + level.max_ball_size(depth) as u64)
    }

    /// What [`Graph::fingerprint`](crate::Graph::fingerprint) said of the graph.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// Bytes held.
    pub fn memory_bytes(&self) -> usize {
        4 * self.base.capacity() + self.levels.iter().map(Level::memory_bytes).sum::<usize>()
    }
}

impl Level {
    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The node here that a node of the level below belongs to.
    pub fn parent(&self, below: NodeId) -> NodeId {
        NodeId::new(self.parents[below.index()])
    }

    /// What a node is made of, on the level below.
    pub fn children(&self, n: NodeId) -> impl ExactSizeIterator<Item = NodeId> + '_ {
        self.children.of(n.index()).iter().map(|&child| NodeId::new(child))
    }

    /// The ways out of a node, by the numbers of where they lead.
    #[inline]
    pub fn edges(&self, n: NodeId) -> impl Iterator<Item = Edge> + '_ {
        let neighbors = self.neighbors.of(n.index()).iter();
        neighbors.map(move |&to| {
            let to = NodeId::new(to);
            Edge { to, cost: self.h(n, to).max(Cost::new(1)) }
        })
    }

    /// A consistent estimate: the octile distance of two nodes' places, rounded up.
    #[inline]
    pub fn h(&self, a: NodeId, b: NodeId) -> Cost {
        Cost::new(octile(self.places[a.index()], self.places[b.index()], self.shift))
    }

    /// Where a node lies, in 1/256.
    pub fn position(&self, n: NodeId) -> (i32, i32) {
        self.places[n.index()]
    }

    /// The node of the graph nearest to where a node lies, among those that it stands for.
    #[inline]
    pub fn centre(&self, n: NodeId) -> NodeId {
        self.grounds[n.index()].1
    }

    /// How many nodes of the graph a node stands for.
    pub fn size(&self, n: NodeId) -> u32 {
        self.grounds[n.index()].0
    }

    /// The most nodes of the graph that a node stands for.
    pub fn largest(&self) -> u32 {
        self.grounds.iter().map(|(size, _)| *size).max().unwrap_or(0)
    }

    /// The most nodes that lie fewer than `depth` edges away from one.
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

    /// What an edge costs at most.
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

/// Octile distance with 577/408 for the square root of two, rounded up, which keeps the triangle inequality.
#[inline]
fn octile(a: (i32, i32), b: (i32, i32), shift: u32) -> u32 {
    let (dx, dy) = (u64::from(a.0.abs_diff(b.0)), u64::from(a.1.abs_diff(b.1)));
    let (long, short) = (dx.max(dy), dx.min(dy));
    (408 * (long - short) + 577 * short).div_ceil(408 << shift) as u32
}
