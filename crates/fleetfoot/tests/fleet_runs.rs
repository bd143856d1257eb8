//! Whole fleet runs whose positions and events must stay the same, bit by bit, while the code behind them is restructured.
//!
//! `FLEETFOOT_BLESS=1` accepts new hashes. Bless them in a commit of their own, with the reason.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use fleetfoot::fleet::{
    Event, Fleet, FleetConfig, Goal, ResolverConfig, SavedFleet, Speed, TeamId, UnitId, UnitStatus, Vision,
};
use fleetfoot::{Grid, Map, Meter, Neighborhood, NodeId, Prices, Rules};

/// The ground of a run.
#[derive(Clone, Copy)]
enum Ground {
    Open,
    /// Percent of blocked cells.
    Clutter(usize),
    /// Rooms of this size with doors.
    Rooms(u32),
    /// Passages one cell wide on a lattice of this size.
    Passages(u32),
    /// Free cells of weights 1 to 3.
    Weighted,
}

/// One run.
#[derive(Clone)]
struct Run {
    name: &'static str,
    size: (u32, u32),
    rules: Rules,
    ground: Ground,
    units: usize,
    /// Sight radius of each team. `None` if it knows the whole map.
    teams: &'static [Option<u32>],
    ticks: u64,
    budget: u64,
    /// Clock readings per tick, if a deadline is the limit.
    deadline: Option<u64>,
    /// How many operations of each kind are drawn per 100 ticks.
    single: u64,
    rallies: u64,
    groups: u64,
    edits: u64,
    speeds: u64,
    others: u64,
    /// Ticks between two saves and loads.
    saves: u64,
    has_index: bool,
    config: FleetConfig,
}

const FOUR: Rules =
    Rules { neighborhood: Neighborhood::Four, cut_corners: false, diagonal: fleetfoot::Diagonal::Sqrt2 };

fn plain(name: &'static str, size: (u32, u32), ground: Ground, units: usize) -> Run {
    Run {
        name,
        size,
        rules: Rules::default(),
        ground,
        units,
        teams: &[None],
        ticks: 240,
        budget: 2000,
        deadline: None,
        single: 500,
        rallies: 0,
        groups: 0,
        edits: 0,
        speeds: 0,
        others: 0,
        saves: u64::MAX,
        has_index: true,
        config: FleetConfig::default(),
    }
}

fn with(change: impl FnOnce(&mut FleetConfig)) -> FleetConfig {
    let mut config = FleetConfig::default();
    change(&mut config);
    config
}

fn runs() -> Vec<Run> {
    let (clutter, rooms, passages) = (Ground::Clutter(25), Ground::Rooms(9), Ground::Passages(4));
    let (small, large) = ((48, 40), (150, 130));
    let textbook = with(|config| config.resolver = ResolverConfig::plain());
    let through = with(|config| config.collisions = false);
    vec![
        plain("small-rooms-8", small, rooms, 150),
        Run { rules: FOUR, ..plain("small-rooms-4", small, rooms, 150) },
        Run { rules: FOUR, saves: 37, ..plain("small-crowded-4", (32, 32), Ground::Clutter(20), 400) },
        Run { rallies: 6, saves: 41, ..plain("small-rallies-8", small, clutter, 200) },
        Run { edits: 40, groups: 20, saves: 29, others: 60, ..plain("small-all-8", small, rooms, 120) },
        Run { budget: 60, groups: 30, ..plain("small-poor-8", small, clutter, 120) },
        plain("large-clutter-8", large, clutter, 400),
        Run { rules: FOUR, saves: 43, ..plain("large-clutter-4", large, clutter, 400) },
        Run { budget: 300, groups: 20, saves: 31, ..plain("large-poor-8", large, clutter, 300) },
        Run { budget: 40, others: 60, ..plain("large-poorest-4", large, rooms, 200) },
        Run { rallies: 8, saves: 47, single: 100, ..plain("large-rallies-8", large, rooms, 500) },
        Run { rules: FOUR, rallies: 5, groups: 40, ..plain("large-rallies-4", large, clutter, 400) },
        Run { ticks: 400, single: 900, saves: 53, ..plain("passages-8", (81, 81), passages, 200) },
        Run { rules: FOUR, ticks: 400, single: 900, ..plain("passages-4", (97, 97), passages, 300) },
        Run { edits: 60, groups: 30, saves: 33, ..plain("large-edits-8", large, rooms, 300) },
        Run { teams: &[Some(6)], saves: 39, ..plain("fog-8", large, rooms, 250) },
        Run {
            rules: FOUR,
            teams: &[Some(4), None, Some(9)],
            edits: 30,
            others: 80,
            rallies: 5,
            saves: 35,
            ..plain("teams-4", large, clutter, 300)
        },
        Run {
            teams: &[Some(5), None],
            budget: 400,
            groups: 25,
            rallies: 4,
            ..plain("fog-poor-8", large, clutter, 300)
        },
        Run { speeds: 300, others: 60, saves: 45, ..plain("speeds-8", large, rooms, 250) },
        Run { rules: FOUR, speeds: 300, rallies: 5, ..plain("speeds-4", small, clutter, 150) },
        Run {
            config: through,
            others: 60,
            speeds: 100,
            edits: 20,
            saves: 49,
            ..plain("through-8", large, rooms, 250)
        },
        Run {
            rules: FOUR,
            config: through,
            rallies: 6,
            teams: &[None, Some(5)],
            ..plain("through-4", small, rooms, 100)
        },
        Run { deadline: Some(40), rallies: 3, ..plain("deadline-8", large, rooms, 300) },
        Run {
            rules: FOUR,
            deadline: Some(12),
            edits: 20,
            groups: 30,
            ..plain("deadline-4", small, clutter, 200)
        },
        Run {
            deadline: Some(25),
            teams: &[Some(5)],
            speeds: 50,
            ..plain("deadline-fog-8", large, clutter, 300)
        },
        Run { others: 40, saves: 38, single: 200, ..plain("weighted-8", large, Ground::Weighted, 100) },
        Run { has_index: false, single: 100, ..plain("no-index-8", large, rooms, 80) },
        Run { config: textbook, ..plain("textbook-8", small, clutter, 150) },
        Run {
            rules: Rules { cut_corners: true, ..Rules::default() },
            edits: 20,
            ..plain("cuts-corners-8", large, clutter, 250)
        },
        Run { rallies: 5, single: 60, saves: 51, ..plain("open-8", (110, 90), Ground::Open, 700) },
        Run {
            rules: FOUR,
            edits: 90,
            budget: 700,
            saves: 27,
            others: 60,
            ..plain("doors-4", large, Ground::Rooms(12), 250)
        },
    ]
}

fn map_of(run: &Run, rng: &mut Rng) -> Map {
    let (width, height) = run.size;
    let mut weights = vec![1_u8; (width * height) as usize];
    for y in 0..height {
        for x in 0..width {
            weights[(y * width + x) as usize] = match run.ground {
                Ground::Open => 1,
                Ground::Clutter(percent) => u8::from(rng.below(100) >= percent),
                Ground::Rooms(size) => {
                    let is_wall = x % size == 4 || y % size == 4;
                    u8::from(!is_wall || rng.below(7) == 0 || x % size == y % 7)
                }
                Ground::Passages(size) => {
                    let is_passage = x % size == 0 || y % size == 0;
                    u8::from(is_passage && rng.below(40) > 0 || (x / 17 + y / 13) % 5 == 0)
                }
                Ground::Weighted => {
                    if rng.below(5) == 0 {
                        0
                    } else {
                        1 + rng.below(3) as u8
                    }
                }
            };
        }
    }
    let weight = |x: u32, y: u32| weights[(y * width + x) as usize];
    if run.has_index {
        Map::with_rules(width, height, run.rules, weight).expect("a valid map")
    } else {
        Map::without_index(Grid::new(width, height, run.rules, weight).expect("a valid grid"))
    }
}

/// Random numbers (`SplitMix64`).
struct Rng(u64);

impl Rng {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ (x >> 31)) % n as u64) as usize
    }
}

/// FNV-1a over 64-bit words.
struct Hash(u64);

impl Hash {
    fn add(&mut self, x: u64) {
        for byte in x.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn unit(&mut self, unit: UnitId) {
        self.add(unit.index() as u64);
    }

    fn node(&mut self, node: Option<NodeId>) {
        self.add(node.map_or(u64::MAX, |n| u64::from(n.raw())));
    }

    fn event(&mut self, event: Event) {
        match event {
            Event::Moved { unit, from, to } => {
                self.add(1);
                self.unit(unit);
                self.node(Some(from));
                self.node(Some(to));
            }
            Event::Arrived { unit } => {
                self.add(2);
                self.unit(unit);
            }
            Event::Blocked { unit, by } => {
                self.add(3);
                self.unit(unit);
                self.unit(by);
            }
            Event::Sealed { unit, by } => {
                self.add(4);
                self.unit(unit);
                self.unit(by);
            }
            Event::Rerouted { unit } => {
                self.add(5);
                self.unit(unit);
            }
            Event::Exchanged { unit, with } => {
                self.add(6);
                self.unit(unit);
                self.unit(with);
            }
            Event::Unreachable { unit, nearest } => {
                self.add(7);
                self.unit(unit);
                self.node(nearest);
            }
            Event::Buried { unit } => {
                self.add(8);
                self.unit(unit);
            }
            _ => self.add(9),
        }
    }

    fn state(&mut self, fleet: &Fleet) {
        let summary = fleet.summary();
        for x in [summary.moved, summary.underway, summary.seeking, summary.left_out, summary.searches] {
            self.add(u64::from(x));
        }
        self.add(summary.work);
        let report = summary.resolver;
        for x in [report.waiting, report.swaps, report.led] {
            self.add(u64::from(x));
        }
        self.add(report.work);
        for unit in fleet.units() {
            self.unit(unit);
            self.node(fleet.at(unit));
            self.node(fleet.goal(unit));
            let status = match fleet.status(unit) {
                Some(UnitStatus::Idle) => 0,
                Some(UnitStatus::Seeking) => 1,
                Some(UnitStatus::Underway) => 2,
                Some(UnitStatus::Arrived) => 3,
                Some(UnitStatus::Unreachable) => 4,
                Some(UnitStatus::Buried) => 5,
                _ => 6,
            };
            self.add(status);
            self.add(fleet.blocked_by(unit).map_or(u64::MAX, |by| by.index() as u64));
            self.add(fleet.stalled(unit));
            if (unit.index() as u64 + fleet.ticks()).is_multiple_of(16) {
                self.node(fleet.next(unit));
                fleet.corners_ahead(unit).for_each(|n| self.node(Some(n)));
            }
        }
    }
}

/// A clock that shows one more every time it is read.
fn clock() -> u64 {
    static NOW: AtomicU64 = AtomicU64::new(0);
    NOW.fetch_add(1, Ordering::Relaxed)
}

struct Player<'a> {
    run: &'a Run,
    rng: Rng,
    fleet: Fleet,
    free: Vec<NodeId>,
    walls: Vec<NodeId>,
    teams: Vec<TeamId>,
}

impl<'a> Player<'a> {
    fn new(run: &'a Run, seed: u64) -> Self {
        let mut rng = Rng(seed);
        let map = map_of(run, &mut rng);
        let cells = (0..run.size.1).flat_map(|y| (0..run.size.0).map(move |x| (x, y)));
        let cells = cells.filter_map(|(x, y)| map.node(x, y));
        let (free, walls): (Vec<_>, Vec<_>) = cells.partition(|&n| map.is_free(n));
        let mut fleet = Fleet::with(map, run.config);
        let teams = run.teams.iter().map(|sight| match sight {
            None => TeamId::FIRST,
            Some(radius) => fleet.add_team(Vision::Radius(*radius)).expect("a team"),
        });
        let teams = teams.collect();
        let mut player = Self { run, rng, fleet, free, walls, teams };
        while player.fleet.units().count() < run.units {
            player.spawn();
        }
        for unit in player.fleet.units().collect::<Vec<_>>() {
            let goal = player.cell();
            player.fleet.order(&[unit], Goal::at(goal));
        }
        player
    }

    fn cell(&mut self) -> NodeId {
        self.free[self.rng.below(self.free.len())]
    }

    fn spawn(&mut self) {
        let team = self.teams[self.rng.below(self.teams.len())];
        let at = self.cell();
        let _ = self.fleet.spawn(team, at);
    }

    fn unit(&mut self) -> UnitId {
        let all: Vec<UnitId> = self.fleet.units().collect();
        all[self.rng.below(all.len())]
    }

    fn some(&mut self, most: usize) -> Vec<UnitId> {
        let (first, count) = (self.unit().index(), 1 + self.rng.below(most));
        self.fleet.units().filter(|unit| unit.index() >= first).take(count).collect()
    }

    /// Returns the number of events in this tick, given their number per 100 ticks.
    fn times(&mut self, per_hundred: u64) -> u64 {
        per_hundred / 100 + u64::from((self.rng.below(100) as u64) < per_hundred % 100)
    }

    fn operate(&mut self) {
        let run = self.run;
        for _ in 0..self.times(run.single) {
            let (unit, goal) = (self.unit(), self.cell());
            let goal = if self.rng.below(6) == 0 { Goal::near(goal) } else { Goal::at(goal) };
            self.fleet.order(&[unit], goal);
        }
        for _ in 0..self.times(run.rallies) {
            let (units, goal) = (self.some(run.units / 2), self.cell());
            self.fleet.order(&units, Goal::near(goal));
        }
        for _ in 0..self.times(run.groups) {
            let (units, goal) = (self.some(25), self.cell());
            let goal = if self.rng.below(2) == 0 { Goal::near(goal) } else { Goal::at(goal) };
            self.fleet.order(&units, goal);
        }
        for _ in 0..self.times(run.edits) {
            let list = if self.rng.below(2) == 0 { &self.walls } else { &self.free };
            if list.is_empty() {
                continue;
            }
            let cell = list[self.rng.below(list.len())];
            let weight = u8::from(!self.fleet.map().is_free(cell));
            self.fleet.set(cell, weight).expect("a cell of the map");
        }
        for _ in 0..self.times(run.speeds) {
            let unit = self.unit();
            let speed = match self.rng.below(4) {
                0 => Speed::EveryTicks(1),
                1 => Speed::EveryTicks(1 + self.rng.below(5) as u32),
                _ => Speed::Hundredths(20 + self.rng.below(130) as u32),
            };
            self.fleet.set_speed(unit, speed).expect("a unit");
        }
        for _ in 0..self.times(run.others) {
            let unit = self.unit();
            match self.rng.below(6) {
                0 => {
                    let units = self.some(20);
                    self.fleet.stop(&units);
                }
                1 => {
                    let to = self.cell();
                    let _ = self.fleet.teleport(unit, to);
                }
                2 => assert!(self.fleet.remove(unit), "it was there"),
                3 => {
                    let first = self.rng.below(2) == 0;
                    self.fleet.prefer(unit, first).expect("a unit");
                }
                _ => self.spawn(),
            }
        }
    }

    fn play(mut self) -> u64 {
        let mut hash = Hash(0xcbf2_9ce4_8422_2325);
        for tick in 0..self.run.ticks {
            self.operate();
            let mut meter = match self.run.deadline {
                Some(readings) => Meter::until(clock, clock() + readings),
                None => Meter::priced(self.run.budget, Prices::ALL_WORK),
            };
            let events: Vec<Event> = self.fleet.tick_with(&mut meter).collect();
            for event in events {
                hash.event(event);
            }
            hash.state(&self.fleet);
            if (tick + 1) % self.run.saves == 0 {
                let saved: SavedFleet = self.fleet.save();
                self.fleet = Fleet::load(&saved).expect("its own save");
            }
        }
        hash.0
    }
}

#[test]
fn whole_runs_are_the_same() {
    let only = std::env::var("FLEETFOOT_RUN").ok();
    let mut text = String::new();
    for (k, run) in runs().iter().enumerate() {
        if only.as_ref().is_some_and(|only| only != run.name) {
            continue;
        }
        writeln!(text, "{} {:016x}", run.name, Player::new(run, k as u64 + 1).play()).expect("a string");
    }
    if std::env::var_os("FLEETFOOT_BLESS").is_some() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fleet_runs.txt");
        std::fs::write(&path, &text).expect("the file of hashes");
        return;
    }
    let known = include_str!("fleet_runs.txt");
    let others: Vec<&str> = text.lines().filter(|line| !known.lines().any(|known| known == *line)).collect();
    assert!(others.is_empty(), "other than before:\n{}", others.join("\n"));
}
