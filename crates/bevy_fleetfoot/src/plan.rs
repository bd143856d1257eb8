//! The budget and the tick.

use std::sync::OnceLock;
use std::time::Duration;

use bevy_ecs::prelude::*;
use bevy_platform::time::Instant;
use bevy_reflect::std_traits::ReflectDefault;
use bevy_reflect::{Reflect, ReflectDeserialize, ReflectSerialize};
use bevy_time::{Fixed, Time};
use fleetfoot::{Meter, Prices};
use serde::{Deserialize, Serialize};

use crate::map::FleetMap;

/// The budget of planning. Moving the units has its own cost per unit, and is never refused by a budget of work.
/// Under a deadline, it reduces the time for searches, which always get a little. If there is not enough time even
/// for moves, agents take turns ([`FrameCost::skipped`]).
#[derive(Resource, Reflect, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[reflect(Resource, Default, Clone, PartialEq, Serialize, Deserialize)]
pub enum FrameBudget {
    /// Number of expansions of A* on cells per tick; all work is charged. The same game computes the same states on
    /// every machine.
    WorkPerTick(u64),
    /// Time per frame, split equally among the frame's ticks, so that a frame that catches up with five ticks plans
    /// no longer than others. Not deterministic.
    TimePerFrame(Duration),
}

impl Default for FrameBudget {
    /// A millisecond or less on most machines.
    fn default() -> Self {
        Self::WorkPerTick(2000)
    }
}

/// The cost of the last tick and of the last frame.
#[derive(Resource, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Resource, Default, Clone, PartialEq)]
#[non_exhaustive]
pub struct FrameCost {
    /// Number of ticks in this frame so far.
    pub ticks: u32,
    /// Their time, including moves.
    pub time: Duration,
    /// Work of the last tick in expansions; all work is charged.
    pub work: u64,
    /// Number of agents that moved in the last tick.
    pub moved: u32,
    /// Number of agents that were not planned in the last tick for lack of time.
    pub skipped: u32,
    /// Number of agents that are not at their goals and can reach them.
    pub underway: u32,
    /// Number of agents whose routes are still being searched.
    pub seeking: u32,
}

pub(crate) fn begin_frame(mut cost: ResMut<FrameCost>) {
    (cost.ticks, cost.time) = (0, Duration::ZERO);
}

/// Moves all units and continues searches.
pub(crate) fn tick(
    mut map: ResMut<FleetMap>,
    budget: Res<FrameBudget>,
    fixed: Option<Res<Time<Fixed>>>,
    mut cost: ResMut<FrameCost>,
) {
    let begun = Instant::now();
    let mut meter = match *budget {
        FrameBudget::WorkPerTick(work) => Meter::priced(work, Prices::ALL_WORK),
        FrameBudget::TimePerFrame(time) => {
            let to_come = fixed.map_or(0, |fixed| fixed.overstep().as_nanos() / fixed.timestep().as_nanos());
            let ticks = u32::try_from(to_come).unwrap_or(u32::MAX).saturating_add(1);
            let left = time.saturating_sub(cost.time) / ticks;
            let left = u64::try_from(left.as_nanos()).unwrap_or(u64::MAX);
            Meter::priced(u64::MAX, Prices::ALL_WORK).with_deadline(clock, clock().saturating_add(left))
        }
    };
    map.fleet.tick_with(&mut meter);
    let summary = map.fleet.summary();
    *cost = FrameCost {
        ticks: cost.ticks + 1,
        time: cost.time + begun.elapsed(),
        work: summary.work,
        moved: summary.moved,
        skipped: summary.left_out,
        underway: summary.underway,
        seeking: summary.seeking,
    };
}

/// Returns the nanoseconds since the first call.
fn clock() -> u64 {
    static BEGUN: OnceLock<Instant> = OnceLock::new();
    let begun = BEGUN.get_or_init(Instant::now);
    u64::try_from(begun.elapsed().as_nanos()).unwrap_or(u64::MAX)
}
