//! One crowd: its members, their ground around the middle, and which of them have settled.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::fleet::cell_set::NONE;
use crate::fleet::state::ground::{Ground, SLOPE, Spot};
use crate::fleet::state::unit::Unit;
use crate::id::NodeId;

/// Minimum number of cells of a crowd's ground around its slots, in addition to half the number of slots.
const MARGIN: usize = 64;
/// Number of cells that are searched for slots that lie apart, in addition to four for each unit.
const MOST_APART: usize = 1024;

/// Units of a team, or of teams that know the same, that were sent to one place.
#[derive(Clone, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each says one thing of the crowd, and they are independent"
)]
pub(crate) struct Crowd {
    pub(crate) team: u16,
    pub(crate) middle: NodeId,
    /// Where slots are searched while the middle is blocked, if that was needed so far.
    pub(crate) entry: NodeId,
    pub(crate) members: Vec<u32>,
    /// The number of members that have settled.
    pub(crate) settled: usize,
    /// The ground as members use it, and the next one while it is made.
    pub(crate) ground: Ground,
    pub(crate) draft: Option<Box<Ground>>,
    /// The length of the log of what the team knows of the map when the ground was made, or found to be the same.
    pub(crate) as_of: u64,
    /// Whether the ground must be made, or made again.
    pub(crate) is_void: bool,
    /// Whether some slots lie so far from the middle that it takes more ground.
    pub(crate) lies_apart: bool,
    /// Whether the settled units differ from those at the last search for gaps.
    pub(crate) is_stale: bool,
    /// The maximum number that had settled at one time, and the tick of that.
    pub(crate) most: u32,
    pub(crate) gained: u64,
    /// Whether its units insist on their goals for now.
    pub(crate) insists: bool,
}

impl Crowd {
    pub(crate) fn new(team: u16, middle: NodeId) -> Self {
        Self {
            team,
            middle,
            entry: NodeId::NONE,
            members: Vec::new(),
            settled: 0,
            ground: Ground::default(),
            draft: None,
            as_of: 0,
            is_void: true,
            lies_apart: false,
            is_stale: false,
            most: 0,
            gained: 0,
            insists: false,
        }
    }

    /// Returns the index of a cell among the spots.
    pub(crate) fn spot(&self, n: NodeId) -> Option<usize> {
        self.ground.spot(n)
    }

    /// Returns `true` if a cell is a spot, or will be one.
    pub(crate) fn has_spot(&self, n: NodeId) -> bool {
        self.spot(n).is_some() || self.draft.as_ref().is_some_and(|draft| draft.spot(n).is_some())
    }

    /// Returns the maximum number of cells of the ground.
    pub(crate) fn most_spots(&self) -> usize {
        let slots = self.members.len();
        if self.lies_apart { 4 * slots + MOST_APART } else { slots + slots / 2 + MARGIN }
    }

    /// Returns `true` if a unit on a slot could go on to one that is nearer to the middle, or will be able to.
    pub(crate) fn goes_on(&self, k: usize) -> bool {
        let (here, spots) = (&self.ground.spots[k], &self.ground.spots);
        if self.ground.is_compact {
            return here.gap < here.drawback(SLOPE);
        }
        let mut around = here.near.iter().filter_map(|&there| spots.get(there as usize));
        around.any(|spot| spot.is_left() && spot.depth < here.depth)
    }

    /// Changes what is known of a cell, on the ground and on the next one while that is made.
    fn change(&mut self, n: NodeId, change: impl Fn(&mut Spot)) {
        for ground in [Some(&mut self.ground), self.draft.as_deref_mut()].into_iter().flatten() {
            if let Some(k) = ground.spot(n) {
                change(&mut ground.spots[k]);
            }
        }
    }

    /// A member is on a cell.
    pub(crate) fn enter(&mut self, number: u32, at: NodeId) {
        self.change(at, |spot| spot.who = number);
    }

    /// A member has left a cell.
    pub(crate) fn quit(&mut self, number: u32, from: NodeId) {
        self.change(from, |spot| {
            if spot.who == number {
                spot.who = NONE;
            }
        });
    }

    /// Notes whose slot a member's goal is, and whether it has settled there.
    pub(crate) fn own(&mut self, number: u32, unit: &Unit) {
        self.change(unit.goal, |spot| (spot.owner, spot.is_settled) = (number, unit.is_settled));
    }

    /// Notes that a cell is no slot of a member any more.
    pub(crate) fn disown(&mut self, number: u32, goal: NodeId) {
        self.change(goal, |spot| {
            if spot.owner == number {
                (spot.owner, spot.is_settled) = (NONE, false);
            }
        });
    }

    /// Notes that a member which had settled on its slot has left it.
    pub(crate) fn vacate(&mut self, number: u32, slot: NodeId) {
        self.change(slot, |spot| {
            if spot.owner == number {
                spot.is_settled = false;
            }
        });
    }

    /// Notes that a member has settled on a slot, and that the slot's owner has the member's old one now. Returns that owner.
    pub(crate) fn settle(&mut self, number: u32, at: NodeId, old: NodeId) -> u32 {
        let other = self.spot(at).map_or(NONE, |k| self.ground.spots[k].owner);
        self.change(at, |spot| (spot.owner, spot.is_settled) = (number, true));
        if other != number {
            self.change(old, |spot| spot.owner = other);
        }
        other
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        let draft = self.draft.as_ref().map_or(0, |draft| draft.memory_bytes());
        4 * self.members.capacity() + self.ground.memory_bytes() + draft
    }
}
