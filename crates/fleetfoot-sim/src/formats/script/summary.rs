//! Statistics of a script.

use std::collections::HashMap;

use super::{Change, ChangeKind, Script};

/// The directions in which costs change. A cell that opens falls from infinity; one that closes rises to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Trend {
    /// Some cost rises.
    pub rise: bool,
    /// Some cost falls.
    pub fall: bool,
}

/// The effect of one change on its cell. Weight 0 is blocked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Effect {
    pub(crate) tick: u64,
    pub(crate) x: u32,
    pub(crate) y: u32,
    pub(crate) before: u8,
    pub(crate) after: u8,
}

impl Trend {
    pub(crate) fn add(&mut self, before: u8, after: u8) {
        // A blocked cell costs more than any weight.
        let cost = |weight: u8| if weight == 0 { u16::MAX } else { u16::from(weight) };
        self.rise |= cost(after) > cost(before);
        self.fall |= cost(after) < cost(before);
    }
}

/// Statistics of a script.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Ticks of the first and of the last change.
    pub ticks: Option<(u64, u64)>,
    /// Number of `open` lines.
    pub openings: u64,
    /// Number of `close` lines.
    pub closings: u64,
    /// Number of `weight` lines.
    pub weights: u64,
    /// Number of different cells in these lines.
    pub cells: u64,
    /// The tick with the most changes, the first of several, and their number.
    pub busiest: Option<(u64, u64)>,
    /// Number of doors that react to the agent.
    pub rules: u64,
    /// Changes that increase a cost, or close a cell.
    pub rises: u64,
    /// Changes that decrease a cost, or open a cell.
    pub falls: u64,
}

impl Summary {
    /// Returns the directions in which costs change. Doors that react to the agent make them change both ways.
    pub fn trend(&self) -> Trend {
        Trend { rise: self.rises + self.rules > 0, fall: self.falls + self.rules > 0 }
    }
}

impl Script {
    /// Summarizes the script on a map with these initial weights (0 is blocked).
    pub fn summary(&self, initial: impl FnMut(u32, u32) -> u8) -> Summary {
        let mut summary = Summary { rules: self.rules.len() as u64, ..Summary::default() };
        for change in &self.changes {
            match change.what {
                ChangeKind::Open => summary.openings += 1,
                ChangeKind::Close => summary.closings += 1,
                ChangeKind::Weight(_) => summary.weights += 1,
            }
        }
        let mut cells = HashMap::new();
        self.for_each_effect(&mut cells, initial, |effect| {
            let mut trend = Trend::default();
            trend.add(effect.before, effect.after);
            summary.rises += u64::from(trend.rise);
            summary.falls += u64::from(trend.fall);
        });
        summary.cells = cells.len() as u64;
        let same_tick = self.changes.chunk_by(|a, b| a.tick == b.tick);
        for (tick, count) in same_tick.map(|changes| (changes[0].tick, changes.len() as u64)) {
            if summary.busiest.is_none_or(|(_, most)| count > most) {
                summary.busiest = Some((tick, count));
            }
        }
        summary.ticks = self.changes.first().zip(self.changes.last()).map(|(a, b)| (a.tick, b.tick));
        summary
    }

    /// Summarizes the script without a map: a cell is assumed to be free with weight 1, unless its first line opens
    /// it.
    pub fn summary_without_map(&self) -> Summary {
        let mut first = HashMap::new();
        for &Change { x, y, what, .. } in &self.changes {
            first.entry((x, y)).or_insert(u8::from(what != ChangeKind::Open));
        }
        self.summary(|x, y| first.get(&(x, y)).copied().unwrap_or(1))
    }

    /// Returns the effect of each change, in order. A cell that opens has the weight that it had, or was given, while
    /// it was closed; a cell that was never free has weight 1.
    pub(crate) fn effects(&self, initial: impl FnMut(u32, u32) -> u8) -> Vec<Effect> {
        let mut effects = Vec::with_capacity(self.changes.len());
        self.for_each_effect(&mut HashMap::new(), initial, |effect| effects.push(effect));
        effects
    }

    fn for_each_effect(
        &self,
        cells: &mut HashMap<(u32, u32), (u8, bool)>,
        mut initial: impl FnMut(u32, u32) -> u8,
        mut each: impl FnMut(Effect),
    ) {
        for &Change { tick, x, y, what } in &self.changes {
            let (weight, is_open) = cells.entry((x, y)).or_insert_with(|| {
                let weight = initial(x, y);
                (weight.max(1), weight > 0)
            });
            let now = |weight: u8, is_open: bool| if is_open { weight } else { 0 };
            let before = now(*weight, *is_open);
            match what {
                ChangeKind::Close => *is_open = false,
                ChangeKind::Open => *is_open = true,
                ChangeKind::Weight(new) => *weight = new,
            }
            each(Effect { tick, x, y, before, after: now(*weight, *is_open) });
        }
    }
}
