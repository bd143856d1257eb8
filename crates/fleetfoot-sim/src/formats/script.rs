//! Scripts: recorded changes of a world, and rules for its reactions to the agent, so that a run in a changing world
//! can be repeated.
//!
//! ```text
//! fleetfoot-script 2
//! size WIDTH HEIGHT
//! # comments and blank lines are skipped
//! rule shut-near X Y radius R ticks T
//! TICK close X Y
//! TICK open X Y
//! TICK weight X Y W
//! ```
//!
//! Columns and rows count from 0. Ticks never decrease from line to line, and are at most 10,000,000. `close` makes a
//! cell impassable, `open` makes it passable, `weight` sets its weight to W (1 to 255). Words are
//! separated by spaces or tabs. The lines of a tick take effect before the agent looks around in that tick. A run
//! begins with tick 0.
//!
//! Rules come before the first change, and are optional: version 1 of the format is the same without them, is still
//! read, and is written if there are no rules. A cell with a rule changes by that rule alone.
//!
//! `shut-near` is a door that closes when the agent comes within R cells of it (octile distance, diagonals √2,
//! whatever is between; R from 1 to 1000). It opens again when at least T ticks have passed and the agent is no
//! longer that near. Like any other door it never closes on the agent. Two of them on the only two paths make a world
//! in which the goal is reachable at all times, but no agent arrives.

mod summary;
mod text;

use std::collections::HashSet;

pub(crate) use summary::Effect;
pub use summary::{Summary, Trend};
pub use text::{parse_script, read_script, write_script, write_script_noted, write_script_to};

use crate::error::InputError;
use crate::generate::scripts::MAX_TICKS;
use crate::map::GridMap;
use crate::sensor::MAX_RADIUS;

/// Maximum number of ticks for which a rule keeps a door closed.
pub const MAX_RULE_TICKS: u64 = 1_000_000_000;

/// A recorded sequence of changes to a map of a certain size, and rules for its cells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    /// Width of the map.
    pub width: u32,
    /// Height of the map.
    pub height: u32,
    /// Reactions to the agent; at most one rule per cell.
    pub rules: Vec<Rule>,
    /// The changes in order; ticks never decrease.
    pub changes: Vec<Change>,
}

/// One change of one cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// Its tick.
    pub tick: u64,
    /// Column of the cell.
    pub x: u32,
    /// Row of the cell.
    pub y: u32,
    /// What happens to the cell.
    pub what: ChangeKind,
}

/// The effect of a change on its cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// It becomes impassable.
    Close,
    /// It becomes passable.
    Open,
    /// Its weight becomes this; at least 1.
    Weight(u8),
}

/// The reaction of one cell to the agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Column of the cell.
    pub x: u32,
    /// Row of the cell.
    pub y: u32,
    /// The reaction.
    pub what: Reaction,
}

/// A reaction to the agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reaction {
    /// Closes when the agent comes near, and opens again when it is gone.
    ShutNear {
        /// Distance at which it closes, in cells by octile distance.
        radius: u32,
        /// Minimum number of ticks that it stays closed.
        ticks: u64,
    },
}

impl Script {
    /// Creates a script without changes for maps of this size.
    pub fn empty(width: u32, height: u32) -> Self {
        Self { width, height, rules: Vec::new(), changes: Vec::new() }
    }

    /// Checks that the script is valid: cells inside, ticks in order, weights of at least 1, and no cell with two
    /// rules, or with a rule and changes.
    ///
    /// # Errors
    /// If it is not; the error names the change or rule.
    pub fn validate(&self) -> Result<(), InputError> {
        size(self.width, self.height)?;
        let named = |kind: &str, index: usize, error: &InputError| {
            InputError::new(format!("{kind} {}: {}", index + 1, error.what()), error.remedy())
        };
        let mut ruled = HashSet::new();
        for (index, rule) in self.rules.iter().enumerate() {
            self.check_rule(rule, &mut ruled).map_err(|error| named("rule", index, &error))?;
        }
        let mut last = 0;
        for (index, change) in self.changes.iter().enumerate() {
            self.check_change(change, last, &ruled).map_err(|error| named("change", index, &error))?;
            last = change.tick;
        }
        Ok(())
    }

    /// Checks that the script was made for a map of this size.
    ///
    /// # Errors
    /// If the sizes differ.
    pub fn check(&self, map: &GridMap) -> Result<(), InputError> {
        self.check_size(map.width(), map.height())
    }

    pub(crate) fn check_size(&self, width: u32, height: u32) -> Result<(), InputError> {
        if (self.width, self.height) == (width, height) {
            return Ok(());
        }
        let size = format!("{}x{}", self.width, self.height);
        let what = format!("the script is for a {size} map, this one has {width}x{height}");
        Err(InputError::new(what, "give the script that belongs to the map"))
    }

    fn check_cell(&self, x: u32, y: u32) -> Result<(), InputError> {
        if x < self.width && y < self.height {
            return Ok(());
        }
        let what = format!("the cell ({x}, {y}) is outside the {}x{} map", self.width, self.height);
        Err(InputError::new(what, "columns and rows count from 0; correct the cell or `size`"))
    }

    fn check_change(&self, change: &Change, last: u64, ruled: &Cells) -> Result<(), InputError> {
        let Change { tick, x, y, what } = *change;
        self.check_cell(x, y)?;
        if tick < last {
            let what = format!("tick {tick} comes after tick {last}");
            return Err(InputError::new(what, "sort the changes by tick"));
        }
        if tick > MAX_TICKS {
            let what = format!("tick {tick} is too late: an agent might have to wait for it");
            return Err(InputError::new(what, format!("use ticks up to {MAX_TICKS}")));
        }
        if what == ChangeKind::Weight(0) {
            return Err(InputError::new(
                "the weight is 0",
                "use a weight from 1 to 255, or `close` the cell",
            ));
        }
        if ruled.contains(&(x, y)) {
            let what = format!("the cell ({x}, {y}) has a rule, so it changes by that alone");
            return Err(InputError::new(what, "take out the rule, or the changes of its cell"));
        }
        Ok(())
    }

    /// Checks a rule, and adds its cell to those that have one.
    fn check_rule(&self, rule: &Rule, ruled: &mut Cells) -> Result<(), InputError> {
        let Rule { x, y, what: Reaction::ShutNear { radius, ticks } } = *rule;
        self.check_cell(x, y)?;
        if !(1..=MAX_RADIUS).contains(&radius) {
            let what = format!("a door cannot shut at a radius of {radius}");
            return Err(InputError::new(what, format!("use a radius from 1 to {MAX_RADIUS}")));
        }
        if !(1..=MAX_RULE_TICKS).contains(&ticks) {
            let what = format!("a door cannot stay shut for {ticks} ticks");
            return Err(InputError::new(what, format!("use ticks from 1 to {MAX_RULE_TICKS}")));
        }
        if !ruled.insert((x, y)) {
            let what = format!("the cell ({x}, {y}) has two rules");
            return Err(InputError::new(what, "keep one of them"));
        }
        Ok(())
    }
}

/// Columns and rows.
type Cells = HashSet<(u32, u32)>;

fn size(width: u32, height: u32) -> Result<(), InputError> {
    crate::map::cell_count(width, height).map(drop)
}

#[cfg(test)]
mod tests;
