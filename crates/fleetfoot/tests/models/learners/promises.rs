//! Guarantees: arrival on difficult maps, bounded steps, and known negative results.

use std::collections::BTreeSet;

use fleetfoot::{ChangeLog, Decision, Graph, Grid, Neighborhood, NodeId, Prices, Rules, WorkKind};
use fleetfoot_testkit::worlds::{self, Tiny};
use fleetfoot_testkit::{Rng, oracle};

use super::PLANNERS;
use super::harness::{Agent, patience, random_problem, random_spec};

const FOUR: Rules =
    Rules { neighborhood: Neighborhood::Four, cut_corners: false, diagonal: fleetfoot::Diagonal::Sqrt2 };

/// A corridor that ends just before the goal; the detour starts at the agent.
const CORRIDOR: Tiny =
    Tiny { name: "corridor with a dead end", rows: &["S........#G", ".#########.", "..........."] };

/// The published rule ignores values that were increased within the look-ahead, and walks back and forth forever.
/// The other rules do not.
#[test]
fn the_published_rule_loops_in_a_dead_end() {
    let (grid, start, goal) = CORRIDOR.grid(FOUR);
    let mut agent = Agent::new("lrta(depth=2,rule=published)", &grid, (start, goal));
    assert_eq!(agent.live(&grid, None, 20_000), None);
    let last: BTreeSet<_> = agent.walk[10_000..].iter().map(|&n| grid.xy(n)).collect();
    assert_eq!(last.len(), 2, "it should walk back and forth: {last:?}");
    for text in ["lrta(depth=2)", "lrta(depth=2,rule=korf-table)", "lrta(rule=published)", "lrts(depth=2)"] {
        let mut agent = Agent::new(text, &grid, (start, goal));
        assert_eq!(agent.live(&grid, None, 2000), Some(Decision::Wait), "{text}");
    }
}

/// Returns how many of 150 grids an agent never crosses.
fn never_arrives(text: &str) -> usize {
    let mut lost = 0;
    let rng = &mut Rng::new(150);
    for _ in 0..150 {
        let (grid, ends) = loop {
            let grid = worlds::random_grid(rng, (14, 14), FOUR, 35, 1);
            let cells = worlds::free_cells(&grid);
            let ends = (rng.pick(&cells), rng.pick(&cells));
            let far = oracle::distance(&grid, ends.0, ends.1);
            if far.is_finite() && far >= fleetfoot::Cost::new(14 * grid.unit()) {
                break (grid, ends);
            }
        };
        let end = Agent::new(text, &grid, ends).live(&grid, None, 3000);
        assert_ne!(end, Some(Decision::NoPath));
        lost += usize::from(end.is_none());
    }
    lost
}

#[test]
fn the_repaired_rules_lose_no_agent() {
    let lost = ["published", "pathmax", "korf-table"]
        .map(|rule| [2, 3, 5].map(|depth| never_arrives(&format!("lrta(depth={depth},rule={rule})"))));
    assert_eq!(lost[1..], [[0; 3]; 2], "lost at depths 2, 3, 5: {lost:?}");
    assert!(lost[0].iter().all(|&lost| lost > 20), "the published rule is better than it was: {lost:?}");
}

/// Creates passages one cell wide by a random walk that backtracks.
fn maze(rng: &mut Rng, size: u32, rules: Rules) -> (Grid, NodeId, NodeId) {
    let mut free = BTreeSet::from([(0, 0)]);
    let mut way = vec![(0_u32, 0_u32)];
    while let Some(&(x, y)) = way.last() {
        let aside = [(2, 0), (0, 2), (-2, 0), (0, -2)].map(|(dx, dy)| {
            let next = (x.checked_add_signed(dx)?, y.checked_add_signed(dy)?);
            (next.0 < size && next.1 < size && !free.contains(&next)).then_some(next)
        });
        let aside: Vec<_> = aside.into_iter().flatten().collect();
        if aside.is_empty() {
            way.pop();
            continue;
        }
        let next = rng.pick(&aside);
        free.extend([next, (u32::midpoint(x, next.0), u32::midpoint(y, next.1))]);
        way.push(next);
    }
    let grid = Grid::new(size, size, rules, |x, y| u8::from(free.contains(&(x, y)))).expect("a small grid");
    let cell = |n: u32| grid.node(n, n).expect("a cell");
    let (start, goal) = (cell(0), cell(size - 1));
    (grid, start, goal)
}

#[test]
fn awkward_maps_are_crossed() {
    for rules in [FOUR, Rules::default()] {
        let names = ["dead-end", "corner", "comb", "spiral", "rooms", "swamp"];
        let tiny = names.iter().map(|name| Tiny::named(name)).chain([&CORRIDOR]);
        let mazes = (0..3).map(|seed| maze(&mut Rng::new(seed), 13, rules));
        for (grid, start, goal) in tiny.map(|tiny| tiny.grid(rules)).chain(mazes) {
            for text in PLANNERS {
                for budget in [None, Some(1), Some(6)] {
                    let mut agent = Agent::new(text, &grid, (start, goal));
                    let end = agent.live(&grid, budget, 5 * patience(&grid));
                    assert_eq!(end, Some(Decision::Wait), "{text}, budget {budget:?}");
                }
            }
        }
    }
}

/// The agent is enclosed with some free cells: planners that see all of them report it.
#[test]
fn seeing_the_whole_pocket_proves_no_path() {
    let pocket = Tiny { name: "pocket", rows: &["####...", "S..#...", "..##..G", "###...."] };
    let (grid, start, goal) = pocket.grid(Rules::default());
    let size = worlds::free_cells(&grid).iter().filter(|n| grid.xy(**n).0 < 3).count();
    assert_eq!(size, 5);
    for key in ["tla", "lss-lrta", "rtaa", "da-lss-lrta", "da-rtaa"] {
        for lookahead in 1..=7 {
            let text = format!("{key}(lookahead={lookahead})");
            let mut agent = Agent::new(&text, &grid, (start, goal));
            let (first, _) = agent.tick(&grid, &ChangeLog::new(), None);
            assert_eq!(first == Decision::NoPath, lookahead >= size, "{text}");
            assert_eq!(agent.live(&grid, None, 100_000), Some(Decision::NoPath), "{text}");
        }
    }
    // (2, 1) is two moves away, and a dead end.
    for (text, knows) in [
        ("lrta", false),
        ("lrta(depth=2)", false),
        ("lrta(depth=3)", true),
        ("lrta(depth=2,rule=korf-table)", false),
        ("lrta(depth=9,rule=korf-table)", true),
        ("lrta(reach=4)", true),
        ("lrts(depth=2)", false),
        ("lrts(depth=3)", true),
        ("lrts(depth=3,quota=0)", true),
    ] {
        let mut agent = Agent::new(text, &grid, (start, goal));
        let (first, _) = agent.tick(&grid, &ChangeLog::new(), None);
        assert_eq!(first == Decision::NoPath, knows, "{text}");
        assert_eq!(agent.live(&grid, None, 100_000), Some(Decision::NoPath), "{text}");
    }
    // The goal is enclosed, with the whole map around it.
    let (grid, start, goal) = Tiny::named("walled-in-goal").grid(Rules::default());
    for text in ["rtaa", "lss-lrta", "tla", "da-rtaa", "da-lss-lrta", "lrta(depth=60)", "lrts(depth=60)"] {
        let mut agent = Agent::new(text, &grid, (start, goal));
        assert_eq!(agent.tick(&grid, &ChangeLog::new(), None).0, Decision::NoPath, "{text}");
        assert!(agent.watch.deed.learned.len() <= 1, "no update from that, except for the agent's own state");
    }
}

/// [`Agent::tick`] checks the budget of every step: in expansions at the papers' prices, otherwise in all work.
#[test]
fn no_step_spends_more_than_it_has() {
    let mut rng = Rng::new(3);
    let mut used_up = 0;
    for _ in 0..300 {
        let (grid, ends) = random_problem(&mut rng, 16, 2);
        let text = random_spec(&mut rng);
        let mut agent = Agent::new(&text, &grid, ends);
        agent.prices = Prices::ALL_WORK;
        let log = ChangeLog::new();
        for _ in 0..80 {
            let budget = u64::from(rng.between(1, 60));
            let (_, work) = agent.tick(&grid, &log, Some(budget));
            used_up += usize::from(work.priced(&Prices::ALL_WORK) + 10 * 9 > 10 * budget);
        }
    }
    assert!(used_up > 1000, "{used_up}");
    // If all expanded nodes are on the path, no prepayment is left over.
    let (grid, start, goal) = Tiny::named("corridor").grid(FOUR);
    for text in PLANNERS.iter().chain(&["lrts(depth=30)", "lrta(depth=30)", "rtaa", "lss-lrta", "tla"]) {
        for budget in 1..40 {
            let mut agent = Agent::new(text, &grid, (start, goal));
            agent.prices = Prices::ALL_WORK;
            agent.tick(&grid, &ChangeLog::new(), Some(budget));
        }
    }
}

/// With all work charged and a small budget, every planner arrives.
#[test]
fn little_is_enough() {
    let mut rng = Rng::new(5);
    for _ in 0..25 {
        let (grid, ends) = random_problem(&mut rng, 10, 2);
        let reachable = oracle::distance(&grid, ends.0, ends.1).is_finite();
        for text in PLANNERS {
            let mut agent = Agent::new(text, &grid, ends);
            agent.prices = Prices::ALL_WORK;
            let budget = Some(u64::from(rng.between(1, 12)));
            let end = agent.live(&grid, budget, 5 * patience(&grid));
            assert!(!reachable || end == Some(Decision::Wait), "{text}");
            assert!(reachable || end != Some(Decision::Wait), "{text}");
        }
    }
}

/// LRTA*(d) expands at most (2d - 1)² nodes on grids with eight neighbors, 2d² - 2d + 1 with four, and exactly that
/// many in the open.
#[test]
fn a_look_ahead_by_depth_has_its_bound() {
    for (neighborhood, bound) in [
        (Neighborhood::Eight, (|d| (2 * d - 1) * (2 * d - 1)) as fn(u64) -> u64),
        (Neighborhood::Four, |d| 2 * d * d - 2 * d + 1),
    ] {
        let rules = Rules { neighborhood, ..Rules::default() };
        let open = Grid::new(41, 41, rules, |_, _| 1).expect("a small grid");
        let node = |x, y| open.node(x, y).expect("a cell");
        for d in 1..=7 {
            for key in ["lrta", "lrts"] {
                let text = format!("{key}(depth={d})");
                let mut agent = Agent::new(&text, &open, (node(20, 20), node(40, 40)));
                let (_, work) = agent.tick(&open, &ChangeLog::new(), None);
                assert_eq!(work[WorkKind::Expand], bound(d), "{text}");
                let mut rng = Rng::new(d);
                let grid = worlds::random_grid(&mut rng, (30, 30), rules, 20, 1);
                let cells = worlds::free_cells(&grid);
                let mut agent = Agent::new(&text, &grid, (rng.pick(&cells), rng.pick(&cells)));
                for _ in 0..60 {
                    let (_, work) = agent.tick(&grid, &ChangeLog::new(), None);
                    assert!(work[WorkKind::Expand] <= bound(d), "{text}");
                }
            }
        }
    }
}

/// By cost: the interior consists exactly of the nodes from which no edge can lead beyond the limit.
#[test]
fn a_look_ahead_by_cost_has_the_right_interior() {
    let mut rng = Rng::new(6);
    let mut on_the_edge = 0;
    for _ in 0..200 {
        let (grid, ends) = random_problem(&mut rng, 14, 3);
        let times = rng.between(1, 5);
        let mut agent = Agent::new(&format!("lrta(reach={times})"), &grid, ends);
        let near = oracle::distances_from(&grid, ends.0);
        let max_edge_cost = grid.max_edge_cost().raw();
        // Beyond the goal the look-ahead sees only what it reaches without passing it.
        if near[ends.1.index()].is_finite() && near[ends.1.index()].raw() <= times * max_edge_cost {
            continue;
        }
        agent.tick(&grid, &ChangeLog::new(), None);
        let interior: BTreeSet<_> = (0..grid.bound())
            .filter(|&n| near[n].is_finite() && near[n].raw() + max_edge_cost <= times * max_edge_cost)
            .map(NodeId::from_index)
            .collect();
        on_the_edge +=
            interior.iter().filter(|n| near[n.index()].raw() == (times - 1) * max_edge_cost).count();
        assert_eq!(agent.watch.deed.expanded.iter().copied().collect::<BTreeSet<_>>(), interior);
        assert_eq!(agent.watch.deed.expanded.len(), interior.len(), "each of them once");
    }
    assert!(on_the_edge > 30, "{on_the_edge}");
}

/// The same surroundings in a small and in a large map: the same work in every step, except for pages, and the same
/// walk.
#[test]
fn a_step_does_not_depend_on_the_size_of_the_map() {
    let mut rng = Rng::new(7);
    let mut cells: BTreeSet<(u32, u32)> = BTreeSet::new();
    cells.extend((0..900).map(|_| (rng.between(0, 63), rng.between(0, 63))));
    let free = |x: u32, y: u32| x >= 64 || y >= 64 || !cells.contains(&(x, y));
    let ends = [(20, 20), (41, 35)];
    let weight = |x, y| u8::from(free(x, y) || ends.contains(&(x, y)));
    let maps = [64, 400].map(|size| Grid::new(size, size, Rules::default(), weight).expect("a grid"));
    for text in PLANNERS {
        let [small, large] = maps.each_ref().map(|map| {
            let [start, goal] = ends.map(|(x, y)| map.node(x, y).expect("a cell"));
            let mut agent = Agent::new(text, map, (start, goal));
            agent.prices = Prices::ALL_WORK;
            let log = ChangeLog::new();
            let step = |_| {
                let (decision, work) = agent.tick(map, &log, Some(20));
                let kinds = WorkKind::ALL.map(|kind| if kind == WorkKind::Page { 0 } else { work[kind] });
                (map.xy(agent.at), decision == Decision::Wait, kinds)
            };
            (0..150).map(step).collect::<Vec<_>>()
        });
        assert_eq!(small, large, "{text}");
        assert!(small.iter().all(|((x, y), ..)| *x < 60 && *y < 60), "{text} leaves what is common");
    }
}
