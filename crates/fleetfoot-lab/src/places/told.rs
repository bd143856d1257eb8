//! Descriptions of maps in reports.

use std::collections::HashSet;

use fleetfoot::database::checksum;
use fleetfoot_sim::error::InputError;

use super::MapSource;

/// Maximum number of maps that are listed one by one. Otherwise the first, the last, and a checksum of all are
/// listed.
const MOST: usize = 24;

/// Lists maps with sizes and checksums of their cells, without duplicates.
pub(crate) fn told_maps<'a>(maps: impl Iterator<Item = &'a MapSource>) -> Result<Vec<String>, InputError> {
    let (mut seen, mut told, mut sums) = (HashSet::new(), Vec::new(), Vec::new());
    for source in maps.filter(|map| seen.insert(map.key())) {
        let map = source.load()?.map;
        let (sum, free) = (map.checksum(), crate::whole(u64::from(map.passable_count())));
        sums.extend(sum.to_le_bytes());
        let size = format!("{}×{}", map.width(), map.height());
        told.push(format!("{source}: {size}, {free} free cells, checksum {sum:016x}"));
    }
    if told.len() <= MOST {
        return Ok(told);
    }
    let all = format!("{} maps, checksum of all checksums {:016x}", told.len(), checksum(&sums));
    let last = told.pop().unwrap_or_default();
    Ok(vec![all, format!("the first is {}", told.swap_remove(0)), format!("the last is {last}")])
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn maps_are_listed_once_with_their_checksums() {
        let corner = |side: u32| MapSource::parse(&format!("corner(side={side})"), Path::new("")).unwrap();
        let told = told_maps([corner(12), corner(12)].iter()).unwrap();
        let sum = corner(12).load().unwrap().map.checksum();
        assert_eq!(told, [format!("corner(side=12): 12×12, 131 free cells, checksum {sum:016x}")]);
        let many: Vec<MapSource> = (10..60).map(corner).collect();
        let told = told_maps(many.iter()).unwrap();
        assert!(told[0].starts_with("50 maps, checksum") && told[1].contains("corner(side=10)"), "{told:?}");
        assert!(told[2].contains("corner(side=59)"));
    }
}
