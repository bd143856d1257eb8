use super::*;
use crate::graph::{ChangeLog, splitmix64};
use crate::grid::Rules;

fn four() -> Rules {
    Rules { neighborhood: Neighborhood::Four, ..Rules::default() }
}

/// How far every cell is from one, in moves, the slow way.
fn distances(grid: &Grid, goal: NodeId) -> Vec<Option<u32>> {
    let mut far = vec![None; grid.bound()];
    let mut queue = VecDeque::from([goal]);
    far[goal.index()] = Some(0);
    while let Some(n) = queue.pop_front() {
        for edge in grid.succs(n).filter(|edge| far[edge.to.index()].is_none()).collect::<Vec<_>>() {
            far[edge.to.index()] = far[n.index()].map(|far| far + 1);
            queue.push_back(edge.to);
        }
    }
    far
}

#[test]
fn rows_tell_what_a_move_gains_and_surveys_the_rest() {
    for rules in [four(), Rules::default()] {
        let grid =
            Grid::new(37, 29, rules, |x, y| u8::from(splitmix64(u64::from(y * 64 + x)) % 10 < 7)).unwrap();
        let mut rows = DistanceRows::new(&grid, 4096).unwrap();
        let mut survey = Survey::default();
        let free = || (0..grid.bound()).map(NodeId::from_index).filter(|&n| grid.is_free(n));
        for goal in free().step_by(7) {
            let (row, _) = rows.make(goal);
            let far = distances(&grid, goal);
            for n in free() {
                assert_eq!(rows.distance(&grid, row, n), far[n.index()], "downhill");
                assert_eq!(survey.distance(&rows, row, n), far[n.index()], "by a survey");
                let Some(here) = far[n.index()] else { continue };
                for edge in grid.succs(n) {
                    let there = far[edge.to.index()].unwrap();
                    assert_eq!(rows.farther(row, edge.to, n), there.cast_signed() - here.cast_signed());
                }
            }
        }
    }
}

/// A wall is opened: cells that were far apart lie side by side, and rows must not take them for a move apart.
#[test]
fn old_rows_lead_over_old_moves_when_a_wall_is_opened() {
    for rules in [four(), Rules::default()] {
        let is_free = |x: u32, y: u32| u8::from(splitmix64(u64::from(y * 64 + x)) % 10 < 6);
        let mut grid = Grid::new(23, 19, rules, is_free).unwrap();
        let mut rows = DistanceRows::new(&grid, 4096).unwrap();
        let cells = || (0..23).flat_map(|x| (0..19).map(move |y| (x, y)));
        let node = |(x, y): (u32, u32)| grid.node(x, y).unwrap();
        let (free, walls): (Vec<_>, Vec<_>) = cells().map(node).partition(|&n| grid.is_free(n));
        let goal = free[free.len() / 2];
        let (row, far) = (rows.make(goal).0, distances(&grid, goal));
        let mut log = ChangeLog::new();
        for wall in walls {
            grid.set(wall, 1, &mut log).unwrap();
            for &n in free.iter().filter(|n| far[n.index()].is_some()) {
                let walk: Vec<NodeId> = rows.downhill(&grid, row, n).collect();
                let is_nearer =
                    |at: NodeId, k: usize| far[at.index()] == far[n.index()].map(|d| d - k as u32 - 1);
                assert!(walk.iter().enumerate().all(|(k, &at)| is_nearer(at, k)), "a move nearer each");
                assert_eq!(walk.last().copied().unwrap_or(n), goal);
            }
            grid.set(wall, 0, &mut log).unwrap();
        }
    }
}

#[test]
fn where_moves_are_four_a_row_takes_less_than_an_eighth_of_two_bytes_a_cell() {
    let grid = Grid::new(64, 64, four(), |_, _| 1).unwrap();
    let mut rows = DistanceRows::new(&grid, 4096).unwrap();
    rows.make(NodeId::from_index(0));
    let one = rows.memory_bytes();
    rows.make(NodeId::from_index(4095));
    assert!(8 * (rows.memory_bytes() - one) < 2 * 4096);
}
