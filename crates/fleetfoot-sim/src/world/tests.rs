use super::*;
use crate::formats::script::parse_script;
use crate::map::GridMap;
use fleetfoot::{Graph, Rules};

fn grid(rows: &[&str]) -> Arc<Grid> {
    let map = GridMap::from_rows(rows).unwrap();
    Arc::new("S=3".parse::<Terrain>().unwrap().grid(&map, Rules::default()).unwrap())
}

fn script(width: u32, height: u32, lines: &str) -> Script {
    parse_script(format!("fleetfoot-script 1\nsize {width} {height}\n{lines}").as_bytes()).unwrap()
}

fn weights(grid: &Grid) -> Vec<u8> {
    cells(grid).map(|n| grid.weight(n)).collect()
}

#[test]
fn changes_arrive_at_their_ticks() {
    let grid = grid(&["....@"]);
    let lines =
        "0 close 1 0\n2 close 2 0\n2 open 1 0\n5 weight 2 0 4\n7 open 2 0\n7 open 4 0\n9 weight 4 0 2";
    let world = World::dynamic(&grid, 1..=1, &script(5, 1, lines), None).unwrap();
    let mut truth = Truth::new(&world);
    let nowhere = NodeId::NONE;
    let expected: [(u64, &[u8], usize); 8] = [
        (0, &[1, 0, 1, 1, 0], 1),
        (1, &[1, 0, 1, 1, 0], 0),
        (2, &[1, 1, 0, 1, 0], 2),
        (3, &[1, 1, 0, 1, 0], 0),
        (5, &[1, 1, 0, 1, 0], 1),
        (7, &[1, 1, 4, 1, 1], 2),
        (8, &[1, 1, 4, 1, 1], 0),
        (9, &[1, 1, 4, 1, 2], 1),
    ];
    for (tick, cells, changes) in expected {
        truth.advance(tick, nowhere);
        assert_eq!(truth.changed().len(), changes, "at {tick}");
        assert_eq!(weights(truth.grid()), cells, "at {tick}");
        assert_eq!(truth.can_change_again(tick, nowhere), tick < 9);
    }
    assert_eq!(weights(world.truth()), [1, 1, 1, 1, 0]);
}

#[test]
fn an_opened_cell_has_its_old_weight() {
    let grid = grid(&["S.@"]);
    let world =
        World::dynamic(&grid, 1..=3, &script(3, 1, "1 close 0 0\n2 open 0 0\n3 open 2 0"), None).unwrap();
    let mut truth = Truth::new(&world);
    let seen = [1, 2, 3].map(|tick| {
        truth.advance(tick, NodeId::NONE);
        weights(truth.grid())
    });
    assert_eq!(seen, [[0, 1, 0], [3, 1, 0], [3, 1, 1]]);
}

#[test]
fn a_closing_waits_for_its_cell() {
    let grid = grid(&["..."]);
    let lines = "1 close 1 0\n2 close 0 0\n3 weight 1 0 5\n4 open 1 0\n5 close 1 0\n6 weight 0 0 2";
    let world = World::dynamic(&grid, 1..=1, &script(3, 1, lines), None).unwrap();
    let [left, middle, _] = [0, 1, 2].map(|x| grid.node(x, 0).unwrap());
    let mut truth = Truth::new(&world);
    truth.advance(1, middle);
    assert!(truth.changed().is_empty());
    truth.advance(2, middle);
    assert_eq!(truth.changed(), [left]);
    assert_eq!(weights(truth.grid()), [0, 1, 1]);
    // It has closed, changed its weight, opened and closed again: all of it is delayed.
    truth.advance(5, middle);
    assert!(truth.changed().is_empty());
    assert_eq!(weights(truth.grid()), [0, 1, 1]);
    truth.advance(6, NodeId::NONE);
    assert_eq!(truth.changed(), [middle, middle, middle, middle, left]);
    assert_eq!(weights(truth.grid()), [0, 0, 1]);
}

#[test]
fn an_occupied_cell_may_become_rough() {
    let grid = grid(&[".."]);
    let world = World::dynamic(&grid, 1..=1, &script(2, 1, "1 weight 0 0 9"), None).unwrap();
    let mut truth = Truth::new(&world);
    truth.advance(1, grid.node(0, 0).unwrap());
    assert_eq!(weights(truth.grid()), [9, 1]);
}

#[test]
fn a_world_without_changes_copies_nothing() {
    let grid = grid(&["..."]);
    let world = World::known(&grid);
    let mut truth = Truth::new(&world);
    truth.advance(100, NodeId::NONE);
    assert!(std::ptr::eq(truth.grid(), world.truth()) && std::ptr::eq(world.graph(), Arc::as_ptr(&grid)));
    assert!(!truth.can_change_again(0, NodeId::NONE) && !world.is_dynamic());
}

#[test]
fn hides_the_share_asked_for() {
    let map = GridMap::new(100, 100, b'.').unwrap();
    let grid = Arc::new(Terrain::default().grid(&map, Rules::default()).unwrap());
    let known = |text: &str| {
        let world = text.parse::<WorldSpec>().unwrap().load(&grid, 1..=1).unwrap();
        world.belief().unwrap().known_count()
    };
    assert_eq!((known("partial(hidden=0)"), known("partial(hidden=1)")), (10_000, 0));
    let some = known("partial(hidden=0.3,seed=1)");
    assert!((6_850..7_150).contains(&some), "{some}");
    assert_eq!(some, known("partial(hidden=0.3,seed=1)"));
    assert_ne!(some, known("partial(hidden=0.3,seed=2)"));
    assert_eq!(known("unknown"), 0);
}

#[test]
fn the_scale_of_a_belief_reveals_nothing_hidden() {
    let (rough, plain) = (grid(&["..S"]), grid(&["..."]));
    let unit = |grid| World::unknown(grid, 1..=3, Sight::Eight).unwrap().graph().fingerprint();
    assert_eq!(unit(&rough), unit(&plain));
}

#[test]
fn scripts_must_fit_the_map() {
    let grid = grid(&["..."]);
    let error = World::dynamic(&grid, 1..=1, &script(2, 1, ""), None).unwrap_err().to_string();
    assert!(error.starts_with("the script is for a 2x1 map, this one has 3x1"), "{error}");
    let mut bad = script(3, 1, "1 open 0 0");
    bad.changes[0].x = 3;
    assert!(World::dynamic(&grid, 1..=1, &bad, None).is_err());
    let spec: WorldSpec = "dynamic(/no/such/file)".parse().unwrap();
    assert!(spec.load(&grid, 1..=1).unwrap_err().to_string().starts_with("/no/such/file: cannot read"));
    let spec: WorldSpec = "unknown(sight=4)".parse().unwrap();
    assert!(spec.load(&grid, 1..=1).unwrap_err().to_string().contains("use sight=8"));
}

fn ruled(rows: &[&str], rules: &str) -> World {
    let text = format!("fleetfoot-script 2\nsize {} {}\n{rules}", rows[0].len(), rows.len());
    World::dynamic(&grid(rows), 1..=3, &parse_script(text.as_bytes()).unwrap(), None).unwrap()
}

#[test]
fn a_door_shuts_before_the_agent_and_opens_behind_it() {
    let world = ruled(&["....S....."], "rule shut-near 4 0 radius 2 ticks 5\n");
    assert!(world.is_dynamic());
    let mut truth = Truth::new(&world);
    let mut door = |tick, at: u32| {
        let agent = world.truth().node(at, 0).unwrap();
        truth.advance(tick, agent);
        let is_open = truth.grid().weight(world.truth().node(4, 0).unwrap()) == 3;
        (is_open, truth.changed().len(), truth.can_change_again(tick, agent))
    };
    assert_eq!(door(0, 0), (true, 0, false), "too far to be noticed");
    assert_eq!(door(1, 1), (true, 0, false));
    assert_eq!(door(2, 2), (false, 1, false), "near: it shuts, and stays so for a waiting agent");
    assert_eq!(door(9, 2), (false, 0, false));
    assert_eq!(door(10, 1), (true, 1, false), "time is over and the agent gone");
    assert_eq!(door(11, 2), (false, 1, false));
    assert_eq!(door(12, 1), (false, 0, true), "gone, but it is too soon");
    assert_eq!(door(15, 1), (false, 0, true));
    assert_eq!(door(16, 1), (true, 1, false));
}

#[test]
fn a_door_does_not_shut_on_the_agent() {
    let world = ruled(&["..."], "rule shut-near 1 0 radius 1 ticks 1\n");
    let [left, middle, right] = [0, 1, 2].map(|x| world.truth().node(x, 0).unwrap());
    let mut truth = Truth::new(&world);
    truth.advance(0, middle);
    assert!(truth.changed().is_empty() && !truth.can_change_again(0, middle));
    truth.advance(1, right);
    assert_eq!((truth.changed(), weights(truth.grid())), (&[middle][..], vec![1, 0, 1]));
    truth.advance(2, left);
    assert_eq!(weights(truth.grid()), [1, 0, 1]);
}

#[test]
fn nearness_is_octile_distance() {
    let rows = [".........", ".........", ".........", "........."];
    let world = ruled(&rows, "rule shut-near 0 0 radius 3 ticks 1\n");
    for cell in cells(world.truth()).skip(1) {
        let mut truth = Truth::new(&world);
        truth.advance(0, cell);
        let (x, y) = world.truth().xy(cell);
        let length = f64::from(x.abs_diff(y)) + f64::from(x.min(y)) * std::f64::consts::SQRT_2;
        assert_eq!(truth.changed().len(), usize::from(length <= 3.0), "({x}, {y})");
    }
}

#[test]
fn rules_need_a_free_cell_and_little_patience() {
    let rows = ["..@"];
    let text = "fleetfoot-script 2\nsize 3 1\nrule shut-near 2 0 radius 2 ticks 5\n";
    let error = World::dynamic(&grid(&rows), 1..=1, &parse_script(text.as_bytes()).unwrap(), None);
    let error = error.unwrap_err().to_string();
    assert!(error.starts_with("the rule's cell (2, 0) is blocked on the map; give"), "{error}");
    let world = ruled(&[&".".repeat(100)], "rule shut-near 2 0 radius 2 ticks 5\n");
    assert_eq!((world.patience(true), world.patience(false)), (15_000, 15_000));
}

#[test]
fn reports_the_directions_of_cost_changes() {
    let trend = |lines: &str| {
        let script = script(5, 1, lines);
        let Trend { rise, fall } = World::dynamic(&grid(&["..S.@"]), 1..=3, &script, None).unwrap().trend();
        (rise, fall)
    };
    assert_eq!(trend(""), (false, false));
    assert_eq!(trend("1 close 0 0\n2 weight 1 0 4"), (true, false));
    assert_eq!(trend("1 close 0 0\n2 open 0 0"), (true, true));
    assert_eq!(trend("1 open 4 0"), (false, true));
    assert_eq!(trend("1 weight 2 0 4"), (true, false), "swamp weighs 3");
    assert_eq!(trend("1 weight 2 0 2"), (false, true));
    // Changes without effect, or of cells that no agent can enter, are neither.
    assert_eq!(trend("1 close 4 0\n2 open 0 0\n3 weight 0 0 1\n4 weight 4 0 9"), (false, false));
    // A wall that became heavier while it was closed still only opens.
    assert_eq!(trend("1 weight 4 0 9\n2 open 4 0"), (false, true));
    let world = ruled(&["..."], "rule shut-near 1 0 radius 1 ticks 1\n");
    assert_eq!(world.trend(), Trend { rise: true, fall: true });
    let changes: Vec<_> = world.changes_until(0).collect();
    assert_eq!(changes, [(world.truth().node(1, 0).unwrap(), 0)]);
}
