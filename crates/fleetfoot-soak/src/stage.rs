//! Maps for measurements, with the cells that units can go between.

use fleetfoot::{Map, NodeId};
use fleetfoot_sim::map::GridMap;

use crate::judges::ground::{Cell, Ground, Moves};
use crate::judges::oracle;

/// Returns the map, and the cells of its largest connected part.
pub(crate) fn stage(made: &GridMap) -> (Map, Vec<NodeId>) {
    let (width, height) = (made.width(), made.height());
    let cells = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let weights = cells.map(|(x, y)| u8::from(made.passable(x, y)));
    let ground = Ground::new(width, height, Moves::Eight, weights.collect());
    let map = Map::new(width, height, |x, y| made.passable(x, y)).expect("a small map");
    let parts = oracle::parts(&ground);
    let mut sizes = vec![0_u32; parts.iter().max().map_or(0, |most| *most as usize) + 1];
    parts.iter().filter(|&&part| part != 0).for_each(|&part| sizes[part as usize] += 1);
    let largest = (0..sizes.len()).max_by_key(|&part| sizes[part]).unwrap_or(0) as u32;
    let node = |cell: Cell| {
        let (x, y) = ground.xy(cell);
        map.node(x, y).expect("on the map")
    };
    let joined =
        (0..ground.len() as Cell).filter(|&cell| parts[cell as usize] == largest).map(node).collect();
    (map, joined)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_part_is_taken() {
        let made = GridMap::from_rows(&["..@...", "..@@@@", "@@@..."]).unwrap();
        let (map, joined) = stage(&made);
        assert_eq!(joined.iter().map(|&n| map.xy(n)).collect::<Vec<_>>(), [(0, 0), (1, 0), (0, 1), (1, 1)]);
    }
}
