//! An RGB canvas with antialiasing. All raster pictures are painted on one.

mod fill;

use std::io::{self, Write};

use self::fill::Cover;
use crate::font;

/// An RGB color.
pub type Colour = [u8; 3];

/// A position on the canvas in pixels. Whole numbers are the corners of pixels.
pub type Point = (f64, f64);

/// A picture that is being painted.
#[derive(Clone, Debug)]
pub struct Canvas {
    width: u32,
    height: u32,
    pixels: Vec<Colour>,
}

/// The part of a canvas that may be painted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    /// The first column.
    pub left: u32,
    /// The first row.
    pub top: u32,
    /// One past the last column.
    pub right: u32,
    /// One past the last row.
    pub bottom: u32,
}

/// Which part of a text is at the given position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// The start.
    Start,
    /// The middle.
    Middle,
    /// The end.
    End,
}

/// The style of a text.
#[derive(Clone, Copy, Debug)]
pub struct TextStyle {
    /// Size of the letters in pixels.
    pub size: f64,
    /// Which part of the text is at its position.
    pub anchor: Anchor,
    /// Runs upward instead of to the right.
    pub upward: bool,
    /// Color of the letters.
    pub colour: Colour,
}

impl Canvas {
    /// Creates a canvas of one color.
    pub fn new(width: u32, height: u32, colour: Colour) -> Self {
        Self { width, height, pixels: vec![colour; width as usize * height as usize] }
    }

    /// Returns the numbers of columns and rows.
    pub fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    /// Returns all pixels, row by row.
    pub fn pixels(&self) -> &[Colour] {
        &self.pixels
    }

    /// Paints one pixel.
    pub fn set(&mut self, (x, y): (u32, u32), colour: Colour) {
        self.pixels[y as usize * self.width as usize + x as usize] = colour;
    }

    /// Draws a line with round ends.
    pub fn line(&mut self, frame: Area, (a, b): (Point, Point), width: f64, colour: Colour) {
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let length = dx * dx + dy * dy;
        let outside = |(x, y): Point| {
            let along = if length > 0.0 { ((x - a.0) * dx + (y - a.1) * dy) / length } else { 0.0 };
            let along = along.clamp(0.0, 1.0);
            let (off_x, off_y) = (x - a.0 - along * dx, y - a.1 - along * dy);
            // Not `hypot`: a square root is rounded alike on every platform, so pictures are equal everywhere.
            (off_x * off_x + off_y * off_y).sqrt() - width / 2.0
        };
        self.shape(frame, (a, b), width / 2.0, colour, outside);
    }

    /// Fills a circle.
    pub fn disc(&mut self, frame: Area, centre: Point, radius: f64, colour: Colour) {
        self.line(frame, (centre, centre), 2.0 * radius, colour);
    }

    /// Fills a circle anywhere on the canvas.
    pub fn dot(&mut self, centre: Point, radius: f64, colour: Colour) {
        let whole = Area { left: 0, top: 0, right: self.width, bottom: self.height };
        self.disc(whole, centre, radius, colour);
    }

    /// Fills a square.
    pub fn square(&mut self, frame: Area, centre: Point, side: f64, colour: Colour) {
        let outside = |(x, y): Point| (x - centre.0).abs().max((y - centre.1).abs()) - side / 2.0;
        self.shape(frame, (centre, centre), side / 2.0, colour, outside);
    }

    /// Fills a square rotated by 45°.
    pub fn diamond(&mut self, frame: Area, centre: Point, radius: f64, colour: Colour) {
        let outside = |(x, y): Point| {
            ((x - centre.0).abs() + (y - centre.1).abs() - radius) * std::f64::consts::FRAC_1_SQRT_2
        };
        self.shape(frame, (centre, centre), radius, colour, outside);
    }

    /// Fills the area that the outlines enclose. An outline inside another one is a hole if its direction is
    /// opposite.
    pub fn fill(&mut self, outlines: &[Vec<Point>], colour: Colour) {
        let points = || outlines.iter().flatten();
        #[expect(clippy::cast_sign_loss, reason = "casts of floats saturate")]
        let span = |of: fn(&Point) -> f64, most: u32| {
            let (low, high) = points().map(of).fold((f64::MAX, f64::MIN), |(l, h), v| (l.min(v), h.max(v)));
            let first = (low.floor() as u32).min(most);
            (first, (high.ceil() as u32).clamp(first, most) - first)
        };
        let ((left, width), (top, rows)) = (span(|p| p.0, self.width), span(|p| p.1, self.height));
        let mut cover = Cover::new((left, top), (width, rows));
        for outline in outlines {
            cover.add(outline);
        }
        for (row, shares) in (top as usize..).zip(cover.shares()) {
            let pixels = &mut self.pixels[row * self.width as usize + left as usize..];
            for (pixel, share) in pixels.iter_mut().zip(shares).filter(|(_, share)| *share > 0.0) {
                *pixel = blend(*pixel, colour, share);
            }
        }
    }

    /// Draws a text with the foot of its letters at the given position.
    pub fn text(&mut self, at: Point, style: TextStyle, text: &str) {
        self.fill(&text_outlines(at, style, text), style.colour);
    }

    /// Paints the pixels within `reach` of two points. `outside` returns how far a point is outside of the shape; the
    /// edge is blended over one pixel.
    fn shape(
        &mut self,
        frame: Area,
        (a, b): (Point, Point),
        reach: f64,
        colour: Colour,
        outside: impl Fn(Point) -> f64,
    ) {
        #[expect(clippy::cast_sign_loss, reason = "casts of floats saturate")]
        let span = |a: f64, b: f64, low: u32, high: u32| {
            let (from, to) = ((a.min(b) - reach - 1.0).floor(), (a.max(b) + reach + 1.0).ceil());
            (from as u32).clamp(low, high)..(to as u32).clamp(low, high)
        };
        for y in span(a.1, b.1, frame.top, frame.bottom) {
            for x in span(a.0, b.0, frame.left, frame.right) {
                let cover = 0.5 - outside((f64::from(x) + 0.5, f64::from(y) + 0.5));
                if cover > 0.0 {
                    let pixel = &mut self.pixels[y as usize * self.width as usize + x as usize];
                    *pixel = blend(*pixel, colour, cover.min(1.0));
                }
            }
        }
    }

    /// Writes the canvas as PNG.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut encoder = png::Encoder::new(out, self.width, self.height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(self.pixels.as_flattened())?;
        Ok(writer.finish()?)
    }
}

/// Mixes two colors. `share` is the part of `over`, from 0 to 1.
pub fn blend(under: Colour, over: Colour, share: f64) -> Colour {
    #[expect(clippy::cast_sign_loss, reason = "between two colours")]
    let mix = |k: usize| (f64::from(under[k]) * (1.0 - share) + f64::from(over[k]) * share).round() as u8;
    [mix(0), mix(1), mix(2)]
}

/// Returns the outlines of a text; the foot of its letters is at this place.
pub fn text_outlines((x, y): Point, style: TextStyle, text: &str) -> Vec<Vec<Point>> {
    let TextStyle { size, anchor, upward, colour: _ } = style;
    let before = match anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => font::width(text, size) / 2.0,
        Anchor::End => font::width(text, size),
    };
    let place = |(along, down): Point| {
        let along = along - before;
        if upward { (x + down, y - along) } else { (x + along, y + down) }
    };
    let outlines = font::outlines(text, size).into_iter();
    outlines.map(|outline| outline.into_iter().map(place).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHITE: Colour = [255; 3];
    const BLACK: Colour = [0; 3];
    const ALL: Area = Area { left: 0, top: 0, right: 20, bottom: 10 };

    fn dark(canvas: &Canvas) -> f64 {
        canvas.pixels.iter().map(|pixel| 1.0 - f64::from(pixel[0]) / 255.0).sum()
    }

    #[test]
    fn shapes_cover_their_area() {
        let cover = |draw: &dyn Fn(&mut Canvas)| {
            let mut canvas = Canvas::new(20, 10, WHITE);
            draw(&mut canvas);
            dark(&canvas)
        };
        let close = |a: f64, b: f64| assert!((a - b).abs() < 0.06 * b, "{a} {b}");
        close(cover(&|c| c.square(ALL, (10.0, 5.0), 6.0, BLACK)), 36.0);
        close(cover(&|c| c.disc(ALL, (10.0, 5.0), 4.0, BLACK)), 16.0 * std::f64::consts::PI);
        close(cover(&|c| c.diamond(ALL, (10.0, 5.0), 4.0, BLACK)), 32.0);
        close(cover(&|c| c.line(ALL, ((4.0, 5.0), (16.0, 5.0)), 4.0, BLACK)), 48.0 + 12.57);
    }

    #[test]
    fn outlines_cover_their_area_and_holes_do_not() {
        let dark_after = |outlines: &[Vec<Point>]| {
            let mut canvas = Canvas::new(20, 10, WHITE);
            canvas.fill(outlines, BLACK);
            dark(&canvas)
        };
        let square =
            |at: f64, side: f64| vec![(at, at), (at + side, at), (at + side, at + side), (at, at + side)];
        let reversed = |mut outline: Vec<Point>| {
            outline.reverse();
            outline
        };
        let close = |a: f64, b: f64| assert!((a - b).abs() < 0.3, "{a} {b}");
        close(dark_after(&[square(1.25, 6.5)]), 42.25);
        close(dark_after(&[square(1.25, 6.5), reversed(square(2.5, 3.3))]), 42.25 - 10.89);
        close(dark_after(&[vec![(2.0, 1.0), (17.3, 4.7), (5.1, 8.9)]]), 0.5 * (15.3 * 7.9 - 3.7 * 3.1));
        // The part beyond the canvas is clipped.
        close(dark_after(&[square(-5.0, 8.0)]), 9.0);
        close(dark_after(&[square(5.0, 80.0)]), 75.0);
        close(dark_after(&[vec![(-10.0, -10.0), (90.0, -10.0), (90.0, 50.0), (-10.0, 50.0)]]), 200.0);
        close(dark_after(&[square(50.0, 8.0), vec![]]), 0.0);
        close(dark_after(&[]), 0.0);
    }

    #[test]
    fn texts_are_placed_by_their_anchors() {
        let place = |anchor, upward| {
            let mut canvas = Canvas::new(60, 60, WHITE);
            canvas.text((30.0, 30.0), TextStyle { size: 12.0, anchor, upward, colour: BLACK }, "mm");
            let dark = (0..3600u32).filter(|k| canvas.pixels[*k as usize][0] < 128);
            let (x, y): (Vec<u32>, Vec<u32>) = dark.map(|k| (k % 60, k / 60)).unzip();
            let middle = |v: &[u32]| f64::from(v.iter().sum::<u32>()) / v.len() as f64;
            (middle(&x), middle(&y))
        };
        let near =
            |(x, y): Point, to: Point| assert!((x - to.0).abs() < 2.0 && (y - to.1).abs() < 2.0, "{x} {y}");
        near(place(Anchor::Start, false), (42.0, 26.5));
        near(place(Anchor::Middle, false), (30.0, 26.5));
        near(place(Anchor::End, false), (18.0, 26.5));
        near(place(Anchor::Start, true), (26.5, 18.0));
        near(place(Anchor::End, true), (26.5, 42.0));
    }

    #[test]
    fn nothing_leaves_its_frame() {
        let frame = Area { left: 5, top: 0, right: 10, bottom: 10 };
        let mut canvas = Canvas::new(20, 10, WHITE);
        canvas.line(frame, ((-50.0, 5.0), (50.0, 5.0)), 100.0, BLACK);
        canvas.disc(frame, (-5.0, -5.0), 3.0, BLACK);
        assert!((dark(&canvas) - 50.0).abs() < 1e-9);
    }
}
