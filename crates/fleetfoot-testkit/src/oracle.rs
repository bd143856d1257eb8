//! Reference distances: Dijkstra's algorithm on a sorted set, without heuristic, pruning or budget. It uses nothing
//! of the library but [`Graph`].

use std::collections::BTreeSet;

use fleetfoot::{Cost, Edge, Graph, NodeId, ReverseGraph};

/// Returns for each node the cost of the cheapest path from `source`. Infinite if there is none.
pub fn distances_from<G: Graph>(graph: &G, source: NodeId) -> Vec<Cost> {
    dijkstra(graph.bound(), source, NodeId::NONE, |n| graph.succs(n))
}

/// Returns for each node the cost of the cheapest path to `target`. Infinite if there is none.
pub fn distances_to<G: ReverseGraph>(graph: &G, target: NodeId) -> Vec<Cost> {
    dijkstra(graph.bound(), target, NodeId::NONE, |n| graph.preds(n))
}

/// Returns the cost of the cheapest path from `a` to `b`. Infinite if there is none.
pub fn distance<G: Graph>(graph: &G, a: NodeId, b: NodeId) -> Cost {
    dijkstra(graph.bound(), a, b, |n| graph.succs(n))[b.index()]
}

/// Returns the cost of a walk, move by move. Infinite if one of its moves does not exist.
pub fn cost_of<G: Graph>(graph: &G, walk: &[NodeId]) -> Cost {
    walk.windows(2).map(|pair| edge(graph, pair[0], pair[1])).sum()
}

/// Returns the cost of the move from `a` to `b` among the edges out of `a`. Infinite if it does not exist.
pub fn edge<G: Graph>(graph: &G, a: NodeId, b: NodeId) -> Cost {
    graph.succs(a).filter(|e| e.to == b).map(|e| e.cost).min().unwrap_or(Cost::INF)
}

/// Returns for each node the cost of the cheapest path from `source`. Costs larger than that of `last` may be too
/// large.
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
