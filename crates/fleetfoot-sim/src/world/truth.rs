//! The truth as it is now, in one life.

use std::borrow::Cow;

use fleetfoot::{ChangeLog, Graph, Grid, NodeId};

use super::{Edit, World};
use crate::sensor::within;

/// A door that answers to the agent: it shuts when the agent comes near, and opens again when it is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Gate {
    pub(super) cell: NodeId,
    /// What it weighs when it is open.
    pub(super) weight: u8,
    /// How near, by octile distance.
    pub(super) radius: u32,
    /// For how long at least it stays shut.
    pub(super) ticks: u64,
}

impl Gate {
    /// Whether an agent in this cell is near. Nobody is near who is nowhere.
    fn is_near(&self, grid: &Grid, agent: NodeId) -> bool {
        if agent.index() >= grid.bound() {
            return false;
        }
        let difference = |a: u32, b: u32| a.cast_signed() - b.cast_signed();
        let ((x, y), (ax, ay)) = (grid.xy(self.cell), grid.xy(agent));
        within(difference(x, ax), difference(y, ay), self.radius.cast_signed())
    }
}

/// The truth as it is now, in one life.
///
/// It depends on the world and on the agent's walk, and on nothing else: the same walk meets the same world.
#[derive(Debug)]
pub struct Truth<'w> {
    world: &'w World,
    /// Copied when the first change happens.
    grid: Cow<'w, Grid>,
    /// The first edit that is still to come.
    next: usize,
    /// Edits of the occupied cell that wait until it is free, in order.
    waiting: Vec<Edit>,
    /// For each gate since which tick it is shut, if it is.
    shut: Vec<Option<u64>>,
    changed: Vec<NodeId>,
    /// Needed to edit a grid, read by nobody.
    log: ChangeLog,
}

impl<'w> Truth<'w> {
    /// The truth before the first tick.
    pub fn new(world: &'w World) -> Self {
        Self {
            world,
            grid: Cow::Borrowed(world.truth()),
            next: 0,
            waiting: Vec::new(),
            shut: vec![None; world.gates.len()],
            changed: Vec::new(),
            log: ChangeLog::with_capacity(1),
        }
    }

    /// The truth as it is now.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The cells that changed in the last tick.
    pub fn changed(&self) -> &[NodeId] {
        &self.changed
    }

    /// Makes all changes up to this tick, with the agent where it is: those of the script, then those of doors that
    /// answer to it.
    ///
    /// A closing that hits the occupied cell waits until that is free, and so do later changes of the cell:
    /// then they happen in order.
    pub fn advance(&mut self, tick: u64, occupied: NodeId) {
        self.changed.clear();
        if self.waiting.first().is_some_and(|edit| edit.cell != occupied) {
            for edit in std::mem::take(&mut self.waiting) {
                self.make(edit.cell, edit.weight);
            }
        }
        while let Some(&edit) = self.world.edits.get(self.next).filter(|edit| edit.tick <= tick) {
            self.next += 1;
            if edit.cell == occupied && (edit.weight == 0 || !self.waiting.is_empty()) {
                self.waiting.push(edit);
            } else {
                self.make(edit.cell, edit.weight);
            }
        }
        self.answer(tick, occupied);
    }

    /// Whether anything can change after this tick while the agent stays where it is. A closing that waits for its cell
    /// does not count, and neither does what a door does when somebody comes or goes: they happen only if the
    /// agent walks on, so no agent needs to wait for them.
    pub fn can_change_again(&self, tick: u64, occupied: NodeId) -> bool {
        let edit_comes = self.world.edits.last().is_some_and(|edit| edit.tick > tick);
        let mut gates = self.world.gates.iter().zip(&self.shut);
        edit_comes || gates.any(|(gate, shut)| shut.is_some() && !gate.is_near(&self.grid, occupied))
    }

    /// Doors shut before the agent and open behind it.
    fn answer(&mut self, tick: u64, agent: NodeId) {
        let world = self.world;
        for (k, gate) in world.gates.iter().enumerate() {
            let is_near = gate.is_near(&self.grid, agent);
            match self.shut[k] {
                None if is_near && gate.cell != agent => {
                    self.shut[k] = Some(tick);
                    self.make(gate.cell, 0);
                }
                Some(since) if !is_near && tick - since >= gate.ticks => {
                    self.shut[k] = None;
                    self.make(gate.cell, gate.weight);
                }
                _ => {}
            }
        }
    }

    fn make(&mut self, cell: NodeId, weight: u8) {
        let made = self.grid.to_mut().set(cell, weight, &mut self.log);
        made.expect("the grid was made for all weights of the script");
        self.changed.push(cell);
    }
}
