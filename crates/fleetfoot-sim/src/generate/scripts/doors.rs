//! Doors that open and close at random, as in the experiments with real-time D*: per tick each open door closes and
//! each closed door opens with a given probability. A tick that would disconnect cells is drawn again.

mod plan;

use self::plan::Plan;
use super::{Chance, Recorder};
use crate::error::InputError;
use crate::formats::script::{ChangeKind, Script};
use crate::generate::SeededRng;
use crate::map::{GridMap, Sets};

/// Maximum number of draws of a tick before necessary doors are kept open, and the maximum mean. In the rooms of the
/// published experiments a tick is drawn 1.4 times on average; with hundreds of closing doors per tick no draw would
/// succeed.
const DRAWS: u32 = 100;
const DRAWS_PER_TICK: u32 = 10;

/// Finds the doors of a map by its shape: passages exactly one cell long and one cell wide. Row by row.
///
/// A door is a free cell with blocked cells (or the map's edge) on two opposite sides and free cells on the other
/// two, neither of which is such a cell in the same direction. On maps of rooms whose sides have at least two cells
/// these are the doors. Open ground, and corridors that are longer or wider than one cell, have none.
pub fn find_doors(map: &GridMap) -> Vec<(u32, u32)> {
    let is_passage = |x: u32, y: u32, (dx, dy): (i32, i32)| {
        // Wraps to far outside at the upper and left edge, which is blocked as well.
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
/// In every tick, any two free cells are connected that are connected with all doors open: whatever the goal, it is
/// reachable from every free cell from which it is reachable on the map (including the cell of an agent that keeps a
/// door from closing). This holds for straight and diagonal moves, with or without corner cutting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Doors {
    /// The last tick, in which all doors open. Changes begin in tick 1.
    pub ticks: u64,
    /// Probability that a closed door opens, per tick.
    pub open: Chance,
    /// Probability that an open door closes, per tick.
    pub close: Chance,
    /// A cell that never closes, even if it is a door.
    pub goal: Option<(u32, u32)>,
}

impl Doors {
    /// Records the world, given its map and its doors, all of which are open at first.
    ///
    /// A tick that would disconnect cells is drawn again, up to a hundred times and on average up to ten. Then
    /// necessary doors stay open, chosen in random order.
    ///
    /// # Errors
    /// If there are no doors, none can close, one is named twice or blocked, the goal is blocked, or there are too
    /// many changes to record.
    pub fn script(&self, map: &GridMap, doors: &[(u32, u32)], seed: u64) -> Result<Script, InputError> {
        let mut recorder = Recorder::new(map, self.ticks)?;
        if let Some((x, y)) = self.goal.filter(|&(x, y)| !map.passable(x, y)) {
            let what = format!("the goal ({x}, {y}) is blocked or outside the map");
            return Err(InputError::new(what, "choose a free cell"));
        }
        check(map, doors)?;
        let plan = Plan::of(map, doors);
        // A door that is necessary even with all others open would make every tick be drawn again.
        let mut may_close: Vec<bool> = plan.needed().into_iter().map(|is_needed| !is_needed).collect();
        for (door, may_close) in doors.iter().zip(&mut may_close) {
            *may_close &= self.goal != Some(*door);
        }
        if !may_close.contains(&true) {
            let what = "no door can close: each is the only way to some place, or the goal";
            return Err(InputError::new(what, "use a map with more alternative paths, or name other doors"));
        }
        let (mut dice, mut is_open) = (SeededRng::new(seed), vec![true; doors.len()]);
        let (mut next, mut sets, mut draws) = (is_open.clone(), Sets::default(), DRAWS);
        for tick in 1..=self.ticks {
            if tick == self.ticks {
                next.fill(true);
            } else {
                draws = (draws + DRAWS_PER_TICK).min(DRAWS);
                self.draw((&plan, &may_close), &is_open, &mut next, (&mut sets, &mut dice, &mut draws));
            }
            for (k, door) in doors.iter().enumerate().filter(|(k, _)| is_open[*k] != next[*k]) {
                let what = if next[k] { ChangeKind::Open } else { ChangeKind::Close };
                recorder.add(tick, *door, what)?;
            }
            is_open.copy_from_slice(&next);
        }
        Ok(recorder.script)
    }

    /// Draws the open doors of the next tick without disconnecting cells.
    fn draw(
        &self,
        (plan, may_close): (&Plan, &[bool]),
        is_open: &[bool],
        next: &mut [bool],
        (sets, dice, draws): (&mut Sets, &mut SeededRng, &mut u32),
    ) {
        while *draws > 0 {
            *draws -= 1;
            let mut closes = false;
            for (k, (now, next)) in is_open.iter().zip(&mut *next).enumerate() {
                *next =
                    if *now { !may_close[k] || !dice.happens(self.close) } else { dice.happens(self.open) };
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
        return Err(InputError::new(what, "name the cells of doors, or use a map of rooms"));
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

#[cfg(test)]
mod tests;
