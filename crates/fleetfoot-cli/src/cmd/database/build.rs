//! `fleetfoot database build`.

use std::fs;
use std::time::{Duration, Instant};

use fleetfoot::Grid;
use fleetfoot_lab::run::Watch;
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::formats::write_atomically;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::journal::{BuildJournal, BuildPlan, beside};
use super::product::Product;
use crate::args::{BuildArgs, threads};
use crate::cmd::progress::Progress;
use crate::failure::{Failure, warn};
use crate::output::columns::{bytes, whole};
use crate::output::{check_file, refuse_overwriting_inputs};
use crate::source::Source;

/// Approximate duration of a round, after which its items are saved.
const TURN: Duration = Duration::from_secs(1);
/// Maximum number of items in a round. The first round has one, so that slow items are saved early as well.
const MOST: usize = 1 << 16;

pub(super) fn run(args: &BuildArgs) -> Result<(), Failure> {
    let source = Source::open(&args.map)?;
    check_file(&args.output)?;
    refuse_overwriting_inputs([&args.output], [args.map.as_path()])?;
    args.what.check()?;
    let rules = &args.what.rules;
    let grid =
        rules.terrain.grid(source.map(), rules.rules()).map_err(|error| error.with_file(&source.name))?;
    let began = Instant::now();
    let pool = ThreadPoolBuilder::new().num_threads(threads(args.threads)).build().map_err(Failure::input)?;
    let product = Product::new(&grid, &args.what);
    let plan = product.plan(args.shard.unwrap_or((1, 1)));
    let mut journal = BuildJournal::open(&beside(&args.output), plan)?;
    product.announce();
    let resumed = journal.items.len();
    if resumed > 0 {
        let (done, all) = (whole(resumed as u64), whole(plan.items()));
        warn("note", format!("{} has {done} of {all} {}: going on", journal.path.display(), product.noun()));
    }
    make(&product, plan, &mut journal, &pool)?;
    let made = journal.items.len() - resumed;
    finish(args, &grid, &product, journal)?;
    let seconds = began.elapsed().as_secs_f64();
    let size = fs::metadata(&args.output).map_or(0, |file| file.len());
    warn(
        "note",
        format!(
            "wrote {} to {}: {} {} made in {seconds:.1} s ({:.1} a second)",
            bytes(size as f64),
            args.output.display(),
            whole(made as u64),
            product.noun(),
            made as f64 / seconds,
        ),
    );
    Ok(())
}

/// Makes the missing items.
fn make(
    product: &Product<'_>,
    plan: BuildPlan,
    journal: &mut BuildJournal,
    pool: &ThreadPool,
) -> Result<(), Failure> {
    let progress = Progress::new(product.noun());
    progress.begin((plan.items() as usize).saturating_sub(journal.items.len()), 0);
    let mut size = 1;
    while (journal.items.len() as u64) < plan.items() {
        let begin = Instant::now();
        let turn = product.next_items(plan, &journal.items, journal.next, size);
        let Some((items, next)) = pool.install(turn) else { break };
        // An interruption loses little work, and the file is not written constantly.
        let per_turn = TURN.as_nanos() * items.len() as u128 / begin.elapsed().as_nanos().max(1);
        size = usize::try_from(per_turn).unwrap_or(MOST).clamp(1, (8 * size).min(MOST));
        progress.advance(items.len() as u64);
        journal.add(items, next)?;
    }
    progress.end();
    Ok(())
}

fn finish(
    args: &BuildArgs,
    grid: &Grid,
    product: &Product<'_>,
    journal: BuildJournal,
) -> Result<(), Failure> {
    let BuildJournal { path, items, .. } = journal;
    if args.shard.is_some() {
        return fs::rename(&path, &args.output)
            .map_err(|cause| InputError::io(&args.output, "write", &cause).into());
    }
    let file = product
        .assemble(grid, &items)
        .ok_or_else(|| InputError::new("it is damaged", "delete it and build again").with_file(&path))?;
    write_atomically(&args.output, |out| out.write_all(&file))?;
    // The file is complete, so the journal is no longer needed.
    let _ = fs::remove_file(&path);
    Ok(())
}
