//! The ground that units move on, as the step of one tick sees it: cells, who may go where, and what a cell is worth to a
//! unit. The whole map is one ground ([`MapGround`]); a stuck group's patch of it is another
//! ([`Patch`](super::search::Patch)).

use super::Wishes;
use super::cells::Cells;
use super::clusters::Clusters;
use super::lanes::Lanes;
use super::penalties::Lessons;
use super::resolve::Unit;
use super::rings::is_on_ring;
use crate::graph::{Graph, Grid, Neighbours, mix};
use crate::id::{Cost, NodeId};

/// No cell, no unit.
pub(super) const NONE: u32 = u32::MAX;

/// A cell's neighbours.
#[derive(Clone, Copy, Debug)]
pub(super) struct Around {
    cells: [u32; 8],
    len: u8,
}

impl Around {
    pub(super) const EMPTY: Self = Self { cells: [NONE; 8], len: 0 };

    #[inline]
    pub(super) fn push(&mut self, cell: u32) {
        self.cells[self.len as usize & 7] = cell;
        self.len += 1;
    }

    #[inline]
    pub(super) fn cells(&self) -> &[u32] {
        &self.cells[..self.len as usize]
    }
}

/// The place of a cell itself among those around it.
pub(super) const OWN: usize = 8;

/// A cell and those around it, by place: by direction where the ground is the whole map.
#[derive(Clone, Copy, Debug)]
pub(super) struct Near {
    pub(super) cells: [NodeId; 9],
    /// A bit for each that a unit on the cell may go to, and for the cell itself.
    pub(super) open: u32,
    /// A bit for each next to it that somebody stands on, open or not.
    pub(super) busy: u32,
}

impl Near {
    #[inline]
    pub(super) fn new(at: u32) -> Self {
        Self { cells: [NodeId::new(at); 9], open: 1 << OWN, busy: 0 }
    }

    #[inline]
    pub(super) fn at(&self) -> u32 {
        self.cells[OWN].raw()
    }

    /// A cell next to this one, and whether somebody stands there.
    #[inline]
    pub(super) fn put(&mut self, place: usize, cell: u32, is_taken: bool) {
        self.cells[place] = NodeId::new(cell);
        self.open |= 1 << place;
        self.busy |= u32::from(is_taken) << place;
    }

    /// The places that a unit may go to.
    #[inline]
    pub(super) fn places(&self) -> impl Iterator<Item = usize> {
        bits(self.open)
    }
}

/// Who stands where.
#[derive(Clone, Copy)]
pub(super) struct Who<'a> {
    pub(super) now_on: &'a [u32],
    pub(super) taken: &'a Cells,
}

impl Who<'_> {
    /// Who stands on a cell, or [`NONE`].
    #[inline]
    pub(super) fn on(self, cell: u32) -> u32 {
        if self.taken.has(cell) { self.now_on[cell as usize] } else { NONE }
    }
}

/// The numbers of the bits that are set.
#[inline]
pub(super) fn bits(mut mask: u32) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let k = (mask != 0).then(|| mask.trailing_zeros() as usize);
        mask &= mask.wrapping_sub(1);
        k
    })
}

/// Where a unit may go next, its own cell included, by place. They are put in order one by one, as far as somebody asks, and what
/// they are worth may be known as a lower bound only until then.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidates {
    /// What they are worth; [`NONE`] for those that are not left.
    values: [u32; 9],
    /// A bit for each that is left.
    left: u32,
    /// A bit for each whose value is a lower bound.
    unsure: u32,
    /// Which of those that are worth the same comes first: by these where there is a bit in `has_tie`, by a hash elsewhere.
    ties: [u32; 9],
    has_tie: u32,
    salt: u64,
    /// Those that are left, in order, once all of them are; then nothing else is asked.
    order: Option<Order>,
    /// The place that the unit wants most, whatever it has learned: its own if that is as good as any. Where the least value was
    /// known beforehand, so is this.
    pub(super) wanted: u8,
}

/// Places in order.
#[derive(Clone, Copy, Debug)]
struct Order {
    places: [u8; 9],
    len: u8,
}

impl Order {
    fn places(&mut self) -> &mut [u8] {
        &mut self.places[..self.len as usize]
    }

    fn position(&self, place: usize) -> Option<usize> {
        self.places[..self.len as usize].iter().position(|&p| p as usize == place)
    }
}

impl Candidates {
    pub(super) const EMPTY: Self = Self {
        values: [NONE; 9],
        left: 0,
        unsure: 0,
        ties: [0; 9],
        has_tie: 0,
        salt: 0,
        order: None,
        wanted: OWN as u8,
    };

    /// The places with a bit in `open`; `is_true` has a bit for each whose value is no lower bound.
    #[inline]
    pub(super) fn new(open: u32, values: &[Cost; 9], is_true: u32, salt: u64) -> Self {
        let mut all = Self { left: open, unsure: open & !is_true, salt, ..Self::EMPTY };
        for (k, value) in values.iter().enumerate() {
            all.values[k] = if open >> k & 1 == 1 { value.raw() } else { NONE };
        }
        all
    }

    /// Among those that are worth the same, a place comes by this.
    fn set_tie(&mut self, place: usize, tie: u32) {
        self.ties[place] = tie;
        self.has_tie |= 1 << place;
    }

    /// The best place that is left. `find_out` tells what a place is worth. One function for all who ask.
    pub(super) fn best(&mut self, near: &Near, find_out: &mut dyn FnMut(usize) -> u32) -> Option<usize> {
        if let Some(order) = &mut self.order {
            return order.places().first().map(|&place| place as usize);
        }
        if self.left == 0 {
            return None;
        }
        loop {
            let (mut k, mut least, mut are_tied) = (0, NONE, false);
            for (place, &value) in self.values.iter().enumerate() {
                are_tied = value == least || are_tied && value > least;
                (k, least) = if value < least { (place, value) } else { (k, least) };
            }
            if are_tied || least == NONE {
                let mut first = u64::MAX;
                for place in bits(self.left).filter(|&place| self.values[place] == least) {
                    let has_tie = self.has_tie >> place & 1 == 1;
                    let tie = if has_tie { self.ties[place] } else { tie_by(self.salt, near.cells[place]) };
                    if u64::from(tie) < first {
                        (k, first) = (place, u64::from(tie));
                    }
                }
            }
            if self.unsure >> k & 1 == 0 {
                return Some(k);
            }
            self.unsure &= !(1 << k);
            self.values[k] = find_out(k);
        }
    }

    /// Takes the best place that is left; with it, what it is worth.
    pub(super) fn next(
        &mut self,
        near: &Near,
        find_out: &mut dyn FnMut(usize) -> u32,
    ) -> Option<(usize, u32)> {
        let place = self.best(near, find_out)?;
        let worth = self.values[place];
        self.remove(place);
        Some((place, worth))
    }

    /// Puts all of them in order: seldom, so that one function does for all who ask.
    pub(super) fn settle_all(&mut self, near: &Near, find_out: &mut dyn FnMut(usize) -> u32) {
        let mut rest = *self;
        let mut order = Order { places: [0; 9], len: 0 };
        while let Some((place, worth)) = rest.next(near, find_out) {
            self.values[place] = worth;
            order.places[order.len as usize] = place as u8;
            order.len += 1;
        }
        (self.unsure, self.order) = (0, Some(order));
    }

    /// Takes a place away, if it is among them.
    #[inline]
    pub(super) fn remove(&mut self, place: usize) {
        self.left &= !(1 << place);
        if let Some(order) = &mut self.order {
            if let Some(k) = order.position(place) {
                order.places()[k..].rotate_left(1);
                order.len -= 1;
            }
        } else {
            self.values[place] = NONE;
        }
    }

    /// Takes the places with a bit in `which` away, so that they are not looked at. Where all are in order they have been.
    #[inline]
    pub(super) fn leave(&mut self, which: u32) {
        if self.order.is_none() {
            bits(which & self.left).for_each(|place| self.values[place] = NONE);
            self.left &= !which;
        }
    }

    /// Puts a place behind all others, which are in order.
    pub(super) fn put_last(&mut self, place: usize) {
        if let Some(order) = &mut self.order
            && let Some(k) = order.position(place)
        {
            order.places()[k..].rotate_left(1);
        }
    }

    /// The swap rule: worst first. They are in order.
    pub(super) fn reverse(&mut self) {
        if let Some(order) = &mut self.order {
            order.places().reverse();
        }
    }

    /// The k-th of those that are in order, and what it is worth.
    pub(super) fn get(&self, k: usize) -> Option<(usize, u32)> {
        let order = self.order.as_ref()?;
        let place = *order.places[..order.len as usize].get(k)? as usize;
        Some((place, self.values[place]))
    }
}

/// The places with a bit in `open` that are worth least: a bit for each.
#[inline]
fn least_of(values: &[Cost; 9], open: u32) -> u32 {
    let mut least = Cost::INF;
    for (k, &value) in values.iter().enumerate() {
        least = if open >> k & 1 == 1 { least.min(value) } else { least };
    }
    no_more_than(values, least) & open
}

/// The places that are worth no more than this: a bit for each.
fn no_more_than(values: &[Cost; 9], most: Cost) -> u32 {
    values.iter().enumerate().fold(0, |which, (k, &value)| which | u32::from(value <= most) << k)
}

/// By diagonal direction: the two straight ones beside it.
const BETWEEN: [(usize, usize); 4] = [(0, 1), (2, 1), (0, 3), (2, 3)];

/// Where a unit would go first.
#[derive(Clone, Copy, Debug)]
pub(super) struct First {
    pub(super) place: usize,
    pub(super) value: u32,
    /// Whether it may as well stay.
    pub(super) may_stay: bool,
}

/// What one step of the units asks.
pub(super) trait Ground {
    /// The cells next to this one.
    fn around(&self, cell: u32) -> Around;

    /// How many cells are next to this one.
    fn degree(&self, cell: u32) -> usize {
        self.around(cell).cells().len()
    }

    /// What a cell is worth to a unit; 0 at its goal alone.
    fn value(&mut self, unit: u32, cell: u32) -> u32;

    /// Whether that is 0.
    fn is_home(&mut self, unit: u32, cell: u32) -> bool {
        self.value(unit, cell) == 0
    }

    /// Whether two units fill the same place, and need not pass each other.
    fn are_mates(&mut self, _unit: u32, _other: u32) -> bool {
        false
    }

    /// Whether a cell has so many ways out that two can always pass each other there.
    fn is_wide(&self, _cell: u32) -> bool {
        false
    }

    /// A cell and those around it. Somebody stands on those that are `taken`.
    fn near(&self, at: u32, taken: &Cells) -> Near;

    /// The places around a unit, its own included, that are in a set of cells: a bit for each.
    #[inline]
    fn which(&self, set: &Cells, near: &Near) -> u32 {
        near.places().fold(0, |which, k| which | u32::from(set.has(near.cells[k].raw())) << k)
    }

    /// Whether two units that meet at a move need no swap: it is part of a short ring, so that one pushes the other
    /// round, and neither wants to stay where that would bring it to.
    fn goes_round(&mut self, _units: (u32, u32), _from: u32, _to: u32) -> bool {
        false
    }

    /// Where a unit would go first: the head of its ranking, which most units need no more of. Nothing if only the whole
    /// ranking tells.
    fn first(&mut self, unit: u32, near: &Near, who: Who<'_>) -> Option<First>;

    /// Where a unit may go. Places with a bit in `closed` are left out. The best one of all is worth `least`, if that is known.
    fn rank(&mut self, unit: u32, near: &Near, closed: u32, least: Option<u32>, who: Who<'_>) -> Candidates;

    /// What one of the cells around a unit is worth to it, by its place.
    fn value_near(&mut self, unit: u32, near: &Near, place: usize) -> u32;

    /// The two other cells of the square that a diagonal move crosses.
    fn crossed(&self, from: u32, to: u32) -> Option<(u32, u32)>;

    /// The same for a move to one of the cells around a unit, if others may cross it.
    #[inline]
    fn between(&self, near: &Near, place: usize) -> Option<(u32, u32)> {
        self.crossed(near.at(), near.cells[place].raw())
    }
}

/// Breaks ties between cells of equal value, below 2^28: the same on every platform, different every tick.
pub fn tie(seed: u64, tick: u64, unit: u32, cell: u32) -> u32 {
    tie_by(salt(seed, tick, unit), NodeId::new(cell))
}

#[inline]
fn tie_by(salt: u64, cell: NodeId) -> u32 {
    (mix(salt ^ u64::from(cell.raw())) >> 36) as u32
}

/// The part of a tie's hash that does not depend on the cell.
#[inline]
pub(super) fn salt(seed: u64, tick: u64, unit: u32) -> u64 {
    mix(seed ^ (tick << 32) ^ u64::from(unit)).wrapping_add(0x9e37_79b9_7f4a_7c15)
}

/// The whole map.
#[expect(clippy::struct_excessive_bools, reason = "rules that can be switched off one by one")]
pub(super) struct MapGround<'a, W> {
    pub(super) grid: &'a Grid,
    pub(super) wishes: &'a mut W,
    pub(super) seed: u64,
    pub(super) tick: u64,
    /// Groups that are led: nobody else enters their ground.
    pub(super) clusters: Option<&'a Clusters>,
    pub(super) lanes: Option<&'a mut Lanes>,
    /// Whether diagonal moves may cross each other.
    pub(super) may_cross: bool,
    pub(super) units: &'a [Unit],
    /// What units have learned of cells that bring them no nearer.
    pub(super) lessons: &'a Lessons,
    /// Whether the swap rule keeps off rings.
    pub(super) rings: bool,
    /// Whether ties are broken by who would be hindered.
    pub(super) hindrance: bool,
    /// Whether the right one of two moves comes before the left one.
    pub(super) keeps_right: bool,
}

impl<W: Wishes> MapGround<'_, W> {
    #[inline]
    fn is_calm(&self, unit: u32) -> bool {
        self.clusters.is_some_and(|clusters| clusters.is_calm(unit, self.tick))
    }

    /// Whether a unit is at its goal where it stands.
    #[inline]
    pub(super) fn is_at_home(&mut self, unit: u32, at: u32) -> bool {
        !self.is_calm(unit) && self.wishes.is_at_home(unit, NodeId::new(at))
    }

    /// Breaks a tie between the best cells around a unit, which have a bit in `tied`, for the one in this place: below 2^28.
    #[inline]
    fn tie(&self, salt: u64, cell: NodeId, place: usize, tied: u32) -> u32 {
        let tie = tie_by(salt, cell);
        if !self.keeps_right {
            return tie;
        }
        // The four directions are counted clockwise: of two side by side, the right one comes second.
        let is_right = place < 4 && tied >> ((place + 3) & 3) & 1 == 1;
        u32::from(!is_right) << 27 | tie >> 1
    }

    /// The place that comes first for a unit: values are found out one by one, as far as they may be the least.
    fn least(&mut self, unit: u32, near: &Near, who: Who<'_>) -> First {
        let mut values = [Cost::INF; 9];
        let mut is_true = self.wishes.bounds(unit, &near.cells, near.open, &mut values);
        let salt = salt(self.seed, self.tick, unit);
        loop {
            let tied = least_of(&values, near.open);
            let least = values[tied.trailing_zeros() as usize];
            if let Some(place) = self.first_of(unit, (near, &mut values), tied, &mut is_true, salt, who) {
                return First { place, value: least.raw(), may_stay: values[OWN] == least };
            }
        }
    }

    /// The first of the cells with a bit in `tied`, whose values are equal as far as is known; nothing if all of them are
    /// worse in truth.
    #[inline]
    fn first_of(
        &mut self,
        unit: u32,
        (near, values): (&Near, &mut [Cost; 9]),
        mut tied: u32,
        is_true: &mut u32,
        salt: u64,
        who: Who<'_>,
    ) -> Option<usize> {
        let mut first = None;
        let all = tied;
        while tied != 0 {
            let mut k = tied.trailing_zeros() as usize;
            let is_only = tied.is_power_of_two() && first.is_none();
            let (mut rest, mut tie) = (if is_only { 0 } else { tied }, u32::MAX);
            while rest != 0 {
                let other = rest.trailing_zeros() as usize;
                let its = self.tie(salt, near.cells[other], other, all);
                if its < tie {
                    (k, tie) = (other, its);
                }
                rest &= rest - 1;
            }
            tied &= !(1 << k);
            let (cell, value) = (near.cells[k], values[k]);
            if *is_true >> k & 1 == 0 {
                *is_true |= 1 << k;
                values[k] = self.wishes.value_near(unit, &near.cells, k);
                if values[k] != value {
                    continue;
                }
            }
            if is_only {
                return Some(k);
            }
            let hindered = if self.hindrance { self.hindered(unit, cell, who) } else { 0 };
            if hindered == 0 {
                return Some(k);
            }
            let key = (hindered, tie);
            if first.is_none_or(|(least, _)| key < least) {
                first = Some((key, k));
            }
        }
        first.map(|(_, k)| k)
    }

    /// The places that are worth least, each of which is looked at. A unit may have learned that some are worth less.
    fn best_of(
        &mut self,
        unit: u32,
        near: &Near,
        values: &mut [Cost; 9],
        is_true: &mut u32,
        learned: &[u32; 9],
    ) -> u32 {
        loop {
            let tied = least_of(values, near.open);
            if tied & !*is_true == 0 {
                return tied;
            }
            for k in bits(tied & !*is_true) {
                values[k] = self.wishes.value_near(unit, &near.cells, k) + Cost::new(learned[k]);
            }
            *is_true |= tied;
        }
    }

    /// Those of the places with a bit in `open` that are worth least of all places, which is known.
    fn best_by(
        &mut self,
        unit: u32,
        near: &Near,
        open: u32,
        values: &mut [Cost; 9],
        is_true: &mut u32,
        least: Cost,
    ) -> u32 {
        let unsure = no_more_than(values, least) & open & !*is_true;
        for k in bits(unsure) {
            values[k] = self.wishes.value_near(unit, &near.cells, k);
        }
        *is_true |= unsure;
        // None is worth less.
        no_more_than(values, least) & open
    }

    /// How many others want to this cell next, and would be in this unit's way there.
    fn hindered(&mut self, unit: u32, cell: NodeId, who: Who<'_>) -> u32 {
        let mut count = 0;
        for edge in self.grid.succs(cell) {
            let other = who.on(edge.to.raw());
            if other != NONE && other != unit {
                count += u32::from(self.wishes.is_nearer(other, cell, edge.to));
            }
        }
        count
    }
}

impl<W: Wishes> Ground for MapGround<'_, W> {
    #[inline]
    fn around(&self, cell: u32) -> Around {
        let mut around = Around::EMPTY;
        self.grid.succs(NodeId::new(cell)).for_each(|edge| around.push(edge.to.raw()));
        around
    }

    #[inline]
    fn degree(&self, cell: u32) -> usize {
        self.grid.degree_of(NodeId::new(cell)) as usize
    }

    #[inline]
    fn value(&mut self, unit: u32, cell: u32) -> u32 {
        if self.is_calm(unit) { NONE } else { self.wishes.value(unit, NodeId::new(cell)).raw() }
    }

    #[inline]
    fn is_home(&mut self, unit: u32, cell: u32) -> bool {
        !self.is_calm(unit) && self.wishes.is_home(unit, NodeId::new(cell))
    }

    #[inline]
    fn are_mates(&mut self, unit: u32, other: u32) -> bool {
        self.wishes.are_mates(unit, other)
    }

    #[inline]
    fn is_wide(&self, cell: u32) -> bool {
        // With five moves one is diagonal. Where corners are not cut it leads to a cell with three ways out at least, and so
        // do the straight moves beside it: three that are no pockets.
        !self.grid.rules().cut_corners && self.grid.degree_of(NodeId::new(cell)) >= 5
    }

    fn goes_round(&mut self, (one, other): (u32, u32), from: u32, to: u32) -> bool {
        if self.wishes.are_mates(one, other) {
            return true;
        }
        let was_home = |unit: u32| self.units[unit as usize].best == 0;
        self.rings
            && !was_home(one)
            && !was_home(other)
            && is_on_ring(self.grid, self.grid.xy(NodeId::new(from)), self.grid.xy(NodeId::new(to)))
    }

    #[inline]
    fn near(&self, at: u32, taken: &Cells) -> Near {
        let (cells, moves) = self.grid.around(NodeId::new(at));
        let mut near = Near::new(at);
        near.cells[..OWN].copy_from_slice(&cells);
        near.busy = u32::from(taken.among(&cells, at) & moves);
        near.open |= u32::from(moves);
        if let Some(clusters) = self.clusters.filter(|clusters| clusters.holds_ground()) {
            near.open &= !u32::from(clusters.held.among(&cells, at));
        }
        near
    }

    #[inline]
    fn which(&self, set: &Cells, near: &Near) -> u32 {
        let [around @ .., _] = &near.cells;
        u32::from(set.among(around, near.at())) | u32::from(set.has(near.at())) << OWN
    }

    #[inline]
    fn first(&mut self, unit: u32, near: &Near, who: Who<'_>) -> Option<First> {
        if self.is_calm(unit) || !self.lessons.is_empty(unit) {
            return None;
        }
        let first = match self.wishes.ahead(unit, near.open) {
            Some((place, value)) => First { place, value: value.raw(), may_stay: false },
            None => self.least(unit, near, who),
        };
        let cell = near.cells[first.place].raw();
        if let Some(lanes) = &mut self.lanes
            && !lanes.is_far(cell)
        {
            return None;
        }
        Some(first)
    }

    #[inline]
    fn value_near(&mut self, unit: u32, near: &Near, place: usize) -> u32 {
        if self.is_calm(unit) {
            return NONE;
        }
        let value = self.wishes.value_near(unit, &near.cells, place);
        (value + Cost::new(self.lessons.extra(unit, near.cells[place]))).raw()
    }

    fn rank(
        &mut self,
        unit: u32,
        near: &Near,
        mut closed: u32,
        least: Option<u32>,
        who: Who<'_>,
    ) -> Candidates {
        let mut values = [Cost::INF; 9];
        let is_calm = self.is_calm(unit);
        let mut is_true = u32::MAX;
        let (mut best, mut wanted) = (0, 0);
        let mut learned = [0; 9];
        let gates = self.lanes.as_ref().is_some_and(|lanes| {
            lanes.may_be_near(near.at()) && near.places().any(|k| !lanes.is_far(near.cells[k].raw()))
        });
        if gates {
            // A lane wants to know of everybody who would enter it.
            closed = 0;
        }
        let open = near.open & !closed;
        if !is_calm {
            is_true = self.wishes.bounds(unit, &near.cells, near.open, &mut values);
            if !self.lessons.is_empty(unit) {
                wanted = self.best_of(unit, near, &mut values, &mut is_true, &learned);
                learned = self.lessons.of(unit, &near.cells);
                values.iter_mut().zip(learned).for_each(|(value, extra)| *value += Cost::new(extra));
                best = self.best_of(unit, near, &mut values, &mut is_true, &learned);
            } else if let Some(least) = least {
                // Which one is the right one depends on those that are closed, too.
                let which = if self.keeps_right { near.open } else { open };
                best = self.best_by(unit, near, which, &mut values, &mut is_true, Cost::new(least));
            } else {
                best = self.best_of(unit, near, &mut values, &mut is_true, &learned);
                wanted = best;
            }
        }
        let mut ranked = Candidates::new(open, &values, is_true, salt(self.seed, self.tick, unit));
        if wanted >> OWN & 1 == 0 && wanted != 0 {
            ranked.wanted = wanted.trailing_zeros() as u8;
        }
        if (best & open).count_ones() > 1 {
            for k in bits(best & open) {
                let hindered = if self.hindrance { self.hindered(unit, near.cells[k], who) } else { 0 };
                ranked.set_tie(k, hindered << 28 | self.tie(ranked.salt, near.cells[k], k, best));
            }
        }
        if gates && let Some(lanes) = &mut self.lanes {
            let wishes = &mut *self.wishes;
            ranked.settle_all(near, &mut |k| {
                (wishes.value_near(unit, &near.cells, k) + Cost::new(learned[k])).raw()
            });
            let value = |cell| wishes.value(unit, NodeId::new(cell)).raw();
            lanes.gate(unit, near, &mut ranked, self.grid, value);
        }
        ranked
    }

    #[inline]
    fn crossed(&self, from: u32, to: u32) -> Option<(u32, u32)> {
        if self.may_cross || self.grid.rules().neighbours == Neighbours::Four {
            return None;
        }
        let ((ax, ay), (bx, by)) = (self.grid.xy(NodeId::new(from)), self.grid.xy(NodeId::new(to)));
        if ax == bx || ay == by {
            return None;
        }
        let cell = |x, y| self.grid.node(x, y).map_or(NONE, NodeId::raw);
        Some((cell(ax, by), cell(bx, ay)))
    }

    #[inline]
    fn between(&self, near: &Near, place: usize) -> Option<(u32, u32)> {
        if !(4..OWN).contains(&place) || self.may_cross || near.busy == 0 {
            return None;
        }
        // Who stands on ground that is held may cross its way, too.
        let (a, b) = BETWEEN[place - 4];
        let is_busy = near.busy & (1 << a | 1 << b) != 0;
        is_busy.then(|| (near.cells[a].raw(), near.cells[b].raw()))
    }
}
