//! Real-time heuristic search: agents that move *this* tick, out of a planning budget that does not depend on
//! the size of the map.
//!
//! A planner is asked once per tick. It thinks within what the [`Meter`] grants, answers with at most one
//! move, and goes on thinking next tick where it left off. Every kind of work is counted, so the bound holds
//! for all of it: searching, learning, tracing, repairing.
//!
//! ```
//! use fleetfoot::registry::Spec;
//! use fleetfoot::{Decision, Grid, Meter, Planner, Rules, Scratch, Step};
//!
//! // A 64×64 room with a wall that has a gap at its lower end.
//! let grid = Grid::new(64, 64, Rules::default(), |x, y| u8::from(x != 32 || y == 63))?;
//! let (mut at, goal) = (grid.node(2, 2).unwrap(), grid.node(61, 2).unwrap());
//!
//! let spec: Spec = "tba".parse()?; // moves from the first tick on
//! let mut planner = spec.build(&grid)?;
//! let mut scratch = Scratch::new();
//! let mut ticks = 0;
//! while at != goal {
//!     let mut meter = Meter::expansions(100); // what this tick may cost
//!     match planner.step(Step::new(&grid, at, goal, &mut meter, &mut scratch)) {
//!         Decision::Go(next) => at = next,
//!         Decision::Wait => {}
//!         Decision::NoPath => panic!("there is a way"),
//!     }
//!     ticks += 1;
//! }
//! assert!(ticks < 250);
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! # Which planner?
//! | the map | planner | why |
//! |---|---|---|
//! | known, stands still | `tba` | moves at once, expands what A* expands |
//! | known, scrubbing must not show | `tba(switch-rule=on,hold-at-frontier=on)` | keeps to its way, and stands where `tba` would step to and fro |
//! | reveals itself as the agent walks | `tbaa` | moves at once, learns from every search it has to drop |
//! | reveals itself; thousands of agents | `rtaa` | keeps no search: a kilobyte per stretch of ground it has learned about |
//! | the same, open ground, few expansions a tick | `da-rtaa(moves=1)` | leaves dead ends sooner |
//! | changes both ways | `rtd(purse=on)` | moves at once, and repairs one search instead of beginning others |
//! | changes both ways, and waiting is fine | `dstar-lite` | the shortest path, repaired in place |
//! | any, and waiting is fine | `astar` | the shortest path |
//!
//! # Where things are
//! - [`Grid`], [`Csr`], [`Intern`] are worlds; [`Belief`] is a world under the freespace assumption; [`AnyOf`]
//!   makes a set of goals one goal; [`Guided`] swaps the heuristic; [`Components`] tells cheaply that a goal
//!   cannot be reached.
//! - [`registry`] lists the algorithms with what they promise, and builds them from text;
//!   [`planners`] has them as types.
//! - [`Meter`] limits and counts; [`Prices`] say what counts how much.
//! - [`registry::save`] and its kin write a planner in mid-search to bytes and bring it back.
//! - [`parts`] is what planners are made of, for those who write one.
//!
//! # What it promises
//! - **Bounded**: a step never spends more than its budget, on any map. [`Prices::HONEST`] charge all work;
//!   [`Prices::PAPERS`] charge expansions (and key refreshes), and count the rest. On grids and explicit graphs a step allocates
//!   nothing while the page pool ([`Scratch::reserve`]) has pages and, for planners that look ahead and keep no search,
//!   the scratch has room for the graph ([`Scratch::reserve_search`]); only the directory of an open list beyond 16,384
//!   nodes may have to grow, by 8 bytes per 256 of them.
//! - **Deterministic**: budgets in work units give the same walk on every platform and in every build. Only
//!   deadlines differ from run to run.
//! - **Memory by touch**: an agent pays for the nodes it has touched, not for the map.
//!
//! The crate is `no_std` (with `alloc`), has no required dependency and no unsafe code. Feature `serde` gives
//! `Serialize` and `Deserialize` to what a saved game holds: planners ([`registry::Saved`]), grids, beliefs, change logs.
#![no_std]

extern crate alloc;
#[cfg(any(test, feature = "rayon"))]
extern crate std;

pub mod database;
pub mod graph;
mod heuristic;
mod id;
mod meter;
pub mod parts;
mod planner;
pub mod planners;
mod probe;
pub mod registry;
mod save;

pub use graph::{
    AnyOf, Belief, ChangeLog, Cliques, Components, Csr, CsrBuilder, CsrError, Diagonal, Edge, EdgeChange,
    Embedded, Graph, Grid, GridError, Intern, Length, Neighbours, Reach, ReverseGraph, ReverseSpace,
    Reversed, Reversible, Rules, Space, Undirected, UndirectedCsr, Unseen,
};
pub use heuristic::{Guided, Heuristic, Landmarks, Zero};
pub use id::{Cost, NodeId};
pub use meter::{Clock, Debt, Kind, Meter, Prices, Work};
pub use planner::{BoxedPlanner, Decision, DynPlanner, Keep, Planner, PlannerState, Scratch, Stats, Step};
pub use planners::shortest_path;
pub use probe::{Event, Probe};
pub use save::{SaveError, Sink, Source};

/// The book's example compiles.
#[cfg(doctest)]
#[doc = include_str!("../../../book/src/saves.md")]
struct Saves;
