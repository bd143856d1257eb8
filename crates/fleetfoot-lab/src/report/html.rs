//! Reports as one self-contained HTML file with its plots. It follows the system's light or dark theme. On narrow
//! screens a line of a table becomes a card.

use std::fmt::Write;

use super::{Figure, Finding, HOW_JUDGED, Report, Table, Verdict, count};

const STYLE: &str = include_str!("report.css");

/// Returns the style: the table of colors shared with playground and replay, by the system's theme, and the report's
/// own rules.
fn style() -> String {
    let (light, dark) =
        fleetfoot_view::html::COLORS.split_once(":root[data-theme='dark']").expect("two themes");
    format!("{light}@media (prefers-color-scheme:dark){{:root{dark}}}\n{STYLE}")
}

/// Maximum number of values of a condition at the top of a report.
const MOST_SHOWN: usize = 6;

/// Maximum width of a table on the widest page, in pixels.
const PAGE: usize = 1120;

pub(super) fn write(report: &Report) -> String {
    let title = escape(&report.title);
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\"><link rel=\"icon\" href=\"data:,\">\
         <title>{title}</title><style>{style}</style></head>\n<body><main><h1>{title}</h1>\n",
        style = style()
    );
    setup(&mut out, report);
    if !report.findings.is_empty() {
        let (counted, how) = (count(&report.findings), escape(HOW_JUDGED));
        let _ = writeln!(out, "<h2>Claims</h2>\n<p>{counted}.</p><p class=\"note\">{how}</p>");
        report.findings.iter().for_each(|finding| claim(&mut out, finding));
    }
    for heat in &report.heats {
        picture(&mut out, &heat.map.svg(), &heat.caption);
    }
    report.figures.iter().for_each(|shown| figure(&mut out, shown));
    report.tables.iter().for_each(|shown| table(&mut out, "h2", shown));
    conditions(&mut out, report);
    // A few sections are open at once, many are closed.
    let open = if report.sections.len() <= 2 { " open" } else { "" };
    for section in &report.sections {
        let _ = writeln!(out, "<details{open}><summary><h2>{}</h2></summary>", escape(&section.title));
        section.figures.iter().for_each(|shown| figure(&mut out, shown));
        section.tables.iter().for_each(|shown| table(&mut out, "h3", shown));
        out.push_str("</details>\n");
    }
    out.push_str("</main></body></html>\n");
    out
}

/// What was run, in a few lines: all of it is below, under the conditions.
fn setup(out: &mut String, report: &Report) {
    const SHOWN: [&str; 8] =
        ["planners", "maps", "worlds", "problems", "budgets", "runs", "made again by", "made by"];
    out.push_str("<dl class=\"setup\">\n");
    for condition in SHOWN.iter().filter_map(|name| report.conditions.iter().find(|one| one.name == *name)) {
        let values = &condition.values;
        let more =
            if values.len() > MOST_SHOWN { format!("; {} in all", values.len()) } else { String::new() };
        let text = values[..values.len().min(MOST_SHOWN)].join("; ") + &more;
        let _ = writeln!(out, "<dt>{}</dt><dd>{}</dd>", escape(&condition.name), escape(&text));
    }
    out.push_str("</dl>\n<p class=\"note\"><a href=\"#conditions\">all conditions</a></p>\n");
}

fn conditions(out: &mut String, report: &Report) {
    out.push_str("<h2 id=\"conditions\">Conditions</h2>\n<dl>\n");
    for condition in &report.conditions {
        let _ = writeln!(out, "<dt>{}</dt>", escape(&condition.name));
        for value in &condition.values {
            let _ = writeln!(out, "<dd>{}</dd>", escape(value));
        }
    }
    out.push_str("</dl>\n");
    if !report.setup.is_empty() {
        out.push_str("<ul>\n");
        for fact in &report.setup {
            let _ = writeln!(out, "<li>{}</li>", escape(fact));
        }
        out.push_str("</ul>\n");
    }
    if let Some(source) = &report.source {
        let (name, text) = (escape(&source.name), escape(&source.text));
        let _ = writeln!(out, "<h3>The experiment, {name}</h3>\n<pre>{text}</pre>");
    }
}

fn claim(out: &mut String, finding: &Finding) {
    let Finding { id, says, rule, verdict, why, .. } = finding;
    let class = match verdict {
        Verdict::Holds => "holds",
        Verdict::HoldsOtherNumber => "another",
        Verdict::Undecided { .. } => "open",
        Verdict::Fails => "fails",
        Verdict::NotMeasured => "none",
    };
    let _ = writeln!(
        out,
        "<div class=\"claim {class}\"><h3>{}</h3><p><strong>{verdict}</strong> ({})</p><dl>",
        escape(says),
        escape(id)
    );
    let _ = writeln!(out, "<dt>rule</dt><dd>{}</dd>", escape(rule));
    let lines = finding.lines();
    if !lines.is_empty() {
        out.push_str("<dt>measured</dt>");
    }
    for line in lines {
        let _ = writeln!(out, "<dd>{}</dd>", escape(&line));
    }
    if !why.is_empty() {
        let _ = writeln!(out, "<dt>why</dt><dd>{}</dd>", escape(why));
    }
    out.push_str("</dl></div>\n");
}

fn figure(out: &mut String, Figure { caption, plot, .. }: &Figure) {
    picture(out, &plot.svg(), caption);
}

fn picture(out: &mut String, svg: &str, caption: &str) {
    let _ = writeln!(out, "<figure>{svg}<figcaption>{}</figcaption></figure>", escape(caption));
}

fn table(out: &mut String, level: &str, table: &Table) {
    let class = if width(table) > PAGE { " class=\"cards\"" } else { "" };
    let _ = writeln!(out, "<{level}>{}</{level}><table{class}>", escape(&table.title));
    let names: Vec<String> = table.columns.iter().map(|name| escape(name)).collect();
    let heads: Vec<String> = names.iter().map(|name| format!("<th>{name}</th>")).collect();
    let heads = heads.concat();
    let _ = writeln!(out, "<thead><tr>{heads}</tr></thead><tbody>");
    for cells in &table.lines {
        let cell = |(text, name): (&String, &String)| {
            let name = name.replace('"', "&quot;");
            format!("<td data-name=\"{name}\"><span>{}</span></td>", value(text))
        };
        let cells: String = cells.iter().zip(&names).map(cell).collect();
        let _ = writeln!(out, "<tr>{cells}</tr>");
    }
    out.push_str("</tbody></table>\n");
    if !table.note.is_empty() {
        let _ = writeln!(out, "<p class=\"note\">{}</p>", escape(&table.note));
    }
}

/// Formats a cell. The text in parentheses after a number is placed below it.
fn value(text: &str) -> String {
    match parts(text) {
        Some((number, rest)) => format!("{}<small>{}</small>", escape(number), escape(rest)),
        None => escape(text),
    }
}

/// Splits a number from the text after it: `1.2 (1.1 to 1.3), TBA*`.
fn parts(text: &str) -> Option<(&str, &str)> {
    let (number, _) = text.split_once(" (")?;
    number.starts_with(|c: char| c.is_ascii_digit() || c == '-').then(|| (number, &text[number.len() + 1..]))
}

/// Estimates the minimum width of a table in pixels, without breaking words.
fn width(table: &Table) -> usize {
    let word = |text: &str| text.split_whitespace().map(|word| word.chars().count()).max().unwrap_or(0);
    let cell = |text: &String| match parts(text) {
        // Intervals stay on one line, in small letters.
        Some((number, rest)) => (number.chars().count() * 8).max(rest.chars().count() * 6),
        None => word(text) * 8,
    };
    let column = |k: usize| {
        let cells = table.lines.iter().filter_map(|line| line.get(k)).map(cell).max().unwrap_or(0);
        // The first column is a name, which may be broken anywhere.
        let cells = if k == 0 { cells.min(220) } else { cells };
        cells.max(word(&table.columns[k]) * 8) + 16
    };
    (0..table.columns.len()).map(column).sum()
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_tables_become_cards() {
        let mut table = Table::new("t", &["planner", "steps"]);
        table.push(vec!["tba".into(), "12 (10 to 14), A*".into()]);
        assert!(width(&table) < PAGE);
        assert_eq!(value("12 (10 to 14), A*"), "12<small>(10 to 14), A*</small>");
        assert_eq!(value("RTD* (LRTA*, 25 %)"), "RTD* (LRTA*, 25 %)");
        let names: Vec<String> = (0..12).map(|k| format!("column{k}")).collect();
        let mut wide = Table::new("t", &names.iter().map(String::as_str).collect::<Vec<_>>());
        wide.push(vec!["0.9876 (0.9123 to 0.9999), RTAA* (1 move)".into(); 12]);
        assert!(width(&wide) > PAGE);
        let mut out = String::new();
        super::table(&mut out, "h2", &wide);
        assert!(out.contains("<table class=\"cards\">") && out.contains("data-name=\"column11\""));
    }
}
