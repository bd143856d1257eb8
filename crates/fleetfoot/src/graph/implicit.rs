//! Implicit graphs: states get dense numbers when a search first meets them.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::cell::{Cell, OnceCell};
use core::fmt;
use core::hash::{Hash, Hasher};

use super::{Edge, Graph, Limits, ReverseGraph, Undirected, splitmix64};
use crate::id::{Cost, NodeId};

/// A state space defined by rules: a puzzle, a motion lattice, a configuration space.
pub trait StateSpace {
    /// The type of a state.
    type State: Clone + Eq + Hash;

    /// Calls `out` with each successor of `state` and the cost of the move, in a fixed order. Costs are positive
    /// and at most [`max_edge_cost`](StateSpace::max_edge_cost); moves of infinite cost are ignored.
    fn succs(&self, state: &Self::State, out: &mut impl FnMut(Self::State, Cost));

    /// Returns a consistent estimate of the cost from `a` to `b`. Zero is always valid.
    fn h(&self, a: &Self::State, b: &Self::State) -> Cost;

    /// Returns the maximum cost of a move.
    fn max_edge_cost(&self) -> Cost;

    /// Returns the maximum number of moves out of a state; see [`Graph::max_degree`].
    fn max_degree(&self) -> usize {
        usize::MAX
    }

    /// Returns a number that distinguishes spaces of this type. It becomes part of the graph's fingerprint.
    fn fingerprint(&self) -> u64 {
        0
    }
}

/// A state space whose moves can be followed backwards. Required for backward searches.
pub trait ReverseStateSpace: StateSpace {
    /// Calls `out` with each predecessor of `state` and the cost of the move, in a fixed order. If all moves are
    /// reversible at the same cost, this is `self.succs(state, out)`.
    fn preds(&self, state: &Self::State, out: &mut impl FnMut(Self::State, Cost));
}

/// A state space in which every move is reversible at the same cost.
pub trait SymmetricSpace: ReverseStateSpace {}

/// A [`StateSpace`] as a [`Graph`]. States are numbered when they are first met, and the moves of each state are
/// stored when they are first requested.
///
/// The capacity is fixed. When it is exhausted, new states are ignored and [`is_full`](ImplicitGraph::is_full)
/// returns `true`. The graph is then the part of the space that consists of the numbered states, so that "no path"
/// proves nothing about the space.
///
/// Saved planners refer to node numbers. To restore one, save [`states`](ImplicitGraph::states) as well and restore
/// them with [`ImplicitGraph::with_states`].
///
/// Memory: 6 to 12 bytes per state of the capacity in advance, and pages of 256 states on demand, so that no step
/// pays for growing a table. Numbering states through a shared reference requires cells: the graph is `Send`, but
/// not `Sync`.
pub struct ImplicitGraph<S: StateSpace> {
    space: S,
    capacity: usize,
    len: Cell<usize>,
    is_full: Cell<bool>,
    /// Open addressing with linear probing: state numbers, by hash.
    index: Box<[Cell<NodeId>]>,
    pages: Box<[OnceCell<Page<S::State>>]>,
}

const PAGE: usize = 256;

type Page<T> = Box<[Slot<T>]>;

/// A cell that is written once, so that shared references can read it.
struct Slot<T> {
    state: OnceCell<T>,
    succs: OnceCell<Box<[Edge]>>,
    preds: OnceCell<Box<[Edge]>>,
}

impl<S: StateSpace> ImplicitGraph<S> {
    /// Creates a graph for up to `capacity` states. The capacity is reduced if a path could otherwise reach
    /// infinite cost.
    pub fn new(space: S, capacity: usize) -> Self {
        let most = (Cost::INF.raw() - 1) / space.max_edge_cost().raw().max(1);
        let capacity = capacity.min(most as usize);
        let places = (capacity + capacity / 2 + 1).next_power_of_two(); // at most two thirds full
        Self {
            space,
            capacity,
            len: Cell::new(0),
            is_full: Cell::new(false),
            index: vec![Cell::new(NodeId::NONE); places].into_boxed_slice(),
            pages: (0..capacity.div_ceil(PAGE)).map(|_| OnceCell::new()).collect(),
        }
    }

    /// Creates a graph whose first states are `states`, as listed by [`states`](ImplicitGraph::states).
    pub fn with_states(space: S, capacity: usize, states: impl IntoIterator<Item = S::State>) -> Self {
        let this = Self::new(space, capacity);
        for state in states {
            this.intern(state);
        }
        this
    }

    /// Returns the number of a state, and assigns one if it is new. Returns `None` if the capacity is exhausted.
    pub fn intern(&self, state: S::State) -> Option<NodeId> {
        let place = self.place(&state);
        if let Some(n) = self.index[place].get().some() {
            return Some(n);
        }
        let k = self.len.get();
        if k == self.capacity {
            self.is_full.set(true);
            return None;
        }
        let page = self.pages[k / PAGE].get_or_init(blank_page);
        let _ = page[k % PAGE].state.set(state);
        self.index[place].set(NodeId::from_index(k));
        self.len.set(k + 1);
        Some(NodeId::from_index(k))
    }

    /// The number of a state, if it has one.
    pub fn find(&self, state: &S::State) -> Option<NodeId> {
        self.index[self.place(state)].get().some()
    }

    /// Returns the slot of the index that holds the state, or would hold it.
    fn place(&self, state: &S::State) -> usize {
        let mut hasher = Mixer(0);
        state.hash(&mut hasher);
        let mask = self.index.len() - 1;
        let mut place = hasher.finish() as usize & mask;
        while self.index[place].get().some().is_some_and(|n| self.state(n) != state) {
            place = (place + 1) & mask;
        }
        place
    }

    /// Returns the state with this number, which must have been assigned.
    #[inline]
    pub fn state(&self, n: NodeId) -> &S::State {
        self.slot(n).state.get().expect("the number of a state")
    }

    #[inline]
    fn slot(&self, n: NodeId) -> &Slot<S::State> {
        &self.pages[n.index() / PAGE].get().expect("the number of a state")[n.index() % PAGE]
    }

    /// Returns the numbered states, in order.
    pub fn states(&self) -> impl Iterator<Item = &S::State> {
        (0..self.len()).map(|k| self.state(NodeId::from_index(k)))
    }

    /// Returns the number of numbered states.
    pub fn len(&self) -> usize {
        self.len.get()
    }

    /// Returns `true` if no state is numbered yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns `true` if states were ignored for lack of capacity.
    pub fn is_full(&self) -> bool {
        self.is_full.get()
    }

    /// Returns the state space.
    pub fn space(&self) -> &S {
        &self.space
    }

    /// Appends a move to the list of a state's moves.
    fn note(&self, state: S::State, cost: Cost, list: &mut Vec<Edge>) {
        if !cost.is_finite() {
            return;
        }
        assert!(
            cost > Cost::ZERO && cost <= self.space.max_edge_cost(),
            "a move costs {cost}: a space's costs are positive and at most its maximum"
        );
        list.extend(self.intern(state).map(|to| Edge { to, cost }));
    }
}

fn blank_page<T>() -> Page<T> {
    let blank = || Slot { state: OnceCell::new(), succs: OnceCell::new(), preds: OnceCell::new() };
    (0..PAGE).map(|_| blank()).collect()
}

impl<S: StateSpace> Graph for ImplicitGraph<S> {
    #[inline]
    fn limits(&self) -> Limits {
        let limits = Limits::new(self.capacity, self.space.max_edge_cost());
        limits.with_current_bound(self.len()).with_max_degree(self.space.max_degree())
    }

    #[inline]
    fn succs(&self, n: NodeId) -> impl Iterator<Item = Edge> + '_ {
        let enumerate = || {
            let mut list = Vec::new();
            self.space.succs(self.state(n), &mut |state, cost| self.note(state, cost, &mut list));
            list.into_boxed_slice()
        };
        self.slot(n).succs.get_or_init(enumerate).iter().copied()
    }

    fn h(&self, a: NodeId, b: NodeId) -> Cost {
        self.space.h(self.state(a), self.state(b))
    }

    fn fingerprint(&self) -> u64 {
        splitmix64(splitmix64(self.capacity as u64) ^ self.space.fingerprint())
    }
}

impl<S: ReverseStateSpace> ReverseGraph for ImplicitGraph<S> {
    #[inline]
    fn preds(&self, n: NodeId) -> impl Iterator<Item = Edge> + '_ {
        let enumerate = || {
            let mut list = Vec::new();
            self.space.preds(self.state(n), &mut |state, cost| self.note(state, cost, &mut list));
            list.into_boxed_slice()
        };
        self.slot(n).preds.get_or_init(enumerate).iter().copied()
    }
}

/// Also valid if the capacity is exhausted: two numbered states have the moves between them in both directions, or
/// none.
impl<S: SymmetricSpace> Undirected for ImplicitGraph<S> {}

impl<S: StateSpace> fmt::Debug for ImplicitGraph<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (len, capacity) = (self.len(), self.capacity);
        f.debug_struct("ImplicitGraph")
            .field("len", &len)
            .field("capacity", &capacity)
            .finish_non_exhaustive()
    }
}

/// A hasher, since `core` has none. State numbers do not depend on it.
struct Mixer(u64);

impl Mixer {
    #[inline]
    fn word(&mut self, word: u64) {
        self.0 = splitmix64(self.0.wrapping_add(0x9e37_79b9_7f4a_7c15) ^ word);
    }
}

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.word(u64::from_le_bytes(word));
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heuristic::oracle::{Dice, distances};

    /// The integers up to a limit, with moves +1 (cost 2) and doubling (cost 3).
    struct Counting {
        last: u32,
    }

    impl StateSpace for Counting {
        type State = u32;
        fn succs(&self, &x: &u32, out: &mut impl FnMut(u32, Cost)) {
            for (y, cost) in [(x + 1, 2), (2 * x, 3)] {
                if y <= self.last {
                    out(y, Cost::new(cost));
                }
            }
            out(7_000_000, Cost::INF);
        }
        fn h(&self, a: &u32, b: &u32) -> Cost {
            Cost::new(u32::from(a != b))
        }
        fn max_edge_cost(&self) -> Cost {
            Cost::new(3)
        }
        fn fingerprint(&self) -> u64 {
            u64::from(self.last)
        }
    }

    impl ReverseStateSpace for Counting {
        fn preds(&self, &y: &u32, out: &mut impl FnMut(u32, Cost)) {
            if let Some(x) = y.checked_sub(1) {
                out(x, Cost::new(2));
            }
            if y % 2 == 0 {
                out(y / 2, Cost::new(3));
            }
        }
    }

    /// Strings on a torus: each letter can be rotated by one in both directions.
    struct Wheels;

    impl StateSpace for Wheels {
        type State = Vec<u8>;
        fn succs(&self, state: &Vec<u8>, out: &mut impl FnMut(Vec<u8>, Cost)) {
            for k in 0..state.len() {
                for turn in [1, 4] {
                    let mut next = state.clone();
                    next[k] = (next[k] + turn) % 5;
                    out(next, Cost::new(1 + k as u32));
                }
            }
        }
        fn h(&self, _: &Vec<u8>, _: &Vec<u8>) -> Cost {
            Cost::ZERO
        }
        fn max_edge_cost(&self) -> Cost {
            Cost::new(4)
        }
    }

    impl ReverseStateSpace for Wheels {
        fn preds(&self, state: &Vec<u8>, out: &mut impl FnMut(Vec<u8>, Cost)) {
            self.succs(state, out);
        }
    }

    impl SymmetricSpace for Wheels {}

    /// Queries everything in random order until no new state appears.
    fn explore<S: ReverseStateSpace>(graph: &ImplicitGraph<S>, dice: &mut Dice) {
        let mut done = 0;
        while done < graph.len() {
            done = graph.len();
            for _ in 0..2 * done {
                let n = NodeId::new(dice.below(graph.len() as u32));
                if dice.below(2) == 0 { drop(graph.succs(n)) } else { drop(graph.preds(n)) }
            }
            (0..done).map(NodeId::from_index).for_each(|n| drop(graph.succs(n)));
        }
    }

    #[test]
    fn the_graph_is_the_space() {
        let graph = ImplicitGraph::new(Counting { last: 99 }, 100);
        let start = graph.intern(1).unwrap();
        explore(&graph, &mut Dice(1));
        assert!(!graph.is_full());
        for n in graph.states().map(|x| graph.find(x).unwrap()) {
            let x = *graph.state(n);
            let out: Vec<(u32, u32)> = graph.succs(n).map(|e| (*graph.state(e.to), e.cost.raw())).collect();
            let wanted = [(x + 1, 2), (2 * x, 3)].into_iter().filter(|&(y, _)| y <= 99);
            assert!(out.into_iter().eq(wanted));
            for e in graph.preds(n) {
                assert!(graph.succs(e.to).any(|back| back == Edge { to: n, cost: e.cost }));
            }
        }
        // The reference distances, by dynamic programming.
        let mut best = [Cost::INF; 100];
        best[1] = Cost::ZERO;
        for x in 1..100 {
            for (y, cost) in [(x + 1, 2), (2 * x, 3)].into_iter().filter(|&(y, _)| y < 100) {
                best[y] = best[y].min(best[x] + Cost::new(cost));
            }
        }
        // 0 doubles to itself and may or may not be numbered. Unused numbers have no states.
        for k in graph.len()..100 {
            graph.intern(1000 + k as u32);
        }
        let found = distances(&graph);
        for x in 1..100 {
            let n = graph.find(&x).unwrap();
            assert_eq!(found[start.index()][n.index()], best[x as usize]);
        }
    }

    #[test]
    fn numbers_come_in_the_order_of_meeting_and_can_be_restored() {
        let walk = |graph: &ImplicitGraph<Wheels>| {
            let mut n = graph.intern(vec![0; 4]).unwrap();
            let mut dice = Dice(4);
            for _ in 0..300 {
                n = graph.succs(n).nth(dice.below(8) as usize).unwrap().to;
            }
            n
        };
        let (one, two) = (ImplicitGraph::new(Wheels, 625), ImplicitGraph::new(Wheels, 625));
        assert_eq!(walk(&one), walk(&two));
        assert!(one.states().eq(two.states()));
        assert!(one.len() > PAGE);
        assert_eq!(one.find(&vec![9; 4]), None);

        let again = ImplicitGraph::with_states(Wheels, 625, one.states().cloned());
        assert_eq!(again.len(), one.len());
        assert!(one.states().eq(again.states()));
        for n in (0..one.len()).map(NodeId::from_index) {
            assert!(one.succs(n).eq(again.succs(n)));
        }
        assert_eq!(one.fingerprint(), again.fingerprint());
        assert_ne!(one.fingerprint(), ImplicitGraph::new(Wheels, 624).fingerprint());
    }

    #[test]
    fn when_full_the_graph_is_the_part_that_was_numbered() {
        for seed in 0..30 {
            let mut dice = Dice(seed);
            let capacity = 1 + dice.below(624) as usize;
            let graph = ImplicitGraph::new(Wheels, capacity);
            graph.intern(vec![0; 4]).unwrap();
            explore(&graph, &mut dice);
            assert_eq!((graph.len(), graph.bound()), (capacity, capacity));
            assert!(graph.is_full());
            assert_eq!(graph.intern(vec![9; 4]), None);
            for n in (0..capacity).map(NodeId::from_index) {
                let mut wanted = Vec::new();
                Wheels.succs(graph.state(n), &mut |s, cost| {
                    wanted.extend(graph.find(&s).map(|to| Edge { to, cost }));
                });
                assert!(graph.succs(n).eq(wanted.iter().copied()));
                assert!(graph.preds(n).eq(wanted));
            }
        }
    }

    #[test]
    fn a_space_that_just_fits_does_not_overflow() {
        let graph = ImplicitGraph::new(Wheels, 625);
        graph.intern(vec![0; 4]).unwrap();
        explore(&graph, &mut Dice(2));
        assert_eq!((graph.len(), graph.is_full()), (625, false));
        assert_eq!(graph.intern(vec![0; 4]), Some(NodeId::new(0)), "a known state needs no room");
    }

    #[test]
    fn capacity_gives_way_to_32_bit_costs() {
        struct Dear;
        impl StateSpace for Dear {
            type State = u8;
            fn succs(&self, &x: &u8, out: &mut impl FnMut(u8, Cost)) {
                out(x.wrapping_add(1), self.max_edge_cost());
            }
            fn h(&self, _: &u8, _: &u8) -> Cost {
                Cost::ZERO
            }
            fn max_edge_cost(&self) -> Cost {
                Cost::new(1 << 30)
            }
        }
        let graph = ImplicitGraph::new(Dear, 200);
        assert_eq!(graph.bound(), 3);
        let mut n = graph.intern(0).unwrap();
        while let Some(e) = graph.succs(n).next() {
            n = e.to;
        }
        assert_eq!((graph.len(), graph.is_full()), (3, true));
        assert_eq!(ImplicitGraph::new(Dear, 0).intern(0), None);
    }
}
