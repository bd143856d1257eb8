//! What fleetfoot is tested with: a plain oracle, tiny worlds, a counting allocator, the conformance kit that
//! every planner of the registry runs through, and golden walks.
//!
//! A new planner needs nothing here. Its row in
//! [`ALGORITHMS`](fleetfoot::registry::ALGORITHMS) brings it into every check that its
//! [`Facts`](fleetfoot::registry::Facts) claim, with each of its parameters' choices.

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
