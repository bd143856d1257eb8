//! Bits in lines, with a border of ones around them, and the next one along a line found a word at a time.

use alloc::vec;
use alloc::vec::Vec;

/// A rectangle of bits by lines.
#[derive(Clone, Debug)]
pub(super) struct Bits {
    words: Vec<u64>,
    /// Words in a line.
    stride: usize,
}

impl Bits {
    /// Zeros inside, ones around.
    pub(super) fn new(lines: u32, length: u32) -> Self {
        let stride = (length as usize + 2).div_ceil(64);
        let mut bits = Self { words: vec![0; stride * (lines as usize + 2)], stride };
        let all = bits.words.len();
        bits.words[..stride].fill(u64::MAX);
        bits.words[all - stride..].fill(u64::MAX);
        for line in 0..lines.cast_signed() {
            bits.put(line, -1, true);
            // Nothing lies beyond the border, so that whole words can be worked with.
            (length.cast_signed()..(stride as i32) * 64 - 1).for_each(|at| bits.put(line, at, true));
        }
        bits
    }

    fn place(&self, line: i32, at: i32) -> (usize, u32) {
        let bit = (at + 1).cast_unsigned();
        ((line + 1).cast_unsigned() as usize * self.stride + (bit / 64) as usize, bit % 64)
    }

    pub(super) fn put(&mut self, line: i32, at: i32, one: bool) {
        let (word, bit) = self.place(line, at);
        self.words[word] = self.words[word] & !(1 << bit) | u64::from(one) << bit;
    }

    /// Words in a line. Bit b of word w is at 64 w + b - 1.
    pub(super) fn stride(&self) -> usize {
        self.stride
    }

    /// The words of a line, which may be the border.
    pub(super) fn line(&self, line: i32) -> &[u64] {
        let first = (line + 1).cast_unsigned() as usize * self.stride;
        &self.words[first..first + self.stride]
    }

    pub(super) fn line_mut(&mut self, line: i32) -> &mut [u64] {
        let first = (line + 1).cast_unsigned() as usize * self.stride;
        &mut self.words[first..first + self.stride]
    }

    #[inline]
    pub(super) fn get(&self, line: i32, at: i32) -> bool {
        let (word, bit) = self.place(line, at);
        self.words[word] >> bit & 1 == 1
    }

    /// How far it is from `at`, inside, to the next one after it.
    #[inline]
    pub(super) fn after(&self, line: i32, at: i32) -> i32 {
        let (mut word, bit) = self.place(line, at);
        let mut rest = self.words[word] & (u64::MAX << 1 << bit);
        let mut passed = -(bit.cast_signed());
        while rest == 0 {
            word += 1; // the border ends it
            passed += 64;
            rest = self.words[word];
        }
        passed + rest.trailing_zeros().cast_signed()
    }

    /// How far it is from `at`, inside, to the last one before it.
    #[inline]
    pub(super) fn before(&self, line: i32, at: i32) -> i32 {
        let (mut word, bit) = self.place(line, at);
        let mut rest = self.words[word] & !(u64::MAX << bit);
        let mut passed = bit.cast_signed() - 63;
        while rest == 0 {
            word -= 1; // the border ends it
            passed += 64;
            rest = self.words[word];
        }
        passed + rest.leading_zeros().cast_signed()
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.words.capacity() * 8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_one_is_found_in_both_directions() {
        for length in [1_u32, 62, 63, 64, 65, 130, 200] {
            let mut bits = Bits::new(3, length);
            for at in (0..length.cast_signed()).filter(|at| at % 7 == 3 || at % 61 == 60) {
                bits.put(1, at, true);
            }
            for line in 0..3 {
                for at in 0..length.cast_signed() {
                    let after = (1..1000).find(|d| bits.get(line, at + d)).unwrap();
                    let before = (1..1000).find(|d| bits.get(line, at - d)).unwrap();
                    assert_eq!(
                        (bits.after(line, at), bits.before(line, at)),
                        (after, before),
                        "{length} {line} {at}"
                    );
                }
            }
            assert!(
                bits.get(-1, 0) && bits.get(3, 0) && bits.get(0, -1) && bits.get(0, length.cast_signed())
            );
        }
    }
}
