//! Computes databases for D LRTA*: rows of subgoals and depths, and the file made of them.

use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use crate::databases::{
    D_LRTA_ENTRY as ENTRY, D_LRTA_HEAD as HEAD, DLrtaDatabase, DatabaseError, DatabaseKind, Header, begin,
    finish,
};
use crate::graph::{CliqueAbstraction, Embedded, Graph, Level};
use crate::id::{Cost, NodeId};
use crate::meter::Meter;
use crate::planner::{Decision, Planner, PlannerState, Reset, Scratch, StepContext};
use crate::planners::{FrontierRule, LookAheadLimit, Lrta, LrtaConfig};
use crate::save::SaveWriter;
use crate::search::{FlatTable, NodeTable, OpenKind, SearchTools};

/// Builds a database row by row. Rows are independent, so they can be computed by many threads and in parts, with
/// the same result.
/// ```
/// use fleetfoot::database::{DLrtaBuilder, DLrtaDatabase, DLrtaScratch};
/// use fleetfoot::{Grid, Rules};
/// let grid = Grid::new(64, 64, Rules::default(), |x, y| u8::from(x != 32 || y == 63))?;
/// let builder = DLrtaBuilder::new(&grid, 3, 16);
/// let mut scratch = DLrtaScratch::new(&builder);
/// let rows: Vec<_> = (0..builder.rows()).map(|k| builder.row(&mut scratch, k)).collect();
/// let database = builder.assemble(&rows)?;
/// assert_eq!(database.as_bytes().len() as u64, DLrtaDatabase::size(builder.rows() as u64));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct DLrtaBuilder<'a, G> {
    graph: &'a G,
    cliques: Arc<CliqueAbstraction>,
    level: u32,
    depth: u32,
    with_published_goals: bool,
}

impl<'a, G: Embedded> DLrtaBuilder<'a, G> {
    /// Creates a builder for the regions of this level, and for depths up to `depth`, at most 255.
    pub fn new(graph: &'a G, level: u32, depth: u32) -> Self {
        Self::with_cliques(graph, Arc::new(CliqueAbstraction::new(graph)), level, depth)
    }

    /// Creates a builder with an existing abstraction of the graph.
    pub fn with_cliques(graph: &'a G, cliques: Arc<CliqueAbstraction>, level: u32, depth: u32) -> Self {
        Self { graph, cliques, level: level.max(1), depth: depth.clamp(1, 255), with_published_goals: false }
    }

    /// Uses the subgoals of the paper, which may lead around cycles. For comparison.
    #[must_use]
    pub fn with_published_goals(self) -> Self {
        Self { with_published_goals: true, ..self }
    }

    /// Returns the number of rows, which is the number of regions.
    pub fn rows(&self) -> usize {
        self.regions().map_or(0, Level::len)
    }

    /// Returns the size of a row in bytes.
    pub fn row_bytes(&self) -> usize {
        ENTRY * self.rows()
    }

    fn regions(&self) -> Option<&Level> {
        self.cliques.level(self.level as usize)
    }

    /// Computes the row of a target region.
    pub fn row(&self, scratch: &mut DLrtaScratch, k: usize) -> Vec<u8> {
        let mut row = Vec::with_capacity(self.row_bytes());
        let Some(regions) = self.regions() else { return row };
        let to = NodeId::from_index(k);
        self.measure(regions.centre(to), &mut scratch.distances);
        for from in (0..regions.len()).map(NodeId::from_index) {
            let (state, depth) = self.entry(from, to, regions.centre(from), scratch);
            row.node(state);
            row.put(&[depth as u8]);
        }
        row
    }

    /// Assembles the database from all rows, in order.
    pub fn assemble(&self, rows: &[Vec<u8>]) -> Result<DLrtaDatabase, DatabaseError> {
        let mut out = begin(Header { kind: DatabaseKind::DLrta, fingerprint: self.graph.fingerprint() });
        out.reserve_exact(HEAD + self.row_bytes() * self.rows() + 8);
        for number in [self.level, self.depth, self.rows() as u32, u32::from(self.with_published_goals)] {
            out.u32(number);
        }
        for row in rows {
            out.put(row);
        }
        DLrtaDatabase::open(finish(out), self.graph)
    }

    /// Computes the costs of shortest paths from all nodes to `target`. The graph is undirected, so they are also
    /// the costs from there.
    fn measure(&self, target: NodeId, scratch: &mut Scratch) {
        let graph = self.graph;
        // Without a heuristic, f increases by at most the cost of an edge.
        scratch.fit(OpenKind::Ring, graph.bound(), graph.max_edge_cost());
        let Scratch { search, pools, .. } = scratch;
        let mut tools = SearchTools { meter: &mut Meter::unlimited(), pools, probe: None };
        search.start(target, Cost::ZERO, &mut tools);
        search.run(|n, from| graph.pruned_successors(n, from), |_, _| Cost::ZERO, NodeId::NONE, &mut tools);
    }

    /// Returns the entry of a pair, after [`Self::measure`] from the center of `to`.
    fn entry(&self, from: NodeId, to: NodeId, middle: NodeId, scratch: &mut DLrtaScratch) -> (NodeId, u32) {
        let DLrtaScratch { distances, lrta, first_moves } = scratch;
        let distances = &distances.search.nodes;
        if from == to || !distances.g(middle).is_finite() {
            return (NodeId::NONE, 1);
        }
        let mut state = middle;
        while state.is_some() && !self.leads_on(from, (middle, state), distances) {
            state = distances.parent(state);
        }
        let known = &mut first_moves[from.index()];
        let k = known.iter().position(|(goal, _)| *goal == state).unwrap_or(known.len());
        if k == known.len() {
            known.push((state, Vec::new()));
        }
        let moves = &mut known[k].1;
        let is_best = |next: NodeId| self.graph.cost(middle, next) + distances.g(next) == distances.g(middle);
        for depth in 1..=self.depth {
            if moves.len() < depth as usize {
                moves.push(lrta.first_move(self.graph, (middle, state), depth));
            }
            if is_best(moves[depth as usize - 1]) {
                return (state, depth);
            }
        }
        (state, self.depth)
    }
}

#[cfg(feature = "rayon")]
impl<G: Embedded + Sync> DLrtaBuilder<'_, G> {
    /// Builds the whole database on rayon's current thread pool.
    pub fn build_parallel(&self) -> Result<DLrtaDatabase, DatabaseError> {
        use rayon::iter::{IntoParallelIterator, ParallelIterator};
        let row = |scratch: &mut DLrtaScratch, k: usize| self.row(scratch, k);
        let all = 0..self.rows();
        let rows: Vec<_> = all.into_par_iter().map_init(|| DLrtaScratch::new(self), row).collect();
        self.assemble(&rows)
    }
}

impl<G: Embedded> DLrtaBuilder<'_, G> {
    /// Returns `true` if a node of the path from a region's center is a valid subgoal.
    fn leads_on(&self, from: NodeId, (middle, state): (NodeId, NodeId), distances: &FlatTable) -> bool {
        let there = self.cliques.node_at_level(state, self.level as usize);
        let nearer = || {
            let centre = self.regions().map_or(NodeId::NONE, |regions| regions.centre(there));
            distances.g(centre) < distances.g(middle)
        };
        there != from && (self.with_published_goals || nearer())
    }
}

/// The working memory of a thread that computes rows.
#[derive(Debug)]
pub struct DLrtaScratch {
    distances: Scratch,
    lrta: Climber,
    /// For each region and each subgoal used from its center, the first moves by depth. Only a few nodes around a
    /// region are ever subgoals.
    first_moves: Vec<Vec<(NodeId, Vec<NodeId>)>>,
}

impl DLrtaScratch {
    /// Creates the memory for this builder's rows.
    pub fn new<G: Embedded>(builder: &DLrtaBuilder<'_, G>) -> Self {
        Self {
            distances: Scratch::new(),
            lrta: Climber { planner: new_lrta(builder.graph), scratch: Scratch::new() },
            first_moves: vec![Vec::new(); builder.rows()],
        }
    }
}

/// An LRTA* without learned values.
#[derive(Debug)]
struct Climber {
    planner: Lrta,
    scratch: Scratch,
}

fn new_lrta<G: Graph>(graph: &G) -> Lrta {
    Lrta::new(LrtaConfig { reach: LookAheadLimit::Depth(1), rule: FrontierRule::PathMax, goals: 1 }, graph)
}

impl Climber {
    fn first_move<G: Embedded>(&mut self, graph: &G, (at, goal): (NodeId, NodeId), depth: u32) -> NodeId {
        let Self { planner, scratch } = self;
        planner.reset(Reset::Full);
        planner.look(LookAheadLimit::Depth(u64::from(depth)));
        let meter = &mut Meter::unlimited();
        match planner.step(StepContext::new(graph, at, goal, meter, scratch)) {
            Decision::Go(next) => next,
            Decision::Wait | Decision::NoPath => at,
        }
    }
}
