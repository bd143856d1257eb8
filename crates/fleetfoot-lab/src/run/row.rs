//! A run as a row: its settings and measurements.

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
/// Pages are not among the kinds of work: which run takes one from the pool depends on earlier runs of its thread.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// Index of the run in its experiment.
    pub index: u64,
    /// Identifies the run: [`Job::key`].
    pub run: String,
    /// Label of planner and budget in reports.
    pub label: String,
    /// The map.
    pub map: String,
    /// The world.
    pub world: String,
    /// The rules of movement.
    pub rules: String,
    /// Number of the problem on its map.
    pub problem: u64,
    /// Start, as (column, row).
    pub start: (u32, u32),
    /// Goal, as (column, row).
    pub goal: (u32, u32),
    /// The planner.
    pub planner: String,
    /// The budget of a step.
    pub budget: String,
    /// The prices of work.
    pub prices: String,
    /// Number of the repetition.
    pub seed: u64,
    /// Trial of the agent on this problem, counted from 1, if there were trials.
    pub trial: Option<u64>,
    /// The trial only repeated the previous one.
    pub converged: Option<bool>,
    /// The outcome: `arrived`, `no-path` or `gave-up`.
    pub outcome: String,
    /// Length of a shortest path in the first tick, if one existed.
    pub optimal: Option<f64>,
    /// Number of half lengths of straight moves in it.
    pub optimal_straight: Option<u64>,
    /// Number of half lengths of diagonal moves in it. Both are exact, whatever the length of a diagonal.
    pub optimal_diagonal: Option<u64>,
    /// Length of the walk.
    pub cost: f64,
    /// Number of half lengths of straight moves in it.
    pub cost_straight: u64,
    /// Number of half lengths of diagonal moves in it.
    pub cost_diagonal: u64,
    /// Length of the walk divided by that of a shortest path, if the agent arrived.
    pub ratio: Option<f64>,
    /// Number of moves.
    pub moves: u64,
    /// Number of steps without a move.
    pub waits: u64,
    /// Number of moves and waits.
    pub steps: u64,
    /// Step of the first move, counted from 1; 0 if there was none.
    pub first_move: u64,
    /// Number of searches.
    pub episodes: u64,
    /// Number of steps with at least one expansion.
    pub working: u64,
    /// Number of expanded states.
    pub expansions: u64,
    /// Expansions per move, or per step if there was no move.
    pub expansions_per_move: f64,
    /// Maximum number of states expanded in a step.
    pub max_expansions: u64,
    /// Updates of learned values, or pops of the search that updates them.
    pub learn: u64,
    /// Steps along parent pointers.
    pub trace: u64,
    /// Refreshed keys.
    pub refresh: u64,
    /// Processed changes.
    pub change: u64,
    /// Steps of hill climbing.
    pub climb: u64,
    /// Compared records.
    pub compare: u64,
    /// Values recomputed from all successors.
    pub rhs: u64,
    /// Words of cells scanned for corners, and connections between corners followed. Absent in older rows.
    #[serde(default)]
    pub scan: u64,
    /// Maximum work in a step at its prices, in expansions.
    pub max_work: f64,
    /// Maximum number of open states.
    pub open_max: u64,
    /// Maximum number of closed states.
    pub closed_max: u64,
    /// Memory of the planner at the end, in bytes.
    pub memory_bytes: u64,
    /// Memory of data computed in advance for this planner, in bytes. Shared by all its agents.
    pub prepared_bytes: Option<u64>,
    /// Number of measured links between states of records.
    pub links: Option<u64>,
    /// Number of links that hill climbing follows by a detour.
    pub links_longer: Option<u64>,
    /// Total excess length of the climbs, as a share of the shortest paths.
    pub links_excess: Option<f64>,
    /// Number of states with a learned value at the end.
    pub h_states: u64,
    /// Updates of learned values, including those that changed nothing.
    pub updates: u64,
    /// Mean increase of a learned value per update, as a length.
    pub h_increase: f64,
    /// Number of moves back to the cell just left.
    pub reversals: u64,
    /// Number of moves to a cell visited before.
    pub revisits: u64,
    /// Checksum of the walk.
    pub walk: String,
    /// The agent was not on a shortest path when its last search ended. Measured on request.
    pub strayed: Option<bool>,
    /// Number of states that A* expands on this problem with a known map.
    pub astar_expansions: Option<u64>,
    /// Expansions of A* per edge of its path: the difficulty of the problem.
    pub astar_difficulty: Option<f64>,
    /// Number of moves of the shortest path that A* finds.
    pub astar_moves: Option<u64>,
    /// Planning time of all steps in nanoseconds, if it was measured and the run had its core to itself.
    pub plan_ns_total: Option<u64>,
    /// Median of the time of a step.
    pub plan_ns_p50: Option<u64>,
    /// 99 % quantile of the time of a step.
    pub plan_ns_p99: Option<u64>,
    /// Maximum time of a step.
    pub plan_ns_max: Option<u64>,
    /// Number of steps that exceeded their budget, if it was a time.
    pub overruns: Option<u64>,
    /// Time of computing that data in seconds on all cores, if times were measured. Data shared with an earlier
    /// planner of the map (an abstraction, a smaller database) are not counted again.
    pub prepared_s: Option<f64>,
    /// Share of a timed run's time that its thread was on a core: near 1 unless other programs disturbed it.
    pub core_share: Option<f64>,
}

/// Minimum share of time on a core for a run that counts as undisturbed.
pub(crate) const OWN_CORE: f64 = 0.95;

/// One of several trials.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Trial {
    /// Counted from 1.
    pub(crate) number: u64,
    /// It only repeated the previous one.
    pub(crate) converged: bool,
}

/// What is known of a problem in advance.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Known {
    /// Length of a shortest path.
    pub(crate) optimal: Option<Length>,
    /// Expansions of A*, and edges of its path.
    pub(crate) astar: Option<(u64, u64)>,
}

/// The result of a run.
#[derive(Clone, Debug)]
pub(crate) struct Life {
    pub(crate) run: RunMetrics,
    /// The trial, if there are several.
    pub(crate) trial: Option<Trial>,
    /// Its times are recorded, whatever else the machine did.
    pub(crate) has_times: bool,
    /// The agent was off all shortest paths when its last search ended, if that was measured.
    pub(crate) strayed: Option<bool>,
    /// Share of its time that its thread was on a core, if times were measured.
    pub(crate) core_share: Option<f64>,
    /// Data computed in advance for its planner.
    pub(crate) preparation: Option<Preparation>,
    /// How directly its planner's records are climbed, if that was measured.
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

    /// Returns `true` if the agent arrived.
    pub fn arrived(&self) -> bool {
        self.outcome == Outcome::Arrived.name()
    }

    /// Returns planning time in microseconds.
    pub fn plan_us(&self) -> Option<f64> {
        self.plan_ns_total.map(micros)
    }

    /// Returns planning time per step in microseconds.
    pub fn plan_us_per_step(&self) -> Option<f64> {
        self.plan_us().map(|all| all / self.steps.max(1) as f64)
    }
}

/// Converts nanoseconds to microseconds.
pub(crate) fn micros(nanos: u64) -> f64 {
    nanos as f64 / 1000.0
}

#[cfg(test)]
pub(crate) mod tests {
    use std::path::Path;

    use super::*;
    use crate::run::{Settings, Shard, Silent, carry_out};

    /// Returns a row.
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
