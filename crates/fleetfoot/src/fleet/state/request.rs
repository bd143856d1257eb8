//! What state asks of later phases: searches, reports, and new costs.

use alloc::vec::Vec;

use crate::fleet::types::Event;
use crate::id::NodeId;

/// A unit and the count of its orders. It is void as soon as the unit has another order.
pub(crate) type OrderId = (u32, u32);

/// Units that were sent to one goal and wait for one search from there.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) team: u16,
    pub(crate) centre: NodeId,
    pub(crate) units: Vec<OrderId>,
    /// The index of the next unit that gets its route.
    pub(crate) next: usize,
}

/// A request to a later phase.
#[derive(Clone, Debug)]
pub(crate) enum Request {
    /// A short search, for a unit with a new goal.
    Route(OrderId),
    /// A long search; `true` if the unit is preferred.
    WholeRoute(OrderId, bool),
    /// A short search back to the first point of the unit's route, which it does not see.
    Return(OrderId),
    /// A long search before those of most others: the unit stays where it is without a route.
    Stranded(OrderId),
    /// One search for many units.
    GroupRoutes(Group),
    /// A route by the search that serves the unit's team from this cell: it joins the group that waits for it, if there is one.
    JoinGroup(OrderId, u16, NodeId),
    /// An event that says that the goal is out of reach, or that the unit is buried.
    Report(OrderId),
    /// The unit has another goal or route: its costs and its progress start afresh.
    Renew(u32),
    /// The unit has another route to the same goal: its costs are computed again.
    Recost(u32),
}

/// What state passes on to later phases.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outbox {
    /// Taken by the phase that is under way as soon as the unit at hand is done.
    pub(crate) requests: Vec<Request>,
    /// What has happened in this tick.
    pub(crate) events: Vec<Event>,
}

impl Outbox {
    /// Adds a request.
    #[inline]
    pub(crate) fn ask(&mut self, request: Request) {
        self.requests.push(request);
    }

    /// Adds an event.
    #[inline]
    pub(crate) fn report(&mut self, event: Event) {
        self.events.push(event);
    }
}
