//! The look-ahead of PR LRTA* and D LRTA* as a simple model: the whole interior by Dijkstra's algorithm, then every
//! frontier node by its whole path.

use std::collections::BTreeMap;

use fleetfoot::{Edge, NodeId};

/// A look-ahead on anything with edges and estimates.
pub(crate) struct Look<'a, E, H> {
    pub(crate) depth: u32,
    /// In millionths.
    pub(crate) gamma: u32,
    pub(crate) edges: E,
    /// The estimate of nodes without learned value.
    pub(crate) h: H,
    pub(crate) learned: &'a mut BTreeMap<NodeId, u64>,
}

#[derive(Clone)]
struct Reached {
    g: u64,
    /// The path, without the root.
    way: Vec<NodeId>,
}

impl<E: Fn(NodeId) -> Vec<Edge>, H: Fn(NodeId, NodeId) -> u64> Look<'_, E, H> {
    fn value(&self, n: NodeId, g: u64, goal: NodeId) -> u64 {
        let h = self.learned.get(&n).copied().unwrap_or_else(|| (self.h)(n, goal));
        (g * u64::from(self.gamma)).div_ceil(1_000_000) + h
    }

    /// Returns the frontier, ordered by g and then by discovery.
    fn frontier(&self, root: NodeId, goal: NodeId) -> Vec<Reached> {
        let mut open = vec![(root, Reached { g: 0, way: Vec::new() })];
        let (mut closed, mut frontier) = (Vec::new(), Vec::new());
        while !open.is_empty() {
            let least = open.iter().map(|(_, reached)| reached.g).min().expect("not empty");
            let k = open.iter().position(|(_, reached)| reached.g == least).expect("there");
            let (n, reached) = open.remove(k);
            closed.push(n);
            if n == goal || reached.way.len() >= self.depth as usize {
                frontier.push(reached);
                continue;
            }
            for edge in (self.edges)(n).into_iter().filter(|edge| !closed.contains(&edge.to)) {
                let mut next = reached.clone();
                next.g += u64::from(edge.cost.raw());
                next.way.push(edge.to);
                match open.iter().position(|(to, _)| *to == edge.to) {
                    Some(k) if open[k].1.g <= next.g => {}
                    Some(k) => {
                        // As in a heap: improved nodes come after equal ones that were inserted before.
                        open.remove(k);
                        open.push((edge.to, next));
                    }
                    None => open.push((edge.to, next)),
                }
            }
        }
        frontier
    }

    /// Looks ahead from `root`, learns, and returns the next node.
    pub(crate) fn next(&mut self, root: NodeId, goal: NodeId) -> NodeId {
        let peak = |way: &[NodeId]| {
            let (mut g, mut before, mut most) = (0, root, 0);
            for &n in way {
                let edges = (self.edges)(before);
                g += u64::from(edges.iter().find(|edge| edge.to == n).expect("an edge").cost.raw());
                most = most.max(self.value(n, g, goal));
                before = n;
            }
            most
        };
        let mut best: Option<(u64, Reached)> = None;
        for reached in self.frontier(root, goal) {
            let new = peak(&reached.way);
            let is_better = best.as_ref().is_none_or(|(old, other)| {
                new < *old || new == *old && (reached.g > other.g || reached.way.last() == Some(&goal))
            });
            if is_better {
                best = Some((new, reached));
            }
        }
        let (value, reached) = best.expect("a frontier");
        let old = self.value(root, 0, goal);
        self.learned.insert(root, old.max(value));
        reached.way[0]
    }
}
