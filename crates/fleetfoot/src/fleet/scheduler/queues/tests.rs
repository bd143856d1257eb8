//! Queues take turns: whatever else is asked for, a request has its turn in time.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::*;
use crate::fleet::state::unit::{RouteState, Unit, UnitDetails};
use crate::id::NodeId;

/// Units of which each has asked for a search once.
#[derive(Default)]
struct Units {
    units: Vec<Unit>,
    details: Vec<UnitDetails>,
}

impl Units {
    /// Adds a unit that waits for a search.
    fn add(&mut self) -> OrderId {
        self.units.push(Unit { is_there: true, route_state: RouteState::Queued, ..Unit::NEW });
        self.details.push(UnitDetails::NEW);
        (self.units.len() as u32 - 1, 0)
    }

    fn roster(&self) -> Roster<'_> {
        Roster { units: &self.units, details: &self.details }
    }
}

/// A random number below `n`.
fn draw(state: &mut u64, n: u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) % n
}

#[test]
fn a_unit_behind_k_others_is_among_the_next_eight_times_k_plus_one() {
    for seed in 0..200 {
        let rng = &mut (seed * 7919 + 1);
        let (mut units, mut queues) = (Units::default(), Queues::default());
        // By unit that waits for a long search: how many requests may be taken until it has its turn.
        let mut left: BTreeMap<OrderId, u64> = BTreeMap::new();
        let kinds = [1 + draw(rng, 5), 1 + draw(rng, 5), 1 + draw(rng, 5), draw(rng, 3), draw(rng, 6)];
        let sum: u64 = kinds.iter().sum();
        for _ in 0..400 {
            let mut kind = draw(rng, sum);
            let kind = kinds.iter().position(|&share| {
                let is_this = kind < share;
                kind = kind.saturating_sub(share);
                is_this
            });
            let order = units.add();
            let waiting = |queue: &VecDeque<OrderId>| {
                queue.iter().filter(|&&order| units.roster().is_awaited(order)).count() as u64
            };
            let (behind, request) = match kind {
                Some(0) => (Some(waiting(&queues.stranded)), Request::Stranded(order)),
                Some(1) => (Some(waiting(&queues.preferred)), Request::WholeRoute(order, true)),
                Some(2) => (Some(waiting(&queues.others)), Request::WholeRoute(order, false)),
                Some(3) => {
                    let group = Group { team: 0, centre: NodeId::new(0), units: Vec::from([order]), next: 0 };
                    (None, Request::GroupRoutes(group))
                }
                _ => (None, Request::Route(order)),
            };
            queues.put(request);
            left.extend(behind.map(|k| (order, 8 * (k + 1))));
            if draw(rng, 9) == 0 {
                // Another unit needs its search no more.
                let number = draw(rng, units.units.len() as u64) as usize;
                units.units[number].route_state = RouteState::Whole;
                left.remove(&(number as u32, 0));
            }
            for _ in 0..draw(rng, 3) {
                queues.take_short(units.roster());
            }
            if draw(rng, 4) > 0
                && let Some(taken) = queues.take_long(units.roster())
            {
                if let Long::Single(order) = taken {
                    left.remove(&order).expect("it was awaited");
                    units.units[order.0 as usize].route_state = RouteState::Whole;
                }
                for (order, left) in &mut left {
                    *left -= 1;
                    assert!(*left > 0, "seed {seed}: unit {order:?} has waited too long");
                }
            }
        }
    }
}
