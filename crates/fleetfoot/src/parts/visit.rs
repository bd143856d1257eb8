//! What a search that deepens its cost limit step by step remembers of a state.

use crate::graph::Limits;
use crate::id::{Cost, NodeId};
use crate::save::{SaveError, SaveReader, SaveWriter};

/// A state's record, 16 bytes: its g, when it was last visited, and by how many optimal parents it is reached.
///
/// The parents themselves need no list. Between two improvements of its g a state gains a parent only when that is
/// expanded for the first time at its own present g, and loses it only when that is pruned; so a count will do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Visit {
    /// The cost of the best way from the start that is known; infinite for a state not met yet.
    pub(crate) g: Cost,
    /// The cost limit of the last visit at this g; infinite if there was none.
    pub(crate) mark: Cost,
    /// The last state that joined or left the optimal parents, so that parallel edges count once.
    by: NodeId,
    /// How many optimal parents there are, and four flags above.
    bits: u32,
}

/// Expanded at some time.
const EXPANDED: u32 = 1 << 31;
/// Expanded since g last fell: this state is among the optimal parents of all that it reaches best.
const CURRENT: u32 = 1 << 30;
/// Dead or redundant.
const PRUNED: u32 = 1 << 29;
/// `by` left; otherwise it joined.
const LEFT: u32 = 1 << 28;
/// No state has that many neighbours.
const COUNT: u32 = LEFT - 1;

impl Visit {
    /// A state not met yet.
    pub(crate) const BLANK: Self = Self { g: Cost::INF, mark: Cost::INF, by: NodeId::NONE, bits: 0 };

    /// Where it all begins.
    pub(crate) const fn root(limit: Cost) -> Self {
        Self { g: Cost::ZERO, mark: limit, ..Self::BLANK }
    }

    /// A way of cost `g` over `parent`, better than all before: the state lives again if it was pruned, and awaits
    /// a visit.
    pub(crate) fn improve(&mut self, g: Cost, parent: NodeId) {
        *self = Self { g, mark: Cost::INF, by: parent, bits: self.bits & EXPANDED | 1 };
    }

    /// `parent` is expanded for the first time at its present g, and reaches this state as well as any.
    pub(crate) fn join(&mut self, parent: NodeId) {
        let is_twin = self.by == parent && self.bits & LEFT == 0;
        if !is_twin {
            let count = (self.parents() + 1).min(COUNT);
            (self.by, self.bits) = (parent, self.bits & !(COUNT | LEFT) | count);
        }
    }

    /// `parent` is pruned; others remain.
    pub(crate) fn leave(&mut self, parent: NodeId) {
        let is_twin = self.by == parent && self.bits & LEFT > 0;
        if !is_twin && self.parents() > 1 {
            (self.by, self.bits) = (parent, (self.bits | LEFT) - 1);
        }
    }

    /// How many optimal parents there are.
    pub(crate) const fn parents(self) -> u32 {
        self.bits & COUNT
    }

    pub(crate) const fn is_expanded(self) -> bool {
        self.bits & EXPANDED > 0
    }

    /// Whether it was expanded since g last fell.
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
        let mut visit = Visit::BLANK;
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
        let mut visit = Visit::root(Cost::new(9));
        visit.expand();
        visit.prune();
        assert!(visit.is_expanded() && visit.is_current() && visit.is_pruned());
        visit.improve(Cost::new(3), NodeId::new(1));
        assert!(visit.is_expanded() && !visit.is_current() && !visit.is_pruned());
        assert_eq!((visit.parents(), visit.mark), (1, Cost::INF));
        assert_eq!(size_of::<Visit>(), 16);
    }
}
