//! Text in columns, and numbers for readers.

use std::io::{self, Write};

pub(crate) use fleetfoot_lab::whole;

/// Separates two columns.
const GAP: &str = "  ";

/// Minimum width of a folded column.
const LEAST_FOLDED: usize = 20;

/// A table of text: column names, and lines below them. The first columns are flush left, the others right.
pub(crate) struct Columns {
    names: Vec<&'static str>,
    lines: Vec<Vec<String>>,
    /// Number of columns that are flush left.
    left: usize,
}

impl Columns {
    pub(crate) fn new(names: &[&'static str], left: usize) -> Self {
        Self { names: names.to_vec(), lines: Vec::new(), left }
    }

    pub(crate) fn push(&mut self, line: Vec<String>) {
        debug_assert_eq!(line.len(), self.names.len());
        self.lines.push(line);
    }

    /// Removes a column in which every line has `value`.
    pub(crate) fn drop_if_all(&mut self, name: &str, value: &str) {
        let Some(k) = self.names.iter().position(|other| *other == name) else { return };
        if self.lines.iter().all(|line| line[k] == value) {
            self.drop(name);
        }
    }

    /// Removes a column.
    pub(crate) fn drop(&mut self, name: &str) {
        let Some(k) = self.names.iter().position(|other| *other == name) else { return };
        self.names.remove(k);
        for line in &mut self.lines {
            line.remove(k);
        }
    }

    /// Removes columns in this order until the table fits into `width`. Returns the names of the removed columns.
    pub(crate) fn shrink(&mut self, width: usize, order: &[&'static str]) -> Vec<&'static str> {
        let mut removed = Vec::new();
        for name in order {
            if self.width() > width && self.names.contains(name) {
                self.drop(name);
                removed.push(*name);
            }
        }
        removed
    }

    /// Returns the width of the longest line.
    pub(crate) fn width(&self) -> usize {
        let widths = self.widths();
        widths.iter().sum::<usize>() + GAP.len() * widths.len().saturating_sub(1)
    }

    fn widths(&self) -> Vec<usize> {
        let chars = |text: &str| text.chars().count();
        let width = |(k, name): (usize, &&str)| {
            self.lines.iter().map(|line| chars(&line[k])).fold(chars(name), usize::max)
        };
        self.names.iter().enumerate().map(width).collect()
    }

    pub(crate) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let widths = self.widths();
        self.line(out, &widths, &self.names)?;
        self.lines.iter().try_for_each(|line| self.line(out, &widths, line))
    }

    /// Writes a table of flush-left columns. Folds the last column if the table does not fit into `width`.
    pub(crate) fn write_folded(&self, out: &mut dyn Write, width: usize) -> io::Result<()> {
        let mut widths = self.widths();
        let Some(last) = widths.pop() else { return Ok(()) };
        let before = self.width() - last;
        if self.width() <= width || width < before + LEAST_FOLDED {
            return self.write(out);
        }
        widths.push(width - before);
        self.line(out, &widths, &self.names)?;
        for line in &self.lines {
            let (text, cells) =
                line.split_last().map_or(("", &[][..]), |(text, cells)| (text.as_str(), cells));
            let parts = fold(text, width - before);
            let first = [cells, &[parts.first().cloned().unwrap_or_default()]].concat();
            self.line(out, &widths, &first)?;
            for part in parts.into_iter().skip(1) {
                writeln!(out, "{:before$}{part}", "")?;
            }
        }
        Ok(())
    }

    fn line(&self, out: &mut dyn Write, widths: &[usize], words: &[impl AsRef<str>]) -> io::Result<()> {
        let cell = |(k, (word, &width))| {
            let word = AsRef::<str>::as_ref(word);
            if k < self.left { format!("{word:<width$}") } else { format!("{word:>width$}") }
        };
        let cells: Vec<String> = words.iter().zip(widths).enumerate().map(cell).collect();
        writeln!(out, "{}", cells.join(GAP).trim_end())
    }
}

/// Folds a text into lines of at most `width` characters, broken between words.
pub(crate) fn fold(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.into()),
        }
    }
    lines
}

/// Formats a number of things.
pub(crate) fn plural(n: u64, noun: &str) -> String {
    format!("{} {noun}{}", whole(n), if n == 1 { "" } else { "s" })
}

/// Formats a mean, with a decimal if it is small.
pub(crate) fn mean(x: f64) -> String {
    #[expect(clippy::cast_sign_loss, reason = "means of counts are not negative")]
    if x >= 99.95 { whole(x.round() as u64) } else { format!("{x:.1}") }
}

/// Formats nanoseconds as microseconds with three significant digits.
pub(crate) fn micros(nanos: f64) -> String {
    match nanos / 1000.0 {
        us if us >= 99.95 => mean(us),
        us if us >= 9.995 => format!("{us:.1}"),
        us => format!("{us:.2}"),
    }
}

/// Formats a number of bytes with a unit.
pub(crate) fn bytes(n: f64) -> String {
    const UNITS: [&str; 4] = ["B", "KB", "MB", "GB"];
    let (mut size, mut unit) = (n, 0);
    while size >= 999.5 && unit + 1 < UNITS.len() {
        (size, unit) = (size / 1000.0, unit + 1);
    }
    if unit == 0 || size >= 99.5 {
        format!("{size:.0} {}", UNITS[unit])
    } else {
        format!("{size:.1} {}", UNITS[unit])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_for_people() {
        assert_eq!([0.0, 1.25, 99.94, 99.96, 1234.6].map(mean), ["0.0", "1.2", "99.9", "100", "1,235"]);
        assert_eq!([40.0, 9_994.0, 12_345.0, 1_234_500.0].map(micros), ["0.04", "9.99", "12.3", "1,235"]);
        assert_eq!(
            [0.0, 999.0, 1_500.0, 123_456.0, 2.5e6, 7e12].map(bytes),
            ["0 B", "999 B", "1.5 KB", "123 KB", "2.5 MB", "7000 GB"]
        );
    }

    #[test]
    fn long_texts_are_broken_between_words() {
        assert_eq!(fold("one two  three fourteen", 8), ["one two", "three", "fourteen"]);
        assert!(fold(" ", 8).is_empty());
    }

    #[test]
    fn tables_are_shrunk_and_folded_to_the_width() {
        let mut columns = Columns::new(&["name", "count", "meaning"], 3);
        columns.push(vec!["a".into(), "12".into(), "one two three four five six seven".into()]);
        let mut out = Vec::new();
        columns.write_folded(&mut out, 34).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(
            text,
            "name  count  meaning\na     12     one two three four\n             five six seven\n"
        );
        assert_eq!(columns.shrink(20, &["meaning", "count"]), ["meaning"]);
        assert_eq!(columns.width(), 11);
    }

    #[test]
    fn columns_line_up_and_drop_out() {
        let mut columns = Columns::new(&["name", "n", "none"], 1);
        columns.push(vec!["a".into(), "1".into(), "0".into()]);
        columns.push(vec!["longer".into(), "1,000".into(), "0".into()]);
        columns.drop_if_all("none", "0");
        columns.drop_if_all("n", "1");
        let mut out = Vec::new();
        columns.write(&mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "name        n\na           1\nlonger  1,000\n");
    }
}
