//! Many units on one map, within one budget a tick: every unit moves, and none stand on each other.
//!
//! [`Fleet`] is what a game uses: [`spawn`](Fleet::spawn) units, [`order`](Fleet::order) them about, [`set`](Fleet::set) walls and
//! doors, [`tick`](Fleet::tick) and look at the [`Event`]s, [`save`](Fleet::save). Teams can share a fog of war ([`Vision`]).
//!
//! # What a tick does
//! 1. Teams in the fog look around, and take over what they see. Indices of the map are brought up to date, and ways that changes have
//!    broken are noticed.
//! 2. Crowds look for the cells that are left to fill, with a quarter of the budget at most. Short searches for units with new
//!    orders or out of sight of their way, with half of the rest.
//! 3. Everybody moves, by the [`Resolver`]. This has a cost of its own for each unit, and a budget of work never refuses it. By the clock,
//!    units plan as long as there is time; who is left out stays where it is ([`Summary::left_out`]).
//! 4. Long searches go on with what is left. Who waits for one walks towards the most promising corner meanwhile.
//!
//! Units that are sent `near` one cell are a crowd: they fill the cells around it from the middle, and exchange goals where that
//! fills it sooner ([`Event::Exchanged`]).
//!
//! # What a fleet promises
//! - No tick spends more than its budget. (What one piece of work costs beyond it is paid for in the next ticks.)
//! - A unit that waits behind k others in a line is served within (k + 4) · C / (B / 2) ticks, where B is the budget and C what
//!   the dearest search takes, which is no more than a search of the whole map.
//! - By the clock, a sixteenth of all units plans whatever the time, and nobody has a second turn before all have had theirs: nobody is
//!   left out of 32 ticks on end. Who has just been told where to go plans at once, unless the time was up before.
//! - The same calls give the same events on every platform, also across a save in mid-search. (Not so by the clock.)
//! - What the resolver promises: see below. Goals that cannot be reached are told by the component index at once, where
//!   it is exact, and else when a search has proved it. Who is cut off while under way goes on to where its way is broken, waits
//!   there, and sets out again when the map opens a way.
//!
//! # The resolver
//! It knows who stands where and what each unit's neighbouring cells are worth to it ([`Wishes`]); of goals
//! and routes it knows nothing. In a tick it moves everybody: by priority inheritance with backtracking, by the swap rule in
//! narrow passages, and by a ladder for what these cannot solve:
//!
//! 1. a dead end with somebody in it is no place to pass; in a passage a unit is taken to want the same way all along, until it
//!    is at home; where a short ring leads round nobody need pass, since pushing brings everybody on;
//! 2. long passages one cell wide between open places are one-way, so that streams pass in platoons;
//! 3. who has come no nearer for some ticks learns that the cells where it stood are worth less, in the manner of LRTA*: it
//!    goes round, or makes room. It forgets once it is nearer than ever, and so does who has waited longest of all. By the clock, who
//!    has no way yet does not learn: to wander about takes time that searches would have;
//! 4. where a group is stuck all the same, the ground around the unit that has waited longest is held, and a joint search, kept
//!    from tick to tick within a budget, looks for a way that brings it on; the group then walks along that plan;
//! 5. where there is none, that unit goes to the end of the line, and the others forget their goals for some ticks, so that the
//!    jam spreads out.
//!
//! - No two units on a cell, none exchange cells, no diagonal moves cross (unless allowed), no move that the grid does
//!   not have. A tick costs one ranking per unit, walks of at most [`LONGEST_WALK`] cells along passages and
//!   walls, and the budget. Ticks allocate
//!   nothing. The same calls give the same moves everywhere, also across a save.
//! - Where any two neighbouring cells lie on a cycle (two-connected ground), with four moves, or with eight and
//!   without the swap rule, priority inheritance brings every unit to its goal at some time: who has waited longest goes
//!   straight on. While a group is led or a lane is one-way, others wait; that wait is bounded. The exception is a unit for
//!   which a joint search has failed, which goes to the end of the line; without groups ([`ResolverConfig::clusters`]) there
//!   is none.
//! - Beyond that everything is tried and nothing is promised: one-wide mazes, trees, ground that is nearly full. (Mazes of 128²
//!   cells with 300 units were all solved when this was measured; see the book.)
//!
//! ```
//! use fleetfoot::fleet::{Resolver, ResolverConfig, Wishes};
//! use fleetfoot::{Cost, Graph, Grid, Neighbours, NodeId, Rules};
//!
//! /// On open ground the heuristic will do.
//! struct Goals<'a>(&'a Grid, [NodeId; 2]);
//! impl Wishes for Goals<'_> {
//!     fn value(&mut self, unit: u32, cell: NodeId) -> Cost {
//!         self.0.h(cell, self.1[unit as usize])
//!     }
//! }
//!
//! let rules = Rules { neighbours: Neighbours::Four, ..Rules::default() };
//! let grid = Grid::new(8, 2, rules, |_, _| 1)?;
//! let (west, east) = (grid.node(0, 0).unwrap(), grid.node(7, 0).unwrap());
//! let mut resolver = Resolver::new(&grid, ResolverConfig::default());
//! resolver.place(&grid, west)?;
//! resolver.place(&grid, east)?;
//! let mut goals = Goals(&grid, [east, west]);
//! let mut ticks = 0;
//! while resolver.tick(&grid, &mut goals, 1000).waiting > 0 {
//!     ticks += 1;
//! }
//! assert!(ticks < 30);
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```

mod cells;
mod changes;
mod clusters;
mod clusters_saved;
mod courses;
mod crowd;
mod crowds;
mod desks;
mod found;
mod front;
mod ground;
mod keep;
mod lanes;
mod orders;
mod pace;
mod penalties;
mod pibt;
mod resolve;
mod rings;
mod rows;
mod saved;
mod sealed;
mod search;
mod sight;
mod swap;
mod teams;
mod tick;
mod turns;
mod units;
mod upkeep;
mod wanted;
mod ways;

pub use front::{Events, Fleet, FleetConfig, Summary};
pub use ground::tie;
pub use keep::SavedFleet;
pub use resolve::{PlaceError, Report, Resolver, ResolverConfig};
pub use swap::LONGEST_WALK;
pub use units::{Event, FleetError, Goal, Speed, Status, TeamId, UnitId, Vision};

use crate::id::{Cost, NodeId};

/// What the units want: the value of a cell is what it costs to go on from there to the unit's goal, exact or estimated.
///
/// A value of 0 says that the unit is at its goal there, and of a unit that has no goal everywhere. Infinite values are
/// fine; such a cell is entered only by those who are pushed.
pub trait Wishes {
    /// What a cell is worth to a unit.
    fn value(&mut self, unit: u32, cell: NodeId) -> Cost;

    /// Whether a cell is worth nothing to a unit, where that is found out faster than what it is worth: asked about many.
    fn is_worth_nothing(&mut self, unit: u32, cell: NodeId) -> bool {
        self.value(unit, cell) == Cost::ZERO
    }

    /// A tick begins: what can be found out of all units, one after the other, before they are asked about in the order in which they
    /// plan.
    fn prepare(&mut self) {}

    /// The place among the cells around a unit that is best of all, and what it is worth, where that is found out faster than by
    /// ranking them; see [`Wishes::bounds`].
    fn ahead(&mut self, _unit: u32, _which: u32) -> Option<(usize, Cost)> {
        None
    }

    /// What the cells around a unit are worth at least, where that is found out faster, and its own, which comes last; a bit
    /// for each for which that is what it is worth. Those without a bit in `which` are no cells.
    fn bounds(&mut self, unit: u32, cells: &[NodeId; 9], which: u32, out: &mut [Cost; 9]) -> u32 {
        for (k, &cell) in cells.iter().enumerate().filter(|(k, _)| which >> k & 1 == 1) {
            out[k] = self.value(unit, cell);
        }
        which
    }

    /// What one of these cells is worth, by its place among them.
    fn value_near(&mut self, unit: u32, cells: &[NodeId; 9], place: usize) -> Cost {
        self.value(unit, cells[place])
    }

    /// Whether one cell next to a unit, or its own, is worth less to it than another: whether it is nearer to its goal there.
    fn is_nearer(&mut self, unit: u32, cell: NodeId, than: NodeId) -> bool {
        self.value(unit, cell) < self.value(unit, than)
    }

    /// Whether two units fill the same place, and so need not pass each other: one who is pushed by the other goes to no cell
    /// that is worth nothing to it.
    fn are_mates(&mut self, _unit: u32, _other: u32) -> bool {
        false
    }

    /// Whether a unit waits for its place among others, so that coming no nearer is no sign of a jam.
    fn queues(&mut self, _unit: u32) -> bool {
        false
    }

    /// Whether a unit that is at its goal and was pushed to this cell is at a goal there, too.
    fn is_as_good(&mut self, _unit: u32, _cell: NodeId) -> bool {
        false
    }

    /// Whether a unit's values are those of the ground as it is. Where it discovers that, or has no way yet, coming no nearer need be no
    /// sign of a jam: then it does not learn.
    fn knows_the_ground(&mut self, _unit: u32) -> bool {
        true
    }

    /// Whether a unit is at its goal on the cell where it stands.
    fn is_at_home(&mut self, unit: u32, at: NodeId) -> bool {
        self.is_home(unit, at)
    }

    /// Whether a unit is at its goal on this cell: its value is 0.
    fn is_home(&mut self, unit: u32, cell: NodeId) -> bool {
        self.value(unit, cell) == Cost::ZERO
    }
}
