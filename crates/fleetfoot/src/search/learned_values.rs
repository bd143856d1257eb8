//! Learned h-values over a base heuristic. Paged, so memory grows with the number of learned values.

use super::{Pages, PlannerPart, Pools, pages};
use crate::graph::Limits;
use crate::id::{Cost, NodeId};
use crate::save::{SaveError, SaveReader, SaveWriter};

/// Learned values. Nodes without one have the base heuristic's value.
#[derive(Clone, Debug)]
pub struct LearnedValues {
    /// Infinite means that nothing was learned. Dead ends are represented by [`LearnedValues::dead`], the largest finite
    /// value.
    values: Pages<Cost>,
    states: usize,
}

impl LearnedValues {
    /// Creates a table for `bound` nodes.
    pub fn new(bound: usize) -> Self {
        Self { values: Pages::new(bound, Cost::INF), states: 0 }
    }

    /// Returns the bound of the node numbers.
    pub fn nodes(&self) -> usize {
        self.values.bound()
    }

    /// The value of a dead end. No real distance is that large.
    pub const DEAD_END: Cost = Cost::new(u32::MAX - 1);

    /// Returns the value of `n`. Calls `base` if nothing was learned.
    #[inline]
    pub fn get(&self, n: NodeId, base: impl FnOnce() -> Cost) -> Cost {
        let value = self.values.get(n.index());
        if value.is_finite() { value } else { base() }
    }

    /// Returns the learned value of `n`, if any.
    #[inline]
    pub fn learned(&self, n: NodeId) -> Option<Cost> {
        Some(self.values.get(n.index())).filter(|value| value.is_finite())
    }

    /// Sets the value of `n`. It must be finite.
    #[inline]
    pub fn set(&mut self, n: NodeId, value: Cost, pools: &mut Pools) {
        debug_assert!(value.is_finite(), "a dead end has the value LearnedValues::DEAD_END()");
        let entry = self.values.at(n.index(), &mut pools.costs);
        self.states += usize::from(!entry.is_finite());
        *entry = value;
    }

    /// Sets the value of `n`, which must be finite, and returns the previous value.
    #[inline]
    pub(crate) fn replace(
        &mut self,
        n: NodeId,
        value: Cost,
        base: impl FnOnce() -> Cost,
        pools: &mut Pools,
    ) -> Cost {
        if let Some(entry) = self.values.get_live_mut(n.index())
            && entry.is_finite()
        {
            return core::mem::replace(entry, value);
        }
        let old = base();
        if value != old {
            self.set(n, value, pools);
        }
        old
    }

    /// Increases the value of `n` to `value` if it is smaller. Returns the increase.
    #[inline]
    pub fn raise(&mut self, n: NodeId, value: Cost, base: impl FnOnce() -> Cost, pools: &mut Pools) -> Cost {
        let old = self.get(n, base);
        if value > old {
            self.set(n, value, pools);
        }
        value.saturating_sub(old)
    }

    /// Clears the table, in O(1).
    pub fn clear(&mut self) {
        self.values.clear();
        self.states = 0;
    }

    /// Returns the number of nodes with a learned value.
    pub fn states(&self) -> usize {
        self.states
    }

    /// Returns all learned values, ordered by node number.
    pub fn iter(&self) -> impl Iterator<Item = (NodeId, Cost)> + '_ {
        let learned = self.values.live().filter(|(_, value)| value.is_finite());
        learned.map(|(n, value)| (NodeId::from_index(n), value))
    }
}

impl PlannerPart for LearnedValues {
    fn write(&self, out: &mut dyn SaveWriter) {
        out.u32(self.states as u32);
        for (n, value) in self.iter() {
            out.node(n);
            out.cost(value);
        }
    }

    fn read(&mut self, limits: &Limits, from: &mut SaveReader<'_>) -> Result<(), SaveError> {
        let (limits, pools) = (&limits.within(self.nodes()), &mut Pools::new());
        self.clear();
        for _ in 0..from.len(8)? {
            let (n, value) = (from.node(limits)?, from.cost()?);
            if !value.is_finite() || self.learned(n).is_some() {
                return Err(SaveError::new("a learned value is infinite or there twice"));
            }
            self.set(n, value, pools);
        }
        Ok(())
    }

    pages! { paged: values; others: states }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_rise_over_the_base() {
        let mut pools = Pools::new();
        let mut h = LearnedValues::new(1000);
        let n = NodeId::new(700);
        assert_eq!(h.get(n, || Cost::new(5)), Cost::new(5));
        assert_eq!(h.raise(n, Cost::new(4), || Cost::new(5), &mut pools), Cost::ZERO);
        assert_eq!(h.states(), 0);
        assert_eq!(h.raise(n, Cost::new(9), || Cost::new(5), &mut pools), Cost::new(4));
        assert_eq!(h.get(n, || Cost::new(5)), Cost::new(9));
        assert_eq!((h.states(), h.iter().count()), (1, 1));
        h.clear();
        assert_eq!((h.get(n, || Cost::new(5)), h.states()), (Cost::new(5), 0));
    }
}
