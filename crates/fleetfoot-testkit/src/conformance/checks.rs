//! The checks, one function each.

use fleetfoot::{ChangeLog, Cost, Decision, Graph, Grid, NodeId, Prices, Reset, Rules, WorkKind};

use super::Subject;
use super::facts::{Kept, Promise};
use super::life::{BudgetSequence, End, Life, Record, same_but_pages};
use super::saving::restored;
use super::test_graph::{Falls, TestGraph, change, close};
use crate::{Rng, World, oracle};

/// Returns the budgets with which every planner is tested.
fn purses() -> [BudgetSequence; 6] {
    [
        BudgetSequence::Every(1),
        BudgetSequence::Every(7),
        BudgetSequence::Every(100),
        BudgetSequence::Endless,
        BudgetSequence::Varying(Rng::new(1)),
        BudgetSequence::Varying(Rng::new(2)),
    ]
}

const PRICES: [Prices; 2] = [Prices::PAPERS, Prices::ALL_WORK];

/// Walks all problems. Records in `kept` which guarantees were observed, claimed or not.
pub(super) fn walks(arena: &TestGraph, subject: &Subject, kept: &mut Kept) -> Result<(), String> {
    let endless = arena.suits(subject);
    let purses =
        || purses().into_iter().filter(move |purse| endless || !matches!(purse, BudgetSequence::Endless));
    for &problem in &arena.problems {
        let shortest = oracle::distance(&arena.graph, problem.0, problem.1);
        let mut first = None;
        for (purse, prices) in purses().flat_map(|purse| PRICES.map(|prices| (purse.clone(), prices))) {
            walk(arena, subject, (problem, shortest), (&purse, prices), &mut first, kept).map_err(
                |what| format!("from {} to {}, {purse:?}, {prices:?}: {what}", problem.0, problem.1),
            )?;
        }
    }
    Ok(())
}

/// Runs one walk, and repeats it for budgets that are small or vary. `first` holds the expansions of the first of
/// several budgets, and whether that walk ended.
fn walk(
    arena: &TestGraph,
    subject: &Subject,
    (problem, shortest): ((NodeId, NodeId), Cost),
    (purse, prices): (&BudgetSequence, Prices),
    first: &mut Option<(Vec<NodeId>, bool)>,
    kept: &mut Kept,
) -> Result<(), String> {
    let (facts, log) = (arena.promises(subject), ChangeLog::new());
    let mut life = arena.life(subject, problem, purse.clone(), prices)?;
    let end = life.live(&arena.graph, &log)?;
    let mut note = |promise, is_kept| {
        if arena.suits(subject) {
            kept.note(promise, is_kept);
        }
    };
    // A false proof is detected by the judge; a missing one is not.
    let has_arrived = end == Some(End::Arrived);
    if facts.complete && has_arrived != shortest.is_finite() {
        return Err(format!("ended as {end:?}, the shortest path costs {shortest}"));
    }
    // With this budget, a walk that ends does so before an agent without guarantees is stopped.
    if matches!(purse, BudgetSequence::Every(100) | BudgetSequence::Endless) {
        match shortest {
            Cost::INF => note(Promise::ProvesNoPath, end == Some(End::NoPath)),
            _ => note(Promise::Complete, has_arrived),
        }
    }
    if matches!(purse, BudgetSequence::Endless) && has_arrived {
        note(Promise::Optimal, life.cost == shortest);
        if facts.optimal && life.cost != shortest {
            return Err(format!("walked {}, the shortest path costs {shortest}", life.cost));
        }
    }
    let (expanded, is_whole) = first.get_or_insert_with(|| (life.watch.expanded.clone(), end.is_some()));
    let same = expanded.iter().zip(&life.watch.expanded).take_while(|(a, b)| a == b).count();
    // A walk that was stopped must be a prefix of another one.
    let (less, more) =
        (expanded.len().min(life.watch.expanded.len()), expanded.len().max(life.watch.expanded.len()));
    let is_same = same == if *is_whole && end.is_some() { more } else { less };
    note(Promise::SliceInvariant, is_same);
    if facts.slice_invariant && !is_same {
        return Err(format!("expansion {same} depends on the slicing"));
    }
    // Determinism does not depend on large budgets, as long as searches continue over several steps.
    if matches!(purse, BudgetSequence::Every(7) | BudgetSequence::Varying(_)) {
        let mut again = arena.life(subject, problem, purse.clone(), prices)?;
        again.live(&arena.graph, &log)?;
        if life.records != again.records {
            return Err("two runs differ".to_string());
        }
    }
    Ok(())
}

pub(super) fn goals(arena: &TestGraph, subject: &Subject) -> Result<(), String> {
    let log = ChangeLog::new();
    for (seed, &problem) in arena.problems.iter().enumerate() {
        let mut rng = arena.rng(seed);
        let safe = arena.safe_places(problem.1);
        for (prices, purse) in [
            (Prices::PAPERS, BudgetSequence::Every(5)),
            (Prices::ALL_WORK, BudgetSequence::Varying(rng.clone())),
        ] {
            let mut life = arena.life(subject, problem, purse, prices)?;
            for tick in 0..120 {
                if rng.one_in(6) || life.at == life.goal {
                    // Any goal, including unreachable ones and the agent's position.
                    life.goal = rng.pick(&arena.places);
                }
                life.tick(&arena.graph, &log).map_err(|e| format!("{tick}, new goals: {e}"))?;
            }
            life.goal = problem.1;
            if safe.contains(&life.at) {
                expect_arrival(&mut life, arena, &log)?;
            }
        }
    }
    Ok(())
}

fn expect_arrival(life: &mut Life, arena: &TestGraph, log: &ChangeLog) -> Result<(), String> {
    match life.live(&arena.graph, log)? {
        Some(End::NoPath) => Err("no path".to_string()),
        _ => Ok(()),
    }
}

pub(super) fn displacements(arena: &TestGraph, subject: &Subject) -> Result<(), String> {
    let log = ChangeLog::new();
    for (seed, &problem) in arena.problems.iter().enumerate() {
        let safe = arena.safe_places(problem.1);
        if safe.is_empty() || !safe.contains(&problem.0) {
            continue;
        }
        // Rarely far away, often back by a few steps.
        for (budget, seldom) in [(1, 40), (6, 12), (1000, 5)] {
            let mut rng = arena.rng(seed);
            let mut life = arena.life(subject, problem, BudgetSequence::Every(budget), rng.pick(&PRICES))?;
            for _ in 0..200 {
                life.tick(&arena.graph, &log)?;
                if rng.one_in(seldom) || life.at == life.goal {
                    life.at = rng.pick(&safe);
                } else if rng.one_in(4) {
                    let back = life.records.len().saturating_sub(1 + rng.below(4));
                    let earlier = life.records[back].at;
                    life.at = if safe.contains(&earlier) { earlier } else { life.at };
                }
            }
            expect_arrival(&mut life, arena, &log)?;
        }
    }
    Ok(())
}

/// Returns whether costs may decrease in the worlds of this planner; empty if they may not even increase.
fn drifts(subject: &Subject) -> Vec<Falls> {
    let facts = subject.facts;
    let rising = facts.rising_costs.then_some(Falls::Never);
    let falling = (facts.rising_costs && facts.falling_costs).then_some(Falls::Sometimes);
    rising.into_iter().chain(falling).collect()
}

pub(super) fn changes(arena: &TestGraph, subject: &Subject) -> Result<(), String> {
    if !arena.changes {
        return Ok(());
    }
    for (seed, &problem) in arena.problems.iter().enumerate() {
        for falls in drifts(subject) {
            // A short log drops entries before slow readers read them.
            for (prices, capacity) in PRICES.into_iter().flat_map(|prices| [(prices, 3), (prices, 1 << 16)]) {
                let mut rng = arena.rng(seed);
                for budget in [1, rng.pick(&[3, 9, 60])] {
                    let life = arena.life(subject, problem, BudgetSequence::Every(budget), prices)?;
                    drifting(life, arena, falls, &mut rng, capacity)
                        .map_err(|e| format!("falls {falls:?}, budget {budget}, log of {capacity}: {e}"))?;
                }
            }
        }
        if subject.facts.rising_costs {
            for budget in [2, 50, 1000] {
                let life = arena.life(subject, problem, BudgetSequence::Every(budget), Prices::PAPERS)?;
                closing_behind(life, arena)
                    .map_err(|e| format!("closing behind it, budget {budget}: {e}"))?;
            }
            if arena.places.len() <= FEW {
                single_closings(arena, subject, problem)?;
            }
        }
    }
    Ok(())
}

/// Number of nodes of a graph that is small enough to try every change at every step.
const FEW: usize = 30;

/// Number of steps of a walk at which changes are tried; all of them if it is shorter.
const MOMENTS: usize = 40;

/// Removes each edge before each step of a slow agent. Whatever its search has used by then, it must not make an
/// illegal move later.
fn single_closings(arena: &TestGraph, subject: &Subject, problem: (NodeId, NodeId)) -> Result<(), String> {
    let begin = || arena.life(subject, problem, BudgetSequence::Every(1), Prices::PAPERS);
    let (mut whole, mut life) = (begin()?, begin()?);
    let none = ChangeLog::new();
    whole.live(&arena.graph, &none)?;
    let edges = arena.places.iter().flat_map(|&a| arena.graph.succs(a).map(move |edge| (a, edge.to)));
    let edges: Vec<_> = edges.filter(|(_, b)| *b != problem.1).collect();
    let stride = whole.records.len().div_ceil(MOMENTS);
    for moment in 0..whole.records.len() {
        for &(a, b) in edges.iter().filter(|(_, b)| moment % stride == 0 && *b != life.at) {
            let (mut graph, mut log) = (arena.graph.clone(), ChangeLog::new());
            close(&mut graph, a, b, &mut log);
            let told = |e| format!("{a} to {b} closed before tick {moment} at {}: {e}", life.at);
            life.copy().live(&graph, &log).map_err(told)?;
        }
        life.tick(&arena.graph, &none)?;
    }
    Ok(())
}

/// Blocks the path behind the agent, then moves the agent back to before the blocked node.
fn closing_behind(mut life: Life, arena: &TestGraph) -> Result<(), String> {
    let (mut graph, mut log) = (arena.graph.clone(), ChangeLog::new());
    let mut way = vec![life.at];
    for _ in 0..life.patience.min(600) {
        life.tick(&graph, &log)?;
        if way[way.len() - 1] != life.at {
            way.push(life.at);
        }
        if life.at == life.goal {
            break;
        }
        if let [.., a, b, c] = way[..]
            && way.len() > 3
            && c != a
            && b != life.goal
        {
            close(&mut graph, a, b, &mut log);
            // The agent is notified while it is beyond. Its reaction must be valid where it is moved to.
            life.tick(&graph, &log)?;
            if life.at == life.goal {
                break;
            }
            life.at = a;
            way = vec![a];
        }
    }
    life.live(&graph, &log).map(drop)
}

/// Changes the world for a while; then the agent must arrive, or prove that it cannot.
fn drifting(
    mut life: Life,
    arena: &TestGraph,
    falls: Falls,
    rng: &mut Rng,
    capacity: usize,
) -> Result<(), String> {
    let mut graph = arena.graph.clone();
    let mut log = ChangeLog::with_capacity(capacity);
    for _ in 0..150 {
        if rng.one_in(5) {
            for _ in 0..rng.between(1, 3) {
                change(&mut graph, rng, falls, [life.at, life.goal], &mut log);
            }
        }
        life.tick(&graph, &log)?;
        if life.at == life.goal {
            break;
        }
    }
    life.live(&graph, &log).map(drop)
}

pub(super) fn chaos(arena: &TestGraph, subject: &Subject) -> Result<(), String> {
    for (seed, &problem) in arena.problems.iter().enumerate() {
        for prices in PRICES {
            let mut rng = arena.rng(seed);
            let purse = BudgetSequence::Varying(Rng::new(rng.bits()));
            let life = arena.life(subject, problem, purse.clone(), prices)?;
            let twin = arena.life(subject, problem, purse, prices)?;
            turmoil(life, twin, arena, subject, &mut rng)
                .map_err(|e| format!("seed {seed}, {prices:?}: {e}"))?;
        }
    }
    Ok(())
}

/// Combines all disturbances, and runs them twice: the second planner is saved and restored repeatedly.
fn turmoil(
    mut life: Life,
    mut twin: Life,
    arena: &TestGraph,
    subject: &Subject,
    rng: &mut Rng,
) -> Result<(), String> {
    let drifts = drifts(subject);
    let mut world = arena.changes.then(|| arena.graph.clone());
    let mut log = ChangeLog::with_capacity([3, 1 << 16][rng.below(2)]);
    for _ in 0..160 {
        if let (Some(graph), false, true) = (&mut world, drifts.is_empty(), rng.one_in(6)) {
            let falls = drifts[drifts.len() - 1];
            change(graph, rng, falls, [life.at, life.goal], &mut log);
        }
        if rng.one_in(25) {
            life.goal = rng.pick(&arena.places);
        }
        match rng.below(12) {
            0 => life.at = rng.pick(&arena.places),
            1 | 2 if !life.records.is_empty() => {
                life.at = life.records[life.records.len() - 1 - rng.below(life.records.len().min(4))].at;
            }
            _ => {}
        }
        let graph = world.as_ref().unwrap_or(&arena.graph);
        (twin.at, twin.goal) = (life.at, life.goal);
        if rng.one_in(3) {
            twin.planner = restored(subject, graph, &twin)?;
        }
        life.tick(graph, &log)?;
        twin.tick(graph, &log)?;
        let last = life.records.len() - 1;
        compare(&life.records[last..], &twin.records[last..], "the restored planner")
            .map_err(|e| format!("after {last} ticks: {e}"))?;
    }
    let graph = world.as_ref().unwrap_or(&arena.graph);
    life.live(graph, &log).map(drop)
}

/// Compares two walks, except for the number of allocated pages.
pub(super) fn compare(a: &[Record], b: &[Record], whose: &str) -> Result<(), String> {
    let differs = a.iter().zip(b).position(|(a, b)| !same_but_pages(a, b));
    match differs {
        Some(k) => Err(format!("tick {k}: {whose} did {:?}, not {:?}", b[k], a[k])),
        None if a.len() != b.len() => Err(format!("{whose} took {} steps, not {}", b.len(), a.len())),
        None => Ok(()),
    }
}

pub(super) fn resets(arena: &TestGraph, subject: &Subject) -> Result<(), String> {
    let log = ChangeLog::new();
    for (seed, &problem) in arena.problems.iter().enumerate() {
        let mut rng = arena.rng(seed);
        let fresh = |budget| arena.life(subject, problem, BudgetSequence::Every(budget), Prices::ALL_WORK);
        for budget in [1, 10, 200] {
            let mut first = fresh(budget)?;
            first.live(&arena.graph, &log)?;
            let halfway = 1 + rng.below(first.records.len());
            for new_life in [NewLife::Nothing, NewLife::Released, NewLife::Learning] {
                let mut life = fresh(budget)?;
                for _ in 0..halfway {
                    life.tick(&arena.graph, &log)?;
                }
                let held = life.planner.stats().memory_bytes;
                new_life.begin(&mut life);
                let holds = life.planner.stats().memory_bytes;
                if new_life == NewLife::Released && holds > fresh(budget)?.planner.stats().memory_bytes {
                    return Err(format!("released, it holds {holds} bytes of {held}"));
                }
                (life.at, life.cost) = (problem.0, Cost::ZERO);
                life.records.clear();
                life.live(&arena.graph, &log).map_err(|e| format!("after {new_life:?}: {e}"))?;
                if new_life != NewLife::Learning {
                    compare(&first.records, &life.records, "the planner in its new life")?;
                }
            }
        }
    }
    at_the_goal(arena, subject, &log)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NewLife {
    Nothing,
    Learning,
    Released,
}

impl NewLife {
    fn begin(self, life: &mut Life) {
        match self {
            Self::Nothing => life.planner.reset(Reset::Full),
            Self::Learning => life.planner.reset(Reset::KeepLearned),
            Self::Released => life.planner.release(&mut life.scratch),
        }
    }
}

/// An agent at its goal waits, and can be sent on.
fn at_the_goal(arena: &TestGraph, subject: &Subject, log: &ChangeLog) -> Result<(), String> {
    let &(start, goal) = &arena.problems[0];
    let mut life = arena.life(subject, (start, start), BudgetSequence::Every(3), Prices::ALL_WORK)?;
    for _ in 0..3 {
        life.tick(&arena.graph, log)?;
    }
    if let Some(spent) = life.records.iter().find(|r| r.work[WorkKind::Expand] > 0) {
        return Err(format!("at the goal it still expanded: {spent:?}"));
    }
    life.goal = goal;
    life.live(&arena.graph, log).map(drop)
}

/// Checks statistics, and that an agent that stays near its start does not pay for distant parts.
pub(super) fn stats(subject: &Subject) -> Result<(), String> {
    let grid = |size| Grid::new(size, size, Rules::default(), |_, _| 1).map_err(|e| e.to_string());
    let mut held = Vec::new();
    for side in subject.sides {
        let grid = grid(side)?;
        let (start, goal) = (grid.node(30, 30), grid.node(36, 33));
        let (Some(start), Some(goal)) = (start, goal) else { return Err("no such cells".to_string()) };
        let grid = World::grid(grid);
        let planner = subject.build(&grid)?;
        let life = Life::new(planner, (start, goal), BudgetSequence::Every(4), Prices::PAPERS);
        let mut life = Life { facts: subject.facts, patience: 1000, looks: subject.looks, ..life };
        let empty = life.planner.stats();
        life.live(&grid, &ChangeLog::new())?;
        let near = life.planner.stats();
        let expansions: u64 = life.records.iter().map(|record| record.work[WorkKind::Expand]).sum();
        let moved = life.records.iter().any(|record| matches!(record.decision, Decision::Go(_)));
        if near.closed_max > expansions
            || near.open_max > 8 * expansions + 1
            || near.h_rise > 0 && near.updates == 0
        {
            return Err(format!("{near:?} after {expansions} expansions"));
        }
        if moved && expansions > 0 && near.searches == 0 {
            return Err(format!("it walked without a search: {near:?}"));
        }
        if near.memory_bytes < empty.memory_bytes {
            return Err(format!("it holds less than it began with: {empty:?}, {near:?}"));
        }
        held.push(near.memory_bytes);
    }
    // The larger grid has at least four times as many cells. An agent that never goes there may only pay for a
    // directory.
    if held[1] > held[0] + 4096 {
        return Err(format!("{} bytes on a small grid, {} on a large one", held[0], held[1]));
    }
    Ok(())
}
