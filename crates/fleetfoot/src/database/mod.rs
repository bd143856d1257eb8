//! What is computed before agents walk: databases, built once per map, shared by `Arc`, kept in files.
//!
//! A file is a header that binds it to its map, a body that is its kind's own, and a checksum. It is used as it lies:
//! a database holds the bytes of its file and reads numbers where they are.

mod d_lrta;
mod file;
mod knn;

pub use d_lrta::{DLrtaBuilder, DLrtaDatabase, DLrtaScratch};
pub use file::{DatabaseError, DatabaseKind, kind_of};
pub(crate) use file::{check_fingerprint, damaged};
pub use knn::{KnnBuilder, KnnConfig, KnnDatabase, Nearest, Origin, Record, Workbench};

/// FNV-1a over the bytes: finds damage, not malice. All that databases are kept in ends with it.
pub fn checksum(bytes: &[u8]) -> u64 {
    crate::save::checksum(bytes)
}
