//! Reports as JSON.

use serde_json::{Value, json};

use super::{Figure, Finding, HOW_JUDGED, Heat, Measured, Report, Section, Table};
use crate::plot::{HeatCell, Point, Series};

pub(super) fn write(report: &Report) -> String {
    let Report { title, conditions, source, setup, findings, tables, heats, figures, sections } = report;
    let value = json!({
        "title": title,
        "conditions": conditions,
        "source": source,
        "notes": setup,
        "how_judged": (!findings.is_empty()).then_some(HOW_JUDGED),
        "claims": findings.iter().map(claim).collect::<Vec<_>>(),
        "tables": tables.iter().map(table).collect::<Vec<_>>(),
        "heats": heats.iter().map(heat).collect::<Vec<_>>(),
        "figures": figures.iter().map(figure).collect::<Vec<_>>(),
        "sections": sections.iter().map(section).collect::<Vec<_>>(),
    });
    let mut text = serde_json::to_string_pretty(&value).expect("plain data");
    text.push('\n');
    text
}

fn claim(finding: &Finding) -> Value {
    let Finding { id, says, rule, measured, verdict, why } = finding;
    let measured: Vec<Value> = measured.iter().map(number).collect();
    json!({ "id": id, "says": says, "verdict": verdict.to_string(), "rule": rule, "measured": measured, "why": why })
}

fn number(Measured { what, value, interval }: &Measured) -> Value {
    let interval = interval.map(|i| json!({ "low": i.low, "high": i.high, "n": i.n }));
    json!({ "what": what, "value": value, "interval": interval })
}

fn table(Table { title, columns, lines, note }: &Table) -> Value {
    json!({ "title": title, "columns": columns, "lines": lines, "note": note })
}

fn figure(Figure { name, caption, plot }: &Figure) -> Value {
    json!({
        "name": name,
        "title": plot.title,
        "caption": caption,
        "x": plot.x.label,
        "y": plot.y.label,
        "series": plot.series.iter().map(series).collect::<Vec<_>>(),
    })
}

fn heat(Heat { name, caption, map }: &Heat) -> Value {
    let columns = map.groups.iter().flat_map(|(group, names)| names.iter().map(move |name| [group, name]));
    let cell =
        |cell: &Option<HeatCell>| cell.as_ref().map(|cell| json!({ "value": cell.value, "note": cell.note }));
    let row = |(name, cells): &(String, Vec<Option<HeatCell>>)| json!({ "name": name, "cells": cells.iter().map(cell).collect::<Vec<_>>() });
    json!({
        "name": name,
        "title": map.title,
        "caption": caption,
        "x": map.x,
        "columns": columns.collect::<Vec<_>>(),
        "rows": map.rows.iter().map(row).collect::<Vec<_>>(),
        "most": map.most,
    })
}

fn series(Series { name, points, labels, .. }: &Series) -> Value {
    let point = |(k, Point { x, y, bar }): (usize, &Point)| json!({ "x": x, "y": y, "low": bar.map(|bar| bar.0), "high": bar.map(|bar| bar.1), "label": labels.get(k) });
    json!({ "name": name, "points": points.iter().enumerate().map(point).collect::<Vec<_>>() })
}

fn section(Section { title, tables, figures }: &Section) -> Value {
    let (tables, figures): (Vec<Value>, Vec<Value>) =
        (tables.iter().map(table).collect(), figures.iter().map(figure).collect());
    json!({ "title": title, "tables": tables, "figures": figures })
}
