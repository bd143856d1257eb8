//! Reports: the conditions of the runs; each claim with measurements and verdict; tables and plots.

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
    /// Name of its files, without ending.
    pub name: String,
    /// Text below it.
    pub caption: String,
    /// The plot.
    pub plot: Plot,
}

/// A heat map with a name for its files and a text below it.
#[derive(Clone, Debug, PartialEq)]
pub struct Heat {
    /// Name of its files, without ending.
    pub name: String,
    /// Text below it.
    pub caption: String,
    /// The heat map.
    pub map: HeatMap,
}

/// Tables and plots of some of the runs, such as those on one map.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Section {
    /// Its title.
    pub title: String,
    /// Tables.
    pub tables: Vec<Table>,
    /// Plots.
    pub figures: Vec<Figure>,
}

/// The report of an experiment.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Report {
    /// Its title.
    pub title: String,
    /// The conditions of the runs.
    pub conditions: Vec<Condition>,
    /// The experiment file, if there is one.
    pub source: Option<Source>,
    /// Further facts for readers.
    pub setup: Vec<String>,
    /// The claims. Empty for experiments without claims.
    pub findings: Vec<Finding>,
    /// Tables.
    pub tables: Vec<Table>,
    /// Heat maps, shown before the plots.
    pub heats: Vec<Heat>,
    /// Plots.
    pub figures: Vec<Figure>,
    /// Tables and plots of parts of the runs.
    pub sections: Vec<Section>,
}

impl Report {
    /// Returns the values of a condition as one text. Returns `None` if there is no such condition.
    pub fn condition(&self, name: &str) -> Option<String> {
        let condition = self.conditions.iter().find(|condition| condition.name == name)?;
        Some(condition.values.join("; "))
    }

    /// Returns all plots.
    fn all_figures(&self) -> impl Iterator<Item = &Figure> {
        self.figures.iter().chain(self.sections.iter().flat_map(|section| &section.figures))
    }
}
