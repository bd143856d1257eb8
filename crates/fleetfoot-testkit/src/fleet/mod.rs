//! What the fleet's resolver is tested and measured with: distance rows, a plain model of its step, a referee, instances,
//! and runs.

pub mod instance;
pub mod model;
pub mod referee;
mod rows;
pub mod run;
pub mod solvable;

pub use model::Model;
pub use rows::Rows;
