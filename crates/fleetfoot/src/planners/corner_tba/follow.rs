//! The agent: the path that it follows, and its next move.

use alloc::vec::Vec;
use core::mem::swap;

use super::{CornerTba, OffPathPolicy, TRACES, World};
use crate::corners::{BySlot, Names, Stage, node};
use crate::graph::{Edge, Graph};
use crate::id::{Cost, NodeId};
use crate::meter::WorkKind;
use crate::planner::Decision;
use crate::probe::{SearchEvent, SearchProbe};
use crate::search::{NodeTable, SearchTools, SearchTree};

/// The agent's position in the tree: at a node, or between two adjacent nodes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leg {
    /// The last node it visited.
    pub(super) here: NodeId,
    /// The node it is heading for. `NONE` if it is at a node.
    pub(super) toward: NodeId,
}

impl Leg {
    pub(super) const NONE: Self = Self { here: NodeId::NONE, toward: NodeId::NONE };
}

/// A new search must be able to save at least this fraction (1/20) of the known path. Not tuned.
const WORTH_A_SEARCH: u64 = 20;

/// A probe that translates slots to cells.
struct Named<'a> {
    names: &'a BySlot,
    probe: &'a mut dyn SearchProbe,
}

impl SearchProbe for Named<'_> {
    fn event(&mut self, event: SearchEvent) {
        self.probe.event(match event {
            SearchEvent::Trace { node } => SearchEvent::Trace { node: self.names.cell(node) },
            other => other,
        });
    }
}

impl CornerTba {
    /// Records that the agent is at a node.
    pub(super) fn stand(&mut self, slot: NodeId) {
        self.leg = Leg { here: slot, toward: NodeId::NONE };
    }

    /// Returns the most promising known node: the goal if it was found.
    fn target(&mut self) -> Option<NodeId> {
        match self.search.stage {
            Stage::Done => Some(self.search.goal_name),
            // While the root is expanded, its best successor so far.
            _ if self.search.pending.node == self.search.root_name => {
                self.search.search.top().map(|(slot, _)| slot)
            }
            _ => self.search.most_promising().map(|(slot, _)| slot),
        }
    }

    /// Continues the current trace, or starts one to the most promising node.
    pub(super) fn trace(&mut self, world: &World<'_>, tools: &mut SearchTools<'_>) {
        if !self.tracing {
            let Some(target) = self.target() else { return };
            let depth = self.tree().depth(target);
            let is_known = self.follow.back() == target
                && depth > 0
                && self.follow.node(depth - 1) == self.tree().parent(target);
            if is_known {
                return;
            }
            self.new.begin(target, &self.search.search.nodes, tools.pools);
            self.tracing = true;
        }
        let granted = if tools.meter.is_timed() { TRACES } else { 0 };
        let limit = world.scans / super::SCANS * TRACES;
        let mut named =
            tools.probe.as_mut().map(|probe| Named { names: &self.search.names, probe: &mut **probe });
        let probe = named.as_mut().map(|named| named as &mut dyn SearchProbe);
        let translated = &mut SearchTools { meter: tools.meter, pools: tools.pools, probe };
        let (tree, here) = (&self.search.search.nodes, self.leg.here);
        let trace = self.new.trace(tree, here, (granted, limit), |_, _| true, translated);
        if trace == crate::search::TraceStatus::Done {
            self.tracing = false;
            swap(&mut self.follow, &mut self.new);
            // The tree may contain edges that changes have broken.
            self.news.unchecked |= self.news.any;
            tools.emit(SearchEvent::AdoptPath);
        }
    }

    /// Records that the agent has reached a node, if it has.
    pub(super) fn arrive(&mut self, at: NodeId) {
        let Leg { here, toward } = self.leg;
        let ends = [toward, here].into_iter();
        if let Some(slot) = ends.filter(|slot| slot.is_some()).find(|slot| self.place(*slot) == at) {
            self.stand(slot);
        }
    }

    /// Moves along the path, or back toward it.
    pub(super) fn act(&mut self, world: &World<'_>) -> Decision {
        if self.follow.is_empty() {
            self.set_out();
        } else {
            self.leg = self.heading();
        }
        let Some(toward) = self.leg.toward.some() else { return self.stray(world) };
        let at = world.cell(world.at);
        let next = world.corners.cells(at, world.cell(self.place(toward))).next();
        if let Some(next) = next.filter(|next| world.corners.is_open_step(at, *next)) {
            return self.go(node(world.grid, next));
        }
        self.restart();
        self.sent = world.at;
        Decision::Wait
    }

    fn go(&mut self, next: NodeId) -> Decision {
        self.sent = next;
        Decision::Go(next)
    }

    /// Before a path was traced: heads for the most promising node if it is directly reachable.
    fn set_out(&mut self) {
        let target = self.target().filter(|slot| self.tree().parent(*slot) == self.leg.here);
        if !self.leg.toward.is_some() {
            self.leg.toward = target.unwrap_or(NodeId::NONE);
        }
    }

    /// Returns the agent's next leg: along the path if it is on it, otherwise up the tree.
    fn heading(&self) -> Leg {
        let (tree, follow) = (self.tree(), &self.follow);
        let Leg { here, toward } = self.leg;
        if !toward.is_some() {
            let next =
                if follow.contains(here, tree) { follow.after(here, tree) } else { tree.parent(here).some() };
            return Leg { here, toward: next.unwrap_or(NodeId::NONE) };
        }
        let goes_on = match (follow.contains(here, tree), follow.contains(toward, tree)) {
            (true, true) => tree.depth(toward) > tree.depth(here),
            (false, false) => tree.depth(toward) < tree.depth(here),
            (_, is_on_way) => is_on_way,
        };
        if goes_on { self.leg } else { Leg { here: toward, toward: here } }
    }

    /// Returns the nodes ahead: up the tree to the path if the agent is off it, then along the path.
    pub(super) fn ahead(&self) -> Vec<NodeId> {
        if self.search.stage == Stage::Idle || !self.leg.here.is_some() {
            return Vec::new();
        }
        let (tree, follow) = (self.tree(), &self.follow);
        let next = |slot: &NodeId| {
            if follow.contains(*slot, tree) { follow.after(*slot, tree) } else { tree.parent(*slot).some() }
        };
        let slots = core::iter::successors(self.heading().toward.some(), next);
        slots.take(self.search.names.len()).map(|slot| self.place(slot)).collect()
    }

    /// Makes a greedy move before the first search result, once per goal.
    fn stray(&mut self, world: &World<'_>) -> Decision {
        let is_known = self.search.expanded() > 0 && !self.search.search.open().is_empty();
        let value = |edge: &Edge| edge.cost + world.cost(edge.to, self.search.goal);
        let best = world.grid.succs(world.at).min_by_key(value);
        match best {
            Some(edge) if !is_known && !self.has_strayed && self.search.stage == Stage::Running => {
                self.restart();
                self.go(edge.to)
            }
            _ => {
                self.sent = world.at;
                Decision::Wait
            }
        }
    }

    /// Returns the remaining cost of the path to the goal, if it is known and the agent is on it.
    pub(super) fn rest(&self, world_h: impl Fn(NodeId, NodeId) -> Cost, at: NodeId) -> Option<Cost> {
        let tree = &self.search.search.nodes;
        if self.search.stage != Stage::Done || self.follow.back() != self.search.goal_name {
            return None;
        }
        let Leg { here, toward } = self.leg;
        let ahead = [toward, here].into_iter().filter(|n| n.is_some() && self.follow.contains(*n, tree));
        let next = ahead.max_by_key(|n| tree.depth(*n))?;
        Some(world_h(at, self.place(next)) + tree.g(self.search.goal_name).saturating_sub(tree.g(next)))
    }

    /// Returns `true` if the goal was found, the agent is off the path, and a search from its position could save
    /// enough compared with walking back.
    pub(super) fn wants_search(&mut self, world: &World<'_>, tools: &mut SearchTools<'_>) -> bool {
        let is_traced =
            self.search.stage == Stage::Done && !self.tracing && self.follow.back() == self.search.goal_name;
        if self.off_way == OffPathPolicy::WalkBack || !is_traced || self.has_weighed {
            return false;
        }
        let tree = &self.search.search.nodes;
        let Leg { here, toward } = self.leg;
        let ends = [here, toward].into_iter().filter(|n| n.is_some());
        let Some(up) = ends.min_by_key(|n| tree.depth(*n)) else { return false };
        let mut meeting = up;
        while !self.follow.contains(meeting, tree) {
            let parent = tree.parent(meeting);
            if !parent.is_some() || !tools.meter.charge(WorkKind::Trace) {
                return false;
            }
            meeting = parent;
        }
        self.has_weighed = true;
        let to_up = world.cost(world.at, self.place(up));
        let all = tree.g(self.search.goal_name);
        let back = to_up + tree.g(up).saturating_sub(tree.g(meeting)) + all.saturating_sub(tree.g(meeting));
        // A lower bound of every path: over free ground, and by what the found path leaves.
        let least = world.cost(world.at, self.search.goal).max(all.saturating_sub(to_up + tree.g(up)));
        let gain = u64::from(back.saturating_sub(least).raw());
        let is_on_way = meeting == up && (self.follow.contains(toward, tree) || !toward.is_some());
        !is_on_way && gain * WORTH_A_SEARCH > u64::from(back.raw())
    }
}
