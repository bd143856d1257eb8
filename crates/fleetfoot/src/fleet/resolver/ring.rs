//! Rings: whether two adjacent cells lie on a short detour around an obstacle, so that a pushed unit comes back along it.
//!
//! On such ground priority inheritance alone brings every unit on, and the swap rule does harm: it turns units around that the unit behind
//! them would have pushed through, and queues that meet at crossings of one-wide aisles lock up.

use crate::grid::Grid;

/// Maximum length of a ring: a longer detour takes more moves than walking back to a place to pass.
const LONGEST: u32 = 64;

/// East, south, west, north.
const STEPS: [(u32, u32); 4] = [(1, 0), (0, 1), (u32::MAX, 0), (0, u32::MAX)];

/// A walk along a wall, on cells that lie side by side.
#[derive(Clone, Copy)]
struct Walk {
    at: (u32, u32),
    heading: usize,
    /// The quarter turns towards the wall: 1 if it is on the right, 3 if it is on the left.
    turn: usize,
}

impl Walk {
    fn step(&mut self, grid: &Grid) {
        for k in [self.turn, 0, 4 - self.turn, 2] {
            let heading = (self.heading + k) % 4;
            let to = beside(self.at, heading);
            if is_free(grid, to) {
                (self.at, self.heading) = (to, heading);
                return;
            }
        }
    }
}

fn beside((x, y): (u32, u32), heading: usize) -> (u32, u32) {
    let (dx, dy) = STEPS[heading];
    (x.wrapping_add(dx), y.wrapping_add(dy))
}

fn is_free(grid: &Grid, (x, y): (u32, u32)) -> bool {
    grid.node(x, y).is_some_and(|n| grid.is_free(n))
}

/// Returns `true` if a move between two cells is part of a short ring.
///
/// The walls on both sides of the move are followed. A walk that meets the move again in the same direction has gone around an obstacle. A
/// walk that meets it in the other direction has found that both walls are one: there is no detour.
pub(crate) fn is_on_ring(grid: &Grid, from: (u32, u32), to: (u32, u32)) -> bool {
    if from.0 != to.0 && from.1 != to.1 {
        // The cell beside a diagonal move makes a triangle of it.
        return is_free(grid, (from.0, to.1)) || is_free(grid, (to.0, from.1));
    }
    let Some(heading) = (0..4).find(|&heading| beside(from, heading) == to) else { return false };
    let mut walks = [1, 3].map(|turn| Walk { at: to, heading, turn });
    for _ in 0..LONGEST {
        for walk in &mut walks {
            let before = walk.at;
            walk.step(grid);
            if before == to && walk.at == from {
                return false;
            }
            if before == from && walk.at == to {
                return true;
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;
    use crate::grid::Rules;

    fn grid(lines: &[&str]) -> Grid {
        let free = |x: u32, y: u32| u8::from(lines[y as usize].as_bytes()[x as usize] == b'.');
        Grid::new(lines[0].len() as u32, lines.len() as u32, Rules::default(), free).unwrap()
    }

    #[test]
    fn passages_around_a_block_are_a_ring_and_dead_ends_are_not() {
        let grid = grid(&[".....@.", ".@@@.@.", "......."]);
        for move_ in [((0, 0), (1, 0)), ((1, 0), (0, 0)), ((4, 1), (4, 2)), ((0, 2), (0, 1))] {
            assert!(is_on_ring(&grid, move_.0, move_.1), "{move_:?}");
        }
        for move_ in [((4, 2), (5, 2)), ((6, 2), (5, 2)), ((6, 0), (6, 1)), ((6, 1), (6, 0))] {
            assert!(!is_on_ring(&grid, move_.0, move_.1), "{move_:?}");
        }
    }

    #[test]
    fn a_long_detour_is_no_ring() {
        let wide = ".".repeat(40);
        let wall = format!(".{}.", "@".repeat(38));
        let grid = grid(&[&wide, &wall, &wide]);
        assert!(!is_on_ring(&grid, (20, 0), (21, 0)));
    }
}
