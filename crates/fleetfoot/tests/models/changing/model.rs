//! D* Lite from its pseudocode (Koenig & Likhachev 2002, Figure 4, the optimized version): a sorted set as queue,
//! the equality test instead of a stored successor, every value by its definition, no budget.

use std::collections::BTreeSet;

use fleetfoot::{Cost, NodeId, ReverseGraph};

type Key = (u64, Cost);

pub(crate) struct Model {
    pub(crate) g: Vec<Cost>,
    pub(crate) rhs: Vec<Cost>,
    queue: BTreeSet<(Key, NodeId)>,
    stands: Vec<Option<Key>>,
    goal: NodeId,
    start: NodeId,
    last: NodeId,
    km: u64,
    pub(crate) expanded: u64,
}

impl Model {
    pub(crate) fn new<G: ReverseGraph>(graph: &G, start: NodeId, goal: NodeId) -> Self {
        let blank = vec![Cost::INF; graph.bound()];
        let mut model = Self {
            g: blank.clone(),
            rhs: blank,
            queue: BTreeSet::new(),
            stands: vec![None; graph.bound()],
            goal,
            start,
            last: start,
            km: 0,
            expanded: 0,
        };
        model.rhs[goal.index()] = Cost::ZERO;
        model.update(graph, goal);
        model
    }

    fn key<G: ReverseGraph>(&self, graph: &G, s: NodeId) -> Key {
        let least = self.g[s.index()].min(self.rhs[s.index()]);
        if least.is_finite() {
            (u64::from(least.raw()) + u64::from(graph.h(self.start, s).raw()) + self.km, least)
        } else {
            (u64::MAX, Cost::INF)
        }
    }

    fn update<G: ReverseGraph>(&mut self, graph: &G, u: NodeId) {
        if let Some(key) = self.stands[u.index()].take() {
            self.queue.remove(&(key, u));
        }
        if self.g[u.index()] != self.rhs[u.index()] {
            let key = self.key(graph, u);
            self.queue.insert((key, u));
            self.stands[u.index()] = Some(key);
        }
    }

    fn by_definition<G: ReverseGraph>(&self, graph: &G, s: NodeId) -> Cost {
        graph.succs(s).map(|edge| edge.cost + self.g[edge.to.index()]).min().unwrap_or(Cost::INF)
    }

    /// Repairs the search for an agent at `start` after the outgoing edges of these nodes have changed.
    pub(crate) fn repair<G: ReverseGraph>(&mut self, graph: &G, start: NodeId, changed: &BTreeSet<NodeId>) {
        self.km += u64::from(graph.h(self.last, start).raw());
        (self.start, self.last) = (start, start);
        let goal = self.goal;
        for &u in changed.iter().filter(|&&u| u != goal) {
            self.rhs[u.index()] = self.by_definition(graph, u);
            self.update(graph, u);
        }
        while let Some(&(old, u)) = self.queue.first() {
            let here = start.index();
            if old >= self.key(graph, start) && self.rhs[here] <= self.g[here] {
                break;
            }
            let new = self.key(graph, u);
            if old < new {
                self.update(graph, u);
                continue;
            }
            self.expanded += 1;
            let before = self.g[u.index()];
            let is_falling = before > self.rhs[u.index()];
            self.g[u.index()] = if is_falling { self.rhs[u.index()] } else { Cost::INF };
            self.update(graph, u);
            for edge in graph.preds(u).filter(|edge| edge.to != goal) {
                let s = edge.to.index();
                if is_falling {
                    self.rhs[s] = self.rhs[s].min(edge.cost + self.g[u.index()]);
                } else if self.rhs[s] == edge.cost + before {
                    self.rhs[s] = self.by_definition(graph, edge.to);
                }
                self.update(graph, edge.to);
            }
        }
    }
}
