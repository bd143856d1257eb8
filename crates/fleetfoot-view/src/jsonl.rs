//! A record as JSON Lines, for scripts: one line for the record, then one line for each tick of each track.
//!
//! Cells are `[column, row]`. Costs are in the record's units (`costs.unit` is a length of 1). Empty keys are
//! omitted.

use fleetfoot_sim::error::InputError;
use serde_json::{Map, Value, json};

use crate::events::{Answer, Frame, RecordedEvent, Visit};
use crate::record::Record;

/// Returns all lines.
///
/// # Errors
/// If the record is damaged.
pub fn lines(record: &Record) -> Result<Vec<u8>, InputError> {
    let mut head = serde_json::to_value(&record.meta).expect("plain data");
    head["type"] = "record".into();
    let rows = record.letters.chunks(record.meta.width as usize).map(String::from_utf8_lossy);
    head["rows"] = rows.collect::<Vec<_>>().into();
    let mut out = Vec::new();
    line(&mut out, &head);
    for life in 0..record.lives.len() {
        let mut player = record.play(life);
        while let Some(frame) = player.advance()? {
            line(&mut out, &tick(life, &frame, record));
        }
    }
    Ok(out)
}

fn line(out: &mut Vec<u8>, value: &Value) {
    serde_json::to_writer(&mut *out, value).expect("a vector takes everything");
    out.push(b'\n');
}

fn tick(life: usize, frame: &Frame, record: &Record) -> Value {
    let xy = |cell: u32| json!([cell % record.meta.width, cell / record.meta.width]);
    let answer = match frame.answer {
        Answer::Go(to) => json!({ "go": xy(to) }),
        Answer::Wait => "wait".into(),
        Answer::NoPath => "no-path".into(),
    };
    let mut row = Map::new();
    row.insert("type".into(), "tick".into());
    row.insert("life".into(), life.into());
    row.insert("tick".into(), frame.tick.into());
    row.insert("at".into(), xy(frame.at));
    row.insert("answer".into(), answer);
    let work = record.meta.kinds.iter().zip(&frame.work).filter(|(_, n)| **n > 0);
    row.insert("work".into(), work.map(|(kind, n)| (kind.clone(), Value::from(*n))).collect());
    let cells = |cells: &[(u32, u8)]| -> Value {
        cells.iter().map(|(cell, weight)| json!({ "cell": xy(*cell), "weight": weight })).collect()
    };
    let events: Value = frame.events.iter().map(|event| happening(event, xy)).collect();
    let parts = [("changed", cells(&frame.edits)), ("seen", cells(&frame.sights)), ("events", events)];
    for (key, part) in parts {
        if part.as_array().is_some_and(|part| !part.is_empty()) {
            row.insert(key.into(), part);
        }
    }
    Value::Object(row)
}

fn happening(event: &RecordedEvent, xy: impl Fn(u32) -> Value) -> Value {
    let visit = |name: &str, visit: &Visit| {
        let parent = visit.parent.map(&xy);
        json!({ name: xy(visit.cell), "parent": parent, "g": visit.g, "f": visit.f })
    };
    match event {
        RecordedEvent::Search { root } => json!({ "search": xy(*root) }),
        RecordedEvent::Skipped => json!({ "search": null }),
        RecordedEvent::Expand(cell) => visit("expand", cell),
        RecordedEvent::Open(cell) => visit("open", cell),
        RecordedEvent::Learn { cell, new } => json!({ "learn": xy(*cell), "h": new }),
        RecordedEvent::Trace { cell } => json!({ "trace": xy(*cell) }),
        RecordedEvent::Follow => json!("follow"),
        RecordedEvent::Leave { cell } => json!({ "leave": xy(*cell) }),
        RecordedEvent::Lead { cell, record } => json!({ "lead": xy(*cell), "record": record }),
        RecordedEvent::Turn { is_near } => json!({ "turn": if *is_near { "near" } else { "far" } }),
    }
}
