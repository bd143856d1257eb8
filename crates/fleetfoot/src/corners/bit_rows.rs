//! Bits in lines, with a border of ones around them, and the next one along a line found a word at a time.

use alloc::vec;
use alloc::vec::Vec;

/// A rectangle of bits by lines.
#[derive(Clone, Debug)]
pub(super) struct Bits {
    words: Vec<u64>,
    /// Words in a line.
    stride: usize,
    /// Bits in a line that lie inside the border.
    length: i32,
    /// By line: how many of them are ones; and a bit for each line that has any, again with a border of ones.
    ones: Vec<u32>,
    busy: Vec<u64>,
}

impl Bits {
    /// Zeros inside, ones around.
    pub(super) fn new(lines: u32, length: u32) -> Self {
        let stride = (length as usize + 2).div_ceil(64);
        let mut busy = vec![0; (lines as usize + 2).div_ceil(64)];
        for border in [0, lines as usize + 1] {
            busy[border / 64] |= 1 << (border % 64);
        }
        let (ones, length) = (vec![0; lines as usize], length.cast_signed());
        let words = vec![0; stride * (lines as usize + 2)];
        let mut bits = Self { words, stride, length, ones, busy };
        let all = bits.words.len();
        bits.words[..stride].fill(u64::MAX);
        bits.words[all - stride..].fill(u64::MAX);
        for line in 0..lines.cast_signed() {
            // Nothing lies beyond the border, so that whole words can be worked with.
            for at in (length..(stride as u32).cast_signed() * 64 - 1).chain([-1]) {
                let (word, bit) = bits.place(line, at);
                bits.words[word] |= 1 << bit;
            }
        }
        bits
    }

    fn place(&self, line: i32, at: i32) -> (usize, u32) {
        let bit = (at + 1).cast_unsigned();
        ((line + 1).cast_unsigned() as usize * self.stride + (bit / 64) as usize, bit % 64)
    }

    /// Sets or clears a bit inside the border.
    pub(super) fn put(&mut self, line: i32, at: i32, one: bool) {
        let (word, bit) = self.place(line, at);
        if (self.words[word] >> bit & 1 == 1) == one {
            return;
        }
        self.words[word] ^= 1 << bit;
        let ones = &mut self.ones[line.cast_unsigned() as usize];
        *ones = if one { *ones + 1 } else { *ones - 1 };
        let is_busy = *ones > 0;
        let k = (line + 1).cast_unsigned() as usize;
        self.busy[k / 64] = self.busy[k / 64] & !(1 << (k % 64)) | u64::from(is_busy) << (k % 64);
    }

    /// Returns the distance in lines to the next line with ones, forwards or backwards. The border counts as one.
    #[inline]
    pub(super) fn next_busy(&self, line: i32, forwards: bool) -> i32 {
        let k = (line + 1).cast_unsigned();
        if forwards {
            after(&self.busy, (k / 64) as usize, k % 64)
        } else {
            before(&self.busy, (k / 64) as usize, k % 64)
        }
    }

    /// Returns the number of bits in a line.
    pub(super) fn length(&self) -> i32 {
        self.length
    }

    /// Returns the number of lines inside the border.
    pub(super) fn lines(&self) -> i32 {
        (self.ones.len() as u32).cast_signed()
    }

    /// Returns `true` if a line has no ones but its border.
    #[inline]
    fn is_empty(&self, line: i32) -> bool {
        self.ones[line.cast_unsigned() as usize] == 0
    }

    /// Returns the number of words in a line. Bit b of word w is at 64 w + b - 1.
    pub(super) fn stride(&self) -> usize {
        self.stride
    }

    /// Returns the words of a line, which may be the border.
    pub(super) fn line(&self, line: i32) -> &[u64] {
        let first = (line + 1).cast_unsigned() as usize * self.stride;
        &self.words[first..first + self.stride]
    }

    #[inline]
    pub(super) fn get(&self, line: i32, at: i32) -> bool {
        let (word, bit) = self.place(line, at);
        self.words[word] >> bit & 1 == 1
    }

    /// Returns the distance from `at`, inside the border, to the next one after it. Where that exceeds the limit, returns any
    /// number above the limit.
    #[inline]
    pub(super) fn after(&self, line: i32, at: i32, limit: i32) -> i32 {
        if self.is_empty(line) {
            return self.length - at;
        }
        let (mut word, bit) = self.place(line, at);
        let mut rest = self.words[word] & (u64::MAX << 1 << bit);
        let mut passed = -(bit.cast_signed());
        while rest == 0 && passed + 63 <= limit {
            word += 1; // the border ends it
            passed += 64;
            rest = self.words[word];
        }
        passed + rest.trailing_zeros().cast_signed()
    }

    /// Returns the distance from `at`, inside the border, to the last one before it. Where that exceeds the limit, returns any
    /// number above the limit.
    #[inline]
    pub(super) fn before(&self, line: i32, at: i32, limit: i32) -> i32 {
        if self.is_empty(line) {
            return at + 1;
        }
        let (mut word, bit) = self.place(line, at);
        let mut rest = self.words[word] & !(u64::MAX << bit);
        let mut passed = bit.cast_signed() - 63;
        while rest == 0 && passed + 63 <= limit {
            word -= 1; // the border ends it
            passed += 64;
            rest = self.words[word];
        }
        passed + rest.leading_zeros().cast_signed()
    }

    pub(super) fn memory_bytes(&self) -> usize {
        8 * (self.words.capacity() + self.busy.capacity()) + 4 * self.ones.capacity()
    }
}

/// Returns the distance to the next one after a bit.
fn after(words: &[u64], mut word: usize, bit: u32) -> i32 {
    let mut rest = words[word] & (u64::MAX << 1 << bit);
    let mut passed = -(bit.cast_signed());
    while rest == 0 {
        word += 1; // the border ends it
        passed += 64;
        rest = words[word];
    }
    passed + rest.trailing_zeros().cast_signed()
}

/// Returns the distance to the last one before a bit.
fn before(words: &[u64], mut word: usize, bit: u32) -> i32 {
    let mut rest = words[word] & !(u64::MAX << bit);
    let mut passed = bit.cast_signed() - 63;
    while rest == 0 {
        word -= 1; // the border ends it
        passed += 64;
        rest = words[word];
    }
    passed + rest.leading_zeros().cast_signed()
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
            let busy = |line| line == -1 || line == 3 || (line == 1 && length > 3);
            for line in 0..3 {
                let distance = |way: i32| (1..4).find(|d| busy(line + d * way)).unwrap();
                assert_eq!(
                    (bits.next_busy(line, true), bits.next_busy(line, false)),
                    (distance(1), distance(-1))
                );
                for at in 0..length.cast_signed() {
                    let after = (1..1000).find(|d| bits.get(line, at + d)).unwrap();
                    let before = (1..1000).find(|d| bits.get(line, at - d)).unwrap();
                    let all = (bits.after(line, at, i32::MAX - 64), bits.before(line, at, i32::MAX - 64));
                    assert_eq!(all, (after, before), "{length} {line} {at}");
                    for limit in [0, 1, 5, 63, 64, 70] {
                        let near = (bits.after(line, at, limit), bits.before(line, at, limit));
                        assert!(near.0 == after || near.0.min(after) > limit, "{length} {line} {at} {limit}");
                        assert!(
                            near.1 == before || near.1.min(before) > limit,
                            "{length} {line} {at} {limit}"
                        );
                    }
                }
            }
            assert!(
                bits.get(-1, 0) && bits.get(3, 0) && bits.get(0, -1) && bits.get(0, length.cast_signed())
            );
        }
    }
}
