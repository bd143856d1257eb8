//! The same trip again and again: what an agent makes of what it has seen and learned.

use fleetfoot::{Graph, Grid, Planner, Reset};

use super::{Episode, RunLimits, Runner, Task, Watch};
use crate::error::InputError;
use crate::metrics::{Outcome, RunMetrics};
use crate::referee::{Referee, RuleViolation};

/// A trip that is made again, up to so many times.
#[derive(Clone, Copy, Debug)]
pub struct Trials<'w> {
    trip: Task<'w>,
    most: u64,
}

/// What came of trials.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Trial by trial.
    pub runs: Vec<RunMetrics>,
    /// The trial, counted from 1, that only repeated the one before: all others would too, so it is the last.
    pub converged: Option<u64>,
}

impl<'w> Task<'w> {
    /// This trip again and again, `most` times (at least once) unless the trials converge before.
    ///
    /// # Errors
    /// If the world changes: what an agent has seen in one trial need not be true when its next one begins.
    pub fn trials(&self, most: u64) -> Result<Trials<'w>, InputError> {
        self.check_repeatable()?;
        Ok(Trials { trip: *self, most: most.max(1) })
    }

    fn check_repeatable(&self) -> Result<(), InputError> {
        if !self.world().is_dynamic() {
            return Ok(());
        }
        let what = "trials need a world that stands still, and this one changes";
        Err(InputError::new(what, "use the world known, unknown or partial, or leave the trials out"))
    }
}

impl Episode<'_> {
    /// Puts the agent back to its start, for another trial. It still believes what it has seen; its planner is to
    /// be reset by the caller, with [`Reset::KeepLearned`].
    ///
    /// # Errors
    /// If the world changes, as for [`Task::trials`].
    pub fn again(&mut self) -> Result<(), InputError> {
        self.trip.check_repeatable()?;
        self.restart();
        Ok(())
    }

    /// In a world that stands still there is nothing to put back but the agent, and what is noted of its life.
    fn restart(&mut self) {
        let truth = self.trip.world.truth();
        self.desk.notes.restart(truth.bound(), self.trip.start);
        self.referee = Referee::new(&self.terms.budget, self.terms.prices, truth.rules());
        (self.at, self.tick, self.is_new_here) = (self.trip.start, 0, true);
        self.outcome = self.trip.outcome_at_start();
    }
}

impl Runner {
    /// Lives trial after trial with one mind: the belief is kept, and of the planner what it has learned.
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
                // An agent that gives up in the same way again will not do better, but has converged to nothing.
                let converged = (repeats && outcome != Outcome::GaveUp).then_some(trial);
                return Ok(Series { runs, converged });
            }
            planner.reset(Reset::KeepLearned);
            episode.restart();
        }
    }
}
