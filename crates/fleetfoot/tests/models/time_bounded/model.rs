//! A simple model of the time-bounded family: lists that are searched linearly, paths as vectors, h updated
//! eagerly. Uses only graphs and costs of the library.

use std::collections::BTreeMap;

use fleetfoot::planners::{FirstStep, TimeBoundedConfig};
use fleetfoot::search::{OpenKind, Ties};
use fleetfoot::{Cost, Decision, Edge, EdgeChange, Graph, NodeId};

/// The member of the family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Member {
    Tba,
    LateTba,
    Rtba,
    Tbaa,
    /// TBA* and RTBA* with a weight of [`WEIGHT`].
    WeightedTba,
    WeightedRtba,
}

/// In millionths.
pub(crate) const WEIGHT: u32 = 2_500_000;

impl Member {
    pub(crate) fn is_weighted(self) -> bool {
        matches!(self, Self::WeightedTba | Self::WeightedRtba)
    }
}

/// An expanded node: node, parent, g, f.
pub(crate) type Expansion = (NodeId, NodeId, Cost, Cost);

/// What a step did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Deed {
    pub(crate) expanded: Vec<Expansion>,
    pub(crate) traced: Vec<NodeId>,
    pub(crate) followed: bool,
}

/// Returns the expansions and trace steps that R is split into.
pub(crate) fn split(config: &TimeBoundedConfig, budget: Option<u64>) -> (u64, u64) {
    let Some(budget) = budget else { return (u64::MAX, u64::MAX) };
    let expansions = (budget * u64::from(config.r) / 1_000_000).max(1);
    (expansions, traces(config, budget.saturating_sub(expansions)))
}

/// Returns the trace steps that a part of R covers.
pub(crate) fn traces(config: &TimeBoundedConfig, budget: u64) -> u64 {
    (budget * u64::from(config.c)).max(1)
}

#[derive(Clone, Copy, Debug)]
struct Known {
    g: Cost,
    parent: NodeId,
    depth: u64,
    closed: bool,
}

/// One agent.
#[expect(clippy::struct_excessive_bools, reason = "the paper's flags")]
pub(crate) struct Model {
    config: TimeBoundedConfig,
    member: Member,
    /// Learned values.
    pub(crate) h: BTreeMap<NodeId, Cost>,
    known: BTreeMap<NodeId, Known>,
    /// Node, f, g, and the number of the insertion.
    open: Vec<(NodeId, Cost, Cost, i64)>,
    puts: i64,
    searching: bool,
    pub(crate) found: bool,
    first: bool,
    done_trace: bool,
    pub(crate) traced: bool,
    start: NodeId,
    prev: NodeId,
    pub(crate) pacing: NodeId,
    new: Vec<NodeId>,
    pub(crate) follow: Vec<NodeId>,
    pub(crate) restarts: usize,
}

impl Model {
    pub(crate) fn new(member: Member, config: TimeBoundedConfig) -> Self {
        Self {
            config,
            member,
            h: BTreeMap::new(),
            known: BTreeMap::new(),
            open: Vec::new(),
            puts: 0,
            searching: false,
            found: false,
            first: true,
            done_trace: true,
            traced: false,
            start: NodeId::NONE,
            prev: NodeId::NONE,
            pacing: NodeId::NONE,
            new: Vec::new(),
            follow: Vec::new(),
            restarts: 0,
        }
    }

    fn next(&self) -> Option<usize> {
        (0..self.open.len()).min_by_key(|&k| {
            let (_, f, g, order) = self.open[k];
            let g = i64::from(g.raw());
            match self.config.open {
                OpenKind::Ring => (f, 0, -order),
                OpenKind::Heap(Ties::LargerG) => (f, -g, order),
                OpenKind::Heap(Ties::SmallerG) => (f, g, order),
            }
        })
    }

    fn put(&mut self, n: NodeId, f: Cost, g: Cost) {
        self.open.retain(|entry| entry.0 != n);
        self.open.push((n, f, g, self.puts));
        self.puts += 1;
    }

    /// Returns `true` if a node was generated in the current search.
    pub(crate) fn is_generated(&self, n: NodeId) -> bool {
        self.known.contains_key(&n)
    }

    /// Ends the search with Adaptive A*'s update of all closed nodes.
    fn restart(&mut self) {
        if !self.searching {
            return;
        }
        if self.member == Member::Tbaa
            && let Some(k) = self.next()
        {
            let f = self.open[k].1;
            for (&n, known) in self.known.iter().filter(|(_, known)| known.closed) {
                let old = self.h.insert(n, f.saturating_sub(known.g));
                assert!(
                    known.g <= f && old.is_none_or(|old| old <= f.saturating_sub(known.g)),
                    "h falls at {n}"
                );
            }
        }
        self.searching = false;
        self.follow.clear();
        (self.prev, self.pacing) = (NodeId::NONE, NodeId::NONE);
        self.restarts += 1;
    }

    fn begin(&mut self, at: NodeId, h: Cost) {
        self.known =
            BTreeMap::from([(at, Known { g: Cost::ZERO, parent: NodeId::NONE, depth: 0, closed: false })]);
        self.open.clear();
        self.put(at, h, Cost::ZERO);
        (self.searching, self.found, self.first) = (true, false, true);
        (self.done_trace, self.traced, self.start) = (true, false, at);
        self.follow.clear();
    }

    /// Returns the current h.
    pub(crate) fn estimate(&self, graph: &impl Graph, n: NodeId, goal: NodeId) -> Cost {
        let h = self.h.get(&n).copied().unwrap_or_else(|| graph.h(n, goal));
        if self.member.is_weighted() {
            Cost::new((u64::from(h.raw()) * u64::from(WEIGHT) / 1_000_000) as u32)
        } else {
            h
        }
    }

    /// The agent is not at its expected position.
    pub(crate) fn displace(&mut self, at: NodeId) {
        self.prev = NodeId::NONE;
        if !self.searching || !self.is_generated(at) {
            self.restart();
        } else if !self.follow.contains(&at) {
            // It may be above the traced part of the path, or not on it.
            (self.done_trace, self.traced) = (true, false);
        }
    }

    /// Processes edges that became more expensive or were lost since the previous step.
    pub(crate) fn hear(&mut self, changes: &[EdgeChange], at: NodeId) {
        for change in changes {
            let lies_on =
                |path: &[NodeId]| path.windows(2).any(|pair| pair == [change.from, change.to].as_slice());
            let ahead = self.follow.iter().position(|&n| n == at).unwrap_or(0);
            if lies_on(&self.follow[ahead..]) || (!self.done_trace && lies_on(&self.new)) {
                self.restart();
                self.done_trace = true;
            }
        }
    }

    /// Performs a step. `pacing` is the behavior of the late-acting planner while it waits, as observed.
    pub(crate) fn step(
        &mut self,
        graph: &impl Graph,
        at: NodeId,
        goal: NodeId,
        budget: Option<u64>,
    ) -> (Decision, Deed) {
        let mut deed = Deed::default();
        if at == goal {
            return (Decision::Wait, deed);
        }
        if !self.searching {
            self.begin(at, self.estimate(graph, at, goal));
        }
        let (expansions, mut limit) = split(&self.config, budget);
        if self.found {
            limit = budget.map_or(u64::MAX, |budget| traces(&self.config, budget));
        } else {
            match self.search(graph, goal, (expansions, limit), &mut deed) {
                None => return (Decision::NoPath, deed),
                Some(false) => {}
                Some(true) => {
                    self.found = true;
                    let spent = deed.expanded.len() as u64;
                    limit =
                        budget.map_or(u64::MAX, |budget| traces(&self.config, budget.saturating_sub(spent)));
                }
            }
        }
        let acts = self.found || self.member != Member::LateTba;
        if !self.traced && acts && !self.trace(graph, (at, goal), limit, &mut deed) {
            self.restart();
            return (Decision::Wait, deed);
        }
        self.first = false;
        let next = self.choose(at);
        let Some(next) = next else { return (Decision::Wait, deed) };
        if !graph.cost(at, next).is_finite() {
            // While backtracking, which an agent that was moved there has not walked before.
            self.restart();
            self.done_trace = true;
            return (Decision::Wait, deed);
        }
        self.prev = at;
        (Decision::Go(next), deed)
    }

    /// Returns whether the goal is next. `None` if there is no path.
    fn search(
        &mut self,
        graph: &impl Graph,
        goal: NodeId,
        (expansions, traces): (u64, u64),
        deed: &mut Deed,
    ) -> Option<bool> {
        let by_depth = self.first && self.config.first_step == FirstStep::Depth;
        let by_count = self.first && self.config.first_step == FirstStep::Min;
        let most = if by_count { expansions.min(traces) } else { expansions };
        loop {
            let k = self.next()?;
            if self.open[k].0 == goal {
                return Some(true);
            }
            // The longest expanded path, plus one step to a generated node.
            let deepest = deed.expanded.iter().map(|e| self.known[&e.0].depth + 1).max().unwrap_or(0);
            if deed.expanded.len() as u64 >= most || by_depth && deepest >= traces {
                return Some(false);
            }
            let (n, f, ..) = self.open.remove(k);
            let known = self.known[&n];
            self.known.insert(n, Known { closed: true, ..known });
            deed.expanded.push((n, known.parent, known.g, f));
            let edges: Vec<Edge> = match self.member {
                Member::Tba | Member::LateTba | Member::WeightedTba => {
                    graph.pruned_successors(n, known.parent).collect()
                }
                Member::Rtba | Member::Tbaa | Member::WeightedRtba => graph.succs(n).collect(),
            };
            for edge in edges {
                let g = known.g + edge.cost;
                if self.known.get(&edge.to).is_none_or(|old| g < old.g && !old.closed) {
                    let depth = known.depth + 1;
                    self.known.insert(edge.to, Known { g, parent: n, depth, closed: false });
                    self.put(edge.to, g + self.estimate(graph, edge.to, goal), g);
                }
            }
        }
    }

    /// Returns `false` if the path contains a lost edge.
    fn trace(
        &mut self,
        graph: &impl Graph,
        (at, goal): (NodeId, NodeId),
        limit: u64,
        deed: &mut Deed,
    ) -> bool {
        if self.done_trace {
            let top = self.next().map(|k| self.open[k].0);
            self.new = if self.found { vec![goal] } else { vec![top.expect("the open list is not empty")] };
            self.done_trace = false;
        }
        loop {
            let front = self.new[0];
            if front == at || front == self.start {
                self.done_trace = true;
                break;
            }
            if deed.traced.len() as u64 == limit {
                break;
            }
            let parent = self.known[&front].parent;
            self.new.insert(0, parent);
            deed.traced.push(parent);
            if !graph.cost(parent, front).is_finite() {
                self.done_trace = true;
                return false;
            }
        }
        if self.done_trace && self.accepts(at, goal) {
            self.follow = std::mem::take(&mut self.new);
            self.traced = self.follow.last() == Some(&goal);
            deed.followed = true;
        }
        assert!(
            deed.followed || !self.done_trace || self.new.last() != Some(&goal),
            "the goal's path is refused"
        );
        true
    }

    fn accepts(&self, at: NodeId, goal: NodeId) -> bool {
        let g = |path: &[NodeId]| path.last().map(|n| self.known[n].g);
        let useless = self.after(at).is_none();
        // Only with a weight can the path to the goal be cheaper than that to an earlier target.
        let is_goals = self.member.is_weighted() && self.found && self.new.last() == Some(&goal);
        !self.config.switch_rule || useless || is_goals || g(&self.new) >= g(&self.follow)
    }

    fn after(&self, n: NodeId) -> Option<NodeId> {
        let place = self.follow.iter().position(|&m| m == n)?;
        self.follow.get(place + 1).copied()
    }

    fn choose(&self, at: NodeId) -> Option<NodeId> {
        if let Some(next) = self.after(at) {
            return Some(next);
        }
        if self.member == Member::LateTba && !self.traced {
            return match at {
                at if at == self.start => self.pacing.some(),
                at if at == self.pacing => Some(self.start),
                at => self.known[&at].parent.some(),
            };
        }
        if self.config.hold_at_frontier && self.follow.last() == Some(&at) {
            return None;
        }
        if at == self.start { self.prev.some() } else { Some(self.known[&at].parent) }
    }
}
