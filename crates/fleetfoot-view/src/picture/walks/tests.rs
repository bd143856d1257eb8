use super::changes::Change;
use super::*;
use fleetfoot::{Cost, Rules};
use fleetfoot_sim::world::Terrain;

/// Returns a walk along a row of an open map.
fn walk(map: &GridMap, columns: &[u32], row: u32, searched: &[(u32, u32)]) -> Walk {
    let grid = Terrain::default().grid(map, Rules::default()).unwrap();
    let node = |x, y| grid.node(x, y).unwrap();
    let mut scribe = WalkRecorder::new(&grid);
    for &(x, y) in searched {
        let node = node(x, y);
        scribe.event(SearchEvent::Expand { node, parent: NodeId::NONE, g: Cost::ZERO, f: Cost::ZERO });
        scribe.event(SearchEvent::Search { root: node });
    }
    let moves: Vec<_> = (3..).zip(columns[1..].iter().map(|x| node(*x, row))).collect();
    scribe.finish((node(columns[0], row), node(columns[0], row)), &moves)
}

#[test]
fn a_step_back_is_a_turn() {
    let map = GridMap::new(9, 3, b'.').unwrap();
    let walk = walk(&map, &[2, 3, 4, 3, 4, 5, 4], 1, &[(8, 2), (0, 1)]);
    assert_eq!(walk.turns, [(3, 1), (4, 1), (5, 1)], "each once");
    assert_eq!((walk.steps[0], walk.steps[1]), ((0, (2, 1)), (3, (3, 1))));
    let searched: Vec<_> = (0..27).filter(|k| walk.searched[*k]).collect();
    assert_eq!(searched, [9, 26], "by row and column");
}

#[test]
fn colours_of_time_become_brighter_evenly() {
    let brightness = |[r, g, b]: Colour| 0.299 * f64::from(r) + 0.587 * f64::from(g) + 0.114 * f64::from(b);
    let light: Vec<_> = (0..=50).map(|k| brightness(along(&RAMP, f64::from(k) / 50.0))).collect();
    assert!(light.windows(2).all(|two| two[0] < two[1]), "{light:?}");
    assert!(light[50] - light[0] > 100.0);
    let ends = (along(&RAMP, -1.0), along(&RAMP, 2.0));
    assert_eq!(ends, (RAMP[0], RAMP[RAMP.len() - 1]));
}

/// Checks that maps larger than a picture are drawn with several cells to a pixel.
#[test]
fn huge_maps_are_drawn_too() {
    let map = GridMap::new(2500, 3, b'.').unwrap();
    let walks = [walk(&map, &[0, 1, 2], 1, &[(2499, 2)])];
    let drawn = draw(&map, &walks, ((0, 1), (2499, 2)));
    assert_eq!(drawn.canvas.size(), (1274, 26), "two cells to a pixel");
    drawn.canvas.write(&mut Vec::new()).unwrap();
}

#[test]
fn what_changed_is_marked_as_far_as_the_walk_lasted() {
    let map = GridMap::from_rows(&["........@", "........@"]).unwrap();
    let grid = std::sync::Arc::new(Terrain::default().grid(&map, Rules::default()).unwrap());
    let lines =
        "1 open 8 0\n2 close 8 0\n2 close 1 1\n3 open 1 1\n4 weight 2 1 5\n4 weight 3 1 1\n9 close 5 1\n";
    let text = format!("fleetfoot-script 2\nsize 9 2\nrule shut-near 7 1 radius 1 ticks 1\n{lines}");
    let script = fleetfoot_sim::formats::script::parse_script(text.as_bytes()).unwrap();
    let world = fleetfoot_sim::world::World::dynamic(&grid, 1..=1, &script, None).unwrap();
    // Its last move is in tick 4.
    let mut walk = walk(&map, &[0, 1, 2], 0, &[]);
    assert_eq!(Walk::describe_changes(std::slice::from_ref(&walk)), "");
    walk.note_changes(&world, vec![(0, 0), (1, 0)]);
    let expected = [
        ((1, 1), Change::Closed),
        ((2, 1), Change::Weighed),
        ((7, 1), Change::Closed),
        ((8, 0), Change::Opened),
    ];
    assert_eq!(walk.changes.iter().map(|(cell, change)| (*cell, *change)).collect::<Vec<_>>(), expected);
    let told = Walk::describe_changes(std::slice::from_ref(&walk));
    assert!(
        told.starts_with("Yellow: opened. Brown: closed during the walk. Tan:") && told.contains("Dashed"),
        "{told}"
    );
    draw(&map, &[walk], ((0, 0), (7, 0))).canvas.write(&mut Vec::new()).unwrap();
}
