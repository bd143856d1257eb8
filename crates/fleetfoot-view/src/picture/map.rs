//! A picture of a map, with a problem and a path on request.

use fleetfoot_sim::error::InputError;
use fleetfoot_sim::generate::problems::Pair;
use fleetfoot_sim::map::GridMap;

use super::panel::{Cell, Layout, Panel, Style, Zoom};
use crate::canvas::Canvas;
use crate::palette::{self, PATH};

/// Default length of the longer side of a picture, in pixels.
const SIDE: u32 = 1024;
/// Maximum number of pixels.
const MAX_PIXELS: u64 = 1 << 26;
const STYLE: Style = Style { gap: 0, edge: 0, largest: 32, margin: 0, label: 0 };

/// Draws a map with `scale` pixels per cell; the default makes the longer side about 1024 pixels. Adds a path of
/// adjacent cells, and the start and goal of a problem.
///
/// # Errors
/// If there would be too many pixels.
pub fn draw(
    map: &GridMap,
    scale: Option<u32>,
    problem: Option<Pair>,
    path: &[Cell],
) -> Result<Canvas, InputError> {
    let (width, height) = (map.width(), map.height());
    let scale = scale.unwrap_or((SIDE / width.max(height)).clamp(1, STYLE.largest));
    let pixels = |cells: u32| cells.saturating_mul(scale);
    if scale == 0 || u64::from(pixels(width)) * u64::from(pixels(height)) > MAX_PIXELS {
        let size = format!("{}x{}", pixels(width), pixels(height));
        let what = format!("with {scale} pixels per cell the picture would have {size} pixels");
        let most = (MAX_PIXELS / map.cells().len() as u64).isqrt();
        let remedy = if most == 0 {
            "the map is too large to draw".into()
        } else {
            format!("choose a --scale from 1 to {most}")
        };
        return Err(InputError::new(what, remedy));
    }
    let zoom = Zoom::In(scale);
    let layout = Layout { columns: 1, rows: 1, left: 0, top: 0, width, height, zoom, style: STYLE };
    let mut canvas = Canvas::new(pixels(width), pixels(height), palette::PAPER);
    let mut panel = Panel::new(&mut canvas, &layout, 0);
    panel.ground(|(x, y)| palette::ground(map.letter(x, y)));
    // A size that is visible in this picture.
    let visible = f64::from(pixels(width).max(pixels(height))) / 96.0;
    let cell = f64::from(scale);
    panel.path(path, (cell / 2.0).max(visible / 3.0).max(2.0), PATH);
    if let Some(problem) = problem {
        panel.ends(problem, (cell + 2.0).max(visible));
    }
    Ok(canvas)
}
