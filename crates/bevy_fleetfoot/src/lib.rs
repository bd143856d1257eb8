//! [Fleetfoot](https://github.com/fleetfoot/fleetfoot) for [Bevy](https://bevy.org): thousands of units that move from the
//! first tick on, keep off each other, and never think longer than the frame allows.
//!
//! ```
//! use bevy_app::prelude::*;
//! use bevy_fleetfoot::prelude::*;
//! use bevy_math::UVec2;
//!
//! let map = Map::new(64, 64, |x, y| x != 32 || y == 40).unwrap(); // a wall with a gap
//! let mut app = App::new();
//! app.add_plugins(FleetfootPlugin::in_schedule(Update)).insert_resource(FleetMap::new(map));
//! let unit = app
//!     .world_mut()
//!     .spawn((Agent, Cell(UVec2::new(2, 2)), Goal::Cell(UVec2::new(60, 2)), Speed::EveryTicks(1)))
//!     .id();
//! for _ in 0..110 {
//!     app.update();
//! }
//! assert_eq!(app.world().get::<Status>(unit), Some(&Status::Arrived));
//! ```
//!
//! - **The game writes** [`Agent`], [`Goal`], [`Team`], [`Speed`], [`HighPriority`], [`Obstacle`], and edits [`FleetMap`]. To insert,
//!   change, remove, despawn is all: everything is noticed before the next tick.
//! - **The plugin writes** [`Cell`], [`NextCell`], [`DesiredVelocity`], [`Status`], [`Motion`], a [`Path`] where you want one, and
//!   `Transform`s that glide from cell to cell (unless [disabled](FleetfootPlugin::without_transforms)).
//! - **It tells** [`Arrived`], [`Blocked`], [`CutOff`], [`Unreachable`], [`Rerouted`], [`Buried`], [`TargetLost`] and [`NotPlaced`], as messages
//!   and to observers.
//! - **The budget** is [`FrameBudget`]: work per tick (deterministic) or time per frame. [`FrameCost`] is what was spent.
//! - **Order your systems** against [`FleetSystems`]: `Sense`, then `Plan`, then `Move`.
//! - **Save** by scenes (all components are `Reflect`) and [`FleetMap::save`], or all at once by [`SavedGame`].
//!
//! In debug builds give the library `opt-level = 2` (`[profile.dev.package.fleetfoot]`): searches are slow without.

mod components;
#[cfg(feature = "debug")]
pub mod debug;
mod map;
mod messages;
mod moves;
mod orders;
mod plan;
mod save;
mod sense;
mod tiles;

use std::time::Duration;

use bevy_app::prelude::*;
use bevy_app::{FixedFirst, FixedLast};
use bevy_ecs::intern::Interned;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;
use bevy_transform::TransformSystems;

pub use components::{
    Agent, Cell, DesiredVelocity, Goal, HighPriority, Motion, NextCell, Obstacle, Order, Path, Speed, Status,
    Team, Unit,
};
pub use fleetfoot;
pub use map::{FleetMap, SavedMap};
pub use messages::{
    Arrived, Blocked, Buried, CutOff, NotPlaced, Rerouted, SpawnFailure, TargetLost, Unreachable,
};
pub use plan::{FrameBudget, FrameCost};
pub use save::SavedGame;
pub use tiles::CellTransform;

/// Exports what most games need.
pub mod prelude {
    pub use crate::{
        Agent, Arrived, Blocked, Cell, CellTransform, DesiredVelocity, FleetMap, FleetSystems,
        FleetfootPlugin, FrameBudget, Goal, NextCell, Obstacle, Path, Rerouted, Speed, Status, Team,
        Unreachable,
    };
    pub use fleetfoot::Map;
    pub use fleetfoot::fleet::Vision;
}

/// The stages of a tick, in order. They run while there is a [`FleetMap`].
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FleetSystems {
    /// Passes changes by the game to the fleet. Changes made before this stage count in this tick.
    Sense,
    /// Moves all units and continues searches, within the [`FrameBudget`].
    Plan,
    /// Writes components and sends messages. Systems after this stage see the result of the tick.
    Move,
}

/// Adds everything. Insert a [`FleetMap`] when a level is loaded. [`CellTransform`] and [`FrameBudget`] have defaults.
#[derive(Clone, Debug)]
pub struct FleetfootPlugin {
    schedule: Interned<dyn ScheduleLabel>,
    tick: Option<Duration>,
    moves_transforms: bool,
}

impl Default for FleetfootPlugin {
    fn default() -> Self {
        Self { schedule: FixedUpdate.intern(), tick: None, moves_transforms: true }
    }
}

impl FleetfootPlugin {
    /// Runs the ticks in this schedule instead of `FixedUpdate`.
    pub fn in_schedule(schedule: impl ScheduleLabel) -> Self {
        Self { schedule: schedule.intern(), ..Self::default() }
    }

    /// Sets the length of a tick. Default: the fixed time step.
    #[must_use]
    pub fn with_tick(self, tick: Duration) -> Self {
        Self { tick: Some(tick), ..self }
    }

    /// Does not write `Transform`s, for games that use [`Cell`], [`Motion`] or [`DesiredVelocity`].
    #[must_use]
    pub fn without_transforms(self) -> Self {
        Self { moves_transforms: false, ..self }
    }
}

impl Plugin for FleetfootPlugin {
    fn build(&self, app: &mut App) {
        let fixed = [FixedFirst.intern(), FixedPreUpdate.intern(), FixedUpdate.intern()];
        let late = [FixedPostUpdate.intern(), FixedLast.intern()];
        let is_fixed = fixed.contains(&self.schedule) || late.contains(&self.schedule);
        app.init_resource::<CellTransform>()
            .init_resource::<FrameBudget>()
            .init_resource::<FrameCost>()
            .insert_resource(sense::TickLength {
                seconds: self.tick.map(|tick| tick.as_secs_f32()),
                is_fixed,
            })
            .add_message::<Arrived>()
            .add_message::<Blocked>()
            .add_message::<CutOff>()
            .add_message::<Unreachable>()
            .add_message::<Rerouted>()
            .add_message::<Buried>()
            .add_message::<TargetLost>()
            .add_message::<NotPlaced>();
        register_types(app);
        let steps = (FleetSystems::Sense, FleetSystems::Plan, FleetSystems::Move).chain();
        app.configure_sets(self.schedule, steps.run_if(resource_exists::<FleetMap>))
            .add_systems(First, plan::begin_frame)
            .add_systems(
                self.schedule,
                (
                    (
                        sense::begin,
                        sense::cover,
                        sense::time_ticks,
                        sense::change_sides,
                        sense::place,
                        sense::settle,
                        sense::teleport,
                        orders::give,
                        orders::follow,
                        orders::go_on,
                    )
                        .chain()
                        .in_set(FleetSystems::Sense),
                    plan::tick.in_set(FleetSystems::Plan),
                    // Observers run after all components are written, so that they see the result of the tick.
                    (moves::tell, moves::write, moves::write_paths)
                        .chain_ignore_deferred()
                        .in_set(FleetSystems::Move),
                ),
            );
        if self.moves_transforms {
            let glide = moves::glide.run_if(resource_exists::<FleetMap>);
            app.add_systems(PostUpdate, glide.before(TransformSystems::Propagate));
        }
    }
}

fn register_types(app: &mut App) {
    app.register_type::<Agent>()
        .register_type::<Cell>()
        .register_type::<DesiredVelocity>()
        .register_type::<FrameBudget>()
        .register_type::<FrameCost>()
        .register_type::<Goal>()
        .register_type::<Motion>()
        .register_type::<NextCell>()
        .register_type::<Obstacle>()
        .register_type::<Order>()
        .register_type::<Path>()
        .register_type::<HighPriority>()
        .register_type::<Speed>()
        .register_type::<Status>()
        .register_type::<Team>()
        .register_type::<CellTransform>()
        .register_type::<Unit>();
}

/// Tests the code in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
