//! The index does not depend on the order of edits.

use fleetfoot::corners::{Corners, Scan};
use fleetfoot::{ChangeLog, Grid, NodeId};
use fleetfoot_testkit::Rng;
use proptest::prelude::*;

use super::rules;

fn cell(grid: &Grid, n: NodeId) -> (i32, i32) {
    let (x, y) = grid.xy(n);
    (x.cast_signed(), y.cast_signed())
}

/// Returns the connections of a corner, stored or scanned.
fn connections(grid: &Grid, corners: &Corners, n: NodeId) -> Vec<NodeId> {
    if let Some(list) = stored(grid, corners, n) {
        return list;
    }
    let (mut found, mut scan) = (Vec::new(), Scan::new(cell(grid, n), cell(grid, n)));
    while !scan.is_done() {
        scan.advance(corners, |(x, y)| found.extend(grid.node(x.cast_unsigned(), y.cast_unsigned())));
    }
    found
}

/// Returns the stored connections of a corner.
fn stored(grid: &Grid, corners: &Corners, n: NodeId) -> Option<Vec<NodeId>> {
    let (x, y) = cell(grid, n);
    let node = |(dx, dy): (i32, i32)| grid.node((x + dx).cast_unsigned(), (y + dy).cast_unsigned());
    corners.connections(n).map(|list| list.filter_map(node).collect())
}

fn nodes(grid: &Grid) -> impl Iterator<Item = NodeId> {
    (0..grid.height()).flat_map(move |y| (0..grid.width()).filter_map(move |x| grid.node(x, y)))
}

/// Compares every corner and its connections with a new index.
fn check(grid: &Grid) {
    let (corners, fresh) = (grid.corners().unwrap(), Corners::new(grid).unwrap());
    assert_eq!(corners.len(), fresh.len());
    for n in nodes(grid) {
        let at = cell(grid, n);
        assert_eq!(corners.is_free(at), grid.is_free(n));
        assert_eq!(corners.is_corner(at), fresh.is_corner(at), "{at:?}");
        assert_eq!(corners.is_corner(at), is_corner(grid, at), "{at:?}");
        if corners.is_corner(at) {
            assert_eq!(connections(grid, corners, n), connections(grid, &fresh, n), "{at:?}");
        } else {
            assert!(corners.connections(n).is_none(), "{at:?} is no corner");
        }
    }
}

/// The definition of a corner.
fn is_corner(grid: &Grid, (x, y): (i32, i32)) -> bool {
    let free =
        |x: i32, y: i32| grid.node(x.cast_unsigned(), y.cast_unsigned()).is_some_and(|n| grid.is_free(n));
    free(x, y)
        && [(1, 1), (-1, 1), (-1, -1), (1, -1)]
            .iter()
            .any(|(dx, dy)| !free(x + dx, y + dy) && free(x + dx, y) && free(x, y + dy))
}

/// The definition of a direct connection with four neighbors: the rectangle of its ends contains nothing else.
fn is_clear_between(corners: &Corners, a: (i32, i32), b: (i32, i32)) -> bool {
    let (xs, ys) = (a.0.min(b.0)..=a.0.max(b.0), a.1.min(b.1)..=a.1.max(b.1));
    let mut cells = ys.flat_map(|y| xs.clone().map(move |x| (x, y)));
    cells.all(|at| corners.is_free(at) && (at == a || at == b || !corners.is_corner(at)))
}

fn edit(grid: &mut Grid, rng: &mut Rng) {
    let (x, y) = (rng.between(0, grid.width() - 1), rng.between(0, grid.height() - 1));
    let n = grid.node(x, y).unwrap();
    grid.set(n, u8::from(!grid.is_free(n)), &mut ChangeLog::new()).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 200 } else { 2000 }))]

    #[test]
    fn edits_give_what_building_gives(
        width in 1..80u32, height in 1..40u32, blocked in 0..50usize, four: bool, seed: u64
    ) {
        let mut rng = Rng::new(seed);
        let weight = |_, _| u8::from(rng.below(100) >= blocked);
        let mut grid = Grid::new(width, height, rules(four), weight).unwrap().with_corners();
        check(&grid);
        for _ in 0..rng.below(6) {
            // Without updates, and after some updates.
            for _ in 0..=rng.below(5) {
                edit(&mut grid, &mut rng);
                check(&grid);
            }
            grid.repair_corners(rng.below(300) as u64);
            check(&grid);
        }
        while !grid.repair_corners(1) {}
        check(&grid);
        let fresh = Corners::new(&grid).unwrap();
        assert_eq!(grid.corners().unwrap().stored(), fresh.stored());
        assert!(nodes(&grid).all(|n| stored(&grid, &fresh, n) == stored(&grid, grid.corners().unwrap(), n)));
    }

    /// Direct connections are symmetric, for any target cell.
    #[test]
    fn connections_are_symmetric(
        width in 1..40u32, height in 1..40u32, blocked in 0..40usize, four: bool, seed: u64
    ) {
        let mut rng = Rng::new(seed);
        let grid = Grid::new(width, height, rules(four), |_, _| u8::from(rng.below(100) >= blocked)).unwrap();
        let corners = Corners::new(&grid).unwrap();
        let free: Vec<_> = nodes(&grid).filter(|n| grid.is_free(*n)).map(|n| cell(&grid, n)).collect();
        let sees = |from, aim| {
            let (mut found, mut scan) = (0, Scan::new(from, aim));
            while !scan.is_done() {
                scan.advance(&corners, |at| found += usize::from(at == aim));
            }
            assert!(found <= 1, "found once at most");
            found == 1
        };
        for _ in 0..40 {
            if free.len() < 2 {
                break;
            }
            let (a, b) = (rng.pick(&free), rng.pick(&free));
            if a != b {
                assert_eq!(sees(a, b), sees(b, a), "{a:?} {b:?}");
                assert!(!sees(a, b) || corners.is_open_between(a, b));
                assert!(!four || sees(a, b) == is_clear_between(&corners, a, b), "{a:?} {b:?}");
            }
        }
    }
}

/// Random edits leak no memory, and the limit of 16 bits per cell holds on cluttered maps.
#[test]
fn memory_is_bounded() {
    for (blocked, four) in [2, 10, 30].into_iter().flat_map(|blocked| [(blocked, false), (blocked, true)]) {
        let mut rng = Rng::new(3);
        let mut grid = Grid::new(512, 512, rules(four), |_, _| u8::from(rng.below(100) >= blocked)).unwrap();
        assert!(grid.index_corners());
        for _ in 0..200 {
            edit(&mut grid, &mut rng);
        }
        while !grid.repair_corners(1000) {}
        let bytes = grid.corners().unwrap().memory_bytes();
        assert!(bytes * 8 <= 16 * 512 * 512, "{bytes} bytes");
    }
}
