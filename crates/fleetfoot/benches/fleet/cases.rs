//! The goals of units, and the changes of the map.

use std::collections::VecDeque;
use std::path::Path;

use fleetfoot::{Graph, Grid, NodeId, Rules};
use fleetfoot_sim::formats::map::read_map;
use fleetfoot_sim::generate::cave;
use fleetfoot_sim::map::GridMap;
use fleetfoot_testkit::Rng;
use fleetfoot_testkit::fleet::instance::{joined, some};

/// Sight radius of units in fog.
pub(crate) const RADIUS: u32 = 10;
/// Number of ticks that a door is open, and then closed.
const DOOR_TICKS: usize = 60;
const DOORS: usize = 40;
/// Maximum width of a passage with a door.
const WIDEST: u32 = 12;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Each unit to a random goal.
    Swarm,
    /// All units to one place.
    Rally,
    /// Each unit to a random goal, through doors that open and close.
    Doors,
    /// Each unit to a random goal on an unknown map.
    Fog,
}

/// Units on a map.
pub(crate) struct Case {
    pub(crate) kind: Kind,
    pub(crate) grid: Grid,
    pub(crate) starts: Vec<NodeId>,
    /// Goal of each unit. In a rally, the cells around the center, which is the first one.
    pub(crate) goals: Vec<NodeId>,
    pub(crate) centre: NodeId,
    /// Doors, as the cells that each of them closes.
    doors: Vec<Vec<NodeId>>,
}

impl Case {
    pub(crate) fn new(kind: Kind, grid: &Grid, units: usize) -> Self {
        let mut rng = Rng::new(17);
        let cells = joined(grid);
        let (starts, mut goals) = (some(&mut rng, &cells, units), some(&mut rng, &cells, units));
        let centre = goals[0];
        if kind == Kind::Rally {
            goals = slots(grid, &starts, centre);
        }
        let doors = if kind == Kind::Doors { doors(grid, &mut rng) } else { Vec::new() };
        Self { kind, grid: grid.clone(), starts, goals, centre, doors }
    }

    /// Returns the map as units know it at the beginning: in fog all cells are assumed to be free.
    pub(crate) fn known(&self) -> Grid {
        let free = |_, _| 1;
        match self.kind {
            Kind::Fog => Grid::new(self.grid.width(), self.grid.height(), self.grid.rules(), free)
                .expect("of the same size"),
            _ => self.grid.clone(),
        }
    }

    /// Returns doors that open (`true`) or close with this tick.
    pub(crate) fn turning(&self, tick: usize) -> impl Iterator<Item = (bool, &[NodeId])> {
        // Each has its own phase.
        let turns = self.doors.iter().enumerate().filter_map(move |(k, door)| {
            let phase = (tick + 7 * k) % (2 * DOOR_TICKS);
            phase.is_multiple_of(DOOR_TICKS).then_some((phase > 0, &door[..]))
        });
        turns.filter(move |_| tick > 0)
    }
}

/// Returns the measured map: 512² cells of a game, or generated.
pub(crate) fn ground() -> (String, Grid) {
    if let Some(folder) = std::env::var_os("FLEETFOOT_MAPS") {
        let path = Path::new(&folder).join("bg512/AR0400SR.map");
        let map = read_map(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        return ("bg512/AR0400SR".into(), grid(&map));
    }
    ("cave512".into(), grid(&cave::generate(512, 512, 1).expect("a cave").map))
}

fn grid(map: &GridMap) -> Grid {
    Grid::new(map.width(), map.height(), Rules::default(), |x, y| u8::from(map.passable(x, y)))
        .expect("maps are smaller than grids may be")
}

/// Returns the cells around a center, assigned to the nearest units.
fn slots(grid: &Grid, starts: &[NodeId], centre: NodeId) -> Vec<NodeId> {
    let (mut seen, mut queue) = (vec![false; grid.bound()], VecDeque::from([centre]));
    seen[centre.index()] = true;
    let mut slots = Vec::new();
    while slots.len() < starts.len()
        && let Some(n) = queue.pop_front()
    {
        slots.push(n);
        for edge in grid.succs(n) {
            if !std::mem::replace(&mut seen[edge.to.index()], true) {
                queue.push_back(edge.to);
            }
        }
    }
    let mut nearest: Vec<usize> = (0..starts.len()).collect();
    nearest.sort_by_key(|&unit| grid.h(starts[unit], centre));
    let mut goals = slots.clone();
    for (&unit, &slot) in nearest.iter().zip(&slots) {
        goals[unit] = slot;
    }
    goals
}

/// Returns random lines of free cells between two walls.
fn doors(grid: &Grid, rng: &mut Rng) -> Vec<Vec<NodeId>> {
    let free = |x: u32, y: u32| grid.node(x, y).filter(|&n| grid.is_free(n));
    let mut doors = Vec::new();
    for _ in 0..1_000_000 {
        let (x, y) = (rng.between(1, grid.width() - 2), rng.between(1, grid.height() - 2));
        let (dx, dy) = if rng.one_in(2) { (1, 0) } else { (0, 1) };
        if free(x, y).is_none() || free(x - dx, y - dy).is_some() {
            continue;
        }
        let line: Vec<NodeId> = (0..=WIDEST).map_while(|k| free(x + k * dx, y + k * dy)).collect();
        if line.len() as u32 <= WIDEST {
            doors.push(line);
        }
        if doors.len() == DOORS {
            break;
        }
    }
    doors
}

/// The observations of units with this sight, for methods without a fog of their own.
pub(crate) struct Lookout {
    seen: Vec<bool>,
}

impl Lookout {
    pub(crate) fn new(grid: &Grid) -> Self {
        Self { seen: vec![false; grid.bound()] }
    }

    /// Collects walls that are seen from here for the first time.
    pub(crate) fn look(&mut self, grid: &Grid, from: NodeId, walls: &mut Vec<NodeId>) {
        let (x, y) = grid.xy(from);
        for y in y.saturating_sub(RADIUS)..=y + RADIUS {
            for x in x.saturating_sub(RADIUS)..=x + RADIUS {
                let Some(n) = grid.node(x, y) else { continue };
                if !std::mem::replace(&mut self.seen[n.index()], true) && !grid.is_free(n) {
                    walls.push(n);
                }
            }
        }
    }
}
