//! The state after a tick, which a picture shows.

use crate::decode::Player;
use crate::events::{Answer, Frame, RecordedEvent, Visit};
use crate::record::Record;

/// The state of a cell in a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Mark {
    /// Number of the search that touched it last, counted from 1.
    pub(crate) search: u64,
    pub(crate) is_open: bool,
    /// Tick of its last expansion, counted from 1.
    pub(crate) expanded: u64,
}

/// The state of a track. See the module.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) truth: Vec<u8>,
    pub(crate) believed: Vec<u8>,
    pub(crate) known: Vec<bool>,
    /// The cells of the planner's only or global search.
    pub(crate) far: Marks,
    /// The cells of its local search, if it has two.
    pub(crate) near: Marks,
    is_near: bool,
    /// Difference between learned and initial values, in cost units.
    pub(crate) rise: Vec<u32>,
    /// The agent's cells: the start, and one for each move.
    pub(crate) trail: Vec<u32>,
    pub(crate) traced: Vec<u32>,
    pub(crate) followed: Vec<u32>,
    /// The tick that was applied last, counted from 1.
    pub(crate) now: u64,
}

/// The states of all cells in a planner's current search.
#[derive(Clone, Debug)]
pub(crate) struct Marks {
    pub(crate) cells: Vec<Mark>,
    /// Number of the current search, counted from 1.
    pub(crate) search: u64,
}

impl Marks {
    fn new(cells: usize) -> Self {
        Self { cells: vec![Mark::default(); cells], search: 0 }
    }

    /// Returns `true` if the cell is open in the current search.
    pub(crate) fn is_open(&self, cell: usize) -> bool {
        let mark = self.cells[cell];
        mark.is_open && mark.search == self.search
    }

    /// Returns `true` if the current search has expanded this cell and not reopened it.
    pub(crate) fn is_closed(&self, cell: usize) -> bool {
        let mark = self.cells[cell];
        mark.expanded > 0 && !mark.is_open && mark.search == self.search
    }

    /// Returns `true` if the cell was expanded in this tick.
    pub(crate) fn is_fresh(&self, cell: usize, now: u64) -> bool {
        self.cells[cell].expanded == now && now > 0
    }
}

impl State {
    /// Creates the state before the first tick of a track.
    pub(crate) fn new(record: &Record, life: usize) -> Self {
        let (cells, meta) = (record.letters.len(), &record.lives[life].meta);
        let player = record.play(life);
        Self {
            truth: player.truth().to_vec(),
            believed: player.believed().to_vec(),
            known: record.known.clone(),
            far: Marks::new(cells),
            near: Marks::new(cells),
            is_near: false,
            rise: vec![0; cells],
            trail: vec![player.at()],
            traced: Vec::new(),
            followed: Vec::new(),
            now: meta.first,
        }
    }

    /// Applies the frame that the player has just returned.
    pub(crate) fn apply(&mut self, frame: &Frame, player: &Player<'_>) {
        self.now = frame.tick;
        for &(cell, weight) in &frame.edits {
            self.truth[cell as usize] = weight;
        }
        for &(cell, believed) in &frame.sights {
            self.believed[cell as usize] = believed;
            self.known[cell as usize] = true;
        }
        frame.events.iter().for_each(|event| self.happen(event, player));
        if let Answer::Go(to) = frame.answer {
            self.trail.push(to);
        }
    }

    fn happen(&mut self, event: &RecordedEvent, player: &Player<'_>) {
        let (now, is_near) = (self.now, self.is_near);
        let marks = if is_near { &mut self.near } else { &mut self.far };
        match *event {
            RecordedEvent::Search { root } => {
                marks.search += 1;
                let mark = &mut marks.cells[root as usize];
                (mark.search, mark.is_open) = (marks.search, true);
                self.traced.clear();
            }
            RecordedEvent::Skipped => {
                marks.search += 1;
                self.traced.clear();
            }
            RecordedEvent::Expand(Visit { cell, .. }) => {
                let search = marks.search;
                marks.cells[cell as usize] = Mark { search, is_open: false, expanded: now };
            }
            RecordedEvent::Open(Visit { cell, .. }) => {
                let mark = &mut marks.cells[cell as usize];
                (mark.search, mark.is_open) = (marks.search, true);
            }
            RecordedEvent::Leave { cell } => marks.cells[cell as usize].is_open = false,
            RecordedEvent::Turn { is_near } => self.is_near = is_near,
            RecordedEvent::Lead { .. } => {}
            RecordedEvent::Learn { cell, new } => self.rise[cell as usize] = player.model.rise(cell, new),
            RecordedEvent::Trace { cell } => {
                let last = self.traced.last().copied();
                if last.is_some_and(|last| player.model.parent(is_near, last) != cell) {
                    self.traced.clear();
                }
                self.traced.push(cell);
            }
            RecordedEvent::Follow => {
                self.followed = std::mem::take(&mut self.traced);
                // The global search has found a path, so the local search ends.
                self.near.search += u64::from(!is_near && self.near.search > 0);
            }
        }
    }

    /// Returns the cells where the agent turned to step back to the cell it had just left.
    pub(crate) fn steps_back(&self) -> impl Iterator<Item = u32> {
        self.trail.windows(3).filter(|three| three[0] == three[2]).map(|three| three[1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::RecordedEvent::{Expand, Follow, Leave, Open, Search, Turn};

    fn record() -> Record {
        use fleetfoot_sim::episode::{RunLimits, Task};
        let map = fleetfoot_sim::map::GridMap::from_rows(&["....", "...."]).unwrap();
        let grid = fleetfoot_sim::world::Terrain::default().grid(&map, fleetfoot::Rules::default()).unwrap();
        let world = fleetfoot_sim::world::World::known(&std::sync::Arc::new(grid));
        let trip = Task::new(&world, (0, 0), (3, 1)).unwrap();
        let prices = fleetfoot::Prices::PAPERS;
        let terms = RunLimits { prices, ..RunLimits::new(fleetfoot_sim::budget::Budget::Expansions(3)) };
        let spec: fleetfoot::registry::Spec = "astar".parse().unwrap();
        let mut planner = spec.build(world.graph()).unwrap();
        let label = crate::Label { planner: "astar".into(), name: "A*".into() };
        let mut scratch = fleetfoot::Scratch::new();
        let life =
            crate::record(&trip, &terms, &mut *planner, &mut scratch, label, crate::RecordFilter::default());
        let scene = crate::Scene {
            map_name: "",
            map: &map,
            world: "known",
            rules: "",
            problem: 0,
            optimal: None,
            prices,
        };
        Record::new(&scene, &trip, &terms, vec![life.unwrap()])
    }

    #[test]
    fn each_search_has_its_own_marks() {
        let record = record();
        let (mut state, player) = (State::new(&record, 0), record.play(0));
        state.now = 1;
        let visit = |cell| Visit { cell, parent: None, g: 0, f: 0 };
        let mut tell = |events: &[RecordedEvent]| {
            for event in events {
                state.happen(event, &player);
            }
            let of = |marks: &Marks, is: fn(&Marks, usize) -> bool| {
                (0..8).filter(|k| is(marks, *k)).collect::<Vec<_>>()
            };
            [
                of(&state.far, Marks::is_open),
                of(&state.far, Marks::is_closed),
                of(&state.near, Marks::is_open),
                of(&state.near, Marks::is_closed),
            ]
        };
        let first =
            tell(&[Search { root: 7 }, Expand(visit(7)), Open(visit(6)), Open(visit(5)), Open(visit(2))]);
        assert_eq!(first, [vec![2, 5, 6], vec![7], vec![], vec![]]);
        let near = tell(&[Turn { is_near: true }, Search { root: 0 }, Expand(visit(0)), Open(visit(5))]);
        assert_eq!(near, [vec![2, 5, 6], vec![7], vec![5], vec![0]]);
        // A new local search drops the last one, and nothing else.
        let again = tell(&[Search { root: 1 }, Turn { is_near: false }, Leave { cell: 6 }, Expand(visit(2))]);
        assert_eq!(again, [vec![5], vec![2, 7], vec![1], vec![]]);
        // A cell that was expanded once and leaves the open list is closed again.
        assert_eq!(tell(&[Open(visit(7)), Leave { cell: 7 }, Follow]), [vec![5], vec![2, 7], vec![], vec![]]);
    }
}
