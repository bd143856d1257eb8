//! The connections of a corner as they are stored: by their offsets, in two bytes where it lies near, in six where not.

use alloc::vec::Vec;

use super::Cell;

/// A near offset by columns and rows; or [`FAR`], and then both as numbers of two bytes; or [`FARTHEST`], and then of four.
pub(super) type Link = [i8; 2];

/// What no near offset is.
const FAR: Link = [i8::MIN, 0];
const FARTHEST: Link = [i8::MIN, 1];

/// Appends an offset.
pub(super) fn push((dx, dy): Cell, links: &mut Vec<Link>) {
    if let (Ok(dx), Ok(dy)) = (i8::try_from(dx), i8::try_from(dy))
        && dx != i8::MIN
    {
        links.push([dx, dy]);
    } else if let (Ok(dx), Ok(dy)) = (i16::try_from(dx), i16::try_from(dy)) {
        links.extend([FAR, dx.to_le_bytes().map(u8::cast_signed), dy.to_le_bytes().map(u8::cast_signed)]);
    } else {
        links.push(FARTHEST);
        for number in [dx, dy] {
            let [a, b, c, d] = number.to_le_bytes().map(u8::cast_signed);
            links.extend([[a, b], [c, d]]);
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
        let (&link @ [dx, dy], rest) = self.0.split_first()?;
        self.0 = rest;
        if dx == i8::MIN {
            return self.far(link);
        }
        Some((i32::from(dx), i32::from(dy)))
    }
}

impl Connections<'_> {
    /// Returns `true` if there are no more connections.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    #[cold]
    fn far(&mut self, link: Link) -> Option<Cell> {
        if link == FAR {
            let (&[x, y], rest) = self.0.split_first_chunk()?;
            self.0 = rest;
            let number = |bytes: Link| i32::from(i16::from_le_bytes(bytes.map(i8::cast_unsigned)));
            return Some((number(x), number(y)));
        }
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
        let all = [
            -70_000,
            -300,
            -129,
            -128,
            -127,
            -1,
            0,
            1,
            126,
            127,
            128,
            129,
            255,
            256,
            32_767,
            32_768,
            -32_768,
            -32_769,
            1 << 20,
        ];
        let all: Vec<Cell> = all.iter().flat_map(|dx| all.map(|dy| (*dx, dy))).collect();
        let mut links = Vec::new();
        for &offset in &all {
            push(offset, &mut links);
        }
        assert_eq!(Connections(&links).collect::<Vec<_>>(), all);
    }
}
