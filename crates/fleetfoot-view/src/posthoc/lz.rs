//! The compression of the app's workspaces: lz-string, written to bytes.
//!
//! Words are runs of characters, numbered in the order of their first occurrence, from 3 on. A word is written as its
//! number. A new character is written as 0 and its eight bits, or as 1 and its sixteen. 2 is the end. Numbers have as
//! many bits as the largest one that could be written, the lowest first. Bits fill bytes from the top, and the number
//! of bytes is even.

use std::collections::HashMap;

const SHORT: u32 = 0;
const LONG: u32 = 1;
const END: u32 = 2;

/// Packs a text.
pub(super) fn pack(text: &str) -> Vec<u8> {
    let mut packer = Packer { bits: Bits::default(), width: 2, room: 2 };
    // Words by the word that they continue and their last character; characters with whether they were written.
    let mut words: HashMap<(u32, u16), u32> = HashMap::new();
    let mut characters: HashMap<u16, (u32, bool)> = HashMap::new();
    let mut next = 3;
    // The word that is being matched: its number, and its character if it has only one.
    let mut word: Option<(u32, Option<u16>)> = None;
    for c in text.encode_utf16() {
        let (code, _) = *characters.entry(c).or_insert_with(|| {
            next += 1;
            (next - 1, false)
        });
        let Some((so_far, first)) = word else {
            word = Some((code, Some(c)));
            continue;
        };
        if let Some(&longer) = words.get(&(so_far, c)) {
            word = Some((longer, None));
            continue;
        }
        packer.word(so_far, first, &mut characters);
        words.insert((so_far, c), next);
        next += 1;
        word = Some((code, Some(c)));
    }
    if let Some((so_far, first)) = word {
        packer.word(so_far, first, &mut characters);
    }
    packer.bits.put(END, packer.width);
    packer.bits.finish()
}

struct Packer {
    bits: Bits,
    /// Number of bits of a number.
    width: u32,
    /// Numbers that can still be assigned before they need another bit.
    room: u32,
}

impl Packer {
    fn word(&mut self, code: u32, first: Option<u16>, characters: &mut HashMap<u16, (u32, bool)>) {
        let new = first.and_then(|c| Some((c, characters.get_mut(&c)?))).filter(|(_, (_, written))| !written);
        if let Some((c, (_, written))) = new {
            *written = true;
            let (kind, bits) = if c < 256 { (SHORT, 8) } else { (LONG, 16) };
            self.bits.put(kind, self.width);
            self.bits.put(u32::from(c), bits);
            self.grow();
        } else {
            self.bits.put(code, self.width);
        }
        self.grow();
    }

    fn grow(&mut self) {
        self.room -= 1;
        if self.room == 0 {
            self.room = 1 << self.width;
            self.width += 1;
        }
    }
}

#[derive(Default)]
struct Bits {
    out: Vec<u8>,
    byte: u8,
    filled: u32,
}

impl Bits {
    fn put(&mut self, mut value: u32, bits: u32) {
        for _ in 0..bits {
            self.byte = self.byte << 1 | (value & 1) as u8;
            value >>= 1;
            self.filled += 1;
            if self.filled == 8 {
                self.out.push(self.byte);
                (self.byte, self.filled) = (0, 0);
            }
        }
    }

    /// Returns the bytes. At least one bit follows the end.
    fn finish(mut self) -> Vec<u8> {
        self.put(0, 1);
        while self.filled != 0 || self.out.len() % 2 == 1 {
            self.put(0, 1);
        }
        self.out
    }
}
