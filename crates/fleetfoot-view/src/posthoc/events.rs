//! The events of a trace, one per line.

use std::collections::HashMap;
use std::io::Write;

use fleetfoot_sim::error::InputError;

use crate::events::{Answer, Frame, RecordedEvent, Visit};
use crate::record::Record;

/// Appends the events of a track.
pub(super) fn write(record: &Record, life: usize, out: Vec<u8>) -> Result<Vec<u8>, InputError> {
    let mut writer = Writer {
        record,
        out,
        opened: HashMap::new(),
        searches: [0; 2],
        is_near: false,
        named: [false; TYPES.len()],
    };
    writer.life(life)?;
    Ok(writer.out)
}

/// The types of events, and the short names that refer to them.
const TYPES: [(&str, &str); 14] = [
    ("source", "a"),
    ("destination", "z"),
    ("generating", "g"),
    ("updating", "u"),
    ("expanding", "e"),
    ("leaving", "x"),
    ("learning", "h"),
    ("tracing", "t"),
    ("leading", "l"),
    ("seeing", "s"),
    ("changing", "c"),
    ("move", "m"),
    ("wait", "w"),
    ("end", "q"),
];

struct Writer<'r> {
    record: &'r Record,
    out: Vec<u8>,
    /// By search and cell: the search in which the cell was last opened, and its data.
    opened: HashMap<(bool, u32), (u64, Visit)>,
    searches: [u64; 2],
    is_near: bool,
    /// The types that have been written out.
    named: [bool; TYPES.len()],
}

impl Writer<'_> {
    fn life(&mut self, life: usize) -> Result<(), InputError> {
        let meta = &self.record.meta;
        let cell = |(x, y): (u32, u32)| y * meta.width + x;
        let (start, goal) = (cell(meta.lives[life].at), cell(meta.goal));
        self.event("source", start, "");
        self.event("destination", goal, "");
        let mut player = self.record.play(life);
        let mut last = meta.lives[life].first;
        while let Some(frame) = player.advance()? {
            last = frame.tick;
            self.tick(&frame);
        }
        let end = if player.at() == goal { "end" } else { "wait" };
        self.event(end, player.at(), &format!(",tick: {last}"));
        Ok(())
    }

    fn tick(&mut self, frame: &Frame) {
        for &(cell, weight) in &frame.edits {
            self.event("changing", cell, &format!(",weight: {weight}"));
        }
        for &(cell, weight) in &frame.sights {
            self.event("seeing", cell, &format!(",weight: {weight}"));
        }
        for event in &frame.events {
            self.happening(event);
        }
        let tick = frame.tick;
        match frame.answer {
            Answer::Go(to) => self.event("move", to, &format!(",pId: {},tick: {tick}", frame.at)),
            Answer::Wait | Answer::NoPath => self.event("wait", frame.at, &format!(",tick: {tick}")),
        }
    }

    fn happening(&mut self, event: &RecordedEvent) {
        let search = self.searches[usize::from(self.is_near)];
        match *event {
            RecordedEvent::Search { .. } | RecordedEvent::Skipped => {
                self.searches[usize::from(self.is_near)] += 1;
            }
            RecordedEvent::Turn { is_near } => self.is_near = is_near,
            RecordedEvent::Leave { cell } => {
                self.opened.remove(&(self.is_near, cell));
                self.event("leaving", cell, "");
            }
            RecordedEvent::Expand(visit) => {
                let is_known = self.opened.get(&(self.is_near, visit.cell)) == Some(&(search, visit));
                self.visit("expanding", visit, !is_known);
            }
            RecordedEvent::Open(visit) => {
                let before = self.opened.insert((self.is_near, visit.cell), (search, visit));
                let again = before.is_some_and(|(at, _)| at == search);
                self.visit(if again { "updating" } else { "generating" }, visit, true);
            }
            RecordedEvent::Learn { cell, new } => {
                let h = self.length(new);
                self.event("learning", cell, &format!(",h: {h}"));
            }
            RecordedEvent::Trace { cell } => self.event("tracing", cell, ""),
            RecordedEvent::Lead { cell, record } => {
                let record = record.map(|record| format!(",record: {record}"));
                self.event("leading", cell, &record.unwrap_or_default());
            }
            RecordedEvent::Follow => {}
        }
    }

    fn visit(&mut self, name: &str, visit: Visit, with_costs: bool) {
        let parent = visit.parent.map(|parent| format!(",pId: {parent}")).unwrap_or_default();
        let costs = if with_costs {
            format!(",g: {},f: {}", self.length(visit.g), self.length(visit.f))
        } else {
            String::new()
        };
        let near = if self.is_near { ",near: true" } else { "" };
        self.event(name, visit.cell, &format!("{parent}{costs}{near}"));
    }

    /// Formats a cost as a length with at most two decimals.
    fn length(&self, cost: u32) -> String {
        let unit = u64::from(self.record.meta.costs.unit);
        let hundredths = (100 * u64::from(cost) + unit / 2) / unit;
        (hundredths as f64 / 100.0).to_string()
    }

    fn event(&mut self, name: &str, cell: u32, more: &str) {
        let place = TYPES.iter().position(|(long, _)| *long == name).expect("a type of the list");
        let short = TYPES[place].1;
        let (mark, long) =
            if std::mem::replace(&mut self.named[place], true) { ("*", "") } else { ("&", name) };
        let gap = if long.is_empty() { "" } else { " " };
        writeln!(self.out, "{{type: {mark}{short}{gap}{long},id: {cell}{more}}},")
            .expect("a vector takes everything");
    }
}
