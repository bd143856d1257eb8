//! A field of costs to the goal that is repaired when the world changes: what D* Lite, LPA* and Anytime D* share.
//!
//! Every state has g, what it was last found to cost, and rhs, what its best successor says that it costs now. The states
//! in which the two differ stand on a queue. Which of them comes first, and whether one has to stand aside, is what the
//! algorithms differ in: [`Order`].

mod saved;

use alloc::vec::Vec;
use core::cmp::Ordering;

use super::heap::Heap;
use super::pages::Chunks;
use super::{NOWHERE, Pages, Pools, Tools};
use crate::graph::{ChangeLog, EdgeChange, Graph, ReverseGraph};
use crate::id::{Cost, NodeId};
use crate::meter::WorkKind;
use crate::probe::SearchEvent;

/// What is known of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vertex {
    /// What it was found to cost from here to the goal.
    pub g: Cost,
    /// What it costs by the present g of its successors: the least cost(n, t) + g(t), zero for the goal.
    pub rhs: Cost,
    /// The successor that rhs is by. It saves looking for others whenever another one becomes dearer.
    pub next: NodeId,
    /// Where on the queue it stands.
    place: u32,
}

impl Vertex {
    pub(super) const BLANK: Self = Self { g: Cost::INF, rhs: Cost::INF, next: NodeId::NONE, place: NOWHERE };

    /// The lesser of its two values.
    #[inline]
    pub fn least(&self) -> Cost {
        self.g.min(self.rhs)
    }

    /// Whether it was found to cost more than it does.
    #[inline]
    fn is_over_consistent(&self) -> bool {
        self.g > self.rhs
    }
}

/// The key of a state on the queue: by the first component, then by the second, both ascending.
///
/// The first is wide, since D* Lite adds up how far its agent has come over its whole life, and Anytime D* multiplies by
/// a fraction. Packed, so that four entries of the queue fill a cache line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(Rust, packed(4))]
pub struct Key(pub u64, pub u32);

impl PartialOrd for Key {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Key {
    /// As one wide number: no processor can guess how two keys compare, so there should be nothing to guess.
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        let wide = |key: &Self| u128::from(key.0) << 32 | u128::from(key.1);
        wide(self).cmp(&wide(other))
    }
}

impl Key {
    /// The key of a state that does not stand on the queue: after all others.
    pub const LAST: Self = Self(u64::MAX, u32::MAX);
}

/// In which order states are taken from the queue.
pub trait Order<G> {
    /// The key of a state with these values.
    fn key(&self, graph: &G, n: NodeId, vertex: &Vertex) -> Key;

    /// What the first component of a key comes to as a cost, for those who watch.
    fn f(&self, key: Key) -> Cost {
        Cost::new(u32::try_from(key.0).unwrap_or(u32::MAX))
    }

    /// Whether this state has had its turn and must stand aside until the next time.
    fn is_closed(&self, _: NodeId) -> bool {
        false
    }
}

/// Which of the two queues a place is on: see [`Field::requeue`].
const SIDE: u32 = 1 << 31;
/// The place of a state that stands aside.
const ASIDE: u32 = NOWHERE - 1;

/// Changes taken note of in one step at most, and values computed anew for that.
pub(crate) const CHANGES_PER_STEP: u64 = 4096;

/// The field.
#[derive(Clone, Debug)]
pub struct Field {
    vertices: Pages<Vertex>,
    queue: Heap<Key>,
    /// What stood on the queue before the last [requeueing](Self::requeue), and is to be put on it again.
    old: Heap<Key>,
    /// What has stood aside, some of it no longer.
    aside: Chunks<NodeId>,
    aside_len: usize,
    /// The mark of places on the queue; those on the old one have the other.
    side: u32,
    goal: NodeId,
    /// The state whose g was given up last, if some of those that led through it have not been seen to yet.
    given_up: NodeId,
    /// States with a finite g.
    known: u64,
    known_max: u64,
    open_max: u64,
}

impl Field {
    /// A field over the nodes below `bound` that is never [put on its queue anew](Self::requeue), and in which no state stands aside.
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

    /// A field over the nodes below `bound`, with room for what a turn sets aside.
    pub fn requeueing(bound: usize) -> Self {
        Self { old: Heap::new(bound), aside: Chunks::new(bound), ..Self::new(bound) }
    }

    /// Forgets everything, in O(1).
    pub fn clear(&mut self) {
        self.vertices.clear();
        self.queue.clear();
        self.old.clear();
        (self.aside_len, self.side, self.known) = (0, 0, 0);
        (self.goal, self.given_up) = (NodeId::NONE, NodeId::NONE);
    }

    /// Begins a new field around `goal`, in O(1).
    pub fn start<G: Graph>(&mut self, graph: &G, goal: NodeId, order: &impl Order<G>, tools: &mut Tools<'_>) {
        self.clear();
        self.goal = goal;
        let vertex = self.vertices.at(goal.index(), &mut tools.pools.vertices);
        vertex.rhs = Cost::ZERO;
        let vertex = *vertex;
        tools.tell(SearchEvent::Search { root: goal });
        self.update(graph, goal, &vertex, order, tools);
    }

    /// The nodes that it is for.
    pub fn nodes(&self) -> usize {
        self.vertices.bound()
    }

    /// The way from `at` by the stored successors, as long as they cost less and less: so it never goes in circles.
    pub fn downhill(&self, at: NodeId) -> Vec<NodeId> {
        let next = |n: NodeId| {
            let falls = |m: &NodeId| *m == self.goal || self.vertex(*m).rhs < self.vertex(n).rhs;
            self.vertex(n).next.some().filter(falls)
        };
        // A forged goal may lead on.
        core::iter::successors(next(at), |n| next(*n)).take(self.nodes()).collect()
    }

    /// The goal that the field is around; none if there is no field.
    pub fn goal(&self) -> NodeId {
        self.goal
    }

    /// The state whose g was given up last, while rhs of some that led through it still is by that; else none.
    pub fn given_up(&self) -> NodeId {
        self.given_up
    }

    /// What is known of `n`.
    #[inline]
    pub fn vertex(&self, n: NodeId) -> Vertex {
        self.vertices.get(n.index())
    }

    /// The state to be looked at next, and the key that it stands under.
    #[inline]
    pub fn top(&self) -> Option<(NodeId, Key)> {
        self.queue.peek()
    }

    /// States on the queue, those to be put on it again and those aside included.
    pub fn waiting(&self) -> usize {
        self.queue.len() + self.old.len() + self.aside_len
    }

    /// Whether this state is open: on the queue, or to be put on it again after a [requeueing](Self::requeue). One that stands aside
    /// is not.
    pub fn is_open(&self, n: NodeId) -> bool {
        is_waiting(self.vertex(n).place)
    }

    /// All states on the queue with their keys.
    pub fn queue(&self) -> impl Iterator<Item = (NodeId, Key)> + '_ {
        self.queue.iter()
    }

    /// All states that anything is known of.
    pub fn vertices(&self) -> impl Iterator<Item = (NodeId, Vertex)> + '_ {
        let met = self.vertices.live().filter(|(_, v)| v.g.is_finite() || v.rhs.is_finite());
        met.map(|(n, vertex)| (NodeId::from_index(n), vertex))
    }

    /// Gives the state on top of the queue another key.
    pub fn rekey<G>(&mut self, n: NodeId, key: Key, order: &impl Order<G>, tools: &mut Tools<'_>) {
        let vertex = self.vertex(n);
        self.put(n, vertex.place, key, tools.pools);
        tell_open(n, &vertex, order.f(key), tools);
    }

    /// Whether g of this state is to fall to its rhs; if the two differ it is to be given up otherwise.
    pub fn is_falling(&self, n: NodeId) -> bool {
        self.vertex(n).is_over_consistent()
    }

    /// Expands the state on top, as far as the meter goes; false if that is not to its end.
    pub fn expand<G: ReverseGraph>(
        &mut self,
        graph: &G,
        u: NodeId,
        order: &impl Order<G>,
        tools: &mut Tools<'_>,
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

    /// The state on top costs less than was thought: its predecessors may, too.
    fn lower<G: ReverseGraph>(&mut self, graph: &G, u: NodeId, order: &impl Order<G>, tools: &mut Tools<'_>) {
        let f = order.f(self.take());
        let found = self.vertices.there(u.index());
        self.known += u64::from(!found.g.is_finite());
        self.known_max = self.known_max.max(self.known);
        found.g = found.rhs;
        let (g, goal) = (found.g, self.goal);
        tools.tell(SearchEvent::Expand { node: u, parent: found.next, g, f });
        graph.preds(u).for_each(|edge| {
            let (s, rhs) = (edge.to, edge.cost + g);
            let vertex = self.vertices.at(s.index(), &mut tools.pools.vertices);
            // The goal's rhs is zero, so nothing is less.
            if rhs < vertex.rhs {
                debug_assert!(s != goal, "nothing leads to the goal more cheaply than being there");
                (vertex.rhs, vertex.next) = (rhs, u);
                let vertex = *vertex;
                self.update(graph, s, &vertex, order, tools);
            }
        });
        self.settle();
    }

    /// The state on top costs more than was thought: gives up its g. The rest is [`Field::finish`]'s.
    fn raise<G: Graph>(&mut self, graph: &G, u: NodeId, order: &impl Order<G>, tools: &mut Tools<'_>) {
        let f = order.f(self.take());
        let found = self.vertices.there(u.index());
        tools.tell(SearchEvent::Expand { node: u, parent: found.next, g: found.g, f });
        found.g = Cost::INF;
        self.known -= 1;
        let vertex = *found;
        self.update(graph, u, &vertex, order, tools);
        self.settle();
        self.given_up = u;
    }

    /// Looks for another way from wherever the way led through the state that was given up last, as far as the meter goes;
    /// false if that is not to its end. Nothing may be expanded before it is. A state that has been seen to no longer
    /// leads through there, so that nothing but the state given up has to be remembered.
    ///
    /// Changes may be taken note of meanwhile: values that are still by what was given up are too low, and are computed
    /// anew here, or when the edge to there is changed.
    pub fn finish<G: ReverseGraph>(
        &mut self,
        graph: &G,
        order: &impl Order<G>,
        tools: &mut Tools<'_>,
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

    /// Takes note of all changes from `cursor` on, in their order, as far as one step and the meter allow; false if some
    /// are left for the next. `matters` is told of those that change any value.
    ///
    /// Nothing may be expanded before all are seen. Then it does no harm that a value computed anew is by the graph as it
    /// is by now: every later change of an edge still comes, and whatever was too cheap by an edge that has become dearer
    /// since is by that edge, and is computed anew when that comes.
    pub fn catch_up<G: Graph>(
        &mut self,
        graph: &G,
        (log, cursor): (&ChangeLog, &mut u64),
        order: &impl Order<G>,
        tools: &mut Tools<'_>,
        mut matters: impl FnMut(&EdgeChange),
    ) -> bool {
        let done =
            |tools: &Tools<'_>| tools.meter.work()[WorkKind::Change] + tools.meter.work()[WorkKind::Rhs];
        // Whoever has no limit has none here, either.
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

    /// Takes note of a change that the graph already shows; whether that changes any value. Nothing if a value has to be
    /// computed anew and the meter does not grant that; then nothing has happened.
    fn change<G: Graph>(
        &mut self,
        graph: &G,
        change: &EdgeChange,
        order: &impl Order<G>,
        tools: &mut Tools<'_>,
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

    /// rhs(n) := the least cost(n, t) + g(t).
    fn look_anew<G: Graph>(&mut self, graph: &G, n: NodeId) -> Vertex {
        let (mut rhs, mut next) = (Cost::INF, NodeId::NONE);
        graph.succs(n).for_each(|edge| {
            let by = edge.cost + self.vertex(edge.to).g;
            if by < rhs {
                (rhs, next) = (by, edge.to);
            }
        });
        let vertex = self.vertices.there(n.index());
        (vertex.rhs, vertex.next) = (rhs, next);
        *vertex
    }

    /// Puts `n`, of which this is known, where it belongs: on the queue if its values differ, or aside, or nowhere.
    #[inline]
    fn update<G: Graph>(
        &mut self,
        graph: &G,
        n: NodeId,
        vertex: &Vertex,
        order: &impl Order<G>,
        tools: &mut Tools<'_>,
    ) {
        if vertex.g == vertex.rhs {
            self.remove(n);
            tell_leave(n, vertex.place, tools);
        } else if order.is_closed(n) {
            self.put_aside(n, tools.pools);
            tell_leave(n, vertex.place, tools);
        } else {
            let key = order.key(graph, n, vertex);
            self.put(n, vertex.place, key, tools.pools);
            tell_open(n, vertex, order.f(key), tools);
        }
    }

    /// Puts `n`, which stands at `place`, on the queue.
    #[inline]
    fn put(&mut self, n: NodeId, place: u32, key: Key, pools: &mut Pools) {
        let Self { vertices, queue, side, .. } = self;
        let place = if is_on(place, *side) { place & !SIDE } else { NOWHERE };
        queue.put(n, key, place, &mut pools.repairs, |n, place| {
            vertices.there(n.index()).place = place | *side;
        });
        self.open_max = self.open_max.max(self.queue.len() as u64);
    }

    /// Takes the top off the queue; its key. Its place is left to the next that is put, or until the queue is
    /// [settled](Self::settle).
    #[inline]
    fn take(&mut self) -> Key {
        let Some((n, key)) = self.queue.take() else { unreachable!("whoever takes has seen the top") };
        self.vertices.there(n.index()).place = NOWHERE;
        key
    }

    #[inline]
    fn settle(&mut self) {
        let Self { vertices, queue, side, .. } = self;
        queue.settle(|n, place| vertices.there(n.index()).place = place | *side);
    }

    fn remove(&mut self, n: NodeId) {
        // A queue without a top cannot close another gap.
        self.settle();
        let Self { vertices, queue, side, .. } = self;
        let place = vertices.get(n.index()).place;
        if is_on(place, *side) {
            queue.remove(place & !SIDE, |n, place| vertices.there(n.index()).place = place | *side);
        }
        // On the old queue and aside an entry counts only as long as its state says that it is there.
        if place != NOWHERE {
            vertices.there(n.index()).place = NOWHERE;
        }
    }

    fn put_aside(&mut self, n: NodeId, pools: &mut Pools) {
        if self.vertex(n).place == ASIDE {
            return;
        }
        self.remove(n);
        self.vertices.there(n.index()).place = ASIDE;
        self.list_aside(n, pools);
    }

    fn list_aside(&mut self, n: NodeId, pools: &mut Pools) {
        self.aside.grow_to(self.aside_len, NodeId::NONE, &mut pools.nodes);
        *self.aside.at(self.aside_len) = n;
        self.aside_len += 1;
    }

    /// All that stands on the queue or aside is to be put on the queue again, by other keys: in O(1), the work is
    /// [`Field::take_up`]'s. Whatever an earlier turn left to do has been done.
    pub fn requeue(&mut self) {
        debug_assert!(self.old.is_empty(), "one turn at a time");
        self.change_sides();
    }

    /// The queue and the old one change places.
    fn change_sides(&mut self) {
        core::mem::swap(&mut self.queue, &mut self.old);
        self.side ^= SIDE;
    }

    /// Puts one more state on the queue again, of those that a turn took off it and those that stood aside; false if
    /// none is left to be.
    pub fn take_up<G: Graph>(&mut self, graph: &G, order: &impl Order<G>, tools: &mut Tools<'_>) -> bool {
        let (n, there) = if let Some((n, place)) = self.old.take_last() {
            (n, place | self.side ^ SIDE)
        } else if self.aside_len > 0 {
            self.aside_len -= 1;
            (*self.aside.get(self.aside_len), ASIDE)
        } else {
            return false;
        };
        // An entry that no longer counted when it was saved comes back without its state.
        if n.is_some() && self.vertex(n).place == there {
            let vertex = self.vertex(n);
            let key = order.key(graph, n, &vertex);
            self.put(n, NOWHERE, key, tools.pools);
            tell_open(n, &vertex, order.f(key), tools);
        }
        true
    }

    /// Whether anything may be left to take up.
    pub fn is_to_take_up(&self) -> bool {
        self.is_requeueing() || self.aside_len > 0
    }

    /// Whether a turn has left something to do.
    pub fn is_requeueing(&self) -> bool {
        !self.old.is_empty()
    }

    /// The most states on the queue, and with a finite g, at once.
    pub fn peaks(&self) -> (u64, u64) {
        (self.open_max, self.known_max)
    }
}

/// Tells that `n` has been put on the queue, or moved there.
#[inline]
fn tell_open(n: NodeId, vertex: &Vertex, f: Cost, tools: &mut Tools<'_>) {
    tools.tell(SearchEvent::Open { node: n, parent: vertex.next, g: vertex.least(), f });
}

/// Tells that `n`, which stood at `place`, no longer stands on a queue, if it did.
#[inline]
fn tell_leave(n: NodeId, place: u32, tools: &mut Tools<'_>) {
    if is_waiting(place) {
        tools.tell(SearchEvent::Discard { node: n });
    }
}

/// Whether a place is on either queue.
#[inline]
fn is_waiting(place: u32) -> bool {
    place < ASIDE
}

/// Whether a place is on the queue with this mark.
#[inline]
fn is_on(place: u32, side: u32) -> bool {
    is_waiting(place) && place & SIDE == side
}
