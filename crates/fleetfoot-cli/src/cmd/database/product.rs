//! What databases are made of, kind by kind.

use fleetfoot::database::{DatabaseKind, KnnBuilder, KnnConfig, Record};
use fleetfoot::{Graph, Grid, NodeId};

use super::journal::Plan;
use crate::args::{KindArg, WhatArgs};
use crate::failure::warn;
use crate::output::columns::whole;

/// In options: sub-goals are as far apart as can be,
pub(super) const EXACT: u32 = 1;
/// and problems that are covered get no record.
pub(super) const COVER: u32 = 2;

/// The most records, and steps of a climb, that `knn-lrta` tries by default: a problem is covered if these suffice.
const REACH: (usize, u32) = (10, 250);
/// Where so many problems in a row are covered, almost all are.
const CONTENT: u64 = 20_000;

/// A database in the making.
pub(super) enum Product<'g> {
    Knn { builder: KnnBuilder<'g, Grid>, plan: Plan },
}

impl<'g> Product<'g> {
    pub(super) fn new(grid: &'g Grid, what: &WhatArgs) -> Self {
        let options = u32::from(what.exact) * EXACT | u32::from(what.cover) * COVER;
        let fingerprint = grid.fingerprint();
        let shard = (1, 1);
        match what.kind {
            KindArg::Knn => {
                let (kind, total) = (DatabaseKind::Knn.code(), u64::from(what.records));
                Self::of_plan(grid, Plan { kind, fingerprint, total, seed: what.seed, options, shard })
            }
        }
    }

    /// What a plan is for; the plan is of this grid, and its kind is known.
    pub(super) fn of_plan(grid: &'g Grid, plan: Plan) -> Self {
        let config = KnnConfig { seed: plan.seed, is_exact: plan.options & EXACT != 0 };
        let builder = KnnBuilder::new(grid, config);
        // A map without two connected cells has no records.
        let total = if builder.problem(0).is_some() { plan.total } else { 0 };
        Self::Knn { builder, plan: Plan { total, ..plan } }
    }

    /// What items are called.
    pub(super) fn noun(&self) -> &'static str {
        "records"
    }

    pub(super) fn plan(&self, shard: (u32, u32)) -> Plan {
        let Self::Knn { plan, .. } = self;
        Plan { shard, ..*plan }
    }

    /// Says before the work begins what it will come to.
    pub(super) fn announce(&self) {
        let Self::Knn { builder, plan } = self;
        let problems = whole(builder.places() as u64);
        warn("note", format!("{} records for {problems} cells that have neighbours", whole(plan.total)));
    }

    /// Makes the next items, about `size` of them, and tells what comes after; nothing if no more are needed.
    pub(super) fn turn<'a>(
        &'a self,
        plan: Plan,
        done: &'a [Vec<u8>],
        next: u64,
        size: usize,
    ) -> impl FnOnce() -> Option<(Vec<Vec<u8>>, u64)> + Send + 'a {
        let Self::Knn { builder, .. } = self;
        let missing = plan.items() - done.len() as u64;
        move || {
            if plan.options & COVER != 0 {
                return cover(builder, done, next, missing as usize);
            }
            let end = (next + size as u64).min(plan.items());
            let numbers: Vec<u64> = (next..end).map(|k| plan.number(k)).collect();
            Some((builder.records(&numbers).iter().map(to_bytes).collect(), end))
        }
    }

    /// The file of a whole database; nothing if the items are none of ours.
    pub(super) fn assemble(&self, grid: &Grid, items: &[Vec<u8>]) -> Option<Vec<u8>> {
        let Self::Knn { builder, plan } = self;
        let records: Option<Vec<Record>> = items.iter().map(|item| from_bytes(item, grid.bound())).collect();
        Some(builder.assemble(records?, plan.options & COVER != 0).file().to_vec())
    }
}

/// A round: of the next problems those that the records so far do not cover are solved. A round is a fraction of
/// what there is, so that its problems are few that would cover each other.
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

/// A record as a journal has it.
fn to_bytes(record: &Record) -> Vec<u8> {
    let mut out = record.path_edges.to_le_bytes().to_vec();
    record.states.iter().for_each(|n| out.extend(n.raw().to_le_bytes()));
    out
}

fn from_bytes(bytes: &[u8], bound: usize) -> Option<Record> {
    let (edges, states) = bytes.split_first_chunk::<8>()?;
    let (words, rest) = states.as_chunks::<4>();
    let states: Vec<NodeId> = words.iter().map(|word| NodeId::new(u32::from_le_bytes(*word))).collect();
    let is_right = rest.is_empty() && states.len() >= 2 && states.iter().all(|n| n.index() < bound);
    is_right.then_some(Record { states, path_edges: u64::from_le_bytes(*edges) })
}
