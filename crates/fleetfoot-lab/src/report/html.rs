//! Reports as one HTML file that needs nothing else: plots are in it.

use std::fmt::Write;

use super::{Figure, Finding, Report, Table, Verdict, count};

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;color:#111;background:#fff;max-width:64rem;margin:2rem auto;padding:0 1rem}\
table{border-collapse:collapse;margin:.5rem 0;font-size:14px}td,th{border-bottom:1px solid #ccc;padding:.2rem .6rem;text-align:right}\
td:first-child,th:first-child{text-align:left}.wide{overflow-x:auto}figure{margin:1rem 0}figure svg{max-width:100%;height:auto}\
.claim{border-left:6px solid #888;padding:.1rem 1rem;margin:1rem 0}.holds{border-color:#009E73}.another{border-color:#E69F00}\
.fails{border-color:#D55E00}dt{font-weight:600;float:left;clear:left;width:6.5rem}dd{margin-left:7rem;overflow-wrap:anywhere}li,p,h1,figcaption{overflow-wrap:anywhere}h3{margin:.3rem 0}\
@media print{body{max-width:none}.claim,figure{break-inside:avoid}}";

pub(super) fn write(report: &Report) -> String {
    let title = escape(&report.title);
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>{title}</title><style>{STYLE}</style></head>\n<body><h1>{title}</h1>\n<ul>\n"
    );
    for fact in &report.setup {
        let _ = writeln!(out, "<li>{}</li>", escape(fact));
    }
    out.push_str("</ul>\n");
    if !report.findings.is_empty() {
        let _ = writeln!(out, "<h2>Claims</h2>\n<p>{}.</p>", count(&report.findings));
        report.findings.iter().for_each(|finding| claim(&mut out, finding));
    }
    report.figures.iter().for_each(|shown| figure(&mut out, shown));
    report.tables.iter().for_each(|shown| table(&mut out, shown));
    out.push_str("</body></html>\n");
    out
}

fn claim(out: &mut String, finding: &Finding) {
    let Finding { id, says, rule, verdict, why, .. } = finding;
    let class = match verdict {
        Verdict::Holds => "holds",
        Verdict::AnotherNumber => "another",
        Verdict::Fails => "fails",
        Verdict::NotMeasured => "none",
    };
    let _ = writeln!(out, "<div class=\"claim {class}\"><h3>{}: {verdict}</h3><dl>", escape(id));
    let _ = writeln!(out, "<dt>paper</dt><dd>{}</dd>\n<dt>rule</dt><dd>{}</dd>", escape(says), escape(rule));
    for line in finding.lines() {
        let _ = writeln!(out, "<dt>measured</dt><dd>{}</dd>", escape(&line));
    }
    if !why.is_empty() {
        let _ = writeln!(out, "<dt>why</dt><dd>{}</dd>", escape(why));
    }
    out.push_str("</dl></div>\n");
}

fn figure(out: &mut String, Figure { caption, plot, .. }: &Figure) {
    let _ = writeln!(out, "<figure>{}<figcaption>{}</figcaption></figure>", plot.svg(), escape(caption));
}

fn table(out: &mut String, table: &Table) {
    let _ = writeln!(out, "<h2>{}</h2><div class=\"wide\"><table>", escape(&table.title));
    let line = |cells: &[String], tag: &str| {
        let cells: Vec<String> =
            cells.iter().map(|cell| format!("<{tag}>{}</{tag}>", escape(cell))).collect();
        format!("<tr>{}</tr>", cells.concat())
    };
    let _ = writeln!(out, "<thead>{}</thead><tbody>", line(&table.columns, "th"));
    for cells in &table.lines {
        let _ = writeln!(out, "{}", line(cells, "td"));
    }
    out.push_str("</tbody></table></div>\n");
    if !table.note.is_empty() {
        let _ = writeln!(out, "<p>{}</p>", escape(&table.note));
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
