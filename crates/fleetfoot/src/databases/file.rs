//! The envelope of a database file: kind, fingerprint of the graph, checksum.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::graph::Graph;
use crate::save::{SaveReader, SaveWriter, checksum};

const MAGIC: &[u8; 8] = b"flfoot\0d";
const VERSION: u32 = 1;
/// Magic number, version, kind, fingerprint.
const HEAD: usize = 24;

/// The kinds of databases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DatabaseKind {
    /// For kNN LRTA*: solved problems.
    Knn,
    /// For D LRTA*: depths and subgoals for pairs of regions.
    DLrta,
}

impl DatabaseKind {
    /// Returns the name of the kind in the program and in planners.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Knn => "knn",
            Self::DLrta => "d-lrta",
        }
    }

    /// Returns the number of the kind in files.
    pub const fn code(self) -> u32 {
        match self {
            Self::Knn => 1,
            Self::DLrta => 2,
        }
    }

    const fn from_code(code: u32) -> Option<Self> {
        match code {
            1 => Some(Self::Knn),
            2 => Some(Self::DLrta),
            _ => None,
        }
    }
}

/// The reason that bytes are not a database, or not one for this graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatabaseError(String);

impl DatabaseError {
    pub(crate) fn new(what: impl Into<String>) -> Self {
        Self(what.into())
    }
}

impl fmt::Display for DatabaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for DatabaseError {}

/// The header of every database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) kind: DatabaseKind,
    /// The fingerprint of the graph that it was built for.
    pub(crate) fingerprint: u64,
}

impl Header {
    /// Returns an error if the database was built for another graph.
    pub(crate) fn check<G: Graph>(&self, graph: &G) -> Result<(), DatabaseError> {
        check_fingerprint(self.fingerprint, graph)
    }
}

/// Returns an error if the graph has another fingerprint.
pub(crate) fn check_fingerprint<G: Graph>(fingerprint: u64, graph: &G) -> Result<(), DatabaseError> {
    if fingerprint == graph.fingerprint() {
        return Ok(());
    }
    Err(DatabaseError::new(
        "it was built for another map, or for this one with other walls, weights or rules of movement; \
         build it again for this map",
    ))
}

/// Starts a file. The body follows, then [`finish`].
pub(crate) fn begin(header: Header) -> Vec<u8> {
    let mut out = Vec::new();
    out.put(MAGIC);
    out.u32(VERSION);
    out.u32(header.kind.code());
    out.u64(header.fingerprint);
    out
}

/// Ends a file.
pub(crate) fn finish(mut out: Vec<u8>) -> Vec<u8> {
    let sum = checksum(&out);
    out.u64(sum);
    out
}

/// The body of a database, with the bytes of its file.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub(crate) header: Header,
    bytes: Vec<u8>,
}

impl Body {
    /// Opens a file if it is a complete database of this kind.
    pub(crate) fn open(bytes: Vec<u8>, kind: DatabaseKind) -> Result<Self, DatabaseError> {
        let header = header(&bytes)?;
        if header.kind != kind {
            return Err(DatabaseError::new(format!(
                "it is a {} database, a {} database is needed",
                header.kind.name(),
                kind.name()
            )));
        }
        let whole = bytes.split_last_chunk::<8>();
        if whole.is_none_or(|(rest, sum)| checksum(rest) != u64::from_le_bytes(*sum)) {
            return Err(damaged());
        }
        Ok(Self { header, bytes })
    }

    /// Returns the bytes between header and checksum.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes[HEAD..self.bytes.len() - 8]
    }

    /// Returns the bytes of the file.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the bytes of the file without copying them.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Returns the checksum, which identifies the database in saved planners.
    pub(crate) fn checksum(&self) -> u64 {
        self.bytes.split_last_chunk::<8>().map_or(0, |(_, sum)| u64::from_le_bytes(*sum))
    }
}

/// Returns the error for a file with inconsistent numbers.
pub(crate) fn damaged() -> DatabaseError {
    DatabaseError::new("it is damaged or cut off: its checksum is wrong; build it again, or use another copy")
}

/// Returns the kind of a database by its first bytes. The rest of the file is not validated.
pub fn detect_kind(bytes: &[u8]) -> Result<DatabaseKind, DatabaseError> {
    header(bytes).map(|header| header.kind)
}

fn header(bytes: &[u8]) -> Result<Header, DatabaseError> {
    let foreign = || DatabaseError::new("it is not a Fleetfoot database");
    let mut from = SaveReader::new(bytes);
    if from.bytes(MAGIC.len()).map_err(|_| foreign())? != MAGIC {
        return Err(foreign());
    }
    if bytes.len() < HEAD + 8 {
        return Err(damaged());
    }
    let (Ok(version), Ok(kind), Ok(fingerprint)) = (from.u32(), from.u32(), from.u64()) else {
        return Err(damaged());
    };
    if version != VERSION {
        return Err(DatabaseError::new(format!(
            "it has format version {version}, this library reads {VERSION}; build it again with this version"
        )));
    }
    let kind = DatabaseKind::from_code(kind).ok_or_else(damaged)?;
    Ok(Header { kind, fingerprint })
}
