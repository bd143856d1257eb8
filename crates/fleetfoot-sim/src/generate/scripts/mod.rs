//! Seeded generators of scripts: changing worlds, recorded so that every planner meets the same one.
//!
//! - [`doors`]: doors open and close at random without disconnecting cells.
//! - [`bridges`]: bridges over blocked ground collapse and are rebuilt.
//! - [`terrain`]: ground becomes heavy in places, and light again.
//! - [`shortcuts`]: far from the agent a tunnel opens that makes its path much shorter.
//!
//! All but the last restore the map in the end (bridges: with all bridges intact), so that a run continues in a
//! static world. Nothing happens before tick 1, so that the optimal length of a problem is that of the map (bridges:
//! with all bridges intact).

pub mod bridges;
pub mod doors;
mod roads;
pub mod shortcuts;
pub mod terrain;

use std::fmt;
use std::str::FromStr;

use super::SeededRng;
use crate::error::InputError;
use crate::formats::script::{Change, ChangeKind, Script};
use crate::map::GridMap;

/// Maximum number of recorded ticks.
pub const MAX_TICKS: u64 = 10_000_000;
/// Maximum number of recorded changes: a file of about 300 MB.
pub const MAX_CHANGES: usize = 20_000_000;

/// A probability in millionths, which no platform rounds differently.
///
/// ```
/// use fleetfoot_sim::generate::scripts::Chance;
/// let chance: Chance = "0.01".parse()?;
/// assert_eq!(chance, "1%".parse()?);
/// assert_eq!(chance.to_string(), "0.01");
/// # Ok::<(), fleetfoot_sim::error::InputError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Chance(u32);

impl Chance {
    const ONE: u32 = 1_000_000;

    /// Creates a probability of `n` millionths, at most a million.
    pub const fn millionths(n: u32) -> Self {
        Self(if n > Self::ONE { Self::ONE } else { n })
    }
}

impl FromStr for Chance {
    type Err = InputError;

    fn from_str(text: &str) -> Result<Self, InputError> {
        let (number, unit) = match text.trim().strip_suffix('%') {
            Some(number) => (number.trim_end(), 0.01),
            None => (text.trim(), 1.0),
        };
        let share = number.parse::<f64>().map_or(f64::NAN, |number| number * unit);
        if !(0.0..=1.0).contains(&share) {
            let what = format!("`{text}` is no chance");
            return Err(InputError::new(what, "write a number from 0 to 1, such as 0.01, or 1%"));
        }
        #[expect(clippy::cast_sign_loss, reason = "checked to be positive")]
        Ok(Self((share * f64::from(Self::ONE)).round() as u32))
    }
}

impl fmt::Display for Chance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{}.{:06}", self.0 / Self::ONE, self.0 % Self::ONE);
        f.write_str(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

impl SeededRng {
    /// Returns `true` with this probability.
    pub fn happens(&mut self, chance: Chance) -> bool {
        self.below(Chance::ONE) < chance.0
    }

    /// Returns a number from `least` to `most`, all equally likely.
    fn between(&mut self, least: u32, most: u32) -> u32 {
        least + self.below((most - least).saturating_add(1))
    }
}

/// Records changes.
struct Recorder {
    script: Script,
}

impl Recorder {
    fn new(map: &GridMap, ticks: u64) -> Result<Self, InputError> {
        if !(1..=MAX_TICKS).contains(&ticks) {
            let what = format!("{ticks} ticks cannot be recorded");
            return Err(InputError::new(what, format!("use a number of ticks from 1 to {MAX_TICKS}")));
        }
        Ok(Self { script: Script::empty(map.width(), map.height()) })
    }

    fn add(&mut self, tick: u64, (x, y): (u32, u32), what: ChangeKind) -> Result<(), InputError> {
        if self.script.changes.len() == MAX_CHANGES {
            let what = format!("by tick {tick} there are {MAX_CHANGES} changes, and no more can be recorded");
            return Err(InputError::new(what, "use fewer ticks, or make changes rarer"));
        }
        self.script.changes.push(Change { tick, x, y, what });
        Ok(())
    }
}

/// Refuses values out of a range.
fn check_range<T: Copy + PartialOrd + fmt::Display>(
    name: &str,
    value: T,
    least: T,
    most: T,
) -> Result<(), InputError> {
    if (least..=most).contains(&value) {
        return Ok(());
    }
    Err(InputError::new(format!("{name} is {value}"), format!("use a number from {least} to {most}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_print_back_and_are_met() {
        for text in ["0", "1", "0.5", "0.000001", "0.01"] {
            assert_eq!(text.parse::<Chance>().unwrap().to_string(), text);
        }
        assert_eq!(" 2.5 %".parse::<Chance>().unwrap(), Chance::millionths(25_000));
        assert_eq!(Chance::millionths(u32::MAX).to_string(), "1");
        for bad in ["", "%", "-0.1", "1.1", "101%", "nan", "inf", "x"] {
            let error = bad.parse::<Chance>().unwrap_err().to_string();
            assert!(error.contains("is no chance; write a number from 0 to 1"), "{error}");
        }
        let mut dice = SeededRng::new(3);
        let count = (0..100_000).filter(|_| dice.happens(Chance::millionths(20_000))).count();
        assert!((1_850..2_150).contains(&count), "{count}");
        assert!((0..1000).all(|_| (3..=5).contains(&dice.between(3, 5))));
    }

    /// Checks that scripts are the same everywhere, since recorded worlds are compared across machines.
    #[test]
    fn golden() {
        let sum = |script: &Script| {
            let mut text = Vec::new();
            crate::formats::script::write_script_to(&mut text, script).unwrap();
            (script.changes.len(), fleetfoot::database::checksum(&text))
        };
        let chance = Chance::millionths(10_000);
        let rooms = crate::generate::rooms::Rooms {
            width: 100,
            height: 100,
            size: 10,
            door_percent: 100,
            centred: true,
            connected: true,
        };
        let made = rooms.generate(1).unwrap();
        let cave = crate::generate::cave::generate(96, 96, 2).unwrap().map;
        let doors = doors::Doors { ticks: 1_000, open: chance, close: chance, goal: None };
        let bridges = bridges::Bridges {
            ticks: 1_000,
            count: 4,
            longest: 12,
            saves: 30,
            fall: chance,
            ruin: 50,
            over: b"@OTW".to_vec(),
        };
        let patches = terrain::Patches { ticks: 1_000, begin: chance, radius: 5, heavier: 6, lasts: 300 };
        let maze = crate::generate::maze::generate(61, 61, 1, 4).unwrap().map;
        let (from, to) = ((1, 1), (59, 59));
        let shortcuts = shortcuts::Shortcuts { from, to, at: 5, count: 1, longest: 20, far: 5, share: 90 };
        let plain = crate::world::Terrain::default();
        let sums = [
            sum(&doors.script(&made.map, &made.doors, 1).unwrap()),
            sum(&bridges.script(&cave, 1).unwrap().script),
            sum(&patches.script(&cave, &plain, 1).unwrap()),
            sum(&shortcuts.script(&maze, 1).unwrap().script),
        ];
        let expected = [
            (1_156, 15_914_112_024_997_465_235),
            (565, 2_652_840_899_492_227_956),
            (1_456, 14_985_513_773_215_553_877),
            (1, 5_212_448_713_526_677_161),
        ];
        assert_eq!(sums, expected);
    }
}
