//! Rows as CSV and as JSON Lines. The columns are the fields of [`Row`] in their order.

use std::io::{self, Write};

use serde_json::{Map, Value};

use crate::run::Row;

/// Writes one JSON object per row and line.
///
/// # Errors
/// If `out` cannot be written.
pub fn write_jsonl(rows: &[Row], out: &mut dyn Write) -> io::Result<()> {
    for row in rows {
        serde_json::to_writer(&mut *out, row)?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// Writes a line of names, and a line per row. Unknown values are empty; a cell is `x,y` as on the command line.
///
/// # Errors
/// If `out` cannot be written.
pub fn write_csv(rows: &[Row], out: &mut dyn Write) -> io::Result<()> {
    for (index, row) in rows.iter().enumerate() {
        let fields = fields(row);
        if index == 0 {
            line(fields.keys().cloned(), out)?;
        }
        line(fields.values().map(text), out)?;
    }
    Ok(())
}

/// Returns the columns of a row by name, in order.
pub(super) fn fields(row: &Row) -> Map<String, Value> {
    match serde_json::to_value(row) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    }
}

/// Formats a value as one word.
pub(super) fn text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().map(text).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

fn line(words: impl Iterator<Item = String>, out: &mut dyn Write) -> io::Result<()> {
    let quoted = |word: String| match word {
        word if word.contains(['"', ',', '\n', '\r']) => format!("\"{}\"", word.replace('"', "\"\"")),
        word => word,
    };
    writeln!(out, "{}", words.map(quoted).collect::<Vec<_>>().join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_with_commas_and_quotes_are_quoted() {
        let mut out = Vec::new();
        line(["a", "b,c", "say \"x\"", "", "two\nlines"].map(str::to_owned).into_iter(), &mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "a,\"b,c\",\"say \"\"x\"\"\",,\"two\nlines\"\n");
        assert_eq!(text(&serde_json::json!([3, 4])), "3,4");
    }
}
