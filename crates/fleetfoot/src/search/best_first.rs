//! The bounded best-first search. Planners differ in the root, in h, and in what they do when it stops.

use super::open::Open;
use super::{NOWHERE, NodeTable, OpenKind, OpenList, PageCounts, PlannerPart, Pools, SearchTree, Ties};
use crate::graph::{Edge, Limits};
use crate::id::{Cost, NodeId};
use crate::meter::{Meter, WorkKind};
use crate::probe::{SearchEvent, SearchProbe};
use crate::save::{SaveError, SaveReader, SaveWriter};

/// The reason a search stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// The goal is the next node: its g and parent are final. It remains on the open list.
    Goal,
    /// The open list is empty: there is no path.
    Empty,
    /// The budget is exhausted. The next call continues the search.
    Paused,
}

/// The resources of a search in one step.
pub struct SearchTools<'a> {
    /// The budget.
    pub meter: &'a mut Meter,
    /// The pools of pages.
    pub pools: &'a mut Pools,
    /// Receives search events, if set.
    pub probe: Option<&'a mut dyn SearchProbe>,
}

impl SearchTools<'_> {
    /// Emits an event to the probe, if there is one.
    #[inline]
    pub fn emit(&mut self, event: SearchEvent) {
        if let Some(probe) = &mut self.probe {
            probe.event(event);
        }
    }

    /// Emits which of a planner's two searches the following events belong to.
    pub fn emit_switch(&mut self, is_near: bool) {
        self.emit(SearchEvent::SwitchSearch { is_local: is_near });
    }
}

/// Reborrows the probe.
pub(crate) fn reborrow<'a>(probe: &'a mut Option<&mut dyn SearchProbe>) -> Option<&'a mut dyn SearchProbe> {
    match probe {
        Some(probe) => Some(&mut **probe),
        None => None,
    }
}

/// A best-first search that can be paused. The order of expansions does not depend on the pauses.
#[derive(Clone, Debug)]
pub struct Search<T> {
    /// The node table.
    pub nodes: T,
    pub(crate) open: OpenList,
    pub(crate) closed: u64,
    /// Maximum number of open nodes, over all searches.
    pub open_max: u64,
    /// Maximum number of closed nodes, over all searches.
    pub closed_max: u64,
    /// `true` if f may decrease along a path.
    is_inflated: bool,
}

impl<T: NodeTable> Search<T> {
    /// Creates a search with the given table, for graphs with at most `bound` nodes and edges along which f
    /// increases by at most `max_f_increase`.
    pub fn new(nodes: T, kind: OpenKind, bound: usize, max_f_increase: Cost) -> Self {
        let open = OpenList::new(kind, bound, max_f_increase);
        Self { nodes, open, closed: 0, open_max: 0, closed_max: 0, is_inflated: false }
    }

    /// Creates a search with an inflated h, as in weighted A*: f may decrease along a path. (Other searches then
    /// use the f of the parent.) The open list is a heap.
    pub(crate) fn inflated(nodes: T, bound: usize) -> Self {
        let heap = OpenKind::Heap(Ties::LargerG);
        Self { is_inflated: true, ..Self::new(nodes, heap, bound, Cost::INF) }
    }

    /// Starts a new search at `root`, in O(1).
    pub fn start(&mut self, root: NodeId, h: Cost, tools: &mut SearchTools<'_>) {
        self.clear(h);
        self.seed(root, Cost::ZERO, h, tools);
        tools.emit(SearchEvent::Search { root });
    }

    /// Starts a new search without a root, in O(1). On a ring, no f may be below `floor`.
    pub fn clear(&mut self, floor: Cost) {
        self.nodes.clear();
        self.open.restart(floor);
        self.closed = 0;
    }

    /// Adds a root with the initial cost `g` to the open list.
    pub fn seed(&mut self, n: NodeId, g: Cost, h: Cost, tools: &mut SearchTools<'_>) {
        let before = self.nodes.learned_h(n);
        if let Some(place) = self.nodes.relax(n, g, NodeId::NONE, tools.pools) {
            self.open.put(n, (g + h, g), place, &mut self.nodes, tools.pools);
        }
        emit_learn(&self.nodes, n, before, tools);
    }

    /// Expands nodes until `goal` is next, the open list is empty, or the budget is exhausted.
    ///
    /// `succs(n, parent)` returns the edges out of `n`, and `h(table, n)` estimates the cost from `n` to the goal.
    /// With an inconsistent h, closed nodes that are reached at a lower cost are opened again.
    pub fn run<I: Iterator<Item = Edge>>(
        &mut self,
        succs: impl FnMut(NodeId, NodeId) -> I,
        h: impl FnMut(&mut T, NodeId) -> Cost,
        goal: NodeId,
        tools: &mut SearchTools<'_>,
    ) -> Halt {
        self.run_until(succs, h, |_, n| n == goal, tools)
    }

    /// Expands nodes until `stop` returns `true` for the next one, the open list is empty, or the budget is
    /// exhausted.
    pub fn run_until<I: Iterator<Item = Edge>>(
        &mut self,
        succs: impl FnMut(NodeId, NodeId) -> I,
        h: impl FnMut(&mut T, NodeId) -> Cost,
        stop: impl FnMut(&T, NodeId) -> bool,
        tools: &mut SearchTools<'_>,
    ) -> Halt {
        let before = tools.meter.work()[WorkKind::Expand];
        let (nodes, open_max, inflated) = (&mut self.nodes, &mut self.open_max, self.is_inflated);
        let halt = match (&mut self.open, tools.probe.is_some()) {
            (OpenList::Ring(ring), false) => {
                best_first::<false, _, _, _>(nodes, ring, (open_max, false), succs, h, stop, tools)
            }
            (OpenList::Ring(ring), true) => {
                best_first::<true, _, _, _>(nodes, ring, (open_max, false), succs, h, stop, tools)
            }
            (OpenList::Heap(heap), false) => {
                best_first::<false, _, _, _>(nodes, heap, (open_max, inflated), succs, h, stop, tools)
            }
            (OpenList::Heap(heap), true) => {
                best_first::<true, _, _, _>(nodes, heap, (open_max, inflated), succs, h, stop, tools)
            }
        };
        self.closed += tools.meter.work()[WorkKind::Expand] - before;
        self.closed_max = self.closed_max.max(self.closed);
        tools.meter.count(WorkKind::Page, tools.pools.page_faults());
        halt
    }

    /// Returns the next node and its f.
    pub fn top(&mut self) -> Option<(NodeId, Cost)> {
        self.open.top()
    }

    /// Removes the next node from the open list without expanding it.
    pub(crate) fn skip(&mut self) {
        self.take();
        self.settle();
    }

    /// Removes the next node from the open list. After its successors were inserted, call [`Search::settle`] before
    /// any query of the list.
    pub(crate) fn take(&mut self) {
        match &mut self.open {
            OpenList::Ring(ring) => take(ring, &mut self.nodes),
            OpenList::Heap(heap) => take(heap, &mut self.nodes),
        }
    }

    /// Prepares the open list after [`Search::take`].
    pub(crate) fn settle(&mut self) {
        match &mut self.open {
            OpenList::Ring(ring) => ring.settle(&mut self.nodes),
            OpenList::Heap(heap) => heap.settle(&mut self.nodes),
        }
    }

    /// Returns the open list.
    pub fn open(&self) -> &OpenList {
        &self.open
    }

    /// Returns the number of nodes expanded in this search.
    pub fn closed(&self) -> u64 {
        self.closed
    }
}

impl<T: SearchTree> Search<T> {
    /// Clears learned values and the search.
    pub(crate) fn forget(&mut self) {
        self.nodes.forget();
        if T::LEARNS {
            self.open.restart(Cost::ZERO);
        }
    }

    /// Checks a search that was read: the f of no open node may be above the list's, by the graph's own `h`, so
    /// that f increases along edges by at most the graph's limit.
    pub fn check(&self, h: impl Fn(NodeId) -> Cost) -> Result<(), SaveError> {
        if self.open.iter().all(|(n, f)| self.nodes.g(n) + h(n) <= f) {
            Ok(())
        } else {
            Err(SaveError::new("its open list does not belong to its tree"))
        }
    }
}

impl<T: SearchTree> PlannerPart for Search<T> {
    fn write(&self, out: &mut dyn SaveWriter) {
        out.u64(self.closed);
        out.u64(self.open_max);
        out.u64(self.closed_max);
        self.nodes.write(out);
        out.cost(self.open.floor());
        let open = self.open.in_put_order();
        out.u32(open.len() as u32);
        for (n, f) in open {
            out.node(n);
            out.cost(f);
        }
    }

    /// Every open node must be generated and occur once. [`Search::check`] does the rest.
    fn read(&mut self, limits: &Limits, from: &mut SaveReader<'_>) -> Result<(), SaveError> {
        let pools = &mut Pools::new();
        self.closed = from.count()?;
        self.open_max = from.count()?;
        self.closed_max = from.count()?;
        self.nodes.read(limits, from)?;
        let floor = from.cost()?;
        self.open.restart(floor);
        for _ in 0..from.len(8)? {
            let (n, f) = (from.node(limits)?, from.cost()?);
            let g = self.nodes.g(n);
            if !g.is_finite() || self.nodes.is_open(n) || !self.open.admits(f) {
                return Err(SaveError::new("its open list does not belong to its tree"));
            }
            self.open.put(n, (f, g), NOWHERE, &mut self.nodes, pools);
        }
        Ok(())
    }

    fn release_pages(&mut self, pools: &mut Pools) {
        self.nodes.release_pages(pools);
        self.open.release_pages(pools);
    }

    fn memory_bytes(&self) -> usize {
        self.nodes.memory_bytes() + self.open.memory_bytes()
    }

    fn count_pages(&self, nodes: usize, needs: &mut PageCounts) {
        self.nodes.count_pages(nodes, needs);
        self.open.count_pages(nodes, needs);
    }
}

fn take<O: Open>(open: &mut O, nodes: &mut impl NodeTable) {
    if let Some((n, place)) = open.peek() {
        open.pop(place, nodes);
        nodes.close(n);
    }
}

/// Emits the update of the estimate of `n` by a table that learns lazily.
fn emit_learn<T: NodeTable>(nodes: &T, n: NodeId, old: Cost, tools: &mut SearchTools<'_>) {
    let new = nodes.learned_h(n);
    if old.is_finite() && new != old {
        tools.emit(SearchEvent::Learn { node: n, old, new });
    }
}

/// The loop, compiled with and without a probe (`WATCHED`). Expansions that the budget covers for certain are
/// charged together at the end, others one by one.
pub(super) fn best_first<const WATCHED: bool, T: NodeTable, O: Open, I: Iterator<Item = Edge>>(
    nodes: &mut T,
    open: &mut O,
    (open_max, is_inflated): (&mut u64, bool),
    mut succs: impl FnMut(NodeId, NodeId) -> I,
    mut h: impl FnMut(&mut T, NodeId) -> Cost,
    mut stop: impl FnMut(&T, NodeId) -> bool,
    tools: &mut SearchTools<'_>,
) -> Halt {
    let (mut affordable_expansions, mut granted) = (tools.meter.affordable_expansions(), 0);
    let halt = loop {
        let Some((n, place)) = open.peek() else { break Halt::Empty };
        if stop(nodes, n) {
            break Halt::Goal;
        }
        if granted < affordable_expansions {
            granted += 1;
        } else {
            tools.meter.grant(granted);
            (affordable_expansions, granted) = (0, 0);
            if !tools.meter.expand() {
                break Halt::Paused;
            }
        }
        let f = open.pop(place, nodes);
        let least = if is_inflated { Cost::ZERO } else { f };
        let (g, parent) = nodes.close(n);
        if WATCHED {
            tools.emit(SearchEvent::Expand { node: n, parent, g, f });
        }
        // `for_each` lets a graph use internal iteration.
        succs(n, parent).for_each(|edge| {
            let g = g + edge.cost;
            let before = if WATCHED { nodes.learned_h(edge.to) } else { Cost::INF };
            let Some(place) = nodes.relax(edge.to, g, n, tools.pools) else { return };
            // Path-max: f never decreases along a path. Has no effect if h is consistent.
            let f = (g + h(nodes, edge.to)).max(least);
            open.put(edge.to, f, g, place, nodes, tools.pools);
            if WATCHED {
                emit_learn(nodes, edge.to, before, tools);
                tools.emit(SearchEvent::Open { node: edge.to, parent: n, g, f });
            }
        });
        open.settle(nodes);
        *open_max = (*open_max).max(open.len() as u64);
    };
    tools.meter.grant(granted);
    halt
}
