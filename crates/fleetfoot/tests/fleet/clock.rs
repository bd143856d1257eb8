//! Ticks under a deadline that leaves not enough time for the plans of all units.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};

use fleetfoot::fleet::{Event, Fleet, Goal, Speed, TeamId, UnitId, UnitStatus};
use fleetfoot::{Clock, Map, Meter, Neighborhood, NodeId, Prices};
use fleetfoot_testkit::alloc::counted;

use super::units::{Watched, rooms, swarm};
use crate::regimes::{self, in_both_regimes};

in_both_regimes!(
    whatever_the_time_nobody_stands_on_another_and_all_arrive,
    a_budget_of_work_may_have_a_deadline_too,
    everybody_has_its_turn,
    those_who_are_sent_about_all_the_time_do_not_keep_others_from_their_turns,
    those_who_are_removed_take_nobody_s_turn,
    a_fleet_that_was_left_half_way_through_its_turns_goes_on_the_same_when_it_is_loaded,
    work_on_a_large_crowd_stops_at_the_deadline,
    with_a_budget_of_work_nobody_is_left_out,
);

/// No unit is skipped in this number of ticks in a row: two rounds of sixteen.
const LONGEST: u64 = 32;

/// Shows more every time that it is asked.
fn clock() -> u64 {
    static NOW: AtomicU64 = AtomicU64::new(0);
    NOW.fetch_add(1, Ordering::Relaxed)
}

/// Returns a meter for this number of readings of that clock.
fn looks(looks: u64) -> Meter {
    Meter::until(clock as Clock, clock() + looks)
}

fn whatever_the_time_nobody_stands_on_another_and_all_arrive() {
    for neighborhood in [Neighborhood::Eight, Neighborhood::Four] {
        for time in [0, 5, 8, 10, 12, 40] {
            let (mut fleet, ids) = swarm(rooms(60, neighborhood, 3), 250, 5);
            let (mut left_out, mut ticks) = (0, 0);
            while ids.iter().any(|unit| fleet.fleet.status(*unit) != Some(UnitStatus::Arrived)) {
                fleet.tick_with(&mut looks(time));
                left_out += u64::from(fleet.fleet.summary().left_out);
                ticks += 1;
                assert!(ticks < 6000, "{neighborhood:?}, {time} looks");
            }
            assert!(time > 0 || left_out > 1000, "{left_out} with {time} looks");
        }
    }
}

fn a_budget_of_work_may_have_a_deadline_too() {
    let (mut fleet, ids) = swarm(rooms(40, Neighborhood::Eight, 3), 30, 5);
    for _ in 0..400 {
        let until = clock() + 40;
        fleet.tick_with(&mut Meter::priced(u64::MAX / 20, Prices::ALL_WORK).with_deadline(clock, until));
    }
    assert!(ids.iter().all(|unit| fleet.fleet.status(*unit) == Some(UnitStatus::Arrived)));
}

#[test]
fn ticks_that_leave_units_out_allocate_nothing() {
    let (mut fleet, _) = swarm(rooms(60, Neighborhood::Eight, 3), 250, 5);
    for _ in 0..60 {
        fleet.tick(20_000);
    }
    assert_eq!(fleet.fleet.summary().seeking, 0);
    let (left_out, taken) = counted(|| {
        (0..40)
            .map(|_| {
                let _ = fleet.fleet.tick_with(&mut looks(0));
                fleet.fleet.summary().left_out
            })
            .sum::<u32>()
    });
    assert_eq!(taken.calls, 0);
    assert!(left_out > 0);
}

/// Units side by side on open ground, none in another's way, with no time at all.
struct Files {
    fleet: Watched,
    ids: Vec<UnitId>,
    /// By unit: when it last moved.
    moved: HashMap<UnitId, u64>,
    tick: u64,
}

impl Files {
    /// Returns a fleet of units that cross the map, each along a row of its own.
    fn new(units: u32) -> Self {
        let mut fleet = regimes::fleet(Map::new(100, 2 * units, |_, _| true).expect("a valid map"));
        let ids: Vec<UnitId> = (0..units).map(|y| spawn(&mut fleet, 0, y)).collect();
        for (y, unit) in (0..).zip(&ids) {
            send(&mut fleet, *unit, 99, y);
        }
        Self { fleet: Watched::new(fleet), ids, moved: HashMap::new(), tick: 0 }
    }

    /// Nobody who is to cross the map stands for too long.
    fn tick(&mut self) {
        let events = self.fleet.tick_with(&mut looks(0));
        self.tick += 1;
        for event in &events {
            match event {
                Event::Moved { unit, .. } => drop(self.moved.insert(*unit, self.tick)),
                Event::Blocked { .. } => panic!("no unit blocks another"),
                _ => {}
            }
        }
        for unit in
            self.ids.iter().filter(|&&unit| self.fleet.fleet.status(unit) != Some(UnitStatus::Arrived))
        {
            let stood = self.tick - self.moved.get(unit).copied().unwrap_or(0);
            assert!(stood <= LONGEST, "{stood} ticks");
        }
    }
}

fn spawn(fleet: &mut Fleet, x: u32, y: u32) -> UnitId {
    let at = fleet.map().node(x, y).expect("a cell");
    fleet.spawn(TeamId::FIRST, at).expect("free")
}

fn send(fleet: &mut Fleet, unit: UnitId, x: u32, y: u32) {
    let goal = fleet.map().node(x, y).expect("a cell");
    fleet.order(&[unit], Goal::at(goal));
}

fn everybody_has_its_turn() {
    let mut files = Files::new(400);
    for tick in 0..3000 {
        files.tick();
        if tick == 0 {
            assert_eq!(files.fleet.fleet.summary().left_out, 0, "all set out at once");
        }
    }
    let fleet = &files.fleet.fleet;
    assert!(files.ids.iter().all(|unit| fleet.status(*unit) == Some(UnitStatus::Arrived)));
}

fn those_who_are_sent_about_all_the_time_do_not_keep_others_from_their_turns() {
    let mut files = Files::new(200);
    // These move back and forth next to the others.
    let hopping: Vec<UnitId> = (200..400).map(|y| spawn(&mut files.fleet.fleet, 0, y)).collect();
    files.fleet.note();
    for tick in 0..600 {
        for (y, unit) in (200..).zip(&hopping) {
            if files.fleet.fleet.status(*unit) != Some(UnitStatus::Underway) {
                send(&mut files.fleet.fleet, *unit, tick % 2, y);
            }
        }
        files.tick();
    }
}

fn those_who_are_removed_take_nobody_s_turn() {
    let mut files = Files::new(400);
    for tick in 0..400 {
        files.tick();
        if tick % 2 == 0 {
            let unit = files.ids.remove(1);
            files.fleet.fleet.remove(unit);
            files.fleet.note();
        }
    }
}

/// Turns are for the clock alone: with a budget of work a loaded fleet goes on as the one that was saved.
fn a_fleet_that_was_left_half_way_through_its_turns_goes_on_the_same_when_it_is_loaded() {
    let places = |fleet: &Fleet| -> Vec<NodeId> { fleet.units().filter_map(|unit| fleet.at(unit)).collect() };
    let (mut fleet, _) = swarm(rooms(60, Neighborhood::Eight, 3), 250, 5);
    let mut left_out = 0;
    for tick in 0..60 {
        fleet.tick_with(&mut looks(tick % 9));
        left_out += fleet.fleet.summary().left_out;
        if tick % 10 == 9 {
            let mut loaded = Fleet::load(&fleet.fleet.save()).expect("what was saved");
            let mut lived = fleet.fleet.clone();
            for _ in 0..30 {
                let events: Vec<Event> = lived.tick(3000).collect();
                assert_eq!(events, loaded.tick(3000).collect::<Vec<_>>());
                assert_eq!(places(&lived), places(&loaded));
            }
        }
    }
    assert!(left_out > 1000, "{left_out}");
}

/// What a crowd of thousands finds out about its ground is found out in steps, between which the clock is read.
fn work_on_a_large_crowd_stops_at_the_deadline() {
    fn clock() -> u64 {
        static NOW: AtomicU64 = AtomicU64::new(0);
        NOW.fetch_add(1, Ordering::Relaxed)
    }
    let mut fleet = regimes::fleet(Map::new(120, 120, |_, _| true).expect("a valid map"));
    let cells: Vec<NodeId> = (0..3000).filter_map(|k| fleet.map().node(33 + k % 55, 33 + k / 55)).collect();
    let units: Vec<UnitId> =
        cells.iter().map(|&at| fleet.spawn(TeamId::FIRST, at).expect("a free cell")).collect();
    let late = spawn(&mut fleet, 1, 1);
    fleet.set_speed(late, Speed::EveryTicks(100_000)).expect("there");
    let middle = fleet.map().node(60, 60).expect("a cell");
    let all: Vec<UnitId> = units.iter().copied().chain([late]).collect();
    fleet.order(&all, Goal::near(middle));
    for _ in 0..300 {
        fleet.tick(20_000);
    }
    assert_eq!(
        (fleet.summary().underway, fleet.summary().moved),
        (1, 0),
        "one is late, the others have settled"
    );
    let readings = |fleet: &mut Fleet| {
        let before = clock();
        let _ = fleet.tick_with(&mut Meter::until(clock as Clock, before + 1_000_000));
        clock() - before
    };
    let quiet = readings(&mut fleet);
    fleet.stop(&units[..1]);
    let busy = readings(&mut fleet);
    assert!(busy > quiet + 20, "{quiet} readings of the clock, {busy} while slots are searched for");
}

/// With a budget of work there is always time.
fn with_a_budget_of_work_nobody_is_left_out() {
    let (mut fleet, _) = swarm(rooms(60, Neighborhood::Eight, 3), 250, 5);
    for _ in 0..50 {
        fleet.tick(1);
        assert_eq!(fleet.fleet.summary().left_out, 0);
    }
}
