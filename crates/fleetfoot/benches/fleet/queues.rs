//! A queue of searches, executed in order until the frame's budget is spent.

use std::collections::VecDeque;

use fleetfoot::{Graph, Grid, Map, Meter, NodeId, Prices, Scratch, Shortest, shortest_path};

use crate::Rival;
use crate::walkers::Walkers;

/// Price of an expansion of `pathfinding`, which takes as long as this number of ours (bench `peers`).
const PRICE: u64 = 4;
/// Maximum number of expansions of capped searches.
const CAP: u64 = 2000;

/// The search for paths.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Finder {
    /// A* of the crate `pathfinding`.
    Pathfinding,
    /// Our own A*, on cells, or on corners if the map has an index of them.
    Ours,
    /// Our own on cells, with a limit of [`CAP`] expansions.
    Capped,
}

enum Found {
    Path(Vec<NodeId>),
    Nothing,
    GivenUp,
}

impl Finder {
    /// Returns a path, and the work in expansions.
    fn find(self, grid: &Grid, from: NodeId, to: NodeId, scratch: &mut Scratch) -> (Found, u64) {
        if self == Self::Pathfinding {
            let mut expansions = 0;
            let succs = |&n: &u32| {
                expansions += 1;
                grid.succs(NodeId::new(n)).map(|edge| (edge.to.raw(), edge.cost.raw()))
            };
            let h = |&n: &u32| grid.h(NodeId::new(n), to).raw();
            let found = pathfinding::prelude::astar(&from.raw(), succs, h, |&n| n == to.raw());
            let path = found.map(|(path, _)| path.into_iter().map(NodeId::new).collect());
            return (path.map_or(Found::Nothing, Found::Path), PRICE * expansions);
        }
        let most = if self == Self::Capped { CAP } else { u64::MAX / 100 };
        let mut meter = Meter::priced(most, Prices::ALL_WORK);
        let found = match shortest_path(grid, from, to, &mut meter, scratch) {
            Shortest::Path(path, _) => Found::Path(path),
            Shortest::OutOfBudget => Found::GivenUp,
            Shortest::NoPath => Found::Nothing,
        };
        (found, meter.work().priced(&Prices::ALL_WORK).div_ceil(10))
    }
}

/// A queue of searches. A search runs to its end in the frame in which it begins; the next one waits when the budget
/// is spent.
pub(crate) struct Queue {
    finder: Finder,
    walkers: Walkers,
    truth: Map,
    known: Map,
    goals: Vec<NodeId>,
    waiting: VecDeque<usize>,
    is_waiting: Vec<bool>,
    /// Units without a path, until the map opens one.
    hopeless: Vec<usize>,
    given_up: Vec<bool>,
    scratch: Scratch,
}

impl Queue {
    pub(crate) fn new(
        finder: Finder,
        (truth, known): (Map, Map),
        starts: &[NodeId],
        goals: &[NodeId],
        collisions: bool,
    ) -> Self {
        Self {
            finder,
            walkers: Walkers::new(truth.grid(), starts, collisions),
            truth,
            known,
            goals: goals.to_vec(),
            waiting: VecDeque::new(),
            is_waiting: vec![false; starts.len()],
            hopeless: Vec::new(),
            given_up: vec![false; starts.len()],
            scratch: Scratch::new(),
        }
    }

    fn enqueue(&mut self, unit: usize) {
        if !self.given_up[unit] && !std::mem::replace(&mut self.is_waiting[unit], true) {
            self.waiting.push_back(unit);
        }
    }
}

impl Rival for Queue {
    fn order(&mut self) {
        (0..self.goals.len()).for_each(|unit| self.enqueue(unit));
    }

    fn set(&mut self, cell: NodeId, weight: u8) {
        self.known.set(cell, weight).expect("on the map");
        if self.truth.set(cell, weight).expect("on the map") {
            self.walkers.map_changed(self.truth.grid(), cell);
        }
        if weight > 0 {
            for unit in std::mem::take(&mut self.hopeless) {
                self.enqueue(unit);
            }
        }
    }

    fn tick(&mut self, budget: u64) {
        for unit in 0..self.goals.len() {
            if self.walkers.is_broken(self.known.grid(), unit) {
                self.enqueue(unit);
            }
        }
        let mut spent = 0;
        while spent < budget
            && let Some(unit) = self.waiting.pop_front()
        {
            self.is_waiting[unit] = false;
            let (from, to) = (self.walkers.at[unit], self.goals[unit]);
            let (found, work) = self.finder.find(self.known.grid(), from, to, &mut self.scratch);
            spent += work;
            let path = match found {
                Found::Path(path) => path,
                Found::Nothing => {
                    self.hopeless.push(unit);
                    Vec::new()
                }
                Found::GivenUp => {
                    self.given_up[unit] = true;
                    Vec::new()
                }
            };
            self.walkers.give(self.truth.grid(), unit, path);
        }
        self.walkers.step(self.truth.grid(), budget);
    }

    fn at(&self, unit: usize) -> NodeId {
        self.walkers.at[unit]
    }

    fn has_way(&self, unit: usize) -> bool {
        self.walkers.has_path(unit)
    }

    fn is_there(&self, unit: usize) -> bool {
        self.walkers.at[unit] == self.goals[unit]
    }

    fn bytes(&self) -> usize {
        self.walkers.bytes() + 4 * self.waiting.capacity() + 6 * self.goals.len()
    }
}
