//! Workers: each goes on with one search within its part of the budget.

use crate::corners::{CellSearch, Limit, Stage};
use crate::fleet::knowledge::Knowledge;
use crate::fleet::state::request::{Group, OrderId};
use crate::graph::Graph;
use crate::grid::Grid;
use crate::id::NodeId;
use crate::meter::{Meter, WorkKind};
use crate::search::{Pools, SearchTools};

/// Work of a long search from which on a thread is worth its cost, in expansions.
#[cfg(feature = "rayon")]
const WORTH_A_THREAD: u64 = 256;

/// What a worker searches for.
#[derive(Clone, Debug)]
pub(crate) enum Job {
    Nothing,
    /// A route of a unit.
    Route(OrderId),
    /// A path back to the first point of a unit's route.
    Back(OrderId, NodeId),
    /// Routes for a group.
    Group(Group),
}

/// A search under way, and its units.
#[derive(Clone, Debug)]
pub(crate) struct Worker {
    pub(crate) job: Job,
    pub(crate) seeker: CellSearch,
    spare: Spare,
}

/// Working memory, which is not part of the state of a fleet.
#[derive(Debug, Default)]
struct Spare(Option<Pools>);

impl Clone for Spare {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Worker {
    pub(crate) fn new(grid: &Grid) -> Self {
        Self { job: Job::Nothing, seeker: CellSearch::by_cell(grid.bound()), spare: Spare::default() }
    }

    /// Returns `true` if it has no job.
    pub(crate) fn is_free(&self) -> bool {
        matches!(self.job, Job::Nothing)
    }

    /// Returns `true` if a search is under way.
    pub(crate) fn is_busy(&self) -> bool {
        !self.is_free() && self.seeker.stage == Stage::Running
    }

    /// Lends its working memory.
    pub(crate) fn take_pools(&mut self) -> Pools {
        self.spare.0.take().unwrap_or_default()
    }

    /// Takes its working memory back.
    pub(crate) fn put_pools(&mut self, pools: Pools) {
        self.spare.0 = Some(pools);
    }

    /// Goes on with its search for a team as far as its part of the budget goes.
    pub(crate) fn go_on(&mut self, knowledge: &Knowledge, team: u16, part: &mut Meter) {
        let mut pools = self.take_pools();
        let tools = &mut SearchTools { meter: part, pools: &mut pools, probe: None };
        knowledge.view(team).advance(&mut self.seeker, Limit::NONE, tools);
        self.put_pools(pools);
    }

    /// Pays for the steps of the path to a node. Returns `true` if all are paid for.
    pub(crate) fn pay_trace(&mut self, n: NodeId, tools: &mut SearchTools<'_>) -> bool {
        let all = u64::from(self.seeker.depth(n)).saturating_sub(self.seeker.traced);
        let paid = tools.meter.charge_up_to(WorkKind::Trace, all);
        self.seeker.traced += paid;
        paid == all
    }
}

/// Lets every worker that has a part of the budget go on; `busy` is their number.
#[cfg(not(feature = "rayon"))]
pub(crate) fn side_by_side<F: Fn(&mut Worker, &mut Option<Meter>)>(
    workers: &mut [Worker],
    parts: &mut [Option<Meter>],
    _busy: u64,
    go_on: F,
) {
    workers.iter_mut().zip(parts).for_each(|(worker, part)| go_on(worker, part));
}

/// Lets every worker that has a part of the budget go on; `busy` is their number. Uses rayon's current pool if that pays.
#[cfg(feature = "rayon")]
pub(crate) fn side_by_side<F: Fn(&mut Worker, &mut Option<Meter>) + Sync>(
    workers: &mut [Worker],
    parts: &mut [Option<Meter>],
    busy: u64,
    go_on: F,
) {
    use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};
    let pays = parts.iter().flatten().any(|part| part.can_afford(WORTH_A_THREAD));
    if busy > 1 && pays {
        workers.par_iter_mut().zip(parts.par_iter_mut()).for_each(|(worker, part)| go_on(worker, part));
    } else {
        workers.iter_mut().zip(parts).for_each(|(worker, part)| go_on(worker, part));
    }
}
