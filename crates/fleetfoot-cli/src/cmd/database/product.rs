//! The items of databases, by kind.

use std::sync::{Mutex, PoisonError};

use fleetfoot::database::{
    DLrtaBuilder, DLrtaDatabase, DLrtaScratch, DatabaseKind, KnnBuilder, KnnConfig, KnnRecord,
};
use fleetfoot::{Graph, Grid, NodeId};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use super::journal::BuildPlan;
use crate::args::{KindArg, WhatArgs};
use crate::failure::warn;
use crate::output::columns::{bytes, whole};

/// Option: subgoals are as far apart as possible.
pub(super) const EXACT: u32 = 1;
/// Option: covered problems get no record.
pub(super) const COVER: u32 = 2;
/// Position of the level in D LRTA*'s options; the depth is below it.
const LEVEL: u32 = 8;
/// Option: intermediate goals are the paper's.
const PUBLISHED: u32 = 1 << 16;

/// Returns the level, the depth, and whether intermediate goals are the paper's.
pub(super) fn regions_options(options: u32) -> (u32, u32, bool) {
    (options >> LEVEL & 255, options & 255, options & PUBLISHED != 0)
}

/// Maximum number of records, and steps of a climb, that `knn-lrta` tries by default: a problem is covered if these
/// suffice.
const REACH: (usize, u32) = (10, 250);
/// Number of consecutive covered problems after which almost all problems count as covered.
const CONTENT: u64 = 20_000;

/// A database that is being built.
pub(super) enum Product<'g> {
    Knn {
        builder: Box<KnnBuilder<'g, Grid>>,
        plan: BuildPlan,
    },
    /// With the buffers of threads between two rounds.
    DLrta {
        builder: DLrtaBuilder<'g, Grid>,
        plan: BuildPlan,
        spare: Mutex<Vec<DLrtaScratch>>,
    },
}

impl<'g> Product<'g> {
    pub(super) fn new(grid: &'g Grid, what: &WhatArgs) -> Self {
        let (fingerprint, shard) = (grid.fingerprint(), (1, 1));
        let plan = match what.kind {
            KindArg::Knn => {
                let options = (u32::from(what.exact) * EXACT) | (u32::from(what.cover) * COVER);
                let (kind, total) = (DatabaseKind::Knn.code(), u64::from(what.records.unwrap_or(10_000)));
                BuildPlan { kind, fingerprint, total, seed: what.seed.unwrap_or(1), options, shard }
            }
            KindArg::DLrta => {
                let kind = DatabaseKind::DLrta.code();
                let (level, depth) = (what.level.unwrap_or(3), what.depth.unwrap_or(16));
                let goals = if what.published { PUBLISHED } else { 0 };
                let options = level << LEVEL | depth | goals;
                BuildPlan { kind, fingerprint, total: 0, seed: 0, options, shard }
            }
        };
        Self::of_plan(grid, plan)
    }

    /// Creates the product of a plan for this grid.
    pub(super) fn of_plan(grid: &'g Grid, plan: BuildPlan) -> Self {
        if plan.kind == DatabaseKind::DLrta.code() {
            let (level, depth, is_published) = regions_options(plan.options);
            let builder = DLrtaBuilder::new(grid, level, depth);
            let builder = if is_published { builder.with_published_goals() } else { builder };
            let plan = BuildPlan { total: builder.rows() as u64, ..plan };
            return Self::DLrta { builder, plan, spare: Mutex::default() };
        }
        let config = KnnConfig { seed: plan.seed, is_exact: plan.options & EXACT != 0 };
        let builder = Box::new(KnnBuilder::new(grid, config));
        // A map without two connected cells has no records.
        let total = if builder.problem(0).is_some() { plan.total } else { 0 };
        Self::Knn { builder, plan: BuildPlan { total, ..plan } }
    }

    /// Returns the name of items.
    pub(super) fn noun(&self) -> &'static str {
        match self {
            Self::Knn { .. } => "records",
            Self::DLrta { .. } => "rows",
        }
    }

    pub(super) fn plan(&self, shard: (u32, u32)) -> BuildPlan {
        let (Self::Knn { plan, .. } | Self::DLrta { plan, .. }) = self;
        BuildPlan { shard, ..*plan }
    }

    /// Announces the size of the work.
    pub(super) fn announce(&self) {
        let text = match self {
            Self::Knn { builder, plan } => {
                let places = whole(builder.places() as u64);
                let up_to = if plan.options & COVER == 0 { "" } else { "up to " };
                format!("{up_to}{} records for {places} cells that have neighbors", whole(plan.total))
            }
            Self::DLrta { plan, .. } => {
                let size = bytes(DLrtaDatabase::size(plan.total) as f64);
                format!("{0} x {0} regions: the file will take {size}", whole(plan.total))
            }
        };
        warn("note", text);
    }

    /// Returns a function that makes about `size` further items and returns them with the next state. It returns
    /// `None` if no more are needed.
    pub(super) fn next_items<'a>(
        &'a self,
        plan: BuildPlan,
        done: &'a [Vec<u8>],
        next: u64,
        size: usize,
    ) -> impl FnOnce() -> Option<(Vec<Vec<u8>>, u64)> + Send + 'a {
        let missing = plan.items() - done.len() as u64;
        move || {
            let end = (next + size as u64).min(plan.items());
            let numbers: Vec<u64> = (next..end).map(|k| plan.number(k)).collect();
            match self {
                Self::Knn { builder, .. } if plan.options & COVER != 0 => {
                    cover(builder, done, next, missing as usize)
                }
                Self::Knn { builder, .. } => {
                    Some((builder.records(&numbers).iter().map(to_bytes).collect(), end))
                }
                Self::DLrta { builder, spare, .. } => Some((rows(builder, spare, &numbers), end)),
            }
        }
    }

    /// Assembles the file of a whole database. Returns `None` if the items are invalid.
    pub(super) fn assemble(&self, grid: &Grid, items: &[Vec<u8>]) -> Option<Vec<u8>> {
        match self {
            Self::Knn { builder, plan } => {
                let records = items.iter().map(|item| from_bytes(item, grid.bound()));
                let records: Option<Vec<KnnRecord>> = records.collect();
                Some(builder.assemble(records?, plan.options & COVER != 0).into_bytes())
            }
            Self::DLrta { builder, .. } => Some(builder.assemble(items).ok()?.into_bytes()),
        }
    }
}

/// Makes rows of D LRTA*'s database. Buffers are reused between rounds, since they contain what rows share.
fn rows(builder: &DLrtaBuilder<'_, Grid>, spare: &Mutex<Vec<DLrtaScratch>>, numbers: &[u64]) -> Vec<Vec<u8>> {
    let lock = || spare.lock().unwrap_or_else(PoisonError::into_inner);
    let row = |&number: &u64| {
        let mut scratch = lock().pop().unwrap_or_else(|| DLrtaScratch::new(builder));
        let row = builder.row(&mut scratch, number as usize);
        lock().push(scratch);
        row
    };
    numbers.par_iter().map(row).collect()
}

/// Solves those of the next problems that the records so far do not cover. A round is a fraction of the records so
/// far, so that few of its problems cover each other.
fn cover(
    builder: &KnnBuilder<'_, Grid>,
    done: &[Vec<u8>],
    next: u64,
    missing: usize,
) -> Option<(Vec<Vec<u8>>, u64)> {
    let records = done.iter().filter_map(|item| from_bytes(item, usize::MAX)).collect();
    let database = builder.assemble(records, true);
    let (mut first, size) = (next, (done.len() as u64 / 4).clamp(64, 4096));
    while first < next + CONTENT {
        let numbers: Vec<u64> = (first..first + size).collect();
        let mut uncovered = builder.uncovered(&database, &numbers, REACH);
        first += size;
        if !uncovered.is_empty() {
            uncovered.truncate(missing);
            return Some((builder.records(&uncovered).iter().map(to_bytes).collect(), first));
        }
    }
    let problems = whole(first - next);
    warn("note", format!("{problems} problems in a row need no further record: this is enough"));
    None
}

/// Encodes a record for a journal.
fn to_bytes(record: &KnnRecord) -> Vec<u8> {
    let mut out = record.path_edges.to_le_bytes().to_vec();
    record.states.iter().for_each(|n| out.extend(n.raw().to_le_bytes()));
    out
}

fn from_bytes(bytes: &[u8], bound: usize) -> Option<KnnRecord> {
    let (edges, states) = bytes.split_first_chunk::<8>()?;
    let (words, rest) = states.as_chunks::<4>();
    let states: Vec<NodeId> = words.iter().map(|word| NodeId::new(u32::from_le_bytes(*word))).collect();
    let is_right = rest.is_empty() && states.len() >= 2 && states.iter().all(|n| n.index() < bound);
    is_right.then_some(KnnRecord { states, path_edges: u64::from_le_bytes(*edges) })
}
