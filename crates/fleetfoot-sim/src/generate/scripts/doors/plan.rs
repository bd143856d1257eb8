//! The regions that doors connect.

use crate::generate::SeededRng;
use crate::map::{Components, GridMap, Sets};

/// A graph whose nodes are the regions that are connected without doors, and the doors.
pub(super) struct Plan {
    /// Number of regions; the doors follow them.
    regions: u32,
    /// The nodes adjacent to each door.
    beside: Vec<Vec<u32>>,
    /// The component of each node with all doors open.
    parts: Vec<u32>,
    part_count: usize,
}

impl Plan {
    pub(super) fn of(map: &GridMap, doors: &[(u32, u32)]) -> Self {
        let mut walled = map.clone();
        for &(x, y) in doors {
            walled.set(x, y, b'@');
        }
        let (rooms, whole) = (walled.components(), map.components());
        let regions = rooms.sizes.len() as u32;
        let mut nodes = rooms.labels;
        for (k, &(x, y)) in (0..).zip(doors) {
            nodes[map.index(x, y)] = regions + k;
        }
        let mut parts = vec![0; regions as usize + doors.len()];
        for (node, part) in nodes.iter().zip(&whole.labels).filter(|(node, _)| **node != Components::BLOCKED)
        {
            parts[*node as usize] = *part;
        }
        let node = |x: u32, y: u32| {
            let node = map.in_bounds(x, y).then(|| nodes[map.index(x, y)]);
            node.filter(|node| *node != Components::BLOCKED)
        };
        let beside = |&(x, y): &(u32, u32)| {
            let around = [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)];
            around.into_iter().filter_map(|(x, y)| node(x, y)).collect()
        };
        let beside = doors.iter().map(beside).collect();
        Self { regions, beside, parts, part_count: whole.sizes.len() }
    }

    /// Joins the nodes adjacent to open doors.
    fn join(&self, is_open: &[bool], sets: &mut Sets) {
        sets.restart(self.parts.len() as u32);
        for door in (0..is_open.len()).filter(|door| is_open[*door]) {
            self.join_one(door, is_open, sets);
        }
    }

    fn join_one(&self, door: usize, is_open: &[bool], sets: &mut Sets) {
        for &node in self.beside[door].iter().filter(|node| self.is_free(**node, is_open)) {
            sets.join(self.regions + door as u32, node);
        }
    }

    fn is_free(&self, node: u32, is_open: &[bool]) -> bool {
        node < self.regions || is_open[(node - self.regions) as usize]
    }

    /// Returns `true` if all free cells are connected that are connected with all doors open.
    pub(super) fn is_whole(&self, is_open: &[bool], sets: &mut Sets) -> bool {
        self.join(is_open, sets);
        let mut roots = vec![None; self.part_count];
        (0..self.parts.len() as u32).filter(|node| self.is_free(*node, is_open)).all(|node| {
            let root = sets.find(node);
            *roots[self.parts[node as usize] as usize].get_or_insert(root) == root
        })
    }

    /// Reopens necessary closing doors, one by one in random order.
    pub(super) fn keep_needed(
        &self,
        is_open: &[bool],
        next: &mut [bool],
        (sets, dice): (&mut Sets, &mut SeededRng),
    ) {
        let mut closing: Vec<usize> = (0..next.len()).filter(|k| is_open[*k] && !next[*k]).collect();
        dice.shuffle(&mut closing);
        self.join(next, sets);
        for door in closing {
            let free = self.beside[door].iter().filter(|node| self.is_free(**node, next));
            let mut roots: Vec<u32> = free.map(|node| sets.find(*node)).collect();
            roots.sort_unstable();
            roots.dedup();
            if roots.len() > 1 {
                next[door] = true;
                self.join_one(door, next, sets);
            }
        }
    }

    /// Returns for each door whether closing it disconnects cells even with all others open: whether it is a cut
    /// vertex (Hopcroft and Tarjan 1973).
    pub(super) fn needed(&self) -> Vec<bool> {
        let mut beside = vec![Vec::new(); self.parts.len()];
        for (door, nodes) in (self.regions..).zip(&self.beside) {
            for &node in nodes {
                beside[door as usize].push(node);
                // A door adjacent to a door lists it itself.
                if node < self.regions {
                    beside[node as usize].push(door);
                }
            }
        }
        let cut_off = cut_off(&beside);
        cut_off[self.regions as usize..].to_vec()
    }
}

/// Returns the cut vertices of a graph.
fn cut_off(beside: &[Vec<u32>]) -> Vec<bool> {
    // In the order of a depth-first search: the time when a node was found, and the earliest node adjacent to it or
    // its descendants.
    let (mut found, mut low) = (vec![0; beside.len()], vec![0; beside.len()]);
    let (mut is_cut, mut count, mut stack) = (vec![false; beside.len()], 0, Vec::new());
    for root in 0..beside.len() {
        if found[root] != 0 {
            continue;
        }
        let mut branches = 0;
        stack.push((root, root, 0));
        while let Some((node, parent, next)) = stack.pop() {
            if next == 0 {
                count += 1;
                (found[node], low[node]) = (count, count);
            }
            match beside[node].get(next).map(|other| *other as usize) {
                Some(other) => {
                    stack.push((node, parent, next + 1));
                    if found[other] == 0 {
                        stack.push((other, node, 0));
                    } else if other != parent {
                        low[node] = low[node].min(found[other]);
                    }
                }
                None if node == root => is_cut[root] = branches > 1,
                None => {
                    low[parent] = low[parent].min(low[node]);
                    branches += u32::from(parent == root);
                    is_cut[parent] |= parent != root && low[node] >= found[parent];
                }
            }
        }
    }
    is_cut
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{maze, random, rooms::Rooms, scripts::doors::find_doors};

    /// Checks that a door is necessary exactly if blocking it disconnects two cells.
    #[test]
    fn needed_doors_are_those_without_a_way_round() {
        let rooms =
            Rooms { width: 33, height: 25, size: 3, door_percent: 55, centred: true, connected: true };
        let mut maps: Vec<GridMap> = (0..12).map(|seed| rooms.generate(seed).unwrap().map).collect();
        maps.extend((0..12).map(|seed| random::generate(20, 20, 40, seed).unwrap().map));
        maps.push(maze::generate(21, 21, 1, 1).unwrap().map);
        let (mut needed, mut free) = (0, 0);
        for map in &maps {
            let found = find_doors(map);
            // Arbitrary cells as well, including adjacent ones.
            let any: Vec<_> = (0..map.width() * map.height())
                .map(|k| (k % map.width(), k / map.width()))
                .filter(|&(x, y)| map.passable(x, y) && (x * 7 + y * 3) % 4 < 2)
                .collect();
            for doors in [found, any] {
                let parts = map.components().sizes.len();
                for (&(x, y), is_needed) in doors.iter().zip(Plan::of(map, &doors).needed()) {
                    let mut walled = map.clone();
                    walled.set(x, y, b'@');
                    // A component of a single cell vanishes when it is blocked.
                    assert_eq!(walled.components().sizes.len() > parts, is_needed, "({x}, {y})");
                    (needed, free) = (needed + u32::from(is_needed), free + u32::from(!is_needed));
                }
            }
        }
        assert!(needed > 500 && free > 500, "{needed} {free}");
    }
}
