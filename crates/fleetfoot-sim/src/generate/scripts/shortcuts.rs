//! Shortcuts: far from the agent a tunnel opens that makes its way much shorter.

pub use super::roads::Span;

use super::roads::{Roads, STRAIGHT, spans};
use super::{Recorder, check_range};
use crate::error::InputError;
use crate::formats::script::{ChangeKind, Script};
use crate::generate::SeededRng;
use crate::map::GridMap;

/// How many tunnels are tried before it is said that there is none.
const TRIES: usize = 40;

/// A world in which shortcuts open on the way from one cell to another.
///
/// The first opens in tick `at`, the next in tick 2·`at`, and so on, each a straight tunnel one cell wide through
/// blocked ground. Of each holds, for every agent that begins at `from` in tick 0 and makes at most one move per tick,
/// whatever its planner:
/// - **It is far away**: no cell of the tunnel is nearer to it than `far` cells, counted along rows and columns.
/// - **It pays**: from wherever the agent can be by then, a shortest way to `to` is at most `share` percent as long as
///   before (by the default rules of movement, on ground of equal weight).
///
/// Nothing ever closes, so costs only fall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shortcuts {
    /// Where the agent begins.
    pub from: (u32, u32),
    /// Where it has to go.
    pub to: (u32, u32),
    /// The tick in which the first shortcut opens, and the time from one to the next.
    pub at: u64,
    /// How many, if there is room for so many.
    pub count: u32,
    /// How many cells a tunnel can have.
    pub longest: u32,
    /// How far away it is at least.
    pub far: u32,
    /// How long the new way may be, in percent of the old.
    pub share: u32,
}

/// A shortcut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shortcut {
    /// When it opens.
    pub tick: u64,
    /// Where.
    pub span: Span,
    /// How long the way to the goal is afterwards, in percent of what it was, rounded up: the least and the most over all
    /// places where the agent can be.
    pub share: (u32, u32),
}

/// What was dug.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShortcutScript {
    /// In the order in which they open; at least one.
    pub shortcuts: Vec<Shortcut>,
    /// What happens.
    pub script: Script,
}

impl Shortcuts {
    /// Finds the shortcuts and records the world.
    ///
    /// # Errors
    /// If a parameter is out of its range, the map has no way from start to goal, or not even one shortcut keeps its
    /// promises.
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
            let remedy =
                "choose an earlier tick, longer tunnels, a larger share, or start and goal with a longer way";
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

    /// A shortcut that keeps its promises in this tick.
    fn find(&self, map: &GridMap, tick: u64, dice: &mut SeededRng) -> Result<Option<Shortcut>, InputError> {
        let (mut from_start, mut to_goal) = (Roads::new(map), Roads::new(map));
        from_start.measure(map, self.from, u64::MAX);
        to_goal.measure(map, self.to, u64::MAX);
        let Some(length) = from_start.length(self.to) else {
            let what = "the map has no way from start to goal";
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
        // The last to be tried is the one that helps most at the start.
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

    /// How much shorter ways become, if by enough everywhere.
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

/// How many moves there are between two cells at least.
fn distance(a: (u32, u32), b: (u32, u32)) -> u64 {
    u64::from(a.0.abs_diff(b.0).max(a.1.abs_diff(b.1)))
}

/// All cells to which so many moves can lead, by any rules of movement.
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
            for (seed, (from, to)) in (0..).zip(random_problems(map, 12, 3).unwrap()) {
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
                    // Thousandths against 577/408: some rounding is lost.
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
            refusal(Shortcuts { to: (4, 0), ..good }).starts_with("the map has no way from start to goal")
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
