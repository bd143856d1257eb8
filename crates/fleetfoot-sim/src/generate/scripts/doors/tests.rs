use super::*;
use crate::generate::rooms::Rooms;
use crate::map::Components;

const ROOMS: Rooms =
    Rooms { width: 41, height: 33, size: 7, door_percent: 80, centred: true, connected: true };
const DOORS: Doors =
    Doors { ticks: 400, open: Chance::millionths(10_000), close: Chance::millionths(10_000), goal: None };

#[test]
fn finds_the_doors_of_rooms() {
    for (seed, size) in (0..40).zip([2, 3, 5, 7, 9].into_iter().cycle()) {
        let centred = seed % 2 == 0;
        let made = Rooms { size, centred, connected: seed % 3 == 0, ..ROOMS }.generate(seed).unwrap();
        assert_eq!(find_doors(&made.map), made.doors, "seed {seed}, size {size}");
    }
    let all = Rooms { width: 100, height: 100, size: 10, door_percent: 100, ..ROOMS }.generate(1).unwrap();
    assert_eq!(find_doors(&all.map).len(), 2 * 9 * 8, "four doors to every inner room");
    let wide = crate::generate::maze::generate(41, 41, 2, 1).unwrap().map;
    assert!(find_doors(&wide).is_empty());
    assert!(find_doors(&GridMap::new(9, 9, b'.').unwrap()).is_empty());
    let edge = GridMap::from_rows(&["...@...", "......."]).unwrap();
    assert_eq!(find_doors(&edge), [(3, 1)]);
}

/// Returns the free cells, tick by tick.
fn replay(map: &GridMap, script: &Script, mut each: impl FnMut(u64, &GridMap)) {
    let mut map = map.clone();
    for changes in script.changes.chunk_by(|a, b| a.tick == b.tick) {
        for change in changes {
            let was_free = map.passable(change.x, change.y);
            assert_eq!(was_free, change.what == ChangeKind::Close, "every line changes something");
            map.set(change.x, change.y, if was_free { b'@' } else { b'.' });
        }
        each(changes[0].tick, &map);
    }
}

#[test]
fn no_tick_cuts_off_a_way() {
    let chances =
        [(10_000, 10_000), (1_000, 100_000), (300_000, 300_000), (1_000_000, 1_000_000), (0, 500_000)];
    for (seed, (open, close)) in (0..).zip(chances) {
        let made = Rooms { connected: seed % 2 == 0, door_percent: 90, ..ROOMS }.generate(seed).unwrap();
        let whole = made.map.components();
        let (open, close) = (Chance::millionths(open), Chance::millionths(close));
        let script = Doors { open, close, ..DOORS }.script(&made.map, &made.doors, seed).unwrap();
        script.validate().unwrap();
        let mut last = made.map.clone();
        replay(&made.map, &script, |tick, map| {
            assert!((1..=DOORS.ticks).contains(&tick));
            let now = map.components();
            // Cells that are connected on the map are connected now, by an independent computation.
            let mut label = vec![None; whole.sizes.len()];
            for (before, now) in whole.labels.iter().zip(&now.labels) {
                if *now != Components::BLOCKED {
                    assert_eq!(label[*before as usize].get_or_insert(*now), now, "tick {tick}");
                }
            }
            last = map.clone();
        });
        assert_eq!(last, made.map, "the last tick restores all doors");
        assert!(script.changes.len() > 10, "{}", script.changes.len());
    }
}

#[test]
fn doors_close_and_open_as_often_as_they_should() {
    // Rooms in a ring with an alternative path for each door, and at most one closed door at a time.
    let map = GridMap::from_rows(&[".....", "..@..", "....."]).unwrap();
    let rates = Doors { ticks: 200_000, open: Chance::millionths(20_000), ..DOORS };
    let script = rates.script(&map, &[(2, 0)], 5).unwrap();
    let closings = script.changes.iter().filter(|change| change.what == ChangeKind::Close).count();
    // A cycle takes 100 ticks open and 50 closed.
    assert!((1_200..1_470).contains(&closings), "{closings}");
    assert_eq!(script, rates.script(&map, &[(2, 0)], 5).unwrap());
    assert_ne!(script, rates.script(&map, &[(2, 0)], 6).unwrap());
}

#[test]
fn a_goal_never_closes() {
    let map = GridMap::from_rows(&[".....", "..@..", "....."]).unwrap();
    let doors = [(2, 0), (2, 2)];
    let script = Doors { goal: Some((2, 0)), ..DOORS }.script(&map, &doors, 1).unwrap();
    assert!(script.changes.iter().all(|change| change.y == 2) && !script.changes.is_empty());
}

#[test]
fn doors_side_by_side_and_doors_only() {
    // A passage of two doors, each of which closes it; and a component of doors only.
    let map = GridMap::from_rows(&["........", "..@@@@..", "........", "@@@@@@@@", "...@@@@@"]).unwrap();
    let doors = [(3, 0), (4, 0), (3, 2), (4, 2), (0, 4), (1, 4), (2, 4)];
    let often = Doors { close: Chance::millionths(400_000), open: Chance::millionths(400_000), ..DOORS };
    let script = often.script(&map, &doors, 2).unwrap();
    replay(&map, &script, |tick, map| {
        let rooms = map.components();
        let roots = rooms.labels.iter().zip(0..).filter(|(_, k)| *k < 24);
        let mut roots: Vec<_> =
            roots.map(|(label, _)| *label).filter(|l| *l != Components::BLOCKED).collect();
        roots.dedup();
        roots.sort_unstable();
        roots.dedup();
        assert_eq!(roots.len(), 1, "tick {tick}");
    });
    assert!(script.changes.iter().any(|change| change.y == 0));
}

#[test]
fn refuses() {
    let map = GridMap::from_rows(&["...", "@@@"]).unwrap();
    let refusal = |doors: Doors, cells: &[(u32, u32)]| doors.script(&map, cells, 1).unwrap_err().to_string();
    assert!(refusal(DOORS, &[]).contains("has no doors"));
    assert!(
        refusal(DOORS, &[(1, 0)])
            .starts_with("no door can close: each is the only way to some place, or the goal")
    );
    assert!(refusal(Doors { goal: Some((0, 0)), ..DOORS }, &[(0, 0)]).starts_with("no door can close"));
    assert!(refusal(DOORS, &[(1, 1)]).starts_with("the door (1, 1) is blocked"));
    assert!(refusal(DOORS, &[(3, 0)]).starts_with("the door (3, 0) is blocked or outside"));
    assert!(refusal(DOORS, &[(1, 0), (1, 0)]).contains("named twice; name it once"));
    assert!(
        refusal(Doors { goal: Some((9, 9)), ..DOORS }, &[(1, 0)]).starts_with("the goal (9, 9) is blocked")
    );
    assert!(refusal(Doors { ticks: 0, ..DOORS }, &[(1, 0)]).contains("from 1 to 10000000"));
    assert!(refusal(Doors { ticks: u64::MAX, ..DOORS }, &[(1, 0)]).contains("cannot be recorded"));
}
