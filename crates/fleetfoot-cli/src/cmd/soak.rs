//! `fleetfoot soak`: random worlds, judged.

use std::env;
use std::io::{self, Write};
use std::process;
use std::thread;
use std::time::Duration;

use fleetfoot_soak::soak::{Failure as Failed, Observer, Report, Settings, run as run_soak};
use fleetfoot_soak::{Case, Tally, deadline, run_case, served};

use super::interrupt;
use crate::args::{SoakArgs, SoakFormat, threads};
use crate::failure::{Failure, warn};
use crate::output::columns::{Columns, whole};
use crate::output::print;

/// Ticks of each fleet under a deadline.
const DEADLINE_TICKS: u64 = 1000;
/// A case that takes longer hangs.
const HANGS_AFTER: Duration = Duration::from_secs(300);
/// The exit code of a failed soak.
const FAILED: i32 = 1;

pub(crate) fn run(args: &SoakArgs) -> Result<(), Failure> {
    if args.burn {
        deadline::burn();
    }
    if let Some(case) = &args.case {
        return one(case, args.format);
    }
    if let Some(limit) = args.deadline {
        return under_deadline(args, limit);
    }
    if args.served {
        let rows = served::run(args.seed)?;
        return print(|out| match args.format {
            SoakFormat::Json => json(&rows, out),
            SoakFormat::Table => served_table(&rows, out),
        });
    }
    let minute = args.cases.is_none().then_some(1.0);
    let minutes = args.hours.map(|hours| 60.0 * hours).or(args.minutes).or(minute);
    let settings = Settings {
        seed: args.seed,
        cases: args.cases,
        time: minutes.map(|minutes| Duration::from_secs_f64(60.0 * minutes)),
        threads: threads(args.threads),
        journal: args.output.clone(),
        hangs_after: HANGS_AFTER,
    };
    interrupt::listen();
    let report = run_soak(&settings, &mut Watch { format: args.format })?;
    print(|out| match args.format {
        SoakFormat::Json => json(&report, out),
        SoakFormat::Table => table(&report, out),
    })?;
    match report.failures.len() {
        0 => Ok(()),
        count => Err(Failure::RuleViolation(format!("{count} of {} cases failed", report.cases))),
    }
}

fn json(value: &impl serde::Serialize, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    writeln!(out)
}

/// Returns the command that runs a case again.
fn command(case: &str) -> String {
    format!("fleetfoot soak --case '{case}'")
}

/// Runs one case.
fn one(case: &Case, format: SoakFormat) -> Result<(), Failure> {
    let mut tally = Tally::default();
    let result = run_case(case, &mut tally);
    if let Err(fault) = result {
        return Err(Failure::RuleViolation(fault.to_string()));
    }
    print(|out| match format {
        SoakFormat::Json => json(&tally, out),
        SoakFormat::Table => tally_table(&tally).write(out),
    })
}

/// Says what happens while a soak runs.
struct Watch {
    format: SoakFormat,
}

impl Observer for Watch {
    fn stops(&mut self) -> bool {
        interrupt::is_pressed()
    }

    fn progress(&mut self, report: &Report) {
        if self.format == SoakFormat::Table {
            let (cases, ticks) =
                (whole(report.cases), whole(report.tally.unit_ticks + report.tally.agent_steps));
            warn("note", format!("{cases} cases, {ticks} ticks of walkers after {:.0} s", report.seconds));
        }
    }

    fn failed(&mut self, failure: &Failed) {
        warn("failed", format!("case {}: {}\n  {}", failure.number, failure.fault, command(&failure.case)));
        let (fault, case) = (&failure.smallest_fault, command(&failure.smallest));
        warn("failed", format!("the smallest case: {fault}\n  {case}"));
    }

    fn hangs(&mut self, number: u64, case: &Case) {
        let case = command(&case.to_string());
        warn("failed", format!("case {number} takes more than {} s\n  {case}", HANGS_AFTER.as_secs()));
        process::exit(FAILED);
    }
}

fn tally_table(tally: &Tally) -> Columns {
    let mut columns = Columns::new(&["what", "count"], 1);
    let Tally { fleets, agents, unit_ticks, agent_steps, edits, orders, saves, unreachable, .. } = *tally;
    let Tally { rested, asked, arrived, walked, refused, .. } = *tally;
    for (what, count) in [
        ("cases of fleets", fleets),
        ("cases of agents", agents),
        ("ticks of units", unit_ticks),
        ("steps of agents", agent_steps),
        ("edits", edits),
        ("orders of units", orders),
        ("saves, loaded and compared", saves),
        ("reports of goals out of reach", unreachable),
        ("fleets watched to their rest", rested),
        ("units there with a goal in reach", asked),
        ("of them at their goal", arrived),
        ("agents at their goal", walked),
        ("planners not for the map", refused),
    ] {
        columns.push(vec![what.into(), whole(count)]);
    }
    columns
}

fn table(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{} cases of seed {} in {:.0} s", whole(report.cases), report.seed, report.seconds)?;
    tally_table(&report.tally).write(out)?;
    writeln!(out, "{} failed", report.failures.len())?;
    for failure in &report.failures {
        writeln!(out, "  case {}: {}", failure.number, failure.smallest_fault)?;
        writeln!(out, "  {}", command(&failure.smallest))?;
    }
    Ok(())
}

fn under_deadline(args: &SoakArgs, limit: Duration) -> Result<(), Failure> {
    let program = env::current_exe()?;
    let burners =
        args.threads.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), |n| n as usize);
    let settings =
        deadline::Settings { limit, ticks: DEADLINE_TICKS, seed: args.seed, burners, program: &program };
    let rows = deadline::run(&settings)?;
    print(|out| match args.format {
        SoakFormat::Json => json(&rows, out),
        SoakFormat::Table => deadline_table(&rows, out),
    })
}

fn percent(share: f64) -> String {
    format!("{:.2} %", 100.0 * share)
}

fn deadline_table(rows: &[deadline::Row], out: &mut dyn Write) -> io::Result<()> {
    let names = [
        "units",
        "burners",
        "ticks",
        "beyond",
        "own time beyond",
        "median us",
        "99 % us",
        "longest us",
        "skipped",
        "arrived",
    ];
    let mut columns = Columns::new(&names, 0);
    for row in rows {
        columns.push(vec![
            whole(row.units as u64),
            row.burners.to_string(),
            whole(row.ticks),
            percent(row.beyond),
            percent(row.beyond_of_own),
            format!("{:.0}", row.median),
            format!("{:.0}", row.most_of_99),
            format!("{:.0}", row.longest),
            percent(row.skipped),
            percent(row.arrived),
        ]);
    }
    columns.write(out)
}

fn served_table(rows: &[served::Row], out: &mut dyn Write) -> io::Result<()> {
    let names = [
        "map",
        "orders",
        "budget",
        "served",
        "dearest search",
        "longest wait",
        "of its bound",
        "of it with B/2",
        "beyond",
    ];
    let mut columns = Columns::new(&names, 2);
    for row in rows {
        columns.push(vec![
            row.map.clone(),
            row.orders.clone(),
            whole(row.budget),
            row.served.to_string(),
            whole(row.dearest),
            whole(row.longest),
            percent(row.share),
            percent(row.share_of_half),
            row.beyond.to_string(),
        ]);
    }
    columns.write(out)
}
