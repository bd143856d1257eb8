//! Problems of runs: lines of a scenario, or random problems, with optimal lengths in a window.

pub use fleetfoot_sim::spec::problems::{
    LengthRange, RANDOM, ScenarioSelection, count_within, numbered, optimal_length, random_within,
    scenario_beside, select,
};
