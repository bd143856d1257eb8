//! What every part of a planner can do: be written, be read back, give its pages back, say what it holds and what it needs.
//!
//! A planner is a struct of parts, and [`part!`](crate::part) makes it one itself by naming all of its fields, so that one
//! that was forgotten does not compile.

use super::pages::{Needs, Pages, Pools};
use crate::graph::Limits;
use crate::id::{Cost, NodeId};
use crate::planner::Stats;
use crate::save::{SaveError, SaveReader, SaveWriter};

/// A part of a planner.
pub trait Part {
    /// Writes its whole state.
    fn write(&self, out: &mut dyn SaveWriter);

    /// Takes a state that [`Part::write`] wrote, of a graph with these limits: it names no node but those
    /// that there are. What passes may be wrong
    /// if the bytes were forged, but leads to no panic, and to no memory that the bytes do not account for.
    fn read(&mut self, limits: &Limits, from: &mut SaveReader<'_>) -> Result<(), SaveError>;

    /// Gives all its pages to the pools. What it held is forgotten.
    fn give_back(&mut self, pools: &mut Pools);

    /// Bytes that it holds beside its own fields.
    fn memory_bytes(&self) -> usize;

    /// Adds the pages that it takes in a search that touches so many nodes.
    fn need(&self, nodes: usize, needs: &mut Needs);
}

/// Makes a struct a [`Part`] of its fields: those that are `saved`, in this order, and those that are `fixed` when it is built.
/// A field that is named in neither list does not compile. With `within: table;` before the lists all nodes are the table's,
/// and not the graph's.
///
/// ```
/// use fleetfoot::NodeId;
/// struct Habit {
///     cautious: bool,
///     last: NodeId,
///     visits: u64,
/// }
/// fleetfoot::part! { Habit { saved: last, visits; fixed: cautious } }
/// ```
#[macro_export]
macro_rules! part {
    ([$($parameters:tt)*] $type:ty { $(within: $table:ident;)? saved: $($field:ident),*; fixed: $($fixed:tt),* }) => {
        impl<$($parameters)*> $crate::parts::Part for $type {
            fn write(&self, out: &mut dyn $crate::SaveWriter) {
                let Self { $($field,)* $($fixed: _,)* } = self;
                let _ = out;
                $($crate::parts::Part::write($field, out);)*
            }

            fn read(&mut self, limits: &$crate::Limits, from: &mut $crate::SaveReader<'_>) -> Result<(), $crate::SaveError> {
                let Self { $($field,)* $($fixed: _,)* } = self;
                let _ = &from;
                let limits = (*limits)$(.within($table.nodes()))?;
                let _ = limits;
                $($crate::parts::Part::read($field, &limits, from)?;)*
                Ok(())
            }

            fn give_back(&mut self, pools: &mut $crate::parts::Pools) {
                let Self { $($field,)* $($fixed: _,)* } = self;
                let _ = &pools;
                $($crate::parts::Part::give_back($field, pools);)*
            }

            fn memory_bytes(&self) -> usize {
                let Self { $($field,)* $($fixed: _,)* } = self;
                0 $(+ $crate::parts::Part::memory_bytes($field))*
            }

            fn need(&self, nodes: usize, needs: &mut $crate::parts::Needs) {
                let Self { $($field,)* $($fixed: _,)* } = self;
                let _ = (nodes, &needs);
                $($crate::parts::Part::need($field, nodes, needs);)*
            }
        }
    };
    ($type:ty { $($lists:tt)* }) => {
        $crate::part! { [] $type { $($lists)* } }
    };
}

/// Inside an `impl Part`: what does not depend on how a part is written. `paged` fields hold pages, others do not.
macro_rules! pages {
    (paged: $($field:ident),*; others: $($other:ident),*) => {
        fn give_back(&mut self, pools: &mut $crate::parts::Pools) {
            self.clear();
            let Self { $($field,)* $($other: _,)* } = self;
            $($field.give_back(pools);)*
        }

        fn memory_bytes(&self) -> usize {
            let Self { $($field,)* $($other: _,)* } = self;
            0 $(+ $field.memory_bytes())*
        }

        fn need(&self, nodes: usize, needs: &mut $crate::parts::Needs) {
            let Self { $($field,)* $($other: _,)* } = self;
            $($field.need(nodes, needs);)*
        }
    };
}
pub(crate) use pages;

/// Inside an `impl Part` of what holds no pages.
macro_rules! no_pages {
    () => {
        fn give_back(&mut self, _: &mut $crate::parts::Pools) {}

        fn memory_bytes(&self) -> usize {
            0
        }

        fn need(&self, _: usize, _: &mut $crate::parts::Needs) {}
    };
}
pub(crate) use no_pages;

/// Makes an enum without fields a [`Part`]: written by position. A variant that is left out does not compile.
macro_rules! choices {
    ($type:ident: $($variant:ident),*) => {
        impl $crate::parts::Part for $type {
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

            $crate::parts::no_pages!();
        }
    };
}
pub(crate) use choices;

impl Part for NodeId {
    fn write(&self, out: &mut dyn SaveWriter) {
        out.node(*self);
    }

    /// A node, or none.
    fn read(&mut self, limits: &Limits, from: &mut SaveReader<'_>) -> Result<(), SaveError> {
        *self = from.node_or_none(limits)?;
        Ok(())
    }

    no_pages!();
}

impl Part for Cost {
    fn write(&self, out: &mut dyn SaveWriter) {
        out.cost(*self);
    }

    fn read(&mut self, _: &Limits, from: &mut SaveReader<'_>) -> Result<(), SaveError> {
        *self = from.cost()?;
        Ok(())
    }

    no_pages!();
}

impl Part for u64 {
    fn write(&self, out: &mut dyn SaveWriter) {
        out.u64(*self);
    }

    /// A count: never so large that going on could overflow it.
    fn read(&mut self, _: &Limits, from: &mut SaveReader<'_>) -> Result<(), SaveError> {
        *self = from.count()?;
        Ok(())
    }

    no_pages!();
}

impl Part for u32 {
    fn write(&self, out: &mut dyn SaveWriter) {
        out.u32(*self);
    }

    fn read(&mut self, _: &Limits, from: &mut SaveReader<'_>) -> Result<(), SaveError> {
        *self = from.u32()?;
        Ok(())
    }

    no_pages!();
}

impl Part for bool {
    fn write(&self, out: &mut dyn SaveWriter) {
        out.u32(u32::from(*self));
    }

    fn read(&mut self, _: &Limits, from: &mut SaveReader<'_>) -> Result<(), SaveError> {
        *self = from.choice(2)? == 1;
        Ok(())
    }

    no_pages!();
}

/// Flags by number: those that are set.
impl Part for Pages<bool> {
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

    fn give_back(&mut self, pools: &mut Pools) {
        Self::give_back(self, pools);
    }

    fn memory_bytes(&self) -> usize {
        Self::memory_bytes(self)
    }

    fn need(&self, nodes: usize, needs: &mut Needs) {
        Self::need(self, nodes, needs);
    }
}

/// Each of them in turn: as many as there are now.
impl<T: Part> Part for [T] {
    fn write(&self, out: &mut dyn SaveWriter) {
        for part in self {
            part.write(out);
        }
    }

    fn read(&mut self, limits: &Limits, from: &mut SaveReader<'_>) -> Result<(), SaveError> {
        self.iter_mut().try_for_each(|part| part.read(limits, from))
    }

    fn give_back(&mut self, pools: &mut Pools) {
        for part in self {
            part.give_back(pools);
        }
    }

    fn memory_bytes(&self) -> usize {
        self.iter().map(Part::memory_bytes).sum()
    }

    fn need(&self, nodes: usize, needs: &mut Needs) {
        for part in self {
            part.need(nodes, needs);
        }
    }
}

/// Makes something a part by way of another that it is.
macro_rules! by_way_of {
    ([$($parameters:tt)*] $type:ty, $part:ident => $inner:expr, $inner_mut:expr) => {
        impl<$($parameters)*> Part for $type {
            fn write(&self, out: &mut dyn SaveWriter) {
                let $part = self;
                $inner.write(out);
            }

            fn read(&mut self, limits: &Limits, from: &mut SaveReader<'_>) -> Result<(), SaveError> {
                let $part = self;
                $inner_mut.read(limits, from)
            }

            fn give_back(&mut self, pools: &mut Pools) {
                let $part = self;
                $inner_mut.give_back(pools);
            }

            fn memory_bytes(&self) -> usize {
                let $part = self;
                $inner.memory_bytes()
            }

            fn need(&self, nodes: usize, needs: &mut Needs) {
                let $part = self;
                $inner.need(nodes, needs);
            }
        }
    };
    ($type:ty, $part:ident => $inner:expr, $inner_mut:expr) => {
        $crate::parts::by_way_of! { [] $type, $part => $inner, $inner_mut }
    };
}

pub(crate) use by_way_of;

by_way_of! { [T: Part, const N: usize] [T; N], part => part.as_slice(), part.as_mut_slice() }
by_way_of! { [T: Part] alloc::vec::Vec<T>, part => part.as_slice(), part.as_mut_slice() }

impl<A: Part, B: Part> Part for (A, B) {
    fn write(&self, out: &mut dyn SaveWriter) {
        self.0.write(out);
        self.1.write(out);
    }

    fn read(&mut self, limits: &Limits, from: &mut SaveReader<'_>) -> Result<(), SaveError> {
        self.0.read(limits, from)?;
        self.1.read(limits, from)
    }

    fn give_back(&mut self, pools: &mut Pools) {
        self.0.give_back(pools);
        self.1.give_back(pools);
    }

    fn memory_bytes(&self) -> usize {
        self.0.memory_bytes() + self.1.memory_bytes()
    }

    fn need(&self, nodes: usize, needs: &mut Needs) {
        self.0.need(nodes, needs);
        self.1.need(nodes, needs);
    }
}

part! { Stats { saved: searches, open_max, closed_max, h_states, updates, h_rise, memory_bytes; fixed: } }

/// A number that must be the same when a planner is restored: of a database, say.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stamp(pub(crate) u64);

impl Part for Stamp {
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
