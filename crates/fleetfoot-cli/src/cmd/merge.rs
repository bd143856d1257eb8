//! `fleetfoot merge`: merges shards.

use fleetfoot_lab::run::merge;

use super::lab::{note_budgets, write};
use super::progress::Progress;
use crate::args::JoinArgs;
use crate::failure::Failure;
use crate::output::print;

pub(crate) fn run(args: &JoinArgs) -> Result<(), Failure> {
    let merged = merge(&args.parts, &args.output, &Progress::new("runs"))?;
    note_budgets(&write(&merged.about, &merged.rows, &args.output)?);
    print(|to| writeln!(to, "{}", args.output.join("report.html").display()))
}
