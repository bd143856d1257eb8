//! Short labels in pictures, in a bitmap font of 5×7 pixels.

use crate::canvas::{Canvas, Colour};

/// Pixels from one character to the next, before scaling.
const ADVANCE: u32 = 6;
/// Pixels from the top of a letter to its foot, before scaling. Descenders go two pixels below.
const HEIGHT: u32 = 7;

/// Returns the rows of a character from top to bottom. The highest of the five bits is the leftmost pixel. Unknown
/// characters are a small box.
fn glyph(c: char) -> [u8; 9] {
    let (rows, descender): ([u8; 7], [u8; 2]) = match c.to_ascii_lowercase() {
        '0' => ([14, 17, 19, 21, 25, 17, 14], [0, 0]),
        '1' => ([4, 12, 4, 4, 4, 4, 14], [0, 0]),
        '2' => ([14, 17, 1, 6, 8, 16, 31], [0, 0]),
        '3' => ([14, 17, 1, 6, 1, 17, 14], [0, 0]),
        '4' => ([2, 6, 10, 18, 31, 2, 2], [0, 0]),
        '5' => ([31, 16, 30, 1, 1, 17, 14], [0, 0]),
        '6' => ([6, 8, 16, 30, 17, 17, 14], [0, 0]),
        '7' => ([31, 1, 2, 4, 4, 8, 8], [0, 0]),
        '8' => ([14, 17, 17, 14, 17, 17, 14], [0, 0]),
        '9' => ([14, 17, 17, 15, 1, 2, 12], [0, 0]),
        'a' => ([0, 0, 14, 1, 15, 17, 15], [0, 0]),
        'b' => ([16, 16, 30, 17, 17, 17, 30], [0, 0]),
        'c' => ([0, 0, 15, 16, 16, 16, 15], [0, 0]),
        'd' => ([1, 1, 15, 17, 17, 17, 15], [0, 0]),
        'e' => ([0, 0, 14, 17, 31, 16, 14], [0, 0]),
        'f' => ([6, 8, 28, 8, 8, 8, 8], [0, 0]),
        'g' => ([0, 0, 15, 17, 17, 17, 15], [1, 14]),
        'h' => ([16, 16, 30, 17, 17, 17, 17], [0, 0]),
        'i' => ([4, 0, 12, 4, 4, 4, 14], [0, 0]),
        'j' => ([2, 0, 6, 2, 2, 2, 2], [18, 12]),
        'k' => ([16, 16, 18, 20, 24, 20, 18], [0, 0]),
        'l' => ([12, 4, 4, 4, 4, 4, 14], [0, 0]),
        'm' => ([0, 0, 26, 21, 21, 21, 21], [0, 0]),
        'n' => ([0, 0, 30, 17, 17, 17, 17], [0, 0]),
        'o' => ([0, 0, 14, 17, 17, 17, 14], [0, 0]),
        'p' => ([0, 0, 30, 17, 17, 17, 30], [16, 16]),
        'q' => ([0, 0, 15, 17, 17, 17, 15], [1, 1]),
        'r' => ([0, 0, 22, 25, 16, 16, 16], [0, 0]),
        's' => ([0, 0, 15, 16, 14, 1, 30], [0, 0]),
        't' => ([8, 8, 28, 8, 8, 8, 6], [0, 0]),
        'u' => ([0, 0, 17, 17, 17, 17, 15], [0, 0]),
        'v' => ([0, 0, 17, 17, 17, 10, 4], [0, 0]),
        'w' => ([0, 0, 17, 17, 21, 21, 10], [0, 0]),
        'x' => ([0, 0, 17, 10, 4, 10, 17], [0, 0]),
        'y' => ([0, 0, 17, 17, 17, 17, 15], [1, 14]),
        'z' => ([0, 0, 31, 2, 4, 8, 31], [0, 0]),
        '*' => ([0, 21, 14, 31, 14, 21, 0], [0, 0]),
        '-' => ([0, 0, 0, 31, 0, 0, 0], [0, 0]),
        '(' => ([2, 4, 8, 8, 8, 4, 2], [0, 0]),
        ')' => ([8, 4, 2, 2, 2, 4, 8], [0, 0]),
        '=' => ([0, 0, 31, 0, 31, 0, 0], [0, 0]),
        '.' => ([0, 0, 0, 0, 0, 12, 12], [0, 0]),
        ':' => ([0, 12, 12, 0, 12, 12, 0], [0, 0]),
        ',' => ([0, 0, 0, 0, 0, 12, 12], [4, 8]),
        ' ' => ([0; 7], [0, 0]),
        _ => ([0, 0, 31, 17, 17, 17, 31], [0, 0]),
    };
    [rows[0], rows[1], rows[2], rows[3], rows[4], rows[5], rows[6], descender[0], descender[1]]
}

/// Returns the width of a text in pixels.
pub(crate) fn width(text: &str, scale: u32) -> u32 {
    text.chars().count() as u32 * ADVANCE * scale
}

/// Returns the height of a line of text in pixels, descenders and margins included.
pub(crate) const fn line_height(scale: u32) -> u32 {
    (HEIGHT + 6) * scale
}

/// Draws a line of text. `left` and `top` are the corner of the line, margins included.
pub(crate) fn draw(canvas: &mut Canvas, (left, top): (u32, u32), scale: u32, color: Colour, text: &str) {
    for (k, c) in (0..).zip(text.chars()) {
        for (y, row) in (0..).zip(glyph(c)) {
            for x in (0..5).filter(|x| row >> (4 - x) & 1 == 1) {
                let (px, py) = (left + (k * ADVANCE + x) * scale, top + (y + 2) * scale);
                for (dx, dy) in (0..scale).flat_map(|dx| (0..scale).map(move |dy| (dx, dy))) {
                    canvas.set((px + dx, py + dy), color);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_of_labels_has_its_own_glyph() {
        let all: Vec<_> = "0123456789abcdefghijklmnopqrstuvwxyz*-()=.:,".chars().collect();
        for (k, a) in all.iter().enumerate() {
            assert_ne!(glyph(*a), glyph('~'), "{a}");
            assert!(all[..k].iter().all(|b| glyph(*b) != glyph(*a)), "{a}");
        }
    }
}
