//! Saving groups that are led or searched for.

use alloc::vec::Vec;

use crate::fleet::cell_set::NONE;
use crate::fleet::unjam::groups::{Attempt, LAST_LEVEL, MOST_PLANS, Plan, StuckGroups};
use crate::fleet::unjam::joint_search::{
    Constraint, JointSearch, LONGEST_PLAN, MOST_CELLS, MOST_NODES, MOST_UNITS, MOST_VISITS, Node,
};
use crate::fleet::unjam::lists::{all_differ, load_list, save_list};
use crate::fleet::unjam::progress::Scene;
use crate::graph::Graph;
use crate::grid::Grid;
use crate::save::{SaveError, SaveReader, SaveWriter};

fn unsound() -> SaveError {
    SaveError::new("the plan of a group is none")
}

impl StuckGroups {
    pub(crate) fn save(&self, out: &mut impl SaveWriter) {
        for known in &self.tries {
            out.u32(u32::from(known.level));
            out.u64(known.after);
        }
        out.u32(self.plans.len() as u32);
        self.plans.iter().for_each(|plan| plan.save(out));
        out.u32(u32::from(self.sought.is_some()));
        if let Some(plan) = &self.sought {
            plan.save(out);
            self.search.save(out);
        }
    }

    /// Reads what was saved into groups that are new.
    pub(crate) fn load(
        &mut self,
        grid: &Grid,
        from: &mut SaveReader<'_>,
        scene: Scene<'_>,
    ) -> Result<(), SaveError> {
        for known in &mut self.tries {
            let level = from.choice(u32::from(LAST_LEVEL) + 1)? as u8;
            *known = Attempt { level, after: from.count()? };
        }
        for _ in 0..from.choice(MOST_PLANS as u32 + 1)? {
            let plan = self.load_plan(grid, from, scene)?;
            if plan.steps.is_empty() || plan.is_done() {
                return Err(unsound());
            }
            self.search.clear(0);
            self.make_patch(grid, &plan.cells);
            self.search.check(&plan.steps, plan.members.len())?;
            self.plans.push(plan);
        }
        if from.choice(2)? == 1 {
            let plan = self.load_plan(grid, from, scene)?;
            if !plan.steps.is_empty() {
                return Err(unsound());
            }
            self.search.clear(0);
            self.make_patch(grid, &plan.cells);
            self.search.load(from, plan.members.len())?;
            let stands = (0..plan.members.len())
                .all(|k| plan.cells[self.search.start(k)] == scene.pibt.at(plan.members[k]));
            if !stands {
                return Err(unsound());
            }
            self.sought = Some(plan);
        }
        Ok(())
    }

    /// Reads a plan. Its ground is held by no other plan, and its members are exactly the units there.
    fn load_plan(
        &mut self,
        grid: &Grid,
        from: &mut SaveReader<'_>,
        scene: Scene<'_>,
    ) -> Result<Plan, SaveError> {
        let mut plan = self.spare.pop().ok_or_else(unsound)?;
        plan.members.extend(load_list(from, scene.units.len())?);
        plan.cells.extend(load_list(from, grid.bound())?);
        plan.step = from.choice(LONGEST_PLAN as u32 + 1)? as usize;
        let fits = !plan.members.is_empty()
            && plan.members.len() <= MOST_UNITS
            && plan.cells.len() <= MOST_CELLS
            && all_differ(&plan.members)
            && all_differ(&plan.cells)
            && !plan.cells.iter().any(|&cell| self.held.has(cell));
        if !fits {
            return Err(unsound());
        }
        plan.leader = plan.members[0];
        for _ in 0..from.len(4)? {
            plan.steps.push(from.choice(plan.cells.len() as u32)? as u16);
        }
        let members = plan.members.len();
        if plan.steps.len() % members != 0 || plan.steps.len() > members * (LONGEST_PLAN + 1) {
            return Err(unsound());
        }
        let inside = plan.cells.iter().map(|&cell| scene.pibt.now_on[cell as usize]);
        let all = inside.filter(|&unit| unit != NONE).all(|unit| plan.members.contains(&unit));
        let there = plan.members.iter().all(|&unit| plan.cells.contains(&scene.pibt.at(unit)));
        let on_step = plan.steps.is_empty()
            || plan.steps.len() > plan.step * members
                && (0..members).all(|k| plan.cell(plan.step, k) == scene.pibt.at(plan.members[k]));
        if !all || !there || !on_step {
            return Err(unsound());
        }
        plan.cells.iter().for_each(|&cell| self.held.insert(cell));
        Ok(plan)
    }
}

impl Plan {
    fn save(&self, out: &mut impl SaveWriter) {
        save_list(out, &self.members);
        save_list(out, &self.cells);
        out.u32(self.step as u32);
        out.u32(self.steps.len() as u32);
        for &cell in &self.steps {
            out.u32(u32::from(cell));
        }
    }
}

impl JointSearch {
    fn save(&self, out: &mut impl SaveWriter) {
        let (seed, visit) = self.patch.luck();
        out.u64(seed);
        out.u64(visit);
        for unit in 0..self.units() {
            out.u32(self.targets[unit]);
            out.u32(u32::from(self.bound[unit]));
        }
        out.u32(self.visits as u32);
        out.u32(self.most_visits as u32);
        out.u32(self.nodes.len() as u32);
        for node in &self.nodes {
            for x in [node.parent, node.depth, node.queue.0, node.queue.1] {
                out.u32(x);
            }
        }
        for (&cell, &wait) in self.configs.iter().zip(&self.waits) {
            out.u32(u32::from(cell) | u32::from(wait) << 16);
        }
        out.u32(self.told.len() as u32);
        for told in &self.told {
            let who = u32::from(told.unit) | u32::from(told.cell) << 16;
            for x in [told.parent, who, u32::from(told.depth), told.next] {
                out.u32(x);
            }
        }
        save_list(out, &self.open);
    }

    /// Reads a search of this number of units on the present patch.
    fn load(&mut self, from: &mut SaveReader<'_>, units: usize) -> Result<(), SaveError> {
        let cells = self.patch.cells.len() as u32;
        let (seed, visit) = (from.u64()?, from.count()?);
        self.patch.set_luck(seed, visit);
        for _ in 0..units {
            let target = from.u32()?;
            if target >= cells && target != NONE {
                return Err(unsound());
            }
            let is_bound = from.choice(2)? == 1;
            // The first node has its cell.
            self.add_unit((target != NONE).then_some(target), is_bound);
        }
        self.visits = from.choice(MOST_VISITS as u32)? as usize;
        self.most_visits = from.choice(MOST_VISITS as u32 + 1)? as usize;
        let nodes = from.len(16)?;
        if nodes == 0 || nodes > MOST_NODES {
            return Err(unsound());
        }
        let mut queues = Vec::with_capacity(nodes);
        for _ in 0..nodes {
            let (parent, depth) = (from.u32()?, from.u32()?);
            let queue = (from.u32()?, from.u32()?);
            queues.push(queue);
            self.nodes.push(Node { parent, depth, queue });
        }
        for _ in 0..nodes * units {
            let both = from.u32()?;
            if both & 0xffff >= cells {
                return Err(unsound());
            }
            self.configs.push(both as u16);
            self.waits.push((both >> 16) as u16);
        }
        self.load_told(from, units, cells)?;
        self.open.extend(load_list(from, nodes)?);
        if self.open.len() > MOST_NODES + MOST_VISITS || !self.is_tree() {
            return Err(unsound());
        }
        self.index()
    }

    fn load_told(&mut self, from: &mut SaveReader<'_>, units: usize, cells: u32) -> Result<(), SaveError> {
        let count = from.len(16)?;
        if count > self.told.capacity() {
            return Err(unsound());
        }
        for k in 0..count as u32 {
            let (parent, who) = (from.u32()?, from.u32()?);
            let (depth, next) = (from.u32()?, from.u32()?);
            let (unit, cell) = (who as u16, (who >> 16) as u16);
            let below =
                self.told.get(parent as usize).map_or(0, |told: &Constraint| u32::from(told.depth) + 1);
            let in_order = (next == NONE || next > k && (next as usize) < count)
                && depth == below
                && (parent == NONE || parent < k)
                && depth as usize <= units;
            if !in_order || unit as usize >= units || u32::from(cell) >= cells {
                return Err(unsound());
            }
            self.told.push(Constraint { parent, unit, cell, depth: depth as u16, next });
        }
        let in_range = |k: u32| k == NONE || (k as usize) < count;
        let sound = self.nodes.iter().all(|node| {
            in_range(node.queue.0)
                && in_range(node.queue.1)
                && (node.queue.0 == NONE) == (node.queue.1 == NONE)
        });
        if sound { Ok(()) } else { Err(unsound()) }
    }

    /// Returns `true` if every node but the first has a parent of lower depth.
    fn is_tree(&self) -> bool {
        self.nodes.iter().enumerate().all(|(k, node)| {
            let depth = self.nodes.get(node.parent as usize).map(|parent| parent.depth);
            let is_root = k == 0 && node.parent == NONE && node.depth == 0;
            let is_child = k > 0 && depth.is_some_and(|d| d < node.depth);
            (is_root || is_child) && node.depth as usize <= LONGEST_PLAN
        })
    }

    /// Fills the table, and checks that every node is one joint move away from its parent.
    fn index(&mut self) -> Result<(), SaveError> {
        for node in 0..self.nodes.len() as u32 {
            let slot = self.find(node);
            if self.table[slot] != NONE {
                return Err(unsound());
            }
            self.table[slot] = node;
            let parent = self.nodes[node as usize].parent;
            let first = node as usize * self.units();
            let to: Vec<u16> = self.configs[first..first + self.units()].to_vec();
            let from = if parent == NONE {
                to.clone()
            } else {
                self.configs[parent as usize * self.units()..][..self.units()].to_vec()
            };
            if !self.is_move(&from, &to) {
                return Err(unsound());
            }
        }
        Ok(())
    }

    /// Checks that every step of a plan is a joint move on the patch.
    fn check(&mut self, steps: &[u16], units: usize) -> Result<(), SaveError> {
        (0..units).for_each(|_| self.add_unit(None, false));
        let all: Vec<&[u16]> = steps.chunks(units).collect();
        let sound = self.is_move(all[0], all[0]) && all.windows(2).all(|pair| self.is_move(pair[0], pair[1]));
        if sound { Ok(()) } else { Err(unsound()) }
    }
}
