//! Smaller cases that fail in the same manner.

use std::ops::Range;
use std::time::{Duration, Instant};

use crate::case::{AgentCase, Case, FleetCase, IndexKind, Kind, MapKind};
use crate::fault::Fault;
use crate::judges::ground::Moves;

/// Returns the smallest case found within `time` that fails with a fault of the same kind, and its fault. `judge` runs a case.
pub fn smallest(
    case: &Case,
    fault: Fault,
    time: Duration,
    judge: impl Fn(&Case) -> Option<Fault>,
) -> (Case, Fault) {
    let begun = Instant::now();
    let mut best = (case.clone(), fault);
    loop {
        let smaller = candidates(&best.0, &best.1).into_iter().find_map(|smaller| {
            if begun.elapsed() > time {
                return None;
            }
            let fault = judge(&smaller).filter(|fault| fault.kind == best.1.kind)?;
            Some((smaller, fault))
        });
        match smaller {
            Some(smaller) => best = smaller,
            None => return best,
        }
    }
}

/// Returns the cases that are a bit smaller, the smallest first.
fn candidates(case: &Case, fault: &Fault) -> Vec<Case> {
    let mut all = Vec::new();
    let mut offer = |change: &dyn Fn(&mut Case)| {
        let mut smaller = case.clone();
        change(&mut smaller);
        if smaller != *case {
            all.push(smaller);
        }
    };
    // Nothing after the fault is needed, unless the end is what was judged.
    if matches!(case.kind, Kind::Fleet(_)) && fault.kind != "end" && fault.kind != "panic" {
        offer(&|case| case.ticks = case.ticks.min(fault.tick + 1));
    }
    for k in 0..5 {
        for part in parts(&range_of(case, k)) {
            offer(&|case| *range_mut(case, k) = part.clone());
        }
    }
    offer(&|case| case.ticks /= 2);
    for (width, height) in [(2, 2), (1, 2), (2, 1)] {
        offer(&|case| {
            let (old_width, old_height) = case.world.size;
            case.world.size = ((old_width / width).max(1), (old_height / height).max(1));
        });
    }
    offer(&|case| case.world.size.0 = (case.world.size.0 - 1).max(1));
    offer(&|case| case.world.size.1 = (case.world.size.1 - 1).max(1));
    offer(&|case| case.world.map = MapKind::Field);
    offer(&|case| case.world.weights = 1);
    offer(&|case| case.world.moves = Moves::Four);
    offer(&|case| case.world.index = IndexKind::None);
    match &case.kind {
        Kind::Fleet(_) => {
            offer(&|case| fleet_mut(case, |fleet| fleet.rules = 0));
            offer(&|case| fleet_mut(case, |fleet| fleet.fog = 0));
            offer(&|case| fleet_mut(case, |fleet| fleet.teams = 1));
            offer(&|case| fleet_mut(case, |fleet| fleet.speeds = false));
        }
        Kind::Agent(_) => {
            offer(&|case| agent_mut(case, |agent| agent.all_work = true));
            offer(&|case| {
                agent_mut(case, |agent| {
                    let end = agent.planner.find('(').unwrap_or(agent.planner.len());
                    agent.planner.truncate(end);
                });
            });
        }
    }
    all
}

fn fleet_mut(case: &mut Case, change: impl FnOnce(&mut FleetCase)) {
    if let Kind::Fleet(fleet) = &mut case.kind {
        change(fleet);
    }
}

fn agent_mut(case: &mut Case, change: impl FnOnce(&mut AgentCase)) {
    if let Kind::Agent(agent) = &mut case.kind {
        change(agent);
    }
}

/// Returns parts of a range: none of it, its halves, and all but a quarter, an eighth … at either end.
fn parts(range: &Range<u32>) -> Vec<Range<u32>> {
    let (start, end) = (range.start, range.end);
    let mut all = Vec::new();
    let mut cut = end - start;
    while cut > 0 {
        all.extend([start..end - cut, start + cut..end]);
        cut /= 2;
    }
    all
}

fn range_of(case: &Case, k: usize) -> Range<u32> {
    range_mut(&mut case.clone(), k).clone()
}

fn range_mut(case: &mut Case, k: usize) -> &mut Range<u32> {
    match (k, &mut case.kind) {
        (0, _) => &mut case.saves,
        (1, _) => &mut case.acts,
        (3, Kind::Fleet(fleet)) => &mut fleet.units,
        (4, Kind::Fleet(fleet)) => &mut fleet.orders,
        _ => &mut case.edits,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A fault that needs edit 13, a unit above number 20 and a map of at least 6 columns.
    #[test]
    fn what_a_fault_does_not_need_is_left_out() {
        let seed = (0..10_000).find(|&seed| {
            let case = Case::draw(seed);
            matches!(&case.kind, Kind::Fleet(fleet) if fleet.units.end > 40) && case.edits.end > 20
        });
        let case = Case::draw(seed.unwrap());
        let judge = |case: &Case| {
            let Kind::Fleet(fleet) = &case.kind else { return None };
            let fails = case.edits.contains(&13) && fleet.units.end > 20 && case.world.size.0 >= 6;
            fails.then(|| Fault::new("move", 3, "something"))
        };
        let fault = judge(&case).unwrap();
        let (small, _) = smallest(&case, fault, Duration::from_secs(10), judge);
        let Kind::Fleet(fleet) = &small.kind else { panic!("another kind") };
        assert_eq!((small.edits.clone(), fleet.units.end - fleet.units.start), (13..14, 0));
        assert_eq!((small.world.size, small.ticks), ((6, 1), 0));
        assert_eq!((small.saves.len(), fleet.orders.len()), (0, 0));
    }
}
