//! `fleetfoot reproduce`: the papers' tables and figures.

use std::io;

use fleetfoot_lab::report::{Finding, Report, count};
use fleetfoot_reproduce::{STUDIES, Scale, Setup, Study, find};

use super::lab::carry;
use crate::args::ReproduceArgs;
use crate::failure::{Failure, warn};
use crate::output::columns::Columns;
use crate::output::{print, terminal_width};

pub(crate) fn run(args: &ReproduceArgs) -> Result<(), Failure> {
    if args.list {
        return print(list);
    }
    if args.ids.is_empty() {
        return Err(Failure::input(
            "no ID is given; `fleetfoot reproduce --list` shows all, and `all` makes them all",
        ));
    }
    let studies = chosen(&args.ids)?;
    let scale = if args.full { Scale::Full } else { Scale::Quick };
    let maps = args.maps.clone().filter(|folder| !folder.as_os_str().is_empty());
    let setup = Setup { scale, maps };
    for study in studies {
        let plan = study.plan(&setup)?;
        warn("note", format!("{}: {}", study.id, study.title));
        plan.about.map_notes.iter().for_each(|note| warn("note", note));
        let out = args.output.join(study.id);
        if let Some(report) = carry(&plan, &args.how, &out)? {
            print(|to| tell(study, &report, to))?;
            print(|to| writeln!(to, "{}\n", out.join("report.html").display()))?;
        }
    }
    Ok(())
}

/// Returns the requested studies without duplicates, in the order of the list.
fn chosen(ids: &[String]) -> Result<Vec<&'static Study>, Failure> {
    for id in ids.iter().filter(|id| *id != "all") {
        find(id)?;
    }
    let wanted = |study: &&Study| ids.iter().any(|id| id == "all" || id == study.id);
    Ok(STUDIES.iter().filter(wanted).collect())
}

fn list(out: &mut dyn io::Write) -> io::Result<()> {
    let mut columns = Columns::new(&["id", "what", "claims"], 3);
    for study in STUDIES {
        columns.push(vec![study.id.into(), study.title.into(), study.claims.join(" ")]);
    }
    let width = terminal_width().unwrap_or(usize::MAX);
    if width < 100 {
        columns.drop("claims");
    }
    columns.write_folded(out, width)
}

/// Prints the verdicts by claim.
fn tell(study: &Study, report: &Report, out: &mut dyn io::Write) -> io::Result<()> {
    writeln!(out, "{}: {}", study.id, count(&report.findings))?;
    if let Some(budgets) = report.condition("budgets") {
        writeln!(out, "  budgets: {budgets}")?;
    }
    for Finding { id, verdict, says, .. } in &report.findings {
        writeln!(out, "  {id}: {verdict}: {says}")?;
    }
    Ok(())
}
