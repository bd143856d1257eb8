//! The current truth in one run.

use std::borrow::Cow;

use fleetfoot::{ChangeLog, Graph, Grid, NodeId};

use super::{Edit, World};
use crate::sensor::within;

/// A door that reacts to the agent: it closes when the agent comes near, and opens again when it is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Gate {
    pub(super) cell: NodeId,
    /// Its weight when open.
    pub(super) weight: u8,
    /// Distance at which it closes, by octile distance.
    pub(super) radius: u32,
    /// Minimum number of ticks that it stays closed.
    pub(super) ticks: u64,
}

impl Gate {
    /// Returns `true` if `agent` is within `radius`. `NodeId::NONE` never is.
    fn is_near(&self, grid: &Grid, agent: NodeId) -> bool {
        if agent.index() >= grid.bound() {
            return false;
        }
        let difference = |a: u32, b: u32| a.cast_signed() - b.cast_signed();
        let ((x, y), (ax, ay)) = (grid.xy(self.cell), grid.xy(agent));
        within(difference(x, ax), difference(y, ay), self.radius.cast_signed())
    }
}

/// The current truth in one run.
///
/// It depends only on the world and on the agent's walk: the same walk meets the same world.
#[derive(Debug)]
pub struct Truth<'w> {
    world: &'w World,
    /// Copied when the first change happens.
    grid: Cow<'w, Grid>,
    /// Index of the next edit.
    next: usize,
    /// Edits of the occupied cell that are delayed until it is free, in order.
    waiting: Vec<Edit>,
    /// The tick since which each gate is closed, if it is.
    shut: Vec<Option<u64>>,
    changed: Vec<NodeId>,
    /// Required for editing a grid, but never read.
    log: ChangeLog,
}

impl<'w> Truth<'w> {
    /// Creates the truth before the first tick.
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

    /// Returns the current truth.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Returns the cells that changed in the last tick.
    pub fn changed(&self) -> &[NodeId] {
        &self.changed
    }

    /// Applies all changes up to this tick: those of the script, then those of doors that react to the agent.
    ///
    /// A closing of the occupied cell is delayed until the cell is free, as are later changes of the cell. Then they
    /// happen in order.
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

    /// Returns `true` if anything can change after this tick while the agent waits. Delayed closings and doors that
    /// react to the agent do not count: they change only if the agent moves, so no agent needs to wait for them.
    pub fn can_change_again(&self, tick: u64, occupied: NodeId) -> bool {
        let edit_comes = self.world.edits.last().is_some_and(|edit| edit.tick > tick);
        let mut gates = self.world.gates.iter().zip(&self.shut);
        edit_comes || gates.any(|(gate, shut)| shut.is_some() && !gate.is_near(&self.grid, occupied))
    }

    /// Closes doors near the agent and opens those it has left.
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
