//! Fleets: setups and orders of units, a run of a [`Fleet`](fleetfoot::fleet::Fleet), and a referee.
//!
//! A [`FleetSetup`] contains the starts and assignments of units; it comes from a [`Scenario`] or from files. A
//! [`Ground`] is the map with its changes and the vision of units. A [`FleetRun`] combines them, tick by tick, and
//! [`Measures`] are its results.
//!
//! ```
//! use fleetfoot::Rules;
//! use fleetfoot_sim::fleet::{FleetRun, Ground, Scenario, FleetLimits};
//! use fleetfoot_sim::world::{Terrain, WorldSpec};
//!
//! let map = fleetfoot_sim::generate::builtin::find("passage2")?.make()?.map;
//! let ground = Ground::load(&map, Rules::default(), &WorldSpec::Known)?;
//! let muster = Scenario::Streams.muster(&map, 20, 1)?;
//! let mut run = FleetRun::new(&ground, &muster, &FleetLimits::default())?;
//! while run.tick().is_some() {}
//! let measures = run.measures();
//! assert_eq!((measures.arrived, measures.conflicts.total()), (20, 0));
//! # Ok::<(), fleetfoot_sim::error::InputError>(())
//! ```

mod ground;
mod measures;
pub mod referee;
mod run;
mod scenario;
mod setup;

pub use ground::Ground;
pub use measures::{Measures, Quantiles, TickRow};
pub use run::{FleetLimits, FleetRun, STUCK};
pub use scenario::{SCENARIOS, Scenario};
pub use setup::{Assignments, FleetSetup, Place};
