//! The budget, and the tick.

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

/// What thinking may cost. Moving everybody has a cost of its own for each unit, and a budget of work never refuses it. By the clock, it
/// is taken off what is left for searches, which have a little in any case; where there is not even time for that, agents move in turn
/// ([`FrameCost::left_out`]).
#[derive(Resource, Reflect, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[reflect(Resource, Default, Clone, PartialEq, Serialize, Deserialize)]
pub enum FrameBudget {
    /// A number of expansions of A* on cells in each tick; all work is charged. The same game gives the same states on every
    /// machine.
    WorkPerTick(u64),
    /// So much time in each frame, in equal shares for all its ticks: a frame that has to catch up with five ticks thinks no longer
    /// than others. Not deterministic.
    TimePerFrame(Duration),
}

impl Default for FrameBudget {
    /// A millisecond or less on most machines.
    fn default() -> Self {
        Self::WorkPerTick(2000)
    }
}

/// What the last tick and the last frame have cost.
#[derive(Resource, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Resource, Default, Clone, PartialEq)]
#[non_exhaustive]
pub struct FrameCost {
    /// Ticks in this frame so far.
    pub ticks: u32,
    /// The time they took, moving included.
    pub time: Duration,
    /// What the last tick has spent, in expansions; all work is charged.
    pub work: u64,
    /// Agents that moved in the last tick.
    pub moved: u32,
    /// Agents that stood in the last tick since there was no time for their plans.
    pub left_out: u32,
    /// Agents that are not at their goals, of those that can get there.
    pub underway: u32,
    /// Agents whose ways are still being searched for.
    pub seeking: u32,
}

pub(crate) fn begin_frame(mut cost: ResMut<FrameCost>) {
    (cost.ticks, cost.time) = (0, Duration::ZERO);
}

/// Everybody moves, and searches go on.
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
        left_out: summary.left_out,
        underway: summary.underway,
        seeking: summary.seeking,
    };
}

/// Nanoseconds since it was first asked.
fn clock() -> u64 {
    static BEGUN: OnceLock<Instant> = OnceLock::new();
    let begun = BEGUN.get_or_init(Instant::now);
    u64::try_from(begun.elapsed().as_nanos()).unwrap_or(u64::MAX)
}
