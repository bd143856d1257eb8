//! Rows as Parquet: the columns of `rows.csv`, each with the type of its values.

use std::fmt::Write;
use std::sync::Arc;

use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use serde_json::{Map, Value};

use super::rows::{fields, text};
use crate::run::Row;

/// Returns the bytes of a file with these rows.
pub(super) fn encode(rows: &[Row]) -> Vec<u8> {
    // Cells are text, as in CSV.
    let flat = |(name, value): (String, Value)| match value {
        Value::Array(_) => (name, Value::String(text(&value))),
        _ => (name, value),
    };
    let rows: Vec<Map<String, Value>> =
        rows.iter().map(|row| fields(row).into_iter().map(flat).collect()).collect();
    try_encode(&rows).expect("rows are plain data, and memory is enough")
}

fn try_encode(rows: &[Map<String, Value>]) -> Result<Vec<u8>, ParquetError> {
    let names: Vec<&String> = rows.first().map(|row| row.keys().collect()).unwrap_or_default();
    let mut schema = "message row {\n".to_owned();
    for name in &names {
        let _ = writeln!(schema, "  optional {} {name}{};", kind(rows, name).0, kind(rows, name).1);
    }
    schema.push('}');
    let schema = Arc::new(parse_message_type(&schema)?);
    let mut writer =
        SerializedFileWriter::new(Vec::new(), schema, Arc::new(WriterProperties::builder().build()))?;
    let mut group = writer.next_row_group()?;
    for name in names {
        let Some(mut column) = group.next_column()? else { break };
        let values = rows.iter().map(|row| &row[name]);
        let levels: Vec<i16> = values.clone().map(|value| i16::from(!value.is_null())).collect();
        let there = values.filter(|value| !value.is_null());
        match column.untyped() {
            ColumnWriter::Int64ColumnWriter(to) => {
                #[expect(clippy::cast_possible_wrap, reason = "counts stay far below")]
                let values: Vec<i64> = there.filter_map(Value::as_u64).map(|n| n as i64).collect();
                to.write_batch(&values, Some(&levels), None)?;
            }
            ColumnWriter::DoubleColumnWriter(to) => {
                let values: Vec<f64> = there.filter_map(Value::as_f64).collect();
                to.write_batch(&values, Some(&levels), None)?;
            }
            ColumnWriter::BoolColumnWriter(to) => {
                let values: Vec<bool> = there.filter_map(Value::as_bool).collect();
                to.write_batch(&values, Some(&levels), None)?;
            }
            ColumnWriter::ByteArrayColumnWriter(to) => {
                let values: Vec<ByteArray> = there.filter_map(Value::as_str).map(ByteArray::from).collect();
                to.write_batch(&values, Some(&levels), None)?;
            }
            _ => {}
        }
        column.close()?;
    }
    group.close()?;
    writer.into_inner()
}

/// Returns the type of a column from all of its values. One fraction makes it a column of fractions.
fn kind(rows: &[Map<String, Value>], name: &str) -> (&'static str, &'static str) {
    let values = || rows.iter().map(|row| &row[name]).filter(|value| !value.is_null());
    match values().next() {
        Some(Value::String(_)) => ("binary", " (utf8)"),
        Some(Value::Bool(_)) => ("boolean", ""),
        Some(Value::Number(_)) if values().all(Value::is_u64) => ("int64", ""),
        _ => ("double", ""),
    }
}
