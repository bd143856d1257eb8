//! The fleet beside what is usual, all in one run, under the same budget a frame: queues of A*, a cap with give-up, flow fields,
//! a path queue with Detour's constants. Each of these has the fleet's own resolver, too, or lets units walk through each
//! other.
//!
//! `cargo bench -p fleetfoot --bench fleet [-- GROUP … | UNITS …]`; groups are those of [`GROUPS`], all by default. With
//! `FLEETFOOT_MAPS=folder` on a game map (`bg512/AR0400SR.map`), else on a generated cave. Prints tables in Markdown. All
//! but times can be had again; times are of the processor, not of the wall.

#[path = "fleet"]
mod fleets {
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

/// What can be asked for.
const GROUPS: [(&str, Kind); 4] =
    [("swarm", Kind::Swarm), ("rally", Kind::Rally), ("doors", Kind::Doors), ("fog", Kind::Fog)];
const UNITS: [usize; 3] = [100, 1000, 10_000];
/// Expansions' worth of work in a frame: somewhat less than a millisecond.
const BUDGET: u64 = 10_000;
/// More fields than these take more memory than a game has.
const MOST_FIELDS: usize = 100;

/// A way to move many units.
pub(crate) trait Rival {
    /// Everybody is sent to its goal.
    fn order(&mut self);
    /// The map has changed, or more of it is known.
    fn set(&mut self, cell: NodeId, weight: u8);
    /// One frame.
    fn tick(&mut self, budget: u64);
    /// Where a unit is.
    fn at(&self, unit: usize) -> NodeId;
    /// Whether a unit has something to follow. Others only move when they are pushed.
    fn has_way(&self, unit: usize) -> bool;
    /// Whether a unit stands where it was to go.
    fn is_there(&self, unit: usize) -> bool;
    /// Bytes for the units: what grows with their number.
    fn bytes(&self) -> usize;
    /// Whether it looks around for itself.
    fn looks(&self) -> bool {
        false
    }
}

/// Ours.
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

/// A name, and how it is made.
type Entry<'a> = (&'static str, Box<dyn FnOnce() -> Box<dyn Rival> + 'a>);

/// Those that can take part in a case.
fn rivals(case: &Case, collisions: bool) -> Vec<Entry<'_>> {
    let by_cells = || (Map::without_index(case.grid.clone()), Map::without_index(case.known()));
    let by_corners = move || (by_cells().0, Map::without_index(case.known().with_corners()));
    let (starts, goals) = (&case.starts, &case.goals);
    let queue = move |finder, maps| -> Box<dyn Rival> {
        Box::new(Queue::new(finder, maps, starts, goals, collisions))
    };
    let mut all: Vec<Entry<'_>> = Vec::new();
    // For more units, those that search by cells or have a fixed share take minutes, and fail as they do with these.
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
                // Walking through each other says the same everywhere.
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
