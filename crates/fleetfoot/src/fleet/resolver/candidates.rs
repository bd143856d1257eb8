//! The cells that a unit may go to next, in order of their costs.

use crate::fleet::cell_set::NONE;
use crate::fleet::resolver::costs::NeighborCosts;
use crate::fleet::resolver::neighbors::{Neighbors, OWN, bits, tie_by};
use crate::id::Cost;

/// The cells that a unit may go to next, its own included, by place. They are put in order one by one, as far as they are asked for. Until
/// then their costs may be lower bounds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidates {
    /// Their costs. Infinite for removed ones.
    costs: NeighborCosts,
    /// A bit for each remaining one.
    left: u32,
    /// By what ties are broken: these numbers where there is a bit in `has_tie`, a hash elsewhere.
    ties: [u32; 9],
    has_tie: u32,
    pub(crate) salt: u64,
    /// The remaining candidates, best first. Set by `settle_all`.
    order: Option<Order>,
    /// The place that the unit wants most, whatever it has learned: its own if no other is better. Known beforehand if the lowest cost is.
    pub(crate) wanted: u8,
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
    pub(crate) const EMPTY: Self = Self {
        costs: NeighborCosts::NONE,
        left: 0,
        ties: [0; 9],
        has_tie: 0,
        salt: 0,
        order: None,
        wanted: OWN as u8,
    };

    /// Returns candidates for the places with a bit in `open`.
    #[inline]
    pub(crate) fn new(open: u32, costs: &NeighborCosts, salt: u64) -> Self {
        let mut all = Self { left: open, costs: *costs, salt, ..Self::EMPTY };
        for (k, cost) in all.costs.lower.iter_mut().enumerate() {
            *cost = if open >> k & 1 == 1 { *cost } else { Cost::INF };
        }
        all
    }

    /// Sets the number by which a place is ordered among those of equal cost.
    pub(crate) fn set_tie(&mut self, place: usize, tie: u32) {
        self.ties[place] = tie;
        self.has_tie |= 1 << place;
    }

    /// Returns the best remaining place. `find_out` returns the cost of a place.
    pub(crate) fn best(&mut self, near: &Neighbors, find_out: &mut dyn FnMut(usize) -> u32) -> Option<usize> {
        if let Some(order) = &mut self.order {
            return order.places().first().map(|&place| place as usize);
        }
        if self.left == 0 {
            return None;
        }
        loop {
            let (mut k, mut least, mut are_tied) = (0, NONE, false);
            for (place, &value) in self.costs.lower.iter().enumerate() {
                let value = value.raw();
                are_tied = value == least || are_tied && value > least;
                (k, least) = if value < least { (place, value) } else { (k, least) };
            }
            if are_tied || least == NONE {
                let mut first = u64::MAX;
                for place in bits(self.left).filter(|&place| self.costs.lower[place].raw() == least) {
                    let has_tie = self.has_tie >> place & 1 == 1;
                    let tie = if has_tie { self.ties[place] } else { tie_by(self.salt, near.cells[place]) };
                    if u64::from(tie) < first {
                        (k, first) = (place, u64::from(tie));
                    }
                }
            }
            if self.costs.is_exact(k) {
                return Some(k);
            }
            self.costs.set(k, Cost::new(find_out(k)));
        }
    }

    /// Removes the best remaining place, and returns it with its cost.
    pub(crate) fn next(
        &mut self,
        near: &Neighbors,
        find_out: &mut dyn FnMut(usize) -> u32,
    ) -> Option<(usize, u32)> {
        let place = self.best(near, find_out)?;
        let worth = self.costs.lower[place].raw();
        self.remove(place);
        Some((place, worth))
    }

    /// Puts all of them in order. This is rare, so it is not a generic function.
    pub(crate) fn settle_all(&mut self, near: &Neighbors, find_out: &mut dyn FnMut(usize) -> u32) {
        let mut rest = *self;
        let mut order = Order { places: [0; 9], len: 0 };
        while let Some((place, worth)) = rest.next(near, find_out) {
            self.costs.lower[place] = Cost::new(worth);
            order.places[order.len as usize] = place as u8;
            order.len += 1;
        }
        (self.costs.exact, self.order) = (u32::MAX, Some(order));
    }

    /// Removes a place, if it is among them.
    #[inline]
    pub(crate) fn remove(&mut self, place: usize) {
        self.left &= !(1 << place);
        if let Some(order) = &mut self.order {
            if let Some(k) = order.position(place) {
                order.places()[k..].rotate_left(1);
                order.len -= 1;
            }
        } else {
            self.costs.lower[place] = Cost::INF;
        }
    }

    /// Removes the places with a bit in `which`, so that they are not examined. Does nothing if all are in order, since they have been.
    #[inline]
    pub(crate) fn leave(&mut self, which: u32) {
        if self.order.is_none() {
            bits(which & self.left).for_each(|place| self.costs.lower[place] = Cost::INF);
            self.left &= !which;
        }
    }

    /// Moves a place behind all others, which are in order.
    pub(crate) fn put_last(&mut self, place: usize) {
        if let Some(order) = &mut self.order
            && let Some(k) = order.position(place)
        {
            order.places()[k..].rotate_left(1);
        }
    }

    /// Reverses the order for the swap rule: worst first.
    pub(crate) fn reverse(&mut self) {
        if let Some(order) = &mut self.order {
            order.places().reverse();
        }
    }

    /// Returns the k-th place in order, with its cost.
    pub(crate) fn get(&self, k: usize) -> Option<(usize, u32)> {
        let order = self.order.as_ref()?;
        let place = *order.places[..order.len as usize].get(k)? as usize;
        Some((place, self.costs.lower[place].raw()))
    }
}
