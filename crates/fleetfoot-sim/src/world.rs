//! Worlds: the truth, its changes, and an agent's initial knowledge.

mod spec;
mod terrain;
mod truth;

use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Arc;

use fleetfoot::{Belief, Grid, NodeId};

pub use spec::WorldSpec;
pub use terrain::Terrain;
pub use truth::Truth;

use self::terrain::refused;
use self::truth::Gate;
use crate::error::InputError;
use crate::formats::script::{Effect, Reaction, Rule, Script, Trend, read_script};
use crate::generate::SeededRng;
use crate::sensor::{Sensor, Sight};

/// One change of the truth: from `tick` on `cell` has weight `weight`; 0 is blocked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Edit {
    tick: u64,
    cell: NodeId,
    weight: u8,
}

/// A world for any number of runs. It does not change while agents run.
#[derive(Clone, Debug)]
pub struct World {
    /// The state before the first tick.
    truth: Arc<Grid>,
    free_cells: u64,
    /// Sorted by tick.
    edits: Arc<[Edit]>,
    /// Doors that react to the agent.
    gates: Arc<[Gate]>,
    trend: Trend,
    /// The agent's initial belief. `None` if it knows a static truth, so that the map is not copied.
    belief: Option<Arc<Belief>>,
    /// The agent's sensor. `None` if it is informed of every change.
    sensor: Option<Arc<Sensor>>,
}

impl WorldSpec {
    /// Makes the world on a grid, reading its script if there is one. `weights` are the possible weights of terrain
    /// as far as an agent knows: [`Terrain::weights`]; the script may add to them.
    ///
    /// # Errors
    /// If the script cannot be read or was made for another map, the sight does not fit the rules of movement, or the
    /// weights do not fit the map.
    pub fn load(&self, grid: &Arc<Grid>, weights: RangeInclusive<u8>) -> Result<World, InputError> {
        let sight = |sight: &Option<Sight>| sight.unwrap_or(Sight::default_for(grid.rules()));
        match self {
            Self::Known => Ok(World::known(grid)),
            Self::Unknown { sight: given } => World::unknown(grid, weights, sight(given)),
            Self::Partial { hidden, seed, sight: given } => {
                World::partial(grid, weights, (*hidden, *seed), sight(given))
            }
            Self::Dynamic { script: path, sight } => {
                let script = read_script(path)?;
                World::dynamic(grid, weights, &script, *sight).map_err(|error| error.with_file(path as &Path))
            }
        }
    }
}

impl World {
    /// Creates a known, static world.
    pub fn known(grid: &Arc<Grid>) -> Self {
        Self {
            truth: Arc::clone(grid),
            free_cells: free_cells(grid),
            edits: Arc::new([]),
            gates: Arc::new([]),
            trend: Trend::default(),
            belief: None,
            sensor: None,
        }
    }

    /// Creates a world that reveals itself to an agent that knows only its size and its range of weights.
    ///
    /// # Errors
    /// If the sight does not fit the rules of movement, or the weights do not fit the map.
    pub fn unknown(grid: &Arc<Grid>, weights: RangeInclusive<u8>, sight: Sight) -> Result<Self, InputError> {
        Self::hiding(grid, weights, sight, |_, _| true)
    }

    /// Creates a world in which `hidden.0` millionths of the cells, drawn with the seed `hidden.1`, are hidden at
    /// first.
    ///
    /// # Errors
    /// If the sight does not fit the rules of movement, or the weights do not fit the map.
    pub fn partial(
        grid: &Arc<Grid>,
        weights: RangeInclusive<u8>,
        hidden: (u32, u64),
        sight: Sight,
    ) -> Result<Self, InputError> {
        let mut dice = SeededRng::new(hidden.1);
        Self::hiding(grid, weights, sight, |_, _| dice.below(1_000_000) < hidden.0)
    }

    fn hiding(
        grid: &Arc<Grid>,
        weights: RangeInclusive<u8>,
        sight: Sight,
        hidden: impl FnMut(u32, u32) -> bool,
    ) -> Result<Self, InputError> {
        sight.check(grid.rules())?;
        let weights = wider(weights, weights_of(grid));
        let belief = Belief::partial(grid, weights, hidden).map_err(|error| refused(&error))?;
        let sensor = Some(Arc::new(Sensor::new(sight)));
        Ok(Self { belief: Some(Arc::new(belief)), sensor, ..Self::known(grid) })
    }

    /// Creates a world that changes by a script. With a sight the agent knows as little as in an unknown world and
    /// learns of a change when it sees it. Without one, it knows the map and is informed of every change.
    ///
    /// # Errors
    /// If the script is invalid or was made for another map, the sight does not fit the rules of
    /// movement, or the weights do not fit the map.
    pub fn dynamic(
        grid: &Arc<Grid>,
        weights: RangeInclusive<u8>,
        script: &Script,
        sight: Option<Sight>,
    ) -> Result<Self, InputError> {
        script.validate()?;
        script.check_size(grid.width(), grid.height())?;
        let (edits, gates) = (edits(script, grid), gates(script, grid)?);
        let trend = script.summary(|x, y| weight_at(grid, x, y)).trend();
        let scripted = edits.iter().map(|edit| edit.weight).filter(|weight| *weight > 0);
        let weights = scripted.fold(wider(weights, weights_of(grid)), |range, w| wider(range, w..=w));
        let grid = &fit(grid, &weights)?;
        let world = if let Some(sight) = sight {
            Self::unknown(grid, weights, sight)?
        } else {
            let belief = Belief::known(Grid::clone(grid));
            Self { belief: Some(Arc::new(belief)), ..Self::known(grid) }
        };
        Ok(Self { edits: edits.into(), gates: gates.into(), trend, ..world })
    }

    /// Returns the truth before the first tick.
    pub fn truth(&self) -> &Grid {
        &self.truth
    }

    /// Returns the agent's initial belief: the graph that planners are built for.
    pub fn graph(&self) -> &Grid {
        self.belief.as_ref().map_or(&self.truth, |belief| belief.grid())
    }

    /// Returns the agent's initial belief. Returns `None` if it knows a static truth.
    pub(crate) fn belief(&self) -> Option<&Belief> {
        self.belief.as_deref()
    }

    /// Returns the agent's sensor. Returns `None` if it is informed of everything.
    pub fn sensor(&self) -> Option<&Sensor> {
        self.sensor.as_deref()
    }

    /// Returns the number of cells that are free before the first tick.
    pub fn free_cells(&self) -> u64 {
        self.free_cells
    }

    /// Returns `true` if anything ever changes.
    pub fn is_dynamic(&self) -> bool {
        !self.edits.is_empty() || !self.gates.is_empty()
    }

    /// Returns the directions in which costs can change. Doors that react to the agent make them change both ways.
    ///
    /// This is about the truth. An agent that discovers it sees no further decreases, since it assumes that unseen
    /// cells are free and have the least weight.
    pub fn trend(&self) -> Trend {
        self.trend
    }

    /// Returns the cells that the world changes up to a tick, in order, with their new weights; 0 is blocked. Doors
    /// that react to the agent come first, as blocked.
    pub fn changes_until(&self, tick: u64) -> impl Iterator<Item = (NodeId, u8)> {
        let gates = self.gates.iter().map(|gate| (gate.cell, 0));
        let edits = self.edits.iter().take_while(move |edit| edit.tick <= tick);
        gates.chain(edits.map(|edit| (edit.cell, edit.weight)))
    }

    /// Returns every change of the script in order: its tick, its cell, and the cell's new weight; 0 is blocked.
    pub fn edits(&self) -> impl Iterator<Item = (u64, NodeId, u8)> + '_ {
        self.edits.iter().map(|edit| (edit.tick, edit.cell, edit.weight))
    }

    /// Returns `true` if there are doors that react to an agent.
    pub fn has_gates(&self) -> bool {
        !self.gates.is_empty()
    }

    /// Returns the default maximum number of steps.
    ///
    /// Complete planners need at most about n² of them: a learner in undirected terrain makes at most n times the
    /// longest distance of moves, and a replanner searches n cells after each of its discoveries. The limit is a
    /// thousand million, which no planner is known to reach. Planners that may walk in circles forever get fifty
    /// steps per cell, as do all planners in worlds with doors that react to the agent, where none is complete.
    pub fn patience(&self, complete: bool) -> u64 {
        const MOST: u64 = 1_000_000_000;
        let (n, complete) = (self.free_cells, complete && self.gates.is_empty());
        let steps = if complete { n.saturating_mul(n).saturating_mul(16) } else { n.saturating_mul(50) };
        let last = self.edits.last().map_or(0, |edit| edit.tick);
        steps.saturating_add(10_000).min(MOST) + last.min(MOST)
    }
}

fn free_cells(grid: &Grid) -> u64 {
    cells(grid).filter(|n| grid.is_free(*n)).count() as u64
}

fn cells(grid: &Grid) -> impl Iterator<Item = NodeId> {
    (0..grid.height()).flat_map(move |y| (0..grid.width()).filter_map(move |x| grid.node(x, y)))
}

fn weights_of(grid: &Grid) -> RangeInclusive<u8> {
    let weights = cells(grid).map(|n| grid.weight(n)).filter(|weight| *weight > 0);
    let (least, most) = weights.fold((u8::MAX, 1), |(least, most), w| (least.min(w), most.max(w)));
    least.min(most)..=most
}

fn wider(a: RangeInclusive<u8>, b: RangeInclusive<u8>) -> RangeInclusive<u8> {
    *a.start().min(b.start())..=*a.end().max(b.end())
}

/// Returns the grid itself if it supports such weights, or a copy that does.
fn fit(grid: &Arc<Grid>, weights: &RangeInclusive<u8>) -> Result<Arc<Grid>, InputError> {
    if weights_of(grid) == *weights {
        return Ok(Arc::clone(grid));
    }
    let wide = Grid::clone(grid).with_weights(*weights.start(), *weights.end());
    wide.map(Arc::new).map_err(|error| refused(&error))
}

fn weight_at(grid: &Grid, x: u32, y: u32) -> u8 {
    grid.node(x, y).map_or(0, |cell| grid.weight(cell))
}

/// Returns the effect of each change of a valid script.
fn edits(script: &Script, grid: &Grid) -> Vec<Edit> {
    let effects = script.effects(|x, y| weight_at(grid, x, y)).into_iter();
    let edit = |effect: Effect| {
        grid.node(effect.x, effect.y).map(|cell| Edit { tick: effect.tick, cell, weight: effect.after })
    };
    effects.filter_map(edit).collect()
}

/// Returns the doors of a valid script's rules.
fn gates(script: &Script, grid: &Grid) -> Result<Vec<Gate>, InputError> {
    let gate = |rule: &Rule| {
        let Rule { x, y, what: Reaction::ShutNear { radius, ticks } } = *rule;
        let cell = grid.node(x, y).filter(|cell| grid.is_free(*cell)).ok_or_else(|| {
            let what = format!("the rule's cell ({x}, {y}) is blocked on the map");
            InputError::new(what, "give the rule to a free cell, which it can shut")
        })?;
        Ok(Gate { cell, weight: grid.weight(cell), radius, ticks })
    };
    script.rules.iter().map(gate).collect()
}

#[cfg(test)]
mod tests;
