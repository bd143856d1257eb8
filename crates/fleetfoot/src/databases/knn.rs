//! Solved problems for kNN LRTA* (Bulitko, Björnsson & Lawrence 2010). A record consists of a start, subgoals and
//! an end, each of which can be reached from the previous one by hill climbing. An index finds the records most
//! similar to a problem.
//!
//! The index is an implicit k-d tree over the four coordinates of start and end: the median record of a range
//! splits it, by the first coordinate at the top, by the second below, and so on. A record takes 4 bytes, plus 4
//! for each of its nodes.

mod build;
mod nearest;

use alloc::vec::Vec;

pub use self::build::{KnnBuilder, KnnConfig, KnnRecord, KnnScratch};
pub use self::nearest::KnnQuery;
use super::file::{Body, DatabaseError, DatabaseKind, Header, begin, damaged, finish};
use crate::graph::{Embedded, Graph};
use crate::id::NodeId;
use crate::save::{SaveReader, SaveWriter};

/// The header of the body: numbers of records, nodes and path edges, seed, flags.
const HEAD: usize = 32;

/// The parameters with which a database was built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnnBuildInfo {
    /// The seed of the problems.
    pub seed: u64,
    /// Whether subgoals are as far apart as hill climbing allows, instead of as a binary search finds them.
    pub is_exact: bool,
    /// Whether problems that earlier records cover were skipped.
    pub covers: bool,
    /// Number of moves in all solved paths.
    pub path_edges: u64,
}

/// Records for kNN LRTA*.
#[derive(Clone, Debug)]
pub struct KnnDatabase {
    body: Body,
    records: u32,
    states: u32,
}

impl KnnDatabase {
    /// Creates a database of these records, each of at least two nodes. Their order does not matter.
    pub fn new<G: Embedded>(graph: &G, origin: KnnBuildInfo, mut records: Vec<Vec<NodeId>>) -> Self {
        part(graph, &mut records, 0);
        let states = records.iter().map(Vec::len).sum::<usize>();
        let mut out = begin(Header { kind: DatabaseKind::Knn, fingerprint: graph.fingerprint() });
        out.reserve_exact(HEAD + 4 * (records.len() + states) + 8);
        out.u32(records.len() as u32);
        out.u32(states as u32);
        out.u64(origin.path_edges);
        out.u64(origin.seed);
        out.u64(u64::from(origin.is_exact) | u64::from(origin.covers) << 1);
        let mut end = 0;
        for record in &records {
            end += record.len() as u32;
            out.u32(end);
        }
        records.iter().flatten().for_each(|&n| out.node(n));
        let bytes = finish(out);
        Self::open(bytes, graph).unwrap_or_else(|error| unreachable!("just written: {error}"))
    }

    /// Opens a database file. Every number is validated, so that all nodes are in the graph.
    pub fn open<G: Graph>(bytes: Vec<u8>, graph: &G) -> Result<Self, DatabaseError> {
        let database = Self::open_unchecked(bytes)?;
        database.body.header.check(graph)?;
        let states = (0..database.states).map(|k| database.state(k));
        if states.into_iter().all(|n| n.index() < graph.bound()) { Ok(database) } else { Err(damaged()) }
    }

    /// Opens a database file without its graph, to inspect it.
    pub fn open_unchecked(bytes: Vec<u8>) -> Result<Self, DatabaseError> {
        let body = Body::open(bytes, DatabaseKind::Knn)?;
        let mut from = SaveReader::new(body.bytes());
        let (Ok(records), Ok(states)) = (from.u32(), from.u32()) else { return Err(damaged()) };
        let database = Self { body, records, states };
        let length = HEAD as u64 + 4 * (u64::from(records) + u64::from(states));
        if database.body.bytes().len() as u64 != length {
            return Err(damaged());
        }
        let (mut before, mut fits) = (0, true);
        for r in 0..records {
            let end = database.end(r);
            fits &= end.checked_sub(before).is_some_and(|states| states >= 2) && end <= states;
            before = end;
        }
        if fits && before == states { Ok(database) } else { Err(damaged()) }
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

    /// Returns the number of records.
    pub fn records(&self) -> u32 {
        self.records
    }

    /// Returns the number of nodes in all records.
    pub fn states(&self) -> u32 {
        self.states
    }

    /// Returns the parameters with which the database was built.
    pub fn origin(&self) -> KnnBuildInfo {
        let word = |at: usize| self.body.bytes()[at..].first_chunk().map_or(0, |b| u64::from_le_bytes(*b));
        let flags = word(24);
        KnnBuildInfo {
            seed: word(16),
            is_exact: flags & 1 == 1,
            covers: flags >> 1 & 1 == 1,
            path_edges: word(8),
        }
    }

    /// Returns the nodes of a record: start, subgoals, end.
    pub fn record(&self, record: u32) -> impl DoubleEndedIterator<Item = NodeId> + '_ {
        (self.begin(record)..self.end(record)).map(|k| self.state(k))
    }

    /// Returns the number of nodes of a record.
    pub fn len(&self, record: u32) -> u32 {
        self.end(record) - self.begin(record)
    }

    /// Returns `true` if there are no records.
    pub fn is_empty(&self) -> bool {
        self.records == 0
    }

    /// Returns the k-th node of a record.
    pub fn at(&self, record: u32, k: u32) -> NodeId {
        self.state(self.begin(record) + k)
    }

    /// Returns the problem that a record solves.
    pub fn problem(&self, record: u32) -> (NodeId, NodeId) {
        (self.state(self.begin(record)), self.state(self.end(record) - 1))
    }

    fn number(&self, at: usize) -> u32 {
        self.body.bytes()[at..].first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes))
    }

    fn begin(&self, record: u32) -> u32 {
        record.checked_sub(1).map_or(0, |before| self.end(before))
    }

    fn end(&self, record: u32) -> u32 {
        self.number(HEAD + 4 * record as usize)
    }

    fn state(&self, k: u32) -> NodeId {
        NodeId::new(self.number(HEAD + 4 * (self.records as usize + k as usize)))
    }
}

/// Returns the coordinates of a problem.
pub(crate) fn point<G: Embedded>(graph: &G, start: NodeId, end: NodeId) -> [i32; 4] {
    let ((sx, sy), (ex, ey)) = (graph.position(start), graph.position(end));
    [sx, sy, ex, ey]
}

/// Returns the index of the record that splits a range of this length.
pub(crate) const fn middle(length: u32) -> u32 {
    length / 2
}

/// Sorts records into the order of the tree. Ties are ordered by all nodes, so the result does not depend on the
/// order of the input.
fn part<G: Embedded>(graph: &G, records: &mut [Vec<NodeId>], depth: usize) {
    if records.len() < 2 {
        return;
    }
    let middle = middle(records.len() as u32) as usize;
    let coordinate = |record: &Vec<NodeId>| point(graph, record[0], record[record.len() - 1])[depth % 4];
    records.select_nth_unstable_by(middle, |a, b| {
        coordinate(a)
            .cmp(&coordinate(b))
            .then_with(|| a.iter().map(|n| n.raw()).cmp(b.iter().map(|n| n.raw())))
    });
    let (left, right) = records.split_at_mut(middle);
    part(graph, left, depth + 1);
    part(graph, &mut right[1..], depth + 1);
}
