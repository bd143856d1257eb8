//! The swap rule (Okumura's `LaCAM*`): two units that meet head-on in a passage too narrow to pass walk back to a place where they can.
//! The unit that blocks retreats and pulls the other along.

use crate::fleet::cell_set::NONE;
use crate::fleet::resolver::ground::Ground;
use crate::fleet::resolver::neighbors::{Neighbors, bits};
use crate::fleet::resolver::pibt::Pibt;

/// Maximum length of a walk along a passage, so that a unit's plan costs O(1). Where a walk ends early, the last cells decide; the units come
/// nearer and are examined again.
pub const LONGEST_WALK: u32 = 64;

/// How a passage continues.
enum Onward {
    /// It forks: two units can pass here.
    Forks,
    /// It continues by this cell alone.
    To(u32),
    /// It ends.
    Ends,
}

impl Pibt {
    /// Returns the unit that `unit`, which would go to `best`, has to pull along; [`NONE`] if it needs no swap.
    pub(crate) fn partner(&self, ground: &mut impl Ground, unit: u32, best: u32, near: &Neighbors) -> u32 {
        let at = near.at();
        // A unit that stays needs no swap, and neither do units that can pass each other: no costs are asked for.
        if best == at || ground.is_wide(best) || matches!(self.onward(ground, at, best), Onward::Forks) {
            return NONE;
        }
        let there = self.now_on[best as usize];
        if there != NONE
            && !self.is_planned(there)
            && self.is_required(ground, (unit, at), (there, best))
            && self.is_possible(ground, best, at)
            && !ground.is_ring_move((unit, there), at, best)
        {
            return there;
        }
        for cell in bits(near.busy).map(|k| near.cells[k].raw()).filter(|&cell| cell != best) {
            let behind = self.now_on[cell as usize];
            // A unit behind must pass this one, which gives way although its own cell ahead is free.
            if self.is_required(ground, (behind, at), (unit, best))
                && self.is_possible(ground, best, at)
                && !ground.is_ring_move((unit, behind), at, best)
            {
                return behind;
            }
        }
        NONE
    }

    /// Returns `true` if the pusher wants to go on through the passage, and the puller wants to come back through it.
    ///
    /// The textbook asks for the values of cells that may lie far from both units. Where these may be wrong
    /// ([`Pibt::steady`]), a unit is taken to want the same way all along a passage without forks, until it is at home.
    fn is_required(&self, ground: &mut impl Ground, pusher: (u32, u32), puller: (u32, u32)) -> bool {
        let ((pusher, mut a), (puller, mut b)) = (pusher, puller);
        if !ground.is_home(pusher, a) && !nearer(ground, pusher, b, a) {
            return false;
        }
        let mut wants_back = nearer(ground, puller, a, b);
        for _ in 0..LONGEST_WALK {
            let stops = if self.steady { ground.is_home(pusher, a) } else { !nearer(ground, pusher, b, a) };
            if stops {
                break;
            }
            match self.onward_for(ground, if self.steady { pusher } else { NONE }, a, b) {
                Onward::Forks => return false,
                Onward::Ends => break,
                Onward::To(next) => {
                    // A unit that is pushed past its home wants back from there on.
                    wants_back |= ground.is_home(puller, b);
                    (a, b) = (b, next);
                }
            }
        }
        if self.steady {
            return wants_back && !ground.is_home(puller, b);
        }
        nearer(ground, puller, a, b) && (ground.is_home(pusher, a) || nearer(ground, pusher, b, a))
    }

    /// Returns `true` if there is a place to pass behind the pusher.
    fn is_possible(&self, ground: &mut impl Ground, from: u32, to: u32) -> bool {
        let (mut a, mut b) = (from, to);
        for _ in 0..LONGEST_WALK {
            if b == from {
                return false;
            }
            match self.onward(ground, a, b) {
                Onward::Forks => return true,
                Onward::Ends => return false,
                Onward::To(next) => (a, b) = (b, next),
            }
        }
        true
    }

    fn onward(&self, ground: &mut impl Ground, from: u32, cell: u32) -> Onward {
        self.onward_for(ground, NONE, from, cell)
    }

    /// Returns how a passage goes on for a unit: a dead end is no pocket to a unit whose goal it is.
    fn onward_for(&self, ground: &mut impl Ground, unit: u32, from: u32, cell: u32) -> Onward {
        let mut onward = Onward::Ends;
        for &next in ground.around(cell).cells() {
            if next == from {
                continue;
            }
            if self.is_closed_pocket(ground, next) && (unit == NONE || !ground.is_home(unit, next)) {
                continue;
            }
            onward = match onward {
                Onward::Ends => Onward::To(next),
                _ => return Onward::Forks,
            };
        }
        onward
    }

    /// Returns `true` if a cell is a dead end in which no unit can wait while another one passes.
    fn is_closed_pocket(&self, ground: &mut impl Ground, cell: u32) -> bool {
        if ground.degree(cell) != 1 {
            return false;
        }
        let who = self.now_on[cell as usize];
        who != NONE && (self.empty_pockets || ground.value(who, cell) == 0)
    }
}

/// Returns `true` if a cell costs a unit less than another one.
fn nearer(ground: &mut impl Ground, unit: u32, cell: u32, than: u32) -> bool {
    ground.value(unit, cell) < ground.value(unit, than)
}
