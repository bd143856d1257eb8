//! `fleetfoot database info`.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use fleetfoot::database::{DLrtaDatabase, DatabaseError, DatabaseKind, KnnDatabase, detect_kind};
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::formats::database::explained;

use super::journal::{self, Contents};
use super::product::{COVER, EXACT, regions_options};
use crate::failure::Failure;
use crate::output::columns::{bytes as size, whole};
use crate::output::print;

pub(super) fn run(file: &Path) -> Result<(), Failure> {
    let bytes = fs::read(file).map_err(|cause| InputError::io(file, "read", &cause))?;
    let refuse = |error: DatabaseError| Failure::from(explained(&error).with_file(file));
    if let Ok(contents) = journal::read(&bytes) {
        return print(|out| part(out, file, &contents));
    }
    let length = bytes.len();
    match detect_kind(&bytes).map_err(refuse)? {
        DatabaseKind::Knn => {
            let database = KnnDatabase::open_unchecked(bytes).map_err(refuse)?;
            print(|out| knn(out, file, length, &database))
        }
        DatabaseKind::DLrta => {
            let database = DLrtaDatabase::open_unchecked(bytes).map_err(refuse)?;
            print(|out| d_lrta(out, file, length, &database))
        }
    }
}

fn part(out: &mut dyn Write, file: &Path, contents: &Contents) -> io::Result<()> {
    let plan = contents.plan;
    let (part, parts) = plan.shard;
    writeln!(out, "part        {}", file.display())?;
    if plan.kind == DatabaseKind::DLrta.code() {
        writeln!(out, "of          a d-lrta database of {} rows", whole(plan.total))?;
        let (level, depth, is_published) = regions_options(plan.options);
        let goals = if is_published { ", the paper's goals" } else { "" };
        writeln!(out, "options     level {level}, depths up to {depth}{goals}")?;
    } else {
        writeln!(out, "of          a knn database of {} records, seed {}", whole(plan.total), plan.seed)?;
        writeln!(out, "options     {}", options(plan.options & EXACT != 0, plan.options & COVER != 0))?;
    }
    writeln!(out, "shard       {part} of {parts}")?;
    writeln!(out, "done        {} of {}", whole(contents.items.len() as u64), whole(plan.items()))?;
    writeln!(out, "map         fingerprint {:016x}", plan.fingerprint)
}

fn knn(out: &mut dyn Write, file: &Path, length: usize, database: &KnnDatabase) -> io::Result<()> {
    let (records, states, origin) = (database.records(), database.states(), database.origin());
    let per = |n: f64| n / f64::from(records.max(1));
    let links = f64::from(states - records).max(1.0);
    writeln!(out, "database    {}", file.display())?;
    writeln!(out, "kind        knn, for knn-lrta(database={})", file.display())?;
    writeln!(out, "records     {}", whole(records.into()))?;
    writeln!(out, "states      {}, {:.2} a record", whole(states.into()), per(f64::from(states)))?;
    writeln!(
        out,
        "moves       {} between two states, {:.0} a record",
        (origin.path_edges as f64 / links).round(),
        per(origin.path_edges as f64)
    )?;
    writeln!(out, "size        {}, {:.1} bytes a record", size(length as f64), per(length as f64))?;
    writeln!(out, "made        seed {}, {}", origin.seed, options(origin.is_exact, origin.covers))?;
    writeln!(out, "map         fingerprint {:016x}", database.fingerprint())?;
    writeln!(
        out,
        "a step      1 expansion; when a goal is new, up to {} comparisons and, at most 250 a step,",
        whole(records.into())
    )?;
    writeln!(out, "            250 climbing steps to the goal and 500 for each of 10 records, by default")
}

fn d_lrta(out: &mut dyn Write, file: &Path, length: usize, database: &DLrtaDatabase) -> io::Result<()> {
    let (regions, depth) = (u64::from(database.regions()), u64::from(database.depth()));
    writeln!(out, "database    {}", file.display())?;
    writeln!(out, "kind        d-lrta, for d-lrta(database={})", file.display())?;
    writeln!(out, "regions     {}, nodes of level {}", whole(regions), database.level())?;
    writeln!(out, "pairs       {}", whole(regions * regions))?;
    let goals = if database.is_as_published() { "the paper's, which may lead in circles" } else { "onward" };
    writeln!(out, "goals       {goals}")?;
    writeln!(out, "size        {}", size(length as f64))?;
    writeln!(out, "map         fingerprint {:016x}", database.fingerprint())?;
    let most = (2 * depth - 1).pow(2);
    writeln!(out, "a step      look-aheads of depth {depth} at most: {} expansions on grids", whole(most))
}

fn options(is_exact: bool, covers: bool) -> String {
    let compress = if is_exact { "sub-goals as far apart as can be" } else { "sub-goals by binary search" };
    let choose = if covers { "problems that earlier records do not cover" } else { "random problems" };
    format!("{choose}, {compress}")
}
