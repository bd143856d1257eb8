//! Cases of agents.

mod judge;
mod walker;

use fleetfoot::registry::Spec;

use self::walker::{Answer, Walker};
use crate::case::place::Names;
use crate::case::{AgentCase, Case};
use crate::fault::Fault;
use crate::judges::ground::{Cell, Ground, NOWHERE};
use crate::judges::oracle;
use crate::judges::oracle::Parts;
use crate::rng::Rng;
use crate::tally::Tally;

/// Steps for which an agent that was loaded runs beside the original.
const TWIN_STEPS: u64 = 60;
/// Steps of a planner that promises nothing, after the last event.
const IN_VAIN: u64 = 300;

/// Streams of random numbers.
const ENDS: u64 = 12;
const EDITS: u64 = 14;
const ACTS: u64 = 15;
const SAVES: u64 = 16;

/// Something that happens to an agent.
#[derive(Clone, Copy, Debug)]
enum Deed {
    Edit { cell: Cell, weight: u8 },
    Teleport { cell: Cell },
    Goal { cell: Cell },
    Save { as_text: bool },
}

/// A run of an agent under judgment.
struct Run<'a> {
    case: &'a Case,
    about: &'a AgentCase,
    spec: Spec,
    ground: Ground,
    /// The map as the agent knows it. The same as `ground` if it knows the whole map.
    known: Ground,
    names: Names,
    /// Parts of what it knows.
    parts: Parts,
    walker: Walker,
    /// What was loaded, and the step up to which it runs.
    twin: Option<(Walker, u64)>,
    at: Cell,
    goal: Cell,
    step: u64,
    /// What its moves have cost.
    cost: u64,
    /// Nothing was edited, and it was not moved or sent elsewhere.
    is_calm: bool,
    tally: &'a mut Tally,
}

/// Runs a case.
///
/// # Errors
/// The first fault.
pub(crate) fn run(case: &Case, about: &AgentCase, tally: &mut Tally) -> Result<(), Fault> {
    let ground = case.world.ground(case.seed);
    let (rng, free) = (&mut Rng::of(case.seed, ENDS, 0), ground.free());
    let (at, goal) = (rng.pick(&free), target(rng, &ground, &free));
    let names = Names::new(&ground, &case.world.grid(&ground));
    let Ok(spec) = about.planner.parse::<Spec>() else {
        tally.refused += 1;
        return Ok(());
    };
    let Some(walker) = Walker::new(case, about, &spec, &ground, (names.node(at), names.node(goal))) else {
        tally.refused += 1;
        return Ok(());
    };
    let known = if about.sight == 0 {
        ground.clone()
    } else {
        // What was not seen is taken for plain ground.
        Ground::new(ground.width, ground.height, ground.moves, vec![1; ground.len()])
    };
    let parts = Parts::new(&known);
    let (step, cost, is_calm) = (0, 0, true);
    Run {
        case,
        about,
        spec,
        ground,
        known,
        names,
        parts,
        walker,
        twin: None,
        at,
        goal,
        step,
        cost,
        is_calm,
        tally,
    }
    .all()
}

/// Returns a goal: mostly a cell that is free at first.
fn target(rng: &mut Rng, ground: &Ground, free: &[Cell]) -> Cell {
    match rng.below(24) {
        0 => NOWHERE,
        1 | 2 => rng.below(ground.len()) as Cell,
        _ => rng.pick(free),
    }
}

impl Run<'_> {
    fn fault(&self, kind: &str, text: impl std::fmt::Display) -> Fault {
        Fault::new(kind, self.step, text)
    }

    fn deeds(&self) -> Vec<(u64, Deed)> {
        let free = self.ground.free();
        let of = |stream, k: u32| Rng::of(self.case.seed, stream, k.into());
        let when = |rng: &mut Rng| rng.bits() % self.case.span.max(1);
        let mut deeds = Vec::new();
        for k in self.case.edits.clone() {
            let rng = &mut of(EDITS, k);
            let weight = if rng.one_in(2) { 0 } else { rng.between(1, self.case.world.weights.into()) as u8 };
            let any = rng.below(self.ground.len()) as Cell;
            let cell = if rng.one_in(4) { any } else { of(EDITS, k / 3 * 3).pick(&free) };
            deeds.push((when(rng), Deed::Edit { cell, weight }));
        }
        for k in self.case.acts.clone() {
            let rng = &mut of(ACTS, k);
            let tick = when(rng);
            let goal = Deed::Goal { cell: target(rng, &self.ground, &free) };
            deeds.push((tick, if rng.one_in(3) { Deed::Teleport { cell: rng.pick(&free) } } else { goal }));
        }
        for k in self.case.saves.clone() {
            let rng = &mut of(SAVES, k);
            deeds.push((when(rng), Deed::Save { as_text: rng.one_in(2) }));
        }
        deeds.sort_by_key(|(tick, _)| *tick);
        deeds
    }

    fn all(&mut self) -> Result<(), Fault> {
        let deeds = self.deeds();
        let mut next = deeds.iter().peekable();
        let facts = self.spec.facts();
        let last = deeds.last().map_or(0, |(tick, _)| *tick);
        let cheapest = oracle::costs(
            &self.ground,
            self.goal.min(self.ground.len() as Cell - 1),
            self.case.world.lengths(),
        );
        let cheapest = cheapest[self.at as usize].filter(|_| self.goal != NOWHERE);
        loop {
            while let Some((_, deed)) = next.next_if(|(tick, _)| *tick <= self.step) {
                self.perform(*deed)?;
            }
            self.look();
            self.parts.refresh(&self.known);
            let answer = self.run_step()?;
            if self.step < last || next.peek().is_some() {
                continue;
            }
            if self.at == self.goal {
                self.tally.walked += 1;
                if facts.optimal
                    && self.is_calm
                    && self.about.sight == 0
                    && self.case.budget == 0
                    && cheapest != Some(self.cost)
                {
                    let text = format!("the walk costs {}, the cheapest path {cheapest:?}", self.cost);
                    return Err(self.fault("cost", text));
                }
                return Ok(());
            }
            if answer == Answer::NoPath {
                return Ok(());
            }
            if self.step - last >= IN_VAIN && self.judge_patience(self.step - last)? {
                return Ok(());
            }
        }
    }

    fn perform(&mut self, deed: Deed) -> Result<(), Fault> {
        match deed {
            Deed::Edit { cell, weight } => {
                let (old, facts) = (self.ground.weight(cell), self.spec.facts());
                // Costs rise where a cell is blocked or becomes rougher. Nothing is built on the agent.
                let rises = weight == 0 || old != 0 && weight > old;
                let is_allowed = if rises { facts.rising_costs } else { facts.falling_costs };
                if old == weight || cell == self.at || !is_allowed || facts.static_only {
                    return Ok(());
                }
                self.is_calm = false;
                self.ground.set(cell, weight);
                if self.about.sight == 0 {
                    self.known.set(cell, weight);
                    self.parts.edited();
                    let n = self.names.node(cell);
                    let twin = self.twin.iter_mut().map(|(twin, _)| twin);
                    twin.chain([&mut self.walker]).for_each(|walker| walker.set(n, weight));
                }
                self.tally.edits += 1;
            }
            Deed::Teleport { cell } if self.ground.is_free(cell) => {
                self.is_calm = false;
                self.at = cell;
                let n = self.names.node(cell);
                let twin = self.twin.iter_mut().map(|(twin, _)| twin);
                twin.chain([&mut self.walker]).for_each(|walker| walker.teleport(n));
            }
            Deed::Teleport { .. } => {}
            Deed::Goal { cell } => {
                self.is_calm = false;
                self.goal = cell;
                let n = self.names.node(cell);
                let twin = self.twin.iter_mut().map(|(twin, _)| twin);
                twin.chain([&mut self.walker]).for_each(|walker| walker.set_goal(n));
            }
            Deed::Save { as_text } => {
                let loaded = self.walker.reload(as_text).map_err(|error| self.fault("save", error))?;
                self.twin = Some((loaded, self.step + TWIN_STEPS));
                self.tally.saves += 1;
            }
        }
        Ok(())
    }

    /// Lets an agent that does not know the map look around.
    fn look(&mut self) {
        let (sight, (x, y)) = (self.about.sight, self.ground.xy(self.at));
        if sight == 0 {
            return;
        }
        for y in y.saturating_sub(sight)..=(y + sight).min(self.ground.height - 1) {
            for x in x.saturating_sub(sight)..=(x + sight).min(self.ground.width - 1) {
                let cell = y * self.ground.width + x;
                let (weight, n) = (self.ground.weight(cell), self.names.node(cell));
                if self.known.weight(cell) != weight {
                    self.known.set(cell, weight);
                    self.parts.edited();
                }
                self.walker.reveal(n, weight);
                if let Some((twin, _)) = &mut self.twin {
                    twin.reveal(n, weight);
                }
            }
        }
    }
}
