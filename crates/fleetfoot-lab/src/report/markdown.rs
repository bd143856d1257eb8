//! Reports as Markdown.

use std::fmt::Write;

use super::{Figure, Finding, Report, Table, count};

pub(super) fn write(report: &Report) -> String {
    let mut out = format!("# {}\n\n", escape(&report.title));
    for fact in &report.setup {
        let _ = writeln!(out, "- {}", escape(fact));
    }
    if !report.findings.is_empty() {
        let _ = writeln!(out, "\n## Claims\n\n{}.\n", count(&report.findings));
        report.findings.iter().for_each(|finding| claim(&mut out, finding));
    }
    report.figures.iter().for_each(|shown| figure(&mut out, shown));
    report.tables.iter().for_each(|shown| table(&mut out, shown));
    out
}

fn claim(out: &mut String, finding: &Finding) {
    let Finding { id, says, rule, verdict, why, .. } = finding;
    let _ = writeln!(out, "### {id}: {verdict}\n");
    let _ = writeln!(out, "- paper: {}\n- rule: {}", escape(says), escape(rule));
    for line in finding.lines() {
        let _ = writeln!(out, "- measured: {}", escape(&line));
    }
    if !why.is_empty() {
        let _ = writeln!(out, "- why: {}", escape(why));
    }
    out.push('\n');
}

fn figure(out: &mut String, Figure { name, caption, plot }: &Figure) {
    let _ = writeln!(
        out,
        "\n## {}\n\n![{}](figures/{name}.svg)\n\n{}",
        escape(&plot.title),
        escape(&plot.title),
        escape(caption)
    );
}

fn table(out: &mut String, table: &Table) {
    let _ = writeln!(out, "\n## {}\n", escape(&table.title));
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

/// Stars and bars mean something in Markdown, and planners' names have stars.
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
