//! Tests grids against a simple model with plain coordinates.

use alloc::collections::{BTreeMap, BinaryHeap};
use alloc::format;
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;

use super::*;
use crate::heuristic::oracle::Dice;

/// Right, down, left, up, then the diagonals: the documented order.
const STEPS: [(i32, i32); 8] = [(1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)];

const SIZES: [(u32, u32); 9] =
    [(1, 1), (1, 40), (7, 5), (15, 17), (16, 16), (17, 16), (33, 20), (64, 3), (48, 33)];

fn all_rules() -> Vec<Rules> {
    let mut all = Vec::new();
    for neighborhood in [Neighborhood::Four, Neighborhood::Eight] {
        for cut_corners in [false, true] {
            for diagonal in [Diagonal::Sqrt2, Diagonal::D14, Diagonal::D15] {
                all.push(Rules { neighborhood, cut_corners, diagonal });
            }
        }
    }
    all
}

/// A map by rows, with all rules written out.
struct Naive {
    width: u32,
    height: u32,
    rules: Rules,
    weighted: bool,
    cells: Vec<u8>,
}

impl Naive {
    fn random(
        dice: &mut Dice,
        (width, height): (u32, u32),
        rules: Rules,
        blocked: u32,
        heaviest: u8,
    ) -> Self {
        let cells = (0..width * height)
            .map(|_| if dice.below(100) < blocked { 0 } else { 1 + dice.below(heaviest.into()) as u8 })
            .collect();
        Self { width, height, rules, weighted: heaviest > 1, cells }
    }

    /// Returns the grid, with weights up to `heaviest`.
    fn grid(&self, heaviest: u8) -> Grid {
        let grid = Grid::new(self.width, self.height, self.rules, |x, y| self.cells[self.at(x, y)]).unwrap();
        grid.with_weights(1, heaviest).unwrap()
    }

    fn at(&self, x: u32, y: u32) -> usize {
        (y * self.width + x) as usize
    }

    /// Returns the weight at an offset from a cell; 0 outside the map.
    fn weight(&self, (x, y): (u32, u32), (dx, dy): (i32, i32)) -> u32 {
        match (x.checked_add_signed(dx), y.checked_add_signed(dy)) {
            (Some(x), Some(y)) if x < self.width && y < self.height => self.cells[self.at(x, y)].into(),
            _ => 0,
        }
    }

    /// Returns straight and diagonal cost of a length of 1.
    fn scale(&self) -> (u32, u32) {
        match (self.rules.neighborhood, self.rules.diagonal) {
            (Neighborhood::Four, _) => (1, 0),
            (_, Diagonal::Sqrt2) => (408, 577),
            (_, Diagonal::D14) => (5, 7),
            (_, Diagonal::D15) => (2, 3),
        }
    }

    fn moves(&self, x: u32, y: u32) -> Vec<((u32, u32), u32)> {
        let weight = |dx, dy| self.weight((x, y), (dx, dy));
        let free = |dx, dy| weight(dx, dy) > 0;
        let mut moves = Vec::new();
        for (dx, dy) in STEPS {
            let diagonal = dx != 0 && dy != 0;
            let legal = free(0, 0)
                && free(dx, dy)
                && (!diagonal
                    || self.rules.neighborhood == Neighborhood::Eight
                        && (self.rules.cut_corners || free(dx, 0) && free(0, dy)));
            if legal {
                let length = if diagonal { self.scale().1 } else { self.scale().0 };
                let factor = if self.weighted { weight(0, 0) + weight(dx, dy) } else { 1 };
                moves.push(((x.wrapping_add_signed(dx), y.wrapping_add_signed(dy)), length * factor));
            }
        }
        moves
    }

    /// Returns all directed edges of the map, by node numbers of `grid`.
    fn edges(&self, grid: &Grid) -> BTreeMap<(NodeId, NodeId), Cost> {
        let mut edges = BTreeMap::new();
        for (x, y) in self.coordinates() {
            for ((tx, ty), cost) in self.moves(x, y) {
                edges.insert((grid.node(x, y).unwrap(), grid.node(tx, ty).unwrap()), Cost::new(cost));
            }
        }
        edges
    }

    fn coordinates(&self) -> impl Iterator<Item = (u32, u32)> + use<> {
        let width = self.width;
        (0..self.height).flat_map(move |y| (0..width).map(move |x| (x, y)))
    }
}

/// Returns all edges of the grid in its order, and checks all other queries.
fn told(grid: &Grid) -> BTreeMap<(NodeId, NodeId), Cost> {
    let mut edges = BTreeMap::new();
    for n in (0..grid.bound()).map(NodeId::from_index) {
        for e in grid.succs(n) {
            assert!(e.cost > Cost::ZERO && e.cost <= grid.max_edge_cost());
            assert_eq!(grid.cost(n, e.to), e.cost);
            assert_eq!(grid.cost(e.to, n), e.cost, "every move can be taken back");
            assert_eq!(edges.insert((n, e.to), e.cost), None, "an edge reported twice");
        }
        assert!(grid.preds(n).eq(grid.succs(n)));
    }
    edges
}

#[test]
fn moves_are_those_of_the_naive_model_in_the_promised_order() {
    let mut dice = Dice(1);
    for rules in all_rules() {
        for size in SIZES {
            for (blocked, heaviest) in [(0, 1), (25, 1), (50, 1), (30, 9)] {
                let naive = Naive::random(&mut dice, size, rules, blocked, heaviest);
                let grid = naive.grid(heaviest);
                for (x, y) in naive.coordinates() {
                    let told: Vec<_> =
                        grid.succs(grid.node(x, y).unwrap()).map(|e| (grid.xy(e.to), e.cost.raw())).collect();
                    assert_eq!(told, naive.moves(x, y), "{rules:?} {size:?} at {x},{y}");
                }
                assert_eq!(told(&grid), naive.edges(&grid));
            }
        }
    }
}

#[test]
fn cells_that_pad_the_tiles_are_no_part_of_the_map() {
    let grid = Grid::new(17, 3, Rules::default(), |_, _| 1).unwrap();
    let real = (0..grid.bound()).map(NodeId::from_index).filter(|&n| {
        let (x, y) = grid.xy(n);
        let inside = x < 17 && y < 3;
        assert_eq!(grid.is_free(n), inside);
        assert!(inside || grid.succs(n).next().is_none());
        inside
    });
    assert_eq!(real.count(), 51);
    assert_eq!((grid.node(17, 0), grid.node(0, 3)), (None, None));
    assert_eq!((grid.width(), grid.height()), (17, 3));
    assert_eq!(grid.cost(grid.node(0, 0).unwrap(), grid.node(2, 0).unwrap()), Cost::INF);
    assert_eq!(grid.position(grid.node(16, 2).unwrap()), (16, 2));
}

#[test]
fn numbers_and_coordinates_round_trip() {
    let large = [(4096, 4604), (1_234_567, 5), (5, 1_234_567), (3000, 17), (16 * 257, 16 * 255)];
    for (width, height) in SIZES.into_iter().chain(large) {
        let grid = Grid::blank(width, height, Rules::default()).unwrap();
        let mut seen = 0;
        for y in 0..height {
            for x in 0..width {
                let n = grid.node(x, y).unwrap();
                assert!(n.index() < grid.bound());
                assert_eq!(grid.xy(n), (x, y));
                seen += 1;
            }
        }
        assert_eq!(seen, u64::from(width) * u64::from(height));
    }
}

/// Tests the division by multiplication at and just below the multiples of the divisor.
#[test]
fn coordinates_are_exact_up_to_the_largest_grid() {
    let mut grid = Grid::blank(1, 1, Rules::default()).unwrap();
    let mut dice = Dice(2);
    let edges = [1, 2, 3, 1023, 1024, 1025, (1 << 20) - 1, 1 << 20];
    let random: Vec<u32> = (0..2000).map(|_| 1 + dice.below(1 << (1 + dice.0 % 20))).collect();
    for tiles in edges.into_iter().chain(random) {
        grid.tiles = tiles;
        grid.tiles_inverse = Grid::inverse(tiles);
        let rows = (1 << 20) / tiles;
        for row in [1, 2, rows / 2, rows - 1, rows].into_iter().filter(|&r| r > 0) {
            for tile in [row * tiles - 1, row * tiles].into_iter().filter(|&t| t < 1 << 20) {
                let n = NodeId::new(tile << 8 | 7 << 4 | 9);
                assert_eq!(grid.xy(n), ((tile % tiles) << 4 | 9, (tile / tiles) << 4 | 7));
            }
        }
    }
}

/// Returns distances to every node from `start`; with `pruned`, successors depend on the parent. Ties are broken at
/// random, and a parent of equal cost may replace another, so that unsound pruning cannot hide.
fn distances(grid: &Grid, start: NodeId, pruned: bool, dice: &mut Dice) -> Vec<Cost> {
    let mut best = vec![(Cost::INF, NodeId::NONE); grid.bound()];
    let mut done = vec![false; grid.bound()];
    let mut open = BinaryHeap::new();
    best[start.index()].0 = Cost::ZERO;
    open.push(Reverse((Cost::ZERO, 0, start)));
    while let Some(Reverse((g, _, n))) = open.pop() {
        if core::mem::replace(&mut done[n.index()], true) {
            continue;
        }
        let from = best[n.index()].1;
        let mut visit = |e: Edge| {
            let (old, parent) = &mut best[e.to.index()];
            if g + e.cost < *old || (g + e.cost == *old && !done[e.to.index()] && dice.next() & 1 == 0) {
                (*old, *parent) = (g + e.cost, n);
                open.push(Reverse((g + e.cost, dice.next(), e.to)));
            }
        };
        if pruned {
            grid.pruned_successors(n, from).for_each(&mut visit);
        } else {
            grid.succs(n).for_each(&mut visit);
        }
    }
    best.into_iter().map(|b| b.0).collect()
}

/// Returns the cost from `start` to `goal` by A* with pruning by parent.
fn astar(grid: &Grid, start: NodeId, goal: NodeId, dice: &mut Dice) -> Cost {
    let mut best = vec![(Cost::INF, NodeId::NONE); grid.bound()];
    let mut open = BinaryHeap::new();
    best[start.index()].0 = Cost::ZERO;
    open.push(Reverse((grid.h(start, goal), 0, start, Cost::ZERO)));
    while let Some(Reverse((_, _, n, g))) = open.pop() {
        if n == goal {
            return g;
        }
        if g > best[n.index()].0 {
            continue;
        }
        for e in grid.pruned_successors(n, best[n.index()].1) {
            let g = g + e.cost;
            if g < best[e.to.index()].0 {
                best[e.to.index()] = (g, n);
                open.push(Reverse((g + grid.h(e.to, goal), dice.next(), e.to, g)));
            }
        }
    }
    Cost::INF
}

#[test]
fn canonical_pruning_keeps_every_distance() {
    let mut dice = Dice(3);
    for rules in all_rules() {
        for blocked in [0, 3, 10, 20, 30, 40, 50, 60] {
            let random: Vec<_> = (0..3).map(|_| (1 + dice.below(40), 1 + dice.below(40))).collect();
            for (round, size) in SIZES.into_iter().chain(random).enumerate() {
                let heaviest = if round == 10 { 4 } else { 1 };
                let grid = Naive::random(&mut dice, size, rules, blocked, heaviest).grid(heaviest);
                for _ in 0..3 {
                    let mut any = || grid.node(dice.below(size.0), dice.below(size.1)).unwrap();
                    let (start, goal) = (any(), any());
                    let plain = distances(&grid, start, false, &mut dice);
                    let pruned = distances(&grid, start, true, &mut dice);
                    assert_eq!(plain, pruned, "{rules:?} {size:?} {blocked} % blocked");
                    assert_eq!(astar(&grid, start, goal, &mut dice), plain[goal.index()]);
                }
            }
        }
    }
}

#[test]
fn canonical_pruning_prunes() {
    for rules in all_rules() {
        let grid = Grid::new(40, 40, rules, |_, _| 1).unwrap();
        let (n, from) = (grid.node(20, 20).unwrap(), grid.node(19, 20).unwrap());
        let kept: Vec<_> = grid.pruned_successors(n, from).map(|e| grid.xy(e.to)).collect();
        let four = rules.neighborhood == Neighborhood::Four;
        assert_eq!(kept, if four { vec![(21, 20), (20, 21), (20, 19)] } else { vec![(21, 20)] });
        assert!(grid.pruned_successors(n, NodeId::NONE).eq(grid.succs(n)));
        let rough = grid.with_weights(1, 2).unwrap();
        assert!(rough.pruned_successors(n, from).eq(rough.succs(n)), "weighted ground is not pruned");
    }
}

#[test]
fn h_is_consistent_and_admissible_and_exact_on_open_ground() {
    let mut dice = Dice(4);
    for rules in all_rules() {
        for (size, blocked, heaviest) in
            [((9, 7), 0, 1), ((17, 5), 25, 1), ((9, 18), 40, 1), ((12, 12), 20, 7), ((20, 3), 0, 200)]
        {
            let naive = Naive::random(&mut dice, size, rules, blocked, heaviest);
            let grid = naive.grid(heaviest);
            let nodes: Vec<_> = naive.coordinates().map(|(x, y)| grid.node(x, y).unwrap()).collect();
            for &a in &nodes {
                let distance = distances(&grid, a, false, &mut dice);
                assert_eq!(grid.h(a, a), Cost::ZERO);
                for &c in &nodes {
                    assert_eq!(grid.h(a, c), grid.h(c, a));
                    assert!(grid.h(a, c) <= distance[c.index()], "admissible");
                    assert!(grid.succs(a).all(|e| grid.h(a, c) <= e.cost + grid.h(e.to, c)), "consistent");
                    let b = nodes[dice.below(nodes.len() as u32) as usize];
                    assert!(grid.h(a, c) <= grid.h(a, b) + grid.h(b, c), "triangle");
                    if blocked == 0 && heaviest == 1 {
                        assert_eq!(grid.h(a, c), distance[c.index()], "exact");
                    }
                }
            }
        }
    }
}

#[test]
fn h_uses_the_least_weight_of_the_declared_range() {
    let rules = Rules::default();
    let heavy = Grid::new(8, 8, rules, |_, _| 5).unwrap();
    let (a, b) = (heavy.node(0, 0).unwrap(), heavy.node(7, 0).unwrap());
    assert_eq!(heavy.h(a, b).raw(), 7 * 2 * 5 * 408);
    assert_eq!(heavy.h(a, b), distances(&heavy, a, false, &mut Dice(5))[b.index()]);
    let wider = heavy.clone().with_weights(2, 6).unwrap();
    assert_eq!(wider.h(a, b).raw(), 7 * 2 * 2 * 408);
    assert_eq!(wider.max_edge_cost().raw(), 577 * 12);
    assert_ne!(heavy.fingerprint(), wider.fingerprint());
    let wildest = heavy.clone().with_weights(2, 7).unwrap();
    assert_ne!(wildest.fingerprint(), wider.fingerprint(), "other edges may come: another graph");
}

#[test]
fn a_change_logs_every_edge_that_became_different_and_no_other() {
    let mut dice = Dice(6);
    for rules in all_rules() {
        for size in SIZES {
            for heaviest in [1, 6] {
                let mut naive = Naive::random(&mut dice, size, rules, 30, heaviest);
                let mut grid = naive.grid(heaviest);
                for _ in 0..12 {
                    let (x, y) = (dice.below(size.0), dice.below(size.1));
                    let weight = dice.below(u32::from(heaviest) + 1) as u8;
                    let (at, n) = (naive.at(x, y), grid.node(x, y).unwrap());
                    let before = naive.edges(&grid);
                    naive.cells[at] = weight;
                    let after = naive.edges(&grid);
                    let mut log = ChangeLog::new();
                    grid.set(n, weight, &mut log).unwrap();
                    assert_eq!(logged(&log), difference(&before, &after), "{rules:?} {size:?} at {x},{y}");
                    assert_eq!(grid.weight(n), weight);
                    let fresh = naive.grid(heaviest);
                    assert_eq!((&grid.moves, &grid.cells), (&fresh.moves, &fresh.cells));
                    assert_eq!(grid.fingerprint(), fresh.fingerprint());
                    assert_eq!(told(&grid), after);
                }
            }
        }
    }
}

type Changes = BTreeMap<(NodeId, NodeId), (Cost, Cost)>;

fn difference(
    before: &BTreeMap<(NodeId, NodeId), Cost>,
    after: &BTreeMap<(NodeId, NodeId), Cost>,
) -> Changes {
    let cost = |edges: &BTreeMap<_, _>, e| edges.get(&e).copied().unwrap_or(Cost::INF);
    let all = before.keys().chain(after.keys()).copied();
    all.map(|e| (e, (cost(before, e), cost(after, e)))).filter(|(_, (old, new))| old != new).collect()
}

fn logged(log: &ChangeLog) -> Changes {
    let mut changes = Changes::new();
    for c in log.since(0) {
        assert_eq!(changes.insert((c.from, c.to), (c.old, c.new)), None, "one edge logged twice");
    }
    changes
}

#[test]
fn what_cannot_be_set_is_refused_and_changes_nothing() {
    let mut grid = Grid::new(20, 5, Rules::default(), |_, _| 2).unwrap();
    let (mut log, print) = (ChangeLog::new(), grid.fingerprint());
    let padding = NodeId::new(15 << 4);
    for n in [padding, NodeId::new(513), NodeId::NONE] {
        assert!(grid.set(n, 0, &mut log).unwrap_err().to_string().contains("outside the 20x5 grid"));
    }
    let n = grid.node(3, 3).unwrap();
    for weight in [1, 3] {
        assert!(grid.set(n, weight, &mut log).unwrap_err().to_string().contains("wider range"));
    }
    grid.set(n, 2, &mut log).unwrap();
    assert_eq!((log.end(), grid.fingerprint()), (0, print));
    grid.set(n, 0, &mut log).unwrap();
    grid.set(n, 2, &mut log).unwrap();
    assert_eq!(grid.fingerprint(), print);
    let wide = Grid::blank(70_000 * 16, 1, Rules::default()).unwrap();
    assert!(wide.clone().set(NodeId::NONE, 0, &mut log).is_err());
}

#[test]
fn fingerprints_distinguish_maps_and_rules() {
    let mut seen = Vec::new();
    for rules in all_rules().into_iter().filter(|r| r.neighborhood == Neighborhood::Eight) {
        for (width, height, x) in [(5, 4, 9), (4, 5, 9), (5, 4, 1), (5, 4, 2)] {
            seen.push(Grid::new(width, height, rules, |cx, _| u8::from(cx != x)).unwrap().fingerprint());
        }
    }
    let four = Rules { neighborhood: Neighborhood::Four, ..Rules::default() };
    seen.push(Grid::new(5, 4, four, |_, _| 1).unwrap().fingerprint());
    let count = seen.len();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), count);
}

#[test]
fn costs_are_exact_on_every_scale() {
    for diagonal in [Diagonal::Sqrt2, Diagonal::D14, Diagonal::D15] {
        let rules = Rules { diagonal, ..Rules::default() };
        for &(straight, slant) in diagonal.scales() {
            match diagonal {
                // The convergents of the square root of 2: the best fractions of their size.
                Diagonal::Sqrt2 => assert_eq!((slant * slant).abs_diff(2 * straight * straight), 1),
                Diagonal::D14 => assert_eq!(slant * 5, straight * 7),
                Diagonal::D15 => assert_eq!(slant * 2, straight * 3),
            }
            for weight in [1, 2, 255] {
                let factor = if weight == 1 { 1 } else { 2 * u32::from(weight) };
                let most = (u64::from(u32::MAX) - 1) / u64::from(slant * factor);
                let scale = Scale::choose(rules, most, (1, weight)).unwrap();
                assert_eq!(scale.plain(0).raw(), straight, "{most} cells fit this scale just so");
                assert_eq!(scale.plain(7).raw(), slant);
                assert_eq!(scale.unit, if weight == 1 { straight } else { 2 * straight });
                assert_eq!(scale.max_edge_cost(rules, weight).raw(), slant * factor);
                assert!(most * u64::from(slant * factor) < u64::from(u32::MAX));
                let coarser = Scale::choose(rules, most + 1, (1, weight));
                assert!(coarser.is_none_or(|s| s.plain(0).raw() < straight), "one cell more does not");
                let least = if weight == 1 { 1 } else { 2 };
                assert_eq!(scale.distance(9, 4).raw(), (5 * straight + 4 * slant) * least);
            }
        }
    }
}

#[test]
fn a_large_grid_takes_a_coarser_scale_by_itself() {
    let rules = Rules::default();
    let unit = |w, h| Grid::new(w, h, rules, |_, _| 1).unwrap().unit();
    assert_eq!(unit(2048, 2048), 408);
    assert_eq!(unit(2800, 2800), 169);
    assert_eq!(Grid::new(500, 500, rules, |x, _| 1 + (x / 10) as u8).unwrap().unit(), 2 * 70);
}

#[test]
fn what_could_overflow_is_refused_with_its_remedy() {
    let rules = Rules::default();
    let text = |w, h| Grid::new(w, h, rules, |_, _| 1).unwrap_err().to_string();
    assert_eq!(text(0, 5), "a grid needs at least one cell");
    assert!(text(u32::MAX, u32::MAX).contains("split the map"));
    assert!(text(1 << 16, 1 << 13).contains("split the map"));
    assert!(text(1, 1 << 28).contains("split the map"), "tiles pad a narrow map sixteenfold");
    let heavy = Grid::new(1000, 1000, rules, |x, y| if x + y == 0 { 255 } else { 1 }).unwrap_err();
    assert!(format!("{heavy}").contains("smaller weights"));
    let light = Grid::new(1000, 1000, rules, |_, _| 1).unwrap();
    assert!(light.clone().with_weights(1, 40).is_ok());
    assert!(light.with_weights(1, 255).unwrap_err().to_string().contains("1000x1000 cells of weight 255"));
    assert!(Scale::choose(rules, 1 << 28, (1, 1)).is_none());
    let four = Rules { neighborhood: Neighborhood::Four, ..rules };
    assert_eq!(Scale::choose(four, 1 << 28, (1, 1)).unwrap().unit, 1);
}

#[test]
fn lengths_are_true_whatever_the_scale() {
    let grid = Grid::new(3, 3, Rules::default(), |x, y| (1 + x + y) as u8).unwrap();
    let node = |x, y| grid.node(x, y).unwrap();
    let walk = [node(0, 0), node(1, 1), node(2, 1), node(2, 2)];
    let mut length = Length::ZERO;
    for step in walk.windows(2) {
        length += grid.length(step[0], step[1]);
    }
    let expected = |diagonal: f64| 2.0 * diagonal + 3.5 + 4.5;
    for diagonal in [Diagonal::Sqrt2, Diagonal::D14, Diagonal::D15] {
        assert!((length.value(diagonal) - expected(diagonal.length())).abs() < 1e-12);
    }
    let cost: Cost = walk.windows(2).map(|s| grid.cost(s[0], s[1])).sum();
    let by_cost = f64::from(cost.raw()) / f64::from(grid.unit());
    assert!((by_cost / length.value(Diagonal::Sqrt2) - 1.0).abs() < 1.6e-6);
}
