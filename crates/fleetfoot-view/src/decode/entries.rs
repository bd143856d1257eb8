//! Reads the entries of a tick: what the planner did.

use fleetfoot_sim::error::InputError;

use super::{Columns, Player};
use crate::code::{Cursors, op};
use crate::events::{RecordedEvent, Visit};
use crate::format::damaged;
use crate::model::NONE;

impl Player<'_> {
    pub(super) fn entries(
        &mut self,
        columns: &mut Columns<'_>,
        events: &mut Vec<RecordedEvent>,
    ) -> Result<(), InputError> {
        self.model.purse.refill();
        loop {
            let op = columns.ops.byte()?;
            if op == u8::MAX {
                return Ok(());
            }
            let many = columns.ops.number()?;
            if matches!(op, op::FOLLOW | op::SKIPPED | op::TURN) && many != 1 {
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
        events: &mut Vec<RecordedEvent>,
    ) -> Result<(), InputError> {
        match op {
            op::SEARCH => {
                let root = self.place(columns, |cursors| &mut cursors.search)?;
                self.model.search(root, self.at);
                events.push(RecordedEvent::Search { root });
            }
            op::EXPAND | op::EXPAND_F | op::EXPAND_TOLD => self.expand(op, columns, events)?,
            op::OPEN | op::RENEW => {
                let cell = self.place(columns, |cursors| &mut cursors.search)?;
                let visit =
                    if op == op::OPEN { self.visit(cell, columns)? } else { self.renewed(cell, columns)? };
                self.model.told(cell, visit.parent.unwrap_or(NONE), visit.g, visit.f);
                events.push(RecordedEvent::Open(visit));
            }
            op::LEARN => {
                let cell = self.place(columns, |cursors| &mut cursors.learn)?;
                let told = columns.values.signed()?;
                let new =
                    self.model.decode_value(cell, told).ok_or_else(|| damaged("a value out of range"))?;
                events.push(RecordedEvent::Learn { cell, new });
            }
            op::TRACE | op::TRACE_ON => {
                let cell = self.traced(op, columns)?;
                self.model.traced = cell;
                events.push(RecordedEvent::Trace { cell });
            }
            op::FOLLOW => events.push(RecordedEvent::Follow),
            op::SKIPPED => {
                self.model.skip();
                events.push(RecordedEvent::Skipped);
            }
            op::LEAVE => {
                let cell = self.place(columns, |cursors| &mut cursors.search)?;
                events.push(RecordedEvent::Leave { cell });
            }
            op::LEAD => {
                let cell = self.place(columns, |cursors| &mut cursors.lead)?;
                let record = columns.values.number()?.checked_sub(1).map(u32::try_from).transpose();
                let record = record.map_err(|_| damaged("a record's number is too large"))?;
                events.push(RecordedEvent::Lead { cell, record });
            }
            op::TURN => {
                self.model.swap_searches();
                self.cursors.swap_searches();
                events.push(RecordedEvent::Turn { is_near: self.model.is_near });
            }
            _ => return Err(damaged(format!("an unknown entry, {op}"))),
        }
        Ok(())
    }

    /// Returns a cell as it was, with the f that the entry gives.
    fn renewed(&self, cell: u32, columns: &mut Columns<'_>) -> Result<Visit, InputError> {
        let mut visit = self.as_it_was(cell);
        let f = i64::from(visit.f).checked_add(columns.values.signed()?).and_then(|f| u32::try_from(f).ok());
        visit.f = f.ok_or_else(|| damaged("a value out of range"))?;
        Ok(visit)
    }

    /// Returns a cell as it was last visited.
    fn as_it_was(&self, cell: u32) -> Visit {
        let node = self.model.node(cell);
        Visit { cell, parent: (node.parent != NONE).then_some(node.parent), g: node.g, f: node.f }
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
        events: &mut Vec<RecordedEvent>,
    ) -> Result<(), InputError> {
        let cell = self.place(columns, |cursors| &mut cursors.search)?;
        let mask = columns.masks.byte()?;
        let visit = if op == op::EXPAND_TOLD {
            let visit = self.visit(cell, columns)?;
            self.model.told(cell, visit.parent.unwrap_or(NONE), visit.g, visit.f);
            visit
        } else {
            self.as_it_was(cell)
        };
        events.push(RecordedEvent::Expand(visit));
        for d in (0..8).filter(|d| mask >> d & 1 == 1) {
            let to = self.model.neighbour(cell, d).ok_or_else(|| damaged("a neighbor is outside the map"))?;
            let g = self.model.next_g(cell, d, to);
            let foreseen = self.model.next_f(cell, to, g);
            let residual = if op == op::EXPAND { 0 } else { columns.values.signed()? };
            let f = i64::from(foreseen).checked_add(residual).and_then(|f| u32::try_from(f).ok());
            let f = f.ok_or_else(|| damaged("a value out of range"))?;
            if residual == 0 {
                self.model.set_predicted(to, cell, g, f);
            } else {
                self.model.told(to, cell, g, f);
            }
            events.push(RecordedEvent::Open(Visit { cell: to, parent: Some(cell), g, f }));
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
    pub(super) fn place(
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
