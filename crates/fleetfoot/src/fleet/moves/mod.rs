//! The public resolver: moves all units of a map, tick by tick.

pub(crate) mod map_ground;
pub(crate) mod phases;
pub(crate) mod resolver;
pub(crate) mod save;
