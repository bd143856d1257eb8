//! A game saved during a walk: planner, belief and change log are saved as text and loaded, and the walk continues
//! identically.

use fleetfoot::registry::{ALGORITHMS, SavedPlanner, Spec};
use fleetfoot::{Belief, Decision, Graph, Grid, Meter, NodeId, Rules, Scratch, StepContext};
use fleetfoot_testkit::{Rng, worlds};

/// Reveals the agent's cell and the eight cells around it.
fn look(truth: &Grid, belief: &mut Belief, at: NodeId) {
    let (x, y) = truth.xy(at);
    for (dx, dy) in (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy))) {
        if let Some(n) = truth.node(x.wrapping_add_signed(dx), y.wrapping_add_signed(dy)) {
            belief.reveal(n, truth.weight(n)).expect("a weight of the range");
        }
    }
}

/// Runs the walk; with `saving`, saves and restores after every step.
fn walk(spec: &Spec, truth: &Grid, (mut at, goal): (NodeId, NodeId), saving: bool) -> Vec<Decision> {
    let mut belief =
        Belief::unknown(truth.width(), truth.height(), truth.rules(), 1..=1).expect("a small grid");
    look(truth, &mut belief, at);
    let mut planner = spec.build(belief.grid()).expect("grids offer everything");
    let (mut scratch, mut decisions) = (Scratch::new(), Vec::new());
    while at != goal && decisions.len() < 2000 {
        let mut meter = Meter::expansions(20);
        let (graph, changes) = (belief.grid(), belief.log());
        let cx = StepContext::new(graph, at, goal, &mut meter, &mut scratch).with_changes(changes);
        let decision = planner.step(cx);
        decisions.push(decision);
        match decision {
            Decision::Go(next) => at = next,
            Decision::Wait => {}
            Decision::NoPath => break,
        }
        look(truth, &mut belief, at);
        if saving {
            let text = serde_json::to_string(&(SavedPlanner::new(spec, &*planner, belief.grid()), &belief))
                .expect("plain data");
            let (saved, again): (SavedPlanner, Belief) =
                serde_json::from_str(&text).expect("what was written");
            assert_eq!(again.grid().fingerprint(), belief.grid().fingerprint());
            assert_eq!((again.log(), again.known_count()), (belief.log(), belief.known_count()));
            belief = again;
            planner = saved.restore(belief.grid()).expect("the same world");
        }
    }
    decisions
}

#[test]
fn a_saved_game_goes_on() {
    let mut rng = Rng::new(5);
    for info in ALGORITHMS.iter().filter(|info| info.facts.unknown_terrain) {
        let spec: Spec = info.key.parse().expect("a key");
        for _ in 0..3 {
            let truth = worlds::random_grid(&mut rng, (14, 12), Rules::default(), 25, 1);
            let free: Vec<_> =
                (0..truth.bound()).map(NodeId::from_index).filter(|&n| truth.is_free(n)).collect();
            let problem = (rng.pick(&free), rng.pick(&free));
            assert_eq!(walk(&spec, &truth, problem, true), walk(&spec, &truth, problem, false), "{spec}");
        }
    }
}

#[test]
fn a_grid_with_too_few_cells_is_refused() {
    let grid = Grid::new(3, 2, Rules::default(), |x, _| x as u8).expect("a small grid");
    let text = serde_json::to_string(&grid).expect("plain data");
    let again: Grid = serde_json::from_str(&text).expect("what was written");
    assert_eq!(again.fingerprint(), grid.fingerprint());
    let short = text.replace("\"width\":3", "\"width\":4");
    let refusal = serde_json::from_str::<Grid>(&short).unwrap_err().to_string();
    assert!(refusal.contains("6 cells are given for a 4x2 grid"), "{refusal}");
}
