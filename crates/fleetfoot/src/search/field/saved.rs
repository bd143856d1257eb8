//! Saving and restoring fields.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use super::{ASIDE, CostField, QueueKey, SIDE, Vertex, is_on};
use crate::graph::Limits;
use crate::id::{Cost, NodeId};
use crate::save::{SaveError, SaveReader, SaveWriter};
use crate::search::{NOWHERE, PlannerPart, Pools, pages};

impl PlannerPart for CostField {
    fn write(&self, out: &mut dyn SaveWriter) {
        out.node(self.goal);
        out.node(self.given_up);
        out.u64(self.known_max);
        out.u64(self.open_max);
        out.u32(self.vertices().count() as u32);
        for (n, vertex) in self.vertices() {
            out.node(n);
            out.cost(vertex.g);
            out.cost(vertex.rhs);
            out.node(vertex.next);
        }
        // In the order of their positions: inserted in that order they get the same positions.
        out.u32(self.queue.len() as u32);
        for (n, QueueKey(first, second)) in self.queue.iter() {
            out.node(n);
            out.u64(first);
            out.u32(second);
        }
        // The other entries are valid only if their node refers to them. Outdated ones still cost a step of
        // requeueing.
        let side = self.side ^ SIDE;
        let place = |n: NodeId| n.some().map_or(NOWHERE, |n| self.vertex(n).place);
        out.u32(self.old.len() as u32);
        for (n, _) in self.old.iter() {
            out.node(if is_on(place(n), side) { n } else { NodeId::NONE });
        }
        // A node that was deferred twice is listed twice; the last entry is the valid one.
        let mut seen = BTreeSet::new();
        let listed = (0..self.aside_len).rev().map(|k| *self.aside.get(k));
        let counts = |n: NodeId| place(n) == ASIDE && seen.insert(n);
        let aside: Vec<_> = listed.map(counts).collect();
        out.u32(self.aside_len as u32);
        for (k, counts) in aside.into_iter().rev().enumerate() {
            out.node(if counts { *self.aside.get(k) } else { NodeId::NONE });
        }
    }

    fn read(&mut self, limits: &Limits, from: &mut SaveReader<'_>) -> Result<(), SaveError> {
        let (limits, pools) = (&limits.within(self.nodes()), &mut Pools::new());
        self.clear();
        self.goal = from.node_or_none(limits)?;
        self.given_up = from.node_or_none(limits)?;
        (self.known_max, self.open_max) = (from.count()?, 0);
        let open_max = from.count()?;
        for _ in 0..from.len(16)? {
            let (n, g, rhs) = (from.node(limits)?, from.cost()?, from.cost()?);
            let next = from.node_or_none(limits)?;
            let is_there = self.vertex(n) != Vertex::BLANK || !g.is_finite() && !rhs.is_finite();
            if is_there || rhs.is_finite() != (next.is_some() || n == self.goal) {
                return Err(SaveError::new("a state's values do not fit each other or are there twice"));
            }
            *self.vertices.at(n.index(), &mut pools.vertices) = Vertex { g, rhs, next, place: NOWHERE };
            self.known += u64::from(g.is_finite());
        }
        if self.goal.is_some() && self.vertex(self.goal).rhs != Cost::ZERO {
            return Err(SaveError::new("its goal costs something"));
        }
        for _ in 0..from.len(16)? {
            let n = self.inconsistent(from.node(limits)?)?;
            self.put(n, NOWHERE, QueueKey(from.count()?, from.u32()?), pools);
        }
        self.change_sides();
        for _ in 0..from.len(4)? {
            match from.node_or_none(limits)?.some() {
                Some(n) => self.put(self.inconsistent(n)?, NOWHERE, QueueKey::LAST, pools),
                None => self.queue.put(NodeId::NONE, QueueKey::LAST, NOWHERE, &mut pools.repairs, |_, _| {}),
            }
        }
        self.change_sides();
        for _ in 0..from.len(4)? {
            match from.node_or_none(limits)?.some() {
                Some(n) => self.put_aside(self.inconsistent(n)?, pools),
                None => self.list_aside(NodeId::NONE, pools),
            }
        }
        self.open_max = open_max;
        let waits = self.vertices().filter(|(_, v)| v.place != NOWHERE).count();
        if waits != self.vertices().filter(|(_, v)| v.g != v.rhs).count() {
            return Err(SaveError::new("its queue lacks a state that belongs there"));
        }
        Ok(())
    }

    pages! {
        paged: vertices, queue, old, aside;
        others: aside_len, side, goal, given_up, known, known_max, open_max
    }
}

impl CostField {
    /// Reads a node that must be inconsistent and not on a queue yet.
    fn inconsistent(&self, n: NodeId) -> Result<NodeId, SaveError> {
        let vertex = self.vertex(n);
        if vertex.place == NOWHERE && vertex.g != vertex.rhs {
            Ok(n)
        } else {
            Err(SaveError::new("its queue holds a state that does not belong there"))
        }
    }
}
