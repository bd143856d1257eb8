//! Saved planners: forged bytes with a correct checksum, so that the later checks are reached.

use std::sync::LazyLock;

use fleetfoot::registry::{self, PlannerGraph, Spec, Values};
use fleetfoot::{
    ChangeLog, Cost, Csr, CsrBuilder, Decision, Edge, EdgeChange, Graph, Grid, Meter, NodeId, Planner,
    Prices, Rules, Scratch, StepContext,
};

/// Every planner with default parameters, and with each value of each parameter.
static SPECS: LazyLock<Vec<Spec>> = LazyLock::new(|| {
    let mut texts = Vec::new();
    for info in registry::ALGORITHMS {
        texts.push(info.key.to_owned());
        for param in info.params {
            let Values::OneOf(words) = param.values else { continue };
            texts.extend(words.iter().map(|word| format!("{}({}={word})", info.key, param.name)));
        }
    }
    let specs = texts.iter().map(|text| text.parse::<Spec>().expect("from the table"));
    specs.filter(|spec| spec.build(&*GRID).is_ok()).collect()
});

/// So small that tracing a path takes several steps as well.
const BUDGET: u64 = 5;
const SIDE: u32 = 20;

static GRID: LazyLock<Grid> = LazyLock::new(|| {
    let free = |x, y| u8::from(x % 4 != 3 || (x * 7 + y) % 9 == 0);
    Grid::new(SIDE, SIDE, Rules::default(), free).expect("small")
});

/// The same cells as a directed graph without a heuristic.
static GRAPH: LazyLock<Csr> = LazyLock::new(|| {
    let mut builder = CsrBuilder::new(GRID.bound());
    for n in (0..GRID.bound()).map(NodeId::from_index) {
        for e in GRID.succs(n).filter(|e| e.to > n || e.to.raw() % 3 > 0) {
            builder.edge(n, e.to, e.cost);
        }
    }
    builder.build().expect("small")
});

/// Saves a planner during a search, edits the bytes, corrects the checksum, and restores it. A forged planner may
/// move wrongly, but does not panic, exceed a budget, or grow.
///
/// The first two bytes select planner, graph and age. Every seven bytes after them are one edit.
pub fn saved(data: &[u8]) {
    let Some((&[choice, age], edits)) = data.split_first_chunk() else { return };
    let spec = &SPECS[choice as usize % 128 % SPECS.len()];
    let age = u32::from(age) % 80; // in all phases of its run
    if choice & 128 == 0 {
        attack(spec, &*GRID, age, edits);
    } else {
        attack(spec, &*GRAPH, age, edits);
    }
}

fn attack<G: PlannerGraph>(spec: &Spec, graph: &G, age: u32, edits: &[u8]) {
    let corner = |x, y| GRID.node(x, y).expect("inside");
    let (start, goal) = (corner(0, 0), corner(SIDE - 2, SIDE - 1));
    // Some planners require undirected graphs.
    let Ok(mut planner) = spec.build(graph) else { return };
    let at = live(&mut *planner, graph, start, goal, age);
    let mut saved = registry::SavedPlanner::new(spec, &*planner, graph);
    let honest = edits.len() < 7;
    let state = 8 + 4 + 4 + spec.to_string().len() + 8; // magic, version, length, spec, fingerprint
    let bytes = edits.chunks_exact(7).fold(saved.bytes.clone(), |bytes, edit| edited(bytes, state, edit));
    saved.bytes = with_checksum(bytes);
    let Ok(mut again) = saved.restore(graph) else {
        assert!(!honest, "an honest copy was refused");
        return;
    };
    let resaved = registry::SavedPlanner::new(spec, &*again, graph);
    assert!(!honest || resaved == saved, "an honest copy came back as another planner");
    let there = live(&mut *again, graph, at, goal, 50);
    assert!(!honest || there == live(&mut *planner, graph, at, goal, 50), "an honest copy walks elsewhere");
    // Another goal and position: the planner must recover from any state.
    live(&mut *again, graph, goal, start, 10);
    let most = 300 * graph.bound() as u64 + (1 << 20);
    assert!(again.stats().memory_bytes < most, "it has grown to {} bytes", again.stats().memory_bytes);
}

/// Performs `steps` steps, and returns the final position. Illegal moves are not made.
fn live<G: Graph>(
    planner: &mut dyn Planner<G>,
    graph: &G,
    mut at: NodeId,
    goal: NodeId,
    steps: u32,
) -> NodeId {
    let (mut scratch, mut log) = (Scratch::new(), ChangeLog::new());
    for Edge { to, cost } in graph.succs(goal) {
        log.push(EdgeChange { from: goal, to, old: Cost::INF, new: cost });
    }
    for _ in 0..steps {
        let mut meter = Meter::priced(BUDGET, Prices::ALL_WORK);
        let changes = &log;
        let step = StepContext::new(graph, at, goal, &mut meter, &mut scratch).with_changes(changes);
        if let Decision::Go(to) = planner.step(step)
            && graph.cost(at, to).is_finite()
        {
            at = to;
        }
        let spent = meter.work().priced(&Prices::ALL_WORK);
        assert!(spent <= 10 * BUDGET, "over budget: {:?}", meter.work());
    }
    at
}

/// Applies an edit of seven bytes: position (2), kind (1), value (4). Mostly 32-bit numbers of the planner's state,
/// since little else passes the checks; `state` is where it begins.
pub(crate) fn edited(mut bytes: Vec<u8>, state: usize, edit: &[u8]) -> Vec<u8> {
    let body = bytes.len().saturating_sub(8);
    let short = |at: usize| usize::from(u16::from_le_bytes([edit[at], edit[at + 1]]));
    let number = |k: usize| state + 4 * (k % (body.saturating_sub(state) / 4).max(1));
    let (at, any) = (number(short(0)), short(0) % (body + 1));
    let value = u32::from_le_bytes([edit[3], edit[4], edit[5], edit[6]]);
    let Some(old) = bytes.get(at..at + 4).and_then(|b| b.try_into().ok()).map(u32::from_le_bytes) else {
        return bytes;
    };
    let new = match edit[2] % 16 {
        0 => return [&bytes[..any], &bytes[body..]].concat(),
        1 => return [&bytes[..any], &edit[3..], &bytes[any..]].concat(),
        2 => return [&bytes[..any], &bytes[body.min(any + 4)..]].concat(),
        3 if any < body => {
            bytes[any] = edit[3];
            return bytes;
        }
        4..7 => value,
        7..10 => value % 512,
        10 => u32::MAX - value % 4,
        // A number from elsewhere in the same state passes most often.
        11 | 12 => bytes[number(short(3))..].first_chunk().copied().map_or(old, u32::from_le_bytes),
        13 => old.wrapping_sub(value % 2048),
        _ => old.wrapping_add(value % 2048),
    };
    bytes[at..at + 4].copy_from_slice(&new.to_le_bytes());
    bytes
}

/// Replaces the last eight bytes by the FNV-1a hash of the preceding ones.
pub(crate) fn with_checksum(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.truncate(bytes.len().saturating_sub(8));
    let sum = fleetfoot::database::checksum(&bytes);
    bytes.extend_from_slice(&sum.to_le_bytes());
    bytes
}
