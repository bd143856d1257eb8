//! Saving, restoring, releasing and measuring the parts of a planner.
//!
//! A planner is a struct of parts. [`planner_part!`](crate::planner_part) implements [`PlannerPart`] for it by listing all fields; a
//! missing field does not compile.

use super::pages::{PageCounts, Pages, Pools};
use crate::graph::Limits;
use crate::id::{Cost, NodeId};
use crate::probe::Stats;
use crate::save::{SaveError, SaveReader, SaveWriter};

/// A part of a planner.
pub trait PlannerPart {
    /// Writes the whole state.
    fn write(&self, out: &mut dyn SaveWriter);

    /// Reads a state that [`PlannerPart::write`] wrote, for a graph with these limits: all nodes must exist. A forged
    /// state may be wrong, but causes no panic, and no more memory than its bytes account for.
    fn read(&mut self, limits: &Limits, from: &mut SaveReader<'_>) -> Result<(), SaveError>;

    /// Returns all pages to the pools. The content is lost.
    fn release_pages(&mut self, pools: &mut Pools);

    /// Returns the number of bytes held, without the fields of the struct itself.
    fn memory_bytes(&self) -> usize;

    /// Adds the pages that a search over `nodes` nodes needs.
    fn count_pages(&self, nodes: usize, needs: &mut PageCounts);
}

/// Implements [`PlannerPart`] for a struct: the `saved` fields are written in this order, the `fixed` ones are set when it
/// is built. A field in neither list does not compile. With `within: table;` before the lists, node numbers are
/// limited by that table instead of the graph.
///
/// ```
/// use fleetfoot::NodeId;
/// struct Habit {
///     cautious: bool,
///     last: NodeId,
///     visits: u64,
/// }
/// fleetfoot::planner_part! { Habit { saved: last, visits; fixed: cautious } }
/// ```
#[macro_export]
macro_rules! planner_part {
    ([$($parameters:tt)*] $type:ty { $(within: $table:ident;)? saved: $($field:ident),*; fixed: $($fixed:tt),* }) => {
        impl<$($parameters)*> $crate::search::PlannerPart for $type {
            fn write(&self, out: &mut dyn $crate::SaveWriter) {
                let Self { $($field,)* $($fixed: _,)* } = self;
                let _ = out;
                $($crate::search::PlannerPart::write($field, out);)*
            }

            fn read(&mut self, limits: &$crate::Limits, from: &mut $crate::SaveReader<'_>) -> Result<(), $crate::SaveError> {
                let Self { $($field,)* $($fixed: _,)* } = self;
                let _ = &from;
                let limits = (*limits)$(.within($table.nodes()))?;
                let _ = limits;
                $($crate::search::PlannerPart::read($field, &limits, from)?;)*
                Ok(())
            }

            fn release_pages(&mut self, pools: &mut $crate::search::Pools) {
                let Self { $($field,)* $($fixed: _,)* } = self;
                let _ = &pools;
                $($crate::search::PlannerPart::release_pages($field, pools);)*
            }

            fn memory_bytes(&self) -> usize {
                let Self { $($field,)* $($fixed: _,)* } = self;
                0 $(+ $crate::search::PlannerPart::memory_bytes($field))*
            }

            fn count_pages(&self, nodes: usize, needs: &mut $crate::search::PageCounts) {
                let Self { $($field,)* $($fixed: _,)* } = self;
                let _ = (nodes, &needs);
                $($crate::search::PlannerPart::count_pages($field, nodes, needs);)*
            }
        }
    };
    ($type:ty { $($lists:tt)* }) => {
        $crate::planner_part! { [] $type { $($lists)* } }
    };
}

/// Inside an `impl PlannerPart`: the methods that do not depend on the saved form. `paged` fields hold pages, others do
/// not.
macro_rules! pages {
    (paged: $($field:ident),*; others: $($other:ident),*) => {
        fn release_pages(&mut self, pools: &mut $crate::search::Pools) {
            self.clear();
            let Self { $($field,)* $($other: _,)* } = self;
            $($field.release_pages(pools);)*
        }

        fn memory_bytes(&self) -> usize {
            let Self { $($field,)* $($other: _,)* } = self;
            0 $(+ $field.memory_bytes())*
        }

        fn count_pages(&self, nodes: usize, needs: &mut $crate::search::PageCounts) {
            let Self { $($field,)* $($other: _,)* } = self;
            $($field.count_pages(nodes, needs);)*
        }
    };
}
pub(crate) use pages;

/// Inside an `impl PlannerPart` of a type without pages.
macro_rules! no_pages {
    () => {
        fn release_pages(&mut self, _: &mut $crate::search::Pools) {}

        fn memory_bytes(&self) -> usize {
            0
        }

        fn count_pages(&self, _: usize, _: &mut $crate::search::PageCounts) {}
    };
}
pub(crate) use no_pages;

/// Implements [`PlannerPart`] for an enum without fields, written by position. A missing variant does not compile.
macro_rules! enum_part {
    ($type:ident: $($variant:ident),*) => {
        impl $crate::search::PlannerPart for $type {
            fn write(&self, out: &mut dyn $crate::SaveWriter) {
                match self {
                    $(Self::$variant)|* => {}
                }
                out.u32([$(Self::$variant),*].iter().position(|other| other == self).unwrap_or(0) as u32);
            }

            fn read(&mut self, _: &$crate::Limits, from: &mut $crate::SaveReader<'_>) -> Result<(), $crate::SaveError> {
                let all = [$(Self::$variant),*];
                *self = all[from.choice(all.len() as u32)? as usize];
                Ok(())
            }

            $crate::search::no_pages!();
        }
    };
}
pub(crate) use enum_part;

impl PlannerPart for NodeId {
    fn write(&self, out: &mut dyn SaveWriter) {
        out.node(*self);
    }

    /// Reads a node, or `NONE`.
    fn read(&mut self, limits: &Limits, from: &mut SaveReader<'_>) -> Result<(), SaveError> {
        *self = from.node_or_none(limits)?;
        Ok(())
    }

    no_pages!();
}

impl PlannerPart for Cost {
    fn write(&self, out: &mut dyn SaveWriter) {
        out.cost(*self);
    }

    fn read(&mut self, _: &Limits, from: &mut SaveReader<'_>) -> Result<(), SaveError> {
        *self = from.cost()?;
        Ok(())
    }

    no_pages!();
}

impl PlannerPart for u64 {
    fn write(&self, out: &mut dyn SaveWriter) {
        out.u64(*self);
    }

    /// Reads a counter. Values close to an overflow are rejected.
    fn read(&mut self, _: &Limits, from: &mut SaveReader<'_>) -> Result<(), SaveError> {
        *self = from.count()?;
        Ok(())
    }

    no_pages!();
}

impl PlannerPart for u32 {
    fn write(&self, out: &mut dyn SaveWriter) {
        out.u32(*self);
    }

    fn read(&mut self, _: &Limits, from: &mut SaveReader<'_>) -> Result<(), SaveError> {
        *self = from.u32()?;
        Ok(())
    }

    no_pages!();
}

impl PlannerPart for bool {
    fn write(&self, out: &mut dyn SaveWriter) {
        out.u32(u32::from(*self));
    }

    fn read(&mut self, _: &Limits, from: &mut SaveReader<'_>) -> Result<(), SaveError> {
        *self = from.choice(2)? == 1;
        Ok(())
    }

    no_pages!();
}

/// Flags by number: the numbers that are set are written.
impl PlannerPart for Pages<bool> {
    fn write(&self, out: &mut dyn SaveWriter) {
        let set = || self.live().filter(|(_, is_set)| *is_set).map(|(n, _)| n as u32);
        out.u32(set().count() as u32);
        set().for_each(|n| out.u32(n));
    }

    fn read(&mut self, limits: &Limits, from: &mut SaveReader<'_>) -> Result<(), SaveError> {
        let (limits, pools) = (&limits.within(self.bound()), &mut Pools::new());
        self.clear();
        for _ in 0..from.len(4)? {
            *self.at(from.node(limits)?.index(), &mut pools.flags) = true;
        }
        Ok(())
    }

    fn release_pages(&mut self, pools: &mut Pools) {
        Self::release_pages(self, pools);
    }

    fn memory_bytes(&self) -> usize {
        Self::memory_bytes(self)
    }

    fn count_pages(&self, nodes: usize, needs: &mut PageCounts) {
        Self::count_pages(self, nodes, needs);
    }
}

/// All elements in order. Their number is not saved.
impl<T: PlannerPart> PlannerPart for [T] {
    fn write(&self, out: &mut dyn SaveWriter) {
        for part in self {
            part.write(out);
        }
    }

    fn read(&mut self, limits: &Limits, from: &mut SaveReader<'_>) -> Result<(), SaveError> {
        self.iter_mut().try_for_each(|part| part.read(limits, from))
    }

    fn release_pages(&mut self, pools: &mut Pools) {
        for part in self {
            part.release_pages(pools);
        }
    }

    fn memory_bytes(&self) -> usize {
        self.iter().map(PlannerPart::memory_bytes).sum()
    }

    fn count_pages(&self, nodes: usize, needs: &mut PageCounts) {
        for part in self {
            part.count_pages(nodes, needs);
        }
    }
}

/// Implements [`PlannerPart`] by delegating to another type.
macro_rules! delegate_part {
    ([$($parameters:tt)*] $type:ty, $part:ident => $inner:expr, $inner_mut:expr) => {
        impl<$($parameters)*> PlannerPart for $type {
            fn write(&self, out: &mut dyn SaveWriter) {
                let $part = self;
                $inner.write(out);
            }

            fn read(&mut self, limits: &Limits, from: &mut SaveReader<'_>) -> Result<(), SaveError> {
                let $part = self;
                $inner_mut.read(limits, from)
            }

            fn release_pages(&mut self, pools: &mut Pools) {
                let $part = self;
                $inner_mut.release_pages(pools);
            }

            fn memory_bytes(&self) -> usize {
                let $part = self;
                $inner.memory_bytes()
            }

            fn count_pages(&self, nodes: usize, needs: &mut PageCounts) {
                let $part = self;
                $inner.count_pages(nodes, needs);
            }
        }
    };
    ($type:ty, $part:ident => $inner:expr, $inner_mut:expr) => {
        $crate::search::delegate_part! { [] $type, $part => $inner, $inner_mut }
    };
}

pub(crate) use delegate_part;

delegate_part! { [T: PlannerPart, const N: usize] [T; N], part => part.as_slice(), part.as_mut_slice() }
delegate_part! { [T: PlannerPart] alloc::vec::Vec<T>, part => part.as_slice(), part.as_mut_slice() }

impl<A: PlannerPart, B: PlannerPart> PlannerPart for (A, B) {
    fn write(&self, out: &mut dyn SaveWriter) {
        self.0.write(out);
        self.1.write(out);
    }

    fn read(&mut self, limits: &Limits, from: &mut SaveReader<'_>) -> Result<(), SaveError> {
        self.0.read(limits, from)?;
        self.1.read(limits, from)
    }

    fn release_pages(&mut self, pools: &mut Pools) {
        self.0.release_pages(pools);
        self.1.release_pages(pools);
    }

    fn memory_bytes(&self) -> usize {
        self.0.memory_bytes() + self.1.memory_bytes()
    }

    fn count_pages(&self, nodes: usize, needs: &mut PageCounts) {
        self.0.count_pages(nodes, needs);
        self.1.count_pages(nodes, needs);
    }
}

planner_part! { Stats { saved: searches, open_max, closed_max, h_states, updates, h_rise, memory_bytes; fixed: } }

/// A number that must match when a planner is restored, such as a checksum of a database.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stamp(pub(crate) u64);

impl PlannerPart for Stamp {
    fn write(&self, out: &mut dyn SaveWriter) {
        out.u64(self.0);
    }

    fn read(&mut self, _: &Limits, from: &mut SaveReader<'_>) -> Result<(), SaveError> {
        if from.u64()? == self.0 {
            Ok(())
        } else {
            Err(SaveError::new("it uses another database; restore it with the one that it was saved with"))
        }
    }

    no_pages!();
}
