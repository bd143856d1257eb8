//! What the fleet's resolver is tested and measured with: distance rows, a plain model of its step, the simulator's referee, instances,
//! and runs.

pub mod instance;
pub mod model;
// The same file, not the same crate: whoever tests a planner with this kit needs no simulator.
#[path = "../../../fleetfoot-sim/src/fleet/referee.rs"]
pub mod referee;
mod rows;
pub mod run;
pub mod solvable;

pub use model::Model;
pub use rows::Rows;
