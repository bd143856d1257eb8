//! Drawings as SVG.

use std::fmt::Write;

use fleetfoot_view::canvas::{Anchor, Colour, Point as Place};

use super::drawing::{Drawing, Shape, Stroke, Text};
use super::layout::FONT;

pub(super) fn write(drawing: &Drawing) -> String {
    let (width, height) = drawing.size;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         font-family=\"DejaVu Sans, Verdana, sans-serif\" font-size=\"{FONT}\" stroke-linejoin=\"round\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    );
    for shape in &drawing.shapes {
        let _ = match shape {
            Shape::Line { places, stroke } => {
                writeln!(out, "<polyline points=\"{}\" fill=\"none\" {}/>", list(places), line(stroke))
            }
            Shape::Polygon { corners, fill, stroke } => {
                let fill = fill.map_or("none".into(), hex);
                writeln!(out, "<polygon points=\"{}\" fill=\"{fill}\" {}/>", list(corners), line(stroke))
            }
            Shape::Circle { centre: (x, y), radius, fill, stroke } => {
                let (fill, line) = (hex(*fill), line(stroke));
                writeln!(out, "<circle cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"{radius}\" fill=\"{fill}\" {line}/>")
            }
            Shape::Text(text) => writeln!(out, "{}", words(text)),
        };
    }
    out.push_str("</svg>\n");
    out
}

fn words(text: &Text) -> String {
    let (x, y) = text.at;
    let anchor = match text.anchor {
        Anchor::Start => "start",
        Anchor::Middle => "middle",
        Anchor::End => "end",
    };
    let mut more = String::new();
    if (text.size - FONT).abs() > 0.0 {
        let _ = write!(more, " font-size=\"{}\"", text.size);
    }
    if text.colour != [0; 3] {
        let _ = write!(more, " fill=\"{}\"", hex(text.colour));
    }
    if text.upward {
        let _ = write!(more, " transform=\"rotate(-90 {x:.2} {y:.2})\"");
    }
    let words = escape(&text.words);
    format!("<text x=\"{x:.2}\" y=\"{y:.2}\" text-anchor=\"{anchor}\"{more}>{words}</text>")
}

fn line(stroke: &Stroke) -> String {
    let mut text = format!("stroke=\"{}\" stroke-width=\"{}\"", hex(stroke.colour), stroke.width);
    if !stroke.dash.is_empty() {
        let lengths: Vec<String> = stroke.dash.iter().map(f64::to_string).collect();
        let _ = write!(text, " stroke-dasharray=\"{}\"", lengths.join(" "));
    }
    text
}

fn list(places: &[Place]) -> String {
    let places: Vec<String> = places.iter().map(|(x, y)| format!("{x:.2},{y:.2}")).collect();
    places.join(" ")
}

fn hex([r, g, b]: Colour) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// Escapes a text. Control characters are not allowed in XML, not even escaped; names come from files.
fn escape(text: &str) -> String {
    let is_odd = |c: char| c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}');
    text.replace(is_odd, "\u{fffd}").replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
