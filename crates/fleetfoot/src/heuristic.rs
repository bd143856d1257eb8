//! Heuristics that are independent of the graph: zero, landmarks, and an adapter that replaces a graph's heuristic.

use alloc::collections::BinaryHeap;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::graph::{Edge, Embedded, Graph, Limits, ReverseGraph, Undirected};
use crate::id::{Cost, NodeId};

/// A heuristic for graphs of type `G`.
pub trait Heuristic<G: Graph> {
    /// Returns a consistent estimate of the cost from `a` to `b`: `h(a, c) ≤ cost(a, b) + h(b, c)`, `h(a, a) = 0`.
    fn h(&self, graph: &G, a: NodeId, b: NodeId) -> Cost;

    /// Returns [`Graph::max_f_increase`] under this heuristic.
    fn max_f_increase(&self, graph: &G) -> Cost {
        let _ = graph;
        Cost::INF
    }
}

impl<G: Graph, H: Heuristic<G> + ?Sized> Heuristic<G> for &H {
    #[inline]
    fn h(&self, graph: &G, a: NodeId, b: NodeId) -> Cost {
        (**self).h(graph, a, b)
    }

    fn max_f_increase(&self, graph: &G) -> Cost {
        (**self).max_f_increase(graph)
    }
}

impl<G: Graph, H: Heuristic<G> + ?Sized> Heuristic<G> for Arc<H> {
    #[inline]
    fn h(&self, graph: &G, a: NodeId, b: NodeId) -> Cost {
        (**self).h(graph, a, b)
    }

    fn max_f_increase(&self, graph: &G) -> Cost {
        (**self).max_f_increase(graph)
    }
}

/// The zero heuristic. It turns A* into Dijkstra's algorithm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Zero;

impl<G: Graph> Heuristic<G> for Zero {
    #[inline]
    fn h(&self, _: &G, _: NodeId, _: NodeId) -> Cost {
        Cost::ZERO
    }

    fn max_f_increase(&self, graph: &G) -> Cost {
        graph.max_edge_cost()
    }
}

/// The differential heuristic (ALT): distances to and from a few landmarks, with the triangle inequality. It is
/// never smaller than the graph's own heuristic.
///
/// It stays consistent while no edge is cheaper than when the distances were computed. Costs may increase and
/// return. Compute it for the cheapest state of the world: with all doors open, for example.
///
/// Estimates are always finite, even if the tables prove that there is no path: a planner that adds estimates would
/// otherwise reach infinity. Unreachable nodes get the largest finite distance, which keeps the heuristic
/// consistent.
///
/// Memory: 4 bytes per node and landmark if all distances are symmetric, otherwise 8.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Landmarks {
    places: Vec<NodeId>,
    /// `true` if all distances are symmetric, so that only one direction is stored.
    symmetric: bool,
    /// For each node, the distances from each landmark, followed by the distances to each unless symmetric.
    distances: Vec<Cost>,
}

impl Landmarks {
    /// Creates landmarks at the given nodes. Runs Dijkstra's algorithm twice per landmark.
    pub fn at_nodes<G: ReverseGraph>(graph: &G, places: impl IntoIterator<Item = NodeId>) -> Self {
        let measured = places.into_iter().map(|place| Measured::new(graph, place)).collect();
        Self::store(graph.bound(), measured)
    }

    /// Creates up to `count` landmarks among the nodes that `seed` reaches. The first is the node farthest from
    /// `seed`; each next one is the node farthest from all landmarks so far. Ties are broken by the lowest number.
    pub fn farthest<G: ReverseGraph>(graph: &G, seed: NodeId, count: usize) -> Self {
        let mut apart = dijkstra(graph.bound(), seed, |n| graph.succs(n));
        let reached: Vec<usize> = (0..apart.len()).filter(|&n| apart[n].is_finite()).collect();
        let mut measured: Vec<Measured> = Vec::new();
        while measured.len() < count {
            let farthest = reached.iter().max_by_key(|&&n| (apart[n], Reverse(n)));
            let Some(&place) = farthest.filter(|&&n| apart[n] > Cost::ZERO) else { break };
            let new = Measured::new(graph, NodeId::from_index(place));
            if measured.is_empty() {
                apart.fill(Cost::INF); // from here on landmarks count, no longer the seed
            }
            for &n in &reached {
                apart[n] = apart[n].min(new.from[n]).min(new.to[n]);
            }
            measured.push(new);
        }
        Self::store(graph.bound(), measured)
    }

    fn store(bound: usize, mut measured: Vec<Measured>) -> Self {
        let symmetric = measured.iter().all(|m| m.from == m.to);
        measured.iter_mut().for_each(Measured::cap);
        let (from, to) = (measured.iter().map(|m| &m.from), measured.iter().map(|m| &m.to));
        let columns: Vec<_> = from.chain(to.take(if symmetric { 0 } else { usize::MAX })).collect();
        let distances = (0..bound).flat_map(|n| columns.iter().map(move |column| column[n])).collect();
        Self { places: measured.iter().map(|m| m.place).collect(), symmetric, distances }
    }

    /// Returns the landmark nodes.
    pub fn places(&self) -> &[NodeId] {
        &self.places
    }

    /// Returns the estimate of the landmarks alone.
    #[inline]
    pub fn estimate(&self, a: NodeId, b: NodeId) -> Cost {
        let k = self.places.len();
        let width = if self.symmetric { k } else { 2 * k };
        let row = |n: NodeId| &self.distances[n.index() * width..][..width];
        let ((from_a, to_a), (from_b, to_b)) = (row(a).split_at(k), row(b).split_at(k));
        if self.symmetric {
            widest(from_a, from_b, u32::abs_diff)
        } else {
            widest(from_b, from_a, u32::saturating_sub).max(widest(to_a, to_b, u32::saturating_sub))
        }
    }
}

#[inline]
fn widest(a: &[Cost], b: &[Cost], gap: impl Fn(u32, u32) -> u32) -> Cost {
    Cost::new(a.iter().zip(b).fold(0, |most, (a, b)| most.max(gap(a.raw(), b.raw()))))
}

impl<G: Graph> Heuristic<G> for Landmarks {
    #[inline]
    fn h(&self, graph: &G, a: NodeId, b: NodeId) -> Cost {
        self.estimate(a, b).max(graph.h(a, b))
    }

    /// If distances are symmetric, an edge changes each of them by at most its cost.
    fn max_f_increase(&self, graph: &G) -> Cost {
        if self.symmetric {
            graph.max_f_increase().max(graph.max_edge_cost() + graph.max_edge_cost())
        } else {
            Cost::INF
        }
    }
}

/// The distances of a landmark. Infinite if there is no path.
struct Measured {
    place: NodeId,
    from: Vec<Cost>,
    to: Vec<Cost>,
}

impl Measured {
    fn new<G: ReverseGraph>(graph: &G, place: NodeId) -> Self {
        let from = dijkstra(graph.bound(), place, |n| graph.succs(n));
        let to = dijkstra(graph.bound(), place, |n| graph.preds(n));
        Self { place, from, to }
    }

    /// Replaces infinite distances by the largest finite one. No edge leads from reachable to unreachable nodes, so
    /// no edge then increases the distance by more than its cost. The same holds in reverse.
    fn cap(&mut self) {
        for distances in [&mut self.from, &mut self.to] {
            let most = distances.iter().copied().filter(|d| d.is_finite()).max().unwrap_or(Cost::ZERO);
            for d in distances.iter_mut() {
                *d = most.min(*d);
            }
        }
    }
}

/// Returns the distances from `source`, using the edges that `ways` returns.
fn dijkstra<I: Iterator<Item = Edge>>(bound: usize, source: NodeId, ways: impl Fn(NodeId) -> I) -> Vec<Cost> {
    let mut distances = vec![Cost::INF; bound];
    distances[source.index()] = Cost::ZERO;
    let mut open = BinaryHeap::from([Reverse((Cost::ZERO, source))]);
    while let Some(Reverse((d, n))) = open.pop() {
        if d > distances[n.index()] {
            continue;
        }
        for Edge { to, cost } in ways(n) {
            if d + cost < distances[to.index()] {
                distances[to.index()] = d + cost;
                open.push(Reverse((d + cost, to)));
            }
        }
    }
    distances
}

/// Replaces the heuristic of a graph.
///
/// ```
/// use fleetfoot::{Cost, CsrBuilder, Graph, WithHeuristic, Landmarks, NodeId};
/// let [a, b, c] = [0, 1, 2].map(NodeId::new);
/// let roads = CsrBuilder::new(3).edge(a, b, Cost::new(5)).edge(b, c, Cost::new(2)).build()?;
/// let landmarks = Landmarks::farthest(&roads, a, 1);
/// let guided = WithHeuristic::new(roads, landmarks);
/// assert_eq!(guided.h(a, c), Cost::new(7));
/// # Ok::<(), fleetfoot::CsrError>(())
/// ```
#[derive(Clone, Debug)]
pub struct WithHeuristic<G, H> {
    graph: G,
    heuristic: H,
}

impl<G: Graph, H: Heuristic<G>> WithHeuristic<G, H> {
    /// Combines a graph (or a reference) with a heuristic (or `&heuristic`, or an `Arc`).
    pub fn new(graph: G, heuristic: H) -> Self {
        Self { graph, heuristic }
    }

    /// Returns the graph.
    pub fn graph(&self) -> &G {
        &self.graph
    }

    /// Returns the graph for editing. The heuristic must stay consistent.
    pub fn graph_mut(&mut self) -> &mut G {
        &mut self.graph
    }

    /// Returns the heuristic.
    pub fn heuristic(&self) -> &H {
        &self.heuristic
    }

    /// Returns the graph and the heuristic by value.
    pub fn into_parts(self) -> (G, H) {
        (self.graph, self.heuristic)
    }
}

impl<G: Graph, H: Heuristic<G>> Graph for WithHeuristic<G, H> {
    #[inline]
    fn limits(&self) -> Limits {
        self.graph.limits().with_max_f_increase(self.heuristic.max_f_increase(&self.graph))
    }

    fn is_node(&self, n: NodeId) -> bool {
        self.graph.is_node(n)
    }

    #[inline]
    fn succs(&self, n: NodeId) -> impl Iterator<Item = Edge> + '_ {
        self.graph.succs(n)
    }

    #[inline]
    fn pruned_successors(&self, n: NodeId, from: NodeId) -> impl Iterator<Item = Edge> + '_ {
        self.graph.pruned_successors(n, from)
    }

    #[inline]
    fn h(&self, a: NodeId, b: NodeId) -> Cost {
        self.heuristic.h(&self.graph, a, b)
    }

    fn cost(&self, a: NodeId, b: NodeId) -> Cost {
        self.graph.cost(a, b)
    }

    fn fingerprint(&self) -> u64 {
        self.graph.fingerprint()
    }
}

impl<G: ReverseGraph, H: Heuristic<G>> ReverseGraph for WithHeuristic<G, H> {
    #[inline]
    fn preds(&self, n: NodeId) -> impl Iterator<Item = Edge> + '_ {
        self.graph.preds(n)
    }

    fn is_symmetric(&self) -> bool {
        self.graph.is_symmetric()
    }
}

impl<G: Undirected, H: Heuristic<G>> Undirected for WithHeuristic<G, H> {}

impl<G: Embedded, H: Heuristic<G>> Embedded for WithHeuristic<G, H> {
    fn position(&self, n: NodeId) -> (i32, i32) {
        self.graph.position(n)
    }
}

/// Random graphs and reference distances for the tests of this crate.
#[cfg(test)]
pub(crate) mod oracle {
    use super::{Cost, Graph, NodeId, Vec, vec};
    use crate::graph::{Csr, CsrBuilder, splitmix64};

    /// `SplitMix64`.
    pub(crate) struct Dice(pub(crate) u64);

    impl Dice {
        pub(crate) fn next(&mut self) -> u64 {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            splitmix64(self.0)
        }

        pub(crate) fn below(&mut self, n: u32) -> u32 {
            (self.next() % u64::from(n)) as u32
        }
    }

    pub(crate) fn random_csr(dice: &mut Dice, nodes: u32, edges: u32) -> Csr {
        let mut builder = CsrBuilder::new(nodes as usize);
        for _ in 0..edges {
            let [a, b] = [(); 2].map(|()| NodeId::new(dice.below(nodes)));
            builder.edge(a, b, Cost::new(1 + dice.below(20)));
        }
        builder.build().unwrap()
    }

    /// Returns all distances by the Floyd–Warshall algorithm.
    pub(crate) fn distances(graph: &impl Graph) -> Vec<Vec<Cost>> {
        let n = graph.bound();
        let mut d = vec![vec![Cost::INF; n]; n];
        for (a, row) in d.iter_mut().enumerate() {
            for e in graph.succs(NodeId::from_index(a)) {
                row[e.to.index()] = e.cost.min(row[e.to.index()]);
            }
            row[a] = Cost::ZERO;
        }
        for k in 0..n {
            for a in 0..n {
                for b in 0..n {
                    d[a][b] = d[a][b].min(d[a][k] + d[k][b]);
                }
            }
        }
        d
    }
}

#[cfg(test)]
mod tests {
    use super::oracle::{Dice, distances, random_csr};
    use super::*;
    use crate::graph::{ChangeLog, Csr, CsrBuilder};
    use crate::grid::{Grid, Rules};

    fn nodes<G: Graph>(graph: &G) -> impl Iterator<Item = NodeId> + use<G> {
        (0..graph.bound()).map(NodeId::from_index)
    }

    fn assert_consistent(graph: &impl Graph) {
        for c in nodes(graph) {
            assert_eq!(graph.h(c, c), Cost::ZERO);
            for a in nodes(graph) {
                assert!(graph.h(a, c).is_finite());
                assert!(graph.succs(a).all(|e| graph.h(a, c) <= e.cost + graph.h(e.to, c)));
            }
        }
    }

    #[test]
    fn dijkstra_agrees_with_floyd_and_warshall() {
        for seed in 0..200 {
            let graph = random_csr(&mut Dice(seed), 14, 30);
            let truth = distances(&graph);
            for s in nodes(&graph) {
                assert_eq!(dijkstra(14, s, |n| graph.succs(n)), truth[s.index()]);
                let to = dijkstra(14, s, |n| graph.preds(n));
                assert!(to.iter().zip(&truth).all(|(d, row)| *d == row[s.index()]));
            }
        }
    }

    #[test]
    fn landmarks_are_consistent_on_directed_graphs() {
        let mut told = 0;
        for seed in 0..300 {
            let mut dice = Dice(seed);
            let edges = 10 + dice.below(40); // from many parts to one
            let graph = random_csr(&mut dice, 14, edges);
            let landmarks = Landmarks::farthest(&graph, NodeId::new(dice.below(14)), 3);
            let guided = WithHeuristic::new(&graph, &landmarks);
            assert_consistent(&guided);
            let truth = distances(&graph);
            for (a, b) in nodes(&graph).flat_map(|a| nodes(&graph).map(move |b| (a, b))) {
                assert!(guided.h(a, b) <= truth[a.index()][b.index()]);
                told += u32::from(guided.h(a, b) > Cost::ZERO);
            }
        }
        assert!(told > 10_000, "the landmarks improve the bound: {told}");
    }

    #[test]
    fn a_landmark_knows_every_way_to_and_from_itself() {
        for seed in 0..100 {
            let graph = random_csr(&mut Dice(seed), 14, 40);
            let truth = distances(&graph);
            let landmarks = Landmarks::at_nodes(&graph, [3, 8].map(NodeId::new));
            for &l in landmarks.places() {
                for n in nodes(&graph) {
                    let (to, from) = (truth[n.index()][l.index()], truth[l.index()][n.index()]);
                    assert!(!to.is_finite() || landmarks.estimate(n, l) == to);
                    assert!(!from.is_finite() || landmarks.estimate(l, n) == from);
                }
            }
        }
    }

    #[test]
    fn rising_costs_leave_landmarks_consistent() {
        for seed in 0..100 {
            let mut dice = Dice(seed);
            let mut graph = random_csr(&mut dice, 12, 40);
            let landmarks = Landmarks::farthest(&graph, NodeId::new(0), 3);
            let mut log = ChangeLog::new();
            for n in (0..12).map(NodeId::new) {
                let max_edge_cost = graph.max_edge_cost();
                let ways: Vec<Edge> = graph.succs(n).collect();
                for e in ways {
                    let new = match dice.below(6) {
                        0 => Cost::INF,
                        1 => (e.cost + Cost::new(3)).min(max_edge_cost),
                        _ => continue,
                    };
                    graph.set_cost(n, e.to, new, &mut log).unwrap();
                }
            }
            assert_consistent(&WithHeuristic::new(&graph, &landmarks));
        }
    }

    #[test]
    fn on_a_grid_landmarks_are_symmetric_and_never_below_the_grids_own() {
        let mut dice = Dice(5);
        let mut gained = 0;
        for _ in 0..10 {
            let grid = Grid::new(12, 12, Rules::default(), |_, _| u8::from(dice.below(3) > 0)).unwrap();
            let free: Vec<NodeId> = nodes(&grid).filter(|&n| grid.is_free(n)).collect();
            let landmarks = Landmarks::farthest(&grid, free[free.len() / 2], 4);
            assert!(landmarks.symmetric || landmarks.places().is_empty());
            assert!(landmarks.places().iter().all(|&n| grid.is_free(n)));
            let guided = WithHeuristic::new(&grid, landmarks);
            for (&a, &b) in free.iter().flat_map(|a| free.iter().map(move |b| (a, b))) {
                assert!(guided.h(a, b) >= grid.h(a, b));
                assert!(guided.succs(a).all(|e| guided.h(a, b) <= e.cost + guided.h(e.to, b)));
                gained += u32::from(guided.h(a, b) > grid.h(a, b));
            }
        }
        assert!(gained > 1000, "{gained}");
    }

    fn line(n: u32) -> Csr {
        let mut builder = CsrBuilder::new(n as usize + 1); // and a node apart
        for k in 1..n {
            builder.undirected_edge(NodeId::new(k - 1), NodeId::new(k), Cost::new(2));
        }
        builder.build().unwrap()
    }

    #[test]
    fn landmarks_spread_farthest_first_within_reach() {
        let graph = line(9);
        let places = |count| Landmarks::farthest(&graph, NodeId::new(3), count).places().to_vec();
        assert_eq!(places(3), [8, 0, 4].map(NodeId::new));
        assert_eq!(Landmarks::farthest(&graph, NodeId::new(4), 1).places(), [NodeId::new(0)], "as far as 8");
        assert_eq!(places(50).len(), 9, "every node that can be reached, and none twice");
        assert_eq!(Landmarks::farthest(&graph, NodeId::new(9), 3).places(), []);
        assert_eq!(Landmarks::at_nodes(&graph, []).estimate(NodeId::new(0), NodeId::new(9)), Cost::ZERO);
    }

    #[test]
    fn a_guided_graph_is_the_same_graph() {
        let grid = Grid::new(4, 4, Rules::default(), |x, _| u8::from(x != 2)).unwrap();
        let guided = WithHeuristic::new(&grid, Arc::new(Zero));
        let (a, b) = (grid.node(0, 0).unwrap(), grid.node(1, 1).unwrap());
        assert_eq!(guided.h(a, b), Cost::ZERO);
        assert_eq!(guided.fingerprint(), grid.fingerprint());
        assert_eq!((guided.bound(), guided.max_edge_cost()), (grid.bound(), grid.max_edge_cost()));
        assert_eq!(guided.cost(a, b), grid.cost(a, b));
        assert_eq!(guided.position(b), (1, 1));
        assert!(guided.pruned_successors(b, a).eq(grid.pruned_successors(b, a)));
        assert!(grid.pruned_successors(b, a).count() < guided.preds(b).count());
    }
}
