//! Shortcuts: far from the agent a tunnel opens that makes its path much shorter.

pub use super::roads::Span;

use super::roads::{Roads, STRAIGHT, spans};
use super::{Recorder, check_range};
use crate::error::InputError;
use crate::formats::script::{ChangeKind, Script};
use crate::generate::SeededRng;
use crate::map::GridMap;

/// Number of tunnels that are tried before giving up.
const TRIES: usize = 40;

/// A world in which shortcuts open between two cells.
///
/// The first one opens in tick `at`, the next in tick 2·`at`, and so on. Each is a straight tunnel one cell wide
/// through blocked ground. The following holds for every agent that starts at `from` in tick 0 and makes at most one
/// move per tick, whatever its planner:
/// - **The tunnel is far away**: no cell of it is nearer to the agent than `far` cells, counted along rows and
///   columns.
/// - **It helps**: from any cell that the agent can have reached, the shortest path to `to` is at most `share`
///   percent as long as before (by the default rules of movement, on ground of equal weight).
///
/// Nothing ever closes, so costs only decrease.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shortcuts {
    /// Start of the agent.
    pub from: (u32, u32),
    /// Goal of the agent.
    pub to: (u32, u32),
    /// Tick in which the first shortcut opens, and the interval between shortcuts.
    pub at: u64,
    /// Number of shortcuts, if there is space for them.
    pub count: u32,
    /// Maximum number of cells of a tunnel.
    pub longest: u32,
    /// Minimum distance to the agent.
    pub far: u32,
    /// Maximum length of the new path, in percent of the old one.
    pub share: u32,
}

/// A shortcut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shortcut {
    /// Tick in which it opens.
    pub tick: u64,
    /// Its cells.
    pub span: Span,
    /// Length of the path to the goal afterwards, in percent of the previous one, rounded up: minimum and maximum
    /// over all possible positions of the agent.
    pub share: (u32, u32),
}

/// The result of digging shortcuts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShortcutScript {
    /// The shortcuts in the order in which they open; at least one.
    pub shortcuts: Vec<Shortcut>,
    /// Their changes.
    pub script: Script,
}

impl Shortcuts {
    /// Finds the shortcuts and records the world.
    ///
    /// # Errors
    /// If a parameter is out of its range, the map has no path from start to goal, or no shortcut meets the
    /// conditions.
    pub fn script(&self, map: &GridMap, seed: u64) -> Result<ShortcutScript, InputError> {
        self.check(map)?;
        let last = self.at.saturating_mul(u64::from(self.count));
        let (mut recorder, mut dice) = (Recorder::new(map, last)?, SeededRng::new(seed));
        let (mut map, mut shortcuts) = (map.clone(), Vec::new());
        for k in 1..=u64::from(self.count) {
            let Some(shortcut) = self.find(&map, k * self.at, &mut dice)? else { break };
            for (x, y) in shortcut.span.cells() {
                recorder.add(shortcut.tick, (x, y), ChangeKind::Open)?;
                map.set(x, y, b'.');
            }
            shortcuts.push(shortcut);
        }
        if shortcuts.is_empty() {
            let what = format!(
                "no tunnel of at most {} cells, {} from where the agent can be in tick {}, makes its way as short as {} %",
                self.longest, self.far, self.at, self.share
            );
            let remedy = "choose an earlier tick, longer tunnels, a larger share, or start and goal with a longer path";
            return Err(InputError::new(what, remedy));
        }
        Ok(ShortcutScript { shortcuts, script: recorder.script })
    }

    fn check(&self, map: &GridMap) -> Result<(), InputError> {
        for (name, (x, y)) in [("start", self.from), ("goal", self.to)] {
            if !map.passable(x, y) {
                let what = format!("the {name} ({x}, {y}) is blocked or outside the map");
                return Err(InputError::new(what, "choose a free cell"));
            }
        }
        check_range("the tick", self.at, 1, super::MAX_TICKS)?;
        check_range("the number of shortcuts", self.count, 1, 1_000)?;
        check_range("the longest tunnel", self.longest, 1, 1_000)?;
        check_range("the share", self.share, 1, 99)
    }

    /// Finds a shortcut that meets the conditions in this tick.
    fn find(&self, map: &GridMap, tick: u64, dice: &mut SeededRng) -> Result<Option<Shortcut>, InputError> {
        let (mut from_start, mut to_goal) = (Roads::new(map), Roads::new(map));
        from_start.measure(map, self.from, u64::MAX);
        to_goal.measure(map, self.to, u64::MAX);
        let Some(length) = from_start.length(self.to) else {
            let what = "the map has no path from start to goal";
            return Err(InputError::new(what, "choose other cells"));
        };
        let most = length * u64::from(self.share) / 100;
        let with = |span: &Span| {
            let over =
                |a, b| Some(from_start.length(a)? + u64::from(span.moves()) * STRAIGHT + to_goal.length(b)?);
            over(span.from, span.to).min(over(span.to, span.from)).filter(|length| *length <= most)
        };
        let reach = u64::from(self.far) + tick;
        let is_far = |span: &Span| span.cells().all(|cell| distance(cell, self.from) >= reach);
        let mut tunnels: Vec<Span> = spans(map, self.longest, b"@OTW");
        tunnels.retain(|span| is_far(span) && with(span).is_some());
        dice.shuffle(&mut tunnels);
        // The last candidate is the one that helps most at the start.
        let best = tunnels.iter().min_by_key(|span| with(span)).copied();
        let within_reach = reachable(map, self.from, tick);
        let mut roads = Roads::new(map);
        let tried = tunnels.into_iter().take(TRIES).chain(best);
        let fits = |span: Span| {
            let share = self.shares(map, span, (&to_goal, &mut roads), &within_reach)?;
            Some(Shortcut { tick, span, share })
        };
        Ok(tried.into_iter().find_map(fits))
    }

    /// Returns how much shorter paths become. Returns `None` if it is not enough everywhere.
    fn shares(
        &self,
        map: &GridMap,
        span: Span,
        (before, after): (&Roads, &mut Roads),
        places: &[(u32, u32)],
    ) -> Option<(u32, u32)> {
        let mut dug = map.clone();
        span.cells().for_each(|(x, y)| dug.set(x, y, b'.'));
        after.measure(&dug, self.to, u64::MAX);
        let mut shares = (u32::MAX, 0);
        for place in places.iter().filter(|place| **place != self.to) {
            let share = (100 * after.length(*place)?).div_ceil(before.length(*place)?) as u32;
            if share > self.share {
                return None;
            }
            shares = (shares.0.min(share), shares.1.max(share));
        }
        Some(shares)
    }
}

/// Returns a lower bound of the moves between two cells.
fn distance(a: (u32, u32), b: (u32, u32)) -> u64 {
    u64::from(a.0.abs_diff(b.0).max(a.1.abs_diff(b.1)))
}

/// Returns all cells that are reachable with `moves` moves, by any rules of movement.
fn reachable(map: &GridMap, from: (u32, u32), moves: u64) -> Vec<(u32, u32)> {
    let mut is_known = vec![false; map.cells().len()];
    is_known[map.index(from.0, from.1)] = true;
    let (mut cells, mut begin) = (vec![from], 0);
    for _ in 0..moves {
        let end = cells.len();
        for k in begin..end {
            let (x, y) = cells[k];
            for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)] {
                let (nx, ny) = (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
                if map.passable(nx, ny) && !std::mem::replace(&mut is_known[map.index(nx, ny)], true) {
                    cells.push((nx, ny));
                }
            }
        }
        if cells.len() == end {
            break;
        }
        begin = end;
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::problems::random_problems;
    use crate::generate::{cave, maze, tests::distances};

    fn shortcuts(from: (u32, u32), to: (u32, u32)) -> Shortcuts {
        Shortcuts { from, to, at: 12, count: 1, longest: 10, far: 8, share: 70 }
    }

    #[test]
    fn a_shortcut_is_far_and_pays_from_wherever_the_agent_can_be() {
        let maps = [maze::generate(61, 61, 1, 4).unwrap().map, cave::generate(96, 96, 2).unwrap().map];
        let mut found = 0;
        for map in &maps {
            for (seed, (from, to)) in (0..).zip(random_problems(map, 24, 3).unwrap()) {
                let Ok(dug) = shortcuts(from, to).script(map, seed) else { continue };
                let mut after = map.clone();
                for change in &dug.script.changes {
                    assert_eq!((change.tick, change.what), (12, ChangeKind::Open));
                    assert!(!map.passable(change.x, change.y));
                    after.set(change.x, change.y, b'.');
                }
                let (before, after) = (distances(map, to), distances(&after, to));
                for (x, y) in reachable(map, from, 12).into_iter().filter(|place| *place != to) {
                    let (before, after) = (before(x, y).unwrap(), after(x, y).unwrap());
                    // Thousandths compared with 577/408, with tolerance for rounding.
                    assert!(after * 100 <= before * 71, "({x}, {y}): {before} became {after}");
                    let near = dug.shortcuts[0].span.cells().map(|cell| distance(cell, (x, y))).min();
                    assert!(near.unwrap() >= 8);
                }
                let (least, most) = dug.shortcuts[0].share;
                assert!(least <= most && most <= 70);
                assert_eq!(shortcuts(from, to).script(map, seed).unwrap(), dug);
                found += 1;
            }
        }
        assert!(found >= 6, "{found}");
    }

    #[test]
    fn several_open_one_after_the_other() {
        let map = maze::generate(121, 121, 1, 4).unwrap().map;
        let asked = Shortcuts { count: 4, share: 90, ..shortcuts((1, 1), (119, 119)) };
        let dug = asked.script(&map, 1).unwrap();
        assert!(dug.shortcuts.len() > 1, "{:?}", dug.shortcuts);
        assert!(dug.shortcuts.iter().zip(1..).all(|(shortcut, k)| shortcut.tick == 12 * k));
        dug.script.validate().unwrap();
        let trend = dug.script.summary_without_map().trend();
        assert!(trend.fall && !trend.rise);
    }

    #[test]
    fn reachable_cells_are_those_of_so_many_moves() {
        let map = GridMap::from_rows(&["....", "@@@.", "...."]).unwrap();
        let count = |moves| reachable(&map, (0, 0), moves).len();
        assert_eq!([0, 1, 2, 3, 4, 99].map(count), [1, 2, 3, 5, 7, 9]);
    }

    #[test]
    fn refuses() {
        let map = GridMap::from_rows(&["...@.", ".@.@."]).unwrap();
        let refusal = |shortcuts: Shortcuts| shortcuts.script(&map, 1).unwrap_err().to_string();
        let good = shortcuts((0, 0), (2, 1));
        assert!(
            refusal(good)
                .starts_with("no tunnel of at most 10 cells, 8 from where the agent can be in tick 12")
        );
        assert!(
            refusal(Shortcuts { to: (4, 0), ..good }).starts_with("the map has no path from start to goal")
        );
        assert!(
            refusal(Shortcuts { from: (1, 1), ..good }).starts_with("the start (1, 1) is blocked or outside")
        );
        assert!(
            refusal(Shortcuts { to: (9, 1), ..good }).starts_with("the goal (9, 1) is blocked or outside")
        );
        assert!(refusal(Shortcuts { at: 0, ..good }).starts_with("the tick is 0; use a number from 1"));
        assert!(refusal(Shortcuts { count: 0, ..good }).starts_with("the number of shortcuts is 0"));
        assert!(refusal(Shortcuts { longest: 0, ..good }).starts_with("the longest tunnel is 0"));
        assert!(
            refusal(Shortcuts { share: 100, ..good })
                .starts_with("the share is 100; use a number from 1 to 99")
        );
    }
}
