//! Groups that are stuck: found, searched for a way out, and led along it.
//!
//! The unit that has waited longest without progress leads. The ground around it is held: no other unit enters, and the members wait
//! while a joint search looks for moves that bring the leader past the jam, and every member that was at its goal back to it. Then all
//! members follow that plan, and the ground is released. If there is no plan, the next attempt holds more ground.

use alloc::vec;
use alloc::vec::Vec;

use crate::fleet::cell_set::CellSet;
use crate::fleet::cell_set::NONE;
use crate::fleet::resolver::costs::UnitCosts;
use crate::fleet::resolver::pibt::Pibt;
use crate::fleet::tuning::{JamTuning, ResolverConfig};
use crate::fleet::unjam::joint_search::{JointSearch, LONGEST_PLAN, MOST_CELLS, MOST_UNITS, Progress};
use crate::fleet::unjam::progress::Scene;
use crate::graph::Graph;
use crate::grid::{Grid, Neighborhood};

/// The last level of attempts. The next one is the first level again.
pub(crate) const LAST_LEVEL: u8 = 7;
/// Maximum number of leaders that go to the end of the order in one tick.
const MOST_YIELD: usize = 32;
/// Maximum number of plans that are followed at the same time.
pub(crate) const MOST_PLANS: usize = 8;

/// A plan that is being followed.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) leader: u32,
    pub(crate) members: Vec<u32>,
    /// The cells that are held.
    pub(crate) cells: Vec<u32>,
    /// Step by step, by member: its cell, as a number within `cells`.
    pub(crate) steps: Vec<u16>,
    /// The step that the units are at.
    pub(crate) step: usize,
}

impl Plan {
    pub(crate) fn new() -> Self {
        Self {
            leader: NONE,
            members: Vec::with_capacity(MOST_UNITS),
            cells: Vec::with_capacity(MOST_CELLS),
            steps: Vec::with_capacity(MOST_UNITS * (LONGEST_PLAN + 1)),
            step: 0,
        }
    }

    pub(crate) fn cell(&self, step: usize, member: usize) -> u32 {
        self.cells[self.steps[step * self.members.len() + member] as usize]
    }

    pub(crate) fn is_done(&self) -> bool {
        (self.step + 1) * self.members.len() >= self.steps.len()
    }
}

/// What is known of a unit that led before.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Attempt {
    pub(crate) level: u8,
    /// The unit does not lead before this tick.
    pub(crate) after: u64,
}

/// All groups.
#[derive(Clone, Debug)]
pub(crate) struct StuckGroups {
    pub(crate) tuning: JamTuning,
    /// The cells that are held.
    pub(crate) held: CellSet,
    /// By unit.
    pub(crate) tries: Vec<Attempt>,
    pub(crate) plans: Vec<Plan>,
    pub(crate) spare: Vec<Plan>,
    pub(crate) search: JointSearch,
    /// The group that is searched for: no steps yet.
    pub(crate) sought: Option<Plan>,
    /// Leaders whose searches failed in this tick: they go to the end of the order.
    pub(crate) yielded: Vec<u32>,
    /// By cell: its number in the patch that is being made.
    pub(crate) numbers: Vec<u32>,
    pub(crate) may_cross: bool,
    pub(crate) seed: u64,
    /// Maximum work of a search that begins now: a small budget must not hold ground for long.
    pub(crate) most_work: usize,
}

impl StuckGroups {
    pub(crate) fn new(grid: &Grid, config: ResolverConfig) -> Self {
        Self {
            tuning: config.tuning,
            held: CellSet::none(grid.bound()),
            tries: Vec::new(),
            plans: Vec::with_capacity(MOST_PLANS),
            spare: (0..=MOST_PLANS).map(|_| Plan::new()).collect(),
            search: JointSearch::new(),
            sought: None,
            yielded: Vec::with_capacity(MOST_YIELD),
            numbers: vec![NONE; grid.bound()],
            may_cross: config.may_cross || grid.rules().neighborhood == Neighborhood::Four,
            seed: config.seed,
            most_work: 0,
        }
    }

    /// Returns `true` if any ground is held.
    pub(crate) fn holds_ground(&self) -> bool {
        self.sought.is_some() || !self.plans.is_empty()
    }

    /// Returns the bytes held for units.
    pub(crate) fn unit_bytes(&self) -> usize {
        self.tries.capacity() * size_of::<Attempt>()
    }

    /// Returns the bytes held for the map and for the search.
    pub(crate) fn map_bytes(&self) -> usize {
        let plan = 4 * (MOST_UNITS + MOST_CELLS) + 2 * MOST_UNITS * (LONGEST_PLAN + 1);
        self.held.memory_bytes()
            + 4 * self.numbers.capacity()
            + (MOST_PLANS + 1) * plan
            + self.search.memory_bytes()
    }

    /// Makes room for another unit.
    pub(crate) fn grow(&mut self) {
        self.tries.push(Attempt::default());
    }

    /// Drops plans and searches that this unit is part of.
    pub(crate) fn drop_unit(&mut self, unit: u32) {
        self.drop_where(|plan| plan.members.contains(&unit));
    }

    /// Drops plans and searches on ground that a unit is placed on from outside.
    pub(crate) fn drop_at(&mut self, cell: u32) {
        if self.held.has(cell) {
            self.drop_where(|plan| plan.cells.contains(&cell));
        }
    }

    /// Drops plans and searches that this unit leads.
    pub(crate) fn drop_leader(&mut self, unit: u32) {
        self.tries[unit as usize] = Attempt::default();
        self.drop_where(|plan| plan.leader == unit);
    }

    fn drop_where(&mut self, is_meant: impl Fn(&Plan) -> bool) {
        while let Some(k) = self.plans.iter().position(&is_meant) {
            let plan = self.plans.swap_remove(k);
            self.release(plan);
        }
        if self.sought.as_ref().is_some_and(is_meant) {
            self.drop_search();
        }
    }

    /// Drops all plans and searches.
    pub(crate) fn drop_all(&mut self) {
        while let Some(plan) = self.plans.pop() {
            self.release(plan);
        }
        self.drop_search();
    }

    fn drop_search(&mut self) {
        if let Some(plan) = self.sought.take() {
            self.release(plan);
        }
    }

    pub(crate) fn release(&mut self, plan: Plan) {
        plan.cells.iter().for_each(|&cell| self.held.remove(cell));
        self.spare.push(plan);
    }

    /// Decides the moves of members: by their plan, or to wait while the search runs. Returns the number of members.
    pub(crate) fn lead(&mut self, pibt: &mut Pibt) -> u32 {
        let mut led = 0;
        for k in (0..self.plans.len()).rev() {
            let plan = &mut self.plans[k];
            let may_go = plan.members.iter().all(|&unit| !pibt.is_planned(unit));
            plan.step += usize::from(may_go);
            for (member, &unit) in plan.members.iter().enumerate() {
                pibt.fix(unit, plan.cell(plan.step, member));
            }
            led += plan.members.len() as u32;
        }
        if let Some(plan) = &self.sought {
            plan.members.iter().for_each(|&unit| pibt.fix(unit, pibt.at(unit)));
            led += plan.members.len() as u32;
        }
        led
    }

    /// Ends plans that are done, and searches within a budget as long as there is time. Returns the work spent.
    pub(crate) fn think(
        &mut self,
        scene: Scene<'_>,
        grid: &Grid,
        costs: &mut impl UnitCosts,
        budget: u64,
        mut has_time: impl FnMut() -> bool,
    ) -> u64 {
        for k in (0..self.plans.len()).rev() {
            if self.plans[k].is_done() {
                let plan = self.plans.swap_remove(k);
                self.tried(plan, scene.tick);
            }
        }
        if scene.order.is_empty() {
            // All units are at their goals: a plan would lead some of them away.
            self.drop_all();
        }
        self.most_work = usize::try_from(budget.saturating_mul(self.tuning.hold)).unwrap_or(usize::MAX);
        let mut work = 0;
        let mut next = 0;
        while work < self.tuning.least_work || has_time() {
            if self.sought.is_none() {
                let room = self.plans.len() < MOST_PLANS && work < budget;
                let leader = if room { self.leader(scene, costs, &mut next) } else { None };
                let Some(leader) = leader else { break };
                work += self.gather(scene, grid, costs, leader);
                continue;
            }
            let cost = self.search.units() as u64;
            if work + cost > budget {
                break;
            }
            work += cost;
            match self.search.visit() {
                Progress::Runs => {}
                Progress::Found(node) if self.is_short(node) => self.found(node),
                Progress::Found(_) | Progress::Failed => self.fail(scene.tick),
            }
        }
        work
    }

    /// Returns the next unit in the order that is stuck and may lead.
    fn leader(&self, scene: Scene<'_>, costs: &mut impl UnitCosts, next: &mut usize) -> Option<u32> {
        while let Some(&unit) = scene.order.get(*next) {
            *next += 1;
            // Most units are not stuck, and nothing more is asked about them.
            if !scene.stuck.has(unit) {
                continue;
            }
            let cell = scene.pibt.at(unit);
            let may_lead = self.tries[unit as usize].after <= scene.tick && !self.held.has(cell);
            if may_lead && !costs.waits_in_crowd(unit) {
                return Some(unit);
            }
        }
        None
    }

    /// Returns `true` if the plan to a joint state is short enough: other units keep off the ground meanwhile. Later attempts may take
    /// longer.
    fn is_short(&self, node: u32) -> bool {
        let level = self.sought.as_ref().map_or(0, |plan| self.tries[plan.leader as usize].level);
        self.search.nodes[node as usize].depth as usize <= (self.tuning.steps as usize) << (level / 2)
    }

    fn found(&mut self, node: u32) {
        if let Some(mut plan) = self.sought.take() {
            self.search.plan(node, &mut plan.steps);
            self.plans.push(plan);
        }
    }

    /// Ends an attempt without a plan. No member leads for a while, and the leader goes to the end of the order, so that units that want out
    /// come first.
    pub(crate) fn fail(&mut self, tick: u64) {
        if let Some(plan) = self.sought.take() {
            if self.tuning.failed_leaders_yield && self.yielded.len() < MOST_YIELD {
                self.yielded.push(plan.leader);
            }
            for &unit in &plan.members {
                let known = &mut self.tries[unit as usize];
                known.after = known.after.max(tick + self.tuning.pause);
            }
            self.tried(plan, tick);
        }
    }

    /// Removes and returns the units that go to the end of the order.
    pub(crate) fn yielded(&mut self) -> impl Iterator<Item = u32> + '_ {
        self.yielded.drain(..)
    }

    /// Ends this attempt and raises the leader's level.
    fn tried(&mut self, plan: Plan, tick: u64) {
        let known = &mut self.tries[plan.leader as usize];
        known.after = tick + self.tuning.pause;
        known.level = if known.level < LAST_LEVEL { known.level + 1 } else { 0 };
        self.release(plan);
    }
}
