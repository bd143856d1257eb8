//! Solved problems for kNN LRTA* (Bulitko, Björnsson & Lawrence 2010): records of a start, sub-goals and an end, each
//! of which can be reached from the one before by hill climbing, and an index that finds the records most like a
//! problem.
//!
//! The index is a k-d tree over the four coordinates of start and end, without a byte of its own: the records of a
//! stretch of the file are parted by their middle one, by the first coordinate at the top, by the second below, and so on.
//! A record takes 4 bytes and another 4 for each of its states.

mod build;
mod nearest;

use alloc::vec::Vec;

pub use self::build::{KnnBuilder, KnnConfig, Record, Workbench};
pub use self::nearest::Nearest;
use super::file::{Body, DatabaseError, DatabaseKind, Header, begin, damaged, finish};
use crate::graph::{Embedded, Graph};
use crate::id::NodeId;
use crate::save::{SaveReader, SaveWriter};

/// What the body begins with: records, states, path edges (in all), seed, how it was made.
const HEAD: usize = 32;

/// How a database came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// What problems were drawn from.
    pub seed: u64,
    /// Whether sub-goals are as far apart as hill climbing allows, not just as a binary search finds them.
    pub is_exact: bool,
    /// Whether problems were kept only if earlier records were of no use for them.
    pub covers: bool,
    /// Moves in all solved paths together.
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
    /// A database of these records, each of at least two states. In which order they come does not matter.
    pub fn new<G: Embedded>(graph: &G, origin: Origin, mut records: Vec<Vec<NodeId>>) -> Self {
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

    /// Takes the bytes of a file as they are, after a look at each number: what passes never leads out of the graph.
    pub fn open<G: Graph>(bytes: Vec<u8>, graph: &G) -> Result<Self, DatabaseError> {
        let database = Self::open_unbound(bytes)?;
        database.body.header.check(graph)?;
        let states = (0..database.states).map(|k| database.state(k));
        if states.into_iter().all(|n| n.index() < graph.bound()) { Ok(database) } else { Err(damaged()) }
    }

    /// Takes the bytes of a file without the graph that it belongs to: to look at it.
    pub fn open_unbound(bytes: Vec<u8>) -> Result<Self, DatabaseError> {
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

    /// The bytes of its file.
    pub fn file(&self) -> &[u8] {
        self.body.file()
    }

    /// The same, without a copy.
    pub fn into_file(self) -> Vec<u8> {
        self.body.into_file()
    }

    /// A number that names the database in saved planners.
    pub fn checksum(&self) -> u64 {
        self.body.checksum()
    }

    /// Of the graph that it was built for.
    pub fn fingerprint(&self) -> u64 {
        self.body.header.fingerprint
    }

    /// Refuses another graph than the one that the database was built for.
    pub fn check<G: Graph>(&self, graph: &G) -> Result<(), DatabaseError> {
        self.body.header.check(graph)
    }

    /// How many records there are.
    pub fn records(&self) -> u32 {
        self.records
    }

    /// How many states they have, all together.
    pub fn states(&self) -> u32 {
        self.states
    }

    /// How it was made.
    pub fn origin(&self) -> Origin {
        let word = |at: usize| self.body.bytes()[at..].first_chunk().map_or(0, |b| u64::from_le_bytes(*b));
        let flags = word(24);
        Origin { seed: word(16), is_exact: flags & 1 == 1, covers: flags >> 1 & 1 == 1, path_edges: word(8) }
    }

    /// The states of a record: start, sub-goals, end.
    pub fn record(&self, record: u32) -> impl DoubleEndedIterator<Item = NodeId> + '_ {
        (self.begin(record)..self.end(record)).map(|k| self.state(k))
    }

    /// How many states a record has.
    pub fn len(&self, record: u32) -> u32 {
        self.end(record) - self.begin(record)
    }

    /// Whether there are no records.
    pub fn is_empty(&self) -> bool {
        self.records == 0
    }

    /// The k-th state of a record.
    pub fn at(&self, record: u32, k: u32) -> NodeId {
        self.state(self.begin(record) + k)
    }

    /// The problem that a record solves.
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

/// The coordinates of a problem.
pub(crate) fn point<G: Embedded>(graph: &G, start: NodeId, end: NodeId) -> [i32; 4] {
    let ((sx, sy), (ex, ey)) = (graph.position(start), graph.position(end));
    [sx, sy, ex, ey]
}

/// The place of the record that parts a stretch of so many.
pub(crate) const fn middle(length: u32) -> u32 {
    length / 2
}

/// Puts records into the order of the tree. Records that tie are ordered by all they hold, so that the order does not
/// depend on how they came.
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
