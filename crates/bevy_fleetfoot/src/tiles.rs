//! The positions of cells in the world.

use bevy_ecs::prelude::*;
use bevy_math::{IVec2, UVec2, Vec2, Vec3};
use bevy_reflect::{Reflect, ReflectDeserialize, ReflectSerialize};
use serde::{Deserialize, Serialize};

/// Where cells lie in the world, and which cell a place lies in: any grid of equal cells, flat on the screen, on the ground,
/// or askew.
///
/// ```
/// use bevy_fleetfoot::CellTransform;
/// use bevy_math::{IVec2, UVec2, Vec3};
/// let tiles = CellTransform::xz(2.0); // 3D: columns along x, rows along z, two units wide
/// assert_eq!(tiles.to_world(UVec2::new(3, 0)), Vec3::new(6.0, 0.0, 0.0));
/// assert_eq!(tiles.to_cell(Vec3::new(6.9, 0.0, 0.9)), IVec2::new(3, 0));
/// ```
#[derive(Resource, Reflect, Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[reflect(Resource, Clone, PartialEq, Serialize, Deserialize)]
pub struct CellTransform {
    /// The center of cell (0, 0).
    pub origin: Vec3,
    /// The vector from a cell to the next one in its row.
    pub column: Vec3,
    /// The vector from a cell to the next one in its column.
    pub row: Vec3,
}

impl Default for CellTransform {
    fn default() -> Self {
        Self::xy(1.0)
    }
}

impl CellTransform {
    /// Creates a layout with columns along x and rows along y, upward: the usual one for 2D.
    pub fn xy(size: f32) -> Self {
        Self { origin: Vec3::ZERO, column: Vec3::X * size, row: Vec3::Y * size }
    }

    /// Creates a layout with columns along x and rows along z: the ground in 3D.
    pub fn xz(size: f32) -> Self {
        Self { origin: Vec3::ZERO, column: Vec3::X * size, row: Vec3::Z * size }
    }

    /// Creates an isometric 2D layout of diamonds of this width and height: columns go right and down, rows left
    /// and down.
    pub fn isometric(width: f32, height: f32) -> Self {
        let (x, y) = (width / 2.0, height / 2.0);
        Self { origin: Vec3::ZERO, column: Vec3::new(x, -y, 0.0), row: Vec3::new(-x, -y, 0.0) }
    }

    /// Sets the center of cell (0, 0).
    #[must_use]
    pub fn with_origin(self, origin: Vec3) -> Self {
        Self { origin, ..self }
    }

    /// Returns the center of a cell.
    pub fn to_world(&self, cell: UVec2) -> Vec3 {
        self.origin + self.column * cell.x as f32 + self.row * cell.y as f32
    }

    /// Returns the cell that contains a position, or is below it. It may be outside the map.
    pub fn to_cell(&self, place: Vec3) -> IVec2 {
        let off = place - self.origin;
        // The coordinates along each axis, which need not be perpendicular.
        let (cc, cr, rr) =
            (self.column.length_squared(), self.column.dot(self.row), self.row.length_squared());
        let (oc, or) = (off.dot(self.column), off.dot(self.row));
        let det = cc * rr - cr * cr;
        let along = Vec2::new(oc * rr - or * cr, or * cc - oc * cr) / det;
        // A grid without extent has one cell.
        if along.is_finite() { along.round().as_ivec2() } else { IVec2::ZERO }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_a_cell_and_what_is_around_it_lie_in_that_cell() {
        let kinds = [
            CellTransform::xy(1.0),
            CellTransform::xy(32.0),
            CellTransform::xz(0.5),
            CellTransform::isometric(64.0, 32.0),
        ];
        for tiles in kinds.map(|tiles| tiles.with_origin(Vec3::new(-7.0, 3.0, 11.0))) {
            for cell in [UVec2::ZERO, UVec2::new(5, 0), UVec2::new(0, 9), UVec2::new(300, 117)] {
                let middle = tiles.to_world(cell);
                let normal = tiles.column.cross(tiles.row);
                for (x, y) in [(0.0, 0.0), (0.4, 0.4), (-0.4, 0.4), (0.4, -0.4), (-0.4, -0.4)] {
                    let near = middle + tiles.column * x + tiles.row * y;
                    assert_eq!(tiles.to_cell(near), cell.as_ivec2());
                    assert_eq!(tiles.to_cell(near + normal), cell.as_ivec2(), "above it");
                }
            }
        }
    }

    #[test]
    fn places_outside_have_cells_too_and_nothing_breaks_without_extent() {
        assert_eq!(CellTransform::xy(2.0).to_cell(Vec3::new(-3.0, 100.0, 0.0)), IVec2::new(-2, 50));
        assert_eq!(CellTransform::xy(0.0).to_cell(Vec3::ONE), IVec2::ZERO);
        assert_eq!(CellTransform::xy(1.0).to_cell(Vec3::NAN), IVec2::ZERO);
    }
}
