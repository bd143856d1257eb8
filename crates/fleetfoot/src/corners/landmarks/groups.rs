//! Groups of connected corners. Landmarks are not spent on small ones: searches there are short, and if ground that no
//! landmark reaches came first, most landmarks would go to closed rooms.

use alloc::vec::Vec;

use super::COUNT;

/// Joins the groups of two corners. In `joined` each corner has another one of its group, or itself if it is the first.
pub(super) fn join(joined: &mut [u32], a: u32, b: u32) {
    let (a, b) = (first(joined, a), first(joined, b));
    joined[a.max(b) as usize] = a.min(b);
}

/// Returns by corner whether its group has more than its share of all corners.
pub(super) fn are_large(joined: &mut [u32]) -> Vec<bool> {
    let all = joined.len();
    let mut sizes = alloc::vec![0_usize; all];
    for k in 0..all as u32 {
        sizes[first(joined, k) as usize] += 1;
    }
    (0..all as u32).map(|k| sizes[first(joined, k) as usize] * COUNT > all).collect()
}

/// Returns the first corner of a group, and shortens the chain to it.
fn first(joined: &mut [u32], mut k: u32) -> u32 {
    while joined[k as usize] != k {
        joined[k as usize] = joined[joined[k as usize] as usize];
        k = joined[k as usize];
    }
    k
}
