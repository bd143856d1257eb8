//! How a group is gathered: the ground around its leader, its members, and what they want.

use crate::fleet::cell_set::NONE;
use crate::fleet::resolver::costs::UnitCosts;
use crate::fleet::resolver::neighbors::{Around, tie};
use crate::fleet::unjam::groups::{Plan, StuckGroups};
use crate::fleet::unjam::joint_search::{MOST_CELLS, MOST_UNITS};
use crate::fleet::unjam::progress::Scene;
use crate::graph::Graph;
use crate::grid::Grid;
use crate::id::NodeId;

impl StuckGroups {
    /// Holds the ground around a leader, and begins to search. Returns the work spent.
    pub(crate) fn gather(
        &mut self,
        scene: Scene<'_>,
        grid: &Grid,
        costs: &mut impl UnitCosts,
        leader: u32,
    ) -> u64 {
        let Some(mut plan) = self.spare.pop() else { return 0 };
        plan.cells.clear();
        plan.members.clear();
        plan.steps.clear();
        (plan.leader, plan.step) = (leader, 0);
        let known = &mut self.tries[leader as usize];
        if scene.tick > known.after + self.tuning.forget {
            known.level = 0;
        }
        let level = known.level;
        self.flood(scene, grid, &mut plan, (self.tuning.cells as usize) << (level / 2));
        let looked = plan.cells.len() as u64;
        if !self.is_stuck(scene, &plan) {
            // Two units that push each other off their goals must not be examined in the same phase again and again.
            let luck = u64::from(tie(self.seed, scene.tick, leader, 0)) % self.tuning.pause;
            self.tries[leader as usize].after = scene.tick + self.tuning.pause + luck;
            self.spare.push(plan);
            return looked;
        }
        let has_room =
            plan.cells.len() - plan.members.len() >= (self.tuning.room as usize).min(plan.cells.len() / 4);
        let target = if has_room { Self::target(scene, costs, &plan) } else { None };
        for &cell in &plan.cells {
            self.held.insert(cell);
        }
        self.sought = Some(plan);
        if let Some(target) = target {
            self.begin(scene, grid, costs, target);
        } else {
            self.search.clear(0);
            self.fail(scene.tick);
        }
        looked + (self.search.patch.cells.len() * self.search.units() / 4) as u64
    }

    /// Returns `true` if no unit around the leader makes progress, and the leader has waited longest.
    fn is_stuck(&self, scene: Scene<'_>, plan: &Plan) -> bool {
        let leader = &scene.units[plan.leader as usize];
        let is_long = scene.age(leader.since) >= self.tuning.long_stall;
        plan.members.iter().filter(|&&unit| unit != plan.leader).all(|&unit| {
            let other = &scene.units[unit as usize];
            let is_older = (other.waiting, plan.leader) > (leader.waiting, unit);
            let moves_on = other.waiting > 0 && scene.age(other.gained) < self.tuning.others_stall;
            let is_gated = scene.lanes.is_some_and(|lanes| lanes.was_gated(unit));
            !is_older && (is_long || !moves_on && !is_gated)
        })
    }

    /// Collects the cells around the leader, nearest first, and the units on them.
    fn flood(&mut self, scene: Scene<'_>, grid: &Grid, plan: &mut Plan, most: usize) {
        let first = scene.pibt.at(plan.leader);
        plan.cells.push(first);
        self.numbers[first as usize] = 0;
        plan.members.push(plan.leader);
        let mut head = 0;
        while head < plan.cells.len() && plan.cells.len() < most.min(MOST_CELLS) {
            let cell = plan.cells[head];
            head += 1;
            for edge in grid.succs(NodeId::new(cell)) {
                let next = edge.to.raw();
                let unit = scene.pibt.now_on[next as usize];
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

    /// Returns the cell of the group's ground that the leader wants most, if it costs less than the leader's own. Goals that are occupied
    /// by their units do not count, unless the leader has the same one.
    fn target(scene: Scene<'_>, costs: &mut impl UnitCosts, plan: &Plan) -> Option<u32> {
        let mut best = (costs.cost(plan.leader, NodeId::new(plan.cells[0])).raw(), None);
        for &cell in &plan.cells {
            let value = costs.cost(plan.leader, NodeId::new(cell)).raw();
            if value < best.0 {
                let who = scene.pibt.now_on[cell as usize];
                let at_home = who != NONE && costs.is_free_of_cost(who, NodeId::new(cell));
                if !at_home || value == 0 {
                    best = (value, Some(cell));
                }
            }
        }
        best.1
    }

    /// Makes the patch, and gives the search the members with their targets.
    fn begin(&mut self, scene: Scene<'_>, grid: &Grid, costs: &mut impl UnitCosts, target: u32) {
        let Some(plan) = self.sought.take() else { return };
        self.search.clear(self.seed ^ scene.tick);
        self.make_patch(grid, &plan.cells);
        self.number(&plan.cells);
        for &unit in &plan.members {
            let at = scene.pibt.at(unit);
            let is_home = costs.is_free_of_cost(unit, NodeId::new(at));
            let goal = if unit == plan.leader {
                Some(target)
            } else if is_home {
                Some(at)
            } else {
                plan.cells.iter().copied().find(|&c| costs.is_free_of_cost(unit, NodeId::new(c)))
            };
            let goal = goal.map(|cell| self.numbers[cell as usize]);
            let is_bound = is_home || unit == plan.leader;
            self.search.add(self.numbers[at as usize], goal, is_bound);
        }
        self.forget_numbers(&plan.cells);
        let level = self.tries[plan.leader as usize].level;
        let work = ((self.tuning.work as usize) << (level / 2)).min(self.most_work);
        self.search.begin(work / self.search.units());
        self.sought = Some(plan);
    }

    /// Gives these cells to the search, numbered in their order.
    pub(crate) fn make_patch(&mut self, grid: &Grid, cells: &[u32]) {
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
}
