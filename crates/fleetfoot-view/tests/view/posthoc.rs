//! Tests traces and workspaces for Posthoc.

use std::collections::HashMap;

use fleetfoot_view::{Answer, Record, RecordFilter, RecordedEvent, posthoc};
use serde_json::{Map, Value};

use crate::stage::stages;

/// Parses a trace as the app does. The head is JSON. An event is a line of plain names and numbers; its type is named
/// once (`&g generating`) and then referred to (`*g`).
fn read(trace: &[u8]) -> (Value, Vec<Map<String, Value>>) {
    let text = std::str::from_utf8(trace).unwrap();
    let (head, rest) = text.split_once('\n').unwrap();
    let head = serde_json::from_str(&format!("{head}]}}")).unwrap();
    let mut types: HashMap<String, String> = HashMap::new();
    let lines = rest.strip_suffix("]}\n").unwrap().lines();
    let events = lines.map(|line| {
        let fields = line.strip_prefix('{').unwrap().strip_suffix("},").unwrap().split(',');
        let fields = fields.map(|field| field.split_once(": ").unwrap());
        let value = |name: &str, text: &str| match (name, text.split_once(' ')) {
            ("type", Some((mark, long))) => {
                types.insert(mark.strip_prefix('&').unwrap().to_owned(), long.to_owned());
                Value::from(long)
            }
            ("type", None) => Value::from(types[text.strip_prefix('*').unwrap()].clone()),
            _ => serde_json::from_str(text).unwrap(),
        };
        let mut value = value;
        fields.map(|(name, text)| (name.to_owned(), value(name, text))).collect()
    });
    (head, events.collect())
}

fn record() -> Record {
    stages()[0].record(&["tba", "rtaa"], RecordFilter::default())
}

#[test]
fn a_posthoc_trace_has_the_form_that_its_app_reads() {
    let record = record();
    for life in 0..2 {
        let (head, events) = read(&posthoc::trace(&record, life).unwrap());
        assert_eq!(head["version"], "1.4.0");
        assert!(head["views"]["main"].as_array().unwrap().iter().all(|part| part["$"] == "rect"));
        let known = u64::from(record.meta().width * record.meta().height);
        assert!(
            events.iter().all(|event| event["type"].is_string() && event["id"].as_u64().unwrap() < known)
        );
        let count = |name: &str| events.iter().filter(|event| event["type"] == name).count();
        let mut player = record.play(life);
        let (mut expanded, mut moves) = (0, 0);
        while let Some(frame) = player.advance().unwrap() {
            expanded += frame.events.iter().filter(|event| matches!(event, RecordedEvent::Expand(_))).count();
            moves += usize::from(matches!(frame.answer, Answer::Go(_)));
        }
        assert_eq!((count("expanding"), count("move")), (expanded, moves));
        assert_eq!((count("source"), count("destination")), (1, 1));
        // The map is a file of its own, and expanded cells are closed.
        assert_eq!((count("wall"), count("closing")), (0, 0));
        let parents = events.iter().filter_map(|event| event.get("pId")?.as_u64());
        assert!(parents.clone().count() > 0 && parents.max().unwrap() < known);
    }
    let base = posthoc::base(&record);
    let map = fleetfoot_sim::formats::map::parse_map(&base).unwrap();
    assert_eq!((map.width(), map.height()), (record.meta().width, record.meta().height));
    let error = posthoc::trace(&record, 2).unwrap_err().to_string();
    assert_eq!(error, "the record has no planner 3; choose a --life from 1 to 2");
}

#[test]
fn expansions_omit_data_of_the_opening() {
    let record = record();
    for life in 0..2 {
        let (_, events) = read(&posthoc::trace(&record, life).unwrap());
        let unit = f64::from(record.meta().costs.unit);
        let mut opened: HashMap<u64, (f64, f64)> = HashMap::new();
        let mut told = Vec::new();
        for event in &events {
            let id = event["id"].as_u64().unwrap();
            let costs = event.get("g").map(|g| (g.as_f64().unwrap(), event["f"].as_f64().unwrap()));
            opened.extend(costs.map(|costs| (id, costs)));
            if event["type"] == "expanding" {
                told.push((id, opened[&id]));
            }
        }
        let mut player = record.play(life);
        let mut visits = Vec::new();
        while let Some(frame) = player.advance().unwrap() {
            visits.extend(frame.events.into_iter().filter_map(|event| match event {
                RecordedEvent::Expand(visit) => Some(visit),
                _ => None,
            }));
        }
        assert_eq!(visits.len(), told.len());
        for (visit, (id, (g, f))) in visits.into_iter().zip(told) {
            assert_eq!(u64::from(visit.cell), id);
            assert!(
                (f64::from(visit.g) / unit - g).abs() < 0.0051
                    && (f64::from(visit.f) / unit - f).abs() < 0.0051
            );
        }
    }
}

#[test]
fn a_workspace_has_the_map_and_the_trace() {
    let record = record();
    let packed = posthoc::workspace(&record, 1).unwrap();
    let text = unpack(&packed);
    let (trace, base) = (posthoc::trace(&record, 1).unwrap(), posthoc::base(&record));
    assert!(packed.len() * 3 < trace.len() + base.len());
    assert!(text.contains(std::str::from_utf8(&trace).unwrap()));
    let map = serde_json::to_string(std::str::from_utf8(&base).unwrap()).unwrap();
    assert!(text.contains(&map) && text.ends_with("]}}"));
}

/// Decompresses lz-string.
fn unpack(packed: &[u8]) -> String {
    let mut bits = packed.iter().flat_map(|byte| (0..8).rev().map(move |k| u32::from(byte >> k & 1)));
    let mut number = |width: u32| (0..width).map(|k| bits.next().unwrap() << k).sum::<u32>();
    let mut words: Vec<Option<Vec<u16>>> = vec![None; 3];
    let (mut width, mut room) = (2, 2);
    let mut out: Vec<u16> = Vec::new();
    let mut last: Option<Vec<u16>> = None;
    loop {
        let code = number(width);
        let grow = |room: &mut u32, width: &mut u32| {
            *room -= 1;
            if *room == 0 {
                *room = 1 << *width;
                *width += 1;
            }
        };
        let word = match code {
            2 => return String::from_utf16(&out).unwrap(),
            0 | 1 => {
                let word = vec![number(if code == 0 { 8 } else { 16 }) as u16];
                words.push(Some(word.clone()));
                grow(&mut room, &mut width);
                word
            }
            // An unknown word is the previous one followed by its own first character.
            code => words.get(code as usize).cloned().flatten().unwrap_or_else(|| {
                let last = last.clone().unwrap();
                [&last[..], &last[..1]].concat()
            }),
        };
        out.extend(&word);
        if let Some(last) = last {
            words.push(Some([&last[..], &word[..1]].concat()));
        }
        // The packer numbers a word when it writes the one before it.
        grow(&mut room, &mut width);
        last = Some(word);
    }
}
