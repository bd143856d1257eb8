//! Learned h-values over a base heuristic: paged, so an agent pays for the states it has learned about.

use super::{Pages, Part, Pools, pages};
use crate::graph::Limits;
use crate::id::{Cost, NodeId};
use crate::save::{SaveError, SaveReader, SaveWriter};

/// Learned values. A state without one has the base heuristic's.
#[derive(Clone, Debug)]
pub struct HTable {
    /// Infinite means nothing learned: a state that is known to be a dead end needs no finite value, and
    /// [`HTable::dead`] keeps the largest finite one for it.
    values: Pages<Cost>,
    states: usize,
}

impl HTable {
    /// A table for the nodes below `bound`.
    pub fn new(bound: usize) -> Self {
        Self { values: Pages::new(bound, Cost::INF), states: 0 }
    }

    /// The nodes that it is for.
    pub fn nodes(&self) -> usize {
        self.values.bound()
    }

    /// The value of a dead end: no state of a graph is that far from its goal.
    pub const fn dead() -> Cost {
        Cost::new(u32::MAX - 1)
    }

    /// The value of `n`; `base` is asked if nothing was learned.
    #[inline]
    pub fn get(&self, n: NodeId, base: impl FnOnce() -> Cost) -> Cost {
        let value = self.values.get(n.index());
        if value.is_finite() { value } else { base() }
    }

    /// The learned value of `n`, if any.
    #[inline]
    pub fn learned(&self, n: NodeId) -> Option<Cost> {
        Some(self.values.get(n.index())).filter(|value| value.is_finite())
    }

    /// Gives `n` a value, which must be finite.
    #[inline]
    pub fn set(&mut self, n: NodeId, value: Cost, pools: &mut Pools) {
        debug_assert!(value.is_finite(), "a dead end has the value HTable::dead()");
        let entry = self.values.at(n.index(), &mut pools.costs);
        self.states += usize::from(!entry.is_finite());
        *entry = value;
    }

    /// Gives `n` a value, which must be finite, unless it has it already; what it had. One look at its page.
    #[inline]
    pub(crate) fn replace(
        &mut self,
        n: NodeId,
        value: Cost,
        base: impl FnOnce() -> Cost,
        pools: &mut Pools,
    ) -> Cost {
        if let Some(entry) = self.values.if_live(n.index())
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

    /// Raises `n` to `value` if that is more than what it has; by how much it rose.
    #[inline]
    pub fn raise(&mut self, n: NodeId, value: Cost, base: impl FnOnce() -> Cost, pools: &mut Pools) -> Cost {
        let old = self.get(n, base);
        if value > old {
            self.set(n, value, pools);
        }
        value.saturating_sub(old)
    }

    /// Forgets everything, in O(1).
    pub fn clear(&mut self) {
        self.values.clear();
        self.states = 0;
    }

    /// States with a learned value.
    pub fn states(&self) -> usize {
        self.states
    }

    /// All learned values, in order of the states' numbers.
    pub fn iter(&self) -> impl Iterator<Item = (NodeId, Cost)> + '_ {
        let learned = self.values.live().filter(|(_, value)| value.is_finite());
        learned.map(|(n, value)| (NodeId::from_index(n), value))
    }
}

impl Part for HTable {
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
        let mut h = HTable::new(1000);
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
