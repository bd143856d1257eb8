//! Saving and restoring: between any two steps, and with bytes that are not what they should be.

use fleetfoot::registry::{BoxedPlanner, Saved, Spec, save};
use fleetfoot::{ChangeLog, Decision, Prices, ReverseGraph};

use super::arena::Arena;
use super::checks::compare;
use super::life::{Life, Purse};
use crate::{Rng, oracle};

/// The planner of a life, saved and restored on the graph as it is now; what is restored saves as the same
/// bytes.
pub(super) fn restored<G: ReverseGraph>(
    arena: &Arena<G>,
    spec: &Spec,
    graph: &G,
    life: &Life<G>,
) -> Result<BoxedPlanner<G>, String> {
    let saved = save(spec, &*life.planner, graph);
    let planner =
        (arena.door.restore)(&saved, graph).map_err(|e| format!("tick {}: {e}", life.records.len()))?;
    if save(spec, &*planner, graph) != saved {
        return Err(format!("tick {}: what was restored is not what was saved", life.records.len()));
    }
    Ok(planner)
}

pub(super) fn saves<G: ReverseGraph>(arena: &Arena<G>, spec: &Spec) -> Result<(), String> {
    let log = ChangeLog::new();
    for (seed, &problem) in arena.problems.iter().enumerate() {
        let mut rng = arena.rng(seed);
        for (purse, seldom) in [(Purse::Every(5), 1), (Purse::Varying(rng.clone()), 3)] {
            let mut life = arena.life(spec, problem, purse.clone(), Prices::HONEST);
            life.live(&arena.graph, &log)?;
            let mut twin = arena.life(spec, problem, purse, Prices::HONEST);
            for _ in 0..life.records.len() {
                if rng.one_in(seldom) {
                    twin.planner = restored(arena, spec, &arena.graph, &twin)?;
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

pub(super) fn forgeries<G: ReverseGraph>(arena: &Arena<G>, spec: &Spec) -> Result<(), String> {
    let log = ChangeLog::new();
    for (seed, &problem) in arena.problems.iter().enumerate() {
        let mut rng = arena.rng(seed);
        let mut life = arena.life(spec, problem, Purse::Every(8), Prices::HONEST);
        for _ in 0..12 {
            let (end, here) = (life.at == life.goal, life.at);
            let saved = save(spec, &*life.planner, &arena.graph);
            damage(arena, &saved, &mut rng)?;
            for _ in 0..12 {
                let bytes = forge(&saved.bytes, &mut rng);
                if let Ok(planner) = (arena.door.restore)(&Saved { bytes }, &arena.graph) {
                    let mut forged = arena.life(spec, (here, problem.1), Purse::Every(3), Prices::PAPERS);
                    forged.planner = planner;
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

/// Whatever is cut off or flipped is noticed.
fn damage<G: ReverseGraph>(arena: &Arena<G>, saved: &Saved, rng: &mut Rng) -> Result<(), String> {
    let mut cut = saved.clone();
    cut.bytes.truncate(rng.below(saved.bytes.len()));
    let mut flipped = saved.clone();
    let k = rng.below(saved.bytes.len());
    flipped.bytes[k] ^= 1 << rng.below(8);
    let mut longer = saved.clone();
    longer.bytes.push(0);
    for (bytes, how) in [(cut, "cut off"), (flipped, "flipped"), (longer, "too long")] {
        if (arena.door.restore)(&bytes, &arena.graph).is_ok() {
            return Err(format!("a saved planner that is {how} was restored"));
        }
    }
    Ok(())
}

/// Changes a few numbers and makes the checksum good again.
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
    let sum = body
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |h: u64, &b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3));
    body.extend(sum.to_le_bytes());
    body
}

/// A planner with forged memories may be wrong in every answer, but it answers, within its budget.
fn wander<G: ReverseGraph>(life: &mut Life<G>, arena: &Arena<G>, rng: &mut Rng) -> Result<(), String> {
    let log = ChangeLog::new();
    for _ in 0..40 {
        let at = life.at;
        // A wrong move or a false proof is its right.
        match life.tick(&arena.graph, &log) {
            Err(e) if e.contains("expansions") || e.contains("spent") => return Err(format!("forged: {e}")),
            _ => {}
        }
        if !oracle::edge(&arena.graph, at, life.at).is_finite() || rng.one_in(9) {
            life.at = rng.pick(&arena.places);
        }
    }
    // And it can be saved again.
    life.planner.save(&mut Vec::new());
    Ok(())
}
