//! Reports: what was run under which conditions, claim by claim what was said, what was measured and what follows, with tables
//! and plots.

mod conditions;
mod finding;
mod html;
mod json;
mod latex;
mod markdown;
#[cfg(feature = "parquet")]
mod parquet;
mod paths;
mod rows;
mod table;
mod write;

pub use conditions::{Condition, conditions};
pub use finding::{Finding, HOW_JUDGED, Measured, Verdict, count};
pub(crate) use paths::shorten;
pub use rows::{write_csv, write_jsonl};
pub use table::Table;

use crate::plot::{HeatMap, Plot};
use crate::run::Source;

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

/// A heat map with a name for its files and a text below it.
#[derive(Clone, Debug, PartialEq)]
pub struct Heat {
    /// The name of its files, without ending.
    pub name: String,
    /// What is to be seen.
    pub caption: String,
    /// The heat map.
    pub map: HeatMap,
}

/// Tables and plots of a part of the runs, such as those on one map.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Section {
    /// Which part.
    pub title: String,
    /// Tables.
    pub tables: Vec<Table>,
    /// Plots.
    pub figures: Vec<Figure>,
}

/// All that is to be told about an experiment.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Report {
    /// What it is about.
    pub title: String,
    /// Under which conditions it was made.
    pub conditions: Vec<Condition>,
    /// The file that describes it, if there is one.
    pub source: Option<Source>,
    /// What else readers should know: one fact each.
    pub setup: Vec<String>,
    /// Claim by claim; empty for experiments without claims.
    pub findings: Vec<Finding>,
    /// Tables.
    pub tables: Vec<Table>,
    /// Heat maps, shown before the plots.
    pub heats: Vec<Heat>,
    /// Plots.
    pub figures: Vec<Figure>,
    /// The same for parts of the runs.
    pub sections: Vec<Section>,
}

impl Report {
    /// Returns the values of a condition as one text. Returns `None` if there is no such condition.
    pub fn condition(&self, name: &str) -> Option<String> {
        let condition = self.conditions.iter().find(|condition| condition.name == name)?;
        Some(condition.values.join("; "))
    }

    /// All plots.
    fn all_figures(&self) -> impl Iterator<Item = &Figure> {
        self.figures.iter().chain(self.sections.iter().flat_map(|section| &section.figures))
    }
}
