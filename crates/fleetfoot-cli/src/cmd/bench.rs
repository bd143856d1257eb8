//! `fleetfoot bench`: user-defined experiments.

use std::path::PathBuf;

use fleetfoot_lab::experiment::read;

use super::lab::{carry, note_budgets};
use crate::args::BenchArgs;
use crate::failure::Failure;
use crate::output::print;

pub(crate) fn run(args: &BenchArgs) -> Result<(), Failure> {
    let plan = read(&args.file)?;
    let out = args.output.clone().unwrap_or_else(|| PathBuf::from(args.file.file_stem().unwrap_or_default()));
    let report = carry(&plan, &args.how, &out)?;
    match report {
        Some(report) => {
            note_budgets(&report);
            print(|to| writeln!(to, "{}", out.join("report.html").display()))
        }
        None => Ok(()),
    }
}
