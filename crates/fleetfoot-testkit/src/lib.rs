//! Test utilities of Fleetfoot: a simple oracle, tiny worlds, a counting allocator, the conformance kit for
//! planners, and golden walks.
//!
//! A new planner needs no tests here. Its row in [`ALGORITHMS`](fleetfoot::registry::ALGORITHMS) adds it to every
//! check that its [`Facts`](fleetfoot::registry::Facts) claim, with each value of its parameters.

pub mod alloc;
pub mod conformance;
pub mod fleet;
#[cfg(feature = "forge")]
pub mod forge;
pub mod golden;
pub mod oracle;
mod rng;
mod world;
pub mod worlds;

pub use rng::Rng;
pub use world::{Calls, Class, World};
