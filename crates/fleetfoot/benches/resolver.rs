//! Measures the fleet's resolver: instances by variant (the plain model, the resolver without and with unjamming).
//! `cargo bench -p fleetfoot --bench resolver [-- GROUP …]`; groups are those of [`GROUPS`], all by default. With
//! `FLEETFOOT_MAPF=folder` (`maps/`, `lifelong/`) also on instances of the public benchmarks. Seeds are fixed, so
//! everything except times is reproducible.

use std::path::{Path, PathBuf};

use fleetfoot::Neighborhood::{self, Eight, Four};
use fleetfoot::fleet::ResolverConfig;
use fleetfoot::{Grid, NodeId};
use fleetfoot_testkit::fleet::instance::{self, Instance, Lifelong};
use fleetfoot_testkit::fleet::run::{self, Mover, Outcome};
use fleetfoot_testkit::fleet::solvable;

/// Measures some instances.
type Group = fn(&Bench);

/// The groups.
const GROUPS: [(&str, Group); 6] = [
    ("puzzles", puzzles),
    ("streams", streams),
    ("one-shot", one_shots),
    ("mazes", mazes),
    ("lifelong", lifelongs),
    ("large", large),
];

/// Budget of unjamming per tick, in moves of single units.
const BUDGET: u64 = 4000;

struct Bench {
    folder: Option<PathBuf>,
    variants: Vec<(&'static str, Option<ResolverConfig>)>,
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let ladder = ResolverConfig::default();
    let variants = [
        ("model", None),
        ("plain", Some(ResolverConfig::plain())),
        ("lanes", Some(ResolverConfig { joint_searches: false, ..ladder })),
        ("clusters", Some(ResolverConfig { lanes: false, ..ladder })),
        ("ladder", Some(ladder)),
    ];
    let names: Vec<&str> = variants.iter().map(|(name, _)| *name).collect();
    let asked = |name: &str, all: &[&str]| {
        words.iter().any(|word| word == name) || !words.iter().any(|word| all.contains(&word.as_str()))
    };
    let groups: Vec<&str> = GROUPS.iter().map(|(name, _)| *name).collect();
    let bench = Bench {
        folder: std::env::var_os("FLEETFOOT_MAPF").map(PathBuf::from),
        variants: variants.iter().copied().filter(|(name, _)| asked(name, &names)).collect(),
    };
    println!(
        "{:<34} {:<9} {:>8} {:>7} {:>31} {:>7} {:>9} {:>9}",
        "instance",
        "variant",
        "solved",
        "steps",
        "tasks a step by quarter",
        "ns/unit",
        "worst µs",
        "work/step"
    );
    for (_, group) in GROUPS.iter().filter(|(name, _)| asked(name, &groups)) {
        group(&bench);
    }
}

impl Bench {
    fn map(&self, name: &str, neighborhood: Neighborhood) -> Option<Grid> {
        let path = self.folder.as_deref()?.join(format!("maps/{name}.map"));
        Some(instance::read_map(&path, neighborhood).unwrap_or_else(|error| panic!("{error}")))
    }

    fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    fn mover(config: Option<ResolverConfig>, grid: &Grid, starts: &[NodeId]) -> Mover {
        config.map_or_else(|| Mover::model(starts, 0), |config| Mover::resolver(grid, starts, config, BUDGET))
    }

    /// Measures every variant on these instances.
    fn one_shot(&self, name: &str, instances: &[Instance], most: usize) {
        for &(variant, config) in &self.variants {
            let outcomes: Vec<Outcome> = instances
                .iter()
                .map(|instance| {
                    let mover = Self::mover(config, &instance.grid, &instance.starts);
                    run::one_shot(instance, mover, most)
                })
                .collect();
            let units = instances[0].starts.len();
            row(name, variant, units, &outcomes, None);
        }
    }

    fn lifelong(&self, name: &str, instance: &Lifelong, steps: usize) {
        for &(variant, config) in &self.variants {
            let mover = Self::mover(config, &instance.grid, &instance.starts);
            let outcome = run::lifelong(instance, mover, steps);
            row(name, variant, instance.starts.len(), &[outcome], Some(steps));
        }
    }
}

fn row(name: &str, variant: &str, units: usize, outcomes: &[Outcome], lifelong: Option<usize>) {
    let solved = outcomes.iter().filter(|o| o.solved).count();
    let mut steps: Vec<usize> = outcomes.iter().map(|o| o.steps).collect();
    steps.sort_unstable();
    let total: usize = steps.iter().sum();
    let nanos = outcomes.iter().map(|o| o.nanos(units)).sum::<f64>() / outcomes.len() as f64;
    let worst = outcomes.iter().map(|o| o.dearest.as_micros()).max().unwrap_or(0);
    let work = outcomes.iter().map(|o| o.work).sum::<u64>() as f64 / total.max(1) as f64;
    let (solved, quarters) = match lifelong {
        None => (format!("{solved}/{}", outcomes.len()), String::new()),
        Some(steps) => {
            let quarter = |n: usize| format!("{:7.3}", n as f64 * 4.0 / steps as f64);
            (String::new(), outcomes[0].quarters.map(quarter).join(" "))
        }
    };
    let median = steps[steps.len() / 2];
    println!(
        "{name:<34} {variant:<9} {solved:>8} {median:>7} {quarters:>31} {nanos:>7.0} {worst:>9} {work:>9.0}"
    );
}

/// Measures tiny maps with narrow passages, with solvable instances only.
fn puzzles(bench: &Bench) {
    let cases = [
        ("tunnel", 3, 200),
        ("tunnel", 4, 200),
        ("string", 4, 50),
        ("tree", 3, 50),
        ("corners", 4, 50),
        ("connector", 4, 20),
        ("loop-chain", 4, 50),
    ];
    for (map, units, count) in cases {
        let Some(grid) = bench.map(map, Four) else { return };
        let random = (0..).map(|seed| Instance::random(grid.clone(), units, seed));
        let solvable = |i: &Instance| solvable::makespan(&i.grid, &i.starts, &i.goals).is_some();
        let instances: Vec<Instance> = random.take(count * 20).filter(solvable).take(count).collect();
        bench.one_shot(&format!("{map}, {units} units"), &instances, 1000);
    }
}

/// Measures streams that meet.
fn streams(bench: &Bench) {
    for (name, instance) in [
        ("streams 50+50, width 1, length 30", Instance::streams(50, 1, 30, Four)),
        ("streams 50+50, width 2, length 30", Instance::streams(50, 2, 30, Four)),
        ("streams 50+50, width 3, length 30", Instance::streams(50, 3, 30, Four)),
        ("doorway 100+100", Instance::streams(100, 1, 1, Four)),
        ("field 500+500", Instance::field(500, Four)),
        ("field 500+500, 8 moves", Instance::field(500, Eight)),
        ("crossing 4x40, width 4", Instance::crossing(40, 4, Four)),
        ("crossing 4x40, width 4, 8 moves", Instance::crossing(40, 4, Eight)),
        ("streams 50+50, width 1, 8 moves", Instance::streams(50, 1, 30, Eight)),
    ] {
        bench.one_shot(name, &[instance], 3000);
    }
}

/// Measures instances that end when all units are at their goals at once.
fn one_shots(bench: &Bench) {
    for (map, units, count) in [
        ("random-32-32-20", 400, 20),
        ("maze-32-32-2", 150, 20),
        ("maze-128-128-2", 500, 5),
        ("room-32-32-4", 300, 10),
        ("den312d", 1000, 3),
    ] {
        let Some(grid) = bench.map(map, Four) else { return };
        let instances: Vec<Instance> =
            (0..count).map(|seed| Instance::random(grid.clone(), units, seed)).collect();
        bench.one_shot(&format!("{map}, {units} units"), &instances, 3000);
    }
}

/// Measures mazes of one-wide passages, which are trees.
fn mazes(bench: &Bench) {
    let instances: Vec<Instance> =
        (0..20).map(|seed| Instance::random(instance::maze(129, seed, Four), 300, seed)).collect();
    bench.one_shot("one-wide maze 129, 300 units", &instances, 5000);
}

/// Measures sequences of tasks.
fn lifelongs(bench: &Bench) {
    for units in [100, 400, 800] {
        let name = format!("random_{units}");
        let Some(folder) = bench.folder() else { return };
        let files = ("random-32-32-20", name.as_str(), name.as_str());
        let instance = Lifelong::read(folder, files, Four).unwrap_or_else(|error| panic!("{error}"));
        bench.lifelong(&name, &instance, 5000);
    }
}

/// Measures sequences of tasks on large maps.
fn large(bench: &Bench) {
    for (map, agents, tasks, steps) in [
        ("Paris_1_256", "paris_1000", "paris_1000", 1000),
        ("brc202d", "brc202d_1000", "brc202d_1000", 1000),
        ("warehouse_small", "warehouse_small_100", "warehouse_small", 2000),
        ("warehouse_small", "warehouse_small_800", "warehouse_small", 1000),
        ("warehouse_large", "warehouse_large_2000", "warehouse_large", 500),
    ] {
        let Some(folder) = bench.folder() else { return };
        let instance =
            Lifelong::read(folder, (map, agents, tasks), Four).unwrap_or_else(|error| panic!("{error}"));
        bench.lifelong(agents, &instance, steps);
    }
}
