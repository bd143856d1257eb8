//! Who begins where, and goes where.

use std::collections::HashMap;
use std::path::Path;

use crate::error::InputError;
use crate::formats::cells::read_cells;
use crate::formats::scen::read_scen;
use crate::map::GridMap;

/// Column and row.
pub type Place = (u32, u32);

/// What units are sent for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Assignments {
    /// Each to a cell of its own, where it stays.
    Once(Vec<Place>),
    /// One task after the other: unit i of n has tasks i, i + n, i + 2n, …, and over again at the end of the list. A unit
    /// takes its next task when it stands on the present one at the end of a tick.
    Tasks(Vec<Place>),
    /// All to the ground around one cell.
    Rally(Place),
    /// Each to its exit, where it leaves the map.
    Leave(Vec<Place>),
}

/// Units, where they begin, and what they are sent for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FleetSetup {
    /// By unit; all of them different.
    pub starts: Vec<Place>,
    /// What they are sent for.
    pub errands: Assignments,
}

impl FleetSetup {
    /// Units from a scenario: unit i has problem i. Goals may be blocked or out of reach; that is told by the run. At most
    /// `most` units, if that is said.
    ///
    /// # Errors
    /// If the file cannot be read or does not belong to the map, there are fewer problems than units asked for, or a start
    /// is blocked or another one's; with file and line.
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

    /// Units that take one task after the other, from lists of cells. At most `most` units, if that is said.
    ///
    /// # Errors
    /// If a file cannot be read or does not belong to the map, there are no tasks or fewer units than asked for, or a
    /// start is blocked or another one's; with file and line.
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

    /// How many units there are.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// Whether it ends when all units have arrived.
    pub fn ends(&self) -> bool {
        !matches!(self.errands, Assignments::Tasks(_))
    }
}

/// Takes the first ones of a list, which must be there.
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

/// Cells that are taken, and the lines in which that is said.
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
