//! Writing ticks: five columns, so that like stands by like and compresses well.

use std::sync::mpsc::Sender;

use fleetfoot::{Decision, Kind, Work};

use crate::code::{Cursors, HAS_EDITS, HAS_ENTRIES, HAS_SEARCH, HAS_SIGHTS, NO_PATH, WAIT, op};
use crate::events::{Happening, Visit};
use crate::format::bytes::{put, put_signed, put_step};
use crate::model::{Model, NONE, direction};

/// A chunk is sent on when it has grown to this many bytes.
const CHUNK: usize = 1 << 19;

/// What one tick is made of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TickParts<'a> {
    pub(crate) at: u32,
    pub(crate) decision: Decision,
    /// The direction, if it was a move.
    pub(crate) direction: usize,
    pub(crate) work: &'a Work,
    /// Cells that changed, and what they weigh now.
    pub(crate) edits: &'a [(u32, u8)],
    /// Cells that the agent has seen: what it now takes them to weigh, and what they do weigh.
    pub(crate) sights: &'a [(u32, u8, u8)],
    pub(crate) events: &'a [Happening],
}

/// Writes ticks one after the other.
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
    /// The run of equal entries under way.
    run: (u8, u64),
    residuals: Vec<i64>,
    /// Where full chunks go, and how many bytes they had.
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
            chunks,
            sent: 0,
        }
    }

    /// The first tick finds the agent here.
    pub(crate) fn begin(&mut self, at: u32) {
        self.cursors = Cursors::at(at);
    }

    /// Bytes written so far, before compression.
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
        let searches = |event: &Happening| matches!(event, Happening::Search { .. } | Happening::Skipped);
        self.ticks.push(
            decision
                | flag(!tick.edits.is_empty(), HAS_EDITS)
                | flag(!tick.sights.is_empty(), HAS_SIGHTS)
                | flag(has_entries, HAS_ENTRIES)
                | flag(tick.events.iter().any(searches), HAS_SEARCH),
        );
        let kinds = Kind::ALL.iter().enumerate().filter(|(_, kind)| tick.work[**kind] > 0);
        put(&mut self.ticks, kinds.clone().map(|(k, _)| 1 << k).sum());
        kinds.for_each(|(_, kind)| put(&mut self.ticks, tick.work[*kind]));
        for many in [tick.edits.len(), tick.sights.len()] {
            if many > 0 {
                put(&mut self.ticks, many as u64);
            }
        }
    }

    /// All entries of a tick, as runs of equal ones that end with an empty run.
    fn entries(&mut self, tick: &TickParts<'_>) {
        let mut rest = tick.events;
        let before = self.ops.len();
        self.model.purse.refill();
        while let Some((&event, after)) = rest.split_first() {
            rest = after;
            match event {
                Happening::Search { root } => {
                    self.entry(op::SEARCH);
                    self.place(root, |cursors| &mut cursors.search);
                    self.model.search(root, tick.at);
                }
                Happening::Expand(visit) => rest = self.expand(visit, rest),
                Happening::Open(visit) => {
                    self.entry(op::OPEN);
                    self.place(visit.cell, |cursors| &mut cursors.search);
                    self.visit(visit);
                }
                Happening::Learn { cell, new } => {
                    self.entry(op::LEARN);
                    self.place(cell, |cursors| &mut cursors.learn);
                    let told = self.model.lesson(cell, new);
                    put_signed(&mut self.values, told);
                }
                Happening::Trace { cell } => self.trace(cell),
                Happening::Follow => self.single(op::FOLLOW),
                Happening::Skipped => {
                    self.single(op::SKIPPED);
                    self.model.skip();
                }
            }
        }
        self.end_run();
        if self.ops.len() > before {
            self.ops.push(u8::MAX);
        }
    }

    fn trace(&mut self, cell: u32) {
        let last = self.model.traced;
        if last != NONE && self.model.node(last).parent == cell && self.model.purse.take() {
            self.entry(op::TRACE_ON);
        } else {
            self.entry(op::TRACE);
            self.place(cell, |cursors| &mut cursors.trace);
        }
        self.model.traced = cell;
    }

    /// An expansion with what it opened; gives back what follows.
    fn expand<'e>(&mut self, visit: Visit, rest: &'e [Happening]) -> &'e [Happening] {
        let Visit { cell, parent, g, f } = visit;
        let node = self.model.node(cell);
        let foreseen = (node.g, node.f, node.parent) == (g, f, parent.unwrap_or(NONE));
        let entry = self.ops.len();
        let run = self.run;
        if !foreseen {
            self.model.told(cell, parent.unwrap_or(NONE), g, f);
        }
        let (mask, rest) = self.opened(cell, rest);
        let plain = self.residuals.iter().all(|residual| *residual == 0);
        debug_assert_eq!((entry, run), (self.ops.len(), self.run), "opening writes no entry");
        self.entry(match (foreseen, plain) {
            (true, true) => op::EXPAND,
            (true, false) => op::EXPAND_F,
            (false, _) => op::EXPAND_TOLD,
        });
        self.place(cell, |cursors| &mut cursors.search);
        self.masks.push(mask);
        if !foreseen {
            self.put_visit(visit);
        }
        if !(foreseen && plain) {
            self.residuals.iter().for_each(|residual| put_signed(&mut self.values, *residual));
        }
        rest
    }

    /// Takes the neighbours that the expansion of `cell` opened, as far as they come in order and with the g foreseen:
    /// which they are, by direction, and what follows them.
    fn opened<'e>(&mut self, cell: u32, mut rest: &'e [Happening]) -> (u8, &'e [Happening]) {
        let (x, y) = self.model.xy(cell);
        let mut mask = 0u8;
        self.residuals.clear();
        while let Some((&Happening::Open(open), after)) = rest.split_first() {
            let (ox, oy) = self.model.xy(open.cell);
            let step = (ox.cast_signed() - x.cast_signed(), oy.cast_signed() - y.cast_signed());
            let Some(d) = direction(step.0, step.1) else { break };
            let is_next = open.parent == Some(cell) && mask >> d == 0;
            if !is_next || open.g != self.model.next_g(cell, d, open.cell) {
                break;
            }
            let residual = i64::from(open.f) - i64::from(self.model.next_f(cell, open.cell, open.g));
            if residual == 0 {
                self.model.foreseen(open.cell, cell, open.g, open.f);
            } else {
                self.model.told(open.cell, cell, open.g, open.f);
            }
            self.residuals.push(residual);
            mask |= 1 << d;
            rest = after;
        }
        (mask, rest)
    }

    fn visit(&mut self, visit: Visit) {
        self.put_visit(visit);
        self.model.told(visit.cell, visit.parent.unwrap_or(NONE), visit.g, visit.f);
    }

    fn put_visit(&mut self, visit: Visit) {
        put(&mut self.values, visit.parent.map_or(0, |parent| u64::from(parent) + 1));
        put(&mut self.values, u64::from(visit.g));
        put(&mut self.values, u64::from(visit.f));
    }

    #[inline]
    fn entry(&mut self, op: u8) {
        if self.run.0 != op {
            self.end_run();
            self.run.0 = op;
        }
        self.run.1 += 1;
    }

    /// An entry that is a run of its own, since it is nothing but its number.
    fn single(&mut self, op: u8) {
        self.end_run();
        self.run = (op, 1);
        self.end_run();
    }

    fn end_run(&mut self) {
        if self.run.1 > 0 {
            self.ops.push(self.run.0);
            put(&mut self.ops, self.run.1);
            self.run.1 = 0;
        }
    }

    #[inline]
    fn place(&mut self, cell: u32, cursor: impl Fn(&mut Cursors) -> &mut u32) {
        let from = std::mem::replace(cursor(&mut self.cursors), cell);
        let ((x, y), (fx, fy)) = (self.model.xy(cell), self.model.xy(from));
        put_step(&mut self.places, x.wrapping_sub(fx).cast_signed(), y.wrapping_sub(fy).cast_signed());
    }

    /// Sends on what has been written.
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
        // If nobody takes it any more, nobody wants the record any more.
        let _ = self.chunks.send(raw);
        self.count = 0;
    }
}
