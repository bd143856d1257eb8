//! Five thousand units on one map: two streams that meet. `cargo run --release --example crowd`

use std::time::{Duration, Instant};

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_fleetfoot::FrameCost;
use bevy_fleetfoot::prelude::*;
use bevy_math::UVec2;
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bevy_transform::components::Transform;

const SIDE: u32 = 256;
const EACH: u32 = 2500;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let ticks: u32 = std::env::args().nth(1).map_or(Ok(400), |ticks| ticks.parse())?;
    let pillars = Map::new(SIDE, SIDE, |x, y| x % 16 < 12 || y % 16 < 12)?;
    let mut app = App::new();
    app.add_plugins((TimePlugin, FleetfootPlugin::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .insert_resource(FrameBudget::WorkPerTick(2000))
        .insert_resource(FleetMap::new(pillars));
    for k in 0..EACH {
        let (x, y) = (k % 50, k / 50);
        let goals = [UVec2::new(SIDE - 30, SIDE - 30), UVec2::new(34, 34)];
        for (cell, goal) in [UVec2::new(x, y), UVec2::new(SIDE - 1 - x, SIDE - 1 - y)].into_iter().zip(goals)
        {
            let agent = (Agent, Cell(cell), Goal::Cell(goal), Speed::EveryTicks(1), Transform::default());
            app.world_mut().spawn(agent);
        }
    }
    let (mut longest, mut ticking, begun) = (Duration::ZERO, Duration::ZERO, Instant::now());
    for tick in 0..ticks {
        app.update();
        let cost = *app.world().resource::<FrameCost>();
        // The first tick places all units and gives all orders.
        longest = if tick == 0 { longest } else { longest.max(cost.time) };
        ticking += cost.time;
        if tick % 50 == 49 {
            println!(
                "tick {:3}: {:4} moved, {:4} underway, {:4} expansions",
                tick + 1,
                cost.moved,
                cost.underway,
                cost.work
            );
        }
    }
    let mut all = app.world_mut().query::<&Status>();
    let there = all.iter(app.world()).filter(|&&status| status == Status::Arrived).count();
    println!("{there} of {} are at their goals", 2 * EACH);
    println!(
        "{:.2} ms a frame, {:.2} ms of it the fleet's tick, {:.2} ms the longest",
        begun.elapsed().as_secs_f64() * 1e3 / f64::from(ticks),
        ticking.as_secs_f64() * 1e3 / f64::from(ticks),
        longest.as_secs_f64() * 1e3
    );
    Ok(())
}
