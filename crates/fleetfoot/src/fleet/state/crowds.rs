//! Crowds: units that were sent to one place, and how they fill the cells around it.
//!
//! An order for many gives every unit a cell around the middle, and these cells are the slots of a crowd. It does not matter on which of
//! them a unit ends. Close to the middle units therefore do not insist on their own:
//!
//! - A unit that has not settled goes to the best slot without a settled unit: a near one, but rather a farther one that lies nearer to the
//!   middle. It settles if there is no better one. The slot is its goal from then on, and the unit whose goal it was takes over the other's.
//! - A unit that has settled, and is pushed by one of the crowd, makes room towards the best free slot, and only on slots. So a whole
//!   line moves as one, and no unit is driven out.
//! - Where slots of other crowds lie between those of this one, better slots often lie behind units that stay. There, a unit outside goes to
//!   the nearest free slot, and a unit on a slot continues over slots that lie nearer to the middle while there are any next to it.
//!
//! So a crowd fills from the middle, about as fast as its entrances let units through, and settled units block no others.
//! It matters that all arriving units continue inwards: where the middle lies behind a narrow passage, that passage takes longest, so units have to
//! pass it from the beginning. When each took the nearest slot, the ground before such a passage was filled first, and the one behind it last.
//!
//! How far it is to the middle is found out once, to the best slot left again and again, by searches over the ground of the
//! crowd that go on from tick to tick within the budget. These keep off walls: a line that touches both sides of a passage
//! leaves no room for another line next to it.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::fleet::cell_set::NONE;
use crate::fleet::knowledge::same_as;
use crate::fleet::knowledge::team::Team;
use crate::fleet::state::crowd::Crowd;
use crate::fleet::state::crowd_work::CrowdWork;
use crate::fleet::state::ground::FAR;
use crate::fleet::state::unit::{Unit, UnitDetails};
use crate::id::NodeId;

/// All crowds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Crowds {
    /// Crowds without members are free to be used again.
    pub(crate) all: Vec<Crowd>,
    pub(crate) free: Vec<u32>,
    pub(crate) by_middle: BTreeMap<(u16, NodeId), u32>,
    /// The crowd that is searched next.
    pub(crate) next: u32,
    /// The work on one of them.
    pub(crate) work: CrowdWork,
}

impl Crowds {
    /// Returns the crowd of a team around a cell. Teams that know the same share one.
    pub(crate) fn find(&mut self, team: u16, middle: NodeId) -> u32 {
        let Self { all, free, by_middle, .. } = self;
        *by_middle.entry((team, middle)).or_insert_with(|| {
            let number = free.pop().unwrap_or(all.len() as u32);
            if number as usize == all.len() {
                all.push(Crowd::new(team, middle));
            } else {
                all[number as usize] = Crowd::new(team, middle);
            }
            number
        })
    }

    /// Dissolves a crowd, and returns its former members.
    pub(crate) fn dissolve(&mut self, id: u32) -> Vec<u32> {
        let crowd = core::mem::replace(&mut self.all[id as usize], Crowd::new(0, NodeId::NONE));
        self.by_middle.remove(&(crowd.team, crowd.middle));
        self.work.drop_crowd(id);
        self.free.push(id);
        crowd.members
    }

    /// Returns the crowd of a unit and its place on the crowd's ground, if the crowd leads it. A unit without a free slot that it can reach
    /// follows its own route.
    pub(crate) fn place(&self, unit: &Unit) -> Option<(&Crowd, usize)> {
        let crowd = self.all.get(unit.crowd as usize).filter(|crowd| !crowd.insists)?;
        let k = crowd.spot(unit.at)?;
        let spot = &crowd.ground.spots[k];
        (spot.is_slot() || spot.gap != FAR).then_some((crowd, k))
    }

    /// Returns `true` if a unit is led by its crowd.
    #[inline]
    pub(crate) fn leads(&self, unit: &Unit) -> bool {
        unit.crowd != NONE && self.place(unit).is_some()
    }

    /// Returns `true` if a settled unit is still settled after it was brought to this cell.
    pub(crate) fn is_slot(&self, unit: &Unit, n: NodeId) -> bool {
        let crowd = self.all.get(unit.crowd as usize).filter(|crowd| !crowd.insists);
        crowd.is_some_and(|crowd| crowd.spot(n).is_some_and(|k| crowd.ground.spots[k].is_slot()))
    }

    /// Returns `true` if two units belong to the same crowd, and do not insist on their goals.
    #[inline]
    pub(crate) fn share_crowd(&self, unit: &Unit, other: &Unit) -> bool {
        unit.crowd != NONE && unit.crowd == other.crowd && !self.all[unit.crowd as usize].insists
    }

    /// Updates the crowd of a unit that has moved.
    pub(crate) fn moved(&mut self, number: u32, crowd: u32, from: NodeId, to: NodeId) {
        let crowd = &mut self.all[crowd as usize];
        crowd.quit(number, from);
        crowd.enter(number, to);
    }

    /// Returns the middle of a unit's crowd.
    pub(crate) fn middle(&self, unit: &Unit) -> Option<NodeId> {
        self.all.get(unit.crowd as usize).map(|crowd| crowd.middle)
    }

    /// Puts a crowd's members back in their saved places.
    pub(crate) fn restore(&mut self, units: &[Unit], details: &[UnitDetails], teams: &[Team]) -> bool {
        for (number, unit) in units.iter().enumerate().filter(|(_, unit)| unit.crowd != NONE) {
            let team = same_as(teams, unit.team);
            let crowd = self.all.get_mut(unit.crowd as usize).filter(|crowd| crowd.team == team);
            let Some(crowd) = crowd else { return false };
            crowd.members.push(number as u32);
            crowd.settled += usize::from(unit.is_settled);
            crowd.own(number as u32, unit);
            crowd.enter(number as u32, unit.at);
        }
        // Work under way has come to one of their seats.
        for crowd in &mut self.all {
            crowd.members.sort_unstable_by_key(|&unit| details[unit as usize].seat);
            if !(0..).zip(&crowd.members).all(|(seat, &unit)| details[unit as usize].seat == seat) {
                return false;
            }
        }
        for (number, crowd) in self.all.iter().enumerate().filter(|(_, crowd)| !crowd.members.is_empty()) {
            self.by_middle.insert((crowd.team, crowd.middle), number as u32);
        }
        let is_free = |crowd: &Crowd| crowd.members.is_empty();
        let free = self.all.iter().filter(|crowd| is_free(crowd)).count();
        let mut known = self.free.clone();
        known.sort_unstable();
        known.dedup();
        free == self.free.len()
            && known.len() == free
            && known.iter().all(|&k| self.all.get(k as usize).is_some_and(is_free))
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        let all = self.all.capacity() * size_of::<Crowd>() + 32 * self.by_middle.len();
        all + self.all.iter().map(Crowd::memory_bytes).sum::<usize>()
            + 4 * self.work.queues.iter().map(Vec::capacity).sum::<usize>()
    }
}
