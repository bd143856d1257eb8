//! A search trace, format 1.4.0, for the Posthoc visualiser: one event per line of a JSON object.
//!
//! `version`, `views` and `pivot` say how to draw; `events` are what happened, with `id` and `pId` for the search
//! tree. Beyond the usual types (`source`, `destination`, `generating`, `updating`, `expanding`, `closing`, `end`) there
//! are `leaving` (taken off the open list), `move`, `wait`, `learning`, `seeing` and `changing`, and each event has its
//! `tick`. Costs are lengths. Events of a near-sighted search beside another have `near`.

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
    let pivot = json!({ "x": "${{ $.x + 0.5 }}", "y": "${{ $.y + 0.5 }}", "scale": 1 });
    let head = json!({ "version": "1.4.0", "views": views(), "pivot": pivot });
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

/// A square per event, in the app's colour of its type or one of ours; what a search has opened or expanded vanishes
/// when another cell event of the same id says so.
fn views() -> Value {
    let square = |fill: &str, condition: &str| {
        json!({
            "$": "rect", "$if": condition, "fill": fill,
            "x": "${{ $.x }}", "y": "${{ $.y }}", "width": 1, "height": 1,
        })
    };
    json!({ "main": [
        square("#3a3a3e", "${{ $.type === 'wall' || ($.type === 'changing' && $.weight === 0) }}"),
        square("#f7f4ec", "${{ $.type === 'leaving' || ($.type === 'changing' && $.weight > 0) }}"),
        square("${{ color[$.type] }}",
            "${{ ['source', 'destination', 'generating', 'updating', 'expanding', 'closing', 'end'].includes($.type) }}"),
        square("#aa3278", "${{ $.type === 'learning' }}"),
        square("#d55e00", "${{ $.type === 'move' }}"),
    ] })
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
        for (wall, _) in self.record.weights.iter().enumerate().filter(|(_, weight)| **weight == 0) {
            self.event("wall", wall as u32, 0, &json!({}));
        }
        self.event("source", start, 0, &json!({}));
        self.event("destination", goal, 0, &json!({}));
        let mut player = self.record.play(life);
        let mut last = meta.lives[life].first;
        while let Some(frame) = player.advance()? {
            last = frame.tick;
            self.tick(&frame);
        }
        let end = if player.at() == goal { "end" } else { "wait" };
        self.event(end, player.at(), last, &json!({}));
        Ok(())
    }

    fn tick(&mut self, frame: &Frame) {
        let tick = frame.tick;
        for &(cell, weight) in &frame.edits {
            self.event("changing", cell, tick, &json!({ "weight": weight }));
        }
        for &(cell, weight) in &frame.sights {
            self.event("seeing", cell, tick, &json!({ "weight": weight }));
        }
        let mut closing: Option<Visit> = None;
        for event in &frame.events {
            if !matches!(event, Happening::Open(_)) {
                self.close(closing.take(), tick);
            }
            match event {
                Happening::Search { .. } | Happening::Skipped => {
                    self.searches[usize::from(self.is_near)] += 1;
                }
                Happening::Turn { is_near } => self.is_near = *is_near,
                Happening::Leave { cell } => {
                    self.generated.remove(&(self.is_near, *cell));
                    self.event("leaving", *cell, tick, &json!({}));
                }
                Happening::Expand(visit) => {
                    self.visit("expanding", visit, tick);
                    closing = Some(*visit);
                }
                Happening::Open(visit) => {
                    let search = self.searches[usize::from(self.is_near)];
                    let again = self.generated.insert((self.is_near, visit.cell), search) == Some(search);
                    self.visit(if again { "updating" } else { "generating" }, visit, tick);
                }
                Happening::Learn { cell, new } => {
                    self.event("learning", *cell, tick, &json!({ "h": self.length(*new) }));
                }
                Happening::Trace { cell } => self.event("tracing", *cell, tick, &json!({})),
                Happening::Follow | Happening::Lead { .. } => {}
            }
        }
        self.close(closing, tick);
        match frame.answer {
            Answer::Go(to) => self.event("move", to, tick, &json!({ "pId": frame.at })),
            Answer::Wait | Answer::NoPath => self.event("wait", frame.at, tick, &json!({})),
        }
    }

    fn close(&mut self, visit: Option<Visit>, tick: u64) {
        if let Some(visit) = visit {
            self.visit("closing", &visit, tick);
        }
    }

    fn visit(&mut self, name: &str, visit: &Visit, tick: u64) {
        let (g, f) = (self.length(visit.g), self.length(visit.f));
        let mut more = json!({ "pId": visit.parent, "g": g, "h": f - g, "f": f });
        if self.is_near {
            more["near"] = true.into();
        }
        self.event(name, visit.cell, tick, &more);
    }

    fn length(&self, cost: u32) -> f64 {
        f64::from(cost) / f64::from(self.record.meta.costs.unit)
    }

    fn event(&mut self, name: &str, cell: u32, tick: u64, more: &Value) {
        if !std::mem::take(&mut self.is_first) {
            self.out.extend_from_slice(b",\n");
        }
        let width = self.record.meta.width;
        let mut event =
            json!({ "type": name, "id": cell, "x": cell % width, "y": cell / width, "tick": tick });
        if let (Some(event), Some(more)) = (event.as_object_mut(), more.as_object()) {
            event.extend(more.iter().map(|(key, value)| (key.clone(), value.clone())));
        }
        serde_json::to_writer(&mut self.out, &event).expect("a vector takes everything");
    }
}
