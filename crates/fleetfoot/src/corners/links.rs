//! The connections of a corner as they are stored: by their offsets, two bytes each where it lies near.

use alloc::vec::Vec;

use super::Cell;

/// A near offset by columns and rows; or [`FAR`], and then both as numbers of four bytes.
pub(super) type Link = [i8; 2];

/// What no near offset is.
const FAR: Link = [i8::MIN, 0];

/// Appends an offset.
pub(super) fn push(offset: Cell, links: &mut Vec<Link>) {
    match (i8::try_from(offset.0), i8::try_from(offset.1)) {
        (Ok(dx), Ok(dy)) if dx != i8::MIN => links.push([dx, dy]),
        _ => {
            links.push(FAR);
            for number in [offset.0, offset.1] {
                let [a, b, c, d] = number.to_le_bytes().map(u8::cast_signed);
                links.extend([[a, b], [c, d]]);
            }
        }
    }
}

/// The corners that are directly connected with a corner, by their offsets from it in columns and rows.
#[derive(Clone, Debug)]
pub struct Connections<'a>(pub(super) &'a [Link]);

impl Iterator for Connections<'_> {
    type Item = Cell;

    #[inline]
    fn next(&mut self) -> Option<Cell> {
        let (&[dx, dy], rest) = self.0.split_first()?;
        self.0 = rest;
        if dx == i8::MIN {
            return self.far();
        }
        Some((i32::from(dx), i32::from(dy)))
    }
}

impl Connections<'_> {
    #[cold]
    fn far(&mut self) -> Option<Cell> {
        let (&[[a, b], [c, d], [e, f], [g, h]], rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        let number = |bytes: [i8; 4]| i32::from_le_bytes(bytes.map(i8::cast_unsigned));
        Some((number([a, b, c, d]), number([e, f, g, h])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_are_kept() {
        let all = [-70_000, -300, -129, -128, -127, -1, 0, 1, 126, 127, 128, 129, 255, 256, 1 << 20];
        let all: Vec<Cell> = all.iter().flat_map(|dx| all.map(|dy| (*dx, dy))).collect();
        let mut links = Vec::new();
        all.iter().for_each(|offset| push(*offset, &mut links));
        assert_eq!(Connections(&links).collect::<Vec<_>>(), all);
    }
}
