//! Scenarios: seeded fleets on any map.

use std::collections::VecDeque;
use std::fmt;
use std::str::FromStr;

use fleetfoot::registry::suggest;

use super::setup::{Assignments, FleetSetup, Place};
use crate::error::InputError;
use crate::generate::SeededRng;
use crate::map::GridMap;

/// What a fleet does. All scenarios use the largest component of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scenario {
    /// From random cells to random cells.
    Swarm,
    /// From all four sides to the opposite ones.
    Cross,
    /// From the west to the east and from the east to the west.
    Streams,
    /// From the west to the east.
    Doorway,
    /// Back and forth between two random cells, forever.
    Patrol,
    /// From random cells to the nearest of up to four exits, where units leave the map.
    Evacuate,
    /// From random cells to one cell.
    Rally,
}

/// All scenarios, each with its name, a suitable map, and a suitable number of units.
pub const SCENARIOS: [(Scenario, &str, &str, usize); 7] = [
    (Scenario::Swarm, "swarm", "builtin:cave512", 1000),
    (Scenario::Cross, "cross", "builtin:crossing", 160),
    (Scenario::Streams, "streams", "builtin:passage3", 100),
    (Scenario::Doorway, "doorway", "builtin:doorway", 200),
    (Scenario::Patrol, "patrol", "builtin:cave512", 1000),
    (Scenario::Evacuate, "evacuate", "builtin:rooms100", 500),
    (Scenario::Rally, "rally", "builtin:cave256", 200),
];

/// Units that start at a side are spread over this many cells per unit, if available.
const SPREAD: usize = 4;

impl Scenario {
    fn row(self) -> &'static (Self, &'static str, &'static str, usize) {
        // The list contains every scenario (tested).
        SCENARIOS.iter().find(|row| row.0 == self).unwrap_or(&SCENARIOS[0])
    }

    /// Returns its name.
    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// Returns a suitable built-in map.
    pub fn default_map(self) -> &'static str {
        self.row().2
    }

    /// Returns a suitable number of units.
    pub fn usual_units(self) -> usize {
        self.row().3
    }

    /// Creates its units on a map.
    ///
    /// # Errors
    /// If `units` is 0, or more than fit.
    pub fn muster(self, map: &GridMap, units: usize, seed: u64) -> Result<FleetSetup, InputError> {
        if units == 0 {
            return Err(InputError::new("a fleet of 0 units has nothing to do", "ask for at least one unit"));
        }
        let mut field = Field::new(map, units, seed)?;
        let muster =
            |starts: Vec<Place>, goals: Vec<Place>| FleetSetup { starts, errands: Assignments::Once(goals) };
        Ok(match self {
            Self::Swarm => muster(field.anywhere(), field.anywhere()),
            Self::Patrol => {
                let (starts, mut tasks) = (field.anywhere(), field.anywhere());
                tasks.extend(&starts);
                FleetSetup { starts, errands: Assignments::Tasks(tasks) }
            }
            Self::Rally => {
                let starts = field.anywhere();
                let centre = field.cells[field.dice.below(field.cells.len() as u32) as usize];
                FleetSetup { starts, errands: Assignments::Rally(centre) }
            }
            Self::Evacuate => {
                let starts = field.anywhere();
                let exits = field.exits();
                let goals = nearest(map, &exits, &starts);
                FleetSetup { starts, errands: Assignments::Leave(goals) }
            }
            Self::Doorway => {
                let from = [Side::West];
                muster(field.sides(&from)?, field.sides(&from.map(Side::opposite))?)
            }
            Self::Streams => {
                let from = [Side::West, Side::East];
                muster(field.sides(&from)?, field.sides(&from.map(Side::opposite))?)
            }
            Self::Cross => {
                let from = [Side::West, Side::East, Side::North, Side::South];
                muster(field.sides(&from)?, field.sides(&from.map(Side::opposite))?)
            }
        })
    }
}

impl fmt::Display for Scenario {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Scenario {
    type Err = InputError;

    fn from_str(text: &str) -> Result<Self, InputError> {
        SCENARIOS.iter().find(|row| row.1 == text).map(|row| row.0).ok_or_else(|| {
            let remedy = suggest(text, &SCENARIOS.map(|row| row.1));
            InputError::new(format!("there is no scenario `{text}`"), remedy)
        })
    }
}

#[derive(Clone, Copy)]
enum Side {
    West,
    East,
    North,
    South,
}

impl Side {
    fn opposite(self) -> Self {
        match self {
            Self::West => Self::East,
            Self::East => Self::West,
            Self::North => Self::South,
            Self::South => Self::North,
        }
    }

    /// Returns the distance of a cell on the map from this side.
    fn distance(self, map: &GridMap, (x, y): Place) -> u32 {
        match self {
            Self::West => x,
            Self::East => map.width() - 1 - x,
            Self::North => y,
            Self::South => map.height() - 1 - y,
        }
    }
}

/// The largest component of a map, with a number of units.
struct Field<'a> {
    map: &'a GridMap,
    cells: Vec<Place>,
    units: usize,
    dice: SeededRng,
}

impl<'a> Field<'a> {
    fn new(map: &'a GridMap, units: usize, seed: u64) -> Result<Self, InputError> {
        let parts = map.components();
        let largest = parts.largest().map(|(label, _)| label);
        let width = map.width();
        let in_largest = (0..).zip(&parts.labels).filter(|(_, label)| Some(**label) == largest);
        let cells: Vec<Place> = in_largest.map(|(cell, _): (u32, _)| (cell % width, cell / width)).collect();
        if units > cells.len() {
            let what = format!(
                "{units} units do not fit the map, whose largest part has {} free cells",
                cells.len()
            );
            return Err(InputError::new(what, "ask for fewer units, or use a larger map"));
        }
        Ok(Self { map, cells, units, dice: SeededRng::new(seed) })
    }

    /// Returns different random cells, one for each unit.
    fn anywhere(&mut self) -> Vec<Place> {
        let mut cells = self.cells.clone();
        for k in 0..self.units {
            let other = k + self.dice.below((cells.len() - k) as u32) as usize;
            cells.swap(k, other);
        }
        cells.truncate(self.units);
        cells
    }

    /// Returns different cells near these sides. Units are spread evenly over the sides, the first ones to the first
    /// side.
    fn sides(&mut self, sides: &[Side]) -> Result<Vec<Place>, InputError> {
        if self.units > self.cells.len() * sides.len() / (sides.len() + 1) {
            let what = format!(
                "{} units have no room to pass each other on {} free cells",
                self.units,
                self.cells.len()
            );
            return Err(InputError::new(what, "ask for fewer units, or use a larger map"));
        }
        let (map, mut left) = (self.map, self.cells.clone());
        let mut chosen = Vec::with_capacity(self.units);
        for (k, &side) in sides.iter().enumerate() {
            let share = self.units / sides.len() + usize::from(k < self.units % sides.len());
            let room = (SPREAD * share).min(self.cells.len() / (sides.len() + 1)).max(share);
            // The nearest cells come last; cells of equal distance are in random order.
            self.dice.shuffle(&mut left);
            left.sort_by_key(|&cell| std::cmp::Reverse(side.distance(map, cell)));
            let mut near = left.split_off(left.len().saturating_sub(room));
            self.dice.shuffle(&mut near);
            chosen.extend(near.drain(..share.min(near.len())));
            left.extend(near);
        }
        Ok(chosen)
    }

    /// Returns the cells farthest to the west, east, north and south, without duplicates.
    fn exits(&self) -> Vec<Place> {
        let mut exits = Vec::new();
        for side in [Side::West, Side::East, Side::North, Side::South] {
            let least = self.cells.iter().map(|&cell| side.distance(self.map, cell)).min();
            let mut edge: Vec<Place> = self
                .cells
                .iter()
                .copied()
                .filter(|&cell| Some(side.distance(self.map, cell)) == least)
                .collect();
            edge.retain(|cell| !exits.contains(cell));
            exits.extend(edge.get(edge.len() / 2));
        }
        exits
    }
}

/// Returns the nearest exit of each start by straight moves.
fn nearest(map: &GridMap, exits: &[Place], starts: &[Place]) -> Vec<Place> {
    let place = |(x, y): Place| (y * map.width() + x) as usize;
    let mut exit_of: Vec<Option<Place>> = vec![None; map.cells().len()];
    let mut queue: VecDeque<(Place, Place)> = exits.iter().map(|&exit| (exit, exit)).collect();
    while let Some(((x, y), exit)) = queue.pop_front() {
        if exit_of[place((x, y))].is_some() {
            continue;
        }
        exit_of[place((x, y))] = Some(exit);
        for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
            // Wraps to far outside at the edges, which is blocked as well.
            let next = (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
            if map.passable(next.0, next.1) && exit_of[place(next)].is_none() {
                queue.push_back((next, exit));
            }
        }
    }
    starts.iter().map(|&start| exit_of[place(start)].unwrap_or(start)).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::generate::builtin;

    fn all() -> [Scenario; 7] {
        SCENARIOS.map(|row| row.0)
    }

    #[test]
    fn names_and_maps() {
        for scenario in all() {
            assert_eq!(scenario.name().parse::<Scenario>().unwrap(), scenario);
            assert_eq!(scenario.row().0, scenario);
            let name = scenario.default_map().strip_prefix(builtin::PREFIX).unwrap();
            let map = builtin::find(name).unwrap().make().unwrap().map;
            let muster = scenario.muster(&map, scenario.usual_units(), 0).unwrap();
            assert_eq!(muster.len(), scenario.usual_units());
        }
        let error = "swam".parse::<Scenario>().unwrap_err().to_string();
        assert!(error.starts_with("there is no scenario `swam`; did you mean `swarm`?"), "{error}");
    }

    #[test]
    fn starts_are_different_free_and_joined() {
        let map = crate::generate::random::generate(40, 30, 30, 3).unwrap().map;
        let parts = map.components();
        let (label, size) = parts.largest().unwrap();
        for scenario in all() {
            for units in [1, 2, 3, 7, 100, size as usize / 3] {
                let muster = scenario.muster(&map, units, 5).unwrap();
                let again = scenario.muster(&map, units, 5).unwrap();
                assert_eq!(muster, again);
                let goals = match &muster.errands {
                    Assignments::Once(goals) => {
                        assert_eq!(goals.iter().collect::<HashSet<_>>().len(), units, "{scenario}");
                        goals.clone()
                    }
                    Assignments::Tasks(goals) | Assignments::Leave(goals) => goals.clone(),
                    Assignments::Rally(centre) => vec![*centre],
                };
                assert_eq!(muster.starts.iter().collect::<HashSet<_>>().len(), units, "{scenario}");
                for &(x, y) in muster.starts.iter().chain(&goals) {
                    assert_eq!(parts.labels[(y * map.width() + x) as usize], label, "{scenario}");
                }
            }
            assert!(scenario.muster(&map, 0, 5).is_err());
            let error = scenario.muster(&map, size as usize + 1, 5).unwrap_err().to_string();
            assert!(error.contains("ask for fewer units"), "{error}");
        }
    }

    #[test]
    fn streams_begin_in_the_rooms() {
        let map = builtin::find("passage1").unwrap().make().unwrap().map;
        let muster = Scenario::Streams.muster(&map, 100, 0).unwrap();
        let Assignments::Once(goals) = &muster.errands else { panic!() };
        for (k, (start, goal)) in muster.starts.iter().zip(goals).enumerate() {
            let ((from, _), (to, _)) = if k < 50 { (start, goal) } else { (goal, start) };
            assert!(*from < 17 && *to >= 47, "{start:?} {goal:?}");
        }
    }
}
