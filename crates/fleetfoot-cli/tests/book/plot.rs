//! A plot of the benefit of budgets: how soon agents move, and how soon they arrive.

use std::fmt::{self, Write};

use fleetfoot::registry::Spec;
use serde_json::Value;

use super::rows::{Group, groups, whole};

const WIDTH: f64 = 860.0;
const HEIGHT: f64 = 370.0;
/// Top and bottom of both fields.
const TOP: f64 = 84.0;
const BOTTOM: f64 = 312.0;
/// Colors after Okabe and Ito that differ in lightness. Each line also has its own marks.
const COLOURS: [&str; 4] = ["#0072b2", "#d55e00", "#56b4e9", "#000000"];
const TICKS: [f64; 14] = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1e3, 2e3, 5e3, 1e4, 2e4];

/// Returns names without duplicates, in the order of their first occurrence.
fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut found = Vec::new();
    for name in names {
        if !found.contains(&name) {
            found.push(name);
        }
    }
    found
}

/// Draws one line per planner in two fields, over the budgets.
pub(super) fn svg(rows: &[Value]) -> String {
    let groups = groups(rows);
    let planners = distinct(groups.iter().map(|group| group.planner));
    let mut out = String::new();
    write(&mut out, &groups, &planners).expect("a text takes everything");
    out
}

fn write(out: &mut String, groups: &[Group<'_>], planners: &[&str]) -> fmt::Result {
    writeln!(
        out,
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" font-size="13" fill="#222">"##
    )?;
    writeln!(out, "<title>What a budget buys: how soon agents move, and how soon they arrive</title>")?;
    writeln!(out, r##"<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>"##)?;
    for (k, planner) in planners.iter().enumerate() {
        let (x, colour) = (60.0 + 130.0 * k as f64, COLOURS[k % COLOURS.len()]);
        let name = planner.parse::<Spec>().map_or((*planner).into(), |spec| spec.info().name.to_owned());
        writeln!(out, r#"<path d="M{} 22H{}" stroke="{colour}" stroke-width="2.5"/>"#, x - 16.0, x + 16.0)?;
        writeln!(out, r##"<path d="{}" fill="{colour}" stroke="#fff"/>"##, mark(k, (x, 22.0)))?;
        writeln!(out, r#"<text x="{}" y="27" font-size="15">{name}</text>"#, x + 24.0)?;
    }
    for (left, title, column) in
        [(60.0, "Ticks until the first move", "first_move"), (490.0, "Ticks until arrival", "steps")]
    {
        field(out, groups, planners, (left, title), |group| group.mean(column).unwrap_or(f64::NAN))?;
    }
    out.write_str("</svg>\n")
}

/// Draws one field: axes with their names, and the lines.
fn field(
    out: &mut String,
    groups: &[Group<'_>],
    planners: &[&str],
    (left, title): (f64, &str),
    value: impl Fn(&Group<'_>) -> f64,
) -> fmt::Result {
    let right = left + 350.0;
    let budgets = distinct(groups.iter().map(|group| &*group.budget));
    let x = |budget: &str| {
        let place = budgets.iter().position(|b| *b == budget).unwrap_or(0);
        left + 20.0 + 310.0 * place as f64 / (budgets.len().max(2) - 1) as f64
    };
    let values = || groups.iter().map(&value);
    let (least, most) = (values().fold(f64::MAX, f64::min), values().fold(0.0, f64::max));
    let low = TICKS.into_iter().rfind(|tick| *tick <= least).unwrap_or(least);
    let high = TICKS.into_iter().find(|tick| *tick >= most).unwrap_or(most);
    // A logarithmic scale.
    let y = |value: f64| BOTTOM - (value / low).ln() / (high / low).ln() * (BOTTOM - TOP);
    writeln!(out, r#"<text x="{}" y="64" font-size="14" font-weight="bold">{title}</text>"#, left - 36.0)?;
    for tick in TICKS.into_iter().filter(|tick| (low..=high).contains(tick)) {
        writeln!(out, r##"<path d="M{left} {:.1}H{right}" stroke="#d8d8d8"/>"##, y(tick))?;
        let at = y(tick) + 4.5;
        writeln!(out, r#"<text x="{}" y="{at:.1}" text-anchor="end">{}</text>"#, left - 7.0, whole(tick))?;
    }
    for budget in &budgets {
        let at = x(budget);
        writeln!(out, r##"<path d="M{at:.1} {BOTTOM}v5" stroke="#222"/>"##)?;
        let below = BOTTOM + 20.0;
        writeln!(out, r#"<text x="{at:.1}" y="{below}" text-anchor="middle">{budget}</text>"#)?;
    }
    writeln!(out, r##"<path d="M{left} {TOP}V{BOTTOM}H{right}" fill="none" stroke="#222"/>"##)?;
    let (middle, below) = (left + 175.0, BOTTOM + 44.0);
    writeln!(
        out,
        r#"<text x="{middle}" y="{below}" text-anchor="middle">budget: expansions per tick</text>"#
    )?;
    let lines = planners.iter().map(|planner| {
        let of = groups.iter().filter(|group| group.planner == *planner);
        of.map(|group| (x(&group.budget), y(value(group)))).collect()
    });
    let lines: Vec<Vec<_>> = lines.collect();
    for (k, points) in lines.iter().enumerate() {
        line(out, k, points, &lines)?;
    }
    Ok(())
}

/// Draws a line with its marks. Lines with equal points alternate their marks.
fn line(out: &mut String, k: usize, points: &[(f64, f64)], lines: &[Vec<(f64, f64)>]) -> fmt::Result {
    let colour = COLOURS[k % COLOURS.len()];
    let same: Vec<usize> = (0..lines.len()).filter(|other| lines[*other] == points).collect();
    let places: Vec<_> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let places = places.join(" ");
    if same[0] == k {
        writeln!(out, r#"<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="2.5"/>"#)?;
    }
    for (_, point) in points.iter().enumerate().filter(|(place, _)| same[place % same.len()] == k) {
        writeln!(out, r##"<path d="{}" fill="{colour}" stroke="#fff"/>"##, mark(k, *point))?;
    }
    Ok(())
}

/// Returns the path of a line's mark: circle, square, triangle, diamond.
fn mark(line: usize, (x, y): (f64, f64)) -> String {
    match line % 4 {
        0 => format!("M{:.1} {y:.1}a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z", x - 5.0),
        1 => format!("M{:.1} {:.1}h9v9h-9z", x - 4.5, y - 4.5),
        2 => format!("M{x:.1} {:.1}l6 10h-12z", y - 6.0),
        _ => format!("M{x:.1} {:.1}l6 6l-6 6l-6 -6z", y - 6.0),
    }
}
