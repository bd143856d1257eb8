//! Search traces, format 1.4.0, for the Posthoc visualizer, and its workspaces.
//!
//! `version`, `views` and `pivot` describe how to draw. `events` are what happened, with `id` and `pId` for the
//! search tree. Besides the usual types (`source`, `destination`, `generating`, `updating`, `expanding`, `end`) there
//! are `leaving` (removed from the open list), `tracing`, `move`, `wait`, `learning`, `leading`, `seeing` and
//! `changing`. `move` and `wait` end a tick and have its number. Costs are lengths. Events of a local search next to
//! a global one have `near`.
//!
//! A trace is small, since it contains nothing twice:
//! - The walls are not events: the app shows the map from a file of its own ([`base`]), below the trace.
//! - It is YAML, which the app accepts for every trace: names need no quotes, and a type is written once and then
//!   referred to (`&g generating`, `*g`). Each event is a line.
//! - The position of an event follows from its `id`, which counts cells row by row, and h from g and f.
//! - An expansion repeats g and f only if they differ from those that its cell was opened with.
//! - Expanded cells are closed. There are no `closing` events: the views show them so from the next event on.
//!
//! A [`workspace`] contains map and trace. The app's own compression makes it a fifth of their size.

mod events;
mod lz;

use fleetfoot_sim::error::InputError;
use serde_json::{Value, json};

use crate::record::Record;

/// Returns the trace of one track of a record, counted from 0.
///
/// # Errors
/// If there is no such track, or the record is damaged.
pub fn trace(record: &Record, life: usize) -> Result<Vec<u8>, InputError> {
    let lives = record.lives.len();
    if life >= lives {
        let what = format!("the record has no planner {}", life + 1);
        return Err(InputError::new(what, format!("choose a --life from 1 to {lives}")));
    }
    let (x, y) = place(record.meta.width);
    let pivot =
        json!({ "x": format!("${{{{ {x} + 0.5 }}}}"), "y": format!("${{{{ {y} + 0.5 }}}}"), "scale": 1 });
    let head = json!({ "version": "1.4.0", "views": views(record.meta.width), "pivot": pivot });
    // The head without its closing brace, then the events: a trace can be long.
    let mut out = head.to_string().into_bytes();
    out.pop();
    out.extend_from_slice(b",\"events\":[\n");
    let mut out = events::write(record, life, out)?;
    out.extend_from_slice(b"]}\n");
    Ok(out)
}

/// Returns the map below the trace in the app's format, which has the ending `.grid`.
pub fn base(record: &Record) -> Vec<u8> {
    let (width, height) = (record.meta.width, record.meta.height);
    let mut out = format!("type octile\nheight {height}\nwidth {width}\nmap\n").into_bytes();
    for row in record.letters.chunks(width as usize) {
        out.extend_from_slice(row);
        out.push(b'\n');
    }
    out
}

/// Returns map and trace in one file for the app, which has the ending `.workspace`.
///
/// # Errors
/// As [`trace`].
pub fn workspace(record: &Record, life: usize) -> Result<Vec<u8>, InputError> {
    let trace = trace(record, life)?;
    let (name, own) = (&record.meta.lives[life].name, "internal/custom");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let title = record.meta.map.rsplit(['/', '\\']).next();
    let map = json!({ "id": own, "name": title, "format": "grid", "content": text(&base(record)) });
    let map = json!({ "key": "map", "source": { "type": "map", "map": map } });
    let (key, name) = (json!("trace"), json!(name));
    // The trace is YAML, so the file is. The text around it is written as JSON, which YAML includes.
    let trace = format!(
        r#"{{"key":{key},"source":{{"type":"trace","trace":{{"id":"{own}","type":"{own}","key":{key},"name":{name},"content":{}}}}}}}"#,
        text(&trace)
    );
    let all = format!(r#"{{"UIState":{{"workspaceMeta":{{}}}},"layers":{{"layers":[{trace},{map}]}}}}"#);
    Ok(lz::pack(&all))
}

/// Returns a square per event, in the color of its type. An expanded cell is closed afterwards, so its color is that
/// of closed cells; a second square covers it at the moment of its event.
fn views(width: u32) -> Value {
    let (x, y) = place(width);
    let square = |fill: &str, condition: &str| {
        json!({
            "$": "rect", "$if": format!("${{{{ {condition} }}}}"), "fill": fill,
            "x": format!("${{{{ {x} }}}}"), "y": format!("${{{{ {y} }}}}"), "width": 1, "height": 1,
        })
    };
    let mut now = square("${{ color.expanding }}", "$.type === 'expanding'");
    now["clear"] = true.into();
    json!({ "main": [
        square("#3a3a3e", "$.type === 'changing' && $.weight === 0"),
        square("#f7f4ec", "$.type === 'leaving' || ($.type === 'changing' && $.weight > 0)"),
        square("${{ color[$.type] }}", "['source', 'destination', 'generating', 'updating', 'end'].includes($.type)"),
        square("${{ color.closing }}", "$.type === 'expanding'"),
        now,
        square("#aa3278", "$.type === 'learning'"),
        square("#d55e00", "$.type === 'move'"),
    ] })
}

/// Returns column and row of an event, as formulas of the app.
fn place(width: u32) -> (String, String) {
    (format!("$.id % {width}"), format!("($.id - $.id % {width}) / {width}"))
}
