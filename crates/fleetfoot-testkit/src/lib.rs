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

/// Returns `true` if tests run all of their cases: with `FLEETFOOT_THOROUGH=1`, as a scheduled job does. Otherwise the long
/// ones run a fixed sample.
pub fn is_thorough() -> bool {
    std::env::var_os("FLEETFOOT_THOROUGH").is_some_and(|value| value != "0")
}

/// Returns the number of cases of a property: all of them, or an eighth.
pub fn cases(all: u32) -> u32 {
    if is_thorough() { all } else { all.div_ceil(8) }
}

pub use rng::Rng;
pub use world::{Calls, Class, World};
