//! The queues of units that wait for searches.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use crate::fleet::state::request::{Group, OrderId, Request};
use crate::fleet::state::unit::Roster;
use crate::fleet::types::UnitStatus;

/// Maximum number of groups at the end of the queue that are looked at for one to join: units that wait for one search ask soon after each
/// other.
const GROUPS_TO_JOIN: usize = 64;

/// How many requests were taken at each choice between queues. Each choice has a count of its own: else what is taken at one would decide
/// whose turn it is at another.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Turns {
    /// Short searches: of units with new goals, or that have lost sight of their routes.
    pub(crate) short: u32,
    /// Long searches: of groups, or of single units.
    pub(crate) long: u32,
    /// Long searches of single units: stranded, preferred, others.
    pub(crate) single: u32,
}

/// All queues. Each is served first come, first served.
#[derive(Clone, Debug, Default)]
pub(crate) struct Queues {
    pub(crate) turns: Turns,
    /// Units that have a new goal.
    pub(crate) new: VecDeque<OrderId>,
    /// Units that have lost sight of their route.
    pub(crate) lost: VecDeque<OrderId>,
    /// Units that wait for a row of distances, which takes longer than a short search.
    pub(crate) exact: VecDeque<OrderId>,
    /// Units that wait for a long search: those that cannot even set out without it, preferred ones, and the others.
    pub(crate) stranded: VecDeque<OrderId>,
    pub(crate) preferred: VecDeque<OrderId>,
    pub(crate) others: VecDeque<OrderId>,
    /// Groups that wait for one search.
    pub(crate) groups: VecDeque<Group>,
    /// Units that are out of reach of their goals or buried, and wait for a report.
    pub(crate) unreported: VecDeque<OrderId>,
    /// Smaller groups are served one by one.
    pub(crate) least_group: usize,
}

/// A request for a long search that was taken from its queue.
pub(crate) enum Long {
    /// For a group.
    Group(Group),
    /// For a single unit.
    Single(OrderId),
}

/// A request for a short search that was taken from its queue.
pub(crate) enum Short {
    /// For a unit that has a new goal.
    New(OrderId),
    /// For a unit that has lost sight of its route.
    Lost(OrderId),
}

impl Queues {
    /// Puts a request for a search or a report into its queue.
    pub(crate) fn put(&mut self, request: Request) {
        match request {
            Request::Route(order) => self.new.push_back(order),
            Request::WholeRoute(order, true) => self.preferred.push_back(order),
            Request::WholeRoute(order, false) => self.others.push_back(order),
            Request::Return(order) => self.lost.push_back(order),
            Request::Stranded(order) => self.stranded.push_back(order),
            Request::GroupRoutes(group) => self.groups.push_back(group),
            Request::JoinGroup(order, team, centre) => {
                let mut last = self.groups.iter_mut().rev().take(GROUPS_TO_JOIN);
                match last.find(|group| group.team == team && group.centre == centre) {
                    Some(group) => group.units.push(order),
                    None => {
                        self.groups.push_back(Group { team, centre, units: Vec::from([order]), next: 0 });
                    }
                }
            }
            Request::Report(order) => self.unreported.push_back(order),
            Request::Renew(_) | Request::Recost(_) => {}
        }
    }

    /// Returns `true` if no unit waits for a long search.
    pub(crate) fn has_no_long(&self) -> bool {
        [&self.stranded, &self.preferred, &self.others].iter().all(|queue| queue.is_empty())
    }

    /// Returns the number of units that wait for a long search.
    pub(crate) fn waiting(&self) -> usize {
        self.stranded.len() + self.preferred.len() + self.others.len()
    }

    /// Takes the next request for a short search that is still awaited: of units that have lost their route, and of units with a new goal,
    /// alternately.
    pub(crate) fn take_short(&mut self, roster: Roster<'_>) -> Option<Short> {
        drop_void(&mut self.lost, roster);
        drop_void(&mut self.new, roster);
        let is_lost = self.new.is_empty() || !self.turns.short.is_multiple_of(2) && !self.lost.is_empty();
        let queue = if is_lost { &mut self.lost } else { &mut self.new };
        let order = queue.pop_front()?;
        self.turns.short = self.turns.short.wrapping_add(1);
        Some(if is_lost { Short::Lost(order) } else { Short::New(order) })
    }

    /// Takes the next request for a long search that is still awaited: of groups and of single units, alternately. Of four single units, two
    /// are stranded, one is preferred, and one is another. A queue in which no unit waits passes its turn on.
    ///
    /// So of any eight requests that are taken while a unit waits in a queue, at least one is from that queue. (One of two is for a single
    /// unit, and of any four of these at least one is from each queue with a unit in it. Requests that are void are not counted.) The first
    /// in the queue is taken: a unit behind k others has its turn with the 8 · (k + 1)-th request at the latest.
    pub(crate) fn take_long(&mut self, roster: Roster<'_>) -> Option<Long> {
        self.split_small_groups(roster);
        let Self { turns, stranded, preferred, others, groups, .. } = self;
        let mut queues = match turns.single % 4 {
            0 | 2 => [stranded, preferred, others],
            1 => [preferred, stranded, others],
            _ => [others, stranded, preferred],
        };
        for queue in &mut queues {
            drop_void(queue, roster);
        }
        let single = queues.into_iter().find(|queue| !queue.is_empty());
        let taken = match single {
            Some(queue) if groups.is_empty() || !turns.long.is_multiple_of(2) => {
                turns.single = turns.single.wrapping_add(1);
                queue.pop_front().map(Long::Single)
            }
            _ => groups.pop_front().map(Long::Group),
        };
        turns.long = turns.long.wrapping_add(u32::from(taken.is_some()));
        taken
    }

    /// Drops groups from the front of the queue that no unit waits for any more. Units of groups that are too small for a search of their own
    /// join the queues of single units.
    fn split_small_groups(&mut self, roster: Roster<'_>) {
        while let Some(group) = self.groups.front() {
            let waiting = group.units.iter().filter(|&&order| roster.is_awaited(order));
            let least = self.least_group.max(1);
            if waiting.take(least).count() == least {
                return;
            }
            let Some(group) = self.groups.pop_front() else { return };
            for order in group.units.into_iter().filter(|&order| roster.is_awaited(order)) {
                let is_preferred = roster.details[order.0 as usize].is_preferred;
                self.put(if roster.unit(order).status == UnitStatus::Seeking {
                    Request::Route(order)
                } else {
                    Request::WholeRoute(order, is_preferred)
                });
            }
        }
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        let Self { new, lost, exact, stranded, preferred, others, unreported, .. } = self;
        let lists = [new, lost, exact, stranded, preferred, others, unreported];
        lists.iter().map(|list| list.capacity() * size_of::<OrderId>()).sum()
    }
}

/// Drops requests from the front of a queue that no unit waits for any more.
fn drop_void(queue: &mut VecDeque<OrderId>, roster: Roster<'_>) {
    while queue.front().is_some_and(|&order| !roster.is_awaited(order)) {
        queue.pop_front();
    }
}

impl Group {
    /// Returns `true` if any unit that has not got its route still has the order.
    pub(crate) fn is_alive(&self, roster: Roster<'_>) -> bool {
        self.units[self.next.min(self.units.len())..].iter().any(|&order| roster.is_valid(order))
    }
}

#[cfg(test)]
mod tests;
