//! The truth, found as plainly as possible: Dijkstra's algorithm on a sorted set, with no heuristic, no pruning,
//! no budget and no part of the library but [`Graph`] itself.

use std::collections::BTreeSet;

use fleetfoot::{Cost, Edge, Graph, NodeId, ReverseGraph};

/// By node: the cost of the cheapest way from `source`; infinite where there is none.
pub fn distances_from<G: Graph>(graph: &G, source: NodeId) -> Vec<Cost> {
    dijkstra(graph.bound(), source, NodeId::NONE, |n| graph.succs(n))
}

/// By node: the cost of the cheapest way to `target`; infinite where there is none.
pub fn distances_to<G: ReverseGraph>(graph: &G, target: NodeId) -> Vec<Cost> {
    dijkstra(graph.bound(), target, NodeId::NONE, |n| graph.preds(n))
}

/// The cost of the cheapest way from `a` to `b`; infinite if there is none.
pub fn distance<G: Graph>(graph: &G, a: NodeId, b: NodeId) -> Cost {
    dijkstra(graph.bound(), a, b, |n| graph.succs(n))[b.index()]
}

/// The cost of a walk, move by move; infinite if a move of it does not exist.
pub fn cost_of<G: Graph>(graph: &G, walk: &[NodeId]) -> Cost {
    walk.windows(2).map(|pair| edge(graph, pair[0], pair[1])).sum()
}

/// What the move from `a` to `b` costs, read off the ways out of `a`; infinite if it does not exist.
pub fn edge<G: Graph>(graph: &G, a: NodeId, b: NodeId) -> Cost {
    graph.succs(a).filter(|e| e.to == b).map(|e| e.cost).min().unwrap_or(Cost::INF)
}

/// By node: the cost of the cheapest way from `source`; those dearer than that to `last` may be too large.
fn dijkstra<I: Iterator<Item = Edge>>(
    bound: usize,
    source: NodeId,
    last: NodeId,
    ways: impl Fn(NodeId) -> I,
) -> Vec<Cost> {
    let mut distance = vec![Cost::INF; bound];
    distance[source.index()] = Cost::ZERO;
    let mut open = BTreeSet::from([(Cost::ZERO, source)]);
    while let Some((d, n)) = open.pop_first() {
        if n == last {
            break;
        }
        for edge in ways(n) {
            let known = distance[edge.to.index()];
            if d + edge.cost < known {
                open.remove(&(known, edge.to));
                open.insert((d + edge.cost, edge.to));
                distance[edge.to.index()] = d + edge.cost;
            }
        }
    }
    distance
}
