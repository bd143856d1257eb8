//! Groups that are stuck: found, searched for a way out, and led along it.
//!
//! The unit that has waited longest and comes no nearer leads. The ground around it is held: nobody enters, and the units
//! on it stand while a joint search looks for a way that brings the leader past the jam and everybody who was at its goal
//! back to it. Then all walk along that plan, and the ground is given free. Where there is none, the next try holds more
//! ground.

use alloc::vec;
use alloc::vec::Vec;

use super::Wishes;
use super::cells::Cells;
use super::ground::{Around, NONE, tie};
use super::pibt::Pibt;
use super::resolve::{Resolver, ResolverConfig};
use super::search::{JointSearch, LONGEST_PLAN, MOST_CELLS, MOST_UNITS, Progress};
use crate::graph::{Graph, Grid, Neighbours};
use crate::id::NodeId;

/// A unit is stuck when it has come no nearer for so many ticks, in which it has learned in vain,
pub(super) const STALL: u32 = 160;
/// and nobody around it has for so many,
const OTHERS_STALL: u32 = 40;
/// or when it had to leave its goal so often: two that want through each other's goals never stall,
pub(super) const OUSTED: u32 = 20;
/// or when it has come no nearer for so many.
const LONG_STALL: u32 = 320;
/// Cells that are held at the first try; twice as many at every second one.
const FIRST_CELLS: usize = 24;
/// The last try before it begins anew.
pub(super) const LAST_LEVEL: u8 = 7;
/// Work of the search at the first try; twice as much at every second one.
const FIRST_WORK: usize = 3072;
/// Longest plan at the first try; twice as long at every second one.
const FIRST_STEPS: usize = 32;
/// Ticks that a search may take at most.
const LONGEST_HOLD: u64 = 16;
/// Ticks between two tries of one leader.
const PAUSE: u64 = 8;
/// So many cells must be free for a search.
const LEAST_ROOM: usize = 4;
/// What is searched in a tick in any case where the clock is the limit, in moves.
const LEAST_WORK: u64 = 128;
/// Leaders that go to the end of the line in one tick.
const MOST_YIELD: usize = 32;
/// From this failed try on the others forget their goals,
const CALM_LEVEL: u8 = 4;
/// for so many ticks.
const CALM: u64 = 16;
/// After so many ticks without a try the next one is a first one.
const FORGET: u64 = 256;
/// Plans that are walked at one time.
pub(super) const MOST_PLANS: usize = 8;

/// A plan that is being walked.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) leader: u32,
    pub(super) members: Vec<u32>,
    /// The cells that are held.
    pub(super) cells: Vec<u32>,
    /// Step by step, by member: its cell, as a number within `cells`.
    pub(super) steps: Vec<u16>,
    /// The step that the units are at.
    pub(super) step: usize,
}

impl Plan {
    fn new() -> Self {
        Self {
            leader: NONE,
            members: Vec::with_capacity(MOST_UNITS),
            cells: Vec::with_capacity(MOST_CELLS),
            steps: Vec::with_capacity(MOST_UNITS * (LONGEST_PLAN + 1)),
            step: 0,
        }
    }

    pub(super) fn cell(&self, step: usize, member: usize) -> u32 {
        self.cells[self.steps[step * self.members.len() + member] as usize]
    }

    pub(super) fn is_done(&self) -> bool {
        (self.step + 1) * self.members.len() >= self.steps.len()
    }
}

/// What is known of a unit that led before.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Try {
    pub(super) level: u8,
    /// It does not lead before this tick.
    pub(super) after: u64,
    /// It has no wishes before this tick.
    pub(super) calm: u64,
}

/// All groups.
#[derive(Clone, Debug)]
pub(super) struct Clusters {
    /// The cells that are held.
    pub(super) held: Cells,
    /// By unit.
    pub(super) tries: Vec<Try>,
    pub(super) plans: Vec<Plan>,
    pub(super) spare: Vec<Plan>,
    pub(super) search: JointSearch,
    /// The group that is searched for: no steps yet.
    pub(super) sought: Option<Plan>,
    /// Leaders that go to the end of the line, for which no way out was found in this tick.
    yielded: Vec<u32>,
    /// By cell: its number in the patch that is being made.
    numbers: Vec<u32>,
    may_cross: bool,
    /// Everybody has wishes from this tick on.
    pub(super) calm: u64,
    seed: u64,
    /// What a search begun now may cost: a small budget must not hold ground for long.
    most_work: usize,
}

impl Clusters {
    pub(super) fn new(grid: &Grid, config: ResolverConfig) -> Self {
        Self {
            held: Cells::none(grid.bound()),
            tries: Vec::new(),
            plans: Vec::with_capacity(MOST_PLANS),
            spare: (0..=MOST_PLANS).map(|_| Plan::new()).collect(),
            search: JointSearch::new(),
            sought: None,
            yielded: Vec::with_capacity(MOST_YIELD),
            numbers: vec![NONE; grid.bound()],
            may_cross: config.may_cross || grid.rules().neighbours == Neighbours::Four,
            calm: 0,
            seed: config.seed,
            most_work: 0,
        }
    }

    /// Whether any ground is held.
    pub(super) fn holds_ground(&self) -> bool {
        self.sought.is_some() || !self.plans.is_empty()
    }

    /// Bytes held for units.
    pub(super) fn unit_bytes(&self) -> usize {
        self.tries.capacity() * size_of::<Try>()
    }

    /// Bytes held for the map and for the search.
    pub(super) fn map_bytes(&self) -> usize {
        let plan = 4 * (MOST_UNITS + MOST_CELLS) + 2 * MOST_UNITS * (LONGEST_PLAN + 1);
        self.held.memory_bytes()
            + 4 * self.numbers.capacity()
            + (MOST_PLANS + 1) * plan
            + self.search.memory_bytes()
    }

    /// Room for a unit more.
    pub(super) fn grow(&mut self) {
        self.tries.push(Try::default());
    }

    /// Gives up what this unit is part of.
    pub(super) fn drop_unit(&mut self, unit: u32) {
        self.drop_where(|plan| plan.members.contains(&unit));
    }

    /// Gives up what is planned for ground that a unit is put on from outside.
    pub(super) fn drop_at(&mut self, cell: u32) {
        if self.held.has(cell) {
            self.drop_where(|plan| plan.cells.contains(&cell));
        }
    }

    /// Gives up what this unit leads.
    pub(super) fn drop_leader(&mut self, unit: u32) {
        self.tries[unit as usize] = Try::default();
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

    /// Gives up everything.
    pub(super) fn drop_all(&mut self) {
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

    fn release(&mut self, plan: Plan) {
        plan.cells.iter().for_each(|&cell| self.held.remove(cell));
        self.spare.push(plan);
    }

    /// Decides the moves of everybody who is led, or stands while the search goes on; how many are led.
    pub(super) fn lead(&mut self, pibt: &mut Pibt) -> u32 {
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

    /// Ends plans that are done, and searches within a budget, and as long as there is time; the work of it.
    pub(super) fn think(
        &mut self,
        fleet: &Resolver,
        grid: &Grid,
        wishes: &mut impl Wishes,
        budget: u64,
        mut has_time: impl FnMut() -> bool,
    ) -> u64 {
        for k in (0..self.plans.len()).rev() {
            if self.plans[k].is_done() {
                let plan = self.plans.swap_remove(k);
                self.tried(plan, fleet.tick);
            }
        }
        if fleet.order.is_empty() {
            // All are at home: whatever is sought would lead somebody away from there.
            self.drop_all();
        }
        self.most_work = usize::try_from(budget.saturating_mul(LONGEST_HOLD)).unwrap_or(usize::MAX);
        let mut work = 0;
        let mut next = 0;
        while work < LEAST_WORK || has_time() {
            if self.sought.is_none() {
                let room = self.plans.len() < MOST_PLANS && work < budget;
                let leader = if room { self.leader(fleet, wishes, &mut next) } else { None };
                let Some(leader) = leader else { break };
                work += self.gather(fleet, grid, wishes, leader);
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
                Progress::Found(_) | Progress::Failed => self.fail(fleet.tick),
            }
        }
        work
    }

    /// The next unit in the order that is stuck and may lead.
    fn leader(&self, fleet: &Resolver, wishes: &mut impl Wishes, next: &mut usize) -> Option<u32> {
        while let Some(&unit) = fleet.order.get(*next) {
            *next += 1;
            // Most are not, and no more is asked about them.
            if !fleet.stuck.has(unit) {
                continue;
            }
            let cell = fleet.pibt.at(unit);
            let may_lead = self.tries[unit as usize].after <= fleet.tick && !self.held.has(cell);
            if may_lead && !wishes.queues(unit) {
                return Some(unit);
            }
        }
        None
    }

    /// Holds the ground around a leader, and begins to search; the work of it.
    fn gather(&mut self, fleet: &Resolver, grid: &Grid, wishes: &mut impl Wishes, leader: u32) -> u64 {
        let Some(mut plan) = self.spare.pop() else { return 0 };
        plan.cells.clear();
        plan.members.clear();
        plan.steps.clear();
        (plan.leader, plan.step) = (leader, 0);
        let known = &mut self.tries[leader as usize];
        if fleet.tick > known.after + FORGET {
            known.level = 0;
        }
        let level = known.level;
        self.flood(fleet, grid, &mut plan, FIRST_CELLS << (level / 2));
        let looked = plan.cells.len() as u64;
        if !Self::is_stuck(fleet, &plan) {
            // Two who are ousted in turn must not be looked at in the same phase for ever.
            let luck = u64::from(tie(self.seed, fleet.tick, leader, 0)) % PAUSE;
            self.tries[leader as usize].after = fleet.tick + PAUSE + luck;
            self.spare.push(plan);
            return looked;
        }
        let has_room = plan.cells.len() - plan.members.len() >= LEAST_ROOM.min(plan.cells.len() / 4);
        let target = if has_room { Self::target(fleet, wishes, &plan) } else { None };
        for &cell in &plan.cells {
            self.held.insert(cell);
        }
        self.sought = Some(plan);
        if let Some(target) = target {
            self.begin(fleet, grid, wishes, target);
        } else {
            self.search.clear(0);
            self.fail(fleet.tick);
        }
        looked + (self.search.patch.cells.len() * self.search.units() / 4) as u64
    }

    /// Whether nothing moves on around the leader, who has waited longest of all there.
    fn is_stuck(fleet: &Resolver, plan: &Plan) -> bool {
        let leader = &fleet.units[plan.leader as usize];
        let is_long = fleet.age(leader.since) >= LONG_STALL;
        plan.members.iter().filter(|&&unit| unit != plan.leader).all(|&unit| {
            let other = &fleet.units[unit as usize];
            let is_older = (other.waiting, plan.leader) > (leader.waiting, unit);
            let moves_on = other.waiting > 0 && fleet.age(other.gained) < OTHERS_STALL;
            let is_gated = fleet.lanes.as_ref().is_some_and(|lanes| lanes.was_gated(unit));
            !is_older && (is_long || !moves_on && !is_gated)
        })
    }

    /// The cells around the leader, nearest first, and who stands on them.
    fn flood(&mut self, fleet: &Resolver, grid: &Grid, plan: &mut Plan, most: usize) {
        let first = fleet.pibt.at(plan.leader);
        plan.cells.push(first);
        self.numbers[first as usize] = 0;
        plan.members.push(plan.leader);
        let mut head = 0;
        while head < plan.cells.len() && plan.cells.len() < most.min(MOST_CELLS) {
            let cell = plan.cells[head];
            head += 1;
            for edge in grid.succs(NodeId::new(cell)) {
                let next = edge.to.raw();
                let unit = fleet.pibt.now_on[next as usize];
                let is_full =
                    plan.cells.len() >= MOST_CELLS || unit != NONE && plan.members.len() >= MOST_UNITS;
                if self.numbers[next as usize] != NONE || self.held.has(next) || is_full {
                    continue;
                }
                self.numbers[next as usize] = plan.cells.len() as u32;
                plan.cells.push(next);
                if unit != NONE {
                    plan.members.push(unit);
                }
            }
        }
        for &cell in &plan.cells {
            self.numbers[cell as usize] = NONE;
        }
    }

    /// The cell of the group's ground that the leader wants to most, if that is any progress. Not one where somebody
    /// is at home.
    fn target(fleet: &Resolver, wishes: &mut impl Wishes, plan: &Plan) -> Option<u32> {
        let mut best = (wishes.value(plan.leader, NodeId::new(plan.cells[0])).raw(), None);
        for &cell in &plan.cells {
            let value = wishes.value(plan.leader, NodeId::new(cell)).raw();
            if value < best.0 {
                let who = fleet.pibt.now_on[cell as usize];
                let at_home = who != NONE && wishes.is_worth_nothing(who, NodeId::new(cell));
                if !at_home || value == 0 {
                    best = (value, Some(cell));
                }
            }
        }
        best.1
    }

    /// Makes the patch, and tells the search who wants what.
    fn begin(&mut self, fleet: &Resolver, grid: &Grid, wishes: &mut impl Wishes, target: u32) {
        let Some(plan) = self.sought.take() else { return };
        let binds_all = self.tries[plan.leader as usize].level % 2 == 1;
        self.search.clear(self.seed ^ fleet.tick);
        self.make_patch(grid, &plan.cells);
        self.number(&plan.cells);
        for &unit in &plan.members {
            let at = fleet.pibt.at(unit);
            let is_home = wishes.is_worth_nothing(unit, NodeId::new(at));
            let goal = if unit == plan.leader {
                Some(target)
            } else if is_home {
                Some(at)
            } else {
                plan.cells.iter().copied().find(|&c| wishes.is_worth_nothing(unit, NodeId::new(c)))
            };
            let goal = goal.map(|cell| self.numbers[cell as usize]);
            let is_bound = is_home || unit == plan.leader || binds_all && goal.is_some();
            self.search.add(self.numbers[at as usize], goal, is_bound);
        }
        self.forget_numbers(&plan.cells);
        let level = self.tries[plan.leader as usize].level;
        let work = (FIRST_WORK << (level / 2)).min(self.most_work);
        self.search.begin(work / self.search.units());
        self.sought = Some(plan);
    }

    /// Gives these cells to the search, numbered in their order.
    pub(super) fn make_patch(&mut self, grid: &Grid, cells: &[u32]) {
        self.number(cells);
        let patch = &mut self.search.patch;
        patch.may_cross = self.may_cross;
        for &cell in cells {
            patch.cells.push(cell);
            patch.places.push(grid.xy(NodeId::new(cell)));
            let mut around = Around::EMPTY;
            let known = grid.succs(NodeId::new(cell)).map(|edge| self.numbers[edge.to.index()]);
            known.filter(|&number| number != NONE).for_each(|number| around.push(number));
            patch.around.push(around);
        }
        self.forget_numbers(cells);
    }

    fn number(&mut self, cells: &[u32]) {
        for (number, &cell) in cells.iter().enumerate() {
            self.numbers[cell as usize] = number as u32;
        }
    }

    fn forget_numbers(&mut self, cells: &[u32]) {
        for &cell in cells {
            self.numbers[cell as usize] = NONE;
        }
    }

    /// Whether the way to a joint state is worth walking: others keep off the ground meanwhile. Later tries may take longer.
    fn is_short(&self, node: u32) -> bool {
        let level = self.sought.as_ref().map_or(0, |plan| self.tries[plan.leader as usize].level);
        self.search.nodes[node as usize].depth as usize <= FIRST_STEPS << (level / 2)
    }

    fn found(&mut self, node: u32) {
        if let Some(mut plan) = self.sought.take() {
            self.search.plan(node, &mut plan.steps);
            self.plans.push(plan);
        }
    }

    /// There is no way out on this ground: nobody there leads for a while, the leader goes to the end of the line, so
    /// that those who want out come first, and after some tries all but the leader forget their goals, so that the jam
    /// spreads out.
    fn fail(&mut self, tick: u64) {
        if let Some(plan) = self.sought.take() {
            let level = self.tries[plan.leader as usize].level;
            if self.yielded.len() < MOST_YIELD {
                self.yielded.push(plan.leader);
            }
            for &unit in &plan.members {
                let known = &mut self.tries[unit as usize];
                known.after = known.after.max(tick + PAUSE);
                if level >= CALM_LEVEL && unit != plan.leader {
                    known.calm = tick + CALM;
                    self.calm = self.calm.max(known.calm);
                }
            }
            self.tried(plan, tick);
        }
    }

    /// Who goes to the end of the line.
    pub(super) fn yielded(&mut self) -> impl Iterator<Item = u32> + '_ {
        self.yielded.drain(..)
    }

    /// Whether a unit has forgotten its goal for now.
    #[inline]
    pub(super) fn is_calm(&self, unit: u32, tick: u64) -> bool {
        self.calm > tick && self.tries[unit as usize].calm > tick
    }

    /// A try is over: the leader's next one is another.
    fn tried(&mut self, plan: Plan, tick: u64) {
        let known = &mut self.tries[plan.leader as usize];
        known.after = tick + PAUSE;
        known.level = if known.level < LAST_LEVEL { known.level + 1 } else { 0 };
        self.release(plan);
    }
}
