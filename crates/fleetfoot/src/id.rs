//! Node numbers and costs.

use core::fmt;
use core::iter::Sum;
use core::ops::{Add, AddAssign};

/// A node of a graph. Node numbers are dense: all are below [`Graph::bound`](crate::Graph::bound).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct NodeId(u32);

impl NodeId {
    /// No node. Used as the parent of a root, for example.
    pub const NONE: Self = Self(u32::MAX);

    /// Creates the node with this number.
    #[inline]
    pub const fn new(number: u32) -> Self {
        Self(number)
    }

    /// Creates the node with this index.
    #[inline]
    pub const fn from_index(index: usize) -> Self {
        debug_assert!(index < u32::MAX as usize, "a graph has fewer than 2^32 - 1 nodes");
        Self(index as u32)
    }

    /// Returns the number.
    #[inline]
    pub const fn raw(self) -> u32 {
        self.0
    }

    /// Returns the number as a table index.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns `true` unless this is [`NodeId::NONE`].
    #[inline]
    pub const fn is_some(self) -> bool {
        self.0 != u32::MAX
    }

    /// Returns `None` for [`NodeId::NONE`].
    #[inline]
    pub const fn some(self) -> Option<Self> {
        if self.is_some() { Some(self) } else { None }
    }
}

impl fmt::Debug for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_some() { write!(f, "n{}", self.0) } else { f.write_str("none") }
    }
}

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// A path cost in the integer units of a graph.
///
/// Addition saturates at [`Cost::INF`]. Finite sums never reach infinity: graphs in which a simple path could be
/// that long cannot be built.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Cost(u32);

impl Cost {
    /// No cost.
    pub const ZERO: Self = Self(0);
    /// Infinite cost: a blocked edge, or an unreached node.
    pub const INF: Self = Self(u32::MAX);

    /// Creates a cost. `u32::MAX` is infinity.
    #[inline]
    pub const fn new(units: u32) -> Self {
        Self(units)
    }

    /// Returns the number of units.
    #[inline]
    pub const fn raw(self) -> u32 {
        self.0
    }

    /// Returns `true` if the cost is less than infinity.
    #[inline]
    pub const fn is_finite(self) -> bool {
        self.0 != u32::MAX
    }

    /// Subtracts `other`, with a minimum of zero. Infinity minus anything is infinity.
    #[inline]
    #[must_use]
    pub const fn saturating_sub(self, other: Self) -> Self {
        if self.is_finite() { Self(self.0.saturating_sub(other.0)) } else { self }
    }
}

impl Add for Cost {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Cost {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sum for Cost {
    fn sum<I: Iterator<Item = Self>>(costs: I) -> Self {
        costs.fold(Self::ZERO, Add::add)
    }
}

impl fmt::Debug for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_finite() { write!(f, "{}", self.0) } else { f.write_str("inf") }
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn infinity_absorbs() {
        assert_eq!(Cost::INF + Cost::new(1), Cost::INF);
        assert_eq!(Cost::new(u32::MAX - 1) + Cost::new(u32::MAX - 1), Cost::INF);
        assert_eq!(Cost::INF.saturating_sub(Cost::new(7)), Cost::INF);
        assert_eq!(Cost::new(3).saturating_sub(Cost::new(7)), Cost::ZERO);
        assert_eq!([Cost::new(2), Cost::INF].into_iter().sum::<Cost>(), Cost::INF);
    }

    #[test]
    fn none_is_no_node() {
        assert!(!NodeId::NONE.is_some());
        assert_eq!(NodeId::new(4).some(), Some(NodeId::new(4)));
        assert_eq!(NodeId::NONE.some(), None);
    }
}
