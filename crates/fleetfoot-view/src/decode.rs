//! Reading ticks back. Nothing in a file is trusted: every cell, number and length is checked.

use fleetfoot_sim::error::InputError;

use crate::code::{Cursors, DECISION, HAS_EDITS, HAS_ENTRIES, HAS_SIGHTS, NO_PATH, WAIT, op};
use crate::events::{Answer, Frame, Happening, Visit};
use crate::format::bytes::Bytes;
use crate::format::damaged;
use crate::format::section::Section;
use crate::model::{Model, NONE};

/// Plays a life from its beginning, tick by tick.
#[derive(Debug)]
pub struct Player<'r> {
    chunks: std::slice::Iter<'r, Section>,
    /// The present chunk: its bytes, and how far each column has been read.
    raw: Vec<u8>,
    columns: [(usize, usize); 5],
    left: u64,
    pub(crate) model: Model,
    cursors: Cursors,
    truth: Vec<u8>,
    at: u32,
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

    /// By cell: what it weighs, 0 if it is blocked.
    pub fn truth(&self) -> &[u8] {
        &self.truth
    }

    /// By cell: what the agent takes it to weigh.
    pub fn believed(&self) -> &[u8] {
        &self.model.believed
    }

    /// Where the agent is.
    pub fn at(&self) -> u32 {
        self.at
    }

    /// The next tick, or nothing after the last.
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
        self.tick += 1;
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

    fn entries(&mut self, columns: &mut Columns<'_>, events: &mut Vec<Happening>) -> Result<(), InputError> {
        self.model.purse.refill();
        loop {
            let op = columns.ops.byte()?;
            if op == u8::MAX {
                return Ok(());
            }
            let many = columns.ops.number()?;
            if matches!(op, op::FOLLOW | op::SKIPPED) && many != 1 {
                return Err(damaged("a run of entries that come one by one"));
            }
            for _ in 0..many {
                self.entry(op, columns, events)?;
            }
        }
    }

    fn entry(
        &mut self,
        op: u8,
        columns: &mut Columns<'_>,
        events: &mut Vec<Happening>,
    ) -> Result<(), InputError> {
        match op {
            op::SEARCH => {
                let root = self.place(columns, |cursors| &mut cursors.search)?;
                self.model.search(root, self.at);
                events.push(Happening::Search { root });
            }
            op::EXPAND | op::EXPAND_F | op::EXPAND_TOLD => self.expand(op, columns, events)?,
            op::OPEN => {
                let cell = self.place(columns, |cursors| &mut cursors.search)?;
                let visit = self.visit(cell, columns)?;
                self.model.told(cell, visit.parent.unwrap_or(NONE), visit.g, visit.f);
                events.push(Happening::Open(visit));
            }
            op::LEARN => {
                let cell = self.place(columns, |cursors| &mut cursors.learn)?;
                let told = columns.values.signed()?;
                let new =
                    self.model.lesson_told(cell, told).ok_or_else(|| damaged("a value out of range"))?;
                events.push(Happening::Learn { cell, new });
            }
            op::TRACE | op::TRACE_ON => {
                let cell = self.traced(op, columns)?;
                self.model.traced = cell;
                events.push(Happening::Trace { cell });
            }
            op::FOLLOW => events.push(Happening::Follow),
            op::SKIPPED => {
                self.model.skip();
                events.push(Happening::Skipped);
            }
            _ => return Err(damaged(format!("an unknown entry, {op}"))),
        }
        Ok(())
    }

    fn traced(&mut self, op: u8, columns: &mut Columns<'_>) -> Result<u32, InputError> {
        if op == op::TRACE {
            return self.place(columns, |cursors| &mut cursors.trace);
        }
        let last = self.model.traced;
        let parent = if last == NONE { NONE } else { self.model.node(last).parent };
        if !self.model.purse.take() {
            return Err(damaged("a path is longer than any"));
        }
        if parent == NONE { Err(damaged("a path is traced beyond its root")) } else { Ok(parent) }
    }

    fn expand(
        &mut self,
        op: u8,
        columns: &mut Columns<'_>,
        events: &mut Vec<Happening>,
    ) -> Result<(), InputError> {
        let cell = self.place(columns, |cursors| &mut cursors.search)?;
        let mask = columns.masks.byte()?;
        let visit = if op == op::EXPAND_TOLD {
            let visit = self.visit(cell, columns)?;
            self.model.told(cell, visit.parent.unwrap_or(NONE), visit.g, visit.f);
            visit
        } else {
            let node = self.model.node(cell);
            Visit { cell, parent: (node.parent != NONE).then_some(node.parent), g: node.g, f: node.f }
        };
        events.push(Happening::Expand(visit));
        for d in (0..8).filter(|d| mask >> d & 1 == 1) {
            let to = self.model.neighbour(cell, d).ok_or_else(|| damaged("a neighbour is off the map"))?;
            let g = self.model.next_g(cell, d, to);
            let foreseen = self.model.next_f(cell, to, g);
            let residual = if op == op::EXPAND { 0 } else { columns.values.signed()? };
            let f = i64::from(foreseen).checked_add(residual).and_then(|f| u32::try_from(f).ok());
            let f = f.ok_or_else(|| damaged("a value out of range"))?;
            if residual == 0 {
                self.model.foreseen(to, cell, g, f);
            } else {
                self.model.told(to, cell, g, f);
            }
            events.push(Happening::Open(Visit { cell: to, parent: Some(cell), g, f }));
        }
        Ok(())
    }

    fn visit(&self, cell: u32, columns: &mut Columns<'_>) -> Result<Visit, InputError> {
        let parent = match columns.values.small()? {
            0 => None,
            n if n as usize <= self.model.nodes.len() => Some(n - 1),
            _ => return Err(damaged("a parent is off the map")),
        };
        Ok(Visit { cell, parent, g: columns.values.small()?, f: columns.values.small()? })
    }

    #[inline]
    fn place(
        &mut self,
        columns: &mut Columns<'_>,
        cursor: impl Fn(&mut Cursors) -> &mut u32,
    ) -> Result<u32, InputError> {
        let (dx, dy) = columns.places.step()?;
        let (x, y) = self.model.xy(*cursor(&mut self.cursors));
        let side = |from: u32, step: i64, size: u32| {
            let to = i64::from(from).checked_add(step).and_then(|to| u32::try_from(to).ok());
            to.filter(|to| *to < size)
        };
        let cell = side(x, dx, self.model.width).zip(side(y, dy, self.model.height));
        let (x, y) = cell.ok_or_else(|| damaged("a place is off the map"))?;
        let cell = y * self.model.width + x;
        *cursor(&mut self.cursors) = cell;
        Ok(cell)
    }
}
