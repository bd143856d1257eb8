//! Many units on one map, within one budget a tick: every unit moves, and no two share a cell.
//!
//! [`Fleet`] is what a game uses: [`spawn`](Fleet::spawn) units, [`order`](Fleet::order) them, [`set`](Fleet::set) walls and doors,
//! [`tick`](Fleet::tick) and read the [`Event`]s, [`save`](Fleet::save). Teams can share a fog of war ([`Vision`]).
//!
//! # What a tick does
//! 1. Teams in the fog look around and learn what they see. Indices of the map are brought up to date, and routes that edits have broken
//!    are found.
//! 2. Crowds look for free slots, and units with new orders or out of sight of their route get short searches.
//! 3. All units move, by the [`Resolver`]. This has a cost of its own for each unit, and a budget of work never refuses it. Under a deadline,
//!    units plan as long as there is time; units that are skipped stay ([`Summary::left_out`]).
//! 4. Long searches go on with what is left. A unit that waits for one walks towards the most promising corner meanwhile.
//!
//! [`BudgetTuning`] says which share of the budget each of these may spend.
//!
//! Units that are sent `near` one cell are a crowd: they fill the cells around it from the middle, and exchange goals where that
//! fills it sooner ([`Event::Exchanged`]). Crowds whose slots lie between each other's become one, and so do those of teams that know the
//! whole map: else the members of one would push those of another off their slots forever.
//!
//! # What a fleet promises
//! - No tick spends more than its budget. (What one piece of work costs beyond it is paid for in the next ticks.)
//! - A unit that waits for a long search behind k others in its queue has it within 8 · (k + 2) · C / L ticks, where C is the cost of the
//!   most expensive search and L what a tick leaves for long searches. (C is at most two searches of the whole map. L is at least a
//!   twenty-sixth of the budget, and nearly half of it while the map is at rest.)
//! - Under a deadline, a sixteenth of all units plans whatever the time, and no unit has a second turn before all have had theirs: no unit is
//!   skipped in 32 ticks in a row. A unit with a new order plans at once, unless the time was up before.
//! - The same calls give the same events on every platform, also across a save in mid-search. (Not so under a deadline.)
//! - Goals that cannot be reached are reported at once by the component index, where it is exact, and else when a search has proved it. A
//!   unit that is cut off follows its route up to the wall, waits there, and continues when the map opens a path.
//!
//! # The resolver
//! It knows the cells of units and what it costs each unit to go on from the cells around it ([`Costs`]). It knows no goals and no routes.
//! In a tick it moves all units: by priority inheritance with backtracking, by the swap rule in narrow passages, and by rules for units that
//! are stuck. [`ResolverConfig`] switches each rule off alone, and [`JamTuning`] has their constants.
//!
//! 1. A dead end with a unit in it is no place to pass. In a passage a unit is assumed to keep its direction until it is at its goal. On
//!    a short ring around an obstacle no unit needs to pass, since pushing brings all of them on.
//! 2. Long passages one cell wide between open places are one-way, so that streams pass in platoons.
//! 3. A unit that makes no progress for some ticks raises the cost of the cells it occupied, in the manner of LRTA*: it takes a detour, or makes
//!    room. It forgets this once it is nearer than ever, and so does the unit that has waited longest. Under a deadline, a unit without a
//!    route does not learn, since wandering about takes time that searches need.
//! 4. If a group is still stuck, the ground around the unit that has waited longest is held, and a joint search, which goes on from
//!    tick to tick within a budget, looks for a plan that brings it on. The group then follows that plan.
//! 5. If there is no plan, that unit goes to the end of the order.
//!
//! - No two units share a cell, none exchange cells, no diagonal moves cross (unless allowed), and there is no move that the grid does
//!   not have. A tick costs one ranking per unit, walks of at most [`LONGEST_WALK`] cells along passages and walls, and the budget. Ticks
//!   allocate nothing. The same calls give the same moves everywhere, also across a save.
//! - Where any two neighboring cells lie on a cycle (two-connected ground), with four moves, or with eight and without the swap rule,
//!   priority inheritance brings every unit to its goal eventually, because the unit that has waited longest goes straight on. While a
//!   group is led or a lane is one-way, others wait for a bounded time. The exception is a unit for which a joint search has failed, which
//!   goes to the end of the queue; without groups ([`ResolverConfig::joint_searches`]) there is none.
//! - Beyond that nothing is promised: one-wide mazes, trees, ground that is nearly full. (Mazes of 128² cells with 300 units were all solved
//!   when this was measured; see the book.)
//!
//! ```
//! use fleetfoot::fleet::{Costs, Resolver, ResolverConfig};
//! use fleetfoot::{Cost, Graph, Grid, Neighborhood, NodeId, Rules};
//!
//! /// On open ground the heuristic will do.
//! struct Goals<'a>(&'a Grid, [NodeId; 2]);
//! impl Costs for Goals<'_> {
//!     fn cost(&mut self, unit: u32, cell: NodeId) -> Cost {
//!         self.0.h(cell, self.1[unit as usize])
//!     }
//! }
//!
//! let rules = Rules { neighborhood: Neighborhood::Four, ..Rules::default() };
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
pub use resolver::neighbors::tie;
pub use resolver::swap::LONGEST_WALK;
pub use save::SavedFleet;
pub use tuning::{
    BudgetTuning, CrowdTuning, FleetConfig, FogTuning, JamTuning, ResolverConfig, RouteTuning, SearchTuning,
    Tuning,
};
pub use types::{
    Event, Events, FleetError, Goal, Report, Speed, Summary, TeamId, UnitId, UnitStatus, Vision,
};
