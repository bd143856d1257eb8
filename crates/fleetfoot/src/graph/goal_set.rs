//! Goal sets: reaching any of several goals.

use alloc::vec::Vec;

use super::{Edge, Graph, Limits, ReverseGraph, splitmix64};
use crate::id::{Cost, NodeId};

/// A graph with a virtual goal node. Every goal of a set has an edge to it, all of the same cost, so a shortest
/// path to the virtual goal leads to the nearest goal.
///
/// Plan a path to [`goal`](GoalSet::goal), and stop at the first node for which [`is_goal`](GoalSet::is_goal) is
/// true. The final move to the virtual goal does not exist in the world.
///
/// An edge to the virtual goal costs [`ENTRY`](GoalSet::ENTRY), one unit, since edges must not be free. Every path
/// contains it once, so it does not change which goal is nearest. The graph is not
/// [`Undirected`](super::Undirected), since no edge leaves the virtual goal.
/// not [`Undirected`](super::Undirected), whatever the inner graph is.
///
/// The heuristic towards the virtual goal is the least over the set, so it takes time in the size of the set.
///
/// ```
/// use fleetfoot::{GoalSet, Cost, Graph, Grid, Rules};
/// let grid = Grid::new(5, 1, Rules::default(), |_, _| 1)?;
/// let [a, b, c] = [0, 2, 4].map(|x| grid.node(x, 0).unwrap());
/// let world = GoalSet::new(grid, [a, c]);
/// assert_eq!(world.h(b, world.goal()), world.graph().h(b, c) + GoalSet::<Grid>::ENTRY);
/// assert_eq!(world.cost(a, world.goal()), Cost::new(1));
/// # Ok::<(), fleetfoot::GridError>(())
/// ```
#[derive(Clone, Debug)]
pub struct GoalSet<G> {
    graph: G,
    /// In the order of the predecessors of the virtual goal.
    goals: Vec<NodeId>,
    /// Sorted, for searching.
    sorted: Vec<NodeId>,
    goals_hash: u64,
}

impl<G: Graph> GoalSet<G> {
    /// The cost of the edge from a goal to the virtual goal.
    pub const ENTRY: Cost = Cost::new(1);

    /// Creates a goal set on a graph, or on a reference to one. The goals must be nodes of the graph. The virtual
    /// goal of an empty set is unreachable.
    pub fn new(graph: G, goals: impl IntoIterator<Item = NodeId>) -> Self {
        let bound = graph.bound();
        assert!(bound + 1 < u32::MAX as usize, "no number is left for the virtual goal");
        let mut goals: Vec<NodeId> = goals.into_iter().collect();
        let mut sorted = goals.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert!(sorted.last().is_none_or(|g| g.index() < bound), "every goal must be a node of the graph");
        drop_repeated(&mut goals, &sorted);
        let goals_hash = goals.iter().fold(1, |hash, g| splitmix64(hash ^ u64::from(g.raw()) << 1));
        Self { graph, goals, sorted, goals_hash }
    }

    /// Returns the virtual goal. Plan paths to it.
    #[inline]
    pub fn goal(&self) -> NodeId {
        NodeId::from_index(self.graph.bound())
    }

    /// Returns `true` if `n` is one of the goals.
    #[inline]
    pub fn is_goal(&self, n: NodeId) -> bool {
        self.sorted.binary_search(&n).is_ok()
    }

    /// Returns the goals without duplicates, in the given order.
    pub fn goals(&self) -> &[NodeId] {
        &self.goals
    }

    /// Returns the inner graph.
    pub fn graph(&self) -> &G {
        &self.graph
    }

    /// Returns the inner graph for editing. Its bound must not change.
    pub fn graph_mut(&mut self) -> &mut G {
        &mut self.graph
    }

    /// Returns the inner graph by value.
    pub fn into_graph(self) -> G {
        self.graph
    }
}

/// Removes duplicates and keeps the first of each goal.
fn drop_repeated(goals: &mut Vec<NodeId>, sorted: &[NodeId]) {
    let mut seen = alloc::vec![false; sorted.len()];
    goals.retain(|g| sorted.binary_search(g).is_ok_and(|k| !core::mem::replace(&mut seen[k], true)));
}

/// The edges of the inner graph, followed by the edge to the virtual goal.
struct Ways<I, E> {
    inner: Option<I>,
    entries: E,
}

impl<I: Iterator<Item = Edge>, E: Iterator<Item = Edge>> Iterator for Ways<I, E> {
    type Item = Edge;

    #[inline]
    fn next(&mut self) -> Option<Edge> {
        if let Some(inner) = &mut self.inner
            && let Some(edge) = inner.next()
        {
            return Some(edge);
        }
        self.entries.next()
    }
}

impl<G: Graph> Graph for GoalSet<G> {
    /// The minimum of several heuristics increases f by at most as much as each of them, and the estimate of an
    /// entry edge is exact.
    #[inline]
    fn limits(&self) -> Limits {
        let inner = self.graph.limits();
        let (bound, max_degree) = (inner.bound + 1, inner.max_degree.saturating_add(1));
        let current_bound = if inner.current_bound == inner.bound { bound } else { inner.current_bound };
        let max_edge_cost = inner.max_edge_cost.max(Self::ENTRY);
        Limits { bound, current_bound, extra_node: self.goal(), max_degree, max_edge_cost, ..inner }
    }

    fn is_node(&self, n: NodeId) -> bool {
        n == self.goal() || self.graph.is_node(n)
    }

    #[inline]
    fn succs(&self, n: NodeId) -> impl Iterator<Item = Edge> + '_ {
        let inner = (n != self.goal()).then(|| self.graph.succs(n));
        let entry = self.is_goal(n).then_some(Edge { to: self.goal(), cost: Self::ENTRY });
        Ways { inner, entries: entry.into_iter() }
    }

    #[inline]
    fn pruned_successors(&self, n: NodeId, from: NodeId) -> impl Iterator<Item = Edge> + '_ {
        let inner = (n != self.goal()).then(|| self.graph.pruned_successors(n, from));
        let entry = self.is_goal(n).then_some(Edge { to: self.goal(), cost: Self::ENTRY });
        Ways { inner, entries: entry.into_iter() }
    }

    fn h(&self, a: NodeId, b: NodeId) -> Cost {
        let goal = self.goal();
        match (a == goal, b == goal) {
            (false, false) => self.graph.h(a, b),
            // With an empty set the distance is infinite; the cost of the entry edge is a finite lower bound.
            (false, true) => {
                self.goals.iter().map(|&g| self.graph.h(a, g)).min().unwrap_or(Cost::ZERO) + Self::ENTRY
            }
            // The distance is infinite. The maximum over the goals is consistent and finite.
            (true, false) => self.goals.iter().map(|&g| self.graph.h(g, b)).max().unwrap_or(Cost::ZERO),
            (true, true) => Cost::ZERO,
        }
    }

    fn cost(&self, a: NodeId, b: NodeId) -> Cost {
        match (a == self.goal(), b == self.goal()) {
            (false, false) => self.graph.cost(a, b),
            (false, true) if self.is_goal(a) => Self::ENTRY,
            _ => Cost::INF,
        }
    }

    fn fingerprint(&self) -> u64 {
        splitmix64(self.graph.fingerprint() ^ self.goals_hash)
    }
}

impl<G: ReverseGraph> ReverseGraph for GoalSet<G> {
    #[inline]
    fn preds(&self, n: NodeId) -> impl Iterator<Item = Edge> + '_ {
        let virtual_goal = n == self.goal();
        let inner = (!virtual_goal).then(|| self.graph.preds(n));
        let goals = if virtual_goal { &self.goals[..] } else { &[] };
        Ways { inner, entries: goals.iter().map(|&to| Edge { to, cost: Self::ENTRY }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{Csr, CsrBuilder};
    use crate::grid::{Grid, Rules};
    use crate::heuristic::oracle::{Dice, distances, random_csr};

    fn node(n: u32) -> NodeId {
        NodeId::new(n)
    }

    #[test]
    fn the_distance_to_the_virtual_goal_is_that_to_the_nearest() {
        for seed in 0..100 {
            let mut dice = Dice(seed);
            let csr = random_csr(&mut dice, 12, 30);
            let goals: Vec<NodeId> = (0..dice.below(4)).map(|_| node(dice.below(12))).collect();
            let world = GoalSet::new(&csr, goals.iter().copied());
            let (inner, outer) = (distances(&csr), distances(&world));
            for n in 0..12 {
                let nearest = goals.iter().map(|g| inner[n][g.index()]).min().unwrap_or(Cost::INF);
                assert_eq!(outer[n][12], nearest + GoalSet::<Csr>::ENTRY);
                assert_eq!(outer[n][..12], inner[n], "the virtual goal is no shortcut");
                assert_eq!(world.is_goal(NodeId::from_index(n)), nearest == Cost::ZERO);
            }
            assert!(outer[12][..12].iter().all(|d| !d.is_finite()), "nothing leaves the virtual goal");
        }
    }

    #[test]
    fn both_directions_agree() {
        let mut dice = Dice(3);
        let csr = random_csr(&mut dice, 10, 30);
        let world = GoalSet::new(&csr, [7, 2, 7, 5].map(node));
        assert_eq!(world.goals(), [7, 2, 5].map(node));
        assert_eq!(world.preds(world.goal()).map(|e| e.to.raw()).collect::<Vec<_>>(), [7, 2, 5]);
        assert_eq!(world.succs(world.goal()).count(), 0);
        let all = || (0..world.bound()).map(NodeId::from_index);
        for (a, b) in all().flat_map(|a| all().map(move |b| (a, b))) {
            let there: Vec<Cost> = world.succs(a).filter(|e| e.to == b).map(|e| e.cost).collect();
            let back: Vec<Cost> = world.preds(b).filter(|e| e.to == a).map(|e| e.cost).collect();
            assert_eq!(there, back);
            assert_eq!(world.cost(a, b), there.first().copied().unwrap_or(Cost::INF));
            assert!(world.pruned_successors(a, NodeId::NONE).eq(world.succs(a)));
        }
    }

    #[test]
    fn the_heuristic_stays_consistent() {
        let mut dice = Dice(11);
        for _ in 0..20 {
            let grid = Grid::new(7, 6, Rules::default(), |_, _| u8::from(dice.below(4) > 0)).unwrap();
            let free: Vec<NodeId> =
                (0..grid.bound()).map(NodeId::from_index).filter(|&n| grid.is_free(n)).collect();
            let goals = [(); 3].map(|()| free[dice.below(free.len() as u32) as usize]);
            let world = GoalSet::new(&grid, goals);
            let places = || free.iter().copied().chain([world.goal()]);
            for c in places() {
                assert_eq!(world.h(c, c), Cost::ZERO);
                for a in places() {
                    assert!(world.succs(a).all(|e| world.h(a, c) <= e.cost + world.h(e.to, c)));
                }
            }
            assert!(free.iter().any(|&n| world.h(n, world.goal()) > Cost::ZERO));
        }
    }

    #[test]
    fn pruning_keeps_the_way_into_the_virtual_goal() {
        let grid = Grid::new(3, 3, Rules::default(), |_, _| 1).unwrap();
        let [from, n] = [0, 1].map(|x| grid.node(x, 1).unwrap());
        let world = GoalSet::new(&grid, [n]);
        let kept: Vec<Edge> = world.pruned_successors(n, from).collect();
        assert!(kept.len() < world.succs(n).count());
        assert_eq!(kept.last(), Some(&Edge { to: world.goal(), cost: GoalSet::<Grid>::ENTRY }));
    }

    #[test]
    fn an_empty_set_is_out_of_reach_and_other_sets_are_other_worlds() {
        let csr: Csr = CsrBuilder::new(2).edge(node(0), node(1), Cost::new(3)).build().unwrap();
        let nowhere = GoalSet::new(&csr, []);
        assert_eq!(nowhere.h(node(0), nowhere.goal()), GoalSet::<Csr>::ENTRY);
        assert_eq!(nowhere.preds(nowhere.goal()).count(), 0);
        let prints: Vec<u64> = [&[][..], &[0], &[1], &[0, 1], &[1, 0]]
            .map(|set| GoalSet::new(&csr, set.iter().map(|&n| node(n))).fingerprint())
            .into();
        assert!((0..5).all(|i| (0..i).all(|j| prints[i] != prints[j])));
    }
}
