//! Writes the entries of a tick: what the planner did.

use super::{Encoder, TickParts};
use crate::code::{Cursors, op};
use crate::events::{RecordedEvent, Visit};
use crate::format::bytes::{put, put_signed, put_step};
use crate::model::{NONE, direction};

impl Encoder {
    /// Writes all entries of a tick as runs of equal ones, terminated by an empty run.
    pub(super) fn entries(&mut self, tick: &TickParts<'_>) {
        let mut rest = tick.events;
        let before = self.ops.len();
        self.model.purse.refill();
        self.has_search = false;
        while let Some((&event, after)) = rest.split_first() {
            rest = after;
            match event {
                RecordedEvent::Search { root } => {
                    self.entry(op::SEARCH);
                    self.place(root, |cursors| &mut cursors.search);
                    self.model.search(root, tick.at);
                    self.has_search |= !self.model.is_near;
                }
                RecordedEvent::Expand(visit) => rest = self.expand(visit, rest),
                RecordedEvent::Open(visit) => self.open(visit),
                RecordedEvent::Learn { cell, new } => {
                    self.entry(op::LEARN);
                    self.place(cell, |cursors| &mut cursors.learn);
                    let told = self.model.lesson(cell, new);
                    put_signed(&mut self.values, told);
                }
                RecordedEvent::Trace { cell } => self.trace(cell),
                RecordedEvent::Follow => self.single(op::FOLLOW),
                RecordedEvent::Skipped => {
                    self.single(op::SKIPPED);
                    self.model.skip();
                    self.has_search |= !self.model.is_near;
                }
                RecordedEvent::Leave { cell } => {
                    self.entry(op::LEAVE);
                    self.place(cell, |cursors| &mut cursors.search);
                }
                RecordedEvent::Lead { cell, record } => {
                    self.entry(op::LEAD);
                    self.place(cell, |cursors| &mut cursors.lead);
                    put(&mut self.values, record.map_or(0, |record| u64::from(record) + 1));
                }
                RecordedEvent::Turn { is_near } => {
                    debug_assert_ne!(is_near, self.model.is_near, "it turns to the other one");
                    self.single(op::TURN);
                    self.model.swap_searches();
                    self.cursors.swap_searches();
                }
            }
        }
        self.end_run();
        if self.ops.len() > before {
            self.ops.push(u8::MAX);
        }
    }

    /// Writes a cell that was opened outside of an expansion.
    fn open(&mut self, visit: Visit) {
        let Visit { cell, parent, g, f } = visit;
        let node = self.model.node(cell);
        let renewed = (node.g, node.parent) == (g, parent.unwrap_or(NONE));
        self.entry(if renewed { op::RENEW } else { op::OPEN });
        self.place(cell, |cursors| &mut cursors.search);
        if renewed {
            put_signed(&mut self.values, i64::from(f) - i64::from(node.f));
        } else {
            self.put_visit(visit);
        }
        self.model.told(cell, parent.unwrap_or(NONE), g, f);
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

    /// Writes an expansion with the cells that it opened. Returns the events after them.
    fn expand<'e>(&mut self, visit: Visit, rest: &'e [RecordedEvent]) -> &'e [RecordedEvent] {
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

    /// Consumes the neighbors that the expansion of `cell` opened, as long as they are in order and have the
    /// predicted g.
    /// Returns their directions as a mask, and the events after them.
    fn opened<'e>(&mut self, cell: u32, mut rest: &'e [RecordedEvent]) -> (u8, &'e [RecordedEvent]) {
        let (x, y) = self.model.xy(cell);
        let mut mask = 0u8;
        self.residuals.clear();
        while let Some((&RecordedEvent::Open(open), after)) = rest.split_first() {
            let (ox, oy) = self.model.xy(open.cell);
            let step = (ox.cast_signed() - x.cast_signed(), oy.cast_signed() - y.cast_signed());
            let Some(d) = direction(step.0, step.1) else { break };
            let is_next = open.parent == Some(cell) && mask >> d == 0;
            if !is_next || open.g != self.model.next_g(cell, d, open.cell) {
                break;
            }
            let residual = i64::from(open.f) - i64::from(self.model.next_f(cell, open.cell, open.g));
            if residual == 0 {
                self.model.set_predicted(open.cell, cell, open.g, open.f);
            } else {
                self.model.told(open.cell, cell, open.g, open.f);
            }
            self.residuals.push(residual);
            mask |= 1 << d;
            rest = after;
        }
        (mask, rest)
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

    /// Writes an entry without data as a run of its own.
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
    pub(super) fn place(&mut self, cell: u32, cursor: impl Fn(&mut Cursors) -> &mut u32) {
        let from = std::mem::replace(cursor(&mut self.cursors), cell);
        let ((x, y), (fx, fy)) = (self.model.xy(cell), self.model.xy(from));
        put_step(&mut self.places, x.wrapping_sub(fx).cast_signed(), y.wrapping_sub(fy).cast_signed());
    }
}
