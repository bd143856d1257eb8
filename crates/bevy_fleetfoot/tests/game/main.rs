//! Games without a window: real apps with many units, doors, fog and saves.

mod agents;
mod budgets;
mod crowds;
mod goals;
mod saves;

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_fleetfoot::prelude::*;
use bevy_math::UVec2;
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use fleetfoot::Graph;

/// Creates an app that ticks once per update, like a game at its fixed time step.
fn game(map: Map) -> App {
    let mut app = App::new();
    app.add_plugins((TimePlugin, FleetfootPlugin::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .insert_resource(FleetMap::new(map));
    // No time passes until the first update.
    app.update();
    app
}

fn at(x: u32, y: u32) -> UVec2 {
    UVec2::new(x, y)
}

fn open(width: u32, height: u32) -> Map {
    Map::new(width, height, |_, _| true).unwrap()
}

/// Creates walls around rooms of 16 cells, with doors four cells wide.
fn rooms(side: u32) -> Map {
    Map::new(side, side, |x, y| {
        let (in_wall, in_row) = (x % 16 == 0, y % 16 == 0);
        let (door_x, door_y) = ((6..10).contains(&(y % 16)), (6..10).contains(&(x % 16)));
        match (in_wall, in_row) {
            (true, true) => false,
            (true, false) => door_x,
            (false, true) => door_y,
            (false, false) => true,
        }
    })
    .unwrap()
}

/// Spawns a unit that moves every tick.
fn unit(app: &mut App, cell: UVec2) -> Entity {
    app.world_mut().spawn((Agent, Cell(cell), Speed::EveryTicks(1))).id()
}

fn send(app: &mut App, entity: Entity, goal: Goal) {
    app.world_mut().entity_mut(entity).insert(goal);
}

fn get<T: Component + Clone>(app: &App, entity: Entity) -> T {
    app.world().get::<T>(entity).unwrap().clone()
}

fn run(app: &mut App, ticks: usize) {
    (0..ticks).for_each(|_| app.update());
}

/// Runs until an agent has this status, at most `ticks` ticks.
fn run_until(app: &mut App, entity: Entity, status: Status, ticks: usize) {
    for _ in 0..ticks {
        app.update();
        if get::<Status>(app, entity) == status {
            return;
        }
    }
    panic!("{:?} at {:?} after {ticks} ticks", get::<Status>(app, entity), get::<Cell>(app, entity));
}

/// Returns the messages of one kind that are still kept.
fn told<T: Message + Clone>(app: &App) -> Vec<T> {
    let messages = app.world().resource::<Messages<T>>();
    messages.get_cursor().read(messages).cloned().collect()
}

/// Returns position and status of all agents, ordered by unit.
fn state(app: &mut App) -> Vec<(usize, UVec2, Status)> {
    let mut agents = app.world_mut().query::<(&bevy_fleetfoot::Unit, &Cell, &Status)>();
    let all = agents.iter(app.world());
    let mut all: Vec<_> =
        all.map(|(unit, cell, &status)| (unit.id().unwrap().index(), cell.0, status)).collect();
    all.sort_unstable_by_key(|&(unit, _, _)| unit);
    all
}

/// Checks after every tick that no two units share a cell or are in a wall, and that every move is legal.
struct Referee(Vec<(usize, UVec2, Status)>);

impl Referee {
    fn new(app: &mut App) -> Self {
        Self(state(app))
    }

    fn check(&mut self, app: &mut App) {
        let now = state(app);
        let map = app.world().resource::<FleetMap>();
        let mut cells: Vec<(u32, u32)> = now.iter().map(|&(_, cell, _)| (cell.y, cell.x)).collect();
        cells.sort_unstable();
        assert!(cells.is_sorted_by(|a, b| a < b), "two agents on one cell");
        for &(unit, cell, status) in &now {
            assert!(map.is_free(cell) || status == Status::Buried);
            let Ok(k) = self.0.binary_search_by_key(&unit, |&(unit, _, _)| unit) else { continue };
            let (from, to) = (map.node(self.0[k].1).unwrap(), map.node(cell).unwrap());
            assert!(from == to || map.fleet().map().grid().succs(from).any(|edge| edge.to == to));
        }
        self.0 = now;
    }
}
