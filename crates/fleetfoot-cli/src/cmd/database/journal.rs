//! The progress of a build in a file: it survives interruptions. A shard of a build is such a file as well.
//!
//! ```text
//! head   magic (8), version, kind (u32 each), fingerprint, total, seed (u64 each), options, part, parts (u32 each),
//! checksum
//! block  items, length (u32 each), next (u64), length bytes: each item's length (u32) and bytes; checksum
//! ```
//! Numbers are little-endian. A checksum covers all bytes of the head or block before it. A truncated or damaged
//! block ends the journal: its items are made again.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use fleetfoot::database::checksum;
use fleetfoot_sim::error::InputError;

use crate::failure::Failure;

const MAGIC: &[u8; 8] = b"flfoot\0j";
const VERSION: u32 = 1;
const HEAD: usize = 60;

/// The parameters of a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BuildPlan {
    pub(super) kind: u32,
    /// Checksum of the map.
    pub(super) fingerprint: u64,
    /// Number of items of the whole database.
    pub(super) total: u64,
    pub(super) seed: u64,
    /// Further options, encoded by the kind.
    pub(super) options: u32,
    /// Number of the part, and of parts.
    pub(super) shard: (u32, u32),
}

impl BuildPlan {
    fn bytes(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        out.extend(VERSION.to_le_bytes());
        out.extend(self.kind.to_le_bytes());
        for word in [self.fingerprint, self.total, self.seed] {
            out.extend(word.to_le_bytes());
        }
        for word in [self.options, self.shard.0, self.shard.1] {
            out.extend(word.to_le_bytes());
        }
        out.extend(checksum(&out).to_le_bytes());
        out
    }

    fn read(bytes: &[u8]) -> Result<Self, &'static str> {
        if bytes.len() < 8 || bytes[..8] != *MAGIC {
            return Err("it is no database, and no part of one");
        }
        let Some((head, sum)) = bytes.get(..HEAD).and_then(|head| head.split_last_chunk::<8>()) else {
            return Err("it is cut off");
        };
        let (short, long) = (|at| u32_at(head, at), |at| u64_at(head, at));
        if short(8) != VERSION {
            return Err("it was made by another version; build it again with this one");
        }
        if checksum(head) != u64::from_le_bytes(*sum) {
            return Err("its head is damaged");
        }
        Ok(Self {
            kind: short(12),
            fingerprint: long(16),
            total: long(24),
            seed: long(32),
            options: short(40),
            shard: (short(44), short(48)),
        })
    }

    /// Returns the number of items in this part.
    pub(super) fn items(&self) -> u64 {
        let (part, parts) = (u64::from(self.shard.0), u64::from(self.shard.1));
        (self.total + parts - part) / parts
    }

    /// Returns the index of this part's k-th item. Parts are interleaved, so that all have the same work.
    pub(super) fn number(&self, k: u64) -> u64 {
        k * u64::from(self.shard.1) + u64::from(self.shard.0) - 1
    }
}

/// Returns `true` if the bytes are a journal.
pub(super) fn is_one(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// The contents of a journal.
pub(super) struct Contents {
    pub(super) plan: BuildPlan,
    pub(super) items: Vec<Vec<u8>>,
    /// The state from which the build continues.
    pub(super) next: u64,
    /// Number of valid bytes in the file.
    whole: usize,
}

/// Reads the valid part of a journal.
pub(super) fn read(bytes: &[u8]) -> Result<Contents, &'static str> {
    let plan = BuildPlan::read(bytes)?;
    let mut contents = Contents { plan, items: Vec::new(), next: 0, whole: HEAD };
    while let Some((items, next, length)) = block(&bytes[contents.whole..]) {
        contents.items.extend(items);
        contents.next = next;
        contents.whole += length;
    }
    Ok(contents)
}

/// Parses a block. Returns its items, the next state, and its length, or `None` if it is not valid.
fn block(bytes: &[u8]) -> Option<(Vec<Vec<u8>>, u64, usize)> {
    let head = bytes.get(..16)?;
    let (count, length, next) = (u32_at(head, 0), u32_at(head, 4) as usize, u64_at(head, 8));
    let whole = bytes.get(..16_usize.checked_add(length)?.checked_add(8)?)?;
    let (body, sum) = whole.split_last_chunk::<8>()?;
    if checksum(body) != u64::from_le_bytes(*sum) {
        return None;
    }
    let (mut rest, mut items) = (&body[16..], Vec::new());
    for _ in 0..count {
        let (length, after) = rest.split_first_chunk::<4>()?;
        let (item, after) = after.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        items.push(item.to_vec());
        rest = after;
    }
    rest.is_empty().then_some((items, next, whole.len()))
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes[at..].first_chunk().map_or(0, |word| u32::from_le_bytes(*word))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    bytes[at..].first_chunk().map_or(0, |word| u64::from_le_bytes(*word))
}

/// A journal that is open for writing.
pub(super) struct BuildJournal {
    file: File,
    pub(super) path: PathBuf,
    pub(super) items: Vec<Vec<u8>>,
    pub(super) next: u64,
}

impl BuildJournal {
    /// Opens the journal at `path`, or creates it.
    pub(super) fn open(path: &Path, plan: BuildPlan) -> Result<Self, Failure> {
        let cannot = |what: &str, cause: &io::Error| Failure::from(InputError::io(path, what, cause));
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(|cause| cannot("open", &cause))?;
        if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
            let remedy = "let it finish, or choose another --output";
            let busy = InputError::new("another build is at work on it", remedy);
            return Err(busy.with_file(path).into());
        }
        let mut bytes = Vec::new();
        io::Read::read_to_end(&mut file, &mut bytes).map_err(|cause| cannot("read", &cause))?;
        let remedy = "finish that build with its own options, delete the file, or choose another --output";
        let refuse = |what: &str| Failure::from(InputError::new(what, remedy).with_file(path));
        let contents = if bytes.len() < HEAD && plan.bytes().starts_with(&bytes) {
            Contents { plan, items: Vec::new(), next: 0, whole: 0 }
        } else {
            read(&bytes).map_err(refuse)?
        };
        if contents.plan != plan {
            return Err(refuse(
                "it belongs to a different build: another map, kind, number of records, seed, option or shard",
            ));
        }
        let mut journal = Self { file, items: contents.items, next: contents.next, path: path.to_owned() };
        journal
            .cut(contents.whole as u64)
            .and_then(|()| match contents.whole {
                0 => journal.file.write_all(&plan.bytes()),
                _ => Ok(()),
            })
            .map_err(|cause| cannot("write", &cause))?;
        Ok(journal)
    }

    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.file.set_len(length)?;
        self.file.seek(SeekFrom::Start(length)).map(drop)
    }

    /// Appends a block and flushes it to the disk.
    pub(super) fn add(&mut self, items: Vec<Vec<u8>>, next: u64) -> Result<(), Failure> {
        let length: usize = items.iter().map(|item| 4 + item.len()).sum();
        let mut out = Vec::with_capacity(length + 24);
        out.extend((items.len() as u32).to_le_bytes());
        out.extend((length as u32).to_le_bytes());
        out.extend(next.to_le_bytes());
        for item in &items {
            out.extend((item.len() as u32).to_le_bytes());
            out.extend(item);
        }
        out.extend(checksum(&out).to_le_bytes());
        let written = self.file.write_all(&out).and_then(|()| self.file.sync_data());
        written.map_err(|cause| Failure::from(InputError::io(&self.path, "write", &cause)))?;
        self.items.extend(items);
        self.next = next;
        Ok(())
    }
}

/// Returns the path of a build's journal.
pub(super) fn beside(output: &Path) -> PathBuf {
    let mut name = output.as_os_str().to_owned();
    name.push(".part");
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAN: BuildPlan =
        BuildPlan { kind: 1, fingerprint: 7, total: 10, seed: 3, options: 0, shard: (2, 3) };

    #[test]
    fn parts_take_turns() {
        let parts = [1, 2, 3].map(|part| BuildPlan { shard: (part, 3), ..PLAN });
        let mut all: Vec<u64> =
            parts.iter().flat_map(|plan| (0..plan.items()).map(|k| plan.number(k))).collect();
        assert_eq!(parts.map(|plan| plan.items()), [4, 3, 3]);
        all.sort_unstable();
        assert!(all.into_iter().eq(0..10));
    }

    #[test]
    fn wherever_it_is_cut_the_rest_is_made_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.part");
        let item = |k: u8| vec![k; usize::from(k)];
        let mut journal = BuildJournal::open(&path, PLAN).unwrap();
        journal.add(vec![item(1), item(2)], 2).unwrap();
        let first = std::fs::read(&path).unwrap().len();
        journal.add(vec![item(3)], 3).unwrap();
        drop(journal);
        let whole = std::fs::read(&path).unwrap();
        for cut in 0..whole.len() {
            std::fs::write(&path, &whole[..cut]).unwrap();
            let mut journal = BuildJournal::open(&path, PLAN).unwrap_or_else(|f| panic!("{cut}: {f:?}"));
            let kept = if cut < first { 0 } else { 2 };
            assert_eq!((journal.items.len(), journal.next), (kept, kept as u64), "cut at {cut}");
            for k in kept as u8..3 {
                journal.add(vec![item(k + 1)], u64::from(k) + 1).unwrap();
            }
            drop(journal);
            let again = BuildJournal::open(&path, PLAN).unwrap();
            assert_eq!(again.items, [item(1), item(2), item(3)]);
        }
        std::fs::write(&path, &whole).unwrap();
        assert!(BuildJournal::open(&path, BuildPlan { seed: 4, ..PLAN }).is_err());
        for k in 0..HEAD {
            let mut damaged = whole.clone();
            damaged[k] ^= 16;
            std::fs::write(&path, &damaged).unwrap();
            assert!(BuildJournal::open(&path, PLAN).is_err(), "byte {k}");
            assert_eq!(std::fs::read(&path).unwrap(), damaged, "what is not ours is left alone");
        }
    }
}
