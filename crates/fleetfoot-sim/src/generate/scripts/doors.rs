//! Doors that open and close at random, as in the experiments of real-time D*: per tick each open door closes and each
//! closed door opens with a given chance, and a tick is drawn again until no way is cut off.

use super::{Chance, Recorder};
use crate::error::InputError;
use crate::formats::script::{Script, What};
use crate::generate::Dice;
use crate::map::{Components, GridMap, Sets};

/// How often a tick is drawn again before the doors that are needed are kept open.
const REDRAWS: u32 = 100;

/// The doors of a map, by its shape: passages exactly one cell long and one cell wide. Row by row.
///
/// That is a free cell with blocked cells (or the map's edge) on two opposite sides and free cells on the other two,
/// neither of which is such a cell in the same direction. On maps of rooms whose sides have at least two cells these are
/// the doors; open ground, and corridors that are longer or wider than one cell, have none.
pub fn find_doors(map: &GridMap) -> Vec<(u32, u32)> {
    let is_passage = |x: u32, y: u32, (dx, dy): (i32, i32)| {
        // Past the upper and left edge this wraps to far outside, which is blocked too.
        let free = |dx, dy| map.passable(x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
        free(0, 0) && free(dx, dy) && free(-dx, -dy) && !free(dy, dx) && !free(-dy, -dx)
    };
    let is_door = |x: u32, y: u32, (dx, dy): (i32, i32)| {
        let beside =
            |s: i32| is_passage(x.wrapping_add_signed(s * dx), y.wrapping_add_signed(s * dy), (dx, dy));
        is_passage(x, y, (dx, dy)) && !beside(1) && !beside(-1)
    };
    let cells = (0..map.height()).flat_map(|y| (0..map.width()).map(move |x| (x, y)));
    cells.filter(|&(x, y)| is_door(x, y, (1, 0)) || is_door(x, y, (0, 1))).collect()
}

/// A world of doors.
///
/// In every tick, any two free cells between which there is a way with all doors open have one: whatever the goal,
/// it can be reached from every free cell from which it can be reached on the map (an agent that keeps a door from
/// closing included). Whether moves are straight or diagonal, and whether they may cut corners, makes no difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Doors {
    /// The last tick, in which all doors open again. What happens happens from tick 1 on.
    pub ticks: u64,
    /// How likely a closed door opens, per tick.
    pub open: Chance,
    /// How likely an open door closes, per tick.
    pub close: Chance,
    /// A cell that never closes, even if it is a door.
    pub goal: Option<(u32, u32)>,
}

impl Doors {
    /// Records the world, given its map and its doors, all of which are open at first.
    ///
    /// A tick that would cut off a way is drawn again, up to a hundred times; then, of the doors that would close, those
    /// that are needed stay open, in random order.
    ///
    /// # Errors
    /// If there are no doors, one is named twice or cannot be stood on, the goal is blocked, or there is more to
    /// record than can be.
    pub fn script(&self, map: &GridMap, doors: &[(u32, u32)], seed: u64) -> Result<Script, InputError> {
        let mut recorder = Recorder::new(map, self.ticks)?;
        if let Some((x, y)) = self.goal.filter(|&(x, y)| !map.passable(x, y)) {
            let what = format!("the goal ({x}, {y}) is blocked or outside the map");
            return Err(InputError::new(what, "choose a free cell"));
        }
        check(map, doors)?;
        let plan = Plan::of(map, doors);
        let (mut dice, mut is_open) = (Dice::new(seed), vec![true; doors.len()]);
        let (mut next, mut sets) = (is_open.clone(), Sets::default());
        for tick in 1..=self.ticks {
            if tick == self.ticks {
                next.fill(true);
            } else {
                self.draw(&plan, &is_open, &mut next, (&mut sets, &mut dice));
            }
            for (k, door) in doors.iter().enumerate().filter(|(k, _)| is_open[*k] != next[*k]) {
                let what = if next[k] { What::Open } else { What::Close };
                recorder.add(tick, *door, what)?;
            }
            is_open.copy_from_slice(&next);
        }
        Ok(recorder.script)
    }

    /// Draws which doors are open next, so that no way is cut off.
    fn draw(&self, plan: &Plan, is_open: &[bool], next: &mut [bool], (sets, dice): (&mut Sets, &mut Dice)) {
        for _ in 0..=REDRAWS {
            let mut closes = false;
            for (k, (now, next)) in is_open.iter().zip(&mut *next).enumerate() {
                *next = if *now {
                    !dice.happens(self.close) || self.goal == Some(plan.doors[k])
                } else {
                    dice.happens(self.open)
                };
                closes |= *now && !*next;
            }
            if !closes || plan.is_whole(next, sets) {
                return;
            }
        }
        plan.keep_needed(is_open, next, (sets, dice));
        if !plan.is_whole(next, sets) {
            next.copy_from_slice(is_open);
        }
    }
}

fn check(map: &GridMap, doors: &[(u32, u32)]) -> Result<(), InputError> {
    if doors.is_empty() {
        let what = "the map has no doors: no passage is one cell long and one cell wide";
        return Err(InputError::new(what, "name cells that are to be doors, or use a map of rooms"));
    }
    if let Some((x, y)) = doors.iter().find(|&&(x, y)| !map.passable(x, y)) {
        let what = format!("the door ({x}, {y}) is blocked or outside the map");
        return Err(InputError::new(what, "name free cells: all doors are open at first"));
    }
    let mut sorted = doors.to_vec();
    sorted.sort_unstable();
    match sorted.windows(2).find(|two| two[0] == two[1]) {
        None => Ok(()),
        Some(two) => {
            let what = format!("the door ({}, {}) is named twice", two[0].0, two[0].1);
            Err(InputError::new(what, "name it once"))
        }
    }
}

/// A map in which all that hangs together without doors is one node, and each door is one.
struct Plan {
    doors: Vec<(u32, u32)>,
    /// How many nodes are not doors; the doors come after them.
    regions: u32,
    /// For each door the nodes beside it.
    beside: Vec<Vec<u32>>,
    /// For each node which part of the map it belongs to with all doors open.
    parts: Vec<u32>,
    part_count: usize,
}

impl Plan {
    fn of(map: &GridMap, doors: &[(u32, u32)]) -> Self {
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
        Self { doors: doors.to_vec(), regions, beside, parts, part_count: whole.sizes.len() }
    }

    /// Joins what open doors join.
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

    /// Whether all free cells hang together that do so with all doors open.
    fn is_whole(&self, is_open: &[bool], sets: &mut Sets) -> bool {
        self.join(is_open, sets);
        let mut roots = vec![None; self.part_count];
        (0..self.parts.len() as u32).filter(|node| self.is_free(*node, is_open)).all(|node| {
            let root = sets.find(node);
            *roots[self.parts[node as usize] as usize].get_or_insert(root) == root
        })
    }

    /// Opens again, one by one in random order, those doors that would close and are needed.
    fn keep_needed(&self, is_open: &[bool], next: &mut [bool], (sets, dice): (&mut Sets, &mut Dice)) {
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::rooms::Rooms;

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
        let all =
            Rooms { width: 100, height: 100, size: 10, door_percent: 100, ..ROOMS }.generate(1).unwrap();
        assert_eq!(find_doors(&all.map).len(), 2 * 9 * 8, "four doors to every inner room");
        let wide = crate::generate::maze::generate(41, 41, 2, 1).unwrap().map;
        assert!(find_doors(&wide).is_empty());
        assert!(find_doors(&GridMap::new(9, 9, b'.').unwrap()).is_empty());
        let edge = GridMap::from_rows(&["...@...", "......."]).unwrap();
        assert_eq!(find_doors(&edge), [(3, 1)]);
    }

    /// Which cells are free, tick by tick.
    fn replay(map: &GridMap, script: &Script, mut each: impl FnMut(u64, &GridMap)) {
        let mut map = map.clone();
        for changes in script.changes.chunk_by(|a, b| a.tick == b.tick) {
            for change in changes {
                let was_free = map.passable(change.x, change.y);
                assert_eq!(was_free, change.what == What::Close, "every line changes something");
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
                // What hangs together in the map hangs together now, by an account of its own.
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
        // Rooms in a ring with a way round each door, and one door closed at a time at most.
        let map = GridMap::from_rows(&[".....", "..@..", "....."]).unwrap();
        let rates = Doors { ticks: 200_000, open: Chance::millionths(20_000), ..DOORS };
        let script = rates.script(&map, &[(2, 0)], 5).unwrap();
        let closings = script.changes.iter().filter(|change| change.what == What::Close).count();
        // A turn takes 100 ticks open and 50 closed.
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
        // A passage of two doors, of which either closes it; and a part that is all doors.
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
        let refusal =
            |doors: Doors, cells: &[(u32, u32)]| doors.script(&map, cells, 1).unwrap_err().to_string();
        assert!(refusal(DOORS, &[]).contains("has no doors"));
        assert!(refusal(DOORS, &[(1, 1)]).starts_with("the door (1, 1) is blocked"));
        assert!(refusal(DOORS, &[(3, 0)]).starts_with("the door (3, 0) is blocked or outside"));
        assert!(refusal(DOORS, &[(1, 0), (1, 0)]).contains("named twice; name it once"));
        assert!(
            refusal(Doors { goal: Some((9, 9)), ..DOORS }, &[(1, 0)])
                .starts_with("the goal (9, 9) is blocked")
        );
        assert!(refusal(Doors { ticks: 0, ..DOORS }, &[(1, 0)]).contains("from 1 to 10000000"));
        assert!(refusal(Doors { ticks: u64::MAX, ..DOORS }, &[(1, 0)]).contains("cannot be recorded"));
    }
}
