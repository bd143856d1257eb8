//! `fleetfoot` without a command: the cost of waiting for A*, and the benefit of moving at once.

use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use fleetfoot::registry::Spec;
use fleetfoot_lab::places::{Place, Scene};
use fleetfoot_lab::run::{Row, Silent};
use fleetfoot_sim::budget::{Budget, PriceList, describe};
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::generate::problems::{Pair, random_problems};

use crate::args::threads;
use crate::batch::{Batch, Entry, SharedOptions};
use crate::failure::Failure;
use crate::output::columns::{Columns, mean, whole};
use crate::output::print;
use crate::problems::ProblemSet;
use crate::source::Source;

const MAP: &str = "builtin:cave512";
const BUDGETS: [Budget; 4] =
    [Budget::Expansions(10), Budget::Expansions(100), Budget::Expansions(1000), Budget::Unlimited];
const PROBLEMS: usize = 30;
/// Minimum distance of start and goal in columns or rows: where waiting matters.
const FAR: u32 = 256;
/// Time after which no run begins, so that the demonstration ends within ten seconds on slow machines.
const TIME: Duration = Duration::from_secs(6);
/// Maximum length of a walk: some learners walk for very long with small budgets.
const MAX_STEPS: u64 = 30_000;

pub(crate) fn run() -> Result<(), Failure> {
    let until = Some(Instant::now() + TIME);
    let source = Source::open(Path::new(MAP))?;
    let tasks = far_problems(&source)?;
    let place = Place::new(source.origin.clone(), Scene::KNOWN);
    let world = place.world_on(&source.made)?;
    let common =
        SharedOptions { max_steps: Some(MAX_STEPS), threads: threads(None), ..SharedOptions::default() };
    let batch = Batch::new((&source, &tasks), (place, world), entries(), common)?;
    print(|out| writeln!(out, "{}", introduction(&source)))?;
    let rows = batch.run(until, &Silent)?;
    print(|out| {
        table(&batch, &rows).write(out)?;
        closing(&batch, &rows, out)
    })
}

fn far_problems(source: &Source) -> Result<ProblemSet, InputError> {
    let far = |(a, b): &Pair| a.0.abs_diff(b.0).max(a.1.abs_diff(b.1)) >= FAR;
    let drawn = random_problems(source.map(), 20 * PROBLEMS, 1)?;
    Ok(ProblemSet::pairs(drawn.into_iter().filter(far).take(PROBLEMS), String::new()))
}

/// Other planners show nothing new in a known world: they search like one of these, are made for worlds that reveal
/// themselves, or walk far because they keep no search.
const SHOWN: [&str; 3] = ["astar", "tba", "corner-tba"];

/// Returns all planners with all budgets.
fn entries() -> Vec<Entry> {
    let specs: Vec<Spec> = SHOWN.iter().filter_map(|spec| spec.parse().ok()).collect();
    BUDGETS
        .iter()
        .flat_map(|&budget| specs.iter().map(move |spec| Entry { spec: spec.clone(), budget }))
        .collect()
}

fn introduction(source: &Source) -> String {
    let budgets = BUDGETS.map(|budget| budget.to_string());
    let limits = describe(&budgets.each_ref().map(String::as_str), &[PriceList::default()]);
    format!(
        "fleetfoot: agents that move this tick\n\n\
         In a game or on a robot an agent may think for a slice of each tick only, here counted in expansions (states\n\
         looked at; other work counts by what it costs). A* moves when its whole search is done: the smaller the slice,\n\
         the longer its agent stands still. TBA* spreads the same search over its ticks and moves from the first one\n\
         on, towards what is most promising so far; where that proves wrong it walks back. Corner TBA*, our own, does\n\
         that among the corners of obstacles, of which there are few.\n\n\
         {PROBLEMS} problems, {FAR} or more cells apart, on {} ({}x{}, generated);\n\
         budget {limits}:\n",
        source.name,
        source.map().width(),
        source.map().height(),
    )
}

fn table(batch: &Batch<'_>, rows: &[Row]) -> Columns {
    let names = [
        "budget",
        "planner",
        "first move",
        "latest",
        "arrival",
        "ratio",
        "reversals",
        "worst step",
        "arrived",
    ];
    let mut columns = Columns::new(&names, 2);
    let mut last = String::new();
    for (index, entry) in batch.entries.iter().enumerate() {
        let rows: Vec<&Row> = rows.iter().filter(|row| batch.entry(row) == index).collect();
        let budget = entry.budget.to_string();
        let shown = if budget == last { String::new() } else { budget.clone() };
        last = budget;
        columns.push(line(shown, entry, &rows));
    }
    columns.drop_if_all("arrived", &format!("{PROBLEMS}/{PROBLEMS}"));
    columns
}

fn line(budget: String, entry: &Entry, rows: &[&Row]) -> Vec<String> {
    let arrived: Vec<&&Row> = rows.iter().filter(|row| row.arrived()).collect();
    let average =
        |of: &dyn Fn(&Row) -> f64| arrived.iter().map(|row| of(row)).sum::<f64>() / arrived.len() as f64;
    let name = entry.spec.info().name.to_owned();
    let count = format!("{}/{}", arrived.len(), rows.len());
    if arrived.is_empty() {
        return [budget, name].into_iter().chain(["-"; 6].map(str::to_owned)).chain([count]).collect();
    }
    let most = |of: &dyn Fn(&Row) -> u64| arrived.iter().map(|row| of(row)).max().unwrap_or(0);
    vec![
        budget,
        name,
        mean(average(&|row| row.first_move as f64)),
        whole(most(&|row| row.first_move)),
        mean(average(&|row| row.steps as f64)),
        format!("{:.3}", average(&|row| row.ratio.unwrap_or(1.0))),
        mean(average(&|row| row.reversals as f64)),
        whole(most(&|row| row.max_expansions)),
        count,
    ]
}

fn closing(batch: &Batch<'_>, rows: &[Row], out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "\nfirst move, arrival: ticks until then, mean of all problems; latest: of the worst one.\n\
         ratio: length walked / shortest. reversals: steps back to the cell just left. worst step: most expansions in\n\
         one tick."
    )?;
    let missing = batch.entries.len() * PROBLEMS - rows.len();
    if missing > 0 {
        let time = TIME.as_secs();
        writeln!(out, "({missing} runs were left out to end within {time} s; a release build does more.)")?;
    }
    if let Some((nanos, most)) = price(batch, rows) {
        let micros = nanos / 1000.0;
        let millis = nanos * most as f64 / 1e6;
        let most = whole(most);
        writeln!(
            out,
            "An expansion took {micros:.2} µs here, so the worst step without a limit took about {millis:.1} ms for its\n\
             {most}; at 60 ticks per second there are 16.7 ms for everything and everyone."
        )?;
    }
    write!(out, "\n{NEXT}")
}

/// Returns nanoseconds per expansion of the searches without a limit, and their maximum number of expansions in a
/// step.
fn price(batch: &Batch<'_>, rows: &[Row]) -> Option<(f64, u64)> {
    let is_unlimited = |row: &&Row| matches!(batch.entries[batch.entry(row)].budget, Budget::Unlimited);
    let runs = || rows.iter().filter(is_unlimited);
    let expansions: u64 = runs().map(|run| run.expansions).sum();
    let nanos: u64 = runs().filter_map(|run| run.plan_ns_total).sum();
    (expansions > 0)
        .then(|| (nanos as f64 / expansions as f64, runs().map(|run| run.max_expansions).max().unwrap_or(0)))
}

const NEXT: &str = "\
What to try next:
  fleetfoot list                                        the planners, and what they promise
  fleetfoot run builtin:maze151 --planner astar --planner tba --budget 10,100
                                                        the same comparison in a maze, all columns
  fleetfoot run builtin:cave512 --from 20,30 --to 480,470 --budget 100 --picture walk.png
                                                        look at a walk: where it went wrong and turned back
  fleetfoot run builtin:rooms100 --world unknown --random 5 --trials 20
                                                        a world that the agent discovers, trial by trial
  fleetfoot map render builtin:cave512 --from 20,30 --to 480,470 --path -o cave.png
                                                        look at a map and a shortest path
  fleetfoot run my.map --take 50 --format jsonl         your own MovingAI map and scenario, row by row
  fleetfoot run --help                                  everything else
";
