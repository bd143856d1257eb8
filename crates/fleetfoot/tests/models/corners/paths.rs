//! Searches on corners find shortest paths.

use fleetfoot::corners::{CornerPaths, Corners};
use fleetfoot::{Cost, Graph, Grid, Meter, Rules, Scratch, shortest_path};
use fleetfoot_testkit::{Rng, oracle, worlds};
use proptest::prelude::*;

use super::rules;

fn check(grid: &Grid, rng: &mut Rng, problems: usize) {
    let corners = Corners::new(grid).expect("such grids have one");
    let mut search = CornerPaths::new(grid);
    let cells = worlds::free_cells(grid);
    for _ in 0..problems {
        if cells.is_empty() {
            return;
        }
        let (a, b) = (rng.pick(&cells), rng.pick(&cells));
        let path = search.path(&corners, grid, a, b);
        let shortest = oracle::distance(grid, a, b);
        if shortest.is_finite() {
            assert_eq!((path.first(), path.last()), (Some(&a), Some(&b)));
            assert_eq!(oracle::cost_of(grid, &path), shortest, "from {a} to {b}");
        } else {
            assert!(path.is_empty(), "there is no way from {a} to {b}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 300 } else { 2000 }))]

    #[test]
    fn paths_are_shortest(
        width in 1..90u32, height in 1..40u32, blocked in 0..60usize, four: bool, seed: u64
    ) {
        let mut rng = Rng::new(seed);
        let grid = Grid::new(width, height, rules(four), |_, _| u8::from(rng.below(100) >= blocked)).unwrap();
        check(&grid, &mut rng, 6);
    }

    #[test]
    fn paths_are_shortest_round_large_obstacles(size in 5..70u32, boxes in 1..14usize, four: bool, seed: u64) {
        let mut rng = Rng::new(seed);
        let boxes: Vec<_> = (0..boxes)
            .map(|_| [size, size, 2 + size / 3, 2 + size / 3].map(|most| rng.between(0, most - 1)))
            .collect();
        let is_free = |x: u32, y: u32| {
            boxes.iter().all(|&[left, top, w, h]| !(left..=left + w).contains(&x) || !(top..=top + h).contains(&y))
        };
        let grid = Grid::new(size, size, rules(four), |x, y| u8::from(is_free(x, y))).unwrap();
        check(&grid, &mut rng, 6);
    }
}

/// Queries use the index, with four and with eight neighbors.
#[test]
fn whole_queries_are_shortest() {
    for four in [false, true] {
        let mut rng = Rng::new(9);
        let is_wall =
            |x: u32, y: u32| (x.is_multiple_of(12) && y % 12 != 5) || (y.is_multiple_of(12) && x % 12 != 7);
        let grid = Grid::new(90, 70, rules(four), |x, y| u8::from(!is_wall(x, y))).unwrap();
        let indexed = grid.clone().with_corners();
        let (cells, mut scratch) = (worlds::free_cells(&grid), Scratch::new());
        for _ in 0..100 {
            let (a, b) = (rng.pick(&cells), rng.pick(&cells));
            let [plain, among] = [&grid, &indexed]
                .map(|grid| shortest_path(grid, a, b, &mut Meter::unlimited(), &mut scratch).path());
            assert_eq!(among.as_ref().map(|found| found.1), plain.map(|found| found.1), "{a} {b}");
            assert_eq!(
                among.map(|(path, cost)| oracle::cost_of(&grid, &path) == cost),
                Some(true),
                "{a} {b}"
            );
        }
    }
}

#[test]
fn scaling_a_map_up_adds_no_corner() {
    let mut rng = Rng::new(5);
    let cells: Vec<bool> = (0..20 * 20).map(|_| rng.below(100) >= 30).collect();
    let count = |factor: u32| {
        let weight = |x: u32, y: u32| u8::from(cells[(y / factor * 20 + x / factor) as usize]);
        Corners::new(&Grid::new(20 * factor, 20 * factor, Rules::default(), weight).unwrap()).unwrap().len()
    };
    assert_eq!(count(3), count(9));
}

#[test]
fn grids_with_other_rules_have_none() {
    let grid = |rules, weight: u8| Grid::new(9, 9, rules, |x, _| if x == 4 { weight } else { 1 }).unwrap();
    let (eight, four) = (rules(false), rules(true));
    assert!(Corners::new(&grid(eight, 1)).is_some() && Corners::new(&grid(four, 1)).is_some());
    assert!(Corners::new(&grid(Rules { cut_corners: true, ..eight }, 1)).is_none());
    assert!(Corners::new(&grid(Rules { cut_corners: true, ..four }, 1)).is_some(), "there is nothing to cut");
    assert!(Corners::new(&grid(eight, 3)).is_none() && Corners::new(&grid(four, 3)).is_none());
    let open = grid(eight, 1);
    assert_eq!(open.cost(open.node(0, 0).unwrap(), open.node(8, 8).unwrap()), Cost::INF);
}
