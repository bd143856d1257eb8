//! What the fleet's resolver is tested and measured with: distance rows, a plain model of its step, the simulator's referee, instances,
//! and runs.

pub mod instance;
pub mod model;
mod rows;
pub mod run;
pub mod solvable;

pub use fleetfoot_sim::fleet::referee;
pub use model::Model;
pub use rows::Rows;
