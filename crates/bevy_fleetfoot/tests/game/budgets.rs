//! Budgets of time, and several ticks per frame.

use std::time::Duration;

use bevy_fleetfoot::FrameCost;
use bevy_fleetfoot::prelude::*;

use super::*;

#[test]
fn units_move_without_search_time() {
    let mut app = game(rooms(65));
    app.insert_resource(FrameBudget::TimePerFrame(Duration::ZERO));
    let it = unit(&mut app, at(2, 2));
    send(&mut app, it, Goal::Cell(at(60, 60)));
    let mut moved = 0;
    for _ in 0..10 {
        app.update();
        moved += app.world().resource::<FrameCost>().moved;
    }
    assert!(moved >= 8, "{moved}");
}

#[test]
fn the_ticks_of_a_frame_share_its_time() {
    let mut app = game(rooms(65));
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(5))
        .insert_resource(FrameBudget::TimePerFrame(Duration::from_hours(1)));
    let it = unit(&mut app, at(2, 2));
    send(&mut app, it, Goal::Cell(at(60, 60)));
    for _ in 0..30 {
        app.update();
        let cost = app.world().resource::<FrameCost>();
        assert_eq!(cost.ticks, 5);
    }
    assert_eq!(get::<Status>(&app, it), Status::Arrived);
    // A frame without a tick costs nothing.
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
    app.update();
    assert_eq!(app.world().resource::<FrameCost>().ticks, 0);
    assert_eq!(app.world().resource::<FrameCost>().time, Duration::ZERO);
}

#[test]
fn systems_can_be_ordered_against_the_steps() {
    #[derive(Resource, Default)]
    struct Seen(Vec<(u64, &'static str)>);
    let note =
        |word| move |map: Res<FleetMap>, mut seen: ResMut<Seen>| seen.0.push((map.fleet().ticks(), word));
    let mut app = game(open(8, 8));
    app.init_resource::<Seen>().add_systems(
        FixedUpdate,
        (
            note("before").before(FleetSystems::Sense),
            note("between").after(FleetSystems::Sense).before(FleetSystems::Plan),
            note("planned").after(FleetSystems::Plan).before(FleetSystems::Move),
            note("after").after(FleetSystems::Move),
        ),
    );
    app.update();
    assert_eq!(
        app.world().resource::<Seen>().0,
        [(0, "before"), (0, "between"), (1, "planned"), (1, "after")]
    );
}
