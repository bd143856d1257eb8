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
//! 4. Long searches go on with what is left. A unit that waits for one walks towards the most promising corner meanwhile.
//!
//! Units that are sent `near` one cell are a crowd: they fill the cells around it from the middle, and exchange goals where that
//! fills it sooner ([`Event::Exchanged`]).
//!
//! # What a fleet promises
//! - No tick spends more than its budget. (What one piece of work costs beyond it is paid for in the next ticks.)
//! - A unit that waits behind k others in a line is served within (k + 4) · C / (B / 2) ticks, where B is the budget and C what
//!   the dearest search takes, which is no more than a search of the whole map.
//! - By the clock, a sixteenth of all units plans whatever the time, and nobody has a second turn before all have had theirs: nobody is
//!   left out of 32 ticks on end. A unit that has just been told where to go plans at once, unless the time was up before.
//! - The same calls give the same events on every platform, also across a save in mid-search. (Not so by the clock.)
//! - What the resolver promises: see below. Goals that cannot be reached are told by the component index at once, where
//!   it is exact, and else when a search has proved it. A unit that is cut off while under way goes on to where its way is broken, waits
//!   there, and sets out again when the map opens a way.
//!
//! # The resolver
//! It knows who stands where and what each unit's neighbouring cells are worth to it ([`Costs`]); of goals
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
//! use fleetfoot::fleet::{Costs, Resolver, ResolverConfig};
//! use fleetfoot::{Cost, Graph, Grid, Neighbours, NodeId, Rules};
//!
//! /// On open ground the heuristic will do.
//! struct Goals<'a>(&'a Grid, [NodeId; 2]);
//! impl Costs for Goals<'_> {
//!     fn cost(&mut self, unit: u32, cell: NodeId) -> Cost {
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

mod cell_set;
#[expect(clippy::module_inception, reason = "the file of the type `Fleet`")]
mod fleet;
mod guide;
mod knowledge;
mod line_of_sight;
mod moves;
mod resolver;
mod route;
mod save;
mod scheduler;
mod state;
mod tick;
mod tuning;
mod types;
mod unjam;

pub use fleet::Fleet;
pub use moves::resolver::{PlaceError, Resolver};
pub use resolver::costs::Costs;
pub use resolver::ground::tie;
pub use resolver::swap::LONGEST_WALK;
pub use save::SavedFleet;
pub use tuning::{
    BudgetTuning, CrowdTuning, FleetConfig, FogTuning, JamTuning, ResolverConfig, RouteTuning, SearchTuning,
    Tuning,
};
pub use types::{Event, Events, FleetError, Goal, Report, Speed, Status, Summary, TeamId, UnitId, Vision};
