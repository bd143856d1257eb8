//! Compares the fleet with common alternatives, in one run with the same budget per frame: queues of A*, a cap with
//! give-up, flow fields, a path queue with Detour's constants. Each of these also uses the fleet's own resolver, or
//! lets units walk through each other.
//!
//! `cargo bench -p fleetfoot --bench fleet [-- GROUP … | UNITS …]`; groups are those of [`GROUPS`], all by default.
//! With `FLEETFOOT_MAPS=folder` on a game map (`bg512/AR0400SR.map`), otherwise on a generated cave. Prints tables in
//! Markdown. Everything except times is reproducible; times are processor times.
//!
//! `cargo bench -p fleetfoot --bench fleet -- ablate [quick | SEEDS] [RULE … | CASE …]` prints what each rule of the
//! fleet contributes instead. `FLEETFOOT_MAPF=folder` and `FLEETFOOT_MAPS=folder` add cases of public benchmarks.

#[path = "fleet"]
mod fleets {
    pub(crate) mod ablate;
    pub(crate) mod cases;
    pub(crate) mod detour;
    pub(crate) mod fields;
    pub(crate) mod queues;
    pub(crate) mod score;
    pub(crate) mod walkers;
}

use fleetfoot::fleet::{Fleet, FleetConfig, Goal, TeamId, UnitId, Vision};
use fleetfoot::{Grid, Map, NodeId};

use fleets::cases::{self, Case, Kind, RADIUS};
use fleets::detour::Detour;
use fleets::fields::Fields;
use fleets::queues::{Finder, Queue};
use fleets::score::{HEAD, Ways, run};
use fleets::walkers;

/// The groups and their kinds.
const GROUPS: [(&str, Kind); 4] =
    [("swarm", Kind::Swarm), ("rally", Kind::Rally), ("doors", Kind::Doors), ("fog", Kind::Fog)];
const UNITS: [usize; 3] = [100, 1000, 10_000];
/// Work in a frame, in expansions: slightly less than a millisecond.
const BUDGET: u64 = 10_000;
/// Maximum number of fields: more would need more memory than a game has.
const MOST_FIELDS: usize = 100;

/// A method of moving units.
pub(crate) trait Rival {
    /// Sends all units to their goals.
    fn order(&mut self);
    /// Handles a change of the map, or of what is known of it.
    fn set(&mut self, cell: NodeId, weight: u8);
    /// Executes one frame.
    fn tick(&mut self, budget: u64);
    /// Returns the cell of a unit.
    fn at(&self, unit: usize) -> NodeId;
    /// Returns `true` if a unit has a path. Other units only move when pushed.
    fn has_way(&self, unit: usize) -> bool;
    /// Returns `true` if a unit is at its goal.
    fn is_there(&self, unit: usize) -> bool;
    /// Returns the memory that grows with the number of units, in bytes.
    fn bytes(&self) -> usize;
    /// Returns `true` if it updates its fog by itself.
    fn looks(&self) -> bool {
        false
    }
}

/// The fleet.
struct Ours {
    fleet: Fleet,
    units: Vec<UnitId>,
    goals: Vec<Goal>,
}

impl Ours {
    fn new(case: &Case, collisions: bool) -> Self {
        let mut config = FleetConfig::default();
        config.collisions = collisions;
        let mut fleet = Fleet::with(Map::from(case.grid.clone()), config);
        let team = match case.kind {
            Kind::Fog => fleet.add_team(Vision::Radius(RADIUS)).expect("a second team"),
            _ => TeamId::FIRST,
        };
        let spawn = |&start: &NodeId| fleet.spawn(team, start).expect("starts are free and different");
        let units = case.starts.iter().map(spawn).collect();
        let goals = match case.kind {
            Kind::Rally => vec![Goal::near(case.centre)],
            _ => case.goals.iter().map(|&goal| Goal::at(goal)).collect(),
        };
        Self { fleet, units, goals }
    }
}

impl Rival for Ours {
    fn order(&mut self) {
        match self.goals[..] {
            [goal] => drop(self.fleet.order(&self.units, goal)),
            _ => {
                for (unit, &goal) in self.units.chunks(1).zip(&self.goals) {
                    self.fleet.order(unit, goal);
                }
            }
        }
    }

    fn set(&mut self, cell: NodeId, weight: u8) {
        self.fleet.set(cell, weight).expect("on the map");
    }

    fn tick(&mut self, budget: u64) {
        self.fleet.tick(budget);
    }

    fn at(&self, unit: usize) -> NodeId {
        self.fleet.at(self.units[unit]).expect("nobody is removed")
    }

    fn has_way(&self, _: usize) -> bool {
        true
    }

    fn is_there(&self, unit: usize) -> bool {
        self.fleet.goal(self.units[unit]) == Some(self.at(unit))
    }

    fn bytes(&self) -> usize {
        self.fleet.memory_bytes()
    }

    fn looks(&self) -> bool {
        true
    }
}

/// A name, and a constructor.
type Entry<'a> = (&'static str, Box<dyn FnOnce() -> Box<dyn Rival> + 'a>);

/// Returns the methods that support a case.
fn rivals(case: &Case, collisions: bool) -> Vec<Entry<'_>> {
    let by_cells = || (Map::without_index(case.grid.clone()), Map::without_index(case.known()));
    let by_corners = move || (by_cells().0, Map::without_index(case.known().with_corners()));
    let (starts, goals) = (&case.starts, &case.goals);
    let queue = move |finder, maps| -> Box<dyn Rival> {
        Box::new(Queue::new(finder, maps, starts, goals, collisions))
    };
    let mut all: Vec<Entry<'_>> = Vec::new();
    // With more units, methods that search on cells or have a fixed share take minutes, and fail in the same way.
    let few = starts.len() <= 1000;
    if few {
        all.push(("queue, `pathfinding`", Box::new(move || queue(Finder::Pathfinding, by_cells()))));
        all.push(("queue, `shortest_path` by cells", Box::new(move || queue(Finder::Ours, by_cells()))));
    }
    all.push(("queue, `shortest_path` by corners", Box::new(move || queue(Finder::Ours, by_corners()))));
    if few {
        all.push(("cap with give-up", Box::new(move || queue(Finder::Capped, by_cells()))));
    }
    let ends = if case.kind == Kind::Rally { std::slice::from_ref(&case.centre) } else { &goals[..] };
    if ends.len() <= MOST_FIELDS {
        let fields =
            move || -> Box<dyn Rival> { Box::new(Fields::new(by_cells(), starts, ends, collisions)) };
        all.push(("flow field per goal", Box::new(fields)));
    }
    if few {
        let detour =
            move || -> Box<dyn Rival> { Box::new(Detour::new(by_corners(), starts, goals, collisions)) };
        all.push(("Detour's queue", Box::new(detour)));
    }
    all.push(("**fleet**", Box::new(move || Box::new(Ours::new(case, collisions)))));
    all
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    if let Some((_, rest)) = words.split_first().filter(|(first, _)| *first == "ablate") {
        return fleets::ablate::print(&rest.iter().map(String::as_str).collect::<Vec<_>>());
    }
    let counts: Vec<usize> = words.iter().filter_map(|word| word.parse().ok()).collect();
    let names: Vec<&String> = words.iter().filter(|word| word.parse::<usize>().is_err()).collect();
    if let Some(wrong) = names.iter().find(|name| GROUPS.iter().all(|(group, _)| group != *name)) {
        let all = GROUPS.map(|(group, _)| group).join(", ");
        eprintln!("there is no group {wrong}; choose of {all}");
        std::process::exit(2);
    }
    let (name, grid): (String, Grid) = cases::ground();
    println!("{name}, {BUDGET} expansions' worth of work in a frame");
    let mut ways = Ways::new(&grid);
    for (group, kind) in GROUPS {
        if !names.is_empty() && names.iter().all(|name| *name != group) {
            continue;
        }
        for units in UNITS.into_iter().filter(|units| counts.is_empty() || counts.contains(units)) {
            let case = Case::new(kind, &grid, units);
            for collisions in [true, false] {
                // Walking through each other gives the same result in all cases.
                if !collisions && (units != 1000 || kind != Kind::Swarm) {
                    continue;
                }
                let how = if collisions { "" } else { ", through each other" };
                println!("\n{group}, {units} units{how}\n\n{HEAD}");
                for (rival, make) in rivals(&case, collisions) {
                    println!("| {rival} {}", run(&case, &mut *make(), &mut ways));
                }
            }
        }
    }
}
