//! Precomputed databases: shared by `Arc`, stored in files.
//!
//! A file consists of a header with the fingerprint of the map, a body, and a checksum. Databases are read in
//! place: they hold the bytes of their file.

mod d_lrta;
mod file;
mod knn;

pub use d_lrta::DLrtaDatabase;
pub(crate) use d_lrta::{ENTRY as D_LRTA_ENTRY, HEAD as D_LRTA_HEAD};
pub use file::{DatabaseError, DatabaseKind, detect_kind};
pub(crate) use file::{Header, begin, check_fingerprint, damaged, finish};
pub use knn::{KnnBuildInfo, KnnBuilder, KnnConfig, KnnDatabase, KnnQuery, KnnRecord, KnnScratch};

/// Computes the FNV-1a hash of the bytes, which ends every database file. It detects damage, not forgery.
pub fn checksum(bytes: &[u8]) -> u64 {
    crate::save::checksum(bytes)
}
