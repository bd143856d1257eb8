//! Tests pictures and JSON Lines of records.

use crate::stage::stages;
use fleetfoot_view::{RecordFilter, jsonl, picture};
use serde_json::Value;

#[test]
fn pictures_have_a_size_and_say_which_ticks_there_are() {
    for stage in &stages()[..3] {
        let record = stage.record(&["lss-lrta", "repeated-astar"], RecordFilter::default());
        let ticks = record.meta().lives.iter().map(|life| life.ticks).max().unwrap();
        for tick in [None, Some(0), Some(ticks)] {
            let bytes = picture::png(&record, tick, 500).unwrap();
            let reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
            let (width, height) = (reader.info().width, reader.info().height);
            assert!(width <= 500 && height <= 500 && width.max(height) > 300, "{width}x{height}");
        }
        assert_eq!(
            picture::png(&record, None, 500).unwrap(),
            picture::png(&record, Some(ticks), 500).unwrap()
        );
        let error = picture::png(&record, Some(ticks + 1), 500).unwrap_err().to_string();
        assert_eq!(error, format!("the record has no tick {}; choose one from 0 to {ticks}", ticks + 1));
    }
}

#[test]
fn the_first_and_the_last_picture_differ() {
    let record = stages()[0].record(&["tba"], RecordFilter::default());
    assert_ne!(picture::png(&record, Some(0), 300).unwrap(), picture::png(&record, None, 300).unwrap());
}

#[test]
fn a_moving_picture_ends_as_the_last_picture() {
    let record = stages()[1].record(&["tbaa"], RecordFilter::default());
    let bytes = picture::gif(&record, 25, 200).unwrap();
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(&bytes[..]).unwrap();
    let (width, height) = (decoder.width() as usize, decoder.height() as usize);
    let (mut screen, mut frames) = (vec![[0u8; 3]; width * height], 0);
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        frames += 1;
        for (k, pixel) in frame.buffer.chunks(4).enumerate().filter(|(_, pixel)| pixel[3] > 0) {
            let (x, y) = (k % frame.width as usize, k / frame.width as usize);
            screen[(frame.top as usize + y) * width + frame.left as usize + x] =
                [pixel[0], pixel[1], pixel[2]];
        }
    }
    assert_eq!(frames, 25);
    let last = picture::png(&record, None, 200).unwrap();
    let mut reader = png::Decoder::new(std::io::Cursor::new(last)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    // A moving picture has fewer colors: a few pixels may differ.
    let off = |(a, b): (&[u8; 3], &[u8])| (0..3).map(|k| u32::from(a[k].abs_diff(b[k]))).sum::<u32>() > 60;
    let differ = screen.iter().zip(pixels.chunks(3)).filter(|pair| off(*pair)).count();
    assert!(differ * 100 < width * height, "{differ} of {} pixels", width * height);
}

#[test]
fn lines_agree_with_the_record() {
    let record = stages()[2].record(&["rtaa", "repeated-astar"], RecordFilter::default());
    let text = String::from_utf8(jsonl::lines(&record).unwrap()).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let ticks: u64 = record.meta().lives.iter().map(|life| life.ticks).sum();
    assert_eq!(lines.len() as u64, ticks + 1);
    assert_eq!(lines[0]["type"], "record");
    assert_eq!(lines[0]["rows"].as_array().unwrap().len() as u32, record.meta().height);
    let mut player = record.play(0);
    for line in &lines[1..=record.meta().lives[0].ticks as usize] {
        let frame = player.advance().unwrap().unwrap();
        assert_eq!(line["tick"], frame.tick);
        let events = line.get("events").map_or(0, |events| events.as_array().unwrap().len());
        assert_eq!(events, frame.events.len());
        assert_eq!(line["work"].get("expand").and_then(Value::as_u64).unwrap_or(0), frame.work[0]);
    }
}
