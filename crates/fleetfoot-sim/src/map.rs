//! The grid map: one `MovingAI` terrain letter per cell.

mod components;

pub use components::Components;
pub(crate) use components::Sets;

use crate::error::InputError;

/// Maximum number of cells of a map. A cell costs a planner about sixteen bytes, so larger maps would exceed the
/// memory of ordinary machines. All cell numbers and counts fit into a `u32`.
pub const MAX_CELLS: u64 = 1 << 28;

/// The letters of cells, passable ones first.
pub const LETTERS: &[u8] = b".GS@OTW";

/// Returns `true` if a letter is passable: ground, grass (`G`), or swamp (`S`).
pub const fn is_passable(letter: u8) -> bool {
    matches!(letter, b'.' | b'G' | b'S')
}

/// Returns `true` if a letter is valid: one of [`LETTERS`].
pub const fn is_terrain(letter: u8) -> bool {
    is_passable(letter) || matches!(letter, b'@' | b'O' | b'T' | b'W')
}

/// A rectangle of cells, stored row by row from the top left, `(0, 0)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GridMap {
    width: u32,
    height: u32,
    cells: Vec<u8>,
}

impl GridMap {
    /// Creates a map whose cells all have the letter `fill`.
    ///
    /// # Errors
    /// If a side is zero, the map has more than [`MAX_CELLS`] cells, or the letter is unknown.
    pub fn new(width: u32, height: u32, fill: u8) -> Result<Self, InputError> {
        let count = cell_count(width, height)?;
        if !is_terrain(fill) {
            return Err(InputError::new(unknown_letter(fill as char), letters_remedy()));
        }
        Ok(Self { width, height, cells: vec![fill; count] })
    }

    /// Creates a map from its rows, top first. Intended for small maps in tests and examples.
    ///
    /// # Errors
    /// If there is no row, a row differs in length from the first, or a letter is unknown.
    pub fn from_rows(rows: &[&str]) -> Result<Self, InputError> {
        let width = rows.first().map_or(0, |row| row.len());
        for (index, row) in rows.iter().enumerate() {
            if let Some((column, letter)) = row.char_indices().find(|&(_, c)| !known(c)) {
                let what = format!("{} in column {}", unknown_letter(letter), column + 1);
                return Err(InputError::at(index + 1, what, letters_remedy()));
            }
            if row.len() != width {
                let what = format!("row has {} cells, the first row has {width}", row.len());
                return Err(InputError::at(index + 1, what, "make all rows equally long"));
            }
        }
        Self::from_cells(width as u64, rows.len() as u64, rows.concat().into_bytes())
    }

    /// Creates a map from cells whose letters and number have been checked.
    pub(crate) fn from_cells(width: u64, height: u64, cells: Vec<u8>) -> Result<Self, InputError> {
        let side = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
        let (width, height) = (side(width), side(height));
        let count = cell_count(width, height)?;
        debug_assert_eq!(count, cells.len());
        Ok(Self { width, height, cells })
    }

    /// Returns the number of columns.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Returns the number of rows.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Returns all letters, row by row.
    pub fn cells(&self) -> &[u8] {
        &self.cells
    }

    /// Returns a checksum of size and cells.
    pub fn checksum(&self) -> u64 {
        let size = [self.width().to_le_bytes(), self.height().to_le_bytes()];
        fleetfoot::database::checksum(&[size.as_flattened(), self.cells()].concat())
    }

    /// Returns `true` if the map has such a cell.
    pub fn in_bounds(&self, x: u32, y: u32) -> bool {
        x < self.width && y < self.height
    }

    /// Returns the letter of a cell; `@` outside the map.
    pub fn letter(&self, x: u32, y: u32) -> u8 {
        if self.in_bounds(x, y) { self.cells[self.index(x, y)] } else { b'@' }
    }

    /// Returns `true` if the cell is on the map and passable.
    pub fn passable(&self, x: u32, y: u32) -> bool {
        is_passable(self.letter(x, y))
    }

    /// Changes the letter of a cell.
    ///
    /// # Panics
    /// If the cell is outside the map or the letter unknown.
    pub fn set(&mut self, x: u32, y: u32, letter: u8) {
        assert!(self.in_bounds(x, y), "cell ({x}, {y}) is outside a {}x{} map", self.width, self.height);
        assert!(is_terrain(letter), "unknown letter {:?}", letter as char);
        let index = self.index(x, y);
        self.cells[index] = letter;
    }

    /// Changes the letter of a block of cells. Cells outside the map are ignored.
    pub(crate) fn fill(&mut self, x: u32, y: u32, width: u32, height: u32, letter: u8) {
        debug_assert!(is_terrain(letter));
        let right = x.saturating_add(width).min(self.width);
        for row in y..y.saturating_add(height).min(self.height) {
            let start = self.index(x.min(right), row);
            let end = start + (right.saturating_sub(x)) as usize;
            self.cells[start..end].fill(letter);
        }
    }

    /// Returns all letters for direct changes by generators.
    pub(crate) fn cells_mut(&mut self) -> &mut [u8] {
        &mut self.cells
    }

    /// Returns the number of passable cells.
    pub fn passable_count(&self) -> u32 {
        self.cells.iter().filter(|&&letter| is_passable(letter)).count() as u32
    }

    /// Scales the map: every cell becomes `factor` by `factor` cells.
    ///
    /// # Errors
    /// If the factor is zero or the result would have more than [`MAX_CELLS`] cells.
    pub fn scaled(&self, factor: u32) -> Result<Self, InputError> {
        if factor == 0 {
            return Err(InputError::new("the scale factor is 0", "give a factor of at least 1"));
        }
        let (width, height) = (self.width.saturating_mul(factor), self.height.saturating_mul(factor));
        let mut cells = Vec::with_capacity(cell_count(width, height)?);
        for row in self.cells.chunks_exact(self.width as usize) {
            let start = cells.len();
            for &letter in row {
                cells.resize(cells.len() + factor as usize, letter);
            }
            for _ in 1..factor {
                cells.extend_from_within(start..start + width as usize);
            }
        }
        Ok(Self { width, height, cells })
    }

    /// Computes the connected components of the passable cells.
    ///
    /// Uses four neighbors. Eight neighbors without corner cutting give the same components, since each diagonal move
    /// can be replaced by two straight ones.
    pub fn components(&self) -> Components {
        Components::of(self)
    }

    /// Returns the number and size of the largest component, the first of several. Returns `None` if all cells are
    /// blocked.
    pub fn largest_component(&self) -> Option<(u32, u32)> {
        self.components().largest()
    }

    pub(crate) fn index(&self, x: u32, y: u32) -> usize {
        y as usize * self.width as usize + x as usize
    }
}

/// Returns the number of cells, if a map may have this size.
pub(crate) fn cell_count(width: u32, height: u32) -> Result<usize, InputError> {
    if width == 0 || height == 0 {
        let what = format!("a map of {width}x{height} cells has no cell");
        return Err(InputError::new(what, "make both sides at least 1"));
    }
    let count = u64::from(width) * u64::from(height);
    if count > MAX_CELLS {
        let what = format!("a map of {width}x{height} has more than {MAX_CELLS} cells");
        return Err(InputError::new(what, "use a smaller map"));
    }
    Ok(count as usize)
}

pub(crate) fn known(letter: char) -> bool {
    u8::try_from(letter).is_ok_and(is_terrain)
}

pub(crate) fn unknown_letter(letter: char) -> String {
    format!("unknown cell letter {letter:?}")
}

pub(crate) fn letters_remedy() -> &'static str {
    "use `.`, `G`, `S` for passable cells and `@`, `O`, `T`, `W` for blocked ones"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_bounds() {
        let mut map = GridMap::from_rows(&[".GS", "@OT", "W.."]).unwrap();
        assert_eq!((map.width(), map.height(), map.passable_count()), (3, 3, 5));
        assert!(map.passable(1, 0) && map.passable(2, 0) && !map.passable(0, 1) && !map.passable(0, 2));
        assert!(!map.passable(3, 0) && !map.passable(0, 3) && !map.passable(u32::MAX, u32::MAX));
        assert_eq!((map.letter(2, 1), map.letter(9, 9)), (b'T', b'@'));
        map.set(2, 1, b'.');
        assert!(map.passable(2, 1));
        assert_eq!(map.cells(), b".GS@O.W..");
    }

    #[test]
    fn refuses_invalid_maps() {
        assert!(GridMap::new(0, 3, b'.').is_err());
        assert!(GridMap::new(3, 0, b'.').is_err());
        assert!(GridMap::new(3, 3, b'x').is_err());
        assert!(GridMap::new(1 << 15, 1 << 14, b'.').is_err());
        assert!(GridMap::new(u32::MAX, u32::MAX, b'.').is_err());
        assert!(GridMap::from_rows(&[]).is_err());
        assert!(GridMap::from_rows(&["", ""]).is_err());
        assert_eq!(GridMap::from_rows(&["..", "."]).unwrap_err().line(), Some(2));
        let error = GridMap::from_rows(&["..", ".ä"]).unwrap_err();
        assert!(error.to_string().starts_with("line 2: unknown cell letter 'ä' in column 2"), "{error}");
    }

    #[test]
    fn fills_only_what_is_inside() {
        let mut map = GridMap::new(4, 3, b'@').unwrap();
        map.fill(2, 1, 9, 9, b'.');
        map.fill(9, 0, 2, 2, b'.');
        map.fill(0, 9, u32::MAX, u32::MAX, b'.');
        assert_eq!(map, GridMap::from_rows(&["@@@@", "@@..", "@@.."]).unwrap());
    }

    #[test]
    fn scales() {
        let map = GridMap::from_rows(&[".@", "T."]).unwrap();
        let expected = GridMap::from_rows(&["..@@", "..@@", "TT..", "TT.."]).unwrap();
        assert_eq!(map.scaled(2).unwrap(), expected);
        assert_eq!(map.scaled(1).unwrap(), map);
        assert!(map.scaled(0).is_err());
        assert!(map.scaled(1 << 14).is_err());
        assert!(map.scaled(u32::MAX).is_err());
    }
}
