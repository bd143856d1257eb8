//! Tests the index against a new search after every operation.

use super::*;
use crate::graph::ChangeLog;
use crate::grid::{Diagonal, Rules};
use crate::heuristic::oracle::Dice;

fn all_rules() -> [Rules; 4] {
    let rules = |neighborhood, cut_corners| Rules { neighborhood, cut_corners, diagonal: Diagonal::Sqrt2 };
    [
        rules(Neighborhood::Four, false),
        rules(Neighborhood::Four, true),
        rules(Neighborhood::Eight, false),
        rules(Neighborhood::Eight, true),
    ]
}

/// A grid, its index, and edits of both.
#[derive(Clone)]
struct World {
    grid: Grid,
    index: Components,
    log: ChangeLog,
}

impl World {
    fn new(width: u32, height: u32, rules: Rules, free: impl FnMut(u32, u32) -> bool) -> Self {
        let mut free = free;
        let grid = Grid::new(width, height, rules, |x, y| u8::from(free(x, y))).unwrap();
        let index = Components::new(&grid);
        Self { grid, index, log: ChangeLog::with_capacity(1) }
    }

    fn cells(&self) -> usize {
        (self.grid.width() * self.grid.height()) as usize
    }

    fn node(&self, x: u32, y: u32) -> NodeId {
        self.grid.node(x, y).unwrap()
    }

    fn any(&self, dice: &mut Dice) -> NodeId {
        self.node(dice.below(self.grid.width()), dice.below(self.grid.height()))
    }

    fn toggle(&mut self, n: NodeId) {
        let weight = u8::from(!self.grid.is_free(n));
        self.grid.set(n, weight, &mut self.log).unwrap();
    }

    fn edit(&mut self, n: NodeId) {
        self.toggle(n);
        self.index.update_after_edit(&self.grid, n);
    }

    fn repair(&mut self, cells: usize) -> bool {
        self.index.repair(&self.grid, cells)
    }

    /// Returns a representative of each node's component, found by a search.
    fn truth(&self) -> Vec<NodeId> {
        let mut truth = vec![NodeId::NONE; self.grid.bound()];
        for n in (0..self.grid.bound()).map(NodeId::from_index).filter(|&n| self.grid.is_free(n)) {
            let mut stack = vec![n];
            while let Some(m) = stack.pop() {
                if truth[m.index()] == NodeId::NONE {
                    truth[m.index()] = n;
                    stack.extend(self.grid.succs(m).map(|e| e.to));
                }
            }
        }
        truth
    }

    /// Compares all relevant pairs with the truth, and checks the index for consistency.
    fn check(&self) {
        let truth = self.truth();
        let mut first = Vec::new();
        for n in (0..self.grid.bound()).map(NodeId::from_index) {
            let of = truth[n.index()];
            assert_eq!(self.index.reachability(n, n), Reachability::Maybe);
            if of == NodeId::NONE {
                let other = NodeId::from_index((n.index() + 1) % self.grid.bound());
                assert_eq!(
                    (self.index.reachability(n, other), self.index.reachability(other, n)),
                    (Reachability::Unreachable, Reachability::Unreachable)
                );
                continue;
            }
            assert_eq!(
                self.index.reachability(n, of),
                Reachability::Maybe,
                "a false Unreachable between {n} and {of}"
            );
            if of == n {
                first.push(n);
            }
        }
        if self.index.is_exact() {
            for &a in &first {
                assert!(
                    first
                        .iter()
                        .all(|&b| a == b || self.index.reachability(a, b) == Reachability::Unreachable)
                );
            }
        }
        self.audit();
    }

    fn audit(&self) {
        let index = &self.index;
        assert!(index.forest.used() <= 2 * self.cells());
        assert!(index.is_sound(&self.grid));
    }

    /// Updates in slices until the index is exact, within the guaranteed number of calls.
    fn finish(&mut self, slice: usize) {
        let most = self.cells().div_ceil(slice);
        let calls = (1..=most).find(|_| self.repair(slice));
        assert!(calls.is_some(), "not exact after {most} calls of {slice} cells");
        assert!(self.index.is_exact());
        self.check();
    }
}

#[test]
fn never_a_false_unreachable_and_exact_in_time() {
    let mut dice = Dice(1);
    for rules in all_rules() {
        for round in 0..600 {
            let (width, height) = if round % 4 == 0 {
                (1 + dice.below(24), 1 + dice.below(20))
            } else {
                (1 + dice.below(7), 1 + dice.below(7))
            };
            let blocked = dice.below(10);
            let mut world = World::new(width, height, rules, |_, _| dice.below(10) >= blocked);
            world.check();
            assert!(world.index.is_exact());
            for _ in 0..60 {
                let n = world.any(&mut dice);
                match dice.below(8) {
                    0..5 => world.edit(n),
                    5 => {
                        let slice = 1 + dice.below(1 + world.cells() as u32 / 2);
                        world.finish(slice as usize);
                    }
                    _ => {
                        let slice = dice.below(6);
                        world.repair(slice as usize);
                    }
                }
                world.check();
            }
            world.finish(1 + dice.below(5) as usize);
        }
    }
}

/// Many edits without updates, mainly toggles of few cells; then checks the bound.
#[test]
fn exact_in_time_after_edits_without_repair() {
    let mut dice = Dice(2);
    for rules in all_rules() {
        for _ in 0..500 {
            let (width, height) = (2 + dice.below(20), 2 + dice.below(20));
            let blocked = 2 + dice.below(5);
            let mut world = World::new(width, height, rules, |_, _| dice.below(10) >= blocked);
            for _ in 0..4 {
                let few: Vec<_> = (0..6).map(|_| world.any(&mut dice)).collect();
                for _ in 0..dice.below(60) {
                    world.edit(few[dice.below(6) as usize]);
                    if dice.below(4) == 0 {
                        world.repair(dice.below(3) as usize);
                    }
                }
                world.check();
                world.finish([1, 2, 7, 50][dice.below(4) as usize]);
            }
        }
    }
}

#[test]
fn edits_may_be_reported_after_all_were_made() {
    let mut dice = Dice(3);
    for rules in all_rules() {
        for _ in 0..400 {
            let mut world = World::new(9, 8, rules, |_, _| dice.below(10) >= 4);
            for _ in 0..12 {
                let batch: Vec<_> = (0..=dice.below(12)).map(|_| world.any(&mut dice)).collect();
                for &n in &batch {
                    world.toggle(n);
                }
                for &n in &batch {
                    world.index.update_after_edit(&world.grid, n);
                }
                world.check();
                if dice.below(3) == 0 {
                    world.finish(1 + dice.below(9) as usize);
                } else {
                    world.repair(dice.below(9) as usize);
                }
                world.check();
            }
        }
    }
}

/// For all rings around a cell: closing it keeps the index exact if and only if its neighbors stay connected within
/// the ring.
#[test]
fn a_closing_that_its_ring_bridges_changes_nothing() {
    for rules in all_rules() {
        for mask in 0..512_u32 {
            let mut world = World::new(3, 3, rules, |x, y| (x, y) == (1, 1) || mask >> (3 * y + x) & 1 == 1);
            let middle = world.node(1, 1);
            let neighborhood: Vec<_> = world.grid.succs(middle).map(|e| e.to).collect();
            world.edit(middle);
            let truth = world.truth();
            let bridged = neighborhood.windows(2).all(|w| truth[w[0].index()] == truth[w[1].index()]);
            assert_eq!(world.index.is_exact(), bridged, "{rules:?} {mask:b}");
            world.finish(9);
        }
    }
}

#[test]
fn a_door_costs_the_smaller_room_and_not_the_map() {
    // A room of 6x6 in the corner of a large hall, with a door.
    let wall = |x, y| (x == 6 && y <= 6) || (y == 6 && x <= 6);
    let mut world = World::new(400, 400, Rules::default(), |x, y| !wall(x, y) || (x, y) == (6, 3));
    let (door, inside, outside) = (world.node(6, 3), world.node(0, 0), world.node(399, 399));
    world.edit(door);
    assert_eq!(world.index.reachability(inside, outside), Reachability::Maybe);
    assert!(!world.repair(20));
    assert!(world.repair(400), "400 of 160,000 cells suffice");
    assert_eq!(world.index.reachability(inside, outside), Reachability::Unreachable);
    world.edit(door);
    assert!(world.index.is_exact());
    assert_eq!(world.index.reachability(inside, outside), Reachability::Maybe);
}

/// A small room with many seeds, which are used long after the room is complete, while two long corridors take the
/// time: the room must not be flooded once per seed.
#[test]
fn late_seeds_cost_no_second_flood() {
    let mut world = World::new(615, 1, Rules::default(), |x, _| x != 13);
    let mut toggle_twice = |x| {
        let cell = world.node(x, 0);
        world.edit(cell);
        world.edit(cell);
    };
    for k in 1..299 {
        if k % 49 == 1 {
            toggle_twice(1 + 2 * (k / 49));
        }
        toggle_twice(14 + k);
        toggle_twice(315 + k);
    }
    let door = world.node(314, 0);
    world.edit(door);
    for slice in [1, 7, 120] {
        world.clone().finish(slice);
    }
    // Each cell is visited once at most. A second flood of the room per seed would add 13 visits for each of 7 seeds.
    let visits = (1..=100 * world.cells()).find(|_| world.repair(1)).expect("a repair ends");
    assert!(visits <= world.cells(), "{visits} visits");
}

#[test]
fn endless_toggling_takes_constant_memory() {
    let mut dice = Dice(4);
    for rules in all_rules() {
        // Two halls with two doors, an isolated cell, and random toggles around one of the doors.
        let mut world = World::new(33, 17, rules, |x, y| x != 16 || y == 3 || y == 12);
        let near: Vec<_> = (0..9).map(|k| world.node(15 + k % 3, 2 + k / 3)).collect();
        let mut soak = |world: &mut World, slice: u32| {
            for _ in 0..20_000 {
                world.edit(near[dice.below(9) as usize]);
                world.repair(dice.below(slice) as usize);
            }
            world.check();
            world.index.memory_bytes()
        };
        for slice in [1, 3, 40, 2000] {
            let warm = soak(&mut world, slice);
            let later = soak(&mut world, slice);
            assert!(later <= warm + 4096, "{rules:?}: {warm} bytes, then {later}");
            assert!(later < 64 * world.grid.bound());
        }
        world.finish(17);
        let lone = world.node(8, 0);
        for _ in 0..50_000 {
            world.edit(lone);
        }
        world.finish(1000);
    }
}

/// Tiny worlds that are edited during a flood: a group may split long after the cell that connected it was closed.
#[test]
fn tiny_worlds_are_exact_in_the_end() {
    let mut dice = Dice(5);
    for rules in all_rules() {
        for _ in 0..20_000 {
            let (width, height, blocked) = (2 + dice.below(5), 1 + dice.below(3), dice.below(4));
            let mut world = World::new(width, height, rules, |_, _| dice.below(10) >= blocked);
            for _ in 0..=dice.below(7) {
                let n = world.any(&mut dice);
                world.edit(n);
                world.repair(dice.below(3) as usize);
            }
            world.finish(1);
        }
    }
}
