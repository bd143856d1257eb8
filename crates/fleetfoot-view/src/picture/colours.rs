//! The palette of a moving picture.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::canvas::{Canvas, Colour};

/// Maximum number of colors in a GIF, without the one that means "unchanged".
const MOST: usize = 255;

/// Counts the pixels of each color.
#[derive(Debug, Default)]
pub(super) struct Palette(HashMap<Colour, u64>);

impl Palette {
    pub(super) fn count(&mut self, canvas: &Canvas) {
        // Adjacent pixels mostly have the same color: one lookup for each run.
        for run in canvas.pixels().chunk_by(|a, b| a == b) {
            *self.0.entry(run[0]).or_insert(0) += run.len() as u64;
        }
    }

    /// Keeps the most frequent colors, and maps each other color to the nearest of them.
    pub(super) fn finish(self) -> Fixed {
        let mut all: Vec<_> = self.0.into_iter().collect();
        // Ties are broken by color, so a record always gives the same file.
        all.sort_unstable_by_key(|(colour, count)| (u64::MAX - count, *colour));
        let kept: Vec<Colour> = all.iter().take(MOST).map(|(colour, _)| *colour).collect();
        let distance =
            |a: &Colour, b: &Colour| -> u32 { (0..3).map(|k| u32::from(a[k].abs_diff(b[k])).pow(2)).sum() };
        let nearest =
            |colour: &Colour| (0..kept.len()).min_by_key(|k| distance(&kept[*k], colour)).unwrap_or(0);
        let index = all.iter().map(|(colour, _)| (*colour, nearest(colour) as u8)).collect();
        Fixed { bytes: [kept.as_flattened(), &[0; 3]].concat(), index }
    }
}

/// A fixed palette.
#[derive(Debug)]
pub(super) struct Fixed {
    bytes: Vec<u8>,
    index: HashMap<Colour, u8>,
}

impl Fixed {
    /// Returns red, green and blue of each color. The last one means "unchanged".
    pub(super) fn colours(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the index that means "unchanged".
    pub(super) fn nothing(&self) -> u8 {
        (self.bytes.len() / 3 - 1) as u8
    }

    pub(super) fn indices(&self, canvas: &Canvas) -> Vec<u8> {
        let mut out = Vec::with_capacity(canvas.pixels().len());
        for run in canvas.pixels().chunk_by(|a, b| a == b) {
            let index = self.index.get(&run[0]).copied().unwrap_or(0);
            out.resize(out.len() + run.len(), index);
        }
        out
    }
}

/// Returns the part of a picture that differs from the previous one. Equal pixels in it are marked as unchanged.
pub(super) fn changed(before: Option<&[u8]>, now: &[u8], width: u32, nothing: u8) -> gif::Frame<'static> {
    let width = width as usize;
    let height = now.len() / width.max(1);
    let differs = |k: usize| before.is_none_or(|before| before[k] != now[k]);
    let (mut left, mut right, mut top, mut bottom) = (width, 0, height, 0);
    for k in (0..now.len()).filter(|k| differs(*k)) {
        let (x, y) = (k % width, k / width);
        (left, right) = (left.min(x), right.max(x + 1));
        (top, bottom) = (top.min(y), bottom.max(y + 1));
    }
    if left >= right {
        // Nothing differs, but a frame must have a pixel.
        (left, right, top, bottom) = (0, 1, 0, 1);
    }
    let cells = (top..bottom).flat_map(|y| (left..right).map(move |x| y * width + x));
    let buffer: Vec<u8> = cells.map(|k| if differs(k) { now[k] } else { nothing }).collect();
    gif::Frame {
        left: left as u16,
        top: top as u16,
        width: (right - left) as u16,
        height: (bottom - top) as u16,
        transparent: Some(nothing),
        dispose: gif::DisposalMethod::Keep,
        buffer: Cow::Owned(buffer),
        ..gif::Frame::default()
    }
}
