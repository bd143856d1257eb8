//! Tables as LaTeX with the rules of the package `booktabs`.

use std::fmt::Write;

use super::{Report, Table};

/// Returns the tables of a report with the names of their files: `01-steps.tex`, in the order of the report.
pub(super) fn tables(report: &Report) -> Vec<(String, String)> {
    let all = report.tables.iter().chain(report.sections.iter().flat_map(|section| &section.tables));
    all.enumerate()
        .map(|(k, table)| (format!("{:02}-{}.tex", k + 1, slug(&table.title)), write(table)))
        .collect()
}

/// Formats a table as a float, for `\\input` in a document that loads `booktabs`.
fn write(table: &Table) -> String {
    let columns = "r".repeat(table.columns.len().saturating_sub(1));
    let line = |cells: &[String]| cells.iter().map(|cell| escape(cell)).collect::<Vec<_>>().join(" & ");
    let mut out = format!(
        "% needs \\usepackage{{booktabs}}\n\\begin{{table}}\n  \\centering\n  \\caption{{{}}}\n  \\begin{{tabular}}{{l{columns}}}\n    \\toprule\n",
        escape(&table.title)
    );
    let _ = writeln!(out, "    {} \\\\\n    \\midrule", line(&table.columns));
    for cells in &table.lines {
        let _ = writeln!(out, "    {} \\\\", line(cells));
    }
    out.push_str("    \\bottomrule\n  \\end{tabular}\n");
    if !table.note.is_empty() {
        let _ = writeln!(out, "  \\par\\smallskip\\footnotesize {}", escape(&table.note));
    }
    out.push_str("\\end{table}\n");
    out
}

/// Escapes a text for LaTeX.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => out.extend(['\\', c]),
            '*' => out.push_str("\\textasteriskcentered{}"),
            '\\' => out.push_str("\\textbackslash{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '<' => out.push_str("\\textless{}"),
            '>' => out.push_str("\\textgreater{}"),
            '\u{d7}' => out.push_str("$\\times$"),
            '\u{f7}' => out.push_str("$\\div$"),
            '\u{b5}' => out.push_str("$\\mu$"),
            '\u{221e}' => out.push_str("$\\infty$"),
            '\u{2264}' => out.push_str("$\\leq$"),
            '\u{2265}' => out.push_str("$\\geq$"),
            '\u{2212}' => out.push('-'),
            '\u{2013}' => out.push_str("--"),
            c => out.push(c),
        }
    }
    out
}

/// Returns a title as a part of a file name.
fn slug(title: &str) -> String {
    let letters = title.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' });
    let text: String = letters.collect();
    let words: Vec<&str> = text.split('-').filter(|word| !word.is_empty()).take(6).collect();
    if words.is_empty() { "table".into() } else { words.join("-") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_have_the_rules_of_booktabs() {
        let mut table = Table::new("Steps & cost, 50 %", &["planner", "cost"]);
        table.push(vec!["TBA*".into(), "1.2 (1.1 to 1.3)".into()]);
        let report = Report { tables: vec![table.noted("lower is better")], ..Report::default() };
        let [(name, text)] = &tables(&report)[..] else { panic!("one table") };
        assert_eq!(name, "01-steps-cost-50.tex");
        for part in [
            "\\caption{Steps \\& cost, 50 \\%}",
            "\\begin{tabular}{lr}",
            "planner & cost \\\\\n    \\midrule\n    TBA\\textasteriskcentered{} & 1.2 (1.1 to 1.3) \\\\\n    \\bottomrule",
            "\\footnotesize lower is better",
        ] {
            assert!(text.contains(part), "{part} is not in {text}");
        }
    }
}
