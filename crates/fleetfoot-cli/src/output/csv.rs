//! One line per run under a line of names; the columns are those of the JSON rows.

use std::io::{self, Write};

use super::Report;
use crate::row::{Field, kinds};

pub(super) fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut lines = csv::Writer::from_writer(out);
    for (index, row) in report.rows.iter().enumerate() {
        let fields = row.fields(report.batch);
        if index == 0 {
            lines.write_record(fields.iter().map(|(name, _)| name)).map_err(cause)?;
        }
        lines.write_record(fields.iter().map(|(_, field)| text(field))).map_err(cause)?;
    }
    lines.flush()
}

/// The writer's own error, whose kind matters: a closed pipe is no fault.
fn cause(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(cause) => cause,
        other => io::Error::other(format!("{other:?}")),
    }
}

/// A value without structure: nothing is empty, a cell is `x,y` as on the command line, work is
/// `expand=12;learn=3` without the kinds that did not happen.
fn text(field: &Field) -> String {
    match field {
        Field::Nothing => String::new(),
        Field::Whole(n) => n.to_string(),
        Field::Number(x) => x.to_string(),
        Field::Truth(holds) => holds.to_string(),
        Field::Text(text) => text.clone(),
        Field::Cell((x, y)) => format!("{x},{y}"),
        Field::Work(work) => {
            let done = kinds(work).filter(|(_, n)| *n > 0).map(|(kind, n)| format!("{kind}={n}"));
            done.collect::<Vec<_>>().join(";")
        }
    }
}
