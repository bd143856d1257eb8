//! A grid as plain data, for feature `serde`: what it was built from. Everything else follows.

use alloc::vec::Vec;

use super::{Grid, GridError, Kind, Rules};

#[derive(serde::Serialize, serde::Deserialize)]
pub(super) struct Plain {
    width: u32,
    height: u32,
    rules: Rules,
    /// The weights that cells may come to have.
    weights: (u8, u8),
    /// Row by row.
    cells: Vec<u8>,
    /// Whether there is an index of corners; it is made again.
    #[serde(default)]
    corners: bool,
}

impl From<Grid> for Plain {
    fn from(grid: Grid) -> Self {
        let Grid { width, height, rules, weights, .. } = grid;
        let all = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let cells = all.map(|(x, y)| grid.cells[grid.number(x, y)]).collect();
        Self { width, height, rules, weights, cells, corners: grid.corners.is_some() }
    }
}

impl TryFrom<Plain> for Grid {
    type Error = GridError;

    fn try_from(plain: Plain) -> Result<Self, GridError> {
        let Plain { width, height, rules, weights, cells, corners } = plain;
        if cells.len() as u64 != u64::from(width) * u64::from(height) {
            return Err(GridError(Kind::Cells { cells: cells.len(), width, height }));
        }
        let grid = Self::new(width, height, rules, |x, y| cells[y as usize * width as usize + x as usize])?;
        let grid = grid.with_weights(weights.0, weights.1)?;
        Ok(if corners { grid.with_corners() } else { grid })
    }
}
