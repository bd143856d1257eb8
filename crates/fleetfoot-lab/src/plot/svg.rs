//! Plots as SVG.

use std::fmt::Write;

use super::layout::{FONT, Layout, seen};
use super::legend::Entry;
use super::marks::Look;
use super::{Plot, Point, Series};

pub(super) fn draw(plot: &Plot) -> String {
    let layout = Layout::of(plot);
    let (width, height) = layout.size;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         font-family=\"DejaVu Sans, Verdana, sans-serif\" font-size=\"{FONT}\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    );
    grid(plot, &layout, &mut out);
    for (number, series) in plot.series.iter().enumerate() {
        let look = Look::of(number, series.like);
        draw_series(plot, &layout, number, look, &mut out);
        legend(&layout.legend.entries[number], series, look, &mut out);
    }
    if layout.is_empty {
        let (middle, grey) = ((layout.across(0.5), layout.up(0.5)), "font-size=\"20\" fill=\"#777777\"");
        text(&mut out, middle, "middle", grey, "no data");
    }
    out.push_str("</svg>\n");
    out
}

fn line(out: &mut String, (x1, y1): (f64, f64), (x2, y2): (f64, f64), paint: &str) {
    let _ = writeln!(out, "<line x1=\"{x1:.2}\" y1=\"{y1:.2}\" x2=\"{x2:.2}\" y2=\"{y2:.2}\" {paint}/>");
}

fn text(out: &mut String, (x, y): (f64, f64), anchor: &str, more: &str, words: &str) {
    let words = escape(words);
    let _ = writeln!(out, "<text x=\"{x:.2}\" y=\"{y:.2}\" text-anchor=\"{anchor}\" {more}>{words}</text>");
}

/// Axes, ticks, grid lines and titles.
fn grid(plot: &Plot, layout: &Layout, out: &mut String) {
    let (left, right) = (layout.left, layout.left + layout.inner.0);
    let (top, bottom) = (layout.top, layout.top + layout.inner.1);
    let faint = "stroke=\"#dddddd\" stroke-width=\"0.8\"";
    let dark = "stroke=\"#333333\" stroke-width=\"1\"";
    for tick in &layout.x_ticks {
        let x = layout.across(tick.at);
        let length = if tick.text.is_some() { 6.0 } else { 3.0 };
        if let Some(words) = &tick.text {
            line(out, (x, top), (x, bottom), faint);
            text(out, (x, bottom + 20.0), "middle", "", words);
        }
        line(out, (x, bottom), (x, bottom + length), dark);
    }
    for tick in &layout.y_ticks {
        let y = layout.up(tick.at);
        let length = if tick.text.is_some() { 6.0 } else { 3.0 };
        if let Some(words) = &tick.text {
            line(out, (left, y), (right, y), faint);
            text(out, (left - 9.0, y + FONT * 0.35), "end", "", words);
        }
        line(out, (left - length, y), (left, y), dark);
    }
    let _ = writeln!(
        out,
        "<rect x=\"{left:.2}\" y=\"{top:.2}\" width=\"{:.2}\" height=\"{:.2}\" fill=\"none\" {dark}/>",
        right - left,
        bottom - top
    );
    text(out, (f64::midpoint(left, right), bottom + 44.0), "middle", "", &plot.x.label);
    let (x, y) = (18.0, f64::midpoint(top, bottom));
    text(out, (x, y), "middle", &format!("transform=\"rotate(-90 {x:.2} {y:.2})\""), &plot.y.label);
    text(out, (left, 24.0), "start", "font-size=\"15\"", &plot.title);
}

fn draw_series(plot: &Plot, layout: &Layout, number: usize, look: Look, out: &mut String) {
    let (series, aside) = (&plot.series[number], layout.asides[number]);
    let points: Vec<&Point> = series.points.iter().filter(|point| seen(plot, point)).collect();
    let places: Vec<(f64, f64)> =
        points.iter().map(|point| layout.place(point.x, point.y)).map(|(x, y)| (x + aside, y)).collect();
    if series.line && places.len() > 1 {
        let corners: Vec<String> = places.iter().map(|(x, y)| format!("{x:.2},{y:.2}")).collect();
        let dash =
            if look.dash.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{}\"", look.dash) };
        let _ = writeln!(
            out,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\"{dash}/>",
            corners.join(" "),
            look.colour
        );
    }
    let paint = format!("stroke=\"{}\" stroke-width=\"1\"", look.colour);
    for (point, (x, y)) in points.iter().zip(&places) {
        if let Some((low, high)) = point.bar.filter(|(low, high)| plot.y.shows(*low) && plot.y.shows(*high)) {
            let ends = [low, high].map(|value| layout.place(point.x, value).1);
            line(out, (*x, ends[0]), (*x, ends[1]), &paint);
            for end in ends {
                line(out, (x - 2.5, end), (x + 2.5, end), &paint);
            }
        }
        out.push_str(&look.marker(*x, *y));
        out.push('\n');
    }
}

fn legend(entry: &Entry, series: &Series, look: Look, out: &mut String) {
    if series.name.is_empty() {
        return;
    }
    let (x, y) = entry.at;
    if series.line {
        let paint =
            format!("stroke=\"{}\" stroke-width=\"1.8\" stroke-dasharray=\"{}\"", look.colour, look.dash);
        let paint = if look.dash.is_empty() { paint.replace(" stroke-dasharray=\"\"", "") } else { paint };
        line(out, (x, y), (x + 28.0, y), &paint);
    }
    out.push_str(&look.marker(x + 14.0, y));
    out.push('\n');
    for (k, words) in entry.lines.iter().enumerate() {
        text(out, (x + 36.0, y + FONT * 0.35 + 17.0 * k as f64), "start", "", words);
    }
}

/// Control characters have no place in XML, not even escaped; names come from files.
fn escape(text: &str) -> String {
    let is_odd = |c: char| c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}');
    text.replace(is_odd, "\u{fffd}").replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
