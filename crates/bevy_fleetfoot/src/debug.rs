//! Drawing what the fleet is up to, with gizmos (feature `debug`): ways, turns ahead, fog, and the budget.
//!
//! ```no_run
//! # use bevy_app::App;
//! # let mut app = App::new();
//! use bevy_fleetfoot::debug::{DebugView, FleetfootDebugPlugin};
//! use bevy_fleetfoot::Team;
//! app.add_plugins(FleetfootDebugPlugin) // beside Bevy's `DefaultPlugins`, which have gizmos
//!     .insert_resource(DebugView { fog: Some(Team(1)), ..DebugView::default() });
//! ```

use bevy_app::prelude::*;
use bevy_color::Color;
use bevy_ecs::prelude::*;
use bevy_gizmos::AppGizmoBuilder;
use bevy_gizmos::config::GizmoConfigGroup;
use bevy_gizmos::gizmos::Gizmos;
use bevy_math::{UVec2, Vec3};
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;

use crate::components::{Agent, Cell, Team, Unit};
use crate::map::FleetMap;
use crate::plan::{FrameBudget, FrameCost};
use crate::tiles::CellTransform;

const BAR: Color = Color::srgb(0.35, 0.35, 0.35);
const SPENT: Color = Color::srgb(0.3, 0.8, 0.3);
const ALL_SPENT: Color = Color::srgb(0.9, 0.3, 0.2);
const FOG: Color = Color::srgba(0.2, 0.2, 0.3, 0.7);
const OPEN: Color = Color::srgb(0.8, 0.4, 0.9);
const TURN: Color = Color::srgb(1.0, 0.8, 0.2);

/// Draws after every frame. Requires Bevy's gizmos. Does nothing without a [`FleetMap`].
#[derive(Clone, Copy, Debug, Default)]
pub struct FleetfootDebugPlugin;

impl Plugin for FleetfootDebugPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<DebugView>()
            .register_type::<DebugView>()
            .init_gizmo_group::<FleetGizmos>()
            .add_systems(PostUpdate, draw.run_if(resource_exists::<FleetMap>));
    }
}

/// The group of these gizmos, with their width, depth and layers.
#[derive(Clone, Copy, Debug, Default, Reflect, GizmoConfigGroup)]
pub struct FleetGizmos;

/// Selects what is drawn.
#[derive(Resource, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Resource, Default, Clone, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "layers that are switched one by one")]
pub struct DebugView {
    /// The routes of agents.
    pub ways: bool,
    /// The next turn of each route.
    pub turns: bool,
    /// The open corners of current searches.
    pub open: bool,
    /// The cells that this team has not observed.
    pub fog: Option<Team>,
    /// The used part of the budget of the last tick, as a bar along the first row of the map.
    pub budget: bool,
    /// Maximum number of lines per frame.
    pub most_lines: usize,
}

impl Default for DebugView {
    fn default() -> Self {
        Self { ways: true, turns: true, open: true, fog: None, budget: true, most_lines: 20_000 }
    }
}

/// A line and its color.
pub type Line = (Vec3, Vec3, Color);

fn draw(
    view: Res<DebugView>,
    scene: (Res<FleetMap>, Res<CellTransform>, Res<FrameBudget>, Res<FrameCost>),
    agents: Query<(&Unit, &Cell, &Team), With<Agent>>,
    mut gizmos: Gizmos<FleetGizmos>,
) {
    let (map, tiles, budget, cost) = scene;
    let ways = agents.iter().flat_map(|(unit, cell, team)| way(&view, &map, &tiles, (*unit, cell.0, *team)));
    let bar = bar(&view, &map, &tiles, (*budget, *cost));
    let fog = view.fog.into_iter().flat_map(|team| fog(&map, &tiles, team));
    let open = open(&view, &map, &tiles);
    for (from, to, colour) in bar.into_iter().chain(ways).chain(open).chain(fog).take(view.most_lines) {
        gizmos.line(from, to, colour);
    }
}

/// Returns the route of an agent, and a cross on its next turn.
fn way(view: &DebugView, map: &FleetMap, tiles: &CellTransform, agent: (Unit, UVec2, Team)) -> Vec<Line> {
    let (unit, cell, team) = agent;
    let Some(unit) = unit.id() else { return Vec::new() };
    let turns = map.fleet().corners_ahead(unit).map(|n| tiles.to_world(map.cell(n)));
    let mut lines = Vec::new();
    let mut last = tiles.to_world(cell);
    let colour = Color::hsl(200.0 + 47.0 * f32::from(team.0), 0.8, 0.6);
    for (k, turn) in turns.enumerate() {
        if k == 0 && view.turns {
            let (x, y) = (tiles.column * 0.3, tiles.row * 0.3);
            lines.extend([(turn - x, turn + x, TURN), (turn - y, turn + y, TURN)]);
        }
        if view.ways {
            lines.push((last, turn, colour));
        }
        last = turn;
    }
    lines
}

/// Returns a diagonal cross on every open corner of current searches.
fn open<'a>(
    view: &DebugView,
    map: &'a FleetMap,
    tiles: &'a CellTransform,
) -> impl Iterator<Item = Line> + 'a {
    let corners = view.open.then(|| map.fleet().open_corners());
    corners.into_iter().flatten().flat_map(|n| {
        let (at, arm) = (tiles.to_world(map.cell(n)), (tiles.column + tiles.row) * 0.2);
        let other = (tiles.column - tiles.row) * 0.2;
        [(at - arm, at + arm, OPEN), (at - other, at + other, OPEN)]
    })
}

/// Returns the bar of the used budget.
fn bar(
    view: &DebugView,
    map: &FleetMap,
    tiles: &CellTransform,
    spent: (FrameBudget, FrameCost),
) -> Vec<Line> {
    if !view.budget {
        return Vec::new();
    }
    let part = match spent {
        (FrameBudget::WorkPerTick(budget), cost) => cost.work as f32 / budget.max(1) as f32,
        (FrameBudget::TimePerFrame(budget), cost) => {
            cost.time.as_secs_f32() / budget.as_secs_f32().max(f32::MIN_POSITIVE)
        }
    };
    let from = tiles.to_world(UVec2::ZERO) - tiles.row * 1.5;
    let whole = tiles.column * map.size().x as f32;
    let end = from + whole * part.min(1.0);
    vec![(from, end, if part < 1.0 { SPENT } else { ALL_SPENT }), (end, from + whole, BAR)]
}

/// Returns a line along every run of cells that a team has not observed.
fn fog<'a>(map: &'a FleetMap, tiles: &'a CellTransform, team: Team) -> impl Iterator<Item = Line> + 'a {
    let size = map.size();
    (0..size.y).flat_map(move |y| {
        let mut runs = Vec::new();
        let mut begun = None;
        for x in 0..=size.x {
            let is_unseen = x < size.x && !map.has_seen(team, UVec2::new(x, y));
            match (begun, is_unseen) {
                (None, true) => begun = Some(x),
                (Some(from), false) => {
                    let (from, to) = (UVec2::new(from, y), UVec2::new(x - 1, y));
                    let half = tiles.column * 0.5;
                    runs.push((tiles.to_world(from) - half, tiles.to_world(to) + half, FOG));
                    begun = None;
                }
                _ => {}
            }
        }
        runs
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use fleetfoot::Map;
    use fleetfoot::fleet::Vision;

    #[test]
    fn everything_is_drawn_within_its_limit() {
        let mut app = App::new();
        app.add_plugins((
            TaskPoolPlugin::default(),
            bevy_asset::AssetPlugin::default(),
            bevy_gizmos::GizmoPlugin,
            crate::FleetfootPlugin::in_schedule(Update),
            FleetfootDebugPlugin,
        ));
        let mut map = FleetMap::new(Map::new(32, 32, |x, y| x != 16 || y == 30).unwrap());
        let team = map.add_team(Vision::Radius(5)).unwrap();
        app.insert_resource(map);
        app.insert_resource(DebugView { fog: Some(team), ..DebugView::default() });
        let goal = crate::Goal::Cell(UVec2::new(28, 2));
        let unit = app.world_mut().spawn((Agent, Cell(UVec2::new(2, 2)), goal)).id();
        (0..5).for_each(|_| app.update());
        let world = app.world();
        let (map, tiles, view) = (world.resource(), world.resource(), world.resource());
        let agent = (*world.get::<Unit>(unit).unwrap(), world.get::<Cell>(unit).unwrap().0, Team(0));
        let lines = way(view, map, tiles, agent);
        assert!(lines.len() >= 4, "two lines of the cross, and a turn before the goal: {lines:?}");
        assert_eq!(lines.last().unwrap().1, Vec3::new(28.0, 2.0, 0.0));
        assert_eq!(open(view, map, tiles).count(), 0, "its search is done");
        assert_eq!(fog(map, tiles, team).count(), 32);
        assert_eq!(bar(view, map, tiles, (*world.resource(), *world.resource())).len(), 2);
    }

    #[test]
    fn searches_under_way_show_their_open_corners() {
        // Many corners, and a budget that takes many ticks to search them.
        let mut map = Map::new(200, 200, |x, y| x % 8 != 4 || y % 7 == x / 8 % 7).unwrap();
        let start = map.node(1, 1).unwrap();
        let goal = map.node(198, 198).unwrap();
        map.set(goal, 1).unwrap();
        let mut fleet = fleetfoot::fleet::Fleet::new(map);
        let unit = fleet.spawn(fleetfoot::fleet::TeamId::FIRST, start).unwrap();
        fleet.order(&[unit], fleetfoot::fleet::Goal::at(goal));
        let seen = (0..200).map(|_| {
            fleet.tick(20);
            fleet.open_corners().count()
        });
        assert!(seen.max().unwrap() > 3);
    }
}
