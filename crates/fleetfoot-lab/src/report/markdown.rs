//! Reports as Markdown.

use std::fmt::Write;

use super::{Figure, Finding, HOW_JUDGED, Heat, Report, Table, count};

pub(super) fn write(report: &Report) -> String {
    let mut out = format!("# {}\n\n", escape(&report.title));
    if let Some(budgets) = report.condition("budgets") {
        let _ = writeln!(out, "Budgets: {}.\n", escape(&budgets));
    }
    if !report.findings.is_empty() {
        let _ = writeln!(out, "## Claims\n\n{}. {HOW_JUDGED}\n", count(&report.findings));
        report.findings.iter().for_each(|finding| claim(&mut out, finding));
    }
    for Heat { name, caption, map } in &report.heats {
        picture(&mut out, "##", (name, &map.title, caption));
    }
    report.figures.iter().for_each(|shown| figure(&mut out, "##", shown));
    report.tables.iter().for_each(|shown| table(&mut out, "##", shown));
    conditions(&mut out, report);
    for section in &report.sections {
        let _ = writeln!(out, "\n## {}", escape(&section.title));
        section.figures.iter().for_each(|shown| figure(&mut out, "###", shown));
        section.tables.iter().for_each(|shown| table(&mut out, "###", shown));
    }
    out
}

fn conditions(out: &mut String, report: &Report) {
    out.push_str("\n## Conditions\n\n");
    for condition in &report.conditions {
        let name = escape(&condition.name);
        match &condition.values[..] {
            [value] => {
                let _ = writeln!(out, "- {name}: {}", escape(value));
            }
            values => {
                let _ = writeln!(out, "- {name}:");
                for value in values {
                    let _ = writeln!(out, "  - {}", escape(value));
                }
            }
        }
    }
    for fact in &report.setup {
        let _ = writeln!(out, "- {}", escape(fact));
    }
    if let Some(source) = &report.source {
        let fence = if source.text.contains("```") { "~~~~~~" } else { "```" };
        let end = if source.text.ends_with('\n') { "" } else { "\n" };
        let name = escape(&source.name);
        let _ = write!(out, "\nThe experiment, {name}:\n\n{fence}toml\n{}{end}{fence}\n", source.text);
    }
}

fn claim(out: &mut String, finding: &Finding) {
    let Finding { id, says, rule, verdict, why, .. } = finding;
    let _ = writeln!(out, "### {}\n\n**{verdict}** ({id})\n", escape(says));
    let _ = writeln!(out, "- rule: {}", escape(rule));
    for line in finding.lines() {
        let _ = writeln!(out, "- measured: {}", escape(&line));
    }
    if !why.is_empty() {
        let _ = writeln!(out, "- why: {}", escape(why));
    }
    out.push('\n');
}

fn figure(out: &mut String, level: &str, Figure { name, caption, plot }: &Figure) {
    picture(out, level, (name, &plot.title, caption));
}

fn picture(out: &mut String, level: &str, (name, title, caption): (&str, &str, &str)) {
    let title = escape(title);
    let _ = writeln!(out, "\n{level} {title}\n\n![{title}](figures/{name}.svg)\n\n{}", escape(caption));
}

fn table(out: &mut String, level: &str, table: &Table) {
    let _ = writeln!(out, "\n{level} {}\n", escape(&table.title));
    let line = |cells: &[String]| {
        format!("| {} |", cells.iter().map(|cell| escape(cell)).collect::<Vec<_>>().join(" | "))
    };
    let _ = writeln!(out, "{}", line(&table.columns));
    let rule: Vec<&str> = (0..table.columns.len()).map(|k| if k == 0 { "---" } else { "---:" }).collect();
    let _ = writeln!(out, "|{}|", rule.join("|"));
    for cells in &table.lines {
        let _ = writeln!(out, "{}", line(cells));
    }
    if !table.note.is_empty() {
        let _ = writeln!(out, "\n{}", escape(&table.note));
    }
}

/// Escapes characters with a meaning in Markdown; planners' names have stars.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '*' | '|' | '_' | '<' | '`') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
