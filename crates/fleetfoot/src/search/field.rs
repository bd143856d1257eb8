//! Costs to the goal that are repaired when the world changes: the common part of D* Lite, LPA* and Anytime D*.
//!
//! Every node has a value g, its cost when it was last expanded, and a value rhs, its cost by the g of its best
//! successor. Nodes whose values differ are on a queue. The algorithms differ in the order of the queue and in
//! whether nodes are deferred: [`KeyPolicy`].

mod saved;

use alloc::vec::Vec;
use core::cmp::Ordering;

use super::heap::Heap;
use super::pages::Chunks;
use super::{NOWHERE, Pages, Pools, SearchTools};
use crate::graph::{ChangeLog, EdgeChange, Graph, ReverseGraph};
use crate::id::{Cost, NodeId};
use crate::meter::WorkKind;
use crate::probe::SearchEvent;

/// The values of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vertex {
    /// The cost to the goal when the node was last expanded.
    pub g: Cost,
    /// The cost by the current g of the successors: the minimum of cost(n, t) + g(t), zero for the goal.
    pub rhs: Cost,
    /// The successor that determines rhs. If the cost of another successor increases, rhs need not be recomputed.
    pub next: NodeId,
    /// Its position on a queue.
    place: u32,
}

impl Vertex {
    pub(super) const BLANK: Self = Self { g: Cost::INF, rhs: Cost::INF, next: NodeId::NONE, place: NOWHERE };

    /// Returns the smaller of g and rhs.
    #[inline]
    pub fn min_value(&self) -> Cost {
        self.g.min(self.rhs)
    }

    /// Returns `true` if g > rhs.
    #[inline]
    fn is_over_consistent(&self) -> bool {
        self.g > self.rhs
    }
}

/// The key of a node on the queue: two components, compared in order, smallest first.
///
/// The first component is wide: D* Lite adds up the distance that its agent has covered, and Anytime D* multiplies
/// by a fraction. Packed, so that four queue entries fit into a cache line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(Rust, packed(4))]
pub struct QueueKey(pub u64, pub u32);

impl PartialOrd for QueueKey {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for QueueKey {
    /// Compares both components as one wide number, without an unpredictable branch.
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        let wide = |key: &Self| u128::from(key.0) << 32 | u128::from(key.1);
        wide(self).cmp(&wide(other))
    }
}

impl QueueKey {
    /// The key of a node that is not on the queue: larger than all others.
    pub const LAST: Self = Self(u64::MAX, u32::MAX);
}

/// The order in which nodes are taken from the queue.
pub trait KeyPolicy<G> {
    /// Returns the key of a node with these values.
    fn key(&self, graph: &G, n: NodeId, vertex: &Vertex) -> QueueKey;

    /// Converts the first component of a key to a cost, for probes.
    fn f(&self, key: QueueKey) -> Cost {
        Cost::new(u32::try_from(key.0).unwrap_or(u32::MAX))
    }

    /// Returns `true` if the node was expanded in this pass and must be deferred to the next one.
    fn is_closed(&self, _: NodeId) -> bool {
        false
    }
}

/// Flag of a position: which of the two queues it is on; see [`CostField::requeue`].
const SIDE: u32 = 1 << 31;
/// The position of a deferred node.
const ASIDE: u32 = NOWHERE - 1;

/// Maximum number of changes that a step processes, and of values that it recomputes for them.
pub(crate) const CHANGES_PER_STEP: u64 = 4096;

/// Costs to a goal.
#[derive(Clone, Debug)]
pub struct CostField {
    vertices: Pages<Vertex>,
    queue: Heap<QueueKey>,
    /// The nodes of the queue before the last [`requeue`](Self::requeue) that must be inserted again.
    old: Heap<QueueKey>,
    /// Deferred nodes. Some entries may be outdated.
    aside: Chunks<NodeId>,
    aside_len: usize,
    /// The flag of positions on the current queue; positions on the old one have the other.
    side: u32,
    goal: NodeId,
    /// The node whose g was invalidated last, if some of its predecessors were not updated yet.
    given_up: NodeId,
    /// Number of nodes with a finite g.
    known: u64,
    known_max: u64,
    open_max: u64,
}

impl CostField {
    /// Creates a field for `bound` nodes without [requeueing](Self::requeue) and without deferred nodes.
    pub fn new(bound: usize) -> Self {
        Self {
            vertices: Pages::new(bound, Vertex::BLANK),
            queue: Heap::new(bound),
            old: Heap::new(0),
            aside: Chunks::new(0),
            aside_len: 0,
            side: 0,
            goal: NodeId::NONE,
            given_up: NodeId::NONE,
            known: 0,
            known_max: 0,
            open_max: 0,
        }
    }

    /// Creates a field for `bound` nodes, with space for deferred nodes.
    pub fn requeueing(bound: usize) -> Self {
        Self { old: Heap::new(bound), aside: Chunks::new(bound), ..Self::new(bound) }
    }

    /// Clears the field, in O(1).
    pub fn clear(&mut self) {
        self.vertices.clear();
        self.queue.clear();
        self.old.clear();
        (self.aside_len, self.side, self.known) = (0, 0, 0);
        (self.goal, self.given_up) = (NodeId::NONE, NodeId::NONE);
    }

    /// Starts a new field for `goal`, in O(1).
    pub fn start<G: Graph>(
        &mut self,
        graph: &G,
        goal: NodeId,
        order: &impl KeyPolicy<G>,
        tools: &mut SearchTools<'_>,
    ) {
        self.clear();
        self.goal = goal;
        let vertex = self.vertices.at(goal.index(), &mut tools.pools.vertices);
        vertex.rhs = Cost::ZERO;
        let vertex = *vertex;
        tools.emit(SearchEvent::Search { root: goal });
        self.update(graph, goal, &vertex, order, tools);
    }

    /// Returns the bound of the node numbers.
    pub fn nodes(&self) -> usize {
        self.vertices.bound()
    }

    /// Returns the path from `at` along the stored successors, as long as the cost decreases, so there are no
    /// cycles.
    pub fn path_to_goal(&self, at: NodeId) -> Vec<NodeId> {
        let next = |n: NodeId| {
            let falls = |m: &NodeId| *m == self.goal || self.vertex(*m).rhs < self.vertex(n).rhs;
            self.vertex(n).next.some().filter(falls)
        };
        // With forged data the path may not end at the goal.
        core::iter::successors(next(at), |n| next(*n)).take(self.nodes()).collect()
    }

    /// Returns the goal. `NONE` if the field is empty.
    pub fn goal(&self) -> NodeId {
        self.goal
    }

    /// Returns the node whose g was invalidated last if the rhs of a predecessor may still depend on it; otherwise
    /// `NONE`.
    pub fn given_up(&self) -> NodeId {
        self.given_up
    }

    /// Returns the values of `n`.
    #[inline]
    pub fn vertex(&self, n: NodeId) -> Vertex {
        self.vertices.get(n.index())
    }

    /// Returns the next node and its key.
    #[inline]
    pub fn top(&self) -> Option<(NodeId, QueueKey)> {
        self.queue.peek()
    }

    /// Returns the number of nodes on both queues and of deferred nodes.
    pub fn waiting(&self) -> usize {
        self.queue.len() + self.old.len() + self.aside_len
    }

    /// Returns `true` if the node is on a queue. Deferred nodes are not.
    pub fn is_open(&self, n: NodeId) -> bool {
        is_waiting(self.vertex(n).place)
    }

    /// Returns all nodes on the queue with their keys.
    pub fn queue(&self) -> impl Iterator<Item = (NodeId, QueueKey)> + '_ {
        self.queue.iter()
    }

    /// Returns all nodes with known values.
    pub fn vertices(&self) -> impl Iterator<Item = (NodeId, Vertex)> + '_ {
        let met = self.vertices.live().filter(|(_, v)| v.g.is_finite() || v.rhs.is_finite());
        met.map(|(n, vertex)| (NodeId::from_index(n), vertex))
    }

    /// Changes the key of the top node.
    pub fn rekey<G>(
        &mut self,
        n: NodeId,
        key: QueueKey,
        order: &impl KeyPolicy<G>,
        tools: &mut SearchTools<'_>,
    ) {
        let vertex = self.vertex(n);
        self.put(n, vertex.place, key, tools.pools);
        emit_open(n, &vertex, order.f(key), tools);
    }

    /// Returns `true` if the node is overconsistent (g > rhs).
    pub fn is_falling(&self, n: NodeId) -> bool {
        self.vertex(n).is_over_consistent()
    }

    /// Expands the top node. Returns `false` if the budget ran out before it was finished.
    pub fn expand<G: ReverseGraph>(
        &mut self,
        graph: &G,
        u: NodeId,
        order: &impl KeyPolicy<G>,
        tools: &mut SearchTools<'_>,
    ) -> bool {
        if !tools.meter.expand() {
            return false;
        }
        if self.vertex(u).is_over_consistent() {
            self.lower(graph, u, order, tools);
            return true;
        }
        self.raise(graph, u, order, tools);
        self.finish(graph, order, tools)
    }

    /// Sets g to rhs for an overconsistent top node, and updates its predecessors.
    fn lower<G: ReverseGraph>(
        &mut self,
        graph: &G,
        u: NodeId,
        order: &impl KeyPolicy<G>,
        tools: &mut SearchTools<'_>,
    ) {
        let f = order.f(self.take());
        let found = self.vertices.live_mut(u.index());
        self.known += u64::from(!found.g.is_finite());
        self.known_max = self.known_max.max(self.known);
        found.g = found.rhs;
        let (g, goal) = (found.g, self.goal);
        tools.emit(SearchEvent::Expand { node: u, parent: found.next, g, f });
        graph.preds(u).for_each(|edge| {
            let (s, rhs) = (edge.to, edge.cost + g);
            let vertex = self.vertices.at(s.index(), &mut tools.pools.vertices);
            // The rhs of the goal is zero and never decreases.
            if rhs < vertex.rhs {
                debug_assert!(s != goal, "nothing leads to the goal more cheaply than being there");
                (vertex.rhs, vertex.next) = (rhs, u);
                let vertex = *vertex;
                self.update(graph, s, &vertex, order, tools);
            }
        });
        self.settle();
    }

    /// Invalidates g of an underconsistent top node. [`CostField::finish`] updates its predecessors.
    fn raise<G: Graph>(
        &mut self,
        graph: &G,
        u: NodeId,
        order: &impl KeyPolicy<G>,
        tools: &mut SearchTools<'_>,
    ) {
        let f = order.f(self.take());
        let found = self.vertices.live_mut(u.index());
        tools.emit(SearchEvent::Expand { node: u, parent: found.next, g: found.g, f });
        found.g = Cost::INF;
        self.known -= 1;
        let vertex = *found;
        self.update(graph, u, &vertex, order, tools);
        self.settle();
        self.given_up = u;
    }

    /// Finds new successors for the nodes whose path led through the node invalidated last. Returns `false` if the
    /// budget ran out before it was finished; nothing may be expanded until it is. An updated node does not refer
    /// to the invalidated node, so no other state is needed.
    ///
    /// Changes may be processed meanwhile: values that depend on the invalidated node are too low, and are
    /// recomputed here, or when the edge to that node changes.
    pub fn finish<G: ReverseGraph>(
        &mut self,
        graph: &G,
        order: &impl KeyPolicy<G>,
        tools: &mut SearchTools<'_>,
    ) -> bool {
        let Some(u) = self.given_up.some() else { return true };
        for edge in graph.preds(u) {
            if self.vertex(edge.to).next == u {
                if !tools.meter.charge(WorkKind::Rhs) {
                    return false;
                }
                let vertex = self.look_anew(graph, edge.to);
                self.update(graph, edge.to, &vertex, order, tools);
            }
        }
        self.given_up = NodeId::NONE;
        true
    }

    /// Processes the changes from `cursor` on, in order, as far as the limit per step and the budget allow. Returns
    /// `false` if some are left. Calls `matters` for each change that affects a value.
    ///
    /// Nothing may be expanded until all changes are processed. A value recomputed meanwhile uses the current
    /// graph, which is correct: every later change of an edge is still to be processed, and a value that is too low
    /// because of an edge whose cost has increased depends on that edge, and is recomputed when its change is
    /// processed.
    pub fn apply_changes<G: Graph>(
        &mut self,
        graph: &G,
        (log, cursor): (&ChangeLog, &mut u64),
        order: &impl KeyPolicy<G>,
        tools: &mut SearchTools<'_>,
        mut matters: impl FnMut(&EdgeChange),
    ) -> bool {
        let done = |tools: &SearchTools<'_>| {
            tools.meter.work()[WorkKind::Change] + tools.meter.work()[WorkKind::Rhs]
        };
        // Without a budget there is no limit per step.
        let most = if tools.meter.is_limited() { done(tools) + CHANGES_PER_STEP } else { u64::MAX };
        while let Some(change) = log.get(*cursor) {
            if done(tools) >= most || !tools.meter.charge(WorkKind::Change) {
                return false;
            }
            match self.change(graph, change, order, tools) {
                Some(true) => matters(change),
                Some(false) => {}
                None => return false,
            }
            *cursor += 1;
        }
        true
    }

    /// Processes a change that is already applied to the graph. Returns `true` if it affects a value, and `None` if
    /// a value must be recomputed and the budget does not allow it; the state is unchanged then.
    fn change<G: Graph>(
        &mut self,
        graph: &G,
        change: &EdgeChange,
        order: &impl KeyPolicy<G>,
        tools: &mut SearchTools<'_>,
    ) -> Option<bool> {
        let EdgeChange { from, to, old, new } = *change;
        let mut vertex = self.vertex(from);
        if from == self.goal {
            return Some(false);
        }
        if new < old {
            let rhs = new + self.vertex(to).g;
            if rhs >= vertex.rhs {
                return Some(false);
            }
            (vertex.rhs, vertex.next) = (rhs, to);
            *self.vertices.at(from.index(), &mut tools.pools.vertices) = vertex;
        } else if vertex.next == to {
            if !tools.meter.charge(WorkKind::Rhs) {
                return None;
            }
            vertex = self.look_anew(graph, from);
        } else {
            return Some(false);
        }
        self.update(graph, from, &vertex, order, tools);
        Some(true)
    }

    /// Recomputes rhs(n), the minimum of cost(n, t) + g(t).
    fn look_anew<G: Graph>(&mut self, graph: &G, n: NodeId) -> Vertex {
        let (mut rhs, mut next) = (Cost::INF, NodeId::NONE);
        graph.succs(n).for_each(|edge| {
            let by = edge.cost + self.vertex(edge.to).g;
            if by < rhs {
                (rhs, next) = (by, edge.to);
            }
        });
        let vertex = self.vertices.live_mut(n.index());
        (vertex.rhs, vertex.next) = (rhs, next);
        *vertex
    }

    /// Moves `n` to where its values require: on the queue if they differ, deferred, or removed.
    #[inline]
    fn update<G: Graph>(
        &mut self,
        graph: &G,
        n: NodeId,
        vertex: &Vertex,
        order: &impl KeyPolicy<G>,
        tools: &mut SearchTools<'_>,
    ) {
        if vertex.g == vertex.rhs {
            self.remove(n);
            emit_discard(n, vertex.place, tools);
        } else if order.is_closed(n) {
            self.put_aside(n, tools.pools);
            emit_discard(n, vertex.place, tools);
        } else {
            let key = order.key(graph, n, vertex);
            self.put(n, vertex.place, key, tools.pools);
            emit_open(n, vertex, order.f(key), tools);
        }
    }

    /// Inserts `n`, which is at `place`, into the queue.
    #[inline]
    fn put(&mut self, n: NodeId, place: u32, key: QueueKey, pools: &mut Pools) {
        let Self { vertices, queue, side, .. } = self;
        let place = if is_on(place, *side) { place & !SIDE } else { NOWHERE };
        queue.put(n, key, place, &mut pools.repairs, |n, place| {
            vertices.live_mut(n.index()).place = place | *side;
        });
        self.open_max = self.open_max.max(self.queue.len() as u64);
    }

    /// Removes the top of the queue, and returns its key. The gap is filled by the next insertion, or when the
    /// queue is [settled](Self::settle).
    #[inline]
    fn take(&mut self) -> QueueKey {
        let Some((n, key)) = self.queue.take() else { unreachable!("`take` is called after `top`") };
        self.vertices.live_mut(n.index()).place = NOWHERE;
        key
    }

    #[inline]
    fn settle(&mut self) {
        let Self { vertices, queue, side, .. } = self;
        queue.settle(|n, place| vertices.live_mut(n.index()).place = place | *side);
    }

    fn remove(&mut self, n: NodeId) {
        // The gap must be filled before another one is made.
        self.settle();
        let Self { vertices, queue, side, .. } = self;
        let place = vertices.get(n.index()).place;
        if is_on(place, *side) {
            queue.remove(place & !SIDE, |n, place| vertices.live_mut(n.index()).place = place | *side);
        }
        // An entry of the old queue, or a deferred one, is valid only if the node refers to it.
        if place != NOWHERE {
            vertices.live_mut(n.index()).place = NOWHERE;
        }
    }

    fn put_aside(&mut self, n: NodeId, pools: &mut Pools) {
        if self.vertex(n).place == ASIDE {
            return;
        }
        self.remove(n);
        self.vertices.live_mut(n.index()).place = ASIDE;
        self.list_aside(n, pools);
    }

    fn list_aside(&mut self, n: NodeId, pools: &mut Pools) {
        self.aside.grow_to(self.aside_len, NodeId::NONE, &mut pools.nodes);
        *self.aside.at(self.aside_len) = n;
        self.aside_len += 1;
    }

    /// Marks all nodes on the queue, and all deferred ones, to be inserted with new keys. O(1); [`CostField::requeue_next`]
    /// does the work. The previous requeueing must be finished.
    pub fn requeue(&mut self) {
        debug_assert!(self.old.is_empty(), "one turn at a time");
        self.change_sides();
    }

    /// Swaps the queue and the old queue.
    fn change_sides(&mut self) {
        core::mem::swap(&mut self.queue, &mut self.old);
        self.side ^= SIDE;
    }

    /// Inserts one more node that was marked by `requeue`. Returns `false` if none is left.
    pub fn requeue_next<G: Graph>(
        &mut self,
        graph: &G,
        order: &impl KeyPolicy<G>,
        tools: &mut SearchTools<'_>,
    ) -> bool {
        let (n, there) = if let Some((n, place)) = self.old.take_last() {
            (n, place | self.side ^ SIDE)
        } else if self.aside_len > 0 {
            self.aside_len -= 1;
            (*self.aside.get(self.aside_len), ASIDE)
        } else {
            return false;
        };
        // An entry that was outdated when it was saved is restored without its node.
        if n.is_some() && self.vertex(n).place == there {
            let vertex = self.vertex(n);
            let key = order.key(graph, n, &vertex);
            self.put(n, NOWHERE, key, tools.pools);
            emit_open(n, &vertex, order.f(key), tools);
        }
        true
    }

    /// Returns `true` if nodes may be left to requeue.
    pub fn has_requeue_left(&self) -> bool {
        self.is_requeueing() || self.aside_len > 0
    }

    /// Returns `true` if a requeueing is not finished.
    pub fn is_requeueing(&self) -> bool {
        !self.old.is_empty()
    }

    /// Returns the maximum number of nodes on the queue, and of nodes with a finite g.
    pub fn peaks(&self) -> (u64, u64) {
        (self.open_max, self.known_max)
    }
}

/// Emits that `n` was inserted into the queue, or moved in it.
#[inline]
fn emit_open(n: NodeId, vertex: &Vertex, f: Cost, tools: &mut SearchTools<'_>) {
    tools.emit(SearchEvent::Open { node: n, parent: vertex.next, g: vertex.min_value(), f });
}

/// Emits that `n`, which was at `place`, was removed from the queue.
#[inline]
fn emit_discard(n: NodeId, place: u32, tools: &mut SearchTools<'_>) {
    if is_waiting(place) {
        tools.emit(SearchEvent::Discard { node: n });
    }
}

/// Returns `true` if a position is on one of the queues.
#[inline]
fn is_waiting(place: u32) -> bool {
    place < ASIDE
}

/// Returns `true` if a position is on the queue with this flag.
#[inline]
fn is_on(place: u32, side: u32) -> bool {
    is_waiting(place) && place & SIDE == side
}
