//! Lists of numbers in saves.

use alloc::vec::Vec;

use crate::save::{SaveError, SaveReader, SaveWriter};

pub(crate) fn save_list(out: &mut impl SaveWriter, list: &[u32]) {
    out.u32(list.len() as u32);
    for &x in list {
        out.u32(x);
    }
}

/// Reads a list of numbers below `bound`.
pub(crate) fn load_list(from: &mut SaveReader<'_>, bound: usize) -> Result<Vec<u32>, SaveError> {
    let len = from.len(4)?;
    let mut list = Vec::with_capacity(len.max(bound));
    for _ in 0..len {
        list.push(from.choice(u32::try_from(bound).unwrap_or(u32::MAX))?);
    }
    Ok(list)
}

/// Returns `true` if no number occurs twice.
pub(crate) fn all_differ(list: &[u32]) -> bool {
    let mut sorted = list.to_vec();
    sorted.sort_unstable();
    sorted.is_sorted_by(|a, b| a < b)
}
