//! A search tree that learns h from search to search, lazily: the table of (Lazy) Adaptive A* and TBAA*.
//!
//! When a search ends at f(s̄), every state s it closed may take h(s) := f(s̄) - g(s). That pass over CLOSED is
//! not made; a state keeps the g and the number of the search that generated it last, and is brought up to date
//! when a later search generates it. Why no closed flag is needed: a state that was generated and not expanded
//! has f ≥ f(s̄), so the test fails for it. Why one g suffices: a state that was not generated in between still
//! has the g of that very search, whose f(s̄) is kept.
//!
//! The eager form makes the pass, a few states at a time as the meter grants, for comparison.

use super::nodes::check_rooted;
use super::pages::Chunks;
use super::{NOWHERE, Needs, Nodes, Pages, Part, Pool, Pools, Rooted, Tools};
use crate::graph::Limits;
use crate::id::{Cost, NodeId};
use crate::meter::WorkKind;
use crate::probe::SearchEvent;
use crate::save::{SaveError, SaveReader, SaveWriter};

/// 24 bytes per node of a taken page.
#[derive(Clone, Copy, Debug)]
pub(super) struct Twig {
    g: Cost,
    parent: NodeId,
    place: u32,
    depth: u32,
    h: Cost,
    /// The search that generated the node last, counted from 1; 0 if none has.
    search: u32,
}

impl Twig {
    pub(super) const BLANK: Self =
        Self { g: Cost::INF, parent: NodeId::NONE, place: NOWHERE, depth: 0, h: Cost::INF, search: 0 };
}

/// A paged search tree with h-values that searches towards one goal improve.
#[derive(Clone, Debug)]
pub struct AdaptiveTree {
    twigs: Pages<Twig>,
    /// By search: f(s̄) when it ended; infinite if it had nothing to teach. Shorter than `search` while the
    /// present one has not ended.
    ends: List<Cost>,
    /// The eager form: the nodes that the present search has generated, those still to be updated first.
    pass: Option<Pass>,
    /// The present search.
    search: u32,
    depth: u32,
    states: u64,
    updates: u64,
    rise: u64,
}

/// A list on chunks.
#[derive(Clone, Debug)]
struct List<T> {
    entries: Chunks<T>,
    len: usize,
}

impl<T: Copy> List<T> {
    /// Its directory has room for 16,384 entries before it grows.
    fn new() -> Self {
        Self { entries: Chunks::new(usize::MAX), len: 0 }
    }

    fn push(&mut self, entry: T, pool: &mut Pool<T>) {
        self.entries.grow_to(self.len, entry, pool);
        *self.entries.at(self.len) = entry;
        self.len += 1;
    }
}

/// States to update: up to all of the graph, so on pages with a directory that never grows.
#[derive(Clone, Debug)]
struct Pass {
    entries: Pages<NodeId>,
    len: usize,
}

impl Pass {
    fn push(&mut self, n: NodeId, pool: &mut Pool<NodeId>) {
        *self.entries.at(self.len, pool) = n;
        self.len += 1;
    }
}

impl AdaptiveTree {
    /// A table for the nodes below `bound`, updated lazily.
    pub fn lazy(bound: usize) -> Self {
        Self {
            twigs: Pages::new(bound, Twig::BLANK),
            ends: List::new(),
            pass: None,
            search: 0,
            depth: 0,
            states: 0,
            updates: 0,
            rise: 0,
        }
    }

    /// The same, updated by a pass over all states of a search when it has ended.
    pub fn eager(bound: usize) -> Self {
        let pass = Pass { entries: Pages::new(bound, NodeId::NONE), len: 0 };
        Self { pass: Some(pass), ..Self::lazy(bound) }
    }

    /// f(s̄) of a search that has ended; infinite if it has not, or had nothing to teach.
    #[inline]
    fn end(&self, search: u32) -> Cost {
        if (search as usize) <= self.ends.len {
            *self.ends.entries.get(search as usize - 1)
        } else {
            Cost::INF
        }
    }

    /// The eager form's update of every state of the search that ended at `f`; false if the meter refused
    /// before all was done.
    fn make_pass(&mut self, f: Cost, tools: &mut Tools<'_>) -> bool {
        let Some(pass) = &mut self.pass else { return true };
        while pass.len > 0 {
            if !tools.meter.charge(WorkKind::Learn) {
                return false;
            }
            pass.len -= 1;
            let node = pass.entries.get(pass.len);
            let twig = self.twigs.there(node.index());
            let (old, new) = (twig.h, improved(twig, f));
            self.updates += 1;
            self.rise += u64::from(new.saturating_sub(old).raw());
            twig.h = new;
            if new != old {
                tools.tell(SearchEvent::Learn { node, old, new });
            }
        }
        true
    }

    /// Ends the present search at `f` (infinite if it has nothing to teach), in O(1); does nothing if it has ended already. For
    /// tables that are updated lazily.
    pub(crate) fn teach(&mut self, f: Cost, pools: &mut Pools) {
        debug_assert!(self.pass.is_none(), "the eager form makes a pass");
        if self.ends.len < self.search as usize {
            self.ends.push(f, &mut pools.costs);
        }
    }

    /// Gives a state a lower value, which no earlier search raises again. The state counts as not generated in the
    /// present search, which must have ended.
    pub(crate) fn lower(&mut self, n: NodeId, h: Cost, pools: &mut Pools) {
        self.search = self.search.max(1);
        let twig = self.twigs.at(n.index(), &mut pools.twigs);
        self.states += u64::from(!twig.h.is_finite());
        self.updates += 1;
        *twig = Twig { h, search: self.search, ..Twig::BLANK };
    }

    fn current(&self, n: NodeId) -> Twig {
        let twig = self.twigs.get(n.index());
        if twig.search == self.search { twig } else { Twig::BLANK }
    }

    fn touched(&self) -> impl Iterator<Item = (NodeId, Twig)> + '_ {
        let all = self.twigs.live().filter(|(_, twig)| twig.search > 0);
        all.map(|(n, twig)| (NodeId::from_index(n), twig))
    }
}

/// The lazy update: what the search that ended at `end` teaches about one of its states.
#[inline]
fn improved(twig: &Twig, end: Cost) -> Cost {
    if end.is_finite() && twig.g + twig.h < end { end.saturating_sub(twig.g) } else { twig.h }
}

impl Nodes for AdaptiveTree {
    fn clear(&mut self) {
        if self.search == u32::MAX {
            // Once in four billion searches: what was learned is lost.
            self.forget();
        }
        self.search += 1;
        self.depth = 0;
    }

    #[inline]
    fn relax(&mut self, n: NodeId, g: Cost, parent: NodeId, pools: &mut Pools) -> Option<u32> {
        let twig = self.twigs.at(n.index(), &mut pools.twigs);
        if twig.search != self.search {
            if twig.search > 0 {
                let end = match self.ends.len {
                    ended if (twig.search as usize) <= ended => {
                        *self.ends.entries.get(twig.search as usize - 1)
                    }
                    _ => Cost::INF,
                };
                let h = improved(twig, end);
                // In the eager form the pass has made, and counted, the update.
                self.updates += u64::from(self.pass.is_none());
                self.rise += u64::from(h.saturating_sub(twig.h).raw());
                twig.h = h;
            }
            *twig = Twig { h: twig.h, search: self.search, ..Twig::BLANK };
            if let Some(pass) = &mut self.pass {
                pass.push(n, &mut pools.nodes);
            }
        }
        if g >= twig.g {
            return None;
        }
        let depth = if parent.is_some() { self.depth + 1 } else { 0 };
        *twig = Twig { g, parent, depth, ..*twig };
        Some(twig.place)
    }

    #[inline]
    fn close(&mut self, n: NodeId) -> (Cost, NodeId) {
        let twig = self.twigs.there(n.index());
        twig.place = NOWHERE;
        self.depth = twig.depth;
        (twig.g, twig.parent)
    }

    #[inline]
    fn move_to(&mut self, n: NodeId, place: u32) {
        self.twigs.there(n.index()).place = place;
    }

    #[inline]
    fn g(&self, n: NodeId) -> Cost {
        self.current(n).g
    }

    #[inline]
    fn parent(&self, n: NodeId) -> NodeId {
        self.current(n).parent
    }

    #[inline]
    fn is_open(&self, n: NodeId) -> bool {
        self.current(n).place != NOWHERE
    }

    fn learned_h(&self, n: NodeId) -> Cost {
        self.twigs.get(n.index()).h
    }
}

impl Rooted for AdaptiveTree {
    const LEARNS: bool = true;

    #[inline]
    fn depth(&self, n: NodeId) -> u32 {
        self.current(n).depth
    }

    fn last_depth(&self) -> u32 {
        self.depth
    }

    fn foresee(&self, n: NodeId, base: impl FnOnce() -> Cost) -> Cost {
        let twig = self.twigs.get(n.index());
        if twig.search == 0 { base() } else { improved(&twig, self.end(twig.search)) }
    }

    #[inline]
    fn estimate(&mut self, n: NodeId, base: impl FnOnce() -> Cost) -> Cost {
        let twig = self.twigs.there(n.index());
        if !twig.h.is_finite() {
            twig.h = base();
            self.states += 1;
        }
        twig.h
    }

    fn conclude(&mut self, f: Cost, tools: &mut Tools<'_>) -> bool {
        if self.search == 0 || self.ends.len >= self.search as usize {
            return true;
        }
        if !self.make_pass(f, tools) {
            return false;
        }
        // After an eager pass there is nothing left to learn from this search.
        let end = if self.pass.is_some() { Cost::INF } else { f };
        self.ends.push(end, &mut tools.pools.costs);
        true
    }

    fn forget(&mut self) {
        self.twigs.clear();
        (self.ends.len, self.search, self.states) = (0, 0, 0);
        if let Some(pass) = &mut self.pass {
            pass.len = 0;
        }
    }

    fn learned(&self) -> (u64, u64, u64) {
        (self.states, self.updates, self.rise)
    }
}

impl Part for AdaptiveTree {
    fn write(&self, out: &mut dyn SaveWriter) {
        out.u32(self.search);
        out.u64(self.states);
        out.u64(self.updates);
        out.u64(self.rise);
        out.u32(self.ends.len as u32);
        (0..self.ends.len).for_each(|k| out.cost(*self.ends.entries.get(k)));
        out.u32(self.pass.as_ref().map_or(0, |pass| pass.len as u32));
        if let Some(pass) = &self.pass {
            (0..pass.len).for_each(|k| out.node(pass.entries.get(k)));
        }
        out.u32(self.touched().count() as u32);
        for (n, twig) in self.touched() {
            out.node(n);
            out.cost(twig.g);
            out.node(twig.parent);
            out.u32(twig.depth);
            out.cost(twig.h);
            out.u32(twig.search);
        }
    }

    fn read(&mut self, limits: &Limits, from: &mut SaveReader<'_>) -> Result<(), SaveError> {
        let (limits, pools) = (&limits.within(self.twigs.bound()), &mut Pools::new());
        self.forget();
        self.search = from.u32()?;
        (self.states, self.updates, self.rise) = (from.count()?, from.count()?, from.count()?);
        let ended = from.len(4)?;
        if ended > self.search as usize {
            return Err(SaveError::new("it has learned from a search that never was"));
        }
        for _ in 0..ended {
            self.ends.push(from.cost()?, &mut pools.costs);
        }
        let waiting = from.len(4)?;
        if waiting > 0 && (self.pass.is_none() || ended == self.search as usize || waiting > limits.bound) {
            return Err(SaveError::new("it has updates to make that its kind does not make"));
        }
        for _ in 0..waiting {
            let n = from.node(limits)?;
            if let Some(pass) = &mut self.pass {
                pass.push(n, &mut pools.nodes);
            }
        }
        for _ in 0..from.len(24)? {
            let (n, g) = (from.node(limits)?, from.cost()?);
            let (parent, depth) = (from.node_or_none(limits)?, from.u32()?);
            let (h, search) = (from.cost()?, from.u32()?);
            // A state whose value was lowered has no g.
            let is_sound = g.is_finite() || !parent.is_some() && depth == 0;
            if depth as usize >= limits.bound
                || !is_sound
                || !h.is_finite()
                || search == 0
                || search > self.search
            {
                return Err(SaveError::new("a node of its tree is out of range"));
            }
            if self.twigs.get(n.index()).search > 0 {
                return Err(SaveError::new("a node of its tree is there twice"));
            }
            *self.twigs.at(n.index(), &mut pools.twigs) =
                Twig { g, parent, place: NOWHERE, depth, h, search };
        }
        // As each state of a search waits once at most, there is room for all of them.
        let present = self.touched().filter(|(_, twig)| twig.search == self.search).count();
        let fits = |pass: &Pass| {
            pass.len <= present
                && (0..pass.len).all(|k| self.twigs.get(pass.entries.get(k).index()).search == self.search)
        };
        if !self.pass.as_ref().is_none_or(fits) {
            return Err(SaveError::new("it has an update to make for a state that it never saw"));
        }
        // A state whose value was lowered has left the tree, and those below it are roots.
        let has_left = |n: NodeId| {
            let twig = self.twigs.get(n.index());
            twig.search > 0 && !twig.g.is_finite()
        };
        let now = self.touched().filter(|(_, twig)| twig.search == self.search && !has_left(twig.parent));
        check_rooted(self, now.map(|(n, _)| n))
    }

    fn give_back(&mut self, pools: &mut Pools) {
        let Self { twigs, ends, pass, search: _, depth: _, states: _, updates: _, rise: _ } = self;
        twigs.give_back(pools);
        ends.entries.give_back(pools);
        if let Some(pass) = pass {
            pass.entries.give_back(pools);
        }
        self.forget();
    }

    fn memory_bytes(&self) -> usize {
        let pass = self.pass.as_ref().map_or(0, |pass| pass.entries.memory_bytes());
        self.twigs.memory_bytes() + self.ends.entries.memory_bytes() + pass
    }

    fn need(&self, nodes: usize, needs: &mut Needs) {
        self.twigs.need(nodes, needs);
        self.ends.entries.need(0, needs);
        if let Some(pass) = &self.pass {
            pass.entries.need(nodes, needs);
        }
    }
}
