//! Numbers of variable length, and cells as steps from the previous cell.

use fleetfoot_sim::error::InputError;

use super::damaged;

/// Writes a number with seven bits per byte, the lowest first. The highest bit means that more bytes follow.
pub(crate) fn put(out: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

/// Writes a signed number. Numbers near zero become small: 0, -1, 1, -2, …
pub(crate) fn put_signed(out: &mut Vec<u8>, n: i64) {
    put(out, ((n << 1) ^ (n >> 63)).cast_unsigned());
}

/// Maximum offset of a step that fits into a byte.
const NEAR: i32 = 7;
const ROW: i32 = 2 * NEAR + 1;
/// Marks a longer step.
const FAR: u8 = 255;

/// Writes a cell as a step from another cell.
pub(crate) fn put_step(out: &mut Vec<u8>, dx: i32, dy: i32) {
    if dx.abs() <= NEAR && dy.abs() <= NEAR {
        out.push(((dy + NEAR) * ROW + dx + NEAR).cast_unsigned() as u8);
    } else {
        out.push(FAR);
        put_signed(out, i64::from(dx));
        put_signed(out, i64::from(dy));
    }
}

/// Bytes that have not been read yet.
#[derive(Clone, Debug)]
pub(crate) struct Bytes<'a>(pub(crate) &'a [u8]);

impl<'a> Bytes<'a> {
    #[inline]
    pub(crate) fn byte(&mut self) -> Result<u8, InputError> {
        let (&first, rest) = self.0.split_first().ok_or_else(|| damaged("it ends too early"))?;
        self.0 = rest;
        Ok(first)
    }

    #[inline]
    pub(crate) fn number(&mut self) -> Result<u64, InputError> {
        let mut n = 0;
        for shift in (0..63).step_by(7) {
            let byte = self.byte()?;
            n |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(n);
            }
        }
        Err(damaged("a number is too long"))
    }

    /// Reads a number that must fit into 32 bits.
    #[inline]
    pub(crate) fn small(&mut self) -> Result<u32, InputError> {
        u32::try_from(self.number()?).map_err(|_| damaged("a number is too large"))
    }

    #[inline]
    pub(crate) fn signed(&mut self) -> Result<i64, InputError> {
        let n = self.number()?;
        Ok((n >> 1).cast_signed() ^ -(n & 1).cast_signed())
    }

    #[inline]
    pub(crate) fn step(&mut self) -> Result<(i64, i64), InputError> {
        match self.byte()? {
            FAR => Ok((self.signed()?, self.signed()?)),
            near => {
                let near = i64::from(near);
                let row = i64::from(ROW);
                Ok((near % row - i64::from(NEAR), near / row - i64::from(NEAR)))
            }
        }
    }

    /// Takes the next `length` bytes.
    pub(crate) fn take(&mut self, length: u64) -> Result<&'a [u8], InputError> {
        let fits = usize::try_from(length).ok().filter(|n| *n <= self.0.len());
        let (taken, rest) = self.0.split_at(fits.ok_or_else(|| damaged("it ends too early"))?);
        self.0 = rest;
        Ok(taken)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_steps_come_back() {
        let numbers = [0, 1, 127, 128, 300, 1 << 21, u64::from(u32::MAX), 1 << 62];
        let mut out = Vec::new();
        for n in numbers {
            put(&mut out, n);
        }
        let signed = [0, -1, 1, -64, 64, i64::from(i32::MIN), 1 << 40];
        for n in signed {
            put_signed(&mut out, n);
        }
        let steps = [(0, 0), (7, -7), (-7, 7), (8, 0), (0, -8), (70_000, -70_000)];
        for (x, y) in steps {
            put_step(&mut out, x, y);
        }
        let mut bytes = Bytes(&out);
        for n in numbers {
            assert_eq!(bytes.number().unwrap(), n);
        }
        for n in signed {
            assert_eq!(bytes.signed().unwrap(), n);
        }
        for (x, y) in steps {
            assert_eq!(bytes.step().unwrap(), (i64::from(x), i64::from(y)));
        }
        assert!(bytes.is_empty() && bytes.byte().is_err());
    }

    #[test]
    fn endless_numbers_are_refused() {
        assert!(Bytes(&[0xff; 20]).number().is_err());
        assert!(Bytes(&[0x80]).number().is_err());
        assert!(Bytes(&[0xff, 0xff, 0xff, 0xff, 0x7f]).small().is_err());
    }
}
