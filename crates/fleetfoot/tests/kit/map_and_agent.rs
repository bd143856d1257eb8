//! Maps that are edited, saved and queried, and agents on them.

use fleetfoot::registry::{ALGORITHMS, PlannerInfo};
use fleetfoot::{
    Agent, Belief, Grid, Map, Meter, NearestCell, NodeId, Prices, Reachability, Rules, Scratch, TickOutcome,
    Work, WorkKind,
};
use fleetfoot_testkit::{Rng, oracle, worlds};

fn random_map(rng: &mut Rng, percent: u32) -> Map {
    worlds::random_grid(rng, (19, 17), Rules::default(), percent, 1).into()
}

fn cells(map: &Map) -> Vec<NodeId> {
    let (width, height) = (map.grid().width(), map.grid().height());
    (0..height).flat_map(|y| (0..width).filter_map(move |x| map.node(x, y))).collect()
}

/// Ticks until the agent has arrived or given up, at most `most` times.
fn live(agent: &mut Agent, map: &Map, budget: u64, most: usize) -> TickOutcome {
    let mut status = TickOutcome::Waiting;
    for _ in 0..most {
        let (before, path) = (agent.at(), agent.path(map));
        status = agent.tick(map, budget);
        if agent.at() != before {
            assert!(map.grid().is_free(agent.at()), "{:?}", agent.spec());
            assert!(path.is_empty() || path.len() < 19 * 17, "a path without an end");
        }
        if status.is_final() {
            break;
        }
    }
    status
}

#[test]
fn auto_arrives_or_reports_no_path() {
    let mut rng = Rng::new(4);
    for round in 0..60 {
        let map = random_map(&mut rng, 20 + round % 25);
        let all = cells(&map);
        let (start, goal) = (rng.pick(&all), rng.pick(&all));
        let is_free = map.is_free(start) && map.is_free(goal);
        let truth = is_free && oracle::distances_from(map.grid(), start)[goal.index()].is_finite();
        let mut agent = Agent::new(&map, "auto", start, goal).expect("auto suits every map");
        let status = live(&mut agent, &map, 1 + round as u64 % 30, 20_000);
        let expected = if truth || start == goal { TickOutcome::Arrived } else { TickOutcome::Unreachable };
        assert_eq!(status, expected, "round {round}");
    }
}

/// A goal that is blocked, cut off or outside is reported in the first tick by every planner.
#[test]
fn nonsense_is_answered_at_once() {
    let map = Map::new(12, 12, |x, y| x != 6 && (x, y) != (2, 2)).expect("a small map");
    let (start, blocked) = (map.node(1, 1).expect("inside"), map.node(2, 2).expect("inside"));
    let cut_off = map.node(9, 9).expect("inside");
    for info in ALGORITHMS {
        for (at, goal) in [
            (start, blocked),
            (start, cut_off),
            (start, NodeId::new(99_999)),
            (start, NodeId::NONE),
            (blocked, start),
            (NodeId::NONE, start),
        ] {
            let mut agent = Agent::new(&map, info.key, at, goal).expect("grids offer everything");
            assert_eq!(agent.tick(&map, 1), TickOutcome::Unreachable, "{} from {at} to {goal}", info.key);
            assert_eq!((agent.at(), agent.path(&map)), (at, Vec::new()));
        }
        // A larger map than that of the planner.
        let large = Map::new(90, 90, |_, _| true).expect("a small map");
        let mut agent = Agent::new(&map, info.key, start, map.node(5, 9).expect("inside")).expect("as above");
        if info.key != "hill-climb" {
            assert_eq!(agent.tick(&large, 10), TickOutcome::Unreachable, "{}", info.key);
        }
    }
    let wrong = Agent::new(&map, "tbaa(r=2)", start, blocked).unwrap_err().to_string();
    assert!(wrong.contains("r=2") || wrong.contains('r'), "{wrong}");
    assert_eq!(
        map.nearest(start, (2, 2), &mut Meter::expansions(10)),
        NearestCell::Cell(map.node(2, 1).unwrap())
    );
}

/// Paths consist of legal moves. Every planner that plans beyond the current tick reports one.
#[test]
fn an_agent_reports_its_path() {
    let mut rng = Rng::new(9);
    for info in ALGORITHMS.iter().filter(|info| info.facts.complete && info.facts.polynomial) {
        let mut told = 0;
        for _ in 0..3 {
            let map = random_map(&mut rng, 20);
            let free: Vec<NodeId> = cells(&map).into_iter().filter(|&n| map.is_free(n)).collect();
            let mut agent = Agent::new(&map, info.key, rng.pick(&free), rng.pick(&free)).expect("a grid");
            for _ in 0..300 {
                let path = agent.path(&map);
                let walk: Vec<NodeId> = [agent.at()].into_iter().chain(path).collect();
                assert!(oracle::cost_of(map.grid(), &walk).is_finite(), "{}", info.key);
                told += usize::from(walk.len() > 1);
                if agent.tick(&map, 40).is_final() {
                    break;
                }
            }
        }
        // They plan for the current tick only, or cannot report a path without the graph.
        let silent = ["lrta", "tla", "p-lrta", "lrts", "d-lrta", "knn-lrta", "ribs"];
        assert_eq!(told == 0, silent.contains(&info.key), "{}", info.key);
    }
}

#[test]
fn a_new_goal_and_another_place_are_taken_up() {
    let map = Map::new(30, 30, |x, y| x != 15 || y == 29).expect("a small map");
    let [a, b, c] = [(2, 2), (27, 2), (2, 27)].map(|(x, y)| map.node(x, y).expect("inside"));
    let mut agent = Agent::new(&map, "auto", a, b).expect("auto");
    for _ in 0..5 {
        agent.tick(&map, 10);
    }
    agent.set_goal(c);
    assert_eq!(live(&mut agent, &map, 10, 1000), TickOutcome::Arrived);
    agent.set_goal(b);
    agent.tick(&map, 10);
    agent.teleport(a);
    assert_eq!(live(&mut agent, &map, 10, 1000), TickOutcome::Arrived);
    assert_eq!(agent.at(), b);
}

/// Doors open and close. The agent switches its planner when the map changes, and arrives.
#[test]
fn auto_copes_with_a_map_that_changes() {
    let mut rng = Rng::new(11);
    for round in 0..20 {
        let mut map = random_map(&mut rng, 25);
        let all = cells(&map);
        let free: Vec<NodeId> = all.iter().copied().filter(|&n| map.is_free(n)).collect();
        let (start, goal) = (rng.pick(&free), rng.pick(&free));
        let mut agent = Agent::new(&map, "auto", start, goal).expect("auto");
        for _ in 0..60 {
            let n = rng.pick(&all);
            if n != goal && n != agent.at() {
                map.set(n, u8::from(!map.is_free(n))).expect("a cell");
            }
            map.update_indices(20);
            agent.tick(&map, 15);
        }
        while !map.update_indices(100) {}
        let status = live(&mut agent, &map, 15, 20_000);
        let expected = if map.reachability(agent.at(), goal) == Reachability::Maybe {
            TickOutcome::Arrived
        } else {
            TickOutcome::Unreachable
        };
        assert_eq!(status, expected, "round {round}");
    }
}

#[test]
fn a_belief_is_a_map() {
    let mut belief = Belief::unknown(9, 9, Rules::default(), 1..=1).expect("a small map");
    let n = belief.map().node(4, 4).expect("inside");
    belief.reveal(n, 0).expect("a cell");
    assert!(!belief.map().is_free(n));
    assert_eq!(belief.map().reachability(n, n), Reachability::Unreachable);
    let known = Belief::known(Grid::new(3, 3, Rules::default(), |_, _| 1).expect("a small map"));
    assert_eq!(known.known_count(), 9);
}

mod saved {
    use super::*;
    use fleetfoot::SavedAgent;

    /// Map and agent are saved as text and loaded, during a search and while the index is not exact: both continue
    /// identically.
    #[test]
    fn a_saved_game_goes_on_alike() {
        let mut rng = Rng::new(21);
        // If all work is charged, stored connections of the corner index matter as well.
        let tick = |agent: &mut Agent, map: &Map| {
            let mut meter = Meter::priced(7, Prices::ALL_WORK);
            let status = agent.tick_with(map, &mut meter, &mut Scratch::new());
            (status, *meter.work())
        };
        let copes = |info: &&PlannerInfo| info.facts.falling_costs && info.facts.polynomial;
        for (info, percent) in ALGORITHMS.iter().filter(copes).flat_map(|info| [(info, 30), (info, 8)]) {
            let mut map = random_map(&mut rng, percent);
            let all = cells(&map);
            let free: Vec<NodeId> = all.iter().copied().filter(|&n| map.is_free(n)).collect();
            let mut agent = Agent::new(&map, info.key, rng.pick(&free), rng.pick(&free)).expect("a grid");
            let mut twin: Option<(Map, Agent)> = None;
            let mut inexact = 0;
            for round in 0..120 {
                if round % 20 == 10 {
                    let text = serde_json::to_string(&(&map, agent.save(&map))).expect("plain data");
                    let (again, saved): (Map, SavedAgent) =
                        serde_json::from_str(&text).expect("what was written");
                    let loaded = Agent::load(&again, &saved).expect("the same world");
                    twin = Some((again, loaded));
                    inexact += usize::from(!map.indices_are_current());
                }
                let n = rng.pick(&all);
                let weight = u8::from(!map.is_free(n));
                let edit = |map: &mut Map| {
                    map.set(n, weight).expect("a cell");
                    map.update_indices(3)
                };
                let exact = edit(&mut map);
                if agent.at() == agent.goal() {
                    agent.set_goal(rng.pick(&all));
                    if let Some((_, twin)) = &mut twin {
                        twin.set_goal(agent.goal());
                    }
                }
                let (status, work) = tick(&mut agent, &map);
                if let Some((map_twin, agent_twin)) = &mut twin {
                    assert_eq!(edit(map_twin), exact, "{} at {round}", info.key);
                    let (status_twin, work_twin) = tick(agent_twin, map_twin);
                    assert_eq!(status_twin, status, "{} at {round}", info.key);
                    // The number of allocated pages depends on the past.
                    let but_pages =
                        |work: Work| WorkKind::ALL.map(|k| if k == WorkKind::Page { 0 } else { work[k] });
                    assert_eq!(but_pages(work_twin), but_pages(work), "{} at {round}", info.key);
                    let (a, b) = (rng.pick(&all), rng.pick(&all));
                    assert_eq!(map_twin.reachability(a, b), map.reachability(a, b));
                }
            }
            assert!(inexact > 0 || percent < 30, "the index was never saved while being repaired");
        }
    }

    /// Random changes to a saved map: rejected, or a map on which nothing fails.
    #[test]
    fn a_forged_map_does_no_harm() {
        let mut rng = Rng::new(31);
        let mut map = random_map(&mut rng, 35);
        let all = cells(&map);
        for _ in 0..12 {
            let n = rng.pick(&all);
            map.set(n, u8::from(!map.is_free(n))).expect("a cell");
            map.update_indices(2);
        }
        let text = serde_json::to_string(&map).expect("plain data");
        let digits: Vec<usize> =
            text.char_indices().filter(|(_, c)| c.is_ascii_digit()).map(|(k, _)| k).collect();
        let (mut refused, mut taken) = (0, 0);
        for _ in 0..3000 {
            let mut bytes = text.clone().into_bytes();
            for _ in 0..=rng.below(2) {
                bytes[rng.pick(&digits)] = b'0' + rng.below(10) as u8;
            }
            let forged = String::from_utf8(bytes).expect("digits");
            let Ok(mut map) = serde_json::from_str::<Map>(&forged) else {
                refused += 1;
                continue;
            };
            taken += 1;
            for _ in 0..30 {
                let n = rng.pick(&all);
                let _ = map.set(n, u8::from(!map.is_free(n)));
                map.update_indices(9);
                map.reachability(rng.pick(&all), rng.pick(&all));
            }
        }
        assert!(refused > 500 && taken > 0, "{refused} refused, {taken} taken");
    }
}
