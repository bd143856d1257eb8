//! Tests and measurements of the fleet's resolver: distance rows, a simple model of its step, the simulator's
//! referee, instances, and runs.

pub mod instance;
pub mod model;
// The same file as in the simulator, so that users of this kit do not depend on that crate.
#[path = "../../../fleetfoot-sim/src/fleet/referee.rs"]
pub mod referee;
mod rows;
pub mod rules;
pub mod run;
pub mod solvable;

pub use model::Model;
pub use rows::Rows;
