//! The sections of a file, after its magic number and version.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use fleetfoot_sim::error::InputError;

use super::{VERSION, damaged};

/// The magic number, as in PNG: a byte that is not text, a name, and line ends that a transfer "as text" would
/// change.
pub(crate) const MAGIC: [u8; 8] = *b"\x89FFR\r\n\x1a\n";

/// Maximum unpacked size, since a page has to hold it in memory.
pub(crate) const MAX_RAW: u64 = 1 << 28;

/// The name of a section.
pub(crate) type Tag = [u8; 4];

/// The sections' names, in file order.
pub(crate) const META: Tag = *b"META";
pub(crate) const LETTERS: Tag = *b"LETR";
pub(crate) const WEIGHTS: Tag = *b"WGHT";
pub(crate) const KNOWN: Tag = *b"KNWN";
pub(crate) const TICKS: Tag = *b"TICK";
pub(crate) const NEXT: Tag = *b"NEXT";
/// Fleets: the starts of units, and their actions.
pub(crate) const UNITS: Tag = *b"UNIT";
pub(crate) const MOVES: Tag = *b"MOVE";
pub(crate) const END: Tag = *b"END.";

/// Compresses bytes. Higher levels (up to 9) compress better.
pub(crate) fn zipped(raw: &[u8], level: u32) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::new(level));
    let packed = encoder.write_all(raw).and_then(|()| encoder.finish());
    packed.expect("a vector takes everything")
}

/// A compressed section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Section {
    pub(crate) tag: Tag,
    raw: u32,
    packed: Vec<u8>,
}

impl Section {
    /// Compresses the contents of a section.
    pub(crate) fn pack(tag: Tag, raw: &[u8]) -> Self {
        let length = u32::try_from(raw.len()).expect("sections are far below 4 GB");
        // Level 6 takes twice as long and saves about 3 %.
        Self { tag, raw: length, packed: zipped(raw, 3) }
    }

    /// Returns the unpacked size.
    pub(crate) fn raw(&self) -> u64 {
        u64::from(self.raw)
    }

    /// Returns the size in a file.
    pub(crate) fn size(&self) -> u64 {
        self.packed.len() as u64 + 16
    }

    /// Unpacks the contents.
    pub(crate) fn unpack(&self) -> Result<Vec<u8>, InputError> {
        // The buffer grows with the data, whatever length the file claims.
        let mut raw = Vec::new();
        let mut decoder = ZlibDecoder::new(&self.packed[..]).take(self.raw() + 1);
        decoder.read_to_end(&mut raw).map_err(|_| damaged(format!("{} cannot be unpacked", self.name())))?;
        if raw.len() as u64 != self.raw() {
            return Err(damaged(format!(
                "{} has a length that differs from the one in its header",
                self.name()
            )));
        }
        Ok(raw)
    }

    fn name(&self) -> String {
        String::from_utf8_lossy(&self.tag).into_owned()
    }

    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        let start = out.len();
        out.extend_from_slice(&self.tag);
        out.extend_from_slice(&self.raw.to_le_bytes());
        out.extend_from_slice(&(self.packed.len() as u32).to_le_bytes());
        out.extend_from_slice(&self.packed);
        out.extend_from_slice(&crc32fast::hash(&out[start..]).to_le_bytes());
    }
}

/// Returns the head of a file.
pub(crate) fn head() -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    out.extend_from_slice(&VERSION.to_le_bytes());
    out
}

/// Splits a file into its sections, without the end marker. Checks everything except the sections' contents.
pub(crate) fn split(file: &[u8]) -> Result<Vec<Section>, InputError> {
    let Some(rest) = file.strip_prefix(&MAGIC) else { return Err(foreign(file)) };
    let (version, mut rest) = word(rest).ok_or_else(truncated)?;
    if version == 0 {
        return Err(damaged("its version is 0"));
    }
    if version != VERSION {
        let what = format!("the record has format {version}, and this program reads format {VERSION}");
        let remedy = if version > VERSION {
            "update fleetfoot, or record the run again with this one"
        } else {
            "record the run again; a page that holds such a record still plays it"
        };
        return Err(InputError::new(what, remedy));
    }
    let (mut sections, mut unpacked) = (Vec::new(), 0);
    loop {
        let (section, after) = one(rest)?;
        rest = after;
        if section.tag == END {
            return if rest.is_empty() { Ok(sections) } else { Err(damaged("something follows its end")) };
        }
        unpacked += section.raw();
        if unpacked > MAX_RAW {
            return Err(damaged(format!("it claims to hold more than {MAX_RAW} bytes")));
        }
        sections.push(section);
    }
}

/// Splits off the first section. Returns it with the rest of the file.
fn one(file: &[u8]) -> Result<(Section, &[u8]), InputError> {
    let (tag, rest) = file.split_first_chunk().ok_or_else(truncated)?;
    let (raw, rest) = word(rest).ok_or_else(truncated)?;
    let (length, rest) = word(rest).ok_or_else(truncated)?;
    let (packed, rest) = rest.split_at_checked(length as usize).ok_or_else(truncated)?;
    let (checksum, after) = word(rest).ok_or_else(truncated)?;
    if crc32fast::hash(&file[..file.len() - rest.len()]) != checksum {
        return Err(damaged("a checksum does not match"));
    }
    Ok((Section { tag: *tag, raw, packed: packed.to_vec() }, after))
}

fn word(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let (word, rest) = bytes.split_first_chunk()?;
    Some((u32::from_le_bytes(*word), rest))
}

fn truncated() -> InputError {
    InputError::new(
        "the record ends too early: it is cut off",
        "copy the file again, or record the run again",
    )
}

fn foreign(file: &[u8]) -> InputError {
    if file.is_empty() {
        return InputError::new("the file is empty", "record a run with `fleetfoot run … --replay FILE`");
    }
    if MAGIC.starts_with(file) {
        return truncated();
    }
    // The rest of the magic number after a transfer "as text".
    if file.get(1..4) == Some(b"FFR") {
        return InputError::new("the record was changed in transfer", "copy it as a binary file");
    }
    InputError::new("this is no Fleetfoot record", "make one with `fleetfoot run … --replay FILE`")
}
