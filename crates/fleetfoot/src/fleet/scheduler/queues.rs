//! The queues of units that wait for searches.

use alloc::collections::VecDeque;

use crate::fleet::state::request::{Group, OrderId, Request};
use crate::fleet::state::unit::Roster;

/// All queues. Each is served first come, first served.
#[derive(Clone, Debug, Default)]
pub(crate) struct Queues {
    /// Counts the requests that were taken: queues take turns by it.
    pub(crate) taken: u32,
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

    /// Takes the next request for a short search: of units that have lost their route, and of units with a new goal, alternately.
    pub(crate) fn take_short(&mut self) -> Option<Short> {
        self.taken = self.taken.wrapping_add(1);
        let lost_first = self.taken.is_multiple_of(2);
        let lost = if lost_first || self.new.is_empty() { self.lost.pop_front() } else { None };
        lost.map(Short::Lost).or_else(|| self.new.pop_front().map(Short::New))
    }

    /// Takes the next request for a long search of a single unit. Two of four come from the stranded units, one from the preferred ones, and
    /// one from the others, if any wait there.
    pub(crate) fn take_long(&mut self) -> Option<OrderId> {
        self.taken = self.taken.wrapping_add(1);
        let Self { stranded, preferred, others, .. } = self;
        let queues = match self.taken % 4 {
            0 => [others, stranded, preferred],
            2 => [preferred, stranded, others],
            _ => [stranded, preferred, others],
        };
        queues.into_iter().find_map(VecDeque::pop_front)
    }

    /// Takes the next group of which a unit still waits, if it is the groups' turn: every second one, and always if no single unit waits.
    pub(crate) fn take_group(&mut self, roster: Roster<'_>) -> Option<Group> {
        if !self.taken.is_multiple_of(2) && !self.has_no_long() {
            return None;
        }
        while let Some(group) = self.groups.pop_front() {
            if group.is_alive(roster) {
                self.taken = self.taken.wrapping_add(1);
                return Some(group);
            }
        }
        None
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        let Self { new, lost, exact, stranded, preferred, others, unreported, .. } = self;
        let lists = [new, lost, exact, stranded, preferred, others, unreported];
        lists.iter().map(|list| list.capacity() * size_of::<OrderId>()).sum()
    }
}

impl Group {
    /// Returns `true` if any unit that has not got its route still has the order.
    pub(crate) fn is_alive(&self, roster: Roster<'_>) -> bool {
        self.units[self.next.min(self.units.len())..].iter().any(|&order| roster.is_valid(order))
    }
}
