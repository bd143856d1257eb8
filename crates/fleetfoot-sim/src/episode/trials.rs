//! Repeated trials of a task: what an agent makes of what it has seen and learned.

use fleetfoot::{Graph, Grid, Planner, Reset};

use super::{Episode, RunLimits, Runner, Task, Watch};
use crate::error::InputError;
use crate::metrics::{Outcome, RunMetrics};
use crate::referee::{Referee, RuleViolation};

/// A task that is repeated up to `most` times.
#[derive(Clone, Copy, Debug)]
pub struct Trials<'w> {
    trip: Task<'w>,
    most: u64,
}

/// The result of trials.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// The metrics of each trial.
    pub runs: Vec<RunMetrics>,
    /// The trial, counted from 1, that only repeated the previous one. It is the last one, since all further trials
    /// would repeat it.
    pub converged: Option<u64>,
}

impl<'w> Task<'w> {
    /// Returns `most` trials of this task (at least one). They end early if they converge.
    ///
    /// # Errors
    /// If the world changes: observations of one trial may be false in the next one.
    pub fn trials(&self, most: u64) -> Result<Trials<'w>, InputError> {
        self.check_repeatable()?;
        Ok(Trials { trip: *self, most: most.max(1) })
    }

    fn check_repeatable(&self) -> Result<(), InputError> {
        if !self.world().is_dynamic() {
            return Ok(());
        }
        let what = "trials need a static world, and this one changes";
        Err(InputError::new(what, "use the world known, unknown or partial, or leave the trials out"))
    }
}

impl Episode<'_> {
    /// Moves the agent back to its start for another trial. It keeps its belief. The caller must reset the planner
    /// with [`Reset::KeepLearned`].
    ///
    /// # Errors
    /// If the world changes, as for [`Task::trials`].
    pub fn again(&mut self) -> Result<(), InputError> {
        self.trip.check_repeatable()?;
        self.restart();
        Ok(())
    }

    /// Resets the agent and the records of its run. A static world needs no reset.
    fn restart(&mut self) {
        let truth = self.trip.world.truth();
        self.desk.notes.restart(truth.bound(), self.trip.start);
        self.referee = Referee::new(&self.terms.budget, self.terms.prices, truth.rules());
        (self.at, self.tick, self.is_new_here) = (self.trip.start, 0, true);
        self.outcome = self.trip.outcome_at_start();
    }
}

impl Runner {
    /// Executes trial after trial of one agent: it keeps its belief, and its planner what it has learned.
    ///
    /// # Errors
    /// If the planner broke a rule.
    pub fn run_trials(
        &mut self,
        trials: &Trials<'_>,
        terms: &RunLimits,
        planner: &mut dyn Planner<Grid>,
    ) -> Result<Series, RuleViolation> {
        self.make_room(&trials.trip);
        let mut episode = Episode::on(std::mem::take(&mut self.desk), &trials.trip, terms);
        let series = self.repeat(&mut episode, planner, trials.most);
        self.desk = episode.desk;
        series
    }

    fn repeat(
        &mut self,
        episode: &mut Episode<'_>,
        planner: &mut dyn Planner<Grid>,
        most: u64,
    ) -> Result<Series, RuleViolation> {
        let mut runs: Vec<RunMetrics> = Vec::new();
        loop {
            let trial = runs.len() as u64 + 1;
            let earlier = planner.stats();
            let ended = self.live(episode, planner, &mut Watch::default());
            let outcome = ended.map_err(|foul| foul.in_trial(trial))?;
            let run = episode.row(outcome, &earlier, planner.stats());
            let repeats = runs.last().is_some_and(|before| run.repeats(before));
            runs.push(run);
            if repeats || trial >= most {
                // An agent that gives up in the same way again will not improve, but has not converged.
                let converged = (repeats && outcome != Outcome::GaveUp).then_some(trial);
                return Ok(Series { runs, converged });
            }
            planner.reset(Reset::KeepLearned);
            episode.restart();
        }
    }
}
