//! Landmarks of unusual maps, under edits, and across saves, compared with Dijkstra's algorithm.

use fleetfoot::{
    Agent, Cost, Grid, LandmarkMode, LandmarkState, Map, MapConfig, Meter, Neighborhood, Rules, SavedAgent,
    Scratch, Shortest, TickOutcome, shortest_path,
};
use fleetfoot_testkit::{Rng, forge, oracle, worlds};
use serde_json::Value;

use super::rules;

fn config(landmarks: LandmarkMode) -> MapConfig {
    let mut config = MapConfig::default();
    config.landmarks = landmarks;
    config
}

/// Pillars in a regular pattern: four corners around each.
fn pillars(width: u32, height: u32, apart: u32) -> Grid {
    let is_free = |x: u32, y: u32| x % apart != apart / 2 || y % apart != apart / 2;
    Grid::new(width, height, Rules::default(), |x, y| u8::from(is_free(x, y))).expect("a grid")
}

/// Edits that open and close cells at random, some of them again and again.
fn edit(map: &mut Map, rng: &mut Rng) {
    let (width, height) = (map.grid().width(), map.grid().height());
    let (x, y) = if rng.below(3) == 0 {
        (width / 2, rng.between(0, height - 1).min(5))
    } else {
        (rng.between(0, width - 1), rng.between(0, height - 1))
    };
    let n = map.node(x, y).expect("on the map");
    map.set(n, u8::from(!map.is_free(n))).expect("0 and 1");
}

/// Compares whole queries with Dijkstra's algorithm.
fn check(map: &Map, rng: &mut Rng, queries: usize) {
    let (cells, mut scratch) = (worlds::free_cells(map.grid()), Scratch::new());
    for _ in 0..queries.min(cells.len()) {
        let (a, b) = (rng.pick(&cells), rng.pick(&cells));
        let found = shortest_path(map.grid(), a, b, &mut Meter::unlimited(), &mut scratch);
        let truth = oracle::distance(map.grid(), a, b);
        match found {
            Shortest::Path(path, cost) => {
                assert_eq!((cost, oracle::cost_of(map.grid(), &path)), (truth, truth), "from {a} to {b}");
            }
            _ => assert_eq!(truth, Cost::INF, "from {a} to {b}"),
        }
    }
}

fn loaded(map: &Map) -> Map {
    let text = serde_json::to_string(map).expect("plain data");
    serde_json::from_str(&text).expect("what was written")
}

#[test]
fn maps_without_corners_need_no_landmarks() {
    let mut rng = Rng::new(1);
    let open: fn(u32, u32) -> bool = |_, _| true;
    for is_free in [open, |_, _| false, |x, _| x % 5 != 4, |x, y| x == 0 && y == 0] {
        for mode in [LandmarkMode::AtOnce, LandmarkMode::InSlices] {
            for (width, height) in [(1, 1), (1, 40), (40, 1), (30, 20)] {
                let grid =
                    Grid::new(width, height, Rules::default(), |x, y| u8::from(is_free(x, y))).unwrap();
                let mut map = Map::with_config(grid, config(mode));
                assert_eq!(map.landmarks(), LandmarkState::TooFewCorners);
                assert!(map.prepare(&mut Meter::expansions(0)), "nothing is missing");
                check(&map, &mut rng, 5);
                for _ in 0..20 {
                    edit(&mut map, &mut rng);
                    check(&map, &mut rng, 3);
                }
                while !map.prepare(&mut Meter::expansions(50)) {}
                check(&loaded(&map), &mut rng, 5);
            }
        }
    }
}

/// The only cell is closed and opened again; an agent on it has nothing to do.
#[test]
fn a_map_of_one_cell_can_be_edited_saved_and_walked() {
    let mut map = Map::new(1, 1, |_, _| true).unwrap();
    let n = map.node(0, 0).unwrap();
    let mut agent = Agent::new(&map, "auto", n, n).unwrap();
    assert_eq!(agent.tick(&map, 1), TickOutcome::Arrived);
    for weight in [0, 1, 0, 1] {
        map.set(n, weight).unwrap();
        while !map.prepare(&mut Meter::expansions(1)) {}
        let again = loaded(&map);
        assert_eq!((again.landmarks(), again.is_free(n)), (LandmarkState::TooFewCorners, weight == 1));
    }
}

#[test]
fn weighted_grids_have_no_landmarks_and_are_searched_by_cells() {
    let mut rng = Rng::new(4);
    for four in [false, true] {
        let weight =
            |x: u32, y: u32| if x % 6 == 3 && y % 6 == 3 { 0 } else { 1 + u8::from(x.is_multiple_of(9)) };
        let grid = Grid::new(50, 40, rules(four), weight).unwrap();
        let mut map = Map::with_config(grid, config(LandmarkMode::AtOnce));
        assert_eq!(map.landmarks(), LandmarkState::Off);
        assert!(map.prepare(&mut Meter::expansions(0)));
        check(&map, &mut rng, 20);
        edit(&mut map, &mut rng);
        while !map.prepare(&mut Meter::expansions(10)) {}
        check(&map, &mut rng, 20);
        assert_eq!(loaded(&map).landmarks(), LandmarkState::Off);
    }
}

/// Landmarks are computed in slices while the map is edited, with four and with eight neighbors: all queries stay shortest.
#[test]
fn edits_during_slices_keep_queries_shortest() {
    let (mut rng, mut rebuilt) = (Rng::new(6), 0);
    for round in 0..24 {
        let neighborhood = [Neighborhood::Eight, Neighborhood::Four][round % 2];
        let free = |_, _| u8::from(rng.below(6) > 0);
        let grid = Grid::new(48, 40, Rules { neighborhood, ..Rules::default() }, free).unwrap();
        let mut map = Map::with_config(grid, config(LandmarkMode::InSlices));
        assert_eq!(map.landmarks(), LandmarkState::Pending);
        for _ in 0..40 {
            if rng.below(3) == 0 {
                edit(&mut map, &mut rng);
            }
            rebuilt += u32::from(map.prepare(&mut Meter::expansions(rng.below(12_000) as u64)));
            check(&map, &mut rng, 2);
        }
    }
    assert!(rebuilt > 50, "{rebuilt} times all was ready");
}

/// A map of 20 million cells says how much memory its landmarks need before it makes them.
#[test]
fn landmarks_of_twenty_million_cells_are_refused_with_a_remedy() {
    let grid = pillars(5000, 4000, 20);
    let map = Map::with_config(grid, config(LandmarkMode::AtOnce));
    let LandmarkState::TooManyCorners { corners, bytes } = map.landmarks() else {
        panic!("{:?}", map.landmarks())
    };
    assert_eq!(corners, 4 * 250 * 200);
    // The stated memory is the memory used.
    let without = map.memory_bytes();
    let mut more = config(LandmarkMode::AtOnce);
    more.max_landmark_corners = corners;
    let map = Map::with_config(map.grid().clone(), more);
    assert_eq!(map.landmarks(), LandmarkState::Ready);
    let used = map.memory_bytes() - without;
    assert!(used <= bytes && 10 * used > 8 * bytes, "{used} bytes used, {bytes} stated");
    // Whole queries work with and without them.
    let [a, b] = [(0, 0), (4999, 3999)].map(|(x, y)| map.node(x, y).unwrap());
    let path = shortest_path(map.grid(), a, b, &mut Meter::unlimited(), &mut Scratch::new());
    assert!(matches!(path, Shortest::Path(..)));
}

/// A map whose landmarks are half done, and an agent between start and goal are saved as text and loaded. Both go on alike.
#[test]
fn saves_of_half_built_landmarks_go_on_alike() {
    let mut rng = Rng::new(8);
    for round in 0..12 {
        let free = |_, _| u8::from(rng.below(8) > 0);
        let grid = Grid::new(60, 50, Rules::default(), free).unwrap();
        let mut map = Map::with_config(grid, config(LandmarkMode::InSlices));
        let cells = worlds::free_cells(map.grid());
        let mut agent = Agent::new(&map, "corner-tba", rng.pick(&cells), rng.pick(&cells)).unwrap();
        let mut twin: Option<(Map, Agent)> = None;
        for tick in 0..200 {
            if tick % 16 == 7 && map.landmarks() == LandmarkState::Pending {
                let saved = serde_json::to_string(&(&map, agent.save(&map))).unwrap();
                let (map, saved): (Map, SavedAgent) = serde_json::from_str(&saved).unwrap();
                let agent = Agent::load(&map, &saved).unwrap();
                twin = Some((map, agent));
            }
            let (n, edits, work) = (rng.pick(&cells), rng.below(12) == 0, rng.below(60) as u64);
            let goal = rng.pick(&cells);
            let go_on = |map: &mut Map, agent: &mut Agent| {
                if edits {
                    map.set(n, u8::from(!map.is_free(n))).unwrap();
                }
                let is_ready = map.prepare(&mut Meter::expansions(work));
                if agent.at() == agent.goal() {
                    agent.set_goal(goal);
                }
                let outcome = agent.tick(map, 3);
                (is_ready, outcome, agent.at(), map.landmarks())
            };
            let mine = go_on(&mut map, &mut agent);
            if let Some((map, agent)) = &mut twin {
                assert_eq!(go_on(map, agent), mine, "round {round}, tick {tick}");
            }
        }
        assert!(twin.is_some());
    }
}

/// Damaged landmarks in a saved map are refused, or cost time and nothing else: all queries remain shortest.
#[test]
fn forged_landmarks_are_refused_or_sound() {
    let mut rng = Rng::new(12);
    let free = |_, _| u8::from(rng.below(7) > 0);
    let grid = Grid::new(40, 30, Rules::default(), free).unwrap();
    let mut map = Map::with_config(grid, config(LandmarkMode::InSlices));
    while !map.prepare(&mut Meter::expansions(500)) {}
    // Some cells are opened, others closed, until a rebuild is under way.
    let (honest, landmarks) = (0..400)
        .find_map(|_| {
            edit(&mut map, &mut rng);
            map.prepare(&mut Meter::expansions(150));
            let honest = serde_json::to_value(&map).unwrap();
            let landmarks = honest.pointer("/grid/landmarks").expect("their place in a save").clone();
            let is_under_way = !landmarks["table"].is_null() && !landmarks["builder"].is_null();
            is_under_way.then_some((honest, landmarks))
        })
        .expect("a rebuild");
    assert_eq!(map.landmarks(), LandmarkState::Pending);
    let (mut refused, mut taken) = (0, 0);
    let mut judge = |what: &str, forged: &Value| {
        let mut document = honest.clone();
        document["grid"]["landmarks"] = forged.clone();
        let Ok(mut map) = serde_json::from_value::<Map>(document) else {
            refused += 1;
            return;
        };
        taken += 1;
        let mut rng = Rng::new(taken);
        check(&map, &mut rng, 6);
        edit(&mut map, &mut rng);
        map.prepare(&mut Meter::expansions(100));
        check(&map, &mut rng, 3);
        assert!((0..2_000).any(|_| map.prepare(&mut Meter::expansions(500))), "{what}: never ready");
        check(&map, &mut rng, 6);
    };
    forge::each_number_changed(&landmarks, &mut judge);
    for _ in 0..200 {
        let mut forged = landmarks.clone();
        forge::damage(&mut forged, &mut |n| rng.below(n));
        judge("damaged", &forged);
    }
    assert!(refused > 50 && taken > 50, "{refused} refused, {taken} taken");
}

/// Maps that were saved before there were landmarks have none, and work.
#[test]
fn saves_without_landmarks_are_loaded() {
    let mut rng = Rng::new(14);
    let map = Map::with_config(pillars(64, 48, 8), config(LandmarkMode::AtOnce));
    assert_eq!(map.landmarks(), LandmarkState::Ready);
    let mut old = serde_json::to_value(&map).unwrap();
    let grid = old["grid"].as_object_mut().expect("fields");
    assert!(grid.remove("landmarks").is_some() && grid.remove("is_wide").is_some());
    let map: Map = serde_json::from_value(old).expect("an old save");
    assert_eq!(map.landmarks(), LandmarkState::Off);
    check(&map, &mut rng, 20);
    let from = map.node(0, 0).unwrap();
    let mut agent = Agent::new(&map, "auto", from, map.node(63, 47).unwrap()).unwrap();
    assert!((0..500).any(|_| agent.tick(&map, 10) == TickOutcome::Arrived));
}
