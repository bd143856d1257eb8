//! The open list as a parameter of planners.

use crate::search::{OpenKind, Ties};
use crate::spec::{BuildError, Choice, Spec};

/// The kind of the open list.
pub(super) const OPEN: Choice<OpenKind> = Choice::new(
    "open",
    &["ring", "heap"],
    &[OpenKind::Ring, OpenKind::Heap(Ties::LargerG)],
    "open list: exact-f buckets (last in first out), or an indexed heap",
);

/// The order of nodes with equal f.
pub(super) const TIES: Choice<Ties> = Choice::new(
    "ties",
    &["larger-g", "smaller-g"],
    &[Ties::LargerG, Ties::SmallerG],
    "which of two states with equal f comes first; needs open=heap",
);

/// Returns the open list of a planner with both parameters.
pub(super) fn open_with_ties(spec: &Spec) -> Result<OpenKind, BuildError> {
    match spec.get(&OPEN) {
        OpenKind::Heap(_) => Ok(OpenKind::Heap(spec.get(&TIES))),
        OpenKind::Ring if spec.is_set(TIES.param.name) => {
            Err(BuildError::new("`ties` has a meaning on a heap only; add open=heap"))
        }
        OpenKind::Ring => Ok(OpenKind::Ring),
    }
}
