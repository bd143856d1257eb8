//! Headings of units as of one tick: all that most units rank their moves by, in half a cache line each.

use crate::corners::Cell;
use crate::fleet::guide::neighbor_costs::place;
use crate::fleet::resolver::costs::NeighborCosts;
use crate::grid::Grid;
use crate::id::Cost;

/// By place among the cells around one: its columns and rows away; the cell itself comes last.
pub(crate) const AROUND: [Cell; 9] =
    [(1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1), (0, 0)];

/// The place of a unit whose next cell is not plain: no place is the 31st.
const NOWHERE: u8 = 31;

/// The unit has nowhere to go.
const IDLE: u8 = 1;
/// The heading alone determines what cells cost the unit.
const PLAIN: u8 = 1 << 1;
/// The unit has no route yet, and walks towards its goal without regard to the ground.
const BLIND: u8 = 1 << 2;
/// From the unit's next cell, the diagonal moves to the point that it walks to come first, if there are any. Then that point stays in sight
/// along the plainest moves, as long as the map is the same.
const LEADS_ON: u8 = 1 << 3;
/// The unit's next cell was asked for.
const ASKED: u8 = 1 << 4;

/// The unit is at its goal.
const HOME: u8 = 1 << 5;

/// The heading of a unit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Heading {
    /// The unit's cell, and the point that it walks to.
    pub(crate) at: Cell,
    pub(crate) to: Cell,
    /// The cost to go from its cell, over open ground to that point.
    pub(crate) here: Cost,
    /// The tick of this heading, plus one.
    pub(crate) stamp: u32,
    /// A bit for each place whose line of sight to the point was checked, and for each from which the point is visible.
    looked: u16,
    sees: u16,
    /// The next place, if that is plain.
    place: u8,
    flags: u8,
}

const _: () = assert!(size_of::<Heading>() == 32, "two in a line of the cache");

impl Heading {
    /// The heading of a unit that has nowhere to go.
    pub(crate) const IDLE: Self = Self {
        at: (0, 0),
        to: (0, 0),
        here: Cost::ZERO,
        stamp: 0,
        looked: 0,
        sees: 0,
        place: NOWHERE,
        flags: IDLE,
    };

    /// Returns the heading of a unit whose cost of a cell is that of the path over this point. Not so if it is not `is_plain`.
    #[inline]
    pub(crate) fn new(
        at: Cell,
        to: Cell,
        here: Cost,
        stamp: u64,
        (is_plain, is_blind): (bool, bool),
    ) -> Self {
        let flags = if is_plain { PLAIN } else { 0 } | if is_blind { BLIND } else { 0 };
        Self { at, to, here, stamp: stamp as u32, flags, ..Self::IDLE }
    }

    /// Returns the heading of a unit that has nowhere to go. `is_home`: it is at its goal.
    #[inline]
    pub(crate) fn idle(is_home: bool) -> Self {
        Self { flags: IDLE | if is_home { HOME } else { 0 }, ..Self::IDLE }
    }

    /// Notes that the unit is at its goal.
    #[inline]
    pub(crate) fn set_home(&mut self) {
        self.flags |= HOME;
    }

    #[inline]
    pub(crate) fn is_home(&self) -> bool {
        self.flags & HOME != 0
    }

    #[inline]
    pub(crate) fn is_idle(&self) -> bool {
        self.flags & IDLE != 0
    }

    #[inline]
    pub(crate) fn is_plain(&self) -> bool {
        self.flags & PLAIN != 0
    }

    #[inline]
    pub(crate) fn is_blind(&self) -> bool {
        self.flags & BLIND != 0
    }

    /// Sets the unit's next place.
    #[inline]
    pub(crate) fn goes(&mut self, place: usize, leads_on: bool) {
        self.place = place as u8;
        self.flags |= if leads_on { LEADS_ON } else { 0 };
    }

    /// Returns the next cell, if it is plain.
    #[inline]
    fn next(&self) -> Option<Cell> {
        let (dx, dy) = *AROUND.get(self.place as usize)?;
        Some((self.at.0 + dx, self.at.1 + dy))
    }

    /// Returns `true` if a unit with this heading continues over the ground that it saw in the last tick: the point is in sight after the
    /// plainest move.
    #[inline]
    pub(crate) fn goes_on(&self, before: &Self) -> bool {
        before.flags & LEADS_ON != 0
            && before.stamp.wrapping_add(1) == self.stamp
            && before.to == self.to
            && before.is_blind() == self.is_blind()
            && before.next() == Some(self.at)
    }

    /// Returns the next place, if it is plain and one of these.
    #[inline]
    pub(crate) fn ask(&mut self, which: u32) -> Option<usize> {
        let is_asked = which >> self.place & 1 == 1;
        self.flags |= if is_asked { ASKED } else { 0 };
        is_asked.then_some(self.place as usize)
    }

    /// Notes whether the point is in sight from a place.
    #[inline]
    pub(crate) fn look(&mut self, place: usize, sees: bool) {
        self.looked |= 1 << place;
        self.sees |= u16::from(sees) << place;
    }

    /// Returns `true` if the point is known to be in sight from a cell around the unit's last one, or need not be.
    pub(crate) fn is_seen_from(&self, at: Cell) -> bool {
        if self.flags & ASKED != 0 && self.next() == Some(at) {
            return true;
        }
        let place = place((at.0 - self.at.0, at.1 - self.at.1));
        self.is_plain() && place.is_some_and(|place| self.is_blind() || self.sees >> place & 1 == 1)
    }
}

/// By the direction of the point that a unit walks to: the costs of the cells around it, less the cost of its own.
#[derive(Clone, Debug)]
pub(crate) struct HeadingCosts {
    all: [Differences; 45],
    /// The extra cost of a cell from which the point is not visible: one straight move. With less, units lose sight of their routes; with more,
    /// they shuffle along walls.
    pub(crate) unseen: Cost,
}

#[derive(Clone, Copy, Debug)]
struct Differences {
    /// By place: the difference (wrapping) over open ground,
    over: [u32; 9],
    /// and with the extra cost of places that lie farther away. Their lines of sight are not checked, since only pushed units go there.
    seeing: [u32; 9],
    /// A bit for each that lies farther away.
    far: u32,
}

impl HeadingCosts {
    pub(crate) fn new(grid: &Grid) -> Self {
        let unseen = grid.unit();
        let mut all = [Differences { over: [0; 9], seeing: [0; 9], far: 0 }; 45];
        // All directions occur this near, since only the side of the diagonal matters.
        for (dx, dy) in (-5..=5).flat_map(|dx| (-5..=5).map(move |dy| (dx, dy))) {
            let differences = &mut all[Self::index((dx, dy))];
            let here = grid.over_open_ground(dx, dy);
            for (k, (x, y)) in AROUND.into_iter().enumerate() {
                let over = grid.over_open_ground(dx - x, dy - y);
                let is_far = over > here;
                differences.over[k] = over.raw().wrapping_sub(here.raw());
                differences.seeing[k] = differences.over[k].wrapping_add(if is_far { unseen } else { 0 });
                differences.far |= u32::from(is_far) << k;
            }
        }
        Self { all, unseen: Cost::new(unseen) }
    }

    /// Returns the index for a point in this direction. Over open ground, a move changes the cost to go by an amount that depends on the
    /// direction of the point, and on the side of the diagonal, as far as a move may cross it.
    #[inline]
    fn index((dx, dy): Cell) -> usize {
        let side = (dx.abs() - dy.abs()).clamp(-2, 2) + 2;
        (15 * (dx.signum() + 1) + 5 * (dy.signum() + 1) + side).cast_unsigned() as usize
    }

    #[inline]
    fn of(&self, heading: &Heading) -> &Differences {
        &self.all[Self::index((heading.to.0 - heading.at.0, heading.to.1 - heading.at.1))]
    }

    /// Returns the cost to go over open ground from one of the places around a unit.
    #[inline]
    pub(crate) fn over(&self, heading: &Heading, place: usize) -> Cost {
        Cost::new(heading.here.raw().wrapping_add(self.of(heading).over[place]))
    }

    /// Writes the costs of the places around a unit with a plain heading.
    #[inline]
    pub(crate) fn bounds(&self, heading: &Heading, out: &mut NeighborCosts) {
        let differences = self.of(heading);
        let more = if heading.is_blind() { &differences.over } else { &differences.seeing };
        out.lower = more.map(|more| Cost::new(heading.here.raw().wrapping_add(more)));
        let mut unseen = u32::from(heading.looked & !heading.sees) & !differences.far;
        while unseen != 0 {
            out.lower[unseen.trailing_zeros() as usize] += self.unseen;
            unseen &= unseen - 1;
        }
        out.exact = if heading.is_blind() { u32::MAX } else { differences.far | u32::from(heading.looked) };
    }

    /// Returns a lower and an upper bound of the cost of one of those places.
    #[inline]
    pub(crate) fn range(&self, heading: &Heading, place: usize) -> (Cost, Cost) {
        let differences = self.of(heading);
        let over = Cost::new(heading.here.raw().wrapping_add(differences.over[place]));
        let is_in = |mask: u32| mask >> place & 1 == 1;
        let most = over + self.unseen;
        if heading.is_blind() {
            (over, over)
        } else if is_in(differences.far) || is_in(u32::from(heading.looked & !heading.sees)) {
            (most, most)
        } else if is_in(u32::from(heading.looked)) {
            (over, over)
        } else {
            (over, most)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Diagonal, Neighborhood, Rules};

    /// Headings in all directions, near and far: the cost of a cell is that over open ground, with the extra cost where the point is known
    /// to be invisible, or may be.
    #[test]
    fn headings_bound_the_costs_of_the_cells_around() {
        let eight = Rules::default();
        let all = [
            eight,
            Rules { diagonal: Diagonal::D15, ..eight },
            Rules { neighborhood: Neighborhood::Four, ..eight },
        ];
        for rules in all {
            let grid = Grid::new(20, 20, rules, |_, _| 1).unwrap();
            let heading_costs = HeadingCosts::new(&grid);
            let far = [-900, -31, -7, -3, -2, -1, 0, 1, 2, 3, 6, 40, 901];
            for (dx, dy) in far.into_iter().flat_map(|dx| far.map(|dy| (dx, dy))) {
                let (at, to, rest) = ((1000, 1000), (1000 + dx, 1000 + dy), Cost::new(77));
                let here = grid.over_open_ground(dx, dy) + rest;
                for is_blind in [false, true] {
                    let mut heading = Heading::new(at, to, here, 1, (true, is_blind));
                    heading.look(3, true);
                    heading.look(6, false);
                    let mut costs = NeighborCosts::NONE;
                    heading_costs.bounds(&heading, &mut costs);
                    for (k, (x, y)) in AROUND.into_iter().enumerate() {
                        let over = grid.over_open_ground(dx - x, dy - y) + rest;
                        assert_eq!(heading_costs.over(&heading, k), over);
                        let (least, most) = match k {
                            _ if is_blind => (over, over),
                            _ if over > here => (over + heading_costs.unseen, over + heading_costs.unseen),
                            3 => (over, over),
                            6 => (over + heading_costs.unseen, over + heading_costs.unseen),
                            _ => (over, over + heading_costs.unseen),
                        };
                        assert_eq!(heading_costs.range(&heading, k), (least, most), "{dx}, {dy}, place {k}");
                        // A unit that is blind looks nowhere.
                        if !is_blind {
                            assert_eq!((costs.lower[k], costs.is_exact(k)), (least, least == most));
                        }
                    }
                }
            }
        }
    }
}
