//! The serialized form of a grid: the data it was built from.

use alloc::vec::Vec;

use super::{Grid, GridError, Kind, Rules};
use crate::corners::{Corners, LandmarkUpkeep, SavedLandmarks, Stale};

#[derive(serde::Serialize, serde::Deserialize)]
pub(super) struct Plain {
    width: u32,
    height: u32,
    rules: Rules,
    /// The range of weights that cells may have.
    weights: (u8, u8),
    /// Row by row.
    cells: Vec<u8>,
    /// The outdated parts of the corner index, if there is one. The index is rebuilt; searches are charged for its
    /// outdated parts.
    #[serde(default)]
    corners: Option<Vec<Stale>>,
    /// `true` if it has space for more connections than usual.
    #[serde(default)]
    is_wide: bool,
    /// The data that define the landmarks, if there are any.
    #[serde(default)]
    landmarks: Option<SavedLandmarks>,
}

impl From<Grid> for Plain {
    fn from(grid: Grid) -> Self {
        let Grid { width, height, rules, weights, .. } = grid;
        let all = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let cells = all.map(|(x, y)| grid.cells[grid.number(x, y)]).collect();
        let corners = grid.corners();
        let is_wide = corners.is_some_and(Corners::is_wide);
        let landmarks = corners.and_then(|corners| corners.landmark_upkeep().save());
        Self {
            width,
            height,
            rules,
            weights,
            cells,
            corners: corners.map(Corners::stale),
            is_wide,
            landmarks,
        }
    }
}

impl TryFrom<Plain> for Grid {
    type Error = GridError;

    fn try_from(plain: Plain) -> Result<Self, GridError> {
        let Plain { width, height, rules, weights, cells, corners, is_wide, landmarks } = plain;
        if cells.len() as u64 != u64::from(width) * u64::from(height) {
            return Err(GridError(Kind::Cells { cells: cells.len(), width, height }));
        }
        let grid = Self::new(width, height, rules, |x, y| cells[y as usize * width as usize + x as usize])?;
        let grid = grid.with_weights(weights.0, weights.1)?;
        let Some(stale) = corners else { return Ok(grid) };
        let mut grid = grid.with_corners();
        if is_wide {
            grid.change_corners(Corners::widen);
        }
        let restored = match (landmarks, grid.corners()) {
            (Some(saved), Some(index)) => {
                let restored = LandmarkUpkeep::restore(saved, &grid, index);
                Some(restored.ok_or(GridError(Kind::Landmarks))?)
            }
            _ => None,
        };
        if let Some(index) = &mut grid.corners {
            if let Some(landmarks) = restored {
                index.put_landmarks(landmarks);
            }
            index.put_out_of_date(&stale);
        }
        Ok(grid)
    }
}
