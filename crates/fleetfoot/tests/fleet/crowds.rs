//! Crowds: units that are sent to one place fill it, whatever happens to them meanwhile.

use std::collections::{HashMap, HashSet};

use fleetfoot::fleet::{Event, Fleet, Goal, Speed, TeamId, UnitId, UnitStatus, Vision};
use fleetfoot::{Map, Neighborhood, NodeId, Rules};
use fleetfoot_testkit::Rng;

use super::units::{Watched, ground, rooms};
use crate::regimes::{self, in_both_regimes};

in_both_regimes!(
    a_crowd_uses_the_whole_width_of_its_entrance,
    a_room_behind_a_passage_is_filled_from_the_beginning,
    every_cell_of_a_dead_end_is_filled,
    exchanges_are_told,
    who_passes_through_a_crowd_leaves_it_whole,
    crowds_bear_whatever_happens_and_are_saved,
);

/// Puts units on the first of these cells.
fn muster(fleet: &mut Fleet, team: TeamId, cells: &[NodeId], count: usize) -> Vec<UnitId> {
    cells[..count].iter().map(|&cell| fleet.spawn(team, cell).expect("a free cell")).collect()
}

/// Returns `true` if all of these have arrived, on different goals.
fn have_settled(fleet: &Fleet, units: &[UnitId]) -> bool {
    let goals: HashSet<Option<NodeId>> = units.iter().map(|&unit| fleet.goal(unit)).collect();
    let is_there = |&unit: &UnitId| {
        fleet.status(unit) == Some(UnitStatus::Arrived) && fleet.at(unit) == fleet.goal(unit)
    };
    goals.len() == units.len() && units.iter().all(is_there)
}

/// Ticks until all have settled.
fn fill(watched: &mut Watched, units: &[UnitId], work: u64, most: u32) -> u32 {
    (0..most)
        .find(|_| {
            watched.tick(work);
            have_settled(&watched.fleet, units)
        })
        .unwrap_or_else(|| {
            let left = units.iter().filter(|&&unit| watched.fleet.at(unit) != watched.fleet.goal(unit));
            panic!("{} of {} have not settled after {most} ticks", left.count(), units.len())
        })
}

/// Returns two rooms, joined by a passage of some width that turns a corner.
fn bend(width: u32) -> Map {
    let is_free = |x: u32, y: u32| {
        let rooms = x < 30 && y >= 60 || x >= 60 && y < 30;
        let level = (74..74 + width).contains(&y) && (30..74 + width).contains(&x);
        let upright = (74..74 + width).contains(&x) && (30..74 + width).contains(&y);
        rooms || level || upright
    };
    Map::new(90, 90, is_free).expect("a valid map")
}

fn a_crowd_uses_the_whole_width_of_its_entrance() {
    let mut took = Vec::new();
    for width in [2, 8] {
        let map = bend(width);
        let cells: Vec<NodeId> = (0..30)
            .rev()
            .flat_map(|x| (60..90).map(move |y| (x, y)))
            .filter_map(|(x, y)| map.node(x, y))
            .collect();
        let middle = map.node(75, 12).expect("a cell");
        let mut fleet = regimes::fleet(map);
        let units = muster(&mut fleet, TeamId::FIRST, &cells, 700);
        fleet.order(&units, Goal::near(middle));
        took.push(fill(&mut Watched::new(fleet), &units, 4000, 900));
    }
    assert!(took[0] < 850, "one unit a tick comes through: {took:?}");
    assert!(took[1] < 320 && 5 * took[1] < 2 * took[0], "a wide passage lets more through: {took:?}");
}

/// The middle lies behind a passage, before which there are slots as well: to pass it takes longest, so units pass it from the
/// beginning, side by side.
fn a_room_behind_a_passage_is_filled_from_the_beginning() {
    let is_free = |x: u32, y: u32| {
        let hall = x < 60;
        let passage = (60..80).contains(&x) && (19..21).contains(&y);
        let room = (80..100).contains(&x) && (10..30).contains(&y);
        hall || passage || room
    };
    let map = Map::new(100, 40, is_free).expect("a valid map");
    let hall: Vec<NodeId> = ground(&map).into_iter().filter(|&n| map.xy(n).0 < 60).step_by(2).collect();
    let middle = map.node(90, 20).expect("a cell");
    let mut fleet = regimes::fleet(map);
    let units = muster(&mut fleet, TeamId::FIRST, &hall, 1200);
    fleet.order(&units, Goal::near(middle));
    let took = fill(&mut Watched::new(fleet), &units, 6000, 800);
    assert!(took < 280, "{took} ticks for 440 cells behind the entrance, which lets two in at a time");
}

fn every_cell_of_a_dead_end_is_filled() {
    // A hall, and a passage with as many cells as there are units: the middle is its end.
    for neighborhood in [Neighborhood::Four, Neighborhood::Eight] {
        let rules = Rules { neighborhood, ..Rules::default() };
        let map = Map::with_rules(60, 8, rules, |x, y| u8::from(x < 20 || y == 4)).expect("a valid map");
        let cells = ground(&map);
        let hall: Vec<NodeId> = cells.iter().copied().filter(|&n| map.xy(n).0 < 20).collect();
        let end = map.node(59, 4).expect("a cell");
        let mut fleet = regimes::fleet(map);
        let units = muster(&mut fleet, TeamId::FIRST, &hall, 40);
        fleet.order(&units, Goal::near(end));
        fill(&mut Watched::new(fleet), &units, 500, 150);
    }
}

fn exchanges_are_told() {
    let map = rooms(64, Neighborhood::Eight, 3);
    let cells = ground(&map);
    let mut fleet = regimes::fleet(map);
    let units = muster(&mut fleet, TeamId::FIRST, &cells, 300);
    fleet.order(&units, Goal::near(cells[cells.len() - 200]));
    let mut goals: HashMap<UnitId, NodeId> =
        units.iter().map(|&unit| (unit, fleet.goal(unit).expect("it was sent"))).collect();
    let mut watched = Watched::new(fleet);
    let (mut exchanged, mut arrived) = (0, HashSet::new());
    for _ in 0..400 {
        for event in watched.tick(2000) {
            match event {
                Event::Exchanged { unit, with } => {
                    let (mine, theirs) = (goals[&unit], goals[&with]);
                    goals.extend([(unit, theirs), (with, mine)]);
                    exchanged += 1;
                }
                Event::Arrived { unit } => assert!(arrived.insert(unit), "told once"),
                _ => {}
            }
        }
        assert!(goals.iter().all(|(&unit, &goal)| watched.fleet.goal(unit) == Some(goal)));
    }
    assert!(exchanged > 0 && have_settled(&watched.fleet, &units) && arrived.len() == units.len());
}

fn who_passes_through_a_crowd_leaves_it_whole() {
    // A crowd fills a hall between two rooms; others walk through it both ways.
    let map = Map::new(70, 21, |x, y| (20..50).contains(&x) || y % 20 != 0 || x != 20).expect("a valid map");
    let cells = ground(&map);
    let middle = map.node(35, 10).expect("a cell");
    let of = |from: u32, to: u32| -> Vec<NodeId> {
        cells.iter().copied().filter(|&n| (from..to).contains(&map.xy(n).0)).collect()
    };
    let (west, hall, east) = (of(0, 4), of(22, 48), of(66, 70));
    let mut fleet = regimes::fleet(map.clone());
    let crowd = muster(&mut fleet, TeamId::FIRST, &hall, 400);
    fleet.order(&crowd, Goal::near(middle));
    let mut watched = Watched::new(fleet);
    fill(&mut watched, &crowd, 4000, 200);
    let walkers = muster(&mut watched.fleet, TeamId::FIRST, &west, 20);
    for (&unit, &goal) in walkers.iter().zip(&east) {
        watched.fleet.order(&[unit], Goal::at(goal));
    }
    watched.note();
    let all: Vec<UnitId> = crowd.iter().chain(&walkers).copied().collect();
    fill(&mut watched, &all, 4000, 600);
}

fn crowds_bear_whatever_happens_and_are_saved() {
    for seed in 0..6 {
        let mut rng = Rng::new(seed);
        let neighborhood = if seed % 2 == 0 { Neighborhood::Eight } else { Neighborhood::Four };
        let side = if seed < 3 { 48 } else { 100 };
        let map = rooms(side, neighborhood, seed);
        let cells = ground(&map);
        let mut fleet = regimes::fleet(map);
        let fog = fleet.add_team(Vision::Radius(6)).expect("room for a team");
        let mut units: Vec<UnitId> = Vec::new();
        for k in 0..150 {
            let cell = cells[rng.below(cells.len())];
            units.extend(fleet.spawn(if k % 5 == 4 { fog } else { TeamId::FIRST }, cell));
        }
        let places: Vec<NodeId> = (0..3).map(|_| cells[rng.below(cells.len())]).collect();
        let mut watched = Watched::new(fleet);
        let mut walls: Vec<NodeId> = Vec::new();
        for tick in 0..300 {
            let some: Vec<UnitId> = (0..20).map(|_| units[rng.below(units.len())]).collect();
            let cell = cells[rng.below(cells.len())];
            let fleet = &mut watched.fleet;
            match rng.below(12) {
                0..=2 => _ = fleet.order(&some, Goal::near(places[rng.below(places.len())])),
                3 => _ = fleet.order(&some[..2], Goal::at(cell)),
                4 => fleet.stop(&some[..3]),
                5 if units.len() > 60 => _ = fleet.remove(units.swap_remove(0)),
                6 => _ = fleet.teleport(some[0], cell),
                7 => _ = fleet.set_speed(some[0], Speed::EveryTicks(1 + rng.below(3) as u32)),
                8 if fleet.unit_on(cell).is_none() => {
                    fleet.set(cell, 0).expect("a weight of the map");
                    walls.push(cell);
                }
                9 => _ = walls.pop().map(|cell| fleet.set(cell, 1).expect("a weight of the map")),
                _ => {}
            }
            watched.note();
            if tick % 60 == 30 {
                let mut copy = Fleet::load(&watched.fleet.save()).expect("a sound save");
                let mut original = watched.fleet.clone();
                for _ in 0..25 {
                    let (a, b): (Vec<_>, Vec<_>) = (original.tick(1500).collect(), copy.tick(1500).collect());
                    assert_eq!(a, b, "seed {seed}, tick {tick}");
                }
            }
            watched.tick(1500);
        }
        // Left alone on the map as it was, they fill the place that they are sent to.
        for cell in walls {
            watched.fleet.set(cell, 1).expect("a weight of the map");
        }
        for &unit in &units {
            watched.fleet.set_speed(unit, Speed::EveryTicks(1)).expect("it is there");
        }
        watched.fleet.order(&units, Goal::near(places[0]));
        watched.note();
        fill(&mut watched, &units, 3000, 1500);
    }
}
