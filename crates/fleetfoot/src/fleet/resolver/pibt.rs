//! One joint move of all units: priority inheritance with backtracking (PIBT; Okumura, Machida, Défago, Tamura, IJCAI-19),
//! by an explicit stack.
//!
//! Units plan in the order that they are given. A unit claims its best cell; the unit there plans next, with the
//! claimer's priority; if that one finds no place, the claimer tries its next best cell. Every unit is planned once, so
//! a joint move costs a ranking per unit and a walk of bounded length for the swap rule.

use alloc::vec;
use alloc::vec::Vec;

use crate::fleet::cell_set::CellSet;
use crate::fleet::cell_set::NONE;
use crate::fleet::resolver::candidates::Candidates;
use crate::fleet::resolver::ground::{First, Ground};
use crate::fleet::resolver::neighbors::{Neighbors, OWN, Occupancy};

/// The cell of each unit now, and after the move.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pibt {
    /// By unit: its cell now and after the move.
    pub(crate) pieces: Vec<Move>,
    /// By cell: the unit there.
    pub(crate) now_on: Vec<u32>,
    /// The cells that are occupied, and those that will be.
    pub(crate) taken: CellSet,
    pub(crate) claimed: CellSet,
    /// The cells of units whose move is planned.
    pub(crate) planned: CellSet,
    /// Units that members of their crowd have pushed in vain in this tick: members do not try again.
    pub(crate) firm: CellSet,
    /// Units that are planning, each pushed by the one below it.
    stack: Vec<Frame>,
    /// The remaining candidates of those of them that have ranked them.
    rests: Vec<Rest>,
    /// Whether the swap rule is on.
    pub(crate) swaps: bool,
    /// Whether a pocket counts as a passing place only if it is empty.
    pub(crate) empty_pockets: bool,
    /// Whether a unit is taken to want the same way all along a passage.
    pub(crate) steady: bool,
    /// How often a unit has given way by the swap rule.
    pub(crate) swapped: u64,
}

/// The cell of a unit now and after the move. What units ask of each other lies together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Move {
    /// Its cell; [`NONE`] if it is not there.
    pub(crate) at: u32,
    /// Its next cell; [`NONE`] while it is not planned.
    pub(crate) next: u32,
    /// The cost of its next cell, once it is planned; [`NONE`] if it was not asked for.
    pub(crate) worth: u32,
    /// The place among the cells around it that it wanted most; its own if it was not asked for.
    pub(crate) wanted: u8,
}

impl Move {
    const NOWHERE: Self = Self { at: NONE, next: NONE, worth: NONE, wanted: OWN as u8 };
}

/// A unit that has claimed a cell that another one has to leave.
#[derive(Clone, Copy, Debug)]
struct Frame {
    unit: u32,
    /// The unit to pull along by the swap rule.
    partner: u32,
    /// Whether it was pushed by a crowd member: it enters no cell of infinite cost.
    is_firm: bool,
    /// Whether the cell is the first one that it has tried.
    is_first: bool,
    /// Its first choice, if nothing more was asked for; else the remaining candidates are on the other stack.
    tried: Option<u8>,
}

/// The cells around a unit that are still to be tried.
#[derive(Clone, Copy, Debug)]
struct Rest {
    near: Neighbors,
    candidates: Candidates,
}

/// The result of a unit's claims.
enum Claim {
    /// It has a cell that no unit has to leave.
    Settled,
    /// It has a cell if this unit leaves it.
    Pushes(u32),
    /// It has found no cell, and stays.
    Nothing,
}

impl Pibt {
    pub(crate) fn new(cells: usize) -> Self {
        let [taken, claimed, planned] = [(); 3].map(|()| CellSet::none(cells));
        Self { now_on: vec![NONE; cells], taken, claimed, planned, ..Self::default() }
    }

    /// Makes room for another unit, which has no cell yet.
    pub(crate) fn grow(&mut self) {
        self.pieces.push(Move::NOWHERE);
        self.firm.grow(self.pieces.len());
        self.stack.reserve(self.pieces.len());
        self.rests.reserve(self.pieces.len());
    }

    pub(crate) fn unit_bytes(&self) -> usize {
        self.pieces.capacity() * size_of::<Move>()
            + self.stack.capacity() * size_of::<Frame>()
            + self.rests.capacity() * size_of::<Rest>()
    }

    pub(crate) fn map_bytes(&self) -> usize {
        4 * self.now_on.capacity() + 3 * self.taken.memory_bytes()
    }

    pub(crate) fn place(&mut self, unit: u32, cell: u32) {
        self.pieces[unit as usize].at = cell;
        self.now_on[cell as usize] = unit;
        self.taken.insert(cell);
    }

    pub(crate) fn lift(&mut self, unit: u32) {
        let cell = core::mem::replace(&mut self.pieces[unit as usize].at, NONE);
        self.now_on[cell as usize] = NONE;
        self.taken.remove(cell);
    }

    /// Returns the cell of a unit.
    #[inline]
    pub(crate) fn at(&self, unit: u32) -> u32 {
        self.pieces[unit as usize].at
    }

    /// Returns the units on cells.
    #[inline]
    fn who(&self) -> Occupancy<'_> {
        Occupancy { now_on: &self.now_on, taken: &self.taken }
    }

    /// Returns the next cell of a unit.
    #[inline]
    pub(crate) fn next(&self, unit: u32) -> u32 {
        self.pieces[unit as usize].next
    }

    #[inline]
    pub(crate) fn is_planned(&self, unit: u32) -> bool {
        self.pieces[unit as usize].next != NONE
    }

    /// Returns `true` if no planned move prevents this one.
    #[inline]
    pub(crate) fn is_open(&self, ground: &impl Ground, from: u32, to: u32) -> bool {
        self.is_free(from, to) && ground.crossed(from, to).is_none_or(|between| !self.is_crossed(between))
    }

    /// Returns the unit that must leave a cell so that another unit can go there; [`NONE`] if the cell is free. Returns `None` if a planned
    /// move prevents that.
    fn who_leaves(&self, ground: &impl Ground, near: &Neighbors, place: usize) -> Option<u32> {
        let cell = near.cells[place].raw();
        if self.claimed.has(cell) {
            return None;
        }
        let mut other = NONE;
        if near.busy >> place & 1 == 1 {
            let there = || self.now_on[cell as usize];
            if !self.planned.has(cell) {
                other = there();
            } else if self.claimed.has(near.at()) && self.next(there()) == near.at() {
                return None;
            }
        }
        let is_crossed = ground.between(near, place).is_some_and(|between| self.is_crossed(between));
        (!is_crossed).then_some(other)
    }

    /// Returns `true` if no unit will be on a cell, and none comes from there the opposite way.
    #[inline]
    fn is_free(&self, from: u32, to: u32) -> bool {
        if self.claimed.has(to) {
            return false;
        }
        let there = self.who().on(to);
        there == NONE || to == from || self.next(there) != from
    }

    /// Returns `true` if a planned move leads from one of these cells to the other.
    #[inline]
    fn is_crossed(&self, (a, b): (u32, u32)) -> bool {
        // Two small sets rule out most of them.
        let goes = |a: u32, b: u32| {
            self.planned.has(a) && self.claimed.has(b) && self.next(self.now_on[a as usize]) == b
        };
        goes(a, b) || goes(b, a)
    }

    /// Decides a unit's move, whatever it wants.
    pub(crate) fn fix(&mut self, unit: u32, to: u32) {
        self.pieces[unit as usize].wanted = OWN as u8;
        self.claim(unit, to, NONE);
    }

    /// Leaves a unit where it is, which is its goal.
    pub(crate) fn stay(&mut self, unit: u32) {
        let piece = &mut self.pieces[unit as usize];
        let at = piece.at;
        piece.wanted = OWN as u8;
        self.claim(unit, at, 0);
    }

    #[inline]
    fn claim(&mut self, unit: u32, to: u32, worth: u32) {
        let piece = &mut self.pieces[unit as usize];
        (piece.next, piece.worth) = (to, worth);
        self.claimed.insert(to);
        self.planned.insert(piece.at);
    }

    /// Plans the move of a unit that has none, and of every unit that it pushes.
    pub(crate) fn plan(&mut self, ground: &mut impl Ground, unit: u32) {
        let mut claim = self.open(ground, unit);
        loop {
            claim = match claim {
                Claim::Pushes(other) => self.open(ground, other),
                Claim::Settled => {
                    let Some(top) = self.stack.pop() else { return };
                    if top.tried.is_none() {
                        self.rests.pop();
                    }
                    self.pull(ground, &top);
                    Claim::Settled
                }
                Claim::Nothing => {
                    let Some(top) = self.stack.pop() else { return };
                    self.go_on(ground, top)
                }
            };
        }
    }

    /// Begins a unit's plan.
    #[inline]
    fn open(&mut self, ground: &mut impl Ground, unit: u32) -> Claim {
        let near = ground.near(self.at(unit), &self.taken);
        let is_firm = self.stack.last().is_some_and(|pusher| ground.share_crowd(pusher.unit, unit));
        let first = ground.first(unit, &near, self.who());
        let mut partner = None;
        if let Some(First { place, value, may_stay }) = first {
            self.pieces[unit as usize].wanted = if may_stay { OWN } else { place } as u8;
            let is_alone = near.busy == 0;
            let cell = near.cells[place].raw();
            let pulled = if self.swaps && !is_alone { self.partner(ground, unit, cell, &near) } else { NONE };
            if pulled == NONE
                && let Some(other) = self.who_leaves(ground, &near, place)
                && !self.is_in_vain(ground, unit, other)
            {
                self.claim(unit, cell, value);
                if other == NONE {
                    return Claim::Settled;
                }
                let tried = Some(place as u8);
                self.stack.push(Frame { unit, partner: NONE, tried, is_firm, is_first: true });
                return Claim::Pushes(other);
            }
            partner = Some(pulled);
        }
        // Only units that may have to swap examine claimed cells.
        let closed = ground.which(&self.claimed, &near);
        let left_out = if partner == Some(NONE) { closed } else { 0 };
        let mut candidates = ground.rank(unit, &near, left_out, first.map(|first| first.value), self.who());
        let partner = partner.unwrap_or_else(|| {
            let best = candidates.best(&near, &mut |k| ground.value_near(unit, &near, k)).unwrap_or(OWN);
            self.pieces[unit as usize].wanted = candidates.wanted;
            if self.swaps { self.partner(ground, unit, near.cells[best].raw(), &near) } else { NONE }
        });
        if partner == NONE {
            candidates.leave(closed);
        } else {
            candidates.settle_all(&near, &mut |k| ground.value_near(unit, &near, k));
            candidates.reverse();
            self.swapped += 1;
        }
        let frame = Frame { unit, partner, tried: None, is_firm, is_first: true };
        self.claim_next(ground, frame, Rest { near, candidates })
    }

    /// Continues a unit's plan: the unit in its new cell stays there, so it tries the remaining candidates.
    fn go_on(&mut self, ground: &mut impl Ground, mut top: Frame) -> Claim {
        top.is_first = false;
        let (unit, tried) = (top.unit, top.tried.take());
        let rest = if tried.is_none() { self.rests.pop() } else { None };
        let rest = rest.unwrap_or_else(|| {
            let near = ground.near(self.at(unit), &self.taken);
            let mut candidates = ground.rank(unit, &near, 0, None, self.who());
            if let Some(place) = tried {
                candidates.remove(place as usize);
            }
            Rest { near, candidates }
        });
        self.claim_next(ground, top, rest)
    }

    /// Returns `true` if a unit need not push another one, since members of the same crowd have tried.
    #[inline]
    fn is_in_vain(&self, ground: &mut impl Ground, unit: u32, other: u32) -> bool {
        other != NONE && self.firm.has(other) && ground.share_crowd(unit, other)
    }

    /// Tries a unit's candidates.
    fn claim_next(&mut self, ground: &mut impl Ground, mut frame: Frame, mut rest: Rest) -> Claim {
        let unit = frame.unit;
        loop {
            let near = &rest.near;
            let next = rest.candidates.next(near, &mut |place| ground.value_near(unit, near, place));
            let Some((place, worth)) = next.filter(|&(_, worth)| !frame.is_firm || worth != NONE) else {
                self.stand(&frame);
                return Claim::Nothing;
            };
            if let Some(other) = self.who_leaves(ground, near, place)
                && !self.is_in_vain(ground, unit, other)
            {
                self.claim(unit, near.cells[place].raw(), worth);
                if other == NONE {
                    self.pull(ground, &frame);
                    return Claim::Settled;
                }
                self.stack.push(frame);
                self.rests.push(rest);
                return Claim::Pushes(other);
            }
            frame.is_first = false;
        }
    }

    /// Keeps a unit where it is. This takes back the claim of the unit that pushed it.
    fn stand(&mut self, frame: &Frame) {
        let (unit, at) = (frame.unit, self.at(frame.unit));
        self.claim(unit, at, NONE);
        if frame.is_firm {
            // It has no place in that crowd's chain, but may go elsewhere if other units push it.
            self.claimed.remove(at);
            self.planned.remove(at);
            self.pieces[unit as usize].next = NONE;
            self.firm.insert(unit);
        }
    }

    /// Applies the swap rule's second half: a unit that gave way by its first choice pulls its partner along.
    fn pull(&mut self, ground: &impl Ground, frame: &Frame) {
        let (partner, at) = (frame.partner, self.at(frame.unit));
        if partner != NONE
            && frame.is_first
            && !self.is_planned(partner)
            && self.is_open(ground, self.at(partner), at)
        {
            self.fix(partner, at);
        }
    }
}
