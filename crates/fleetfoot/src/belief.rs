//! Partly known grids: known cells, and free ground everywhere else.

use alloc::vec::Vec;
use core::ops::RangeInclusive;

use crate::graph::ChangeLog;
use crate::grid::{Grid, GridError, Rules};
use crate::id::NodeId;
use crate::map::Map;

/// A map under the freespace assumption: unknown cells count as free, with the smallest weight. Costs therefore
/// only increase as cells become known, unless the world itself changes.
///
/// A belief contains no information about unknown cells. The scale of its costs must not depend on them either, so
/// the range of weights is declared: `1..=1` for grids without weights.
/// ```
/// use fleetfoot::{Belief, Rules};
/// let mut belief = Belief::unknown(8, 8, Rules::default(), 1..=1)?;
/// let n = belief.grid().node(3, 4).unwrap();
/// assert!(belief.grid().is_free(n) && !belief.is_known(n));
/// assert!(belief.reveal(n, 0)?); // seen: it is blocked
/// assert!(!belief.reveal(n, 0)?); // seen again: nothing new
/// assert_eq!(belief.log().end(), 24); // 8 edges in, 8 out, and 8 diagonals past it
/// # Ok::<(), fleetfoot::GridError>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "plain::Plain"))]
pub struct Belief {
    map: Map,
    known: Cells,
}

impl Belief {
    /// Creates a map of which only the size is known, with a corner index if rules and weights support one.
    pub fn unknown(
        width: u32,
        height: u32,
        rules: Rules,
        weights: RangeInclusive<u8>,
    ) -> Result<Self, GridError> {
        let mut belief = Self::build(width, height, rules, weights, |_, _| None)?;
        belief.map.index_corners();
        Ok(belief)
    }

    /// Creates an unknown map with the size, rules and range of weights of `truth`, and with all indices.
    pub(crate) fn hidden(truth: &Grid) -> Result<Self, GridError> {
        let (least, most) = truth.weights();
        let belief = Self::build(truth.width(), truth.height(), truth.rules(), least..=most, |_, _| None)?;
        Ok(Self { map: Map::without_landmarks(belief.map.grid().clone()), known: belief.known })
    }

    /// Returns the map, to update its indices. Cells are changed with [`reveal`](Self::reveal).
    pub(crate) fn map_mut(&mut self) -> &mut Map {
        &mut self.map
    }

    /// Creates a belief in which all cells are known.
    pub fn known(grid: Grid) -> Self {
        let mut known = Cells::none(grid.width());
        for y in 0..grid.height() {
            for x in 0..grid.width() {
                known.insert(x, y);
            }
        }
        Self { map: Map::without_index(grid), known }
    }

    /// Creates a belief that equals `truth` except for hidden cells, with a corner index if `truth` has one.
    /// Returns an error if the weight of a known cell is outside the range.
    pub fn partial(
        truth: &Grid,
        weights: RangeInclusive<u8>,
        mut hidden: impl FnMut(u32, u32) -> bool,
    ) -> Result<Self, GridError> {
        let seen = |x, y| if hidden(x, y) { None } else { truth.node(x, y).map(|n| truth.weight(n)) };
        let mut belief = Self::build(truth.width(), truth.height(), truth.rules(), weights, seen)?;
        if truth.corners().is_some() {
            belief.map.index_corners();
        }
        Ok(belief)
    }

    /// Creates a belief that knows the cells for which `seen` returns a weight.
    fn build(
        width: u32,
        height: u32,
        rules: Rules,
        weights: RangeInclusive<u8>,
        mut seen: impl FnMut(u32, u32) -> Option<u8>,
    ) -> Result<Self, GridError> {
        let least = (*weights.start()).max(1);
        let most = (*weights.end()).max(least);
        let (mut known, mut stray) = (Cells::none(width), None);
        let mut grid = Grid::new(width, height, rules, |x, y| {
            let Some(weight) = seen(x, y) else { return least };
            known.insert(x, y);
            if weight > 0 && !(least..=most).contains(&weight) {
                stray = Some((x, y, weight));
                return least;
            }
            weight
        })?;
        if most > 1 {
            grid = grid.with_weights(least, most)?;
        }
        let mut belief = Self { map: Map::without_index(grid), known };
        if let Some((x, y, weight)) = stray {
            let n = belief.map.node(x, y).unwrap_or(NodeId::NONE);
            belief.reveal(n, weight)?; // which refuses it, and says why
        }
        Ok(belief)
    }

    /// Sets a cell to what was observed: blocked (0), or free with a weight. Returns `true` if the belief changed.
    /// Changed edges are appended to the [log](Self::log).
    pub fn reveal(&mut self, n: NodeId, weight: u8) -> Result<bool, GridError> {
        let differs = self.map.set(n, weight)?;
        let (x, y) = self.map.xy(n);
        self.known.insert(x, y);
        Ok(differs)
    }

    /// Returns the believed map.
    pub fn map(&self) -> &Map {
        &self.map
    }

    /// Returns the grid of the believed map.
    pub fn grid(&self) -> &Grid {
        self.map.grid()
    }

    /// Returns the log of edge changes since the belief was created.
    pub fn log(&self) -> &ChangeLog {
        self.map.log()
    }

    /// Returns `true` if the cell was observed.
    pub fn is_known(&self, n: NodeId) -> bool {
        let (x, y) = self.map.xy(n);
        x < self.grid().width() && y < self.grid().height() && self.known.contains(x, y)
    }

    /// Returns the number of observed cells.
    pub fn known_count(&self) -> usize {
        self.known.count
    }
}

/// A set of cells with one bit per cell, stored by rows. Grows on demand.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Cells {
    width: u32,
    words: Vec<u64>,
    count: usize,
}

impl Cells {
    fn none(width: u32) -> Self {
        Self { width, words: Vec::new(), count: 0 }
    }

    /// Returns the index of the word and the bit.
    fn place(&self, x: u32, y: u32) -> (usize, u64) {
        let k = y as usize * self.width as usize + x as usize;
        (k / 64, 1 << (k % 64))
    }

    fn insert(&mut self, x: u32, y: u32) {
        let (word, bit) = self.place(x, y);
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.count += usize::from(self.words[word] & bit == 0);
        self.words[word] |= bit;
    }

    fn contains(&self, x: u32, y: u32) -> bool {
        let (word, bit) = self.place(x, y);
        self.words.get(word).is_some_and(|w| w & bit != 0)
    }
}

#[cfg(feature = "serde")]
mod plain {
    //! The serialized form of a belief.

    use super::{Belief, Cells};
    use crate::grid::Grid;
    use crate::map::Map;

    #[derive(serde::Deserialize)]
    pub(super) struct Plain {
        map: Map,
        known: Cells,
    }

    impl TryFrom<Plain> for Belief {
        type Error = &'static str;

        fn try_from(plain: Plain) -> Result<Self, Self::Error> {
            let Plain { map, known } = plain;
            if known.are_of(map.grid()) {
                Ok(Self { map, known })
            } else {
                Err("this saved belief is damaged: the cells that it knows are not cells of its map")
            }
        }
    }

    impl Cells {
        /// Returns `true` if all cells are in the grid and the count is correct.
        fn are_of(&self, grid: &Grid) -> bool {
            let cells = u64::from(grid.width()) * u64::from(grid.height());
            let past = (self.words.len() as u64 * 64).saturating_sub(cells);
            // All words but the last one are inside the map, and so are the bits of the last one.
            let is_within =
                past < 64 && self.words.last().is_none_or(|last| past == 0 || last >> (64 - past) == 0);
            let count: u64 = self.words.iter().map(|word| u64::from(word.count_ones())).sum();
            self.width == grid.width() && is_within && self.count as u64 == count
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeMap;
    use alloc::string::ToString;

    use super::*;
    use crate::graph::{Graph, splitmix64};
    use crate::grid::{Diagonal, Neighborhood};
    use crate::id::Cost;

    /// Returns all directed edges with their costs.
    fn edges(grid: &Grid) -> BTreeMap<(NodeId, NodeId), Cost> {
        let nodes = (0..grid.bound()).map(NodeId::from_index);
        nodes.flat_map(|n| grid.succs(n).map(move |e| ((n, e.to), e.cost))).collect()
    }

    fn truth(rules: Rules, seed: u64, heaviest: u64) -> Grid {
        let random = move |x, y| splitmix64(seed << 40 | u64::from(y) << 20 | u64::from(x));
        let weight =
            move |x, y| if random(x, y) % 3 == 0 { 0 } else { 1 + (random(x, y) / 3 % heaviest) as u8 };
        Grid::new(19, 18, rules, weight).unwrap()
    }

    fn all_rules() -> impl Iterator<Item = Rules> {
        [(Neighborhood::Four, false), (Neighborhood::Eight, false), (Neighborhood::Eight, true)]
            .into_iter()
            .map(|(neighborhood, cut_corners)| Rules { neighborhood, cut_corners, diagonal: Diagonal::D14 })
    }

    #[test]
    fn the_log_holds_exactly_what_became_different() {
        for (rules, heaviest) in all_rules().flat_map(|r| [(r, 1), (r, 5)]) {
            let truth = truth(rules, 1, heaviest);
            let mut belief = Belief::unknown(19, 18, rules, 1..=heaviest as u8).unwrap();
            assert_eq!(belief.known_count(), 0);
            for k in 0..400 {
                let (x, y) = (splitmix64(k) as u32 % 19, splitmix64(k + 1000) as u32 % 18);
                let n = truth.node(x, y).unwrap();
                let (before, cursor) = (edges(belief.grid()), belief.log().end());
                let (known, count, weight) =
                    (belief.is_known(n), belief.known_count(), belief.grid().weight(n));
                assert!(known || weight == 1, "unknown ground is free and light");
                let changed = belief.reveal(n, truth.weight(n)).unwrap();
                assert_eq!(changed, weight != truth.weight(n));
                assert!(belief.is_known(n));
                assert_eq!(belief.known_count(), count + usize::from(!known));
                let mut replayed = before;
                for c in belief.log().since(cursor) {
                    assert_ne!(c.old, c.new);
                    let old = if c.new.is_finite() {
                        replayed.insert((c.from, c.to), c.new)
                    } else {
                        replayed.remove(&(c.from, c.to))
                    };
                    assert_eq!(old.unwrap_or(Cost::INF), c.old);
                    assert!(!c.is_decrease(), "costs only rise as ground becomes known");
                }
                assert_eq!(replayed, edges(belief.grid()));
            }
        }
    }

    #[test]
    fn seeing_everything_gives_the_truth() {
        for rules in all_rules() {
            let truth = truth(rules, 2, 1);
            let mut belief = Belief::partial(&truth, 1..=1, |x, y| (x + y) % 2 == 0).unwrap();
            assert_eq!(belief.known_count(), 19 * 18 / 2);
            for n in (0..truth.bound()).map(NodeId::from_index) {
                let (x, y) = truth.xy(n);
                if x < 19 && y < 18 {
                    assert_eq!(belief.is_known(n), (x + y) % 2 != 0);
                    assert_eq!(belief.grid().weight(n), if belief.is_known(n) { truth.weight(n) } else { 1 });
                    belief.reveal(n, truth.weight(n)).unwrap();
                }
            }
            assert_eq!(belief.grid().fingerprint(), truth.fingerprint());
            let known = Belief::known(truth.clone());
            assert_eq!((known.known_count(), belief.known_count()), (19 * 18, 19 * 18));
            assert_eq!(known.grid().fingerprint(), truth.fingerprint());
            assert!((0..19).all(|x| known.is_known(truth.node(x, 17).unwrap())));
        }
    }

    /// Two worlds that differ only in unknown cells give identical beliefs, including all costs.
    #[test]
    fn nothing_hidden_leaks() {
        for rules in all_rules() {
            let hidden = |x: u32, y: u32| x > 6 || y > 9;
            let plain = Grid::new(19, 18, rules, |x, _| u8::from(x != 2)).unwrap();
            let rough =
                Grid::new(19, 18, rules, |x, y| if hidden(x, y) { 9 } else { u8::from(x != 2) }).unwrap();
            assert_ne!(plain.unit(), rough.unit());
            let a = Belief::partial(&plain, 1..=9, hidden).unwrap();
            let b = Belief::partial(&rough, 1..=9, hidden).unwrap();
            assert_eq!(a.grid().fingerprint(), b.grid().fingerprint());
            assert_eq!(
                (a.grid().unit(), a.grid().max_edge_cost()),
                (b.grid().unit(), b.grid().max_edge_cost())
            );
            assert_eq!(edges(a.grid()), edges(b.grid()));
        }
    }

    #[test]
    fn what_does_not_fit_is_refused_and_stays_unknown() {
        let mut belief = Belief::unknown(20, 20, Rules::default(), 2..=4).unwrap();
        let n = belief.grid().node(3, 3).unwrap();
        assert_eq!(belief.grid().weight(n), 2);
        assert!(belief.reveal(n, 5).unwrap_err().to_string().contains("outside 2..=4"));
        let padding = NodeId::new(256 + 15);
        assert!(belief.reveal(padding, 2).is_err() && belief.reveal(NodeId::NONE, 2).is_err());
        assert!(!belief.is_known(n) && !belief.is_known(padding));
        assert_eq!((belief.known_count(), belief.log().end()), (0, 0));
        let rough = Grid::new(4, 4, Rules::default(), |x, _| 1 + x as u8).unwrap();
        assert!(Belief::partial(&rough, 1..=3, |_, _| false).is_err());
        assert!(Belief::partial(&rough, 1..=3, |x, _| x == 3).is_ok());
        assert!(Belief::unknown(0, 4, Rules::default(), 1..=1).is_err());
    }
}
