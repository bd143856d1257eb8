//! Records a fleet's run, tick by tick.

use fleetfoot::fleet::{UnitStatus, Vision};
use fleetfoot::{Graph, Grid, NodeId};
use fleetfoot_sim::fleet::{FleetRun, TickRow};
use fleetfoot_sim::map::GridMap;

use super::meta::FleetMeta;
use super::player::UnitState;
use super::record::FleetRecord;
use super::{CHUNK, COLUMNS, LEFT, STANDS};
use crate::format::bytes::{put, put_signed};
use crate::format::section::{MAX_RAW, MOVES, Section};
use crate::model::direction;

/// Describes a run for its record.
#[derive(Clone, Debug)]
pub struct FleetScene<'a> {
    /// Name of the map.
    pub map_name: &'a str,
    /// The map.
    pub map: &'a GridMap,
    /// The world, as on the command line.
    pub world: &'a str,
    /// The rules of movement, for readers.
    pub rules: &'a str,
    /// What the units do, for readers.
    pub fleet: &'a str,
    /// The budget of a tick, as on the command line.
    pub budget: &'a str,
}

/// Records a fleet's run.
#[derive(Debug)]
pub struct FleetRecorder {
    record: FleetRecord,
    units: Vec<UnitState>,
    columns: [Vec<u8>; COLUMNS],
    ticks: usize,
    /// Unpacked size of the sections so far.
    raw: u64,
    is_full: bool,
}

impl FleetRecorder {
    /// Creates a recorder for a run before its first tick.
    pub fn new(scene: &FleetScene<'_>, run: &FleetRun<'_>) -> Self {
        let grid = run.fleet().map().grid();
        let starts: Vec<u32> = (0..run.len()).map(|k| run.at(k).map_or(0, |at| place(grid, at))).collect();
        let weights = cells(grid).map(|n| grid.weight(n)).collect();
        let team = |k| run.fleet().team(run.id(k));
        let sight = match team(0).and_then(|team| run.fleet().vision(team)) {
            Some(Vision::Radius(radius)) => Some(radius),
            _ => None,
        };
        let meta = FleetMeta {
            generator: concat!("fleetfoot ", env!("CARGO_PKG_VERSION")).into(),
            fleet: scene.fleet.into(),
            map: crate::scene::without_folders(scene.map_name),
            width: grid.width(),
            height: grid.height(),
            world: crate::scene::without_folders(scene.world),
            rules: scene.rules.into(),
            units: starts.len() as u32,
            budget: scene.budget.into(),
            ticks: 0,
            sight,
            alone: run.len() > 1 && team(0) != team(1),
        };
        let units = starts.iter().map(|&at| UnitState::new(at)).collect();
        let letters = scene.map.cells().to_vec();
        let record = FleetRecord { meta, letters, weights, starts, chunks: Vec::new() };
        Self { record, units, columns: Default::default(), ticks: 0, raw: 0, is_full: false }
    }

    /// Records the last tick of the run. Does nothing once the record has the maximum size of a page.
    pub fn note(&mut self, run: &FleetRun<'_>, row: &TickRow) {
        if self.is_full {
            return;
        }
        let [ticks, ..] = &mut self.columns;
        let counts = [row.finished, row.moved, row.waiting].map(u64::from);
        for n in [row.work, row.plan_ns / 1000, row.conflicts].into_iter().chain(counts) {
            put(ticks, n);
        }
        self.note_edits(run);
        self.note_units(run);
        self.ticks += 1;
        self.record.meta.ticks += 1;
        if self.ticks == CHUNK {
            self.seal();
        }
    }

    /// Returns the record.
    pub fn finish(mut self) -> FleetRecord {
        self.seal();
        self.record
    }

    /// Returns `true` if recording stopped early because the record has the maximum size of a page.
    pub fn is_full(&self) -> bool {
        self.is_full
    }

    fn note_edits(&mut self, run: &FleetRun<'_>) {
        let (edits, grid) = (&mut self.columns[5], run.fleet().map().grid());
        put(edits, run.changed().len() as u64);
        for &(n, weight) in run.changed() {
            put(edits, u64::from(place(grid, n)));
            edits.push(weight);
        }
    }

    /// Records changes of units: moves, goals, states and routes, each as a list of units with their new data.
    fn note_units(&mut self, run: &FleetRun<'_>) {
        let (fleet, width) = (run.fleet(), self.record.meta.width);
        let grid = fleet.map().grid();
        let mut lists: [List; 4] = Default::default();
        for (k, unit) in self.units.iter_mut().enumerate() {
            if unit.code == LEFT {
                continue;
            }
            let Some(at) = run.at(k).map(|at| place(grid, at)) else {
                unit.code = LEFT;
                lists[0].push(k).push(LEFT);
                continue;
            };
            let code = move_code(unit.at, at, width);
            if code != unit.code {
                lists[0].push(k).push(code);
            }
            let from = std::mem::replace(&mut unit.at, at);
            unit.code = code;
            let goal = run.goal(k).map(|goal| place(grid, goal));
            if goal != unit.goal {
                put(lists[1].push(k), goal.map_or(0, |goal| u64::from(goal) + 1));
                unit.goal = goal;
            }
            let id = run.id(k);
            let status = fleet.status(id).map_or(0, status_code);
            let by = if at == from { fleet.blocked_by(id).map(|by| by.index() as u32) } else { None };
            if (status, by) != (unit.status, unit.by) {
                let out = lists[2].push(k);
                out.push(status);
                put(out, by.map_or(0, |by| u64::from(by) + 1));
                (unit.status, unit.by) = (status, by);
            }
            let way: Vec<u32> = fleet.corners_ahead(id).map(|n| place(grid, n)).collect();
            note_way(&mut lists[3], k, unit, way, width);
        }
        for (column, list) in self.columns[1..5].iter_mut().zip(lists) {
            put(column, list.count);
            column.extend(list.bytes);
        }
    }

    /// Packs the ticks so far into a section.
    fn seal(&mut self) {
        if self.ticks == 0 {
            return;
        }
        let mut raw = Vec::new();
        put(&mut raw, self.ticks as u64);
        for column in &mut self.columns {
            put(&mut raw, column.len() as u64);
            raw.append(column);
        }
        self.raw += raw.len() as u64;
        let map = 2 * self.record.letters.len() as u64 + 16 * self.record.starts.len() as u64;
        if self.raw + map > MAX_RAW / 2 {
            self.is_full = true;
            self.record.meta.ticks -= self.ticks as u64;
        } else {
            self.record.chunks.push(Section::pack(MOVES, &raw));
        }
        self.ticks = 0;
    }
}

/// Units with new data, each stored as the difference to the previous one.
#[derive(Default)]
struct List {
    bytes: Vec<u8>,
    count: u64,
    last: usize,
}

impl List {
    fn push(&mut self, unit: usize) -> &mut Vec<u8> {
        put(&mut self.bytes, (unit - self.last) as u64);
        (self.last, self.count) = (unit, self.count + 1);
        &mut self.bytes
    }
}

/// Records how many waypoints a unit has passed, or its new route.
fn note_way(list: &mut List, k: usize, unit: &mut UnitState, way: Vec<u32>, width: u32) {
    let old = &unit.way[unit.passed..];
    if old == way {
        return;
    }
    let out = list.push(k);
    if old.ends_with(&way) {
        let passed = old.len() - way.len();
        put(out, 2 * passed as u64);
        unit.passed += passed;
        return;
    }
    put(out, 2 * way.len() as u64 + 1);
    let mut last = unit.at;
    for &point in &way {
        put_signed(out, i64::from(point % width) - i64::from(last % width));
        put_signed(out, i64::from(point / width) - i64::from(last / width));
        last = point;
    }
    (unit.way, unit.passed) = (way, 0);
}

fn cells(grid: &Grid) -> impl Iterator<Item = NodeId> + '_ {
    let row = move |y| (0..grid.width()).filter_map(move |x| grid.node(x, y));
    (0..grid.height()).flat_map(row)
}

/// Returns the number of a cell, row by row. Returns 0 for nodes outside of the grid.
fn place(grid: &Grid, n: NodeId) -> u32 {
    if n.index() >= grid.bound() {
        return 0;
    }
    let (x, y) = grid.xy(n);
    y * grid.width() + x
}

fn move_code(from: u32, to: u32, width: u32) -> u8 {
    if from == to {
        return STANDS;
    }
    let step = |a: u32, b: u32| b.cast_signed() - a.cast_signed();
    let way = direction(step(from % width, to % width), step(from / width, to / width));
    way.map_or(STANDS, |way| way as u8)
}

fn status_code(status: UnitStatus) -> u8 {
    match status {
        UnitStatus::Seeking => 1,
        UnitStatus::Underway => 2,
        UnitStatus::Arrived => 3,
        UnitStatus::Unreachable => 4,
        UnitStatus::Buried => 5,
        _ => 0,
    }
}
