//! The search: expansions of corners that can pause in their middle.

use super::{CornerTba, Stage, THINKING, THINKING_POORLY, World};
use crate::corners::{Cell, Scan, Turns, node};
use crate::id::{Cost, NodeId};
use crate::meter::Kind;
use crate::parts::{Nodes, Rooted, Tools};
use crate::probe::Event;

/// The key under which slots are filed.
const FILE: NodeId = NodeId::new(0);

/// Following a connection takes as long as reading so many words, its share of the expansion included (measured).
const WORDS_PER_CONNECTION: u32 = 3;

/// A corner that is being expanded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pending {
    /// Its slot; none if no expansion is under way.
    pub(super) slot: NodeId,
    pub(super) f: Cost,
    /// How many of its stored connections have been followed.
    pub(super) next: u32,
    /// The look around it, if its connections are not stored.
    pub(super) scan: Option<Scan>,
}

impl Pending {
    pub(super) const NONE: Self = Self { slot: NodeId::NONE, f: Cost::ZERO, next: 0, scan: None };
}

/// Where an expansion comes from.
struct From {
    at: Cell,
    /// Where the search leads.
    goal: Cell,
    g: Cost,
    turns: Turns,
}

impl From {
    /// How many columns and rows away a cell lies.
    #[inline]
    fn offset(&self, (x, y): Cell) -> Cell {
        (x - self.at.0, y - self.at.1)
    }
}

impl CornerTba {
    /// The cell of a slot.
    #[inline]
    pub(super) fn place(&self, slot: NodeId) -> NodeId {
        self.names.entry(slot.index()).0
    }

    /// The slot of a cell, a new one if it has none.
    #[inline]
    pub(super) fn slot(&mut self, n: NodeId, tools: &mut Tools<'_>) -> NodeId {
        NodeId::new(self.names.find_or_add(FILE, n, tools.pools))
    }

    /// Begins a search where the agent stands.
    pub(super) fn begin(&mut self, world: &World<'_>, goal: NodeId, tools: &mut Tools<'_>) {
        self.settle_news(tools);
        self.goal = goal;
        self.end = self.slot(goal, tools);
        self.root = self.slot(world.at, tools);
        let base = world.cost(world.at, goal);
        let h = self.search.nodes.foresee(self.root, || base);
        self.search.clear(h);
        // Unwatched: the search knows slots, and those who watch know cells.
        let unwatched = &mut Tools { meter: tools.meter, pools: tools.pools, probe: None };
        self.search.seed(self.root, Cost::ZERO, h, unwatched);
        self.search.nodes.estimate(self.root, || base);
        tools.tell(Event::Search { root: world.at });
        let around = world.cell(goal);
        // A goal that is a corner is found like any other.
        (self.has_weighed, self.last_f) = (false, Cost::INF);
        self.joining = if world.corners.is_corner(around) { Scan::done() } else { Scan::new(around, around) };
        self.join += 1;
        self.sent = world.at;
        self.stage = Stage::Searching;
        self.searches += 1;
        self.stand(self.root);
    }

    /// Goes on with the search as far as the budget goes.
    pub(super) fn think(&mut self, world: &World<'_>, tools: &mut Tools<'_>) {
        if self.stage != Stage::Searching {
            return;
        }
        let is_free = tools.meter.prices().of(Kind::Trace) == 0 && !tools.meter.is_timed();
        let is_poor = tools.meter.expansions_left().is_some_and(|left| left < 4);
        let (part, whole) = if is_free {
            (1, 1)
        } else if is_poor {
            THINKING_POORLY
        } else {
            THINKING
        };
        tools.share(part, whole, |tools| {
            let mut left = world.scans;
            while self.go_on(world, &mut left, tools) {}
            tools.meter.count(Kind::Page, tools.pools.fills());
        });
        self.search.closed_max = self.search.closed_max.max(self.search.closed);
    }

    /// One piece of work; false if the search has ended or the meter refuses.
    fn go_on(&mut self, world: &World<'_>, left: &mut u64, tools: &mut Tools<'_>) -> bool {
        if !self.settle_debt(left, tools) {
            return false;
        }
        if self.pending.slot.is_some() {
            self.expand_on(world, tools);
            return true;
        }
        let Some((slot, f)) = self.search.top() else {
            self.stage = Stage::NoPath;
            return false;
        };
        if slot == self.end {
            self.stage = Stage::Found;
            return false;
        }
        // A scan finds the goal by itself; where connections are stored one must know from where it can be reached.
        let is_stored = || slot != self.root && world.corners.connections(self.place(slot)).is_some();
        if !self.joining.is_done() && is_stored() {
            self.join_on(world, tools);
            return true;
        }
        if !tools.meter.expand() {
            return false;
        }
        self.search.take();
        self.search.closed += 1;
        if tools.probe.is_some() {
            let (g, parent) = (self.search.nodes.g(slot), self.search.nodes.parent(slot));
            let parent = parent.some().map_or(NodeId::NONE, |p| self.place(p));
            tools.tell(Event::Expand { node: self.place(slot), parent, g, f });
        }
        self.pending = Pending { slot, f, ..Pending::NONE };
        self.expand_on(world, tools);
        self.search.settle();
        true
    }

    /// Pays for what was read.
    fn settle_debt(&mut self, left: &mut u64, tools: &mut Tools<'_>) -> bool {
        let granted = tools.meter.charge_some(Kind::Scan, u64::from(self.debt).min(*left));
        *left -= granted;
        self.debt -= granted as u32;
        self.debt == 0
    }

    /// Looks on around the goal.
    fn join_on(&mut self, world: &World<'_>, tools: &mut Tools<'_>) {
        let (mut scan, join) = (self.joining, Cost::new(self.join));
        let mut found = 0;
        let words = scan.advance(world.corners, |corner| {
            found += 1;
            let slot = self.slot(node(world.grid, corner), tools);
            self.names.replace(slot.index(), join);
        });
        self.debt += words + WORDS_PER_CONNECTION * found;
        self.joining = scan;
    }

    /// Follows some more connections of the corner that is being expanded.
    fn expand_on(&mut self, world: &World<'_>, tools: &mut Tools<'_>) {
        /// Connections between two looks at the meter.
        const SOME: usize = 16;
        let Pending { slot, next, scan, .. } = self.pending;
        let from = self.place(slot);
        let source = self.source(world, slot);
        let list = if slot == self.root || scan.is_some() { None } else { world.corners.connections(from) };
        let is_last = if let Some(mut list) = list {
            if next > 0 {
                list.nth(next as usize - 1);
            }
            let mut followed = 0;
            for offset in list.by_ref().take(SOME) {
                self.relax(world, &source, offset, tools);
                followed += 1;
            }
            self.pending.next += followed;
            self.debt += WORDS_PER_CONNECTION * followed;
            let is_last = list.next().is_none();
            if is_last && self.names.entry(slot.index()).1 == Cost::new(self.join) {
                self.relax(world, &source, source.offset(source.goal), tools);
            }
            is_last
        } else {
            let mut scan = scan.unwrap_or_else(|| Scan::new(source.at, world.cell(self.goal)));
            let mut found = 0;
            let words = scan.advance(world.corners, |to| {
                found += 1;
                self.relax(world, &source, source.offset(to), tools);
            });
            self.debt += words + WORDS_PER_CONNECTION * found;
            self.pending.scan = Some(scan);
            scan.is_done()
        };
        if is_last {
            self.search.open_max = self.search.open_max.max(self.search.open.len() as u64);
            self.pending = Pending::NONE;
        }
    }

    /// What relaxing needs to know of the corner that is being expanded.
    fn source(&self, world: &World<'_>, slot: NodeId) -> From {
        let (at, parent) = (world.cell(self.place(slot)), self.search.nodes.parent(slot));
        let before = parent.some().map(|parent| world.cell(self.place(parent)));
        let turns = before.map_or(Turns::ALL, |before| world.corners.turns(before, at));
        From { at, goal: world.cell(self.goal), g: self.search.nodes.g(slot), turns }
    }

    /// The corner being expanded leads so many columns and rows on.
    #[inline]
    fn relax(&mut self, world: &World<'_>, from: &From, (dx, dy): Cell, tools: &mut Tools<'_>) {
        if !from.turns.allow((dx, dy)) {
            return;
        }
        let cell = (from.at.0 + dx, from.at.1 + dy);
        let to = node(world.grid, cell);
        let slot = self.slot(to, tools);
        let Pending { slot: parent, f, .. } = self.pending;
        let search = &mut self.search;
        let g = from.g + world.grid.over_open_ground(dx, dy);
        let before = if tools.probe.is_some() { search.nodes.learned_h(slot) } else { Cost::INF };
        let Some(place) = search.nodes.relax(slot, g, parent, tools.pools) else { return };
        let aim = from.goal;
        let h = search.nodes.estimate(slot, || world.grid.over_open_ground(aim.0 - cell.0, aim.1 - cell.1));
        let f = f.max(g + h);
        search.open.put(slot, (f, g), place, &mut search.nodes, tools.pools);
        if tools.probe.is_some() {
            if before.is_finite() && h != before {
                tools.tell(Event::Learn { node: to, old: before, new: h });
            }
            let parent = self.place(parent);
            tools.tell(Event::Open { node: to, parent, g, f });
        }
    }
}
