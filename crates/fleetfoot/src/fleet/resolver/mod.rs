//! The joint move of one tick: priority inheritance with backtracking and the swap rule, on any ground.

pub(crate) mod candidates;
pub(crate) mod commit;
pub(crate) mod costs;
pub(crate) mod ground;
pub(crate) mod neighbors;
pub(crate) mod pibt;
pub(crate) mod ring;
pub(crate) mod rounds;
pub(crate) mod swap;
