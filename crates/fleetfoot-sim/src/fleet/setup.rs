//! The starts and assignments of units.

use std::collections::HashMap;
use std::path::Path;

use crate::error::InputError;
use crate::formats::cells::read_cells;
use crate::formats::scen::read_scen;
use crate::map::GridMap;

/// Column and row.
pub type Place = (u32, u32);

/// The assignments of units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Assignments {
    /// Each unit goes to a cell of its own, where it stays.
    Once(Vec<Place>),
    /// Sequences of tasks: unit i of n has tasks i, i + n, i + 2n, …, and starts over at the end of the list. A unit
    /// takes its next task when it is at the current one at the end of a tick.
    Tasks(Vec<Place>),
    /// All units go to the surroundings of one cell.
    Rally(Place),
    /// Each unit goes to its exit, where it leaves the map.
    Leave(Vec<Place>),
}

/// The starts and assignments of units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FleetSetup {
    /// Start of each unit, without duplicates.
    pub starts: Vec<Place>,
    /// Their assignments.
    pub errands: Assignments,
}

impl FleetSetup {
    /// Reads units from a scenario: unit i has problem i. Goals may be blocked or unreachable, which the run reports.
    /// `most` limits the number of units.
    ///
    /// # Errors
    /// If the file cannot be read or does not belong to the map, there are fewer problems than units requested, or a
    /// start is blocked or occupied; with file and line.
    pub fn from_scen(
        map: &GridMap,
        map_file_name: &str,
        path: &Path,
        most: Option<usize>,
    ) -> Result<Self, InputError> {
        let mut problems = read_scen(path)?;
        shorten(&mut problems, most, "problems").map_err(|error| error.with_file(path))?;
        let mut taken = Taken::default();
        for problem in &problems {
            problem.check(map, map_file_name, true).map_err(|error| error.with_file(path))?;
            taken.take(problem.start, problem.line).map_err(|error| error.with_file(path))?;
        }
        let starts = problems.iter().map(|problem| problem.start).collect();
        Ok(Self { starts, errands: Assignments::Once(problems.iter().map(|problem| problem.goal).collect()) })
    }

    /// Reads units with sequences of tasks from lists of cells. `most` limits the number of units.
    ///
    /// # Errors
    /// If a file cannot be read or does not belong to the map, there are no tasks or fewer units than requested, or a
    /// start is blocked or occupied; with file and line.
    pub fn from_lists(
        map: &GridMap,
        agents: &Path,
        tasks: &Path,
        most: Option<usize>,
    ) -> Result<Self, InputError> {
        let size = (map.width(), map.height());
        let mut starts = read_cells(agents, size)?;
        shorten(&mut starts, most, "units").map_err(|error| error.with_file(agents))?;
        let mut taken = Taken::default();
        for start in &starts {
            let (x, y) = start.cell;
            if !map.passable(x, y) {
                let what = format!("the start ({x}, {y}) is blocked ({:?})", map.letter(x, y) as char);
                let error = InputError::at(
                    start.line,
                    what,
                    "choose a free cell, or give the list that belongs to the map",
                );
                return Err(error.with_file(agents));
            }
            taken.take(start.cell, Some(start.line)).map_err(|error| error.with_file(agents))?;
        }
        let goals = read_cells(tasks, size)?;
        if goals.is_empty() {
            return Err(InputError::new("there are no tasks", "list at least one").with_file(tasks));
        }
        let cells =
            |list: &[crate::formats::cells::CellEntry]| list.iter().map(|listed| listed.cell).collect();
        Ok(Self { starts: cells(&starts), errands: Assignments::Tasks(cells(&goals)) })
    }

    /// Returns the number of units.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Returns `true` if there are no units.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// Returns `true` if it ends when all units have arrived.
    pub fn ends(&self) -> bool {
        !matches!(self.errands, Assignments::Tasks(_))
    }
}

/// Shortens a list to the requested number of entries, which must exist.
fn shorten<T>(list: &mut Vec<T>, most: Option<usize>, name: &str) -> Result<(), InputError> {
    if list.is_empty() {
        return Err(InputError::new(format!("there are no {name}"), "list at least one"));
    }
    match most {
        Some(most) if most > list.len() => {
            let what = format!("there are {} {name}, and {most} units are asked for", list.len());
            Err(InputError::new(what, "ask for fewer, or leave the number out"))
        }
        Some(most) => {
            list.truncate(most);
            Ok(())
        }
        None => Ok(()),
    }
}

/// Occupied cells, with the lines that name them.
#[derive(Default)]
struct Taken(HashMap<Place, Option<usize>>);

impl Taken {
    fn take(&mut self, cell: Place, line: Option<usize>) -> Result<(), InputError> {
        let Some(first) = self.0.insert(cell, line) else { return Ok(()) };
        let ((x, y), first) = (cell, first.map(|line| format!(", as in line {line}")).unwrap_or_default());
        let what = format!("two units begin in ({x}, {y}){first}");
        let remedy = "give each unit a cell of its own";
        Err(line.map_or_else(|| InputError::new(&*what, remedy), |line| InputError::at(line, &*what, remedy)))
    }
}
