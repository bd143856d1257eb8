//! Lists of cells by number, as used by the League of Robot Runners: `.agents` files contain starts, `.tasks` files
//! sequences of goals.
//!
//! The first line is a count, and each line after it one cell: row · width + column. Blank lines and lines that begin
//! with `#` are skipped.

use std::path::Path;

use super::{number, read, text};
use crate::error::InputError;

/// A cell of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellEntry {
    /// Its column and row.
    pub cell: (u32, u32),
    /// Its line, counted from 1.
    pub line: usize,
}

/// Reads a list of cells for a map of this size.
///
/// # Errors
/// If the file cannot be read, is not such a list, or names a cell outside the map; with file, line and remedy.
pub fn read_cells(path: impl AsRef<Path>, size: (u32, u32)) -> Result<Vec<CellEntry>, InputError> {
    read(path.as_ref(), |bytes| parse_cells(bytes, size))
}

/// Parses the bytes of a list of cells for a map of this size, width first.
///
/// # Errors
/// If the bytes are not such a list, or name a cell outside the map; with line and remedy.
pub fn parse_cells(bytes: &[u8], (width, height): (u32, u32)) -> Result<Vec<CellEntry>, InputError> {
    let lines = (1..).zip(text(bytes)?.lines().map(str::trim));
    let mut lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let remedy = "write a count in the first line and then one cell per line, as row · width + column";
    let Some((line, first)) = lines.next() else {
        return Err(InputError::new("the file is empty", remedy));
    };
    let count: u64 = number(first, "the count", line)?;
    let mut cells = Vec::new();
    let mut last = line;
    for (line, word) in lines {
        last = line;
        if cells.len() as u64 == count {
            let what = format!("there are more cells than the {count} that the first line promises");
            return Err(InputError::at(line, what, "correct the count, or remove the extra lines"));
        }
        let place: u32 = number(word, "the cell", line)?;
        let cell = (place.checked_rem(width).unwrap_or(0), place.checked_div(width).unwrap_or(u32::MAX));
        if cell.1 >= height {
            let what = format!("cell {place} is outside the {width}x{height} map");
            let remedy = "cells are numbered from 0, row by row; give the list that belongs to the map";
            return Err(InputError::at(line, what, remedy));
        }
        cells.push(CellEntry { cell, line });
    }
    if (cells.len() as u64) < count {
        let what = format!("the file ends after {} cells, the first line promises {count}", cells.len());
        return Err(InputError::at(last, what, "add the missing cells, or correct the count"));
    }
    Ok(cells)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_files_of_other_programs() {
        for text in ["3\n0\n5\n11\n", "3\r\n0\r\n5\r\n11", "# units\n\n3\n 0\n5 \n\n11\n\n"] {
            let cells = parse_cells(text.as_bytes(), (4, 3)).unwrap();
            assert_eq!(cells.iter().map(|listed| listed.cell).collect::<Vec<_>>(), [(0, 0), (1, 1), (3, 2)]);
        }
        assert_eq!(parse_cells(b"1\n7\n", (4, 3)).unwrap(), [CellEntry { cell: (3, 1), line: 2 }]);
        assert_eq!(parse_cells(b"0\n", (4, 3)).unwrap(), []);
    }

    #[test]
    fn complains_with_line_and_remedy() {
        let cases = [
            ("", "the file is empty; write a count"),
            ("x\n1\n", "line 1: the count \"x\" is not a whole number"),
            ("-1\n", "line 1: the count \"-1\" is not a whole number"),
            ("1\n1 2\n", "line 2: the cell \"1 2\" is not a whole number"),
            ("1\n99999999999\n", "line 2: the cell \"99999999999\" is too large"),
            ("2\n1\n12\n", "line 3: cell 12 is outside the 4x3 map; cells are numbered from 0"),
            ("1\n1\n2\n", "line 3: there are more cells than the 1 that the first line promises"),
            ("3\n1\n2\n", "line 3: the file ends after 2 cells, the first line promises 3"),
            ("18446744073709551615\n", "line 1: the file ends after 0 cells"),
        ];
        for (text, expected) in cases {
            let error = parse_cells(text.as_bytes(), (4, 3)).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error:?} should start with {expected:?}");
        }
        assert!(parse_cells(b"1\n0\n", (0, 0)).is_err());
    }
}
