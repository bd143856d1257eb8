//! The data of a node in RIBS, a search with an increasing cost limit.

use crate::graph::Limits;
use crate::id::{Cost, NodeId};
use crate::save::{SaveError, SaveReader, SaveWriter};

/// The data of a node in 16 bytes: its g, when it was last visited, and the number of its optimal parents.
///
/// The parents need not be listed. Between two decreases of its g, a node gains a parent only when that is expanded
/// for the first time at its current g, and loses it only when that is pruned. A counter is therefore sufficient.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RibsNode {
    /// The cost of the best known path from the start. Infinite for a node not generated yet.
    pub(crate) g: Cost,
    /// The cost limit of the last visit at this g. Infinite if there was none.
    pub(crate) mark: Cost,
    /// The last node that joined or left the optimal parents, so that parallel edges count once.
    by: NodeId,
    /// The number of optimal parents, and four flags.
    bits: u32,
}

/// Expanded before.
const EXPANDED: u32 = 1 << 31;
/// Expanded since g last decreased: this node is an optimal parent of the nodes it reaches best.
const CURRENT: u32 = 1 << 30;
/// Dead or redundant.
const PRUNED: u32 = 1 << 29;
/// `by` has left; otherwise it has joined.
const LEFT: u32 = 1 << 28;
/// Larger than the number of neighbors of any node.
const COUNT: u32 = LEFT - 1;

impl RibsNode {
    /// A node not generated yet.
    pub(crate) const BLANK: Self = Self { g: Cost::INF, mark: Cost::INF, by: NodeId::NONE, bits: 0 };

    /// Creates the data of the start node.
    pub(crate) const fn root(limit: Cost) -> Self {
        Self { g: Cost::ZERO, mark: limit, ..Self::BLANK }
    }

    /// Sets a path of cost `g` over `parent`, cheaper than all before. A pruned node becomes active again and
    /// awaits a visit.
    pub(crate) fn improve(&mut self, g: Cost, parent: NodeId) {
        *self = Self { g, mark: Cost::INF, by: parent, bits: self.bits & EXPANDED | 1 };
    }

    /// Adds the optimal parent `parent`, which is expanded for the first time at its current g.
    pub(crate) fn join(&mut self, parent: NodeId) {
        let is_twin = self.by == parent && self.bits & LEFT == 0;
        if !is_twin {
            let count = (self.parents() + 1).min(COUNT);
            (self.by, self.bits) = (parent, self.bits & !(COUNT | LEFT) | count);
        }
    }

    /// Removes the optimal parent `parent`, which is pruned. Others remain.
    pub(crate) fn leave(&mut self, parent: NodeId) {
        let is_twin = self.by == parent && self.bits & LEFT > 0;
        if !is_twin && self.parents() > 1 {
            (self.by, self.bits) = (parent, (self.bits | LEFT) - 1);
        }
    }

    /// Returns the number of optimal parents.
    pub(crate) const fn parents(self) -> u32 {
        self.bits & COUNT
    }

    pub(crate) const fn is_expanded(self) -> bool {
        self.bits & EXPANDED > 0
    }

    /// Returns `true` if the node was expanded since g last decreased.
    pub(crate) const fn is_current(self) -> bool {
        self.bits & CURRENT > 0
    }

    pub(crate) const fn is_pruned(self) -> bool {
        self.bits & PRUNED > 0
    }

    pub(crate) fn expand(&mut self) {
        self.bits |= EXPANDED | CURRENT;
    }

    pub(crate) fn prune(&mut self) {
        self.bits |= PRUNED;
    }

    pub(crate) fn write(self, out: &mut dyn SaveWriter) {
        out.cost(self.g);
        out.cost(self.mark);
        out.node(self.by);
        out.u32(self.bits);
    }

    pub(crate) fn read(limits: &Limits, from: &mut SaveReader<'_>) -> Result<Self, SaveError> {
        let (g, mark) = (from.cost()?, from.cost()?);
        let (by, bits) = (from.node_or_none(limits)?, from.u32()?);
        if g.is_finite() { Ok(Self { g, mark, by, bits }) } else { Err(SaveError::new("a g is infinite")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parallel_edges_count_once() {
        let [a, b] = [1, 2].map(NodeId::new);
        let mut visit = RibsNode::BLANK;
        visit.improve(Cost::new(5), a);
        visit.join(a);
        assert_eq!(visit.parents(), 1);
        visit.join(b);
        visit.join(b);
        assert_eq!(visit.parents(), 2);
        visit.leave(a);
        visit.leave(a);
        assert_eq!(visit.parents(), 1);
        visit.leave(b);
        assert_eq!(visit.parents(), 1, "the last one stays");
    }

    #[test]
    fn a_better_way_starts_afresh() {
        let mut visit = RibsNode::root(Cost::new(9));
        visit.expand();
        visit.prune();
        assert!(visit.is_expanded() && visit.is_current() && visit.is_pruned());
        visit.improve(Cost::new(3), NodeId::new(1));
        assert!(visit.is_expanded() && !visit.is_current() && !visit.is_pruned());
        assert_eq!((visit.parents(), visit.mark), (1, Cost::INF));
        assert_eq!(size_of::<RibsNode>(), 16);
    }
}
