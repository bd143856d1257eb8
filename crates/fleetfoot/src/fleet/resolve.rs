//! The resolver: one joint move of all units a tick.

use alloc::vec::Vec;
use core::fmt;

use super::Wishes;
use super::cells::Cells;
use super::clusters::{Clusters, OUSTED, STALL};
use super::ground::{MapGround, NONE, OWN};
use super::lanes::Lanes;
use super::penalties::{FIRMLY_AFTER, LEARNS_AFTER, Lessons};
use super::pibt::Pibt;
use super::turns::Turns;
use crate::graph::{Graph, Grid, Neighbours};
use crate::id::NodeId;

/// Parameters of the resolver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "rules that can be switched off one by one")]
pub struct ResolverConfig {
    /// Ties are broken by a hash of it.
    pub seed: u64,
    /// Whether two units that meet head-on in a narrow passage walk back to a place where they can pass.
    pub swaps: bool,
    /// Whether a dead end counts as a place to pass only if it is empty.
    pub empty_pockets: bool,
    /// Whether a unit that has entered a passage is taken to want the same way until it is at home or the passage forks:
    /// what a far cell is worth is not asked for, and need not be exact.
    pub steady: bool,
    /// Whether they swap only where there is no short way round.
    pub rings: bool,
    /// Whether passages one cell wide are one-way.
    pub lanes: bool,
    /// Whether units that come no nearer learn to avoid the cells where they were.
    pub learns: bool,
    /// Whether groups that are stuck are led out by a joint search.
    pub clusters: bool,
    /// Whether diagonal moves may cross each other.
    pub may_cross: bool,
    /// Whether of equally good cells the one is taken that fewer others want (Okumura and Nagai, SoCS-25).
    pub hindrance: bool,
    /// Whether, where moves are four, of two cells that are still equally good the right one is taken. Who comes the opposite
    /// way does the same, and so goes along the other side. A [`Fleet`](super::Fleet) does so only on maps that are too large for rows of
    /// distances.
    pub keeps_right: bool,
}

impl Default for ResolverConfig {
    fn default() -> Self {
        Self {
            seed: 0,
            swaps: true,
            empty_pockets: true,
            steady: true,
            rings: true,
            lanes: true,
            learns: true,
            clusters: true,
            may_cross: false,
            hindrance: true,
            keeps_right: true,
        }
    }
}

impl ResolverConfig {
    /// Textbook PIBT with the swap rule, and nothing beyond it.
    pub fn plain() -> Self {
        Self {
            empty_pockets: false,
            steady: false,
            rings: false,
            lanes: false,
            learns: false,
            clusters: false,
            hindrance: false,
            keeps_right: false,
            ..Self::default()
        }
    }
}

/// Why a unit cannot be put on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaceError {
    /// The cell is blocked, or not on the map.
    Blocked,
    /// Another unit stands there.
    Taken,
}

impl fmt::Display for PlaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Blocked => "no unit can stand on a blocked cell or outside the map; choose a free one",
            Self::Taken => "another unit stands there; choose a cell that nobody stands on",
        })
    }
}

impl core::error::Error for PlaceError {}

/// What happened in a tick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Units that moved.
    pub moved: u32,
    /// Units that are not at their goal.
    pub waiting: u32,
    /// Units that gave way by the swap rule.
    pub swaps: u32,
    /// Units that are led by the joint plan of a group.
    pub led: u32,
    /// Work of the joint searches, in moves of single units.
    pub work: u64,
}

/// What came of units' plans.
pub(super) struct Planned {
    led: u32,
    swaps: u32,
}

/// What is kept of each unit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unit {
    /// Ticks since it was last at its goal: its priority.
    pub(super) waiting: u32,
    /// The least value that it has reached under its order.
    pub(super) best: u32,
    /// When it reached that: the last 32 bits of the tick, so that units take less of the cache.
    pub(super) gained: u32,
    /// The same, or when it last left its goal if that is later: since then it has come no nearer.
    pub(super) since: u32,
    /// How often it had to leave its goal again under its order.
    pub(super) ousted: u32,
    /// Whether it may not move this tick.
    pub(super) rests: bool,
}

impl Unit {
    pub(super) const NEW: Self =
        Self { waiting: 0, best: NONE, gained: 0, since: 0, ousted: 0, rests: false };
}

/// Moves all units of a map, tick by tick.
#[derive(Clone, Debug)]
pub struct Resolver {
    pub(super) config: ResolverConfig,
    pub(super) tick: u64,
    pub(super) pibt: Pibt,
    pub(super) units: Vec<Unit>,
    /// Units that are not at their goal, longest waiting first, then by number.
    pub(super) order: Vec<u32>,
    pub(super) lessons: Lessons,
    /// Units that have come no nearer for so long that they may lead a group out of a jam, as of this tick.
    pub(super) stuck: Cells,
    /// Units that are at their goals after this tick.
    at_home: Cells,
    /// Numbers of units that were removed.
    pub(super) free: Vec<u32>,
    /// Whether a unit may not move this tick.
    pub(super) is_anybody_resting: bool,
    /// Whose turn it is, where there is no time for all. Not saved: it is for the clock alone.
    pub(super) turns: Turns,
    pub(super) lanes: Option<Lanes>,
    pub(super) clusters: Option<Clusters>,
}

impl Resolver {
    /// A resolver without units.
    pub fn new(grid: &Grid, config: ResolverConfig) -> Self {
        let mut pibt = Pibt::new(grid.bound());
        (pibt.swaps, pibt.empty_pockets, pibt.steady) = (config.swaps, config.empty_pockets, config.steady);
        Self {
            config,
            tick: 0,
            pibt,
            units: Vec::new(),
            order: Vec::new(),
            lessons: Lessons::default(),
            stuck: Cells::default(),
            at_home: Cells::default(),
            free: Vec::new(),
            is_anybody_resting: false,
            turns: Turns::default(),
            lanes: config.lanes.then(|| Lanes::new(grid)),
            clusters: config.clusters.then(|| Clusters::new(grid, config)),
        }
    }

    /// Puts a unit on a cell; its number.
    pub fn place(&mut self, grid: &Grid, cell: NodeId) -> Result<u32, PlaceError> {
        if cell.index() >= grid.bound() || !grid.is_free(cell) {
            return Err(PlaceError::Blocked);
        }
        if self.unit_on(cell).is_some() {
            return Err(PlaceError::Taken);
        }
        let unit = self.free.pop().unwrap_or_else(|| {
            self.add_room();
            self.units.push(Unit::NEW);
            self.units.len() as u32 - 1
        });
        self.units[unit as usize] = Unit { gained: self.now(), since: self.now(), ..Unit::NEW };
        self.pibt.place(unit, cell.raw());
        if let Some(clusters) = &mut self.clusters {
            clusters.drop_at(cell.raw());
        }
        if let Some(lanes) = &mut self.lanes {
            lanes.entered(cell.raw());
        }
        Ok(unit)
    }

    /// Room for a unit more in all tables, so that ticks allocate nothing.
    pub(super) fn add_room(&mut self) {
        self.pibt.grow();
        self.lessons.grow();
        self.stuck.grow(self.pibt.pieces.len());
        self.at_home.grow(self.pibt.pieces.len());
        self.turns.grow(self.pibt.pieces.len());
        self.order.reserve(self.units.len() + 1);
        self.free.reserve(self.units.len() + 1);
        if let Some(clusters) = &mut self.clusters {
            clusters.grow();
        }
        if let Some(lanes) = &mut self.lanes {
            lanes.grow();
        }
    }

    /// Takes a unit off the map. Its number may be given to another one later.
    pub fn remove(&mut self, unit: u32) {
        let Some(cell) = self.at(unit) else { return };
        if let Some(clusters) = &mut self.clusters {
            clusters.drop_unit(unit);
        }
        if let Some(lanes) = &mut self.lanes {
            lanes.left(cell.raw());
        }
        self.pibt.lift(unit);
        self.order.retain(|&other| other != unit);
        self.units[unit as usize] = Unit::NEW;
        self.lessons.forget(unit);
        self.free.push(unit);
    }

    /// Puts a unit on another cell.
    pub fn move_to(&mut self, grid: &Grid, unit: u32, to: NodeId) -> Result<(), PlaceError> {
        if to.index() >= grid.bound() || !grid.is_free(to) {
            return Err(PlaceError::Blocked);
        }
        if self.unit_on(to).is_some_and(|other| other != unit) {
            return Err(PlaceError::Taken);
        }
        let Some(from) = self.at(unit) else { return Ok(()) };
        if let Some(clusters) = &mut self.clusters {
            clusters.drop_unit(unit);
            clusters.drop_at(to.raw());
        }
        if let Some(lanes) = &mut self.lanes {
            lanes.moved(from.raw(), to.raw());
        }
        self.pibt.lift(unit);
        self.pibt.place(unit, to.raw());
        self.renew(unit);
        Ok(())
    }

    /// For how many ticks a unit has come no nearer to its goal.
    pub fn stalled(&self, unit: u32) -> u64 {
        let known = self.units.get(unit as usize).filter(|unit| unit.waiting > 0);
        known.map_or(0, |unit| u64::from(self.age(unit.since)))
    }

    /// This tick, as units note it.
    pub(super) fn now(&self) -> u32 {
        self.tick as u32
    }

    /// How many ticks ago that was.
    pub(super) fn age(&self, then: u32) -> u32 {
        self.now().wrapping_sub(then)
    }

    /// Bytes held for units.
    pub fn unit_bytes(&self) -> usize {
        let tries = self.clusters.as_ref().map_or(0, Clusters::unit_bytes);
        let sets = self.stuck.memory_bytes() + self.at_home.memory_bytes() + self.turns.memory_bytes();
        let lists = 4 * (self.order.capacity() + self.free.capacity());
        self.units.capacity() * size_of::<Unit>()
            + lists
            + tries
            + sets
            + self.lessons.memory_bytes()
            + self.pibt.unit_bytes()
    }

    /// Bytes held for the map and for joint searches, whatever the number of units.
    pub fn map_bytes(&self) -> usize {
        let lanes = self.lanes.as_ref().map_or(0, Lanes::memory_bytes);
        let clusters = self.clusters.as_ref().map_or(0, Clusters::map_bytes);
        self.pibt.map_bytes() + lanes + clusters
    }

    /// Where a unit stands; nothing if there is no such unit.
    pub fn at(&self, unit: u32) -> Option<NodeId> {
        self.pibt.pieces.get(unit as usize).and_then(|piece| NodeId::new(piece.at).some())
    }

    /// The cells of all units, by number; none for those that are not there.
    pub fn cells(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.pibt.pieces.iter().map(|piece| NodeId::new(piece.at))
    }

    /// Who stands on a cell.
    pub fn unit_on(&self, cell: NodeId) -> Option<u32> {
        self.pibt.now_on.get(cell.index()).copied().filter(|&unit| unit != NONE)
    }

    /// Who stands, after the moves, on the cell that a unit wanted to most that has not moved.
    pub(super) fn who_blocks(&self, grid: &Grid, unit: u32) -> Option<u32> {
        let place = self.pibt.pieces[unit as usize].wanted as usize;
        let at = self.at(unit).filter(|_| place != OWN)?;
        self.unit_on(grid.beside(at, place))
    }

    /// Ticks so far.
    pub fn ticks(&self) -> u64 {
        self.tick
    }

    /// The unit will not move in the next tick, and the others plan around it: for units that are slower.
    pub fn rest(&mut self, unit: u32) {
        if let Some(unit) = self.units.get_mut(unit as usize) {
            unit.rests = true;
            self.is_anybody_resting = true;
        }
    }

    /// The unit has another goal than before.
    pub fn renew(&mut self, unit: u32) {
        let now = self.now();
        if let Some(known) = self.units.get_mut(unit as usize) {
            (known.best, known.gained, known.since) = (NONE, now, now);
            known.ousted = 0;
            self.lessons.forget(unit);
            if let Some(clusters) = &mut self.clusters {
                clusters.drop_leader(unit);
            }
        }
    }

    /// The grid has changed at this cell.
    pub fn map_changed(&mut self, grid: &Grid, cell: NodeId) {
        if cell.index() >= grid.bound() {
            return;
        }
        if let Some(lanes) = &mut self.lanes {
            lanes.map_changed(grid, cell, &self.pibt.now_on);
        }
        if let Some(clusters) = &mut self.clusters {
            clusters.drop_all();
        }
    }

    /// Everybody moves, or stands. `budget` limits the joint searches for groups that are stuck, in moves of single
    /// units; the rest of the work is fixed: one ranking per unit.
    pub fn tick(&mut self, grid: &Grid, wishes: &mut impl Wishes, budget: u64) -> Report {
        let planned = self.plan(grid, wishes, None::<fn() -> bool>);
        let mut report = self.move_all(grid, wishes, planned);
        report.work = self.think(grid, wishes, budget, || true);
        report
    }

    /// The first part of a tick: everybody plans, as long as there is time, if that is limited. Who is left out stays where it is, and has
    /// its turn in the next ticks.
    pub(super) fn plan(
        &mut self,
        grid: &Grid,
        wishes: &mut impl Wishes,
        has_time: Option<impl FnMut() -> bool>,
    ) -> Planned {
        let swapped = self.pibt.swapped;
        self.pibt.begin();
        self.fetch(grid);
        wishes.prepare();
        let led = self.fix();
        self.plan_all(grid, wishes, has_time);
        Planned { led, swaps: (self.pibt.swapped - swapped) as u32 }
    }

    /// The second part: everybody moves, or stands.
    pub(super) fn move_all(
        &mut self,
        grid: &Grid,
        wishes: &mut impl Wishes,
        Planned { led, swaps }: Planned,
    ) -> Report {
        self.take_stock(grid.unit(), wishes);
        let moved = self.finish();
        Report { moved, waiting: self.order.len() as u32, swaps, led, work: 0 }
    }

    /// Fetches from memory what units will be asked about. A game has used the processor's caches for other things since the last tick, and
    /// units plan in no order that the processor could foresee: every line would be waited for, while here many come at once.
    fn fetch(&self, grid: &Grid) {
        let lanes = self.lanes.as_ref().filter(|lanes| !lanes.is_empty());
        let of_cell = |cell| {
            let of_lanes = lanes.map_or(0, |lanes| lanes.fetch(cell));
            of_lanes ^ u64::from(grid.moves(NodeId::new(cell)))
        };
        core::hint::black_box(self.pibt.fetch(of_cell) ^ self.lessons.fetch());
    }

    /// The third part: joint searches for groups that are stuck go on, within a budget and as long as there is time; the work
    /// of it.
    pub(super) fn think(
        &mut self,
        grid: &Grid,
        wishes: &mut impl Wishes,
        budget: u64,
        has_time: impl FnMut() -> bool,
    ) -> u64 {
        let mut work = 0;
        if let Some(mut clusters) = self.clusters.take() {
            work = clusters.think(self, grid, wishes, budget, has_time);
            clusters.yielded().for_each(|unit| self.put_last(unit));
            self.clusters = Some(clusters);
        }
        self.tick += 1;
        work
    }

    /// A unit goes to the end of the line: it has waited longest around it, and nothing brings it on.
    fn put_last(&mut self, unit: u32) {
        if self.units[unit as usize].waiting > 0 {
            self.order.retain(|&other| other != unit);
            self.order.push(unit);
            self.units[unit as usize].waiting = 1;
        }
    }

    /// Decides the moves of those who have no choice: who rests, and who is led.
    fn fix(&mut self) -> u32 {
        let is_anybody_resting = core::mem::take(&mut self.is_anybody_resting);
        let resting = if is_anybody_resting { &mut self.units[..] } else { &mut [] };
        for (unit, known) in resting.iter_mut().enumerate() {
            let at = self.pibt.at(unit as u32);
            if core::mem::take(&mut known.rests) && at != NONE {
                self.pibt.fix(unit as u32, at);
            }
        }
        self.clusters.as_mut().map_or(0, |clusters| clusters.lead(&mut self.pibt))
    }

    fn plan_all(&mut self, grid: &Grid, wishes: &mut impl Wishes, has_time: Option<impl FnMut() -> bool>) {
        // Who has waited longest goes straight on, and so gets there wherever there are rings.
        if let Some(&first) = self.order.first() {
            self.lessons.forget(first);
        }
        self.turns.begin();
        let mut ground = MapGround {
            grid,
            wishes,
            seed: self.config.seed,
            tick: self.tick,
            clusters: self.clusters.as_ref(),
            lanes: self.lanes.as_mut(),
            may_cross: self.config.may_cross,
            units: &self.units,
            lessons: &self.lessons,
            rings: self.config.rings,
            hindrance: self.config.hindrance,
            keeps_right: self.config.keeps_right && grid.rules().neighbours == Neighbours::Four,
        };
        let is_over = if let Some(has_time) = has_time {
            let units = self.units.len();
            !self.turns.plan((&mut self.pibt, &mut ground), &self.order, units, has_time)
        } else {
            self.turns.end_round();
            for &unit in &self.order {
                if !self.pibt.is_planned(unit) {
                    self.pibt.plan(&mut ground, unit);
                }
            }
            false
        };
        // Who has just been told where to go sets out at once, unless the time was up before.
        for unit in 0..self.units.len() as u32 {
            let at = self.pibt.at(unit);
            if at == NONE || self.pibt.is_planned(unit) {
                continue;
            }
            // One who is at its goal, and whom nobody has pushed, would rank its own cell first and stay.
            if self.units[unit as usize].waiting == 0 && ground.is_at_home(unit, at) {
                self.pibt.stay(unit);
                continue;
            }
            if is_over {
                // Nobody has claimed its cell, or it would have been pushed.
                self.pibt.fix(unit, at);
                self.turns.leave_out(unit);
            } else {
                self.pibt.plan(&mut ground, unit);
            }
        }
        debug_assert!(self.pibt.is_sound(), "every unit has its cell");
    }

    /// Takes note of who is nearer, and who is there. Units that come no nearer learn that their cells are worth less than they
    /// seem; a step costs so much.
    fn take_stock(&mut self, step: u32, wishes: &mut impl Wishes) {
        let now = self.now();
        let Self { units, pibt, lessons, stuck, at_home, turns, .. } = self;
        stuck.clear();
        at_home.clear();
        for (number, (known, piece)) in units.iter_mut().zip(&pibt.pieces).enumerate() {
            let (at, next, unit) = (piece.at, NodeId::new(piece.next), number as u32);
            if at == NONE {
                continue;
            }
            if turns.was_left_out(unit) {
                // It waits, but has not tried to come nearer.
                if known.waiting == 0 {
                    known.since = now;
                    self.order.push(unit);
                } else {
                    (known.gained, known.since) = (known.gained.wrapping_add(1), known.since.wrapping_add(1));
                }
                known.waiting = known.waiting.saturating_add(1);
                continue;
            }
            let mut value = piece.worth;
            if value != 0 && known.waiting == 0 && wishes.is_as_good(unit, next) {
                value = 0;
            } else if value == NONE {
                // Its cell was not chosen from a ranking.
                value = wishes.value(unit, next).raw();
            }
            let is_nearer = value < known.best;
            if self.config.learns && known.waiting > 0 {
                let stalled = now.wrapping_sub(known.since);
                if is_nearer || value == 0 {
                    lessons.forget(unit);
                } else if stalled >= LEARNS_AFTER && wishes.knows_the_ground(unit) && !wishes.queues(unit) {
                    let by = if stalled >= FIRMLY_AFTER { step } else { step.div_ceil(2) };
                    lessons.raise(unit, at, by);
                }
            }
            if is_nearer {
                (known.best, known.gained, known.since) = (value, now, now);
            }
            if value == 0 {
                known.waiting = 0;
                at_home.insert(unit);
                continue;
            }
            if known.waiting == 0 {
                known.since = now;
                known.ousted = known.ousted.saturating_add(u32::from(known.best == 0));
                self.order.push(unit);
            }
            known.waiting = known.waiting.saturating_add(1);
            if now.wrapping_sub(known.since) >= STALL || known.ousted >= OUSTED {
                stuck.insert(unit);
            }
        }
        self.order.retain(|&unit| !at_home.has(unit));
    }

    /// Moves everybody.
    fn finish(&mut self) -> u32 {
        if let Some(lanes) = &mut self.lanes {
            if !lanes.is_empty() {
                for piece in
                    self.pibt.pieces.iter().filter(|piece| piece.at != piece.next && piece.at != NONE)
                {
                    lanes.moved(piece.at, piece.next);
                }
            }
            lanes.turn();
        }
        self.pibt.commit()
    }
}
