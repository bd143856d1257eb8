//! RIBS as specified, line by line: parents, sets of optimal parents, and dead and redundant nodes are stored
//! explicitly.

use std::collections::{BTreeMap, BTreeSet};

use fleetfoot::{Cost, Graph, NodeId};

/// The whole state of the algorithm.
pub(crate) struct Model {
    start: NodeId,
    goal: NodeId,
    pruning: bool,
    /// Minimum increase of the limit.
    step: Cost,
    pub(crate) g: BTreeMap<NodeId, Cost>,
    parent: BTreeMap<NodeId, NodeId>,
    mark: BTreeMap<NodeId, Cost>,
    opt_parents: BTreeMap<NodeId, BTreeSet<NodeId>>,
    pub(crate) dead: BTreeSet<NodeId>,
    pub(crate) redundant: BTreeSet<NodeId>,
    pub(crate) limit: Cost,
    next: Cost,
    /// Number of nodes that were expanded before a better path to them was found.
    pub(crate) revived: usize,
}

/// The result of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    AtGoal,
    Move(NodeId),
    Unsolvable,
}

struct Candidate {
    n: NodeId,
    g: Cost,
    f: Cost,
}

/// Returns the best candidate by (f, -g, order).
fn best<'a>(all: impl Iterator<Item = &'a Candidate>) -> Option<NodeId> {
    let mut best: Option<&Candidate> = None;
    for c in all {
        if best.is_none_or(|b| c.f < b.f || c.f == b.f && c.g > b.g) {
            best = Some(c);
        }
    }
    best.map(|c| c.n)
}

impl Model {
    pub(crate) fn new<G: Graph>(
        graph: &G,
        (start, goal): (NodeId, NodeId),
        pruning: bool,
        step: Cost,
    ) -> Self {
        let limit = graph.h(start, goal);
        Self {
            start,
            goal,
            pruning,
            step,
            g: BTreeMap::from([(start, Cost::ZERO)]),
            parent: BTreeMap::new(),
            mark: BTreeMap::from([(start, limit)]),
            opt_parents: BTreeMap::new(),
            dead: BTreeSet::new(),
            redundant: BTreeSet::new(),
            limit,
            next: Cost::INF,
            revived: 0,
        }
    }

    fn is_pruned(&self, n: NodeId) -> bool {
        self.dead.contains(&n) || self.redundant.contains(&n)
    }

    pub(crate) fn step<G: Graph>(&mut self, graph: &G, s: NodeId, expanded: &BTreeSet<NodeId>) -> Answer {
        if s == self.goal {
            return Answer::AtGoal;
        }
        let (mut alive, mut required) = (false, false);
        let mut open = Vec::new();
        for edge in graph.succs(s) {
            let n = edge.to;
            let q = self.g[&s] + edge.cost;
            let known = self.g.get(&n).copied();
            if known.is_none_or(|g| q < g) {
                self.revived += usize::from(expanded.contains(&n));
                self.g.insert(n, q);
                self.parent.insert(n, s);
                self.opt_parents.insert(n, BTreeSet::from([s]));
                self.mark.remove(&n);
                self.dead.remove(&n);
                self.redundant.remove(&n);
                (alive, required) = (true, true);
            } else if self.is_pruned(n) || known.is_some_and(|g| q > g) {
                continue;
            } else {
                alive = true;
                let parents = self.opt_parents.get_mut(&n).expect("met before");
                parents.insert(s);
                required |= *parents == BTreeSet::from([s]);
                if self.mark.get(&n) == Some(&self.limit) {
                    continue;
                }
            }
            let f = q + graph.h(n, self.goal);
            if f <= self.limit {
                open.push(Candidate { n, g: q, f });
            } else {
                self.next = self.next.min(f);
            }
        }
        if s != self.start && self.pruning {
            if !alive {
                self.dead.insert(s);
            }
            if !required {
                self.redundant.insert(s);
                self.drop_parent(graph, s);
                return Answer::Move(self.parent[&s]);
            }
        }
        if let Some(n) = best(open.iter()) {
            return self.go_to(n, s);
        }
        if s != self.start {
            return Answer::Move(self.parent[&s]);
        }
        self.deepen(graph)
    }

    fn drop_parent<G: Graph>(&mut self, graph: &G, s: NodeId) {
        for edge in graph.succs(s) {
            if let Some(parents) = self.opt_parents.get_mut(&edge.to)
                && parents.contains(&s)
                && parents.len() > 1
            {
                parents.remove(&s);
                if self.parent[&edge.to] == s {
                    self.parent.insert(edge.to, *parents.first().expect("one is left"));
                }
            }
        }
    }

    fn deepen<G: Graph>(&mut self, graph: &G) -> Answer {
        let cand: Vec<Candidate> = graph
            .succs(self.start)
            .filter(|e| self.g[&e.to] == e.cost && !self.is_pruned(e.to))
            .map(|e| Candidate { n: e.to, g: e.cost, f: e.cost + graph.h(e.to, self.goal) })
            .collect();
        while self.next != Cost::INF {
            self.limit = self.next.max(self.limit + self.step);
            self.next = cand.iter().map(|c| c.f).filter(|f| *f > self.limit).min().unwrap_or(Cost::INF);
            self.mark.insert(self.start, self.limit);
            if let Some(n) = best(cand.iter().filter(|c| c.f <= self.limit)) {
                return self.go_to(n, self.start);
            }
        }
        Answer::Unsolvable
    }

    fn go_to(&mut self, n: NodeId, from: NodeId) -> Answer {
        self.mark.insert(n, self.limit);
        self.parent.insert(n, from);
        Answer::Move(n)
    }
}
