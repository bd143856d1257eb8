//! Many units at once: where they begin and what they are sent for, a run of a [`Fleet`](fleetfoot::fleet::Fleet), and a
//! referee who watches it.
//!
//! A [`FleetSetup`] says who begins where and goes where; it comes from a [`Scenario`] or from files. A [`Ground`] is the map, what changes
//! in it, and how far units see. A [`FleetRun`] brings them together, tick by tick, and [`Measures`] are what is left of
//! it.
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
