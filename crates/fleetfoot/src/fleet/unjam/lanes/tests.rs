use super::*;
use crate::graph::ChangeLog;
use crate::grid::{Neighborhood, Rules};

/// Two rooms and a passage one cell wide: a wall near one end leaves no trace of the lane at the other one, and an opening
/// makes it as it was.
#[test]
pub(crate) fn mouths_are_those_of_the_lanes_that_there_are() {
    let is_free = |x: u32, y: u32| u8::from(!(8..40).contains(&x) || y == 4);
    let mut grid = Grid::new(48, 9, Rules::default(), is_free).expect("a grid");
    let mut lanes = Lanes::new(&grid, JamTuning::default());
    assert_eq!(lanes.mouths.iter().filter(|is_mouth| **is_mouth).count(), 2);
    let mut log = ChangeLog::new();
    for (x, weight) in [(12, 0), (12, 1), (36, 0), (20, 0), (36, 1), (20, 1)] {
        let cell = grid.node(x, 4).expect("a cell");
        grid.set(cell, weight, &mut log).expect("a weight");
        lanes.map_changed(&grid, cell, &[]);
        assert_eq!(lanes.mouths, Lanes::new(&grid, JamTuning::default()).mouths, "after {weight} at {x}");
    }
}

/// Passages one cell wide on a lattice, closed and opened at random: lanes next to lanes, and lanes that share a mouth.
#[test]
fn edits_keep_the_mouths_of_all_lanes() {
    let tuning = JamTuning { lane_length: 3, ..JamTuning::default() };
    for neighborhood in [Neighborhood::Four, Neighborhood::Eight] {
        let rules = Rules { neighborhood, ..Rules::default() };
        let is_free = |x: u32, y: u32| u8::from(matches!((x % 7, y % 7), (0, _) | (_, 0) | (0..3, 0..3)));
        let mut grid = Grid::new(36, 29, rules, is_free).expect("a grid");
        let mut lanes = Lanes::new(&grid, tuning);
        let (mut log, mut luck, mut mouths) = (ChangeLog::new(), 1_u32, 0);
        for _ in 0..600 {
            luck = luck.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let cell = grid.node((luck >> 8) % 36, (luck >> 16) % 29).expect("a cell");
            grid.set(cell, 1 - grid.weight(cell), &mut log).expect("a weight");
            lanes.map_changed(&grid, cell, &[]);
            for cell in 0..grid.bound() as u32 {
                let ends = lanes.live().flat_map(|lane| [lane.cells.first(), lane.cells.last()]);
                let mut beside = ends.flatten().flat_map(|&end| grid.succs(NodeId::new(end)));
                let is_mouth = !lanes.is_in_lane(cell) && beside.any(|edge| edge.to.raw() == cell);
                assert_eq!(lanes.mouths[cell as usize], is_mouth);
                assert!(!is_mouth || !lanes.is_far(cell));
                mouths += u32::from(is_mouth);
            }
        }
        assert!(mouths > 1000, "{mouths}");
    }
}
