//! Subgoals and depths for D LRTA* (Bulitko, Luštrek, Schaeffer, Björnsson & Sigmundarson 2008), for each ordered
//! pair of regions. Regions are the nodes of a level of the map's clique abstraction.
//!
//! Consider a shortest path between the centers of two regions. The subgoal is its first node in a region whose
//! center is nearer to the end than that of the first region, so following subgoals never leads around a cycle. (In
//! the paper it is the first node outside of the first region. The path from the region of that node can lead back,
//! and does so in one of ten problems on maps of 512² cells.) The depth is the smallest one with which LRTA*, from
//! the center of the first region, makes the first move of a shortest path to the other center when it heads for
//! the subgoal; the maximum depth if none does. An entry takes 5 bytes: 4 for the node, 1 for the depth.
//!
//! The file has a row for each target region, with an entry for each source region. One run of Dijkstra's algorithm
//! computes a row. Rows are independent and can be computed in any order, on any machine.

use alloc::vec::Vec;

use super::file::{Body, DatabaseError, DatabaseKind, damaged};
use crate::graph::Graph;
use crate::id::NodeId;
use crate::save::SaveReader;

/// The header of the body: level, depth, number of regions, whether subgoals are those of the paper.
pub(crate) const HEAD: usize = 16;
/// Size of the envelope of a file.
const ENVELOPE: u64 = 32;
/// Bytes per pair.
pub(crate) const ENTRY: usize = 5;

/// Subgoals and depths for D LRTA*.
#[derive(Clone, Debug)]
pub struct DLrtaDatabase {
    body: Body,
    level: u32,
    depth: u32,
    regions: u32,
    is_as_published: bool,
}

impl DLrtaDatabase {
    /// Returns the size of a file for this number of regions, in bytes.
    pub const fn size(regions: u64) -> u64 {
        ENVELOPE + HEAD as u64 + ENTRY as u64 * regions * regions
    }

    /// Opens a database file. Every number is validated, so that all nodes are in the graph.
    pub fn open<G: Graph>(bytes: Vec<u8>, graph: &G) -> Result<Self, DatabaseError> {
        let database = Self::open_unchecked(bytes)?;
        database.check(graph)?;
        let fits = |entry: &[u8]| {
            let (state, depth) = decode(entry);
            (!state.is_some() || state.index() < graph.bound()) && (1..=database.depth).contains(&depth)
        };
        if database.body.bytes()[HEAD..].chunks_exact(ENTRY).all(fits) {
            Ok(database)
        } else {
            Err(damaged())
        }
    }

    /// Opens a database file without its graph, to inspect it.
    pub fn open_unchecked(bytes: Vec<u8>) -> Result<Self, DatabaseError> {
        let body = Body::open(bytes, DatabaseKind::DLrta)?;
        let mut from = SaveReader::new(body.bytes());
        let numbers = (from.u32(), from.u32(), from.u32(), from.u32());
        let (Ok(level), Ok(depth), Ok(regions), Ok(published @ 0..=1)) = numbers else {
            return Err(damaged());
        };
        if body.as_bytes().len() as u64 != Self::size(u64::from(regions)) || depth == 0 || level == 0 {
            return Err(damaged());
        }
        Ok(Self { body, level, depth, regions, is_as_published: published == 1 })
    }

    /// Returns the bytes of the file.
    pub fn as_bytes(&self) -> &[u8] {
        self.body.as_bytes()
    }

    /// Returns the bytes of the file without copying them.
    pub fn into_bytes(self) -> Vec<u8> {
        self.body.into_bytes()
    }

    /// Returns the checksum that saved planners use to identify the database.
    pub fn checksum(&self) -> u64 {
        self.body.checksum()
    }

    /// Returns the fingerprint of the graph that the database was built for.
    pub fn fingerprint(&self) -> u64 {
        self.body.header.fingerprint
    }

    /// Returns an error if the database was built for another graph.
    pub fn check<G: Graph>(&self, graph: &G) -> Result<(), DatabaseError> {
        self.body.header.check(graph)
    }

    /// Returns the level of the abstraction whose nodes are the regions.
    pub fn level(&self) -> u32 {
        self.level
    }

    /// Returns the maximum depth.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Returns `true` if the subgoals are those of the paper, which may lead around cycles.
    pub fn is_as_published(&self) -> bool {
        self.is_as_published
    }

    /// Returns the number of regions.
    pub fn regions(&self) -> u32 {
        self.regions
    }

    /// Returns the subgoal and the depth for a pair of regions, in O(1). The subgoal is `NONE` if the regions are
    /// equal, or if no path connects them.
    pub fn entry(&self, from: NodeId, to: NodeId) -> (NodeId, u32) {
        let k = to.index() * self.regions as usize + from.index();
        // Unknown regions have no entry.
        let entry = self.body.bytes().get(HEAD + ENTRY * k..).and_then(|rest| rest.get(..ENTRY));
        entry.map_or((NodeId::NONE, 1), decode)
    }
}

fn decode(entry: &[u8]) -> (NodeId, u32) {
    let state = entry.first_chunk().map_or(u32::MAX, |bytes| u32::from_le_bytes(*bytes));
    (NodeId::new(state), u32::from(entry[ENTRY - 1]))
}
