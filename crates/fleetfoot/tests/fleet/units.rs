//! The fleet as its users know it: orders, budgets, changes, fog, saves.

use std::collections::HashSet;

use fleetfoot::fleet::{
    Event, Fleet, FleetError, Goal, SavedFleet, Speed, TeamId, UnitId, UnitStatus, Vision,
};
use fleetfoot::{Graph, Grid, Map, Meter, Neighborhood, NodeId, Prices, Rules};
use fleetfoot_testkit::alloc::counted;
use fleetfoot_testkit::fleet::{instance, referee};
use fleetfoot_testkit::{Rng, oracle};

use crate::regimes::{self, in_both_regimes};

in_both_regimes!(
    everybody_sets_out_at_once_and_arrives,
    units_near_one_goal_have_cells_of_their_own_around_it,
    units_that_came_first_make_room_for_those_who_come_later,
    goals_that_cannot_be_reached_are_told_at_once_with_what_can,
    walls_on_units_bury_them_until_they_are_taken_away,
    nonsense_is_refused,
    slow_units_move_in_some_ticks_only,
    teams_in_the_fog_discover_the_map_together,
    one_who_is_put_elsewhere_stays_there,
    one_who_is_walled_in_does_not_mislead_the_others,
    a_saved_fleet_goes_on_alike,
    a_buried_unit_can_be_saved,
    damaged_saves_are_refused_or_harmless,
    steady_ticks_allocate_nothing,
    a_unit_tells_its_speed_and_the_cell_it_goes_to_next,
    any_rules_will_do,
);

/// A map with rooms, by rules.
pub(crate) fn rooms(side: u32, neighborhood: Neighborhood, seed: u64) -> Map {
    let mut rng = Rng::new(seed);
    let doors: HashSet<(u32, u32)> =
        (0..400).map(|_| (rng.below(side as usize) as u32, rng.below(side as usize) as u32)).collect();
    let rules = Rules { neighborhood, ..Rules::default() };
    let is_free = |x: u32, y: u32| x % 9 != 4 && y % 9 != 4 || doors.contains(&(x, y)) || x % 9 == y % 7;
    Map::with_rules(side, side, rules, |x, y| u8::from(is_free(x, y))).expect("a valid map")
}

/// The cells of the largest part of a map.
pub(crate) fn ground(map: &Map) -> Vec<NodeId> {
    instance::joined(map.grid())
}

/// A fleet, its units, and the referee who watches it.
pub(crate) struct Watched {
    pub(crate) fleet: Fleet,
    before: Vec<(UnitId, NodeId)>,
}

impl Watched {
    pub(crate) fn new(fleet: Fleet) -> Self {
        let mut watched = Self { fleet, before: Vec::new() };
        watched.note();
        watched
    }

    /// Something was done to the fleet between ticks.
    pub(crate) fn note(&mut self) {
        self.before = self.fleet.units().map(|unit| (unit, self.fleet.at(unit).expect("there"))).collect();
    }

    pub(crate) fn tick(&mut self, work: u64) -> Vec<Event> {
        let events = self.tick_with(&mut Meter::priced(work, Prices::ALL_WORK));
        let spent = self.fleet.summary().work;
        assert!(spent <= work.max(1), "{spent} of {work}");
        events
    }

    pub(crate) fn tick_with(&mut self, meter: &mut Meter) -> Vec<Event> {
        let events: Vec<Event> = self.fleet.tick_with(meter).collect();
        let before: Vec<NodeId> = self.before.iter().map(|(_, at)| *at).collect();
        self.note();
        let after: Vec<NodeId> = self.before.iter().map(|(_, at)| *at).collect();
        referee::check(self.fleet.map().grid(), &before, &after, false).expect("a legal joint move");
        for (k, (unit, _)) in self.before.iter().enumerate() {
            let told = events.iter().any(
                |event| matches!(event, Event::Moved { unit: who, from, to } if who == unit && (*from, *to) == (before[k], after[k])),
            );
            assert_eq!(told, before[k] != after[k], "moves are told");
        }
        events
    }
}

/// Units on cells drawn by lot, each with a goal of its own.
pub(crate) fn swarm(map: Map, units: usize, seed: u64) -> (Watched, Vec<UnitId>) {
    let mut rng = Rng::new(seed);
    let cells = ground(&map);
    let (starts, goals) = (instance::some(&mut rng, &cells, units), instance::some(&mut rng, &cells, units));
    let mut fleet = regimes::fleet(map);
    let ids: Vec<UnitId> =
        starts.iter().map(|&at| fleet.spawn(TeamId::FIRST, at).expect("free cells")).collect();
    for (&unit, &goal) in ids.iter().zip(&goals) {
        assert_eq!(fleet.order(&[unit], Goal::at(goal)), 1);
    }
    (Watched::new(fleet), ids)
}

fn everybody_sets_out_at_once_and_arrives() {
    for (neighborhood, units, work) in
        [(Neighborhood::Eight, 60, 1000), (Neighborhood::Four, 60, 1000), (Neighborhood::Eight, 30, 40)]
    {
        let (mut fleet, ids) = swarm(rooms(60, neighborhood, 3), units, 5);
        let mut arrived = HashSet::new();
        for tick in 0..1500 {
            let events = fleet.tick(work);
            if tick == 0 {
                let moved = fleet.fleet.summary().moved;
                assert!(moved as usize > units * 9 / 10, "{moved} of {units} set out in the first tick");
            }
            arrived.extend(events.iter().filter_map(|event| match event {
                Event::Arrived { unit } => Some(*unit),
                _ => None,
            }));
            if arrived.len() == units {
                break;
            }
        }
        assert_eq!(arrived.len(), units, "{neighborhood:?} with {work}");
        assert!(ids.iter().all(|unit| fleet.fleet.status(*unit) == Some(UnitStatus::Arrived)));
    }
}

/// Alone, with enough budget to search, a unit walks a shortest path.
#[test]
fn a_unit_alone_walks_a_shortest_way() {
    let mut rng = Rng::new(8);
    for neighborhood in [Neighborhood::Eight, Neighborhood::Four] {
        // So large that units go by ways, not by exact distances in moves.
        let map = rooms(90, neighborhood, 1);
        let cells = ground(&map);
        assert!(cells.len() > 4096);
        for _ in 0..60 {
            let (start, goal) = (rng.pick(&cells), rng.pick(&cells));
            let mut fleet = regimes::fleet(map.clone());
            let unit = fleet.spawn(TeamId::FIRST, start).unwrap();
            fleet.order(&[unit], Goal::at(goal));
            // The first tick moves before anything is known.
            fleet.tick(u64::MAX / 20);
            let from = fleet.at(unit).unwrap();
            let (mut at, mut cost) = (from, 0);
            for _ in 0..500 {
                fleet.tick(u64::MAX / 20);
                let next = fleet.at(unit).unwrap();
                if next != at {
                    cost += map.grid().cost(at, next).raw();
                }
                at = next;
            }
            let least = oracle::distances_to(map.grid(), goal)[from.index()].raw();
            assert_eq!((at, cost), (goal, least));
        }
    }
}

fn units_near_one_goal_have_cells_of_their_own_around_it() {
    let map = rooms(60, Neighborhood::Eight, 4);
    let mut rng = Rng::new(2);
    let cells = ground(&map);
    let mut fleet = regimes::fleet(map);
    let units: Vec<UnitId> = instance::some(&mut rng, &cells, 50)
        .into_iter()
        .map(|at| fleet.spawn(TeamId::FIRST, at).unwrap())
        .collect();
    let goal = rng.pick(&cells);
    fleet.order(&units[..30], Goal::near(goal));
    fleet.order(&units[30..], Goal::near(goal));
    let goals: HashSet<NodeId> = units.iter().map(|unit| fleet.goal(*unit).unwrap()).collect();
    assert_eq!(goals.len(), 50);
    let mut watched = Watched::new(fleet);
    for _ in 0..600 {
        watched.tick(1500);
    }
    let fleet = watched.fleet;
    assert!(units.iter().all(|unit| fleet.at(*unit) == fleet.goal(*unit)));
    // The nearest cells: none that is free and nearer was left out.
    let distances = oracle::distances_to(fleet.map().grid(), goal);
    let farthest = goals.iter().map(|n| distances[n.index()]).max().unwrap();
    let nearer = cells.iter().filter(|n| distances[n.index()] < farthest && !goals.contains(n)).count();
    assert!(nearer < 60, "{nearer} nearer cells were left out");
}

/// Slots in corners and dead ends are filled although units that came first stand before them.
fn units_that_came_first_make_room_for_those_who_come_later() {
    let map = rooms(48, Neighborhood::Eight, 14);
    let mut rng = Rng::new(3);
    let cells = ground(&map);
    let mut fleet = regimes::fleet(map);
    let units: Vec<UnitId> = instance::some(&mut rng, &cells, 300)
        .into_iter()
        .map(|at| fleet.spawn(TeamId::FIRST, at).unwrap())
        .collect();
    let camp = rng.pick(&cells);
    fleet.order(&units, Goal::near(camp));
    let mut watched = Watched::new(fleet);
    let mut arrivals = 0;
    for _ in 0..1500 {
        let events = watched.tick(5000);
        arrivals += events.iter().filter(|event| matches!(event, Event::Arrived { .. })).count();
    }
    let fleet = watched.fleet;
    let there = units.iter().filter(|unit| fleet.at(**unit) == fleet.goal(**unit)).count();
    assert_eq!((there, arrivals), (300, 300));
}

fn goals_that_cannot_be_reached_are_told_at_once_with_what_can() {
    let map = Map::new(40, 40, |x, y| x != 20 && !(x > 30 && y > 30)).unwrap();
    let (island, wall) = (map.node(25, 5).unwrap(), map.node(35, 35).unwrap());
    let mut fleet = regimes::fleet(map);
    let units: Vec<UnitId> = (0..200)
        .map(|k| {
            let cell = fleet.map().node(k % 20, k / 20).unwrap();
            fleet.spawn(TeamId::FIRST, cell).unwrap()
        })
        .collect();
    for (k, &unit) in units.iter().enumerate() {
        fleet.order(&[unit], Goal::at([island, wall, NodeId::NONE][k % 3]));
    }
    let mut told = HashSet::new();
    for tick in 0..40 {
        for event in fleet.tick(2000) {
            if let Event::Unreachable { unit, nearest } = event {
                assert!(told.insert(unit));
                let nearest = nearest.map(|n| fleet.map().xy(n));
                assert!(nearest.is_some_and(|(x, _)| x < 20), "{nearest:?}");
            }
            assert!(!matches!(event, Event::Moved { .. }));
        }
        assert!(tick > 0 || !told.is_empty());
    }
    assert_eq!(told.len(), 200);
    // The wall falls: units whose goals lie beyond it start.
    fleet.set(fleet.map().node(20, 20).unwrap(), 1).unwrap();
    let mut arrived = 0;
    for _ in 0..300 {
        arrived += fleet.tick(3000).filter(|event| matches!(event, Event::Arrived { .. })).count();
    }
    assert!(arrived > 0, "no unit went through the gap");
}

/// Passages one cell wide on a map that is too large for exact distances: a unit at its goal in one lets others pass, and returns.
#[test]
fn large_mazes_are_solved() {
    for seed in [0, 2, 3] {
        let map = Map::from(instance::maze(95, seed, Neighborhood::Four));
        assert!(ground(&map).len() > 4096);
        let (mut watched, units) = swarm(map, 120, seed);
        let is_there = |fleet: &Fleet, unit: &UnitId| fleet.at(*unit) == fleet.goal(*unit);
        let ticks = (0..12_000).find(|_| {
            watched.tick(4000);
            units.iter().all(|unit| is_there(&watched.fleet, unit))
        });
        assert!(ticks.is_some(), "seed {seed}: units that are not there after 12,000 ticks");
    }
}

/// Where nothing says what can be reached, searches and distances do; an order for many does not try one cell after the other.
#[test]
fn goals_that_cannot_be_reached_are_told_without_an_index() {
    for side in [12, 80] {
        let grid = Grid::new(side, side, Rules::default(), |x, _| u8::from(x != 6)).expect("a valid grid");
        let (west, east) = (grid.node(1, 1).unwrap(), grid.node(9, 5).unwrap());
        for grid in [grid.clone(), grid.with_corners()] {
            let mut fleet = regimes::fleet(Map::without_index(grid));
            let units = [0, 1, 2].map(|k| {
                let cell = fleet.map().node(k, 3).unwrap();
                fleet.spawn(TeamId::FIRST, cell).expect("free")
            });
            fleet.order(&units[..2], Goal::near(east));
            fleet.order(&units[2..], Goal::at(east));
            let mut told = Vec::new();
            for _ in 0..400 {
                let events = fleet.tick(500);
                told.extend(events.filter_map(|event| match event {
                    Event::Unreachable { unit, .. } => Some(unit.index()),
                    _ => None,
                }));
            }
            told.sort_unstable();
            assert_eq!(told, [0, 1, 2], "{side}");
            assert_eq!(fleet.summary().searches, 0, "{side}");
            // They still get new orders.
            fleet.order(&units, Goal::near(west));
            (0..50).for_each(|_| drop(fleet.tick(500)));
            assert!(units.iter().all(|&unit| fleet.status(unit) == Some(UnitStatus::Arrived)), "{side}");
        }
    }
}

/// Small maps have exact distances. One that has grown too large for them can still be saved.
#[test]
fn a_map_that_walls_have_left_can_be_saved() {
    let map = Map::with_rules(66, 66, Rules::default(), |x, _| u8::from(x < 62)).expect("a valid map");
    let (from, to) = (map.node(0, 0).unwrap(), map.node(61, 65).unwrap());
    let mut fleet = regimes::fleet(map);
    let unit = fleet.spawn(TeamId::FIRST, from).expect("free");
    fleet.order(&[unit], Goal::at(to));
    drop(fleet.tick(100_000));
    for y in 0..66 {
        let cell = fleet.map().node(62, y).unwrap();
        fleet.set(cell, 1).expect("on the map");
    }
    for ticks in [1, 100] {
        (0..ticks).for_each(|_| drop(fleet.tick(1000)));
        let again = Fleet::load(&fleet.save()).expect("what was saved is read");
        assert_eq!(again.at(unit), fleet.at(unit));
    }
    assert_eq!(fleet.status(unit), Some(UnitStatus::Arrived));
}

#[test]
fn ways_that_changes_break_are_found_anew_and_openings_are_used() {
    // So large that units go by ways, not by exact distances.
    let mut map = Map::new(50, 90, |x, y| x != 25 || y == 2 || y == 27).unwrap();
    let (near, far) = (map.node(25, 2).unwrap(), map.node(25, 27).unwrap());
    map.set(far, 0).unwrap();
    let (start, goal) = (map.node(2, 2).unwrap(), map.node(47, 2).unwrap());
    let mut fleet = regimes::fleet(map);
    let unit = fleet.spawn(TeamId::FIRST, start).unwrap();
    fleet.order(&[unit], Goal::at(goal));
    for _ in 0..10 {
        fleet.tick(200);
    }
    assert_eq!(fleet.path(unit).len(), 35);
    fleet.set(far, 1).unwrap();
    fleet.set(near, 0).unwrap();
    let mut rerouted = 0;
    for _ in 0..5 {
        rerouted += fleet.tick(200).filter(|event| matches!(event, Event::Rerouted { .. })).count();
    }
    assert_eq!(rerouted, 1);
    let path = fleet.path(unit);
    assert!(path.contains(&far) && path.last() == Some(&goal));
    fleet.set(near, 1).unwrap();
    for _ in 0..5 {
        fleet.tick(200);
    }
    assert!(fleet.path(unit).contains(&near), "the shorter way is taken again");
    for cell in [near, far] {
        fleet.set(cell, 0).unwrap();
    }
    let told = (0..300).any(|_| fleet.tick(200).any(|event| matches!(event, Event::Unreachable { .. })));
    assert!(told);
}

fn walls_on_units_bury_them_until_they_are_taken_away() {
    let (mut fleet, ids) = swarm(rooms(40, Neighborhood::Eight, 7), 20, 1);
    fleet.tick(500);
    let (buried, at) = (ids[3], fleet.fleet.at(ids[3]).unwrap());
    fleet.fleet.set(at, 0).unwrap();
    let events: Vec<Event> = (0..3).flat_map(|_| fleet.tick(500)).collect();
    assert!(events.contains(&Event::Buried { unit: buried }));
    for _ in 0..50 {
        fleet.tick(500);
    }
    assert_eq!((fleet.fleet.at(buried), fleet.fleet.status(buried)), (Some(at), Some(UnitStatus::Buried)));
    fleet.fleet.set(at, 1).unwrap();
    for _ in 0..400 {
        fleet.tick(500);
    }
    assert_eq!(fleet.fleet.status(buried), Some(UnitStatus::Arrived));
}

fn nonsense_is_refused() {
    let map = Map::new(6, 6, |x, _| x != 3).unwrap();
    let (free, wall) = (map.node(1, 1).unwrap(), map.node(3, 3).unwrap());
    let mut fleet = regimes::fleet(map);
    assert_eq!(fleet.tick(100).count(), 0, "nobody is there");
    let unit = fleet.spawn(TeamId::FIRST, free).unwrap();
    assert_eq!(fleet.spawn(TeamId::FIRST, free), Err(FleetError::Taken));
    assert_eq!(fleet.spawn(TeamId::FIRST, wall), Err(FleetError::Blocked));
    assert_eq!(fleet.spawn(TeamId::FIRST, NodeId::NONE), Err(FleetError::Blocked));
    assert_eq!(fleet.teleport(unit, wall), Err(FleetError::Blocked));
    assert!(fleet.set(NodeId::NONE, 1).is_err());
    // More units than there is room for: the rest crowds round.
    let mut all = vec![unit];
    for k in 0..18 {
        let cell = fleet.map().node(k % 3, k / 3).unwrap();
        if cell != free {
            all.push(fleet.spawn(TeamId::FIRST, cell).unwrap());
        }
    }
    assert_eq!(fleet.order(&all, Goal::near(free)), 18);
    for _ in 0..50 {
        fleet.tick(0);
        fleet.tick(100);
    }
    assert!(fleet.remove(all[5]) && !fleet.remove(all[5]));
    assert_eq!(fleet.order(&all[5..6], Goal::at(free)), 0);
    assert_eq!(fleet.teleport(all[5], free), Err(FleetError::NoUnit));
    let again = fleet.spawn(TeamId::FIRST, fleet.map().node(4, 4).unwrap()).unwrap();
    assert_ne!(again, all[5]);
    assert_eq!(fleet.at(all[5]), None);
    fleet.tick(100);
}

fn slow_units_move_in_some_ticks_only() {
    let mut fleet = regimes::fleet(Map::new(60, 60, |_, _| true).unwrap());
    let cell = |fleet: &Fleet, x, y| fleet.map().node(x, y).unwrap();
    let speeds = [Speed::EveryTicks(3), Speed::Hundredths(50), Speed::Hundredths(100), Speed::EveryTicks(1)];
    let units: Vec<UnitId> = (0..4)
        .map(|k| {
            let at = cell(&fleet, 2, 2 + 8 * k);
            fleet.spawn(TeamId::FIRST, at).unwrap()
        })
        .collect();
    for (k, (&unit, speed)) in units.iter().zip(speeds).enumerate() {
        fleet.set_speed(unit, speed).unwrap();
        let goal = cell(&fleet, 40, 2 + 8 * k as u32);
        fleet.order(&[unit], Goal::at(goal));
    }
    for _ in 0..30 {
        fleet.tick(100);
    }
    let gone: Vec<u32> = units.iter().map(|&unit| fleet.map().xy(fleet.at(unit).unwrap()).0 - 2).collect();
    assert_eq!(gone, [10, 15, 30, 30]);
    // Diagonal moves take longer by distance.
    let goal = cell(&fleet, 59, 45);
    fleet.teleport(units[2], cell(&fleet, 14, 0)).unwrap();
    fleet.order(&[units[2]], Goal::at(goal));
    let before = fleet.map().xy(fleet.at(units[2]).unwrap());
    for _ in 0..28 {
        fleet.tick(100);
    }
    let after = fleet.map().xy(fleet.at(units[2]).unwrap());
    assert!((18..=21).contains(&(after.0 - before.0)), "{before:?} {after:?}");
}

fn teams_in_the_fog_discover_the_map_together() {
    let map = rooms(60, Neighborhood::Eight, 9);
    let cells = ground(&map);
    let mut rng = Rng::new(4);
    let mut fleet = regimes::fleet(map);
    let team = fleet.add_team(Vision::Radius(4)).unwrap();
    let units: Vec<UnitId> =
        instance::some(&mut rng, &cells, 25).into_iter().map(|at| fleet.spawn(team, at).unwrap()).collect();
    let goals = instance::some(&mut rng, &cells, 25);
    for (&unit, &goal) in units.iter().zip(&goals) {
        fleet.order(&[unit], Goal::at(goal));
    }
    let mut watched = Watched::new(fleet);
    for _ in 0..2000 {
        watched.tick(2000);
    }
    let fleet = watched.fleet;
    let arrived = units.iter().filter(|unit| fleet.status(**unit) == Some(UnitStatus::Arrived)).count();
    assert_eq!(arrived, 25);
    // What they know is true where they have seen, and free elsewhere.
    let known = fleet.known_map(team).unwrap();
    let mut seen = 0;
    for n in (0..fleet.map().grid().bound()).map(NodeId::from_index) {
        let (x, y) = fleet.map().xy(n);
        if x < 60 && y < 60 {
            let is_seen = fleet.has_seen(team, n);
            seen += u32::from(is_seen);
            assert_eq!(known.is_free(n), !is_seen || fleet.map().is_free(n));
        }
    }
    assert!(seen > 1000);
}

#[test]
fn a_group_in_the_fog_gathers_though_cells_turn_out_to_be_walls() {
    let map = rooms(100, Neighborhood::Eight, 9);
    let cells = ground(&map);
    for goal in [Goal::near(cells[cells.len() / 2]), Goal::at(cells[cells.len() / 3])] {
        let mut rng = Rng::new(6);
        let mut fleet = regimes::fleet(map.clone());
        let team = fleet.add_team(Vision::Radius(6)).unwrap();
        let starts = instance::some(&mut rng, &cells, 120);
        let units: Vec<UnitId> = starts.into_iter().map(|at| fleet.spawn(team, at).unwrap()).collect();
        fleet.order(&units, goal);
        for _ in 0..1500 {
            fleet.tick(3000);
        }
        let all =
            |status: UnitStatus| units.iter().filter(|unit| fleet.status(**unit) == Some(status)).count();
        assert_eq!(all(UnitStatus::Unreachable), 0);
        if matches!(goal, Goal::Near(_)) {
            assert_eq!(all(UnitStatus::Arrived), 120);
        }
    }
}

#[test]
fn paths_are_made_of_moves() {
    for neighborhood in [Neighborhood::Four, Neighborhood::Eight] {
        let map = rooms(90, neighborhood, 4);
        let grid = map.grid().clone();
        let (mut watched, units) = swarm(map, 200, 3);
        let mut known = 0;
        for _ in 0..30 {
            watched.tick(4000);
            for &unit in &units {
                let (at, path) = (watched.fleet.at(unit).expect("there"), watched.fleet.path(unit));
                assert_eq!(watched.fleet.next(unit), path.first().copied());
                let mut from = at;
                for &to in &path {
                    assert!(grid.succs(from).any(|edge| edge.to == to), "{from:?} to {to:?}");
                    from = to;
                }
                known += usize::from(!path.is_empty());
            }
        }
        assert!(known > 4000, "{known}");
    }
}

fn one_who_is_put_elsewhere_stays_there() {
    let mut config = regimes::config();
    config.collisions = false;
    let map = Map::new(20, 20, |_, _| true).expect("a valid map");
    let cells: Vec<NodeId> = (0..20).map(|x| map.node(x, x).expect("a cell")).collect();
    let mut fleet = Fleet::with(map, config);
    let unit = fleet.spawn(TeamId::FIRST, cells[0]).expect("free");
    fleet.order(&[unit], Goal::at(cells[9]));
    fleet.tick(100);
    fleet.stop(&[unit]);
    fleet.teleport(unit, cells[15]).expect("free");
    fleet.tick(100);
    assert_eq!(fleet.at(unit), Some(cells[15]));
}

fn one_who_is_walled_in_does_not_mislead_the_others() {
    let is_wall = |x: u32, y: u32| x < 4 && y < 4 && (x == 3 || y == 3);
    let map = Map::new(40, 40, |x, y| !is_wall(x, y)).expect("a valid map");
    let cell = |x: u32, y: u32| map.node(x, y).expect("a cell");
    let (pen, goal) = (cell(1, 1), cell(30, 30));
    let starts: Vec<NodeId> = (10..30).map(|x| cell(x, 10)).collect();
    let mut fleet = regimes::fleet(map);
    let mut units = vec![fleet.spawn(TeamId::FIRST, pen).expect("free")];
    units.extend(starts.iter().map(|&at| fleet.spawn(TeamId::FIRST, at).expect("free")));
    fleet.order(&units, Goal::near(goal));
    for unit in &units[1..] {
        let (x, y) = fleet.map().xy(fleet.goal(*unit).expect("an order"));
        assert!(x.abs_diff(30) < 5 && y.abs_diff(30) < 5);
    }
}

/// Everything at once: orders, edits, fog, removals; a fleet that is saved and loaded again and again goes on alike.
fn a_saved_fleet_goes_on_alike() {
    for (neighborhood, work, collisions) in
        [(Neighborhood::Eight, 300, true), (Neighborhood::Four, 60, true), (Neighborhood::Eight, 150, false)]
    {
        let map = rooms(48, neighborhood, 12);
        let cells = ground(&map);
        let mut rng = Rng::new(21);
        let mut config = regimes::config();
        config.collisions = collisions;
        let mut fleet = Fleet::with(map, config);
        let fog = fleet.add_team(Vision::Radius(5)).unwrap();
        let mut units: Vec<UnitId> = instance::some(&mut rng, &cells, 40)
            .into_iter()
            .enumerate()
            .map(|(k, at)| fleet.spawn([TeamId::FIRST, fog][k % 2], at).unwrap())
            .collect();
        let mut twin = fleet.clone();
        for round in 0..240 {
            // A loaded fleet is saved as well, in the middle of the same searches.
            if round % 7 == 3 || round % 7 == 4 {
                let source = if round % 7 == 3 { &fleet } else { &twin };
                let text = serde_json::to_string(&source.save()).expect("plain data");
                let saved: SavedFleet = serde_json::from_str(&text).expect("what was written");
                twin = Fleet::load(&saved).expect("what was saved");
            }
            let cell = rng.pick(&cells);
            let (a, b) = (rng.pick(&units), rng.pick(&units));
            let weight = rng.below(2) as u8;
            for fleet in [&mut fleet, &mut twin] {
                match round % 6 {
                    0 => {
                        fleet.order(&[a, b], Goal::at(cell));
                    }
                    1 if round % 4 == 1 => {
                        fleet.order(&units, Goal::near(cell));
                    }
                    2 | 3 => {
                        fleet.set(cell, weight).unwrap();
                    }
                    4 if round % 5 == 0 => {
                        fleet.remove(a);
                    }
                    5 => {
                        let _ = fleet.teleport(b, cell);
                        let _ = fleet.prefer(b, true);
                        let _ = fleet.set_speed(a, Speed::Hundredths(70));
                    }
                    _ => {}
                }
            }
            let events: Vec<Event> = fleet.tick(work).collect();
            let theirs: Vec<Event> = twin.tick(work).collect();
            assert_eq!(events, theirs, "in round {round}");
            assert_eq!(fleet.summary(), twin.summary(), "in round {round}");
            units.retain(|unit| fleet.at(*unit).is_some());
        }
    }
}

/// Also one on which a wall was built before it had any order.
fn a_buried_unit_can_be_saved() {
    let map = rooms(48, Neighborhood::Eight, 12);
    let cell = ground(&map)[7];
    let mut fleet = regimes::fleet(map);
    let unit = fleet.spawn(TeamId::FIRST, cell).expect("free");
    fleet.set(cell, 0).expect("a cell");
    let twin = Fleet::load(&fleet.save()).expect("what was saved");
    assert_eq!(twin.status(unit), Some(UnitStatus::Buried));
}

fn damaged_saves_are_refused_or_harmless() {
    let (mut fleet, ids) = swarm(rooms(30, Neighborhood::Eight, 2), 12, 3);
    fleet.fleet.order(&ids, Goal::near(fleet.fleet.at(ids[0]).unwrap()));
    fleet.tick(30);
    let text = serde_json::to_string(&fleet.fleet.save()).unwrap();
    let mut rng = Rng::new(5);
    let mut refused = 0;
    for _ in 0..400 {
        let mut value: serde_json::Value = serde_json::from_str(&text).unwrap();
        let bytes = value["bytes"].as_array_mut().unwrap();
        let len = bytes.len();
        if rng.below(3) == 0 {
            bytes.truncate(rng.below(len));
        } else {
            // With a checksum that is right, so that the rest is looked at.
            let k = rng.below(len - 8);
            bytes[k] = serde_json::Value::from(rng.below(256));
            let body: Vec<u8> = bytes[..len - 8].iter().map(|b| b.as_u64().unwrap() as u8).collect();
            let sum = body
                .iter()
                .fold(0xcbf2_9ce4_8422_2325_u64, |h, &b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3));
            for (k, byte) in sum.to_le_bytes().into_iter().enumerate() {
                bytes[len - 8 + k] = serde_json::Value::from(byte);
            }
        }
        let saved: SavedFleet = serde_json::from_value(value).unwrap();
        match Fleet::load(&saved) {
            Err(error) => {
                refused += 1;
                assert!(error.to_string().starts_with("this save cannot be restored"));
            }
            Ok(mut fleet) => {
                for _ in 0..30 {
                    fleet.tick(50);
                }
            }
        }
    }
    assert!(refused > 100);
}

/// The bound of the scheduler: no waiting unit is forgotten, however many orders come.
#[test]
fn nobody_starves_while_others_are_sent_about_all_the_time() {
    let map = rooms(60, Neighborhood::Eight, 6);
    let cells = ground(&map);
    let mut rng = Rng::new(31);
    let mut fleet = regimes::fleet(map);
    let units: Vec<UnitId> = instance::some(&mut rng, &cells, 80)
        .into_iter()
        .map(|at| fleet.spawn(TeamId::FIRST, at).unwrap())
        .collect();
    let patient = &units[..20];
    for &unit in patient {
        let goal = rng.pick(&cells);
        fleet.order(&[unit], Goal::at(goal));
    }
    for &unit in &units[20..] {
        fleet.prefer(unit, true).unwrap();
    }
    let mut waiting = 0;
    for _ in 0..400 {
        for _ in 0..4 {
            let unit = rng.pick(&units[20..]);
            let goal = rng.pick(&cells);
            fleet.order(&[unit], Goal::at(goal));
        }
        fleet.tick(400);
        let seeking = |unit: &&UnitId| fleet.status(**unit) == Some(UnitStatus::Seeking);
        waiting = patient.iter().filter(seeking).count();
        if waiting == 0 {
            break;
        }
    }
    assert_eq!(waiting, 0, "some still wait for their first way");
}

fn steady_ticks_allocate_nothing() {
    let (mut fleet, _) = swarm(rooms(60, Neighborhood::Eight, 3), 60, 5);
    for _ in 0..60 {
        fleet.tick(20_000);
    }
    assert_eq!(fleet.fleet.summary().seeking, 0);
    let fleet = &mut fleet.fleet;
    let ((), taken) = counted(|| {
        for _ in 0..40 {
            fleet.tick(2000);
        }
    });
    assert_eq!(taken.calls, 0);
}

/// With feature `rayon` long searches go on side by side. Without it there is nothing to check.
#[cfg(feature = "rayon")]
#[test]
fn threads_change_nothing() {
    let walked = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| {
            let (mut watched, units) = swarm(rooms(120, Neighborhood::Eight, 5), 250, 9);
            let mut all: Vec<Event> = Vec::new();
            for tick in 0..40 {
                all.extend(watched.tick(9000));
                let cell = watched.fleet.at(units[tick]).expect("there");
                watched.fleet.order(&units[tick..tick + 20], Goal::near(cell));
            }
            all
        })
    };
    let alone = walked(1);
    assert!(alone.len() > 5000);
    assert!([2, 4].map(walked).iter().all(|events| *events == alone));
}

fn a_unit_tells_its_speed_and_the_cell_it_goes_to_next() {
    let mut fleet = regimes::fleet(Map::new(20, 1, |_, _| true).expect("a valid map"));
    let cells: Vec<NodeId> = (0..20).map(|x| fleet.map().node(x, 0).expect("a cell")).collect();
    let unit = fleet.spawn(TeamId::new(0), cells[0]).expect("free");
    assert!(fleet.spawn(TeamId::new(1), cells[5]).is_err(), "there is one team");
    assert_eq!((fleet.speed(unit), fleet.next(unit)), (Some(Speed::EveryTicks(1)), None));
    fleet.order(&[unit], Goal::at(cells[19]));
    fleet.tick(100);
    assert_eq!((fleet.at(unit), fleet.next(unit)), (Some(cells[1]), Some(cells[2])));
    // A unit that was slow rests no longer than its new speed requires.
    fleet.set_speed(unit, Speed::EveryTicks(50)).expect("there");
    fleet.tick(100);
    assert_eq!(fleet.speed(unit), Some(Speed::EveryTicks(50)));
    fleet.set_speed(unit, Speed::EveryTicks(2)).expect("there");
    let moved = (0..4).filter(|_| fleet.tick(100).any(|event| matches!(event, Event::Moved { .. }))).count();
    assert_eq!(moved, 2);
}

/// Weights, corner cutting: searches are among cells there.
fn any_rules_will_do() {
    let mut rng = Rng::new(77);
    for cut_corners in [false, true] {
        let rules = Rules { cut_corners, ..Rules::default() };
        let weight = |x: u32, y: u32| {
            if (x * 7 + y * 13).is_multiple_of(11) { 0 } else { 1 + (x / 9 + y / 7) as u8 % 3 }
        };
        let grid = Grid::new(40, 40, rules, weight).unwrap();
        let map = Map::from(grid);
        let cells = ground(&map);
        let mut fleet = regimes::fleet(map);
        let units: Vec<UnitId> = instance::some(&mut rng, &cells, 30)
            .into_iter()
            .map(|at| fleet.spawn(TeamId::FIRST, at).unwrap())
            .collect();
        let goals = instance::some(&mut rng, &cells, 15);
        for (&unit, &goal) in units.iter().zip(&goals) {
            fleet.order(&[unit], Goal::at(goal));
        }
        let camp = rng.pick(&cells);
        fleet.order(&units[15..], Goal::near(camp));
        for _ in 0..500 {
            fleet.tick(1000);
        }
        let there = units.iter().filter(|unit| fleet.status(**unit) == Some(UnitStatus::Arrived)).count();
        assert_eq!(there, 30, "cut corners: {cut_corners}");
    }
}

/// On ground of every kind, too large for rows of distances, with edits in mid-search: a unit that can get to its goal does, and
/// one that cannot is reported.
#[test]
fn whoever_can_get_to_its_goal_does_and_nobody_else() {
    let kinds = [(97, 131, 30), (150, 70, 12), (201, 203, 3), (64, 160, 40), (333, 90, 0)];
    for (seed, (width, height, walls)) in (0_u64..).zip(kinds) {
        for neighborhood in [Neighborhood::Eight, Neighborhood::Four] {
            let mut rng = Rng::new(100 + seed);
            let rules = Rules { neighborhood, ..Rules::default() };
            // Blocks of several sizes, so that there are wide plains and narrow gaps.
            let mut blocked = HashSet::new();
            let size = if walls < 10 { 12 } else { 2 };
            while blocked.len() < (width * height * walls / 100) as usize {
                let (x, y) = (rng.below(width as usize) as u32, rng.below(height as usize) as u32);
                let (w, h) = (1 + rng.below(size) as u32, 1 + rng.below(size) as u32);
                blocked.extend((x..x + w).flat_map(|x| (y..y + h).map(move |y| (x, y))));
            }
            let map = Map::with_rules(width, height, rules, |x, y| u8::from(!blocked.contains(&(x, y))));
            let map = map.expect("a valid map");
            let free: Vec<NodeId> =
                (0..map.grid().bound()).map(NodeId::from_index).filter(|&n| map.grid().is_free(n)).collect();
            let mut config = regimes::config();
            config.collisions = false;
            let mut fleet = Fleet::with(map, config);
            let goals: Vec<NodeId> = (0..60).map(|_| rng.pick(&free)).collect();
            let units: Vec<UnitId> =
                goals.iter().map(|_| fleet.spawn(TeamId::FIRST, rng.pick(&free)).expect("free")).collect();
            for (unit, &goal) in units.iter().zip(&goals) {
                fleet.order(&[*unit], Goal::at(goal));
            }
            for tick in 0..3000 {
                if tick < 60 {
                    let cell = rng.pick(&free);
                    let is_used =
                        goals.contains(&cell) || fleet.units().any(|unit| fleet.at(unit) == Some(cell));
                    if !is_used {
                        fleet.set(cell, rng.below(2) as u8).expect("a cell");
                    }
                }
                fleet.tick(400);
            }
            for (unit, &goal) in units.iter().zip(&goals) {
                let (at, status) = (fleet.at(*unit).expect("there"), fleet.status(*unit));
                let can = oracle::distance(fleet.map().grid(), at, goal).is_finite();
                let expected = if can { UnitStatus::Arrived } else { UnitStatus::Unreachable };
                assert_eq!(
                    status,
                    Some(expected),
                    "{width}x{height}, {neighborhood:?}: from {at:?} to {goal:?}"
                );
                assert!(!can || at == goal);
            }
        }
    }
}
