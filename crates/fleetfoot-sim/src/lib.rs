//! Worlds for [`fleetfoot`]: maps, their changes, and the run of an agent, checked by a referee.
//!
//! Inputs come from [`formats`] (maps, scenarios, scripts of changes) or [`generate`] (maps, problems and scripts
//! that are the same on every platform). Every problem with an input is reported as [`error::InputError`], which
//! names the remedy.
//!
//! A run is an [`episode::Episode`]: in each tick the [`world`] changes, the agent looks around ([`sensor`]), its
//! planner computes within a [`budget`] and makes at most one move, and the [`referee`] checks all of it against the
//! truth. [`metrics::RunMetrics`] is the result. [`episode::Trials`] move the agent back to its start, with what it
//! has seen and learned, until nothing changes. [`fleet`] is the same for fleets. [`spec`] parses all of this from text.
//!
//! ```
//! use std::sync::Arc;
//! use fleetfoot::registry::{self, Spec};
//! use fleetfoot::Rules;
//! use fleetfoot_sim::budget::Budget;
//! use fleetfoot_sim::episode::{Runner, RunLimits, Task};
//! use fleetfoot_sim::metrics::Outcome;
//! use fleetfoot_sim::world::{Terrain, WorldSpec};
//!
//! let map = fleetfoot_sim::generate::maze::generate(33, 33, 1, 7)?.map;
//! let grid = Arc::new(Terrain::default().grid(&map, Rules::default())?);
//! let world = "unknown(radius=7)".parse::<WorldSpec>()?.load(&grid, 1..=1)?;
//! let trip = Task::new(&world, (1, 1), (31, 31))?;
//! let spec: Spec = "repeated-astar".parse()?;
//! let mut planner = spec.build(world.graph())?;
//! let run = Runner::new().run(&trip, &RunLimits::new(Budget::Expansions(100)), &mut *planner)?;
//! assert_eq!(run.outcome, Outcome::Arrived);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod budget;
pub mod call;
mod cells;
pub mod episode;
pub mod error;
pub mod fleet;
pub mod formats;
pub mod generate;
pub mod map;
pub mod metrics;
pub mod referee;
pub mod sensor;
pub mod spec;
pub mod world;
