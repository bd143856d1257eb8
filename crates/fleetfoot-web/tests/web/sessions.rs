//! Tests events of a session.

use std::sync::Arc;

use fleetfoot::registry::{ALGORITHMS, Spec};
use fleetfoot::{Rules, Scratch};
use fleetfoot_sim::budget::{Budget, PriceList};
use fleetfoot_sim::episode::{Episode, RunLimits, Task};
use fleetfoot_sim::map::GridMap;
use fleetfoot_sim::sensor::Sight;
use fleetfoot_sim::world::{Terrain, World};
use fleetfoot_web::{Session, Setup, State};

use crate::{setup, walks};

/// Returns the walk of an episode of the simulator.
fn episode(world: &World, setup: &Setup, planner: &str, ticks: u64) -> Vec<(u32, u32)> {
    let trip = Task::new(world, setup.start, setup.goal).unwrap();
    let spec: Spec = planner.parse().unwrap();
    let mut planner = spec.build(world.graph()).unwrap();
    let terms = RunLimits::new(setup.budget.map_or(Budget::Unlimited, Budget::Expansions));
    let (mut episode, mut scratch, mut walk) = (Episode::new(&trip, &terms), Scratch::new(), Vec::new());
    while episode.outcome().is_none() && episode.ticks() < ticks {
        episode.tick(&mut *planner, &mut scratch, None).unwrap();
        walk.push(episode.truth().xy(episode.at()));
    }
    walk
}

/// Checks that an address contains the setup as JSON.
#[test]
fn addresses_without_prices_and_older_ones_open() {
    let (setup, _) = setup("corner40", &["tba"]);
    let mut json = serde_json::to_value(&setup).unwrap();
    assert_eq!(json["prices"], "all");
    json.as_object_mut().unwrap().remove("prices");
    let prices = |key: &str, value: &str| {
        let mut json = json.clone();
        if !key.is_empty() {
            json[key] = value.into();
        }
        serde_json::from_value::<Setup>(json).map(|setup| setup.prices)
    };
    assert_eq!(prices("", "").unwrap(), PriceList::AllWork);
    for key in ["prices", "toll"] {
        assert_eq!(prices(key, "all").unwrap(), PriceList::AllWork);
        assert_eq!(prices(key, "honest").unwrap(), PriceList::AllWork);
        assert_eq!(prices(key, "papers").unwrap(), PriceList::Papers);
    }
    assert!(prices("prices", "fair").unwrap_err().to_string().contains("all, papers or expansions"));
}

/// Returns a session with its walk of a planner, up to its end.
fn session(setup: &Setup, map: &GridMap, planner: &str, ticks: u64) -> (Session, Vec<(u32, u32)>) {
    let setup = Setup { planners: vec![planner.to_owned()], ..setup.clone() };
    let mut session = Session::new(setup, map.clone()).unwrap();
    let walk = walks(&mut session, ticks).remove(0);
    (session, walk)
}

#[test]
fn every_planner_walks_as_in_the_simulator() {
    for name in ["rooms100", "corner40"] {
        let (setup, map) = setup(name, &["tba"]);
        let grid = Arc::new(Terrain::default().grid(&map, Rules::default()).unwrap());
        let world = World::known(&grid);
        for info in ALGORITHMS.iter().filter(|info| info.facts.polynomial) {
            let (_, walk) = session(&setup, &map, info.key, 1000);
            assert_eq!(walk, episode(&world, &setup, info.key, 1000), "{} on {name}", info.key);
        }
    }
}

#[test]
fn in_fog_and_under_changes_they_walk_as_in_the_simulator_too() {
    let (plain, map) = setup("doors100", &["tba"]);
    let grid = Arc::new(Terrain::default().grid(&map, Rules::default()).unwrap());
    for radius in [None, Some(7)] {
        let setup = Setup { radius, swing: 9, ..plain.clone() };
        for planner in ["auto", "rtba", "dstar-lite", "rtd", "repeated-astar", "lrta"] {
            let (session, walk) = session(&setup, &map, planner, 400);
            let script = session.script();
            assert!(script.changes.len() > 1000);
            let world = World::dynamic(&grid, 1..=1, &script, radius.map(Sight::Radius)).unwrap();
            assert_eq!(walk, episode(&world, &setup, planner, walk.len() as u64), "{planner}, {radius:?}");
        }
    }
}

#[test]
fn a_wall_drawn_under_agents_is_noticed_or_owned_up_to() {
    let rows = ["..........", "..........", ".........."];
    let map = GridMap::from_rows(&rows).unwrap();
    let (plain, _) = setup("corner40", &["tba"]);
    let planners = ["tba", "ribs", "dstar-lite", "repeated-astar"].map(str::to_owned).to_vec();
    let setup =
        Setup { start: (0, 1), goal: (9, 1), planners, name: "drawn".into(), budget: Some(100), ..plain };
    let mut session = Session::new(setup, map).unwrap();
    session.live(3);
    for y in 0..3 {
        assert!(session.edit(6, y, 0).unwrap());
        assert!(!session.edit(6, y, 0).unwrap(), "it is a wall already");
    }
    session.live(50);
    let (state, note) = session.state(1).unwrap();
    assert_eq!(state, State::Ended);
    assert!(note.unwrap().contains("cannot cope"));
    for life in [0, 2, 3] {
        assert_eq!(session.state(life).unwrap().0, State::Stuck, "{life}");
        assert!(session.at(life).unwrap().0 < 6);
    }
    assert!(session.is_at_rest());
    let ticks = session.ticks();
    session.edit(6, 2, 1).unwrap();
    assert!(!session.is_at_rest());
    session.live(50);
    for life in [0, 2, 3] {
        assert_eq!(session.state(life).unwrap().0, State::Arrived, "{life}");
    }
    assert!(session.ticks() > ticks);
}

#[test]
fn agents_are_never_walled_in() {
    let (setup, map) = setup("corner40", &["auto"]);
    let mut session = Session::new(setup, map).unwrap();
    session.live(4);
    let (x, y) = session.at(0).unwrap();
    assert!(!session.edit(x, y, 0).unwrap());
    assert!(session.edit(1000, 0, 0).is_err());
    assert!(session.edit(1, 1, 4).unwrap_err().to_string().contains("turn weights on"));
}

#[test]
fn the_same_setup_with_its_changes_gives_the_same_walks() {
    let (mut setup, map) = setup("rooms100", &["auto", "tba", "lrta", "rtd"]);
    setup.weighs = true;
    setup.prices = PriceList::Papers;
    let mut first = Session::new(setup.clone(), map.clone()).unwrap();
    let mut walked = walks(&mut first, 20);
    for (x, weight) in [(20, 0), (21, 4), (22, 2)] {
        for y in 0..60 {
            if first.edit(x, y, weight).unwrap() {
                setup.changes.push((20, x, y, weight));
            }
        }
    }
    for (walk, rest) in walked.iter_mut().zip(walks(&mut first, 200)) {
        walk.extend(rest);
    }
    let mut second = Session::new(setup, map).unwrap();
    assert_eq!(walks(&mut second, 220), walked);
    for life in 0..4 {
        assert_eq!(second.chunks(life).concat().len() / 10, first.chunks(life).concat().len() / 10);
    }
}

#[test]
fn impossible_setups_are_refused_with_a_remedy() {
    let (good, map) = setup("corner40", &["auto"]);
    let refusal = |setup: Setup| Session::new(setup, map.clone()).unwrap_err().to_string();
    assert!(refusal(Setup { start: (99, 0), ..good.clone() }).contains("outside the map; drag"));
    assert!(refusal(Setup { planners: Vec::new(), ..good.clone() }).contains("choose one to 4"));
    assert!(
        refusal(Setup { planners: vec!["astra".into()], ..good.clone() }).contains("there is no planner")
    );
    let blocked = (0..40).flat_map(|y| (0..40).map(move |x| (x, y))).find(|&(x, y)| !map.passable(x, y));
    assert!(refusal(Setup { goal: blocked.unwrap(), ..good.clone() }).contains("is blocked"));
    let foggy = Setup { radius: Some(5), planners: vec!["pr-lrta".into()], ..good };
    let session = Session::new(foggy, map).unwrap();
    let (state, note) = session.state(0).unwrap();
    assert_eq!((state, note.unwrap().contains("known worlds only")), (State::Ended, true));
}

/// Checks that an address may contain any budget, and that a tick of a planner with exponential work ends
/// nevertheless.
#[test]
fn a_huge_budget_is_limited_with_a_note() {
    for budget in [Some(u64::MAX), Some(200_001), None] {
        let (mut setup, map) = setup("rooms100", &["ida", "astar"]);
        setup.budget = budget;
        let mut session = Session::new(setup, map).unwrap();
        let (_, note) = session.state(0).unwrap();
        assert!(note.unwrap().contains("200000 expansions a tick"), "{budget:?}");
        assert_eq!(session.state(1).unwrap().1, None, "the map limits A*");
        assert_eq!(session.live(2), 2);
    }
    let (mut setup, map) = setup("rooms100", &["ida"]);
    setup.budget = Some(200_000);
    assert_eq!(Session::new(setup, map).unwrap().state(0).unwrap().1, None);
}
