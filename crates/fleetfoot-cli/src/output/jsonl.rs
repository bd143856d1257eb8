//! One JSON object per run and line.

use std::io::{self, Write};

use serde_json::{Map, Value, json};

use super::Report;
use crate::row::{Field, kinds};

pub(super) fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    for row in report.rows {
        let fields = row.fields(report.batch).into_iter();
        let object: Map<_, _> = fields.map(|(name, field)| (name.to_owned(), value(&field))).collect();
        writeln!(out, "{}", Value::Object(object))?;
    }
    Ok(())
}

fn value(field: &Field) -> Value {
    match field {
        Field::Nothing => Value::Null,
        Field::Whole(n) => json!(n),
        Field::Number(x) => json!(x),
        Field::Truth(holds) => json!(holds),
        Field::Text(text) => json!(text),
        Field::Cell((x, y)) => json!([x, y]),
        Field::Work(work) => kinds(work).map(|(kind, n)| (kind.to_owned(), json!(n))).collect(),
    }
}
