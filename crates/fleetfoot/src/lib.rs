//! Real-time heuristic search: agents that move *this* tick, out of a planning budget that does not depend on
//! the size of the map.
//!
//! ```
//! use fleetfoot::{Agent, Map};
//! let map = Map::new(64, 64, |x, y| x != 32 || y == 63)?; // a wall with a gap at its lower end
//! let (start, goal) = (map.node(2, 2).unwrap(), map.node(61, 2).unwrap());
//! let mut agent = Agent::new(&map, "auto", start, goal)?;
//! while !agent.tick(&map, 100).is_final() { // at most 100 expansions' work a tick
//!     println!("at {:?}", map.xy(agent.at())); // it has moved, from the first tick on
//! }
//! assert_eq!(agent.at(), goal);
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! An agent is asked once per tick. It thinks within its budget, makes at most one move, and goes on thinking next tick
//! where it left off. Every kind of work is counted, so the bound holds for all of it: searching, learning, tracing,
//! repairing.
//!
//! # Which planner?
//! `"auto"`. It takes what suits the map and what happens to it, and the book says what that is and why. To choose
//! yourself, name a planner of the [`registry`] instead; the program's `fleetfoot list` shows what each of them promises.
//!
//! # Where things are
//! - [`Map`] is a grid with its changes and what is derived from it; [`Belief`] is a map that reveals itself;
//!   [`Agent`] walks on one.
//! - [`fleet`] moves thousands of units within one budget, so that none stand on each other: orders, teams, fog of war, saves.
//! - Worlds of one's own: [`Csr`] and [`ImplicitGraph`] are explicit and implicit graphs, [`Graph`] is what a planner asks of
//!   one; [`GoalSet`] makes a set of goals one goal; [`WithHeuristic`] swaps the heuristic. A planner for them is built by its
//!   [`Spec`](registry::Spec) and asked by a [`StepContext`].
//! - [`registry`] lists the algorithms with what they promise, and builds them from text.
//! - [`Meter`] limits and counts; [`Prices`] say what each kind of work costs.
//! - [`Agent::save`] and [`registry::SavedPlanner`] write a planner in mid-search to bytes and bring it back.
//!
//! # What it promises
//! - **Bounded**: a step never spends more than its budget, or than one expansion with what it owes, on any map. All work is
//!   charged by default ([`Prices::ALL_WORK`]); [`Prices::PAPERS`] charges expansions (and key refreshes), and counts the
//!   rest. On grids and explicit graphs a step allocates
//!   nothing while the page pool ([`Scratch::reserve`]) has pages and, for planners that look ahead and keep no search,
//!   the scratch has room for the graph ([`Scratch::reserve_search`]); only the directory of an open list beyond 16,384
//!   nodes may have to grow, by 8 bytes per 256 of them.
//! - **Deterministic**: budgets in work units give the same walk on every platform and in every build. Only
//!   deadlines differ from run to run.
//! - **Memory by touch**: an agent pays for the nodes it has touched, not for the map.
//! - **Nonsense is answered**: a goal that is blocked, cut off or outside the map has no path, said in the first tick.
//!
//! The crate is `no_std` (with `alloc`), has no required dependency and no unsafe code. Feature `serde` gives
//! `Serialize` and `Deserialize` to what a saved game contains: maps, beliefs, agents, planners ([`registry::SavedPlanner`]).
//!
//! Feature `unstable` opens the modules `parts`, `planners` and `corners`, for planners of your own. They are not covered by semantic
//! versioning.
#![no_std]

extern crate alloc;
#[cfg(any(test, feature = "rayon"))]
extern crate std;

mod agent;
#[cfg(feature = "unstable")]
#[doc(hidden)]
pub mod corners;
#[cfg(not(feature = "unstable"))]
#[allow(dead_code, unused_imports, unreachable_pub, reason = "public with feature `unstable`")]
mod corners;
pub mod database;
pub mod fleet;
pub mod graph;
mod heuristic;
mod id;
mod map;
mod meter;
#[cfg(feature = "unstable")]
#[doc(hidden)]
pub mod parts;
#[cfg(not(feature = "unstable"))]
#[allow(dead_code, unused_imports, unreachable_pub, reason = "public with feature `unstable`")]
mod parts;
mod planner;
#[cfg(feature = "unstable")]
#[doc(hidden)]
pub mod planners;
#[cfg(not(feature = "unstable"))]
#[allow(dead_code, unused_imports, unreachable_pub, reason = "public with feature `unstable`")]
mod planners;
mod probe;
pub mod registry;
mod save;

pub use agent::{Agent, AgentError, SavedAgent, TickOutcome};
#[doc(inline)]
pub use corners::Corners;
pub use graph::{
    Belief, ChangeLog, CliqueAbstraction, Components, Csr, CsrBuilder, CsrError, Diagonal, Edge, EdgeChange,
    Embedded, GoalSet, Graph, Grid, GridError, ImplicitGraph, Length, Limits, Neighborhood, Pending,
    Reachability, ReverseGraph, ReverseStateSpace, Reversed, Rules, StateSpace, SymmetricSpace, Undirected,
    UndirectedCsr,
};
pub use heuristic::{Heuristic, Landmarks, WithHeuristic, Zero};
pub use id::{Cost, NodeId};
pub use map::{LandmarkMode, LandmarkState, Map, MapConfig, NearestCell};
pub use meter::{Clock, Meter, Prepayment, Prices, Work, WorkKind};
pub use planner::{
    BoxedPlanner, Decision, DynPlanner, Planner, PlannerState, Reset, Scratch, Stats, StepContext,
};
#[doc(inline)]
pub use planners::{Shortest, shortest_path};
pub use probe::{SearchEvent, SearchProbe};
pub use save::{SaveError, SaveReader, SaveWriter};

/// The book's example compiles.
#[cfg(doctest)]
#[doc = include_str!("../../../book/src/saves.md")]
struct Saves;

/// What a game keeps in its world can be moved to other threads and read from several.
const _: () = {
    const fn is_send_and_sync<T: Send + Sync>() {}
    is_send_and_sync::<Map>();
    is_send_and_sync::<Agent>();
    is_send_and_sync::<Belief>();
    is_send_and_sync::<Scratch>();
    is_send_and_sync::<SavedAgent>();
    is_send_and_sync::<BoxedPlanner<Grid>>();
    is_send_and_sync::<fleet::Fleet>();
    is_send_and_sync::<fleet::Resolver>();
    is_send_and_sync::<registry::Spec>();
    is_send_and_sync::<registry::Resources>();
};
