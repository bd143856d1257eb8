//! Routes of units, and rows of exact distances on small maps. A route knows no unit.

pub(crate) mod distance_rows;
pub(crate) mod repair;
pub(crate) mod store;
