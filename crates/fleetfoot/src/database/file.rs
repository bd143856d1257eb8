//! The envelope of a database file: what it is, which graph it belongs to, whether it is whole.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::graph::Graph;
use crate::save::{SaveReader, SaveWriter, checksum};

const MAGIC: &[u8; 8] = b"flfoot\0d";
const VERSION: u32 = 1;
/// Magic, version, kind, fingerprint.
const HEAD: usize = 24;

/// What a database is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DatabaseKind {
    /// kNN LRTA*: solved problems.
    Knn,
    /// D LRTA*: depths and intermediate goals for pairs of regions.
    DLrta,
}

impl DatabaseKind {
    /// The kind's name, as the program and planners have it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Knn => "knn",
            Self::DLrta => "d-lrta",
        }
    }

    /// The kind's number in files.
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

/// Why bytes are no database, or not one for this graph.
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

/// What every database says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) kind: DatabaseKind,
    /// Of the graph that it was built for.
    pub(crate) fingerprint: u64,
}

impl Header {
    /// Refuses another graph than the one that the database was built for.
    pub(crate) fn check<G: Graph>(&self, graph: &G) -> Result<(), DatabaseError> {
        check_fingerprint(self.fingerprint, graph)
    }
}

/// Refuses another graph than the one with this fingerprint.
pub(crate) fn check_fingerprint<G: Graph>(fingerprint: u64, graph: &G) -> Result<(), DatabaseError> {
    if fingerprint == graph.fingerprint() {
        return Ok(());
    }
    Err(DatabaseError::new(
        "it was built for another map, or for this one with other walls, weights or rules of movement; \
         build it again for this map",
    ))
}

/// Begins a file; the body follows, then [`finish`].
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

/// The body of a database in the bytes of its file.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub(crate) header: Header,
    bytes: Vec<u8>,
}

impl Body {
    /// Takes the bytes of a file, if they are a whole database of this kind.
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

    /// What lies between header and checksum.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes[HEAD..self.bytes.len() - 8]
    }

    /// The whole file.
    pub(crate) fn file(&self) -> &[u8] {
        &self.bytes
    }

    /// The whole file, taken out.
    pub(crate) fn into_file(self) -> Vec<u8> {
        self.bytes
    }

    /// The file's checksum, which names the database in saved planners.
    pub(crate) fn checksum(&self) -> u64 {
        self.bytes.split_last_chunk::<8>().map_or(0, |(_, sum)| u64::from_le_bytes(*sum))
    }
}

/// What is wrong with a file whose numbers do not fit together.
pub(crate) fn damaged() -> DatabaseError {
    DatabaseError::new("it is damaged or cut off: its checksum is wrong; build it again, or use another copy")
}

/// Which kind of database begins like this; the rest of the file is not looked at.
pub fn kind_of(bytes: &[u8]) -> Result<DatabaseKind, DatabaseError> {
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
