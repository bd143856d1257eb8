//! A canvas in full colour with smooth edges, for pictures in which lines lie over maps.

use std::io::{self, Write};

/// Red, green, blue.
pub type Colour = [u8; 3];

/// A place on the canvas in pixels; whole numbers are the corners of pixels.
pub type Point = (f64, f64);

/// A picture in the making.
#[derive(Clone, Debug)]
pub struct Canvas {
    width: u32,
    height: u32,
    pixels: Vec<Colour>,
}

/// The part of a canvas that may be painted: left, top, and the first column and row beyond.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The first column.
    pub left: u32,
    /// The first row.
    pub top: u32,
    /// The first column beyond.
    pub right: u32,
    /// The first row beyond.
    pub bottom: u32,
}

impl Canvas {
    /// A canvas of one colour.
    pub fn new(width: u32, height: u32, colour: Colour) -> Self {
        Self { width, height, pixels: vec![colour; width as usize * height as usize] }
    }

    /// All pixels, row by row.
    pub fn pixels(&self) -> &[Colour] {
        &self.pixels
    }

    /// Paints one pixel.
    pub fn set(&mut self, (x, y): (u32, u32), colour: Colour) {
        self.pixels[y as usize * self.width as usize + x as usize] = colour;
    }

    /// A line with round ends.
    pub fn line(&mut self, frame: Frame, (a, b): (Point, Point), width: f64, colour: Colour) {
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let length = dx * dx + dy * dy;
        let outside = |(x, y): Point| {
            let along = if length > 0.0 { ((x - a.0) * dx + (y - a.1) * dy) / length } else { 0.0 };
            let along = along.clamp(0.0, 1.0);
            let (off_x, off_y) = (x - a.0 - along * dx, y - a.1 - along * dy);
            // Not `hypot`: a square root is rounded alike on every platform, and so pictures are the same.
            (off_x * off_x + off_y * off_y).sqrt() - width / 2.0
        };
        self.shape(frame, (a, b), width / 2.0, colour, outside);
    }

    /// A filled circle.
    pub fn disc(&mut self, frame: Frame, centre: Point, radius: f64, colour: Colour) {
        self.line(frame, (centre, centre), 2.0 * radius, colour);
    }

    /// A square.
    pub fn square(&mut self, frame: Frame, centre: Point, side: f64, colour: Colour) {
        let outside = |(x, y): Point| (x - centre.0).abs().max((y - centre.1).abs()) - side / 2.0;
        self.shape(frame, (centre, centre), side / 2.0, colour, outside);
    }

    /// A square on its corner.
    pub fn diamond(&mut self, frame: Frame, centre: Point, radius: f64, colour: Colour) {
        let outside = |(x, y): Point| {
            ((x - centre.0).abs() + (y - centre.1).abs() - radius) * std::f64::consts::FRAC_1_SQRT_2
        };
        self.shape(frame, (centre, centre), radius, colour, outside);
    }

    /// Paints what lies within `reach` of two points, where `outside` tells how far outside of the shape a place
    /// is; the edge is blended over one pixel.
    fn shape(
        &mut self,
        frame: Frame,
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

/// So much of the second colour over the first, from 0 to 1.
pub fn blend(under: Colour, over: Colour, share: f64) -> Colour {
    #[expect(clippy::cast_sign_loss, reason = "between two colours")]
    let mix = |k: usize| (f64::from(under[k]) * (1.0 - share) + f64::from(over[k]) * share).round() as u8;
    [mix(0), mix(1), mix(2)]
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHITE: Colour = [255; 3];
    const BLACK: Colour = [0; 3];
    const ALL: Frame = Frame { left: 0, top: 0, right: 20, bottom: 10 };

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
    fn nothing_leaves_its_frame() {
        let frame = Frame { left: 5, top: 0, right: 10, bottom: 10 };
        let mut canvas = Canvas::new(20, 10, WHITE);
        canvas.line(frame, ((-50.0, 5.0), (50.0, 5.0)), 100.0, BLACK);
        canvas.disc(frame, (-5.0, -5.0), 3.0, BLACK);
        assert!((dark(&canvas) - 50.0).abs() < 1e-9);
    }
}
