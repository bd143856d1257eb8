//! Precomputed databases: built once per map, shared by `Arc`, stored in files.
//!
//! A file consists of a header with the fingerprint of the map, a body, and a checksum. Databases are read in
//! place: they hold the bytes of their file.

pub use crate::databases::{
    DLrtaDatabase, DatabaseError, DatabaseKind, KnnBuildInfo, KnnBuilder, KnnConfig, KnnDatabase, KnnQuery,
    KnnRecord, KnnScratch, checksum, detect_kind,
};
pub use crate::planners::{DLrtaBuilder, DLrtaScratch};
