//! What a script does, in numbers.

use std::collections::HashMap;

use super::{Change, ChangeKind, Script};

/// Which way costs go while a world changes; a way that opens falls from infinity, one that closes rises to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Trend {
    /// Some cost rises.
    pub rise: bool,
    /// Some cost falls.
    pub fall: bool,
}

/// What one change makes of its cell. Weight 0 is blocked.
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
        // As costs go: what is blocked is dearer than any weight.
        let cost = |weight: u8| if weight == 0 { u16::MAX } else { u16::from(weight) };
        self.rise |= cost(after) > cost(before);
        self.fall |= cost(after) < cost(before);
    }
}

/// What a script does, in numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The ticks of the first and of the last change.
    pub ticks: Option<(u64, u64)>,
    /// Lines that say `open`.
    pub openings: u64,
    /// Lines that say `close`.
    pub closings: u64,
    /// Lines that say `weight`.
    pub weights: u64,
    /// Cells that these lines name.
    pub cells: u64,
    /// The tick with most changes, the first of several, and how many it has.
    pub busiest: Option<(u64, u64)>,
    /// Doors that answer to the agent.
    pub rules: u64,
    /// Changes that make a way dearer, or close it.
    pub rises: u64,
    /// Changes that make a way cheaper, or open it.
    pub falls: u64,
}

impl Summary {
    /// Which way costs go; a door that answers to the agent makes them go both ways.
    pub fn trend(&self) -> Trend {
        Trend { rise: self.rises + self.rules > 0, fall: self.falls + self.rules > 0 }
    }
}

impl Script {
    /// The script in numbers, on a map whose cells weigh so much at first (0 is blocked).
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

    /// The same for a map that is not at hand: a cell is taken to be free and to weigh 1, unless the first that is said
    /// of it is that it opens.
    pub fn summary_without_map(&self) -> Summary {
        let mut first = HashMap::new();
        for &Change { x, y, what, .. } in &self.changes {
            first.entry((x, y)).or_insert(u8::from(what != ChangeKind::Open));
        }
        self.summary(|x, y| first.get(&(x, y)).copied().unwrap_or(1))
    }

    /// What each change makes of its cell, in order. A cell that opens has the weight it had, or was given, while it was
    /// closed; one that was never free weighs 1.
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
