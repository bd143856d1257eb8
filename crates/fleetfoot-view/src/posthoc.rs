//! A search trace, format 1.4.0, for the Posthoc visualiser: one event per line of a JSON object.
//!
//! `version`, `views` and `pivot` say how to draw; `events` are what happened, with `id` and `pId` for the search
//! tree. Beyond the usual types (`source`, `destination`, `generating`, `updating`, `expanding`, `closing`, `end`) there
//! are `leaving` (taken off the open list), `move`, `wait`, `learning`, `leading`, `seeing` and `changing`. `move` and `wait`
//! end a tick and have its number. Costs are lengths. Events of a near-sighted search beside another have `near`.
//!
//! An event is no longer than it must be: its place follows from its `id`, which counts cells row by row, and h from g and f.
//! The walls are not events: the app shows the map itself, from a file of its own ([`base`]), below the trace.

use std::collections::HashMap;

use fleetfoot_sim::error::InputError;
use serde_json::{Value, json};

use crate::events::{Answer, Frame, Happening, Visit};
use crate::record::Record;

/// The trace of one life of a record, counted from 0.
///
/// # Errors
/// If there is no such life, or the record is damaged.
pub fn trace(record: &Record, life: usize) -> Result<Vec<u8>, InputError> {
    let lives = record.lives.len();
    if life >= lives {
        let what = format!("the record has no planner {}", life + 1);
        return Err(InputError::new(what, format!("choose a --life from 1 to {lives}")));
    }
    let mut out = Vec::new();
    let (x, y) = place(record.meta.width);
    let pivot =
        json!({ "x": format!("${{{{ {x} + 0.5 }}}}"), "y": format!("${{{{ {y} + 0.5 }}}}"), "scale": 1 });
    let head = json!({ "version": "1.4.0", "views": views(record.meta.width), "pivot": pivot });
    // The head without its closing brace, then the events one by one: a trace can be long.
    let text = head.to_string();
    out.extend_from_slice(&text.as_bytes()[..text.len() - 1]);
    out.extend_from_slice(b",\"events\":[\n");
    let mut writer =
        Writer { record, out, generated: HashMap::new(), searches: [0; 2], is_near: false, is_first: true };
    writer.life(life)?;
    let mut out = writer.out;
    out.extend_from_slice(b"\n]}\n");
    Ok(out)
}

/// The map below the trace, as the app reads it: a file of this kind ends in `.grid`.
pub fn base(record: &Record) -> Vec<u8> {
    let (width, height) = (record.meta.width, record.meta.height);
    let mut out = format!("type octile\nheight {height}\nwidth {width}\nmap\n").into_bytes();
    for row in record.letters.chunks(width as usize) {
        out.extend_from_slice(row);
        out.push(b'\n');
    }
    out
}

/// A square per event, in the app's colour of its type or one of ours; what a search has opened or expanded vanishes
/// when another cell event of the same id says so.
fn views(width: u32) -> Value {
    let (x, y) = place(width);
    let square = |fill: &str, condition: &str| {
        json!({
            "$": "rect", "$if": condition, "fill": fill,
            "x": format!("${{{{ {x} }}}}"), "y": format!("${{{{ {y} }}}}"), "width": 1, "height": 1,
        })
    };
    json!({ "main": [
        square("#3a3a3e", "${{ $.type === 'changing' && $.weight === 0 }}"),
        square("#f7f4ec", "${{ $.type === 'leaving' || ($.type === 'changing' && $.weight > 0) }}"),
        square("${{ color[$.type] }}",
            "${{ ['source', 'destination', 'generating', 'updating', 'expanding', 'closing', 'end'].includes($.type) }}"),
        square("#aa3278", "${{ $.type === 'learning' }}"),
        square("#d55e00", "${{ $.type === 'move' }}"),
    ] })
}

/// Column and row of an event, as the app's formulas.
fn place(width: u32) -> (String, String) {
    (format!("$.id % {width}"), format!("($.id - $.id % {width}) / {width}"))
}

struct Writer<'r> {
    record: &'r Record,
    out: Vec<u8>,
    /// By search and cell: the search in which it was last put on the open list, and still is on it.
    generated: HashMap<(bool, u32), u64>,
    searches: [u64; 2],
    is_near: bool,
    is_first: bool,
}

impl Writer<'_> {
    fn life(&mut self, life: usize) -> Result<(), InputError> {
        let meta = &self.record.meta;
        let cell = |(x, y): (u32, u32)| y * meta.width + x;
        let (start, goal) = (cell(meta.lives[life].at), cell(meta.goal));
        self.event("source", start, &json!({}));
        self.event("destination", goal, &json!({}));
        let mut player = self.record.play(life);
        let mut last = meta.lives[life].first;
        while let Some(frame) = player.advance()? {
            last = frame.tick;
            self.tick(&frame);
        }
        let end = if player.at() == goal { "end" } else { "wait" };
        self.event(end, player.at(), &json!({ "tick": last }));
        Ok(())
    }

    fn tick(&mut self, frame: &Frame) {
        let tick = frame.tick;
        for &(cell, weight) in &frame.edits {
            self.event("changing", cell, &json!({ "weight": weight }));
        }
        for &(cell, weight) in &frame.sights {
            self.event("seeing", cell, &json!({ "weight": weight }));
        }
        let mut closing: Option<Visit> = None;
        for event in &frame.events {
            if !matches!(event, Happening::Open(_)) {
                self.close(closing.take());
            }
            match event {
                Happening::Search { .. } | Happening::Skipped => {
                    self.searches[usize::from(self.is_near)] += 1;
                }
                Happening::Turn { is_near } => self.is_near = *is_near,
                Happening::Leave { cell } => {
                    self.generated.remove(&(self.is_near, *cell));
                    self.event("leaving", *cell, &json!({}));
                }
                Happening::Expand(visit) => {
                    self.visit("expanding", visit);
                    closing = Some(*visit);
                }
                Happening::Open(visit) => {
                    let search = self.searches[usize::from(self.is_near)];
                    let again = self.generated.insert((self.is_near, visit.cell), search) == Some(search);
                    self.visit(if again { "updating" } else { "generating" }, visit);
                }
                Happening::Learn { cell, new } => {
                    self.event("learning", *cell, &json!({ "h": self.length(*new) }));
                }
                Happening::Trace { cell } => self.event("tracing", *cell, &json!({})),
                Happening::Lead { cell, record } => {
                    self.event("leading", *cell, &json!({ "record": record }));
                }
                Happening::Follow => {}
            }
        }
        self.close(closing);
        match frame.answer {
            Answer::Go(to) => self.event("move", to, &json!({ "pId": frame.at, "tick": tick })),
            Answer::Wait | Answer::NoPath => self.event("wait", frame.at, &json!({ "tick": tick })),
        }
    }

    fn close(&mut self, visit: Option<Visit>) {
        if let Some(visit) = visit {
            self.event("closing", visit.cell, &json!({}));
        }
    }

    fn visit(&mut self, name: &str, visit: &Visit) {
        let mut more = json!({ "g": self.length(visit.g), "f": self.length(visit.f) });
        if let Some(parent) = visit.parent {
            more["pId"] = parent.into();
        }
        if self.is_near {
            more["near"] = true.into();
        }
        self.event(name, visit.cell, &more);
    }

    /// To a hundredth; whole ones without a point.
    fn length(&self, cost: u32) -> Value {
        let unit = u64::from(self.record.meta.costs.unit);
        let hundredths = (100 * u64::from(cost) + unit / 2) / unit;
        if hundredths.is_multiple_of(100) {
            json!(hundredths / 100)
        } else {
            json!(hundredths as f64 / 100.0)
        }
    }

    fn event(&mut self, name: &str, cell: u32, more: &Value) {
        if !std::mem::take(&mut self.is_first) {
            self.out.extend_from_slice(b",\n");
        }
        let mut event = json!({ "type": name, "id": cell });
        if let (Some(event), Some(more)) = (event.as_object_mut(), more.as_object()) {
            event.extend(more.iter().map(|(key, value)| (key.clone(), value.clone())));
        }
        serde_json::to_writer(&mut self.out, &event).expect("a vector takes everything");
    }
}
