//! Building records: random problems, solved and compressed to subgoals for hill climbing.
//!
//! A record depends only on the graph, the seed and its number. Records can be built in any order, on any number of
//! threads and machines, with the same result.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::Range;

use super::{KnnBuildInfo, KnnDatabase, KnnQuery};
use crate::corners::{CornerPaths, Corners};
use crate::graph::{Embedded, splitmix64};
use crate::grid::Grid;
use crate::id::NodeId;
use crate::meter::Meter;
use crate::search::{
    ClimbProgress, ClimbTest, FlatTable, Halt, NodeTable, OpenKind, Pools, Search, SearchTools, is_climbable,
};

/// Parameters of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnnConfig {
    /// The seed of the problems.
    pub seed: u64,
    /// Whether the farthest node that hill climbing reaches is searched one by one, instead of by binary search:
    /// fewer subgoals, much more time.
    pub is_exact: bool,
}

/// A solved problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnnRecord {
    /// Start, subgoals and end; at least two nodes.
    pub states: Vec<NodeId>,
    /// Number of moves of the path they were taken from.
    pub path_edges: u64,
}

/// Builds records for a graph.
#[derive(Debug)]
pub struct KnnBuilder<'g, G> {
    graph: &'g G,
    config: KnnConfig,
    /// All nodes with at least one edge, by component.
    places: Vec<NodeId>,
    /// The index of the first node of each component.
    components: Vec<u32>,
    corners: Option<Corners>,
    /// Working memory of threads between two records.
    #[cfg(feature = "rayon")]
    spare: std::sync::Mutex<Vec<KnnScratch>>,
}

/// The working memory of a thread that builds records.
#[derive(Debug)]
pub struct KnnScratch(Solver);

#[derive(Debug)]
enum Solver {
    Corners(Box<CornerPaths>),
    AStar(Box<(Search<FlatTable>, Pools)>),
}

/// Minimum number of records if none is given.
const FEWEST: u64 = 64;
/// Number of the first test problem. Larger than any record number, so tests never reuse a training problem.
const APART: u64 = 1 << 40;
/// Number of test problems, and how many of them must be covered.
const TRIED: u64 = 200;
const ENOUGH: u64 = 196;
/// Number of candidates and of climbing steps: the defaults of kNN LRTA*.
const REACH: (usize, u32) = (10, 250);

/// Maximum number of attempts to draw a problem whose ends are connected.
const DRAWS: u64 = 1000;

impl<'g, G: Embedded> KnnBuilder<'g, G> {
    /// Creates a builder for this graph. Visits every node.
    pub fn new(graph: &'g G, config: KnnConfig) -> Self {
        let (places, components) = components(graph);
        let corners = Grid::of(graph).and_then(Corners::new);
        Self {
            graph,
            config,
            places,
            components,
            corners,
            #[cfg(feature = "rayon")]
            spare: std::sync::Mutex::default(),
        }
    }

    /// Returns the number of nodes that problems are drawn from.
    pub fn places(&self) -> usize {
        self.places.len()
    }

    /// Creates the working memory of a thread.
    pub fn workbench(&self) -> KnnScratch {
        if let (Some(_), Some(grid)) = (&self.corners, Grid::of(self.graph)) {
            return KnnScratch(Solver::Corners(Box::new(CornerPaths::new(grid))));
        }
        let (bound, max_f_increase) = (self.graph.bound(), self.graph.max_f_increase());
        let search = Search::new(FlatTable::new(bound), OpenKind::Ring, bound, max_f_increase);
        KnnScratch(Solver::AStar(Box::new((search, Pools::new()))))
    }

    /// The problem with this number: two states with a way between them, every such pair as likely as any other.
    /// Nothing if there are none.
    pub fn problem(&self, number: u64) -> Option<(NodeId, NodeId)> {
        let count = self.places.len() as u64;
        if count == 0 {
            return None;
        }
        let stream = splitmix64(self.config.seed ^ splitmix64(number.wrapping_add(1)));
        let draw = |k: u64, below: u64| {
            let bits = splitmix64(stream.wrapping_add(k.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
            ((u128::from(bits) * u128::from(below)) >> 64) as u64
        };
        let component = |place: u64| self.components.partition_point(|&first| u64::from(first) <= place) - 1;
        let tries = (0..DRAWS).map(|k| (draw(2 * k, count), draw(2 * k + 1, count)));
        let pair = tries.into_iter().find(|&(a, b)| a != b && component(a) == component(b));
        let (a, b) = pair.unwrap_or_else(|| {
            // Nothing but small components.
            let a = draw(2 * DRAWS, count);
            let c = component(a);
            let first = u64::from(self.components[c]);
            let end = self.components.get(c + 1).map_or(count, |&end| u64::from(end));
            let others = end - first - 1;
            (a, first + (a - first + 1 + draw(2 * DRAWS + 1, others)) % (others + 1))
        });
        Some((self.places[a as usize], self.places[b as usize]))
    }

    /// Computes the record with this number. Returns `None` if no two nodes of the graph are connected.
    pub fn record(&self, bench: &mut KnnScratch, number: u64) -> Option<KnnRecord> {
        let (start, goal) = self.problem(number)?;
        let path = bench.path(self.graph, self.corners.as_ref(), start, goal);
        let path_edges = path.len().checked_sub(1)? as u64;
        Some(KnnRecord { states: self.compress(&path), path_edges })
    }

    /// Returns the nodes of a path that remain after compression: hill climbing reaches each from the previous one,
    /// and there are as few as the search can find.
    fn compress(&self, path: &[NodeId]) -> Vec<NodeId> {
        let reaches = |i: usize, j: usize| is_climbable(self.graph, path[i], path[j]);
        let last = path.len() - 1;
        let (mut kept, mut i) = (alloc::vec![path[0]], 0);
        while !reaches(i, last) {
            i = if self.config.is_exact {
                (i + 2..last).rev().find(|&j| reaches(i, j)).unwrap_or(i + 1)
            } else {
                // Reachability is not monotonic in the distance, so this is *a* place where it ends.
                let (mut near, mut far) = (i + 1, last);
                while far - near > 1 {
                    let middle = usize::midpoint(near, far);
                    if reaches(i, middle) { near = middle } else { far = middle }
                }
                near
            };
            kept.push(path[i]);
        }
        kept.push(path[last]);
        kept
    }

    /// Returns `true` if the problem with this number can be solved by one of the `most` most similar records, with
    /// climbs of at most `limit` steps at both ends, or by such a climb alone. It then needs no record of its own.
    pub fn is_covered(&self, database: &KnnDatabase, number: u64, (most, limit): (usize, u32)) -> bool {
        let Some((start, goal)) = self.problem(number) else { return true };
        let climbs = |a, b| {
            let (quota, meter) = (&mut limit.clone(), &mut Meter::unlimited());
            ClimbTest::new(a, b, limit).run(self.graph, quota, meter) == ClimbProgress::Arrived
        };
        if climbs(start, goal) {
            return true;
        }
        let mut nearest = KnnQuery::new(most);
        nearest.ask(database, start, goal);
        nearest.run(self.graph, database, &mut Meter::unlimited());
        nearest.found().any(|record| {
            let (first, end) = database.problem(record);
            climbs(end, goal) && climbs(start, first)
        })
    }

    /// Assembles the database from these records.
    pub fn assemble(&self, records: Vec<KnnRecord>, covers: bool) -> KnnDatabase {
        let path_edges = records.iter().map(|record| record.path_edges).sum();
        let KnnConfig { seed, is_exact } = self.config;
        let origin = KnnBuildInfo { seed, is_exact, covers, path_edges };
        KnnDatabase::new(self.graph, origin, records.into_iter().map(|record| record.states).collect())
    }

    /// Returns how many of `problems` test problems the database covers ([`Self::is_covered`]), with the default
    /// parameters of kNN LRTA*. Test problems differ from those of the records.
    pub fn coverage(&self, database: &KnnDatabase, problems: u64) -> u64 {
        (APART..APART + problems).filter(|&number| self.is_covered(database, number, REACH)).count() as u64
    }

    /// Builds a database with an automatic number of records on one thread. The number is doubled until 98 % of the
    /// test problems are covered, up to [`max_records`](Self::max_records): paths without a record are ten to a hundred times too
    /// long, so a few uncovered problems dominate the mean.
    pub fn build_to_coverage(&self) -> KnnDatabase {
        let mut bench = self.workbench();
        self.grow(|numbers| numbers.map_while(|number| self.record(&mut bench, number)).collect())
    }

    /// Returns the maximum number of records if none is given: one per two nodes, limited to what can be built
    /// within seconds.
    pub fn max_records(&self) -> u64 {
        (self.places.len() as u64 / 2).clamp(FEWEST, 20_000)
    }

    fn grow(&self, mut make: impl FnMut(Range<u64>) -> Vec<KnnRecord>) -> KnnDatabase {
        let (mut records, most) = (Vec::new(), self.max_records());
        loop {
            let made = records.len() as u64;
            let count = (2 * made).clamp(FEWEST, most);
            records.extend(make(made..count));
            let database = self.assemble(records.clone(), false);
            if count == most || records.is_empty() || self.coverage(&database, TRIED) >= ENOUGH {
                return database;
            }
        }
    }

    /// Builds the database of the first `count` records on one thread.
    pub fn build(&self, count: u32) -> KnnDatabase {
        let mut bench = self.workbench();
        let records = (0..u64::from(count)).map_while(|number| self.record(&mut bench, number)).collect();
        self.assemble(records, false)
    }
}

/// Parallel builds, with feature `rayon`.
#[cfg(feature = "rayon")]
impl<G: Embedded + Sync> KnnBuilder<'_, G> {
    /// Builds the records with these numbers on rayon's current thread pool.
    pub fn records(&self, numbers: &[u64]) -> Vec<KnnRecord> {
        use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
        let lock = || self.spare.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let make = |&number: &u64| {
            let spare = lock().pop();
            let mut bench = spare.unwrap_or_else(|| self.workbench());
            let record = self.record(&mut bench, number);
            lock().push(bench);
            record
        };
        numbers.par_iter().flat_map_iter(make).collect()
    }

    /// Builds like [`KnnBuilder::build`], on rayon's current thread pool. If `first` is a database of the first
    /// records, these are reused.
    pub(crate) fn build_parallel(&self, count: u64, first: Option<&KnnDatabase>) -> KnnDatabase {
        let known = first.map_or(0, KnnDatabase::records);
        let mut records: Vec<Vec<NodeId>> =
            first.iter().flat_map(|first| (0..known).map(|record| first.record(record).collect())).collect();
        let mut path_edges = first.map_or(0, |first| first.origin().path_edges);
        for made in self.records(&(u64::from(known)..count).collect::<Vec<_>>()) {
            path_edges += made.path_edges;
            records.push(made.states);
        }
        let KnnConfig { seed, is_exact } = self.config;
        KnnDatabase::new(self.graph, KnnBuildInfo { seed, is_exact, covers: false, path_edges }, records)
    }

    /// Returns `true` if a database can contain the first records of this builder: same graph, same parameters.
    pub(crate) fn could_have_made(&self, database: &KnnDatabase) -> bool {
        let KnnBuildInfo { seed, is_exact, covers, .. } = database.origin();
        let KnnConfig { seed: own, is_exact: own_exact } = self.config;
        database.check(self.graph).is_ok() && (seed, is_exact, covers) == (own, own_exact, false)
    }

    /// Builds like [`KnnBuilder::build_to_coverage`], on rayon's current thread pool.
    pub fn build_enough_parallel(&self) -> KnnDatabase {
        self.grow(|numbers| self.records(&numbers.collect::<Vec<_>>()))
    }

    /// Returns those of these problems that need a record of their own ([`KnnBuilder::is_covered`]), in the same
    /// order.
    pub fn uncovered(&self, database: &KnnDatabase, numbers: &[u64], reach: (usize, u32)) -> Vec<u64> {
        use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
        numbers.par_iter().copied().filter(|&number| !self.is_covered(database, number, reach)).collect()
    }
}

impl KnnScratch {
    /// Returns a shortest path. Empty if there is none.
    fn path<G: Embedded>(
        &mut self,
        graph: &G,
        corners: Option<&Corners>,
        a: NodeId,
        b: NodeId,
    ) -> Vec<NodeId> {
        let (search, pools) = match (&mut self.0, corners, Grid::of(graph)) {
            (Solver::Corners(search), Some(corners), Some(grid)) => {
                return search.path(corners, grid, a, b);
            }
            (Solver::AStar(memory), ..) => (&mut memory.0, &mut memory.1),
            _ => unreachable!("a workbench works for the builder that made it"),
        };
        let mut meter = Meter::unlimited();
        let mut tools = SearchTools { meter: &mut meter, pools, probe: None };
        search.start(a, graph.h(a, b), &mut tools);
        let halt =
            search.run(|n, from| graph.pruned_successors(n, from), |_, n| graph.h(n, b), b, &mut tools);
        let mut path = Vec::new();
        let mut at = if halt == Halt::Goal { b } else { NodeId::NONE };
        while at.is_some() {
            path.push(at);
            at = search.nodes.parent(at);
        }
        path.reverse();
        path
    }
}

/// Returns all nodes with neighbors by component, and the index of the first node of each component.
fn components<G: Embedded>(graph: &G) -> (Vec<NodeId>, Vec<u32>) {
    let mut seen = alloc::vec![false; graph.bound()];
    let (mut places, mut firsts) = (Vec::new(), Vec::new());
    for n in (0..graph.bound()).map(NodeId::from_index) {
        if seen[n.index()] || graph.succs(n).next().is_none() {
            continue;
        }
        let mut next = places.len();
        firsts.push(next as u32);
        seen[n.index()] = true;
        places.push(n);
        while let Some(&n) = places.get(next) {
            next += 1;
            for edge in graph.succs(n) {
                if !core::mem::replace(&mut seen[edge.to.index()], true) {
                    places.push(edge.to);
                }
            }
        }
    }
    (places, firsts)
}
