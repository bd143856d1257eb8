//! Maps as pictures, in colours that the colour-blind can tell apart (after Okabe and Ito): they differ in
//! brightness too, and what matters stands out from all terrain.

use std::io::{self, Write};
use std::ops::Range;

use fleetfoot_sim::error::InputError;
use fleetfoot_sim::map::GridMap;

use crate::source::Pair;
use fleetfoot_view::canvas::Colour;

/// The longer side of a picture, in pixels, if nothing is said.
const SIDE: u32 = 1024;
/// More pixels than this are refused.
const MAX_PIXELS: u64 = 1 << 27;

#[derive(Clone, Copy)]
enum Ink {
    Ground,
    Grass,
    Swamp,
    Wall,
    Outside,
    Trees,
    Water,
    Path,
    Start,
    Goal,
    Rim,
}

/// By ink: red, green, blue.
const PALETTE: [Colour; 11] = [
    [247, 244, 236], // ground: off-white
    [214, 228, 190], // grass: pale green
    [217, 196, 150], // swamp: tan
    [88, 88, 92],    // wall: dark grey
    [28, 28, 30],    // outside: nearly black
    [22, 92, 74],    // trees: dark green
    [86, 160, 214],  // water: sky blue
    [213, 94, 0],    // path: vermilion
    [0, 84, 170],    // start: blue
    [204, 84, 150],  // goal: reddish purple
    [255, 255, 255], // rim of start and goal
];

/// The colour of a terrain letter.
pub(crate) fn colour(letter: u8) -> Colour {
    PALETTE[Ink::of(letter) as usize]
}

pub(crate) const START: Colour = PALETTE[Ink::Start as usize];
pub(crate) const GOAL: Colour = PALETTE[Ink::Goal as usize];

impl Ink {
    fn of(letter: u8) -> Self {
        match letter {
            b'.' => Self::Ground,
            b'G' => Self::Grass,
            b'S' => Self::Swamp,
            b'@' => Self::Wall,
            b'T' => Self::Trees,
            b'W' => Self::Water,
            _ => Self::Outside,
        }
    }
}

/// A picture of a map.
pub(crate) struct Picture {
    width: u32,
    height: u32,
    /// Pixels per cell.
    scale: u32,
    /// An ink per pixel.
    pixels: Vec<u8>,
}

impl Picture {
    /// The map alone.
    pub(crate) fn of(map: &GridMap, scale: Option<u32>) -> Result<Self, InputError> {
        let scale = scale.unwrap_or((SIDE / map.width().max(map.height())).clamp(1, 32));
        let (width, height) = (map.width().saturating_mul(scale), map.height().saturating_mul(scale));
        if scale == 0 || u64::from(width) * u64::from(height) > MAX_PIXELS {
            let what = format!("with {scale} pixels per cell the picture would have {width}x{height} pixels");
            let most = (MAX_PIXELS / map.cells().len() as u64).isqrt();
            let remedy = if most == 0 {
                "the map is too large to draw".into()
            } else {
                format!("choose a --scale from 1 to {most}")
            };
            return Err(InputError::new(what, remedy));
        }
        let mut pixels = Vec::with_capacity(width as usize * height as usize);
        for row in map.cells().chunks_exact(map.width() as usize) {
            let start = pixels.len();
            for &letter in row {
                pixels.resize(pixels.len() + scale as usize, Ink::of(letter) as u8);
            }
            for _ in 1..scale {
                pixels.extend_from_within(start..start + width as usize);
            }
        }
        Ok(Self { width, height, scale, pixels })
    }

    /// A line along these cells, each a neighbour of the one before.
    pub(crate) fn path(&mut self, cells: &[(u32, u32)]) {
        // Half a cell wide, but wide enough to be seen in a small picture.
        let pen = (self.scale / 2).max(self.visible() / 3).max(2);
        for step in cells.windows(2) {
            let (a, b) = (self.centre(step[0]), self.centre(step[1]));
            for k in 0..=self.scale {
                let between = |a: u32, b: u32| (a * (self.scale - k) + b * k) / self.scale;
                self.square((between(a.0, b.0), between(a.1, b.1)), pen, Ink::Path);
            }
        }
    }

    /// Start and goal, told apart by shape as well as colour, with a rim that stands out from any ground.
    pub(crate) fn ends(&mut self, (start, goal): Pair) {
        let side = (self.scale + 2).max(self.visible());
        let rim = (side / 6).max(1);
        for (grow, ink) in [(2 * rim, Some(Ink::Rim)), (rim, Some(Ink::Outside)), (0, None)] {
            let (start, goal) = (self.centre(start), self.centre(goal));
            self.square(start, side + 2 * grow, ink.unwrap_or(Ink::Start));
            self.diamond(goal, side * 2 / 3 + grow, ink.unwrap_or(Ink::Goal));
        }
    }

    /// A size that the eye finds in this picture.
    fn visible(&self) -> u32 {
        self.width.max(self.height) / 96
    }

    fn centre(&self, (x, y): (u32, u32)) -> (u32, u32) {
        (x * self.scale + self.scale / 2, y * self.scale + self.scale / 2)
    }

    fn square(&mut self, (x, y): (u32, u32), side: u32, ink: Ink) {
        for row in y.saturating_sub(side / 2)..(y + side).saturating_sub(side / 2) {
            self.bar(row, x.saturating_sub(side / 2)..(x + side).saturating_sub(side / 2), ink);
        }
    }

    /// A square on its corner.
    fn diamond(&mut self, (x, y): (u32, u32), radius: u32, ink: Ink) {
        for row in y.saturating_sub(radius)..=y + radius {
            let half = radius - row.abs_diff(y);
            self.bar(row, x.saturating_sub(half)..x + half + 1, ink);
        }
    }

    /// A part of a row of pixels; what lies outside is left out.
    fn bar(&mut self, row: u32, columns: Range<u32>, ink: Ink) {
        let columns = columns.start.min(self.width) as usize..columns.end.min(self.width) as usize;
        if row < self.height {
            let start = row as usize * self.width as usize;
            self.pixels[start + columns.start..start + columns.end].fill(ink as u8);
        }
    }

    /// Writes the picture as PNG.
    pub(crate) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut encoder = png::Encoder::new(out, self.width, self.height);
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_palette(PALETTE.concat());
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.pixels)?;
        Ok(writer.finish()?)
    }
}
