//! Reading and writing saved states: little-endian numbers that are validated when read.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::graph::Limits;
use crate::id::{Cost, NodeId};

/// Receives the bytes of a saved state.
pub trait SaveWriter {
    /// Appends bytes.
    fn put(&mut self, bytes: &[u8]);

    /// Writes a 32-bit number.
    fn u32(&mut self, x: u32) {
        self.put(&x.to_le_bytes());
    }

    /// Writes a 64-bit number.
    fn u64(&mut self, x: u64) {
        self.put(&x.to_le_bytes());
    }

    /// Writes a node, which may be [`NodeId::NONE`].
    fn node(&mut self, n: NodeId) {
        self.u32(n.raw());
    }

    /// Writes a cost.
    fn cost(&mut self, c: Cost) {
        self.u32(c.raw());
    }
}

impl SaveWriter for Vec<u8> {
    fn put(&mut self, bytes: &[u8]) {
        self.extend_from_slice(bytes);
    }
}

/// The reason a saved state cannot be restored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SaveError(String);

impl SaveError {
    /// Creates an error from a clause about the saved data, such as `it ends too early`.
    pub fn new(what: impl Into<String>) -> Self {
        Self(what.into())
    }

    /// Wraps an error from a planner's own state. The checksum matched, so the spec or the graph is the wrong one.
    pub(crate) fn under(&self, spec: &impl fmt::Display) -> Self {
        Self(format!(
            "it holds no state of `{spec}` on this graph; save a planner with the spec that it was built from and the graph \
             that it plans on ({})",
            self.0
        ))
    }
}

impl fmt::Display for SaveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "this save cannot be restored: {}", self.0)
    }
}

impl core::error::Error for SaveError {}

/// Reads saved bytes and validates every value.
#[derive(Clone, Debug)]
pub struct SaveReader<'a> {
    rest: &'a [u8],
}

impl<'a> SaveReader<'a> {
    /// Creates a reader at the start of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// Reads `n` bytes.
    pub fn bytes(&mut self, n: usize) -> Result<&'a [u8], SaveError> {
        let (taken, rest) =
            self.rest.split_at_checked(n).ok_or_else(|| SaveError::new("it ends too early"))?;
        self.rest = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], SaveError> {
        let mut bytes = [0; N];
        bytes.copy_from_slice(self.bytes(N)?);
        Ok(bytes)
    }

    /// Reads a 32-bit number.
    pub fn u32(&mut self) -> Result<u32, SaveError> {
        self.array().map(u32::from_le_bytes)
    }

    /// Reads a 64-bit number.
    pub fn u64(&mut self) -> Result<u64, SaveError> {
        self.array().map(u64::from_le_bytes)
    }

    /// Reads a counter. Values close to an overflow are rejected.
    pub fn count(&mut self) -> Result<u64, SaveError> {
        let n = self.u64()?;
        if n < 1 << 60 { Ok(n) } else { Err(SaveError::new("a number is too large")) }
    }

    /// Reads a cost.
    pub fn cost(&mut self) -> Result<Cost, SaveError> {
        self.u32().map(Cost::new)
    }

    /// Reads a node of a graph with these limits.
    pub fn node(&mut self, limits: &Limits) -> Result<NodeId, SaveError> {
        let n = NodeId::new(self.u32()?);
        if limits.has(n) {
            Ok(n)
        } else {
            Err(SaveError::new("it names a node that the graph does not have"))
        }
    }

    /// Reads a node of a graph with these limits, or [`NodeId::NONE`].
    pub fn node_or_none(&mut self, limits: &Limits) -> Result<NodeId, SaveError> {
        let n = NodeId::new(self.u32()?);
        if limits.has(n) || !n.is_some() {
            Ok(n)
        } else {
            Err(SaveError::new("it names a node that the graph does not have"))
        }
    }

    /// Reads a node number without validation, such as a requested goal.
    pub(crate) fn node_or_any(&mut self) -> Result<NodeId, SaveError> {
        self.u32().map(NodeId::new)
    }

    /// Reads the number of entries that follow. It is rejected if the remaining bytes cannot hold entries of `size`
    /// bytes each.
    pub fn len(&mut self, size: usize) -> Result<usize, SaveError> {
        let n = self.u32()? as usize;
        if n.saturating_mul(size) <= self.rest.len() {
            Ok(n)
        } else {
            Err(SaveError::new("it ends too early"))
        }
    }

    /// Reads a number below `n`.
    pub fn choice(&mut self, n: u32) -> Result<u32, SaveError> {
        let k = self.u32()?;
        if k < n { Ok(k) } else { Err(SaveError::new("it holds a choice that does not exist")) }
    }

    /// Returns an error if unread bytes remain.
    pub fn end(&self) -> Result<(), SaveError> {
        if self.rest.is_empty() { Ok(()) } else { Err(SaveError::new("it has more bytes than it should")) }
    }
}

/// Computes the FNV-1a hash of the bytes. It detects damage, not forgery.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |h, &b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3))
}
