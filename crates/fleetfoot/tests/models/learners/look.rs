//! The searches of the model: best-first on a list, costs by relaxing every edge until nothing changes.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use fleetfoot::{Cost, Edge, Graph, NodeId};

/// A generated node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    pub(crate) g: Cost,
    pub(crate) parent: NodeId,
    pub(crate) f: Cost,
    pub(crate) put: usize,
}

/// A finished search.
#[derive(Default)]
pub(crate) struct Look {
    pub(crate) known: BTreeMap<NodeId, Known>,
    pub(crate) open: BTreeSet<NodeId>,
    pub(crate) closed: Vec<NodeId>,
}

impl Look {
    /// Returns the next node.
    pub(crate) fn top(&self) -> Option<NodeId> {
        self.open.iter().copied().min_by_key(|n| {
            let known = self.known[n];
            (known.f, Reverse(known.g), known.put)
        })
    }

    /// Runs a best-first search with path-max; nodes reached at a lower cost are opened again.
    pub(crate) fn run<I: Iterator<Item = Edge>>(
        root: NodeId,
        succs: impl Fn(NodeId) -> I,
        h: impl Fn(NodeId) -> Cost,
        stop: impl Fn(NodeId, Cost) -> bool,
        most: u64,
    ) -> Self {
        let mut look = Self::default();
        let mut puts = 0;
        look.known.insert(root, Known { g: Cost::ZERO, parent: NodeId::NONE, f: h(root), put: puts });
        look.open.insert(root);
        while let Some(n) = look.top() {
            let known = look.known[&n];
            if stop(n, known.g) || look.closed.len() as u64 >= most {
                break;
            }
            look.open.remove(&n);
            look.closed.push(n);
            for edge in succs(n) {
                let g = known.g + edge.cost;
                if look.known.get(&edge.to).is_none_or(|old| g < old.g) {
                    puts += 1;
                    let f = (g + h(edge.to)).max(known.f);
                    look.known.insert(edge.to, Known { g, parent: n, f, put: puts });
                    look.open.insert(edge.to);
                }
            }
        }
        look
    }
}

/// The result of a look-ahead by depth or cost, with costs over the interior alone.
pub(crate) struct Ball {
    pub(crate) look: Look,
    pub(crate) g: BTreeMap<NodeId, Cost>,
    pub(crate) frontier: BTreeSet<NodeId>,
}

impl Ball {
    /// Returns all nodes below a limit, without the goal, and their successors.
    pub(crate) fn around(
        graph: &impl Graph,
        (root, goal): (NodeId, NodeId),
        (by_cost, limit): (bool, u64),
        most: u64,
    ) -> Self {
        let length = |edge: Edge| if by_cost { edge } else { Edge { cost: Cost::new(1), ..edge } };
        let succs = |n| graph.succs(n).filter(|edge| edge.to != goal).map(length).collect::<Vec<_>>();
        let is_interior = |g: Cost| {
            let g = u64::from(g.raw());
            let max_edge_cost = u64::from(graph.max_edge_cost().raw());
            if by_cost { g == 0 || g + max_edge_cost <= limit * max_edge_cost } else { g < limit }
        };
        let look = Look::run(root, |n| succs(n).into_iter(), |_| Cost::ZERO, |_, g| !is_interior(g), most);
        let mut g = BTreeMap::from([(root, Cost::ZERO)]);
        while {
            let mut changed = false;
            for &n in &look.closed {
                let Some(&so_far) = g.get(&n) else { continue };
                for edge in graph.succs(n) {
                    let new = so_far + edge.cost;
                    if g.get(&edge.to).is_none_or(|&old| new < old) {
                        g.insert(edge.to, new);
                        changed = true;
                    }
                }
            }
            changed
        } {}
        let mut frontier = look.open.clone();
        frontier.extend(g.contains_key(&goal).then_some(goal));
        Self { look, g, frontier }
    }
}

/// Returns a path as edges, with the costs of the search.
pub(crate) fn route_along(way: &[NodeId], g: &BTreeMap<NodeId, Cost>) -> Vec<Edge> {
    let cost = |from: &NodeId, to: &NodeId| match (g.get(from), g.get(to)) {
        (Some(from), Some(to)) => to.saturating_sub(*from),
        _ => Cost::INF,
    };
    way.windows(2).map(|pair| Edge { to: pair[1], cost: cost(&pair[0], &pair[1]) }).collect()
}

/// Returns the interior nodes from which a cheapest path leads to `n`.
pub(crate) fn tight_parents(graph: &impl Graph, ball: &Ball, n: NodeId) -> BTreeSet<NodeId> {
    let leads = |p: &NodeId| {
        graph.succs(*p).any(|edge| edge.to == n && ball.g.get(&n) == Some(&(ball.g[p] + edge.cost)))
    };
    ball.look.closed.iter().copied().filter(leads).collect()
}

/// The value backup of LSS-LRTA*: for each closed node the minimum cost, over closed nodes, to an open one plus its
/// h. Computed by relaxing all edges until nothing changes.
pub(crate) fn brute_force(
    graph: &impl Graph,
    look: &Look,
    h: impl Fn(NodeId) -> Cost,
) -> BTreeMap<NodeId, Cost> {
    let mut values: BTreeMap<NodeId, Cost> = look.closed.iter().map(|&x| (x, Cost::INF)).collect();
    while {
        let mut changed = false;
        for &x in &look.closed {
            let leads = graph.succs(x).map(|edge| {
                let beyond = if look.open.contains(&edge.to) {
                    h(edge.to)
                } else {
                    values.get(&edge.to).copied().unwrap_or(Cost::INF)
                };
                edge.cost + beyond
            });
            let least = leads.min().unwrap_or(Cost::INF);
            if least < values[&x] {
                values.insert(x, least);
                changed = true;
            }
        }
        changed
    } {}
    values
}
