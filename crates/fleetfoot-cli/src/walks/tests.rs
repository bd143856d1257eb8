use super::changes::Change;
use super::layout::{LARGEST, SIDE};
use super::*;
use fleetfoot::{Cost, Rules};
use fleetfoot_sim::world::Terrain;

/// A walk along a row of an open map.
fn walk(map: &GridMap, columns: &[u32], row: u32, searched: &[(u32, u32)]) -> Walk {
    let grid = Terrain::default().grid(map, Rules::default()).unwrap();
    let node = |x, y| grid.node(x, y).unwrap();
    let mut scribe = Scribe::new(&grid);
    for &(x, y) in searched {
        let node = node(x, y);
        scribe.event(Event::Expand { node, parent: NodeId::NONE, g: Cost::ZERO, f: Cost::ZERO });
        scribe.event(Event::Search { root: node });
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
fn what_was_walked_or_searched_is_shown_and_little_else() {
    let map = GridMap::new(300, 200, b'.').unwrap();
    let region = |searched: &[(u32, u32)], end| {
        let walks = [walk(&map, &[100, 101, 102], 90, searched)];
        let Region { x, y, width, height } = Region::of(&map, &walks, ((100, 90), (end, 90)));
        (x, y, width, height)
    };
    assert_eq!(region(&[], 102), (96, 86, 11, 9));
    assert_eq!(region(&[(160, 90), (101, 30)], 102), (95, 25, 71, 71));
    assert_eq!(region(&[(1, 1)], 299), (0, 0, 300, 98), "most of it is all of it");
}

#[test]
fn cells_are_as_large_as_fits() {
    let layout = |width, height, panels| {
        let Layout { columns, rows, zoom } = Layout::of(Region { x: 0, y: 0, width, height }, panels);
        let side = |n: u32, cells| n * (zoom.pixels(cells) + GAP) + GAP;
        assert!(side(columns, width) <= SIDE && side(rows, height) <= SIDE);
        (columns, rows, zoom)
    };
    assert_eq!(layout(512, 512, 1), (1, 1, Zoom::In(3)));
    assert_eq!(layout(100, 100, 2), (2, 1, Zoom::In(9)));
    assert_eq!(layout(300, 40, 2), (1, 2, Zoom::In(6)), "wide maps one below the other");
    assert_eq!(layout(100, 100, 4), (2, 2, Zoom::In(9)));
    assert_eq!(layout(40, 300, 4), (4, 1, Zoom::In(6)));
    assert_eq!(layout(8, 4, 3), (3, 1, Zoom::In(LARGEST)));
    assert_eq!(layout(4096, 4096, 1), (1, 1, Zoom::Out(3)));
    assert_eq!(layout(4096, 1000, 2), (1, 2, Zoom::Out(3)));
}

#[test]
fn every_panel_has_a_place_of_its_own() {
    for (columns, rows) in [(1, 1), (2, 1), (1, 2), (3, 1), (1, 3), (2, 2), (4, 1), (1, 4)] {
        let layout = Layout { columns, rows, zoom: Zoom::In(1) };
        let mut names: Vec<_> = (0..(columns * rows) as usize).map(|k| layout.place(k)).collect();
        names.dedup();
        assert_eq!(names.len(), (columns * rows) as usize);
    }
}

#[test]
fn colours_of_time_become_brighter_evenly() {
    let brightness = |[r, g, b]: Colour| 0.299 * f64::from(r) + 0.587 * f64::from(g) + 0.114 * f64::from(b);
    let along: Vec<_> = (0..=50).map(|k| brightness(ramp(f64::from(k) / 50.0))).collect();
    assert!(along.windows(2).all(|two| two[0] < two[1]), "{along:?}");
    assert!(along[50] - along[0] > 100.0);
    assert_eq!((ramp(-1.0), ramp(2.0)), (RAMP[0], RAMP[RAMP.len() - 1]));
}

/// Maps larger than a picture are drawn with several cells to a pixel.
#[test]
fn huge_maps_are_drawn_too() {
    let map = GridMap::new(2500, 3, b'.').unwrap();
    let walks = [walk(&map, &[0, 1, 2], 1, &[(2499, 2)])];
    let (canvas, layout) = draw(&map, &walks, ((0, 1), (2499, 2)));
    assert_eq!(layout.zoom, Zoom::Out(2));
    canvas.write(&mut Vec::new()).unwrap();
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
    assert_eq!(Walk::changes_told(std::slice::from_ref(&walk)), "");
    walk.note_changes(&world, vec![(0, 0), (1, 0)]);
    let expected = [
        ((1, 1), Change::Closed),
        ((2, 1), Change::Weighed),
        ((7, 1), Change::Closed),
        ((8, 0), Change::Opened),
    ];
    assert_eq!(walk.changes.iter().map(|(cell, change)| (*cell, *change)).collect::<Vec<_>>(), expected);
    let told = Walk::changes_told(std::slice::from_ref(&walk));
    assert!(
        told.starts_with("Yellow: opened. Brown: closed at some time. Tan:") && told.contains("Dashed"),
        "{told}"
    );
    let (canvas, _) = draw(&map, &[walk], ((0, 0), (7, 0)));
    canvas.write(&mut Vec::new()).unwrap();
}
