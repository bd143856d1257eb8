//! Saving and restoring: between any two steps, and with damaged or forged bytes.

use fleetfoot::database::checksum;
use fleetfoot::registry::BoxedPlanner;
use fleetfoot::{ChangeLog, Decision, Prices, SaveWriter};

use super::Subject;
use super::checks::compare;
use super::life::{BudgetSequence, Life};
use super::test_graph::TestGraph;
use crate::{Rng, World, oracle};

/// Saves and restores the planner on the current graph.
pub(super) fn restored(subject: &Subject, graph: &World, life: &Life) -> Result<BoxedPlanner<World>, String> {
    let saved = subject.save(&*life.planner, graph);
    subject.restore(&saved, graph).map_err(|e| format!("tick {}: {e}", life.records.len()))
}

/// Saves and restores the planner, and checks that it is saved to the same bytes again.
fn restored_alike(subject: &Subject, graph: &World, life: &Life) -> Result<BoxedPlanner<World>, String> {
    let planner = restored(subject, graph, life)?;
    if subject.save(&*planner, graph) != subject.save(&*life.planner, graph) {
        return Err(format!("tick {}: what was restored is not what was saved", life.records.len()));
    }
    Ok(planner)
}

/// Approximate number of restorations in a long walk.
const RESTORED: usize = 300;

pub(super) fn saves(arena: &TestGraph, subject: &Subject) -> Result<(), String> {
    let log = ChangeLog::new();
    for (seed, &problem) in arena.problems.iter().enumerate() {
        let mut rng = arena.rng(seed);
        for (purse, seldom) in [(BudgetSequence::Every(5), 1), (BudgetSequence::Varying(rng.clone()), 3)] {
            let mut life = arena.life(subject, problem, purse.clone(), Prices::ALL_WORK)?;
            life.live(&arena.graph, &log)?;
            let mut twin = arena.life(subject, problem, purse, Prices::ALL_WORK)?;
            // A walk of thousands of steps is restored at intervals, not before each step.
            let seldom = (life.records.len() / RESTORED).max(seldom);
            for _ in 0..life.records.len() {
                if rng.one_in(seldom) {
                    twin.planner = restored_alike(subject, &arena.graph, &twin)?;
                }
                twin.tick(&arena.graph, &log)?;
            }
            compare(&life.records, &twin.records, "the restored planner")?;
            if life.watch.expanded != twin.watch.expanded {
                return Err("the restored planner expands in another order".to_string());
            }
        }
    }
    Ok(())
}

pub(super) fn forgeries(arena: &TestGraph, subject: &Subject) -> Result<(), String> {
    let log = ChangeLog::new();
    for (seed, &problem) in arena.problems.iter().enumerate() {
        let mut rng = arena.rng(seed);
        let mut life = arena.life(subject, problem, BudgetSequence::Every(8), Prices::ALL_WORK)?;
        for _ in 0..12 {
            let (end, here) = (life.at == life.goal, life.at);
            let saved = subject.save(&*life.planner, &arena.graph);
            damage(arena, subject, &saved, &mut rng)?;
            for _ in 0..12 {
                let bytes = forge(&saved, &mut rng);
                if let Ok(planner) = subject.restore(&bytes, &arena.graph) {
                    let life =
                        Life::new(planner, (here, problem.1), BudgetSequence::Every(3), Prices::PAPERS);
                    let mut forged = Life { facts: subject.facts, looks: subject.looks, ..life };
                    wander(&mut forged, arena, &mut rng)?;
                }
            }
            if end || life.tick(&arena.graph, &log)? == Decision::NoPath {
                break;
            }
        }
    }
    Ok(())
}

/// Checks that truncated and modified bytes are rejected.
fn damage(arena: &TestGraph, subject: &Subject, saved: &[u8], rng: &mut Rng) -> Result<(), String> {
    let cut = saved[..rng.below(saved.len())].to_vec();
    let mut flipped = saved.to_vec();
    let k = rng.below(saved.len());
    flipped[k] ^= 1 << rng.below(8);
    let mut longer = saved.to_vec();
    longer.push(0);
    for (bytes, how) in [(cut, "cut off"), (flipped, "flipped"), (longer, "too long")] {
        if subject.restore(&bytes, &arena.graph).is_ok() {
            return Err(format!("a saved planner that is {how} was restored"));
        }
    }
    Ok(())
}

/// Changes some numbers and corrects the checksum.
fn forge(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut body = bytes[..bytes.len() - 8].to_vec();
    for _ in 0..rng.between(1, 4) {
        let k = rng.below(body.len());
        match rng.below(3) {
            0 => body[k] ^= 1 << rng.below(8),
            1 => body[k] = rng.bits() as u8,
            _ => {
                let end = body.len().min(k / 4 * 4 + 4);
                body[k / 4 * 4..end].fill([0, 255][rng.below(2)]);
            }
        }
    }
    let sum = checksum(&body);
    body.u64(sum);
    body
}

/// Runs a planner with a forged state. It may give wrong answers, but within its budget.
fn wander(life: &mut Life, arena: &TestGraph, rng: &mut Rng) -> Result<(), String> {
    let log = ChangeLog::new();
    for _ in 0..40 {
        // Wrong moves and false proofs are allowed.
        match life.tick_bounded(&arena.graph, &log).map_err(|e| format!("forged: {e}"))? {
            Decision::Go(to) if oracle::edge(&arena.graph, life.at, to).is_finite() => life.at = to,
            _ => {}
        }
        if rng.one_in(9) {
            life.at = rng.pick(&arena.places);
        }
    }
    // It can be saved again.
    life.planner.save(&mut Vec::new());
    Ok(())
}
