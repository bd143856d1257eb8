//! What is judged in every step of an agent.

use fleetfoot::{Meter, Prices, Work, WorkKind};

use super::walker::Answer;
use super::{Run, TWIN_STEPS};
use crate::fault::Fault;
use crate::judges::ground::NOWHERE;
use crate::rng::Rng;

/// Stream of the cells by which indices are brought up to date.
const REPAIRS: u64 = 17;

impl Run<'_> {
    /// Runs and judges a step.
    pub(super) fn run_step(&mut self) -> Result<Answer, Fault> {
        let prices = if self.about.all_work { Prices::ALL_WORK } else { Prices::PAPERS };
        let repaired = Rng::of(self.case.seed, REPAIRS, self.step).pick(&[0, 0, 3, 200]);
        let (answer, meter) = self.walker.step(self.case.budget, prices, repaired);
        let to = self.names.cell(self.walker.at());
        self.tally.agent_steps += 1;
        self.judge_work(&meter, &prices)?;
        let told = |text: &str| {
            let (from, to, goal) = (self.ground.xy(self.at), self.ground.xy(to), self.ground.xy(self.goal));
            format!("{text}: {answer:?}, {from:?} to {to:?}, goal {goal:?}")
        };
        if to != self.at && !self.ground.has_move(self.at, to) {
            return Err(self.fault("move", told("there is no such move")));
        }
        let has_path = self.at == self.goal || self.parts.joins(self.at, self.goal);
        let wrong = match answer {
            Answer::Went(n) => to == self.at || self.names.cell(n) != to || to == self.goal,
            Answer::Waits => to != self.at || self.at == self.goal,
            Answer::Arrived => to != self.goal,
            Answer::NoPath => to != self.at,
            Answer::Reset => true,
        };
        if wrong {
            return Err(self.fault("answer", told("the answer is wrong")));
        }
        if answer == Answer::NoPath && has_path {
            return Err(self.fault("no-path", told("there is a path")));
        }
        if to != self.at {
            self.cost += self.ground.cost(self.at, to, self.case.world.lengths());
        }
        self.at = to;
        self.judge_twin(answer, &meter, prices, repaired)?;
        self.step += 1;
        Ok(answer)
    }

    fn judge_twin(
        &mut self,
        answer: Answer,
        meter: &Meter,
        prices: Prices,
        repaired: usize,
    ) -> Result<(), Fault> {
        let Some((twin, until)) = &mut self.twin else { return Ok(()) };
        let (other, spent) = twin.step(self.case.budget, prices, repaired);
        // What was loaded holds the pages that it needs now, not those that the original once needed.
        let work = |meter: &Meter| {
            let mut work = *meter.work();
            work[WorkKind::Page] = 0;
            work
        };
        if (other, work(&spent)) != (answer, work(meter)) {
            let after = TWIN_STEPS - (*until - self.step);
            let text = format!(
                "{other:?} {:?} {after} steps after loading, not {answer:?} {:?}",
                work(&spent),
                work(meter)
            );
            return Err(self.fault("twin", text));
        }
        if self.step >= *until {
            self.twin = None;
        }
        Ok(())
    }

    /// A step spends at most its budget, or one expansion with the work that it owes.
    fn judge_work(&self, meter: &Meter, prices: &Prices) -> Result<(), Fault> {
        let (budget, work): (u64, &Work) = (self.case.budget, meter.work());
        if budget == 0 || !self.spec.facts().bounded {
            return Ok(());
        }
        let price = |kind: WorkKind| work[kind] * u64::from(prices.of(kind));
        let spent: u64 = WorkKind::ALL.into_iter().map(price).sum();
        let owed =
            [WorkKind::Expand, WorkKind::Learn, WorkKind::Trace, WorkKind::Compare].map(price).iter().sum();
        let first: u64 = if work[WorkKind::Expand] <= 1 { owed } else { 0 };
        if work[WorkKind::Expand] > budget || spent > first.max(10 * budget) {
            let text = format!("{spent} tenths of an expansion where {} are allowed: {work:?}", 10 * budget);
            return Err(self.fault("budget", text));
        }
        Ok(())
    }

    /// Returns the number of steps after the last event within which a planner that promises it arrives, or says that it cannot. `None`
    /// if it promises neither here.
    ///
    /// Learners raise the value of a cell in each step at worst, by little: as often as there are cells, for each of them.
    pub(super) fn patience(&self) -> Option<u64> {
        let facts = self.spec.facts();
        let reaches = self.goal != NOWHERE && self.truth_joins();
        let promises = facts.polynomial && if reaches { facts.complete } else { facts.proves_no_path };
        let cells = self.ground.len() as u64;
        promises.then(|| 1000 + u64::from(self.case.world.weights) * cells * (100 + cells / 2))
    }

    fn truth_joins(&self) -> bool {
        // What is known is freer than the truth only where the agent has not been.
        if self.about.sight == 0 {
            return self.parts.joins(self.at, self.goal);
        }
        crate::judges::oracle::Parts::new(&self.ground).joins(self.at, self.goal)
    }

    /// Judges whether an agent takes too long. Returns `true` if it promises nothing, so that waiting is in vain.
    pub(super) fn judge_patience(&self, steps: u64) -> Result<bool, Fault> {
        // The promise is costly to find out about, and long.
        if !steps.is_multiple_of(super::IN_VAIN) {
            return Ok(false);
        }
        match self.patience() {
            None => Ok(true),
            Some(most) if steps >= most => {
                let (at, goal) = (self.ground.xy(self.at), self.ground.xy(self.goal));
                Err(self.fault("late", format!("still at {at:?} after {steps} steps, goal {goal:?}")))
            }
            Some(_) => Ok(false),
        }
    }
}
