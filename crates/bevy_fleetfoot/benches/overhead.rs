//! The overhead of the plugin: the same game with a `Fleet` alone and in an app, alternating tick by tick, so that
//! other load on the machine affects both. `cargo bench --bench overhead`

use std::time::{Duration, Instant};

use bevy_app::prelude::*;
use bevy_fleetfoot::prelude::*;
use bevy_math::UVec2;
use fleetfoot::fleet::{Fleet, TeamId, UnitId};

const SIDE: u32 = 256;
const TICKS: usize = 300;
const BUDGET: u64 = 2000;

fn is_free(x: u32, y: u32) -> bool {
    x % 16 < 12 || y % 16 < 12
}

fn map() -> Option<Map> {
    Map::new(SIDE, SIDE, is_free).ok()
}

/// Returns free cells in two corners, alternating.
fn cells(units: u32) -> impl Iterator<Item = UVec2> {
    let both = |k: u32| [(k % 50, k / 50), (SIDE - 1 - k % 50, SIDE - 1 - k / 50)];
    let all = (0..).map(both).filter(|both| both.iter().all(|&(x, y)| is_free(x, y)));
    all.take(units as usize / 2).flatten().map(UVec2::from)
}

fn direct(units: u32) -> Option<Fleet> {
    let mut fleet = Fleet::new(map()?);
    let all: Vec<UnitId> = cells(units)
        .filter_map(|cell| fleet.spawn(TeamId::FIRST, fleet.map().node(cell.x, cell.y)?).ok())
        .collect();
    let (east, west) = (fleet.map().node(SIDE - 30, SIDE - 30)?, fleet.map().node(34, 34)?);
    let (ours, theirs): (Vec<_>, Vec<_>) = all.iter().partition(|unit| unit.index() % 2 == 0);
    // Sorted by cells, as the plugin does.
    let mut orders = [(west, theirs), (east, ours)];
    orders.sort_by_key(|order| order.0);
    for (goal, units) in orders {
        fleet.order(&units, fleetfoot::fleet::Goal::near(goal));
    }
    Some(fleet)
}

fn in_app(units: u32) -> Option<App> {
    let mut app = App::new();
    app.add_plugins(FleetfootPlugin::in_schedule(Update).without_transforms())
        .insert_resource(FrameBudget::WorkPerTick(BUDGET))
        .insert_resource(FleetMap::new(map()?));
    for (k, cell) in cells(units).enumerate() {
        let goal = if k % 2 == 0 { UVec2::new(SIDE - 30, SIDE - 30) } else { UVec2::new(34, 34) };
        app.world_mut().spawn((Agent, Cell(cell), Goal::Cell(goal), Speed::EveryTicks(1)));
    }
    Some(app)
}

fn timed(what: impl FnOnce()) -> Duration {
    let begun = Instant::now();
    what();
    begun.elapsed()
}

fn main() {
    println!("{:>6} {:>12} {:>12} {:>9}", "units", "direct/tick", "app/tick", "overhead");
    for units in [500, 2000, 5000] {
        let (Some(mut fleet), Some(mut app)) = (direct(units), in_app(units)) else { continue };
        // The first tick of the app places all units and gives the orders, which the fleet has done before.
        fleet.tick(BUDGET);
        app.update();
        let (mut alone, mut whole, mut ratios) = (Duration::ZERO, Duration::ZERO, Vec::new());
        for _ in 0..TICKS {
            let (one, other) = (timed(|| drop(fleet.tick(BUDGET))), timed(|| app.update()));
            (alone, whole) = (alone + one, whole + other);
            ratios.push(other.as_secs_f64() / one.as_secs_f64());
        }
        // The median of the ratios, so that ticks with other load count little.
        ratios.sort_unstable_by(f64::total_cmp);
        let median = ratios[TICKS / 2];
        let (alone, whole) = (alone.as_secs_f64() * 1e6, whole.as_secs_f64() * 1e6);
        let same = same_places(&fleet, &mut app);
        println!(
            "{units:>6} {:>9.0} µs {:>9.0} µs {:>8.1}%{}",
            alone / TICKS as f64,
            whole / TICKS as f64,
            100.0 * (median - 1.0),
            if same { "" } else { "  (the two games differ)" }
        );
    }
}

/// Returns `true` if both games are in the same state.
fn same_places(fleet: &Fleet, app: &mut App) -> bool {
    let other = app.world().resource::<FleetMap>().fleet();
    fleet.units().eq(other.units()) && fleet.units().all(|unit| fleet.at(unit) == other.at(unit))
}
