//! Finds the records most similar to a problem: those with the smallest max(h(start, record's start), h(record's
//! end, goal)). The search in the k-d tree is incremental.

use alloc::vec::Vec;

use super::{KnnDatabase, middle, point};
use crate::graph::{Embedded, Limits};
use crate::id::{Cost, NodeId};
use crate::meter::{Meter, WorkKind};
use crate::save::{SaveError, SaveReader, SaveWriter};
use crate::search::{PageCounts, PlannerPart, Pools};

/// A range of records that is still to be searched.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    first: u32,
    end: u32,
    /// Its depth in the tree.
    depth: u32,
    /// A lower bound of the distance to its records along some axis.
    apart: u32,
}

/// Maximum depth of the tree. At each level one range waits while another one is searched.
const DEEPEST: usize = 34;

/// A query that can be paused. It does not allocate after its creation.
#[derive(Clone, Debug)]
pub struct KnnQuery {
    start: NodeId,
    goal: NodeId,
    most: usize,
    waiting: Vec<Stretch>,
    /// The best records so far, nearest first; ties by number.
    found: Vec<(Cost, u32)>,
}

impl KnnQuery {
    /// Creates a query for up to `most` records.
    pub fn new(most: usize) -> Self {
        let (waiting, found) = (Vec::with_capacity(DEEPEST), Vec::with_capacity(most + 1));
        Self { start: NodeId::NONE, goal: NodeId::NONE, most, waiting, found }
    }

    /// Starts a query for the problem from `start` to `goal`.
    pub fn ask(&mut self, database: &KnnDatabase, start: NodeId, goal: NodeId) {
        (self.start, self.goal) = (start, goal);
        self.found.clear();
        self.waiting.clear();
        self.waiting.extend(stretch(0, database.records(), 0, 0));
    }

    /// Continues the query, one comparison at a time. Returns `true` once it is finished.
    pub fn run<G: Embedded>(&mut self, graph: &G, database: &KnnDatabase, meter: &mut Meter) -> bool {
        let target = point(graph, self.start, self.goal);
        while let Some(here) = self.waiting.pop() {
            if self.is_too_far(graph, here.apart) {
                continue;
            }
            if !meter.charge(WorkKind::Compare) {
                self.waiting.push(here);
                return false;
            }
            let record = here.first + middle(here.end - here.first);
            let (start, end) = database.problem(record);
            let distance = graph.h(self.start, start).max(graph.h(end, self.goal));
            self.take((distance, record));
            let axis = here.depth as usize % 4;
            let here_at = point(graph, start, end)[axis];
            let apart = here.apart.max(target[axis].abs_diff(here_at));
            let depth = here.depth + 1;
            let is_left = target[axis] < here_at;
            let apart_of = |is_near| if is_near { here.apart } else { apart };
            let left = stretch(here.first, record, depth, apart_of(is_left));
            let right = stretch(record + 1, here.end, depth, apart_of(!is_left));
            // The range on the target's side is searched first.
            let (near, far) = if is_left { (left, right) } else { (right, left) };
            self.waiting.extend(far.into_iter().chain(near));
        }
        true
    }

    /// Returns `true` if records this far away along an axis cannot be among the best.
    fn is_too_far<G: Embedded>(&self, graph: &G, apart: u32) -> bool {
        let least = Cost::new(graph.min_cost_per_unit().raw().saturating_mul(apart));
        self.found.len() == self.most && self.found.last().is_none_or(|&(worst, _)| least > worst)
    }

    fn take(&mut self, found: (Cost, u32)) {
        let place = self.found.partition_point(|other| *other < found);
        if place < self.most {
            self.found.insert(place, found);
            self.found.truncate(self.most);
        }
    }

    /// Returns the records found, nearest first.
    pub fn found(&self) -> impl ExactSizeIterator<Item = u32> + '_ {
        self.found.iter().map(|&(_, record)| record)
    }

    /// Checks a state that was read. A forged one may lead to other records, but only to existing ones.
    pub(crate) fn check(&self, database: &KnnDatabase) -> Result<(), SaveError> {
        let records = database.records();
        let is_asked = self.start.is_some() && self.goal.is_some();
        // As in a descent of the tree, which halves ranges: one waiting range per size.
        let is_stretch = |(k, here): (usize, &Stretch)| {
            let is_there = is_asked && here.first < here.end && here.end <= records;
            let is_that_deep = here.depth < 32 && k <= here.depth as usize;
            is_there && is_that_deep && here.end - here.first <= records >> here.depth
        };
        let are_found = self.found.iter().all(|&(_, record)| record < records) && self.found.is_sorted();
        if are_found && self.waiting.iter().enumerate().all(is_stretch) {
            Ok(())
        } else {
            Err(SaveError::new("its question to the database cannot be"))
        }
    }
}

impl PlannerPart for KnnQuery {
    fn write(&self, out: &mut dyn SaveWriter) {
        out.node(self.start);
        out.node(self.goal);
        out.u32(self.waiting.len() as u32);
        for &Stretch { first, end, depth, apart } in &self.waiting {
            for number in [first, end, depth, apart] {
                out.u32(number);
            }
        }
        out.u32(self.found.len() as u32);
        for &(distance, record) in &self.found {
            out.cost(distance);
            out.u32(record);
        }
    }

    fn read(&mut self, limits: &Limits, from: &mut SaveReader<'_>) -> Result<(), SaveError> {
        self.start.read(limits, from)?;
        self.goal.read(limits, from)?;
        let waiting = from.len(16)?;
        self.waiting.clear();
        for _ in 0..waiting {
            let [first, end, depth, apart] = [from.u32()?, from.u32()?, from.u32()?, from.u32()?];
            self.waiting.push(Stretch { first, end, depth, apart });
        }
        let found = from.len(8)?;
        if found > self.most || waiting > DEEPEST {
            return Err(SaveError::new("its question to the database cannot be"));
        }
        self.found.clear();
        for _ in 0..found {
            self.found.push((from.cost()?, from.u32()?));
        }
        Ok(())
    }

    fn release_pages(&mut self, _: &mut Pools) {}

    fn memory_bytes(&self) -> usize {
        self.waiting.capacity() * size_of::<Stretch>() + self.found.capacity() * size_of::<(Cost, u32)>()
    }

    fn count_pages(&self, _: usize, _: &mut PageCounts) {}
}

/// Returns a range, or `None` if it is empty.
fn stretch(first: u32, end: u32, depth: u32, apart: u32) -> Option<Stretch> {
    (first < end).then_some(Stretch { first, end, depth, apart })
}
