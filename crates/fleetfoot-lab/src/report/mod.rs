//! Reports: claim by claim what was said, what was measured and what follows, with tables and plots.

mod finding;
mod html;
mod markdown;
#[cfg(feature = "parquet")]
mod parquet;
mod rows;
mod table;
mod write;

pub use finding::{Finding, Measured, Verdict, count};
pub use rows::{write_csv, write_jsonl};
pub use table::Table;

use crate::plot::Plot;

/// A plot with a name for its files and a text below it.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// The name of its files, without ending.
    pub name: String,
    /// What is to be seen.
    pub caption: String,
    /// The plot.
    pub plot: Plot,
}

/// All that is to be told about an experiment.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Report {
    /// What it is about.
    pub title: String,
    /// How it was done: one fact each.
    pub setup: Vec<String>,
    /// Claim by claim; empty for experiments without claims.
    pub findings: Vec<Finding>,
    /// Tables.
    pub tables: Vec<Table>,
    /// Plots.
    pub figures: Vec<Figure>,
}
