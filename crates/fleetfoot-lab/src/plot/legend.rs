//! The legend: next to the plot, or below it if names are long.

use super::Plot;
use super::layout::{Sheet, seen, width};

/// Maximum width of names next to the plot: about 20 letters.
const BESIDE: f64 = 165.0;
/// Maximum number of letters in a line below the plot, on a screen and in a column.
const LINES: [usize; 2] = [64, 40];
/// Distance from a label's left end to its name, and between lines.
const MARK: f64 = 36.0;
const LEADING: f64 = 20.0;

/// A legend.
#[derive(Debug)]
pub(super) struct Legend {
    pub(super) is_below: bool,
    /// Width next to the plot.
    pub(super) width: f64,
    /// One label per series. Series without a name have no lines.
    pub(super) labels: Vec<Label>,
}

/// The name of a series, and its position.
#[derive(Debug)]
pub(super) struct Label {
    pub(super) at: (f64, f64),
    pub(super) lines: Vec<String>,
}

impl Legend {
    /// Creates the legend without positions.
    pub(super) fn of(plot: &Plot, sheet: Sheet) -> Self {
        let names: Vec<String> = plot
            .series
            .iter()
            .map(|series| {
                let is_empty = !series.points.iter().any(|point| seen(plot, point));
                if is_empty && !series.name.is_empty() {
                    format!("{} (no data)", series.name)
                } else {
                    series.name.clone()
                }
            })
            .collect();
        let widest = names.iter().map(|name| width(name)).fold(0.0, f64::max);
        let is_below = widest > BESIDE || sheet == Sheet::Column;
        let most = LINES[usize::from(sheet == Sheet::Column)];
        let lines = |name: String| if is_below { wrap(&name, most) } else { vec![name] };
        let label = |name| Label { at: (0.0, 0.0), lines: lines(name) };
        let width = if is_below || widest < 1.0 { 20.0 } else { widest + MARK + 26.0 };
        Self { is_below, width, labels: names.into_iter().map(label).collect() }
    }

    /// Arranges the labels in as many columns as fit into `across`, at least one. Returns the height.
    pub(super) fn arrange(&mut self, (left, top): (f64, f64), across: f64) -> f64 {
        let lines = self.labels.iter().flat_map(|label| &label.lines);
        let column = MARK + 20.0 + lines.map(|line| width(line)).fold(0.0, f64::max);
        #[expect(clippy::cast_sign_loss, reason = "widths are positive")]
        let columns = ((across / column) as usize).max(1);
        let mut y = top + 12.0;
        for row in self.labels.chunks_mut(columns) {
            let lines = row.iter().map(|label| label.lines.len()).max().unwrap_or(0);
            for (k, label) in row.iter_mut().enumerate() {
                label.at = (left + k as f64 * column, y);
            }
            y += lines as f64 * LEADING;
        }
        y - top
    }
}

/// Breaks a name into lines of at most `most` letters, after a space or comma if possible.
fn wrap(name: &str, most: usize) -> Vec<String> {
    let (mut lines, mut line, mut used) = (Vec::new(), String::new(), 0);
    for word in name.split_inclusive([' ', ',']) {
        if used > 0 && used + word.chars().count() > most {
            lines.push(std::mem::take(&mut line));
            used = 0;
        }
        for letter in word.chars() {
            if used == most {
                lines.push(std::mem::take(&mut line));
                used = 0;
            }
            line.push(letter);
            used += 1;
        }
    }
    lines.push(line);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrapping_loses_no_letter() {
        let words = "tba(shortcut=persistent,switch-rule=on), on the large map of a game ".repeat(3);
        for name in ["", "A*", &words, &"x".repeat(200), &format!("a {}", "é".repeat(130))] {
            let lines = wrap(name, 64);
            assert_eq!(lines.concat(), name);
            assert!(lines.iter().all(|line| line.chars().count() <= 64), "{lines:?}");
        }
        assert_eq!(wrap(&words, 64).len(), 4);
    }
}
