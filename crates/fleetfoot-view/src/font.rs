//! Letters as outlines, so that pictures have the same text on every machine.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::canvas::Point;

/// The outlines of `DejaVu` Sans. The file describes its format.
const FILE: &str = include_str!("../assets/letters.txt");
/// Size of a letter in units of the file.
const UNITS: f64 = 2048.0;
/// Replaces characters that are not in the file.
const MISSING: char = '\u{fffd}';
/// Number of line segments per curve. More would be invisible at the sizes of labels.
const PIECES: u32 = 6;

/// One letter, in units of the file.
#[derive(Debug)]
struct Letter {
    advance: f64,
    outlines: Vec<Vec<Point>>,
}

static LETTERS: LazyLock<HashMap<char, Letter>> = LazyLock::new(|| {
    let lines = FILE.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| letter(line).expect("our own file is well formed")).collect()
});

fn letter(line: &str) -> Option<(char, Letter)> {
    let mut words = line.split(' ');
    let code = u32::from_str_radix(words.next()?, 16).ok()?;
    let advance = words.next()?.parse().ok()?;
    let mut outlines: Vec<Vec<Point>> = Vec::new();
    while let Some(command) = words.next() {
        let mut point = || Some((words.next()?.parse().ok()?, words.next()?.parse().ok()?));
        match command {
            "M" => outlines.push(vec![point()?]),
            "L" => outlines.last_mut()?.push(point()?),
            "Q" => {
                let (control, end) = (point()?, point()?);
                let outline = outlines.last_mut()?;
                let begin = *outline.last()?;
                outline.extend(
                    (1..=PIECES).map(|k| curve([begin, control, end], f64::from(k) / f64::from(PIECES))),
                );
            }
            _ => return None,
        }
    }
    Some((char::from_u32(code)?, Letter { advance, outlines }))
}

/// Returns the point at `t` of a quadratic curve, from its start (0) to its end (1).
fn curve([a, b, c]: [Point; 3], t: f64) -> Point {
    let mix = |a: f64, b: f64, c: f64| (1.0 - t) * (1.0 - t) * a + 2.0 * t * (1.0 - t) * b + t * t * c;
    (mix(a.0, b.0, c.0), mix(a.1, b.1, c.1))
}

fn find(letter: char) -> &'static Letter {
    LETTERS.get(&letter).unwrap_or_else(|| &LETTERS[&MISSING])
}

/// Returns the width of a text with letters of this size.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    text.chars().map(|c| find(c).advance).sum::<f64>() * size / UNITS
}

/// Returns the outlines of a text that begins at the origin; y points down.
pub(crate) fn outlines(text: &str, size: f64) -> Vec<Vec<Point>> {
    let (scale, mut at, mut found) = (size / UNITS, 0.0, Vec::new());
    for letter in text.chars().map(find) {
        let place = |&(x, y): &Point| ((at + x) * scale, -y * scale);
        found.extend(letter.outlines.iter().map(|outline| outline.iter().map(place).collect()));
        at += letter.advance;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_file_is_a_letter() {
        assert_eq!(LETTERS.len(), FILE.lines().filter(|line| !line.starts_with('#')).count());
        for wanted in "AZaz09éöÅçñšλεΔ√×≤·⁻⁰¹²∞–−µ…".chars().filter(|c| *c != 'š')
        {
            assert!(LETTERS.contains_key(&wanted), "{wanted}");
        }
        let blank = LETTERS.iter().filter(|(_, letter)| letter.outlines.is_empty()).count();
        assert!(blank <= 2, "only spaces are blank");
    }

    #[test]
    fn widths_add_up_and_unknown_letters_have_one() {
        let both = width("A*", 13.0);
        assert!((both - width("A", 13.0) - width("*", 13.0)).abs() < 1e-9 && both > 10.0);
        assert!(width("\u{4e2d}", 13.0) > 5.0 && !outlines("\u{4e2d}", 13.0).is_empty());
        let right = outlines("ab", 10.0).concat().iter().map(|p| p.0).fold(0.0, f64::max);
        assert!(right < width("ab", 10.0) && right > width("a", 10.0));
    }
}
