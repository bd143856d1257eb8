//! Removes folders from paths in reports, since they describe the machine, not the experiment.

use super::{Figure, Heat, Report, Section, Table};

/// Shortens every absolute path in a text to `…/NAME`.
pub(crate) fn shorten(text: &str) -> String {
    let (mut out, mut rest, mut before) = (String::with_capacity(text.len()), text, None);
    while let Some(next) = rest.chars().next() {
        let length = if before.is_none_or(opens) { path_length(rest) } else { 0 };
        if length > 0 {
            let path = rest[..length].trim_end_matches(['/', '\\']);
            out.push_str("…/");
            out.push_str(path.rsplit(['/', '\\']).next().unwrap_or_default());
            (rest, before) = (&rest[length..], Some('/'));
        } else {
            out.push(next);
            (rest, before) = (&rest[next.len_utf8()..], Some(next));
        }
    }
    out
}

/// Returns `true` if a path may begin after this letter.
fn opens(c: char) -> bool {
    c.is_whitespace() || matches!(c, '"' | '\'' | '(' | '=' | ',' | '[' | ':' | '`')
}

/// Returns the length of the absolute path at the beginning of a text: `/a/b` or `C:\a`. Returns 0 if there is none.
fn path_length(text: &str) -> usize {
    let end =
        text.find(|c: char| matches!(c, '"' | '\'' | ')' | ',' | ']' | '`' | '#' | '|') || c.is_whitespace());
    let word = &text[..end.unwrap_or(text.len())];
    let is_unix = word.starts_with('/') && word[1..].contains('/') && !word.starts_with("//");
    let mut letters = word.chars();
    let has_drive = letters.next().is_some_and(|c| c.is_ascii_alphabetic()) && letters.next() == Some(':');
    let is_windows = has_drive && matches!(letters.next(), Some('\\' | '/'));
    if is_unix || is_windows { word.trim_end_matches([':', ';', '.']).len() } else { 0 }
}

impl Report {
    /// Returns the report without absolute paths.
    pub(super) fn without_paths(&self) -> Self {
        let mut report = self.clone();
        let Self { title, conditions, source, setup, findings, tables, heats, figures, sections } =
            &mut report;
        let cut = |text: &mut String| *text = shorten(text);
        cut(title);
        for condition in conditions {
            condition.values.iter_mut().for_each(cut);
        }
        if let Some(source) = source {
            cut(&mut source.text);
        }
        setup.iter_mut().for_each(cut);
        for finding in findings {
            finding.measured.iter_mut().for_each(|measured| cut(&mut measured.what));
        }
        tables.iter_mut().for_each(clean_table);
        for Heat { caption, map, .. } in heats {
            [caption, &mut map.title].into_iter().for_each(cut);
        }
        figures.iter_mut().for_each(clean_figure);
        for Section { title, tables, figures } in sections {
            cut(title);
            tables.iter_mut().for_each(clean_table);
            figures.iter_mut().for_each(clean_figure);
        }
        report
    }
}

fn clean_table(table: &mut Table) {
    let Table { title, columns, lines, note } = table;
    let all = columns.iter_mut().chain(lines.iter_mut().flatten()).chain([title, note]);
    all.for_each(|text| *text = shorten(text));
}

fn clean_figure(figure: &mut Figure) {
    let Figure { caption, plot, .. } = figure;
    let names = plot.series.iter_mut().map(|series| &mut series.name);
    names.chain([caption, &mut plot.title]).for_each(|text| *text = shorten(text));
}

#[cfg(test)]
mod tests {
    use super::shorten;

    #[test]
    fn absolute_paths_are_cut_and_nothing_else() {
        let cases = [
            ("maps = [\"/home/me/maps/a b.map\"]", "maps = [\"…/a b.map\"]"),
            ("maps = [\"/home/me/maps/a.map\", \"b/c.map\"]", "maps = [\"…/a.map\", \"b/c.map\"]"),
            ("knn-lrta(database=/data/k.db,records=5) at 10", "knn-lrta(database=…/k.db,records=5) at 10"),
            ("dynamic(C:\\worlds\\doors.txt)", "dynamic(…/doors.txt)"),
            ("/a/b/c.map#0123: 3×4", "…/c.map#0123: 3×4"),
            ("folder /a/b/ and so on", "folder …/b and so on"),
        ];
        for (text, short) in cases {
            assert_eq!(shorten(text), short);
        }
        for same in [
            "cost / optimal",
            "µs/move",
            "TBA*/A*",
            "1/2",
            "https://example.org/x",
            "a, /b",
            "maps/a.map",
            "3:4 /",
        ] {
            assert_eq!(shorten(same), same);
        }
    }
}
