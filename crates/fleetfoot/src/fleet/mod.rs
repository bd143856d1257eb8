//! Many units on one map: who moves where this tick, so that none stand on each other and nobody is stuck for ever.
mod clusters;
mod clusters_saved;
mod ground;
mod lanes;
mod pibt;
mod resolve;
mod saved;
mod search;
mod swap;

pub use ground::tie;
pub use resolve::{PlaceError, Report, Resolver, ResolverConfig};
pub use swap::LONGEST_WALK;

use crate::id::{Cost, NodeId};

/// What the units want: the value of a cell is what it costs to go on from there to the unit's goal, exact or estimated.
///
/// A value of 0 says that the unit is at its goal there, and of a unit that has no goal everywhere. Infinite values are
/// fine; such a cell is entered only by those who are pushed.
pub trait Wishes {
    /// What a cell is worth to a unit.
    fn value(&mut self, unit: u32, cell: NodeId) -> Cost;

    /// The same for the cells around a unit and its own, which comes first.
    fn values(&mut self, unit: u32, cells: &[NodeId], out: &mut [Cost]) {
        for (value, &cell) in out.iter_mut().zip(cells) {
            *value = self.value(unit, cell);
        }
    }
}
