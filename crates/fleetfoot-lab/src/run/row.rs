//! One run as a row: what was asked, and everything that was measured.

use fleetfoot::{Length, WorkKind};
use fleetfoot_sim::budget::Budget;
use fleetfoot_sim::metrics::{Outcome, RunMetrics};
use serde::{Deserialize, Serialize};

use super::job::Job;
use super::links::Links;
use super::stage::Preparation;
use super::texts::Written;

/// A finished run. The columns of `rows.csv` and the keys of `rows.jsonl` are these fields in this order.
///
/// Pages are not among the kinds of work: which run takes one from the pool depends on what its thread ran before.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// The number of the run in its experiment.
    pub index: u64,
    /// What identifies the run: [`Job::key`].
    pub run: String,
    /// What reports call the planner and its budget.
    pub label: String,
    /// The map.
    pub map: String,
    /// The world.
    pub world: String,
    /// The rules of movement.
    pub rules: String,
    /// The number of the problem on its map.
    pub problem: u64,
    /// Where the agent began, as (column, row).
    pub start: (u32, u32),
    /// Where it had to go.
    pub goal: (u32, u32),
    /// The planner.
    pub planner: String,
    /// What it could spend in a step.
    pub budget: String,
    /// What work cost.
    pub prices: String,
    /// Which repetition.
    pub seed: u64,
    /// Which trial of the agent on this problem, counted from 1, if there were trials.
    pub trial: Option<u64>,
    /// Whether that trial only repeated the one before.
    pub converged: Option<bool>,
    /// How it ended: `arrived`, `no-path` or `gave-up`.
    pub outcome: String,
    /// The length of a shortest path in the first tick, if there was one.
    pub optimal: Option<f64>,
    /// It is made of so many half lengths of straight moves,
    pub optimal_straight: Option<u64>,
    /// and so many of diagonal moves: exact, whatever the length of a diagonal.
    pub optimal_diagonal: Option<u64>,
    /// The length of the walk.
    pub cost: f64,
    /// The same, exactly.
    pub cost_straight: u64,
    /// The same, exactly.
    pub cost_diagonal: u64,
    /// Walk divided by shortest path, if the agent arrived.
    pub ratio: Option<f64>,
    /// Moves made.
    pub moves: u64,
    /// Steps without a move.
    pub waits: u64,
    /// Moves and waits: the time it took.
    pub steps: u64,
    /// The step of the first move, from 1; 0 if there was none.
    pub first_move: u64,
    /// Searches begun.
    pub episodes: u64,
    /// Steps in which anything was expanded.
    pub working: u64,
    /// States expanded.
    pub expansions: u64,
    /// The same per move; per step if there was no move.
    pub expansions_per_move: f64,
    /// The most states expanded in a step.
    pub max_expansions: u64,
    /// Learned values updated, or pops of the search that does so.
    pub learn: u64,
    /// Steps along parent pointers.
    pub trace: u64,
    /// Keys renewed.
    pub refresh: u64,
    /// Changes digested.
    pub change: u64,
    /// Steps of hill climbing.
    pub climb: u64,
    /// Records compared.
    pub compare: u64,
    /// Values computed anew from all successors.
    pub rhs: u64,
    /// Words of cells scanned for corners, and connections between corners followed. Older rows have none.
    #[serde(default)]
    pub scan: u64,
    /// The most work in a step at the prices in force, in expansions.
    pub max_work: f64,
    /// The most states open at once.
    pub open_max: u64,
    /// The most states closed at once.
    pub closed_max: u64,
    /// Bytes that the planner held at the end.
    pub memory_bytes: u64,
    /// Bytes that were computed of the map beforehand for this planner, shared by all its agents.
    pub prepared_bytes: Option<u64>,
    /// Links of its records that were looked at, if so: from each state of a record to the next,
    pub links: Option<u64>,
    /// how many of them hill climbing follows by a detour,
    pub links_longer: Option<u64>,
    /// and by how much the climbs are longer than the shortest ways, all together, as a share of these.
    pub links_excess: Option<f64>,
    /// States with a learned value at the end.
    pub h_states: u64,
    /// Updates of learned values, those that changed nothing included.
    pub updates: u64,
    /// The mean rise of a learned value per update, as a length.
    pub h_increase: f64,
    /// Moves back to the cell just left.
    pub reversals: u64,
    /// Moves onto a cell visited before.
    pub revisits: u64,
    /// A fingerprint of the walk.
    pub walk: String,
    /// Whether the agent was on no shortest path when its last search ended, if the walk was looked at.
    pub strayed: Option<bool>,
    /// States that A* expands on this problem with the map known.
    pub astar_expansions: Option<u64>,
    /// The same per edge of its path: how hard the problem is.
    pub astar_difficulty: Option<f64>,
    /// Moves of the shortest path that A* finds.
    pub astar_moves: Option<u64>,
    /// Planning time of all steps in nanoseconds, if it was taken and the run had its core to itself.
    pub plan_ns_total: Option<u64>,
    /// Half of the steps took no longer.
    pub plan_ns_p50: Option<u64>,
    /// 99 % of the steps took no longer.
    pub plan_ns_p99: Option<u64>,
    /// No step took longer.
    pub plan_ns_max: Option<u64>,
    /// Steps that took longer than their budget, if that was a time.
    pub overruns: Option<u64>,
    /// What computing that took, in seconds on all cores, if time was taken; what was there already for another planner of
    /// the map (an abstraction, a database of fewer records) is not counted again.
    pub prepared_s: Option<f64>,
    /// How much of the time of a timed run its thread was on a core: near 1, or others disturbed it.
    pub core_share: Option<f64>,
}

/// A run that was on a core for at least this share of its time had it to itself.
pub(crate) const OWN_CORE: f64 = 0.95;

/// One of several trials.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Trial {
    /// Counted from 1.
    pub(crate) number: u64,
    /// Whether it only repeated the one before.
    pub(crate) converged: bool,
}

/// What is known of a problem beforehand.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Known {
    /// The length of a shortest path.
    pub(crate) optimal: Option<Length>,
    /// Expansions of A*, and edges of its path.
    pub(crate) astar: Option<(u64, u64)>,
}

/// What came of a run.
#[derive(Clone, Debug)]
pub(crate) struct Life {
    pub(crate) run: RunMetrics,
    /// If there were trials: which one.
    pub(crate) trial: Option<Trial>,
    /// Whether its times count, whatever else the machine did meanwhile.
    pub(crate) has_times: bool,
    /// Whether the agent had gone astray when its last search ended, if the walk was looked at.
    pub(crate) strayed: Option<bool>,
    /// For how much of it its thread was on a core, if its time was taken.
    pub(crate) core_share: Option<f64>,
    /// What was made beforehand for its planner.
    pub(crate) preparation: Option<Preparation>,
    /// How straight its planner's records are climbed, if that was looked at.
    pub(crate) links: Option<Links>,
}

impl Row {
    pub(super) fn new(
        (index, key): (usize, &str),
        job: &Job,
        place: &Written,
        known: Known,
        life: &Life,
    ) -> Self {
        let &Life { ref run, trial, strayed, core_share, preparation, links, .. } = life;
        let diagonal = job.place.rules.diagonal;
        let optimal = known.optimal;
        let arrived = run.outcome == Outcome::Arrived;
        let per = if run.moves > 0 { run.moves } else { run.steps };
        let halves = |length: Length| length.halves();
        let has_times = life.has_times || core_share.is_some_and(|share| share >= OWN_CORE);
        let time = |nanos: u64| has_times.then_some(nanos);
        Self {
            index: index as u64,
            run: key.to_owned(),
            label: job.label.clone(),
            map: place.map.clone(),
            world: place.world.clone(),
            rules: place.rules.clone(),
            problem: job.problem.index,
            start: job.problem.start,
            goal: job.problem.goal,
            planner: job.spec.to_string(),
            budget: job.budget.to_string(),
            prices: job.prices.name().to_owned(),
            seed: job.seed,
            trial: trial.map(|trial| trial.number),
            converged: trial.map(|trial| trial.converged),
            outcome: run.outcome.name().to_owned(),
            optimal: optimal.map(|length| length.value(diagonal)),
            optimal_straight: optimal.map(|length| halves(length).0),
            optimal_diagonal: optimal.map(|length| halves(length).1),
            cost: run.length,
            cost_straight: halves(run.cost).0,
            cost_diagonal: halves(run.cost).1,
            ratio: optimal.filter(|_| arrived).map(|length| run.ratio(length, diagonal)),
            moves: run.moves,
            waits: run.waits,
            steps: run.steps,
            first_move: run.first_move,
            episodes: run.episodes,
            working: run.working,
            expansions: run.expansions,
            expansions_per_move: if per == 0 { 0.0 } else { run.expansions as f64 / per as f64 },
            max_expansions: run.max_expansions,
            learn: run.work[WorkKind::Learn],
            trace: run.work[WorkKind::Trace],
            refresh: run.work[WorkKind::Refresh],
            change: run.work[WorkKind::Change],
            climb: run.work[WorkKind::Climb],
            compare: run.work[WorkKind::Compare],
            rhs: run.work[WorkKind::Rhs],
            scan: run.work[WorkKind::Scan],
            max_work: run.max_work as f64 / 10.0,
            open_max: run.open_max,
            closed_max: run.closed_max,
            memory_bytes: run.memory_bytes,
            prepared_bytes: preparation.map(|preparation| preparation.bytes),
            links: links.map(|links| links.all),
            links_longer: links.map(|links| links.longer),
            links_excess: links.map(|links| links.excess),
            h_states: run.h_states,
            updates: run.updates,
            h_increase: run.h_increase,
            reversals: run.reversals,
            revisits: run.revisits,
            walk: format!("{:016x}", run.walk),
            strayed,
            astar_expansions: known.astar.map(|(expansions, _)| expansions),
            astar_difficulty: known.astar.map(|(e, edges)| e as f64 / edges.max(1) as f64),
            astar_moves: known.astar.map(|(_, edges)| edges),
            plan_ns_total: time(run.plan_ns_total),
            plan_ns_p50: time(run.plan_ns_p50),
            plan_ns_p99: time(run.plan_ns_p99),
            plan_ns_max: time(run.plan_ns_max),
            overruns: matches!(job.budget, Budget::Interval { .. }).then_some(run.overruns),
            prepared_s: preparation.filter(|_| core_share.is_some()).map(|made| made.time.as_secs_f64()),
            core_share,
        }
    }

    /// Whether the agent arrived.
    pub fn arrived(&self) -> bool {
        self.outcome == Outcome::Arrived.name()
    }

    /// Planning time in microseconds.
    pub fn plan_us(&self) -> Option<f64> {
        self.plan_ns_total.map(micros)
    }

    /// The same per step.
    pub fn plan_us_per_step(&self) -> Option<f64> {
        self.plan_us().map(|all| all / self.steps.max(1) as f64)
    }
}

/// Nanoseconds as microseconds.
pub(crate) fn micros(nanos: u64) -> f64 {
    nanos as f64 / 1000.0
}

#[cfg(test)]
pub(crate) mod tests {
    use std::path::Path;

    use super::*;
    use crate::run::{Settings, Shard, Silent, carry_out};

    /// Some row.
    pub(crate) fn row() -> Row {
        let folder = tempfile::tempdir().unwrap();
        let text = "maps = [\"corner(side=12)\"]\nplanners = [\"lrta\"]";
        let plan = crate::experiment::parse(text, Path::new(""), "x").unwrap();
        let settings =
            Settings { out: folder.path(), threads: 1, shard: Shard::WHOLE, fresh: false, watch: &Silent };
        carry_out(&plan, &settings).unwrap().rows.remove(0)
    }

    #[test]
    fn a_row_is_read_back_to_the_last_bit() {
        let row = row();
        let text = serde_json::to_string(&row).unwrap();
        assert_eq!(serde_json::from_str::<Row>(&text).unwrap(), row);
        let (halves, cost) = (row.cost_straight as f64 + row.cost_diagonal as f64 * 2f64.sqrt(), row.cost);
        assert!((halves / 2.0 - cost).abs() < 1e-9 * cost);
        assert!(
            row.h_states > 0 && row.updates > 0 && row.h_increase > 0.0 && row.expansions_per_move >= 1.0
        );
    }
}
