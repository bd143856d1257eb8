//! Drawings as PDF, for papers. Letters are outlines: nothing has to be embedded, and every machine shows the same ones.

use std::fmt::Write;

use fleetfoot_view::canvas::{Colour, Point as Place, TextStyle, text_outlines};

use super::drawing::{Drawing, Shape, Stroke, Text};

/// Distance of the control points of a quarter circle from its ends, for a radius of 1.
const QUARTER: f64 = 0.5523;

/// Writes a drawing as one page of this width in points (72 to an inch).
pub(super) fn write(drawing: &Drawing, width: f64) -> Vec<u8> {
    let scale = width / drawing.size.0;
    let height = drawing.size.1 * scale;
    // The drawing counts rows from the top, a page from its bottom.
    let mut page = format!("{scale:.5} 0 0 -{scale:.5} 0 {height:.2} cm 1 j\n");
    for shape in &drawing.shapes {
        match shape {
            Shape::Line { places, stroke } => {
                pen(&mut page, stroke, None);
                path(&mut page, places);
                page.push_str("S\n");
            }
            Shape::Polygon { corners, fill, stroke } => {
                pen(&mut page, stroke, *fill);
                path(&mut page, corners);
                page.push_str(if fill.is_some() { "b\n" } else { "s\n" });
            }
            Shape::Circle { centre, radius, fill, stroke } => {
                pen(&mut page, stroke, Some(*fill));
                circle(&mut page, *centre, *radius);
                page.push_str("b\n");
            }
            Shape::Text(text) => words(&mut page, text),
        }
    }
    file(&page, (width, height))
}

/// The page as a file: objects, and a table of where they begin.
fn file(page: &str, (width, height): (f64, f64)) -> Vec<u8> {
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width:.2} {height:.2}] /Resources << >> /Contents 4 0 R >>"
        ),
        format!("<< /Length {} >>\nstream\n{page}endstream", page.len()),
    ];
    let (mut out, mut begins) = ("%PDF-1.4\n".to_owned(), Vec::new());
    for (k, object) in objects.iter().enumerate() {
        begins.push(out.len());
        let _ = write!(out, "{} 0 obj\n{object}\nendobj\n", k + 1);
    }
    let (table, count) = (out.len(), objects.len() + 1);
    let _ = write!(out, "xref\n0 {count}\n0000000000 65535 f \n");
    for begin in begins {
        let _ = writeln!(out, "{begin:010} 00000 n ");
    }
    let _ = write!(out, "trailer\n<< /Size {count} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n");
    out.into_bytes()
}

/// Sets colors and line style. None of them may change within a path.
fn pen(page: &mut String, stroke: &Stroke, fill: Option<Colour>) {
    let dashes: Vec<String> = stroke.dash.iter().map(f64::to_string).collect();
    let _ = writeln!(page, "{} RG {} w [{}] 0 d", color(stroke.colour), stroke.width, dashes.join(" "));
    if let Some(fill) = fill {
        let _ = writeln!(page, "{} rg", color(fill));
    }
}

fn path(page: &mut String, places: &[Place]) {
    for (k, (x, y)) in places.iter().enumerate() {
        let _ = write!(page, "{x:.2} {y:.2} {} ", if k == 0 { 'm' } else { 'l' });
    }
}

fn circle(page: &mut String, (x, y): Place, radius: f64) {
    let (r, c) = (radius, radius * QUARTER);
    let _ = write!(page, "{:.2} {y:.2} m ", x + r);
    let quarters = [
        [(r, c), (c, r), (0.0, r)],
        [(-c, r), (-r, c), (-r, 0.0)],
        [(-r, -c), (-c, -r), (0.0, -r)],
        [(c, -r), (r, -c), (r, 0.0)],
    ];
    for quarter in quarters {
        for (dx, dy) in quarter {
            let _ = write!(page, "{:.2} {:.2} ", x + dx, y + dy);
        }
        page.push_str("c ");
    }
}

fn words(page: &mut String, Text { at, anchor, size, upward, colour, words }: &Text) {
    let style = TextStyle { size: *size, anchor: *anchor, upward: *upward, colour: *colour };
    let _ = writeln!(page, "{} rg", color(*colour));
    let outlines = text_outlines(*at, style, words);
    for outline in &outlines {
        path(page, outline);
        page.push_str("h\n");
    }
    // Nothing may be filled where there is no path, as in a text of spaces.
    if !outlines.is_empty() {
        page.push_str("f\n");
    }
}

fn color([red, green, blue]: Colour) -> String {
    let share = |part: u8| f64::from(part) / 255.0;
    format!("{:.3} {:.3} {:.3}", share(red), share(green), share(blue))
}
