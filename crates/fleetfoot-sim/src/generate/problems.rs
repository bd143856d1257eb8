//! Random problems on a map.

use super::SeededRng;
use crate::error::InputError;
use crate::map::{Components, GridMap};

/// A start and a goal, each as (column, row).
pub type Pair = ((u32, u32), (u32, u32));

/// Maximum number of problems that are drawn at once. They still fit into memory.
pub const MOST: usize = 1_000_000;

/// Offset between a seed and the state that draws problems from it.
///
/// Generators of maps use the seed itself. Without the offset, a map and its problems would be drawn from the same
/// numbers if their seeds are equal: in a maze the goal would lie in the row in which the maze was begun.
pub const SEED_OFFSET: u64 = 0x5851_f42d_4c95_7f2d;

/// Returns the generator that draws problems for a seed. Its numbers are independent of those that make a map from the
/// same seed.
pub fn problem_rng(seed: u64) -> SeededRng {
    SeededRng::new(seed.wrapping_add(SEED_OFFSET))
}

/// Draws `n` solvable problems: the start uniformly among the free cells, the goal among the other cells of the
/// start's component. Cells without a free neighbor cannot be starts.
///
/// Everything that draws problems calls this function, so equal seeds mean equal problems everywhere, and problems are
/// independent of the map's seed.
///
/// # Errors
/// If no two free cells of the map are connected, or `n` is more than [`MOST`].
pub fn random_problems(map: &GridMap, n: usize, seed: u64) -> Result<Vec<Pair>, InputError> {
    if n > MOST {
        let (width, height) = (map.width(), map.height());
        let what = format!("{n} random problems are too many for a map of {width}x{height} cells");
        return Err(InputError::new(what, format!("draw at most {MOST}, and more with other seeds")));
    }
    let (cells, ranges) = by_component(map);
    if cells.is_empty() {
        let what = "the map has no two connected free cells";
        return Err(InputError::new(what, "use a map with more free cells"));
    }
    let mut dice = problem_rng(seed);
    let place = |cell: u32| (cell % map.width(), cell / map.width());
    let draw = |_| {
        let start = dice.below(cells.len() as u32);
        let &(first, size) = &ranges[ranges.partition_point(|&(first, _)| first <= start) - 1];
        // One of the other cells: the index of the start itself is replaced by the last one.
        let other = first + dice.below(size - 1);
        let goal = if other == start { first + size - 1 } else { other };
        (place(cells[start as usize]), place(cells[goal as usize]))
    };
    Ok((0..n).map(draw).collect())
}

/// Returns the free cells sorted by component, without components of one cell; and the first index and size of each
/// component.
fn by_component(map: &GridMap) -> (Vec<u32>, Vec<(u32, u32)>) {
    let Components { labels, sizes } = map.components();
    let mut next = vec![None; sizes.len()];
    let (mut ranges, mut total) = (Vec::new(), 0);
    for (next, &size) in next.iter_mut().zip(&sizes).filter(|(_, size)| **size > 1) {
        *next = Some(total);
        ranges.push((total, size));
        total += size;
    }
    let mut cells = vec![0; total as usize];
    for (cell, &label) in (0..).zip(&labels).filter(|(_, label)| **label != Components::BLOCKED) {
        if let Some(place) = &mut next[label as usize] {
            cells[*place as usize] = cell;
            *place += 1;
        }
    }
    (cells, ranges)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn start_and_goal_differ_and_are_connected() {
        let map = crate::generate::random::generate(40, 30, 45, 9).unwrap().map;
        let parts = map.components();
        assert!(parts.sizes.len() > 5);
        let problems = random_problems(&map, 2000, 4).unwrap();
        assert_eq!(problems.len(), 2000);
        for &((sx, sy), (gx, gy)) in &problems {
            assert!(map.passable(sx, sy) && map.passable(gx, gy) && (sx, sy) != (gx, gy));
            assert_eq!(parts.labels[map.index(sx, sy)], parts.labels[map.index(gx, gy)]);
        }
        assert_eq!(random_problems(&map, 2000, 4).unwrap(), problems);
        assert_ne!(random_problems(&map, 2000, 5).unwrap(), problems);
    }

    fn correlation(pairs: &[(f64, f64)]) -> f64 {
        let mean = |of: fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / pairs.len() as f64;
        let (mx, my) = (mean(|p| p.0), mean(|p| p.1));
        let sum = |f: &dyn Fn(f64, f64) -> f64| pairs.iter().map(|p| f(p.0 - mx, p.1 - my)).sum::<f64>();
        sum(&|x, y| x * y) / (sum(&|x, _| x * x) * sum(&|_, y| y * y)).sqrt()
    }

    /// A maze is begun in a random place. Neither end of a problem with the maze's own seed has to do with it.
    #[test]
    fn problems_are_independent_of_a_map_with_the_same_seed() {
        let drawn = (0..200).map(|seed| {
            let map = crate::generate::maze::generate(151, 151, 1, seed).unwrap().map;
            let mut dice = SeededRng::new(seed);
            let begun = [dice.below(75), dice.below(75)].map(f64::from);
            let ((sx, sy), (gx, gy)) = random_problems(&map, 1, seed).unwrap()[0];
            (begun, [sx, sy, gx, gy].map(f64::from))
        });
        let drawn: Vec<_> = drawn.collect();
        for k in 0..2 {
            for end in 0..4 {
                let pairs: Vec<_> = drawn.iter().map(|(begun, ends)| (begun[k], ends[end])).collect();
                assert!(correlation(&pairs).abs() < 0.25, "{k} {end}: {}", correlation(&pairs));
            }
        }
    }

    #[test]
    fn every_pair_is_equally_likely() {
        let map = GridMap::from_rows(&["..@.@", "@.@.@"]).unwrap();
        let mut counts = std::collections::BTreeMap::new();
        for pair in random_problems(&map, 30_000, 1).unwrap() {
            *counts.entry(pair).or_insert(0) += 1;
        }
        // 3 cells with 2 goals each, 2 cells with one.
        assert_eq!(counts.len(), 8);
        for (((sx, _), _), count) in counts {
            let expected = if sx == 3 { 6_000 } else { 3_000 };
            assert!((expected - 300..expected + 300).contains(&count), "{sx}: {count}");
        }
    }

    #[test]
    fn golden() {
        let map = GridMap::new(1000, 1000, b'.').unwrap();
        assert_eq!(random_problems(&map, 2, 1).unwrap(), [((839, 974), (165, 931)), ((849, 480), (97, 137))]);
    }

    #[test]
    fn refuses_more_problems_than_memory_holds() {
        let map = GridMap::from_rows(&["..."]).unwrap();
        assert_eq!(random_problems(&map, MOST, 1).unwrap().len(), MOST);
        for n in [MOST + 1, 1 << 31, 1 << 62, usize::MAX] {
            let error = random_problems(&map, n, 1).unwrap_err().to_string();
            assert!(error.contains("too many for a map of 3x1 cells; draw at most 1000000"), "{error}");
        }
    }

    #[test]
    fn refuses_maps_without_problems() {
        assert!(random_problems(&GridMap::new(5, 5, b'@').unwrap(), 1, 0).is_err());
        let error = random_problems(&GridMap::from_rows(&[".@", "@."]).unwrap(), 1, 0).unwrap_err();
        assert!(error.to_string().contains("use a map with more free cells"));
    }
}
