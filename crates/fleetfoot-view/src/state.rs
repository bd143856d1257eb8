//! How things stand after a tick: what a picture shows.

use crate::decode::Player;
use crate::events::{Answer, Frame, Happening, Visit};
use crate::record::Record;

/// What a search has made of a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Mark {
    /// The search that touched it last, counted from 1.
    pub(crate) search: u64,
    pub(crate) is_open: bool,
    /// The tick of its last expansion, counted from 1.
    pub(crate) expanded: u64,
}

/// See the module.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) truth: Vec<u8>,
    pub(crate) believed: Vec<u8>,
    pub(crate) known: Vec<bool>,
    pub(crate) marks: Vec<Mark>,
    pub(crate) search: u64,
    /// How far learned values are above the initial ones, in cost units.
    pub(crate) rise: Vec<u32>,
    /// The agent's cells, with the tick of each move.
    pub(crate) trail: Vec<(u64, u32)>,
    pub(crate) traced: Vec<u32>,
    pub(crate) followed: Vec<u32>,
    /// The tick that was applied last, counted from 1.
    pub(crate) now: u64,
    implicit: bool,
}

impl State {
    /// Before the first tick of a life.
    pub(crate) fn new(record: &Record, life: usize) -> Self {
        let (cells, meta) = (record.letters.len(), &record.lives[life].meta);
        let player = record.play(life);
        Self {
            truth: player.truth().to_vec(),
            believed: player.believed().to_vec(),
            known: record.known.clone(),
            marks: vec![Mark::default(); cells],
            search: 0,
            rise: vec![0; cells],
            trail: vec![(meta.first, player.at())],
            traced: Vec::new(),
            followed: Vec::new(),
            now: meta.first,
            implicit: meta.implicit,
        }
    }

    /// A tick happens. The player has just given this frame.
    pub(crate) fn apply(&mut self, frame: &Frame, player: &Player<'_>) {
        self.now = frame.tick + 1;
        for &(cell, weight) in &frame.edits {
            self.truth[cell as usize] = weight;
        }
        for &(cell, believed) in &frame.sights {
            self.believed[cell as usize] = believed;
            self.known[cell as usize] = true;
        }
        frame.events.iter().for_each(|event| self.happen(event, player));
        if let Answer::Go(to) = frame.answer {
            self.trail.push((frame.tick, to));
        }
    }

    fn happen(&mut self, event: &Happening, player: &Player<'_>) {
        match *event {
            Happening::Search { .. } | Happening::Skipped => {
                self.search += 1;
                self.traced.clear();
            }
            Happening::Expand(Visit { cell, .. }) => {
                self.marks[cell as usize] = Mark { search: self.search, is_open: false, expanded: self.now };
            }
            Happening::Open(Visit { cell, .. }) => {
                let mark = &mut self.marks[cell as usize];
                (mark.search, mark.is_open) = (self.search, true);
                if self.implicit {
                    let excess = player.model.node(cell).excess.max(0);
                    self.rise[cell as usize] = excess.cast_unsigned();
                }
            }
            Happening::Learn { cell, new } => self.rise[cell as usize] = player.model.rise(cell, new),
            Happening::Trace { cell } => {
                let last = self.traced.last().copied();
                if last.is_some_and(|last| player.model.node(last).parent != cell) {
                    self.traced.clear();
                }
                self.traced.push(cell);
            }
            Happening::Follow => self.followed = std::mem::take(&mut self.traced),
        }
    }

    /// The cells where the agent turned to step back to the one it had just left.
    pub(crate) fn turns(&self) -> impl Iterator<Item = u32> {
        self.trail.windows(3).filter(|three| three[0].1 == three[2].1).map(|three| three[1].1)
    }
}
