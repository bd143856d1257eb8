//! Writes ticks in five columns, so that similar values are adjacent and compress well.

mod entries;

use std::sync::mpsc::Sender;

use fleetfoot::{Decision, Work, WorkKind};

use crate::code::{Cursors, HAS_EDITS, HAS_ENTRIES, HAS_SEARCH, HAS_SIGHTS, NO_PATH, WAIT};
use crate::events::RecordedEvent;
use crate::format::bytes::put;
use crate::model::Model;

/// Number of bytes at which a chunk is sent to the packer.
const CHUNK: usize = 1 << 19;

/// The contents of one tick.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TickParts<'a> {
    pub(crate) at: u32,
    pub(crate) decision: Decision,
    /// The direction, if the answer was a move.
    pub(crate) direction: usize,
    pub(crate) work: &'a Work,
    /// Cells that changed, and their new weights.
    pub(crate) edits: &'a [(u32, u8)],
    /// Cells that the agent has seen, with the believed and the true weight.
    pub(crate) sights: &'a [(u32, u8, u8)],
    pub(crate) events: &'a [RecordedEvent],
}

/// Encodes ticks in order.
#[derive(Debug)]
pub(crate) struct Encoder {
    pub(crate) model: Model,
    cursors: Cursors,
    count: u64,
    ticks: Vec<u8>,
    ops: Vec<u8>,
    places: Vec<u8>,
    masks: Vec<u8>,
    values: Vec<u8>,
    /// The current run of equal entries, as opcode and length.
    run: (u8, u64),
    residuals: Vec<i64>,
    /// A search began in this tick, not counting a local search next to a global one.
    has_search: bool,
    /// Receives full chunks; the number of bytes sent so far.
    chunks: Sender<Vec<u8>>,
    sent: u64,
}

impl Encoder {
    pub(crate) fn new(model: Model, at: u32, chunks: Sender<Vec<u8>>) -> Self {
        Self {
            model,
            cursors: Cursors::at(at),
            count: 0,
            ticks: Vec::new(),
            ops: Vec::new(),
            places: Vec::new(),
            masks: Vec::new(),
            values: Vec::new(),
            run: (0, 0),
            residuals: Vec::new(),
            has_search: false,
            chunks,
            sent: 0,
        }
    }

    /// Sets the cell of the agent before the first tick.
    pub(crate) fn begin(&mut self, at: u32) {
        self.cursors = Cursors::at(at);
    }

    /// Returns the number of bytes written so far, before compression.
    pub(crate) fn raw(&self) -> u64 {
        self.sent + self.pending() as u64
    }

    fn pending(&self) -> usize {
        self.ticks.len() + self.ops.len() + self.places.len() + self.masks.len() + self.values.len()
    }

    pub(crate) fn tick(&mut self, tick: &TickParts<'_>) {
        for &(cell, weight) in tick.edits {
            self.place(cell, |cursors| &mut cursors.world);
            self.masks.push(weight);
        }
        for &(cell, believed, truth) in tick.sights {
            self.place(cell, |cursors| &mut cursors.world);
            self.masks.push(believed ^ truth);
            self.model.believed[cell as usize] = believed;
        }
        let entries = self.ops.len();
        self.entries(tick);
        self.head(tick, self.ops.len() > entries);
        self.count += 1;
        if self.pending() > CHUNK {
            self.flush();
        }
    }

    fn head(&mut self, tick: &TickParts<'_>, has_entries: bool) {
        let decision = match tick.decision {
            Decision::Go(_) => tick.direction as u8,
            Decision::Wait => WAIT,
            Decision::NoPath => NO_PATH,
        };
        let flag = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
        self.ticks.push(
            decision
                | flag(!tick.edits.is_empty(), HAS_EDITS)
                | flag(!tick.sights.is_empty(), HAS_SIGHTS)
                | flag(has_entries, HAS_ENTRIES)
                | flag(self.has_search, HAS_SEARCH),
        );
        let kinds = WorkKind::ALL.iter().enumerate().filter(|(_, kind)| tick.work[**kind] > 0);
        put(&mut self.ticks, kinds.clone().map(|(k, _)| 1 << k).sum());
        kinds.for_each(|(_, kind)| put(&mut self.ticks, tick.work[*kind]));
        for many in [tick.edits.len(), tick.sights.len()] {
            if many > 0 {
                put(&mut self.ticks, many as u64);
            }
        }
    }

    /// Sends the pending ticks as a chunk.
    pub(crate) fn flush(&mut self) {
        if self.count == 0 {
            return;
        }
        let mut raw = Vec::with_capacity(self.pending() + 64);
        put(&mut raw, self.count);
        for column in [&mut self.ticks, &mut self.ops, &mut self.places, &mut self.masks, &mut self.values] {
            put(&mut raw, column.len() as u64);
            raw.append(column);
        }
        self.sent += raw.len() as u64;
        // The channel is closed if the record is no longer wanted.
        let _ = self.chunks.send(raw);
        self.count = 0;
    }
}
