//! Unknown maps: the agent assumes cells to be free until it is next to them.

use fleetfoot::{ChangeLog, Decision, Grid, NodeId, Prices, Rules};

use super::Subject;
use super::life::{BudgetSequence, Life};
use crate::worlds::{self, TINY};
use crate::{Rng, World, oracle};

/// A map with a start and a goal.
pub(super) struct Hidden {
    pub(super) name: String,
    truth: Grid,
    start: NodeId,
    goal: NodeId,
}

/// Returns the maps to explore.
pub(super) fn worlds() -> Vec<Hidden> {
    let mut all = Vec::new();
    for rules in worlds::all_rules().into_iter().step_by(3) {
        for tiny in TINY {
            let (truth, start, goal) = tiny.grid(rules);
            let name = format!("{}, unknown, {}", tiny.name, worlds::describe(rules));
            // Weighted cells are not obstacles. Whether weights are hidden is up to the sensor, not to the kit.
            if worlds::free_cells(&truth).iter().all(|&n| truth.weight(n) == 1) {
                all.push(Hidden { name, truth, start, goal });
            }
        }
        let mut rng = Rng::new(5);
        let truth = worlds::random_grid(&mut rng, (20, 20), rules, 35, 1);
        let free = worlds::free_cells(&truth);
        let (start, goal) = (rng.pick(&free), rng.pick(&free));
        all.push(Hidden {
            name: format!("random, unknown, {}", worlds::describe(rules)),
            truth,
            start,
            goal,
        });
    }
    all
}

impl Hidden {
    /// Runs an agent that sees the eight cells around it.
    pub(super) fn explore(&self, subject: &Subject) -> Result<(), String> {
        if !subject.facts.unknown_terrain || !subject.fits(&World::grid(self.truth.clone())) {
            return Ok(());
        }
        for (budget, prices) in [(1, Prices::PAPERS), (9, Prices::ALL_WORK), (10_000, Prices::PAPERS)] {
            self.explore_at(subject, budget, prices)
                .map_err(|e| format!("budget {budget}, {prices:?}: {e}"))?;
        }
        Ok(())
    }

    fn explore_at(&self, subject: &Subject, budget: u64, prices: Prices) -> Result<(), String> {
        let (width, height) = (self.truth.width(), self.truth.height());
        let belief = Grid::new(width, height, self.rules(), |_, _| 1).map_err(|e| e.to_string())?;
        let (mut belief, mut log) = (World::grid(belief), ChangeLog::new());
        let ends = (self.start, self.goal);
        let life = Life::new(subject.build(&belief)?, ends, BudgetSequence::Every(budget), prices);
        let mut life = Life { facts: subject.facts, looks: subject.looks, ..life };
        let reachable = oracle::distance(&self.truth, self.start, self.goal).is_finite();
        let facts = subject.facts;
        let must = if reachable { facts.complete } else { facts.proves_no_path };
        for _ in 0..if must { 200 * width * height } else { 300 } {
            self.look(life.at, &mut belief, &mut log);
            if life.at == life.goal {
                return if reachable { Ok(()) } else { Err("it went through a wall".to_string()) };
            }
            let before = life.at;
            let decision = life.tick(&belief, &log)?;
            if decision == Decision::NoPath {
                return if reachable { Err("there is a way".to_string()) } else { Ok(()) };
            }
            if life.at != before && !oracle::edge(&self.truth, before, life.at).is_finite() {
                return Err(format!("{before} to {} is not possible in truth", life.at));
            }
        }
        if must { Err("it never gets there".to_string()) } else { Ok(()) }
    }

    fn rules(&self) -> Rules {
        self.truth.rules()
    }

    fn look(&self, at: NodeId, belief: &mut World, log: &mut ChangeLog) {
        let belief: &mut Grid = belief.get_mut().expect("beliefs are grids");
        let (x, y) = self.truth.xy(at);
        for (x, y) in
            (y.saturating_sub(1)..=y + 1).flat_map(|y| (x.saturating_sub(1)..=x + 1).map(move |x| (x, y)))
        {
            if let Some(n) = self.truth.node(x, y)
                && !self.truth.is_free(n)
            {
                belief.set(n, 0, log).expect("a cell of the map");
            }
        }
    }
}
