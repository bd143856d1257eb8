//! Reads ticks back. Nothing in a file is trusted: every cell, number and length is checked.

mod entries;

use fleetfoot_sim::error::InputError;

use crate::code::{Cursors, DECISION, HAS_EDITS, HAS_ENTRIES, HAS_SIGHTS, NO_PATH, WAIT};
use crate::events::{Answer, Frame};
use crate::format::bytes::Bytes;
use crate::format::damaged;
use crate::format::section::Section;
use crate::model::Model;

/// Plays a track from its beginning, tick by tick.
#[derive(Debug)]
pub struct Player<'r> {
    chunks: std::slice::Iter<'r, Section>,
    /// The current chunk: its bytes, and how far each column has been read.
    raw: Vec<u8>,
    columns: [(usize, usize); 5],
    left: u64,
    pub(crate) model: Model,
    cursors: Cursors,
    truth: Vec<u8>,
    at: u32,
    /// Ticks played.
    tick: u64,
    kinds: usize,
}

/// The columns of a chunk.
struct Columns<'a> {
    ticks: Bytes<'a>,
    ops: Bytes<'a>,
    places: Bytes<'a>,
    masks: Bytes<'a>,
    values: Bytes<'a>,
}

impl<'r> Player<'r> {
    pub(crate) fn new(
        chunks: &'r [Section],
        model: Model,
        truth: Vec<u8>,
        (at, tick): (u32, u64),
        kinds: usize,
    ) -> Self {
        let cursors = Cursors::at(at);
        let (columns, chunks) = ([(0, 0); 5], chunks.iter());
        Self { chunks, raw: Vec::new(), columns, left: 0, model, cursors, truth, at, tick, kinds }
    }

    /// Returns the true weight of each cell; 0 is blocked.
    pub fn truth(&self) -> &[u8] {
        &self.truth
    }

    /// Returns the weight of each cell that the agent believes.
    pub fn believed(&self) -> &[u8] {
        &self.model.believed
    }

    /// Returns the cell of the agent.
    pub fn at(&self) -> u32 {
        self.at
    }

    /// Plays the next tick. Returns `None` after the last one.
    ///
    /// # Errors
    /// If the record is damaged.
    pub fn advance(&mut self) -> Result<Option<Frame>, InputError> {
        while self.left == 0 {
            if !self.open_chunk()? {
                return Ok(None);
            }
        }
        self.left -= 1;
        let raw = std::mem::take(&mut self.raw);
        let frame = self.read(&raw);
        self.raw = raw;
        frame.map(Some)
    }

    fn open_chunk(&mut self) -> Result<bool, InputError> {
        if self.columns.iter().any(|(from, to)| from != to) {
            return Err(damaged("a chunk holds more than its ticks"));
        }
        let Some(section) = self.chunks.next() else { return Ok(false) };
        self.raw = section.unpack()?;
        let mut bytes = Bytes(&self.raw);
        self.left = bytes.number()?;
        for column in &mut self.columns {
            let length = bytes.number()?;
            let from = self.raw.len() - bytes.0.len();
            *column = (from, from + bytes.take(length)?.len());
        }
        if bytes.is_empty() { Ok(true) } else { Err(damaged("a chunk is longer than its columns")) }
    }

    fn read(&mut self, raw: &[u8]) -> Result<Frame, InputError> {
        let column = |k: usize| Bytes(&raw[self.columns[k].0..self.columns[k].1]);
        let mut columns = Columns {
            ticks: column(0),
            ops: column(1),
            places: column(2),
            masks: column(3),
            values: column(4),
        };
        let frame = self.frame(&mut columns)?;
        let Columns { ticks, ops, places, masks, values } = columns;
        for (place, rest) in self.columns.iter_mut().zip([ticks, ops, places, masks, values]) {
            place.0 = place.1 - rest.0.len();
        }
        Ok(frame)
    }

    fn frame(&mut self, columns: &mut Columns<'_>) -> Result<Frame, InputError> {
        self.tick += 1;
        let (tick, at) = (self.tick, self.at);
        let head = columns.ticks.byte()?;
        let work = self.work(columns)?;
        let edits = self.edits(columns, head)?;
        let sights = self.sights(columns, head)?;
        let mut events = Vec::new();
        if head & HAS_ENTRIES != 0 {
            self.entries(columns, &mut events)?;
        }
        let answer = match head & DECISION {
            WAIT => Answer::Wait,
            NO_PATH => Answer::NoPath,
            d @ 0..8 => {
                let to = self.model.neighbour(at, d as usize);
                Answer::Go(to.ok_or_else(|| damaged("a move leaves the map"))?)
            }
            _ => return Err(damaged("an unknown answer")),
        };
        if let Answer::Go(to) = answer {
            self.at = to;
        }
        Ok(Frame { tick, at, answer, work, edits, sights, events })
    }

    fn work(&self, columns: &mut Columns<'_>) -> Result<Vec<u64>, InputError> {
        let mask = columns.ticks.number()?;
        if mask >> self.kinds != 0 {
            return Err(damaged("an unknown kind of work"));
        }
        let mut work = vec![0; self.kinds];
        for (k, work) in work.iter_mut().enumerate() {
            if mask >> k & 1 == 1 {
                *work = columns.ticks.number()?;
            }
        }
        Ok(work)
    }

    fn edits(&mut self, columns: &mut Columns<'_>, head: u8) -> Result<Vec<(u32, u8)>, InputError> {
        let many = if head & HAS_EDITS == 0 { 0 } else { columns.ticks.number()? };
        let mut edits = Vec::new();
        for _ in 0..many {
            let cell = self.place(columns, |cursors| &mut cursors.world)?;
            let weight = columns.masks.byte()?;
            self.truth[cell as usize] = weight;
            edits.push((cell, weight));
        }
        Ok(edits)
    }

    fn sights(&mut self, columns: &mut Columns<'_>, head: u8) -> Result<Vec<(u32, u8)>, InputError> {
        let many = if head & HAS_SIGHTS == 0 { 0 } else { columns.ticks.number()? };
        let mut sights = Vec::new();
        for _ in 0..many {
            let cell = self.place(columns, |cursors| &mut cursors.world)?;
            let believed = columns.masks.byte()? ^ self.truth[cell as usize];
            self.model.believed[cell as usize] = believed;
            sights.push((cell, believed));
        }
        Ok(sights)
    }
}
