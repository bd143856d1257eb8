//! Writes a report's files.

use std::fs;
use std::path::Path;

use fleetfoot_sim::error::InputError;
use fleetfoot_sim::formats::write_atomically;

use super::{Report, html, json, latex, markdown, write_csv};
use crate::run::Row;

impl Report {
    /// Writes `report.md`, `report.html`, `report.json`, `rows.csv` (with the feature `parquet` also `rows.parquet`),
    /// `tables/*.tex`, and `figures/` as SVG, PNG and, for a column of a paper, PDF: each completely or not at all.
    /// Absolute paths are reduced to file names.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write(&self, folder: &Path, rows: &[Row]) -> Result<(), InputError> {
        let figures = folder.join("figures");
        fs::create_dir_all(&figures).map_err(|cause| InputError::io(&figures, "create", &cause))?;
        let report = self.without_paths();
        for figure in report.all_figures() {
            let svg = figure.plot.svg();
            put(&figures.join(format!("{}.svg", figure.name)), svg.as_bytes())?;
            put(&figures.join(format!("{}.png", figure.name)), &figure.plot.png())?;
            put(&figures.join(format!("{}.pdf", figure.name)), &figure.plot.pdf())?;
        }
        for heat in &report.heats {
            put(&figures.join(format!("{}.svg", heat.name)), heat.map.svg().as_bytes())?;
            put(&figures.join(format!("{}.png", heat.name)), &heat.map.png())?;
            put(&figures.join(format!("{}.pdf", heat.name)), &heat.map.pdf())?;
        }
        let tables = folder.join("tables");
        fs::create_dir_all(&tables).map_err(|cause| InputError::io(&tables, "create", &cause))?;
        for (name, text) in latex::tables(&report) {
            put(&tables.join(name), text.as_bytes())?;
        }
        write_atomically(folder.join("rows.csv"), |out| write_csv(rows, out))?;
        #[cfg(feature = "parquet")]
        put(&folder.join("rows.parquet"), &super::parquet::encode(rows))?;
        put(&folder.join("report.md"), markdown::write(&report).as_bytes())?;
        put(&folder.join("report.json"), json::write(&report).as_bytes())?;
        put(&folder.join("report.html"), html::write(&report).as_bytes())
    }
}

fn put(path: &Path, bytes: &[u8]) -> Result<(), InputError> {
    write_atomically(path, |out| out.write_all(bytes))
}
