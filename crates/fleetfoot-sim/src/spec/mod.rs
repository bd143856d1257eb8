//! The parts of a run as text: map, rules, world, problems. The program, experiments, studies and the Python package
//! parse them here.

mod files;
mod generator;
mod maps;
pub mod problems;
mod rules;
mod run;
mod scene;

pub use files::{DataFile, Files, checksum};
pub use generator::Made;
pub use maps::MapSource;
pub use rules::{Movement, diagonal, neighborhood};
pub use run::{ProblemSpec, RunSpec};
pub use scene::Scene;
