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
//! Call an agent once per tick. It plans within its budget, makes at most one move, and resumes the search in the
//! next tick. Every kind of work is counted and charged: searching, learning, path tracing and repairs.
//!
//! # Which planner?
//! `"auto"`. It selects an algorithm by the map and by how the map changes; the book explains the choice. To select
//! one yourself, pass the name of a planner from the [`registry`]; `fleetfoot list` shows the guarantees of each.
//!
//! # Where things are
//! - [`Map`] is a grid with its change log and its indices. [`Belief`] is a partly unknown map. [`Agent`] walks on
//!   a map.
//! - [`fleet`] moves thousands of units within one budget, without collisions: orders, teams, fog of war, saves.
//! - Other worlds: [`Csr`] is an explicit graph, [`ImplicitGraph`] generates nodes on demand, and [`Graph`] is the
//!   trait that planners search. [`GoalSet`] combines several goals, [`WithHeuristic`] replaces the heuristic.
//!   [`Spec::build`](registry::Spec::build) creates a planner for such a graph, and a [`StepContext`] is the input
//!   of each step.
//! - [`registry`] lists the algorithms with their guarantees and builds them from text.
//! - [`Meter`] limits and counts work. [`Prices`] is the cost of each kind of work.
//! - [`Agent::save`] and [`registry::SavedPlanner`] save planners during a search and restore them.
//!
//! # Guarantees
//! - **Bounded**: a step never spends more than its budget or the cost of one expansion, whichever is larger, on
//!   any map. By default all work is charged ([`Prices::ALL_WORK`]). [`Prices::PAPERS`] charges expansions and key
//!   refreshes, as published experiments do, and only counts the rest. On grids and explicit graphs, a step does
//!   not allocate while the page pool has pages ([`Scratch::reserve`]). Planners that start a new search in every step
//!   also need [`Scratch::reserve_search`]. One exception: the directory of an open list of more than 16,384 nodes
//!   may grow, by 8 bytes per 256 nodes.
//! - **Deterministic**: with budgets in work units, every platform and build computes the same moves. Only
//!   deadlines make runs differ.
//! - **Memory by touched nodes**: an agent's memory grows with the nodes that it has visited or expanded, not with
//!   the map.
//! - **Invalid goals are reported**: for a goal that is blocked, cut off or outside the map, the first tick returns
//!   that there is no path.
//!
//! The crate is `no_std` (with `alloc`), has no required dependency, and contains no unsafe code. Feature `serde`
//! implements `Serialize` and `Deserialize` for maps, beliefs, agents and planners ([`registry::SavedPlanner`]).
//!
//! Feature `unstable` exports the modules `search`, `planners` and `corners`, for planners of your own. Semantic
//! versioning does not apply to them.
#![no_std]

extern crate alloc;
#[cfg(any(test, feature = "rayon"))]
extern crate std;

mod agent;
mod belief;
#[cfg(feature = "unstable")]
#[doc(hidden)]
pub mod corners;
#[cfg(not(feature = "unstable"))]
#[expect(dead_code, unreachable_pub, reason = "public with feature `unstable`")]
mod corners;
pub mod database;
mod databases;
pub mod fleet;
pub mod graph;
mod grid;
mod heuristic;
mod id;
mod map;
mod meter;
mod planner;
#[cfg(feature = "unstable")]
#[doc(hidden)]
pub mod planners;
#[cfg(not(feature = "unstable"))]
#[expect(dead_code, unused_imports, unreachable_pub, reason = "public with feature `unstable`")]
mod planners;
mod probe;
pub mod registry;
mod save;
#[cfg(feature = "unstable")]
#[doc(hidden)]
pub mod search;
#[cfg(not(feature = "unstable"))]
#[expect(dead_code, unreachable_pub, reason = "public with feature `unstable`")]
mod search;
mod spec;

pub use agent::{Agent, AgentError, SavedAgent, TickOutcome};
pub use belief::Belief;
#[doc(inline)]
pub use corners::{Corners, LandmarkState};
pub use graph::{
    ChangeLog, CliqueAbstraction, Csr, CsrBuilder, CsrError, Edge, EdgeChange, Embedded, GoalSet, Graph,
    ImplicitGraph, Limits, Pending, ReverseGraph, ReverseStateSpace, Reversed, StateSpace, SymmetricSpace,
    Undirected, UndirectedCsr,
};
pub use grid::{Components, Diagonal, Grid, GridError, Length, Neighborhood, Reachability, Rules};
pub use heuristic::{Heuristic, Landmarks, WithHeuristic, Zero};
pub use id::{Cost, NodeId};
pub use map::{LandmarkMode, Map, MapConfig, NearestCell};
pub use meter::{Clock, Limit, Meter, Narrowed, Prepayment, Prices, Work, WorkKind};
pub use planner::{BoxedPlanner, Decision, DynPlanner, Planner, PlannerState, Reset, Scratch, StepContext};
#[doc(inline)]
pub use planners::{Shortest, shortest_path};
pub use probe::{SearchEvent, SearchProbe, Stats};
pub use save::{SaveError, SaveReader, SaveWriter};

/// Compiles the book's example.
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
