//! The gates of lanes: moves that enter a lane against its direction are taken away.

use crate::fleet::cell_set::NONE;
use crate::fleet::resolver::candidates::Candidates;
use crate::fleet::resolver::neighbors::{Neighbors, OWN};
use crate::fleet::unjam::lanes::{Direction, Lanes};
use crate::graph::Graph;
use crate::grid::Grid;
use crate::id::NodeId;

impl Lanes {
    /// Removes the moves that enter a lane against its direction, or its mouth while others come out of it. A unit in the mouth steps aside.
    pub(crate) fn gate(
        &mut self,
        unit: u32,
        near: &Neighbors,
        ranked: &mut Candidates,
        grid: &Grid,
        mut value_of: impl FnMut(u32) -> u32,
    ) {
        let at = near.at();
        let here = self.lane_of[at as usize];
        let (mut k, mut first) = (0, true);
        while let Some((place, value)) = ranked.get(k) {
            let to = near.cells[place].raw();
            let is_best = core::mem::replace(&mut first, false);
            let closed = if to == at {
                false
            } else if self.mouths[to as usize] {
                self.tuning.clears_mouths && self.is_kept_clear(here, to, value, grid, &mut value_of)
            } else {
                let lane = self.lane_of[to as usize];
                lane != NONE && lane != here && self.is_against(lane, to, is_best)
            };
            if closed {
                ranked.remove(place);
                if is_best {
                    self.gated[unit as usize] = self.now + 1;
                }
                if is_best && self.tuning.clears_mouths && self.mouths[at as usize] {
                    ranked.put_last(OWN);
                }
            } else {
                k += 1;
            }
        }
    }

    /// Returns `true` if entering a lane by this end is against its direction. The first choice of a unit may set the direction.
    fn is_against(&mut self, number: u32, to: u32, is_best: bool) -> bool {
        let lane = &mut self.all[number as usize];
        let end = lane.end(to);
        if is_best {
            lane.wanted[end as usize] = self.now;
            if lane.direction == Direction::Open && lane.off <= self.now {
                (lane.direction, lane.since) = (Direction::By(end), self.now);
                self.directed.push(number);
            }
        }
        lane.direction != Direction::By(end) && lane.direction != Direction::Open
    }

    /// Returns `true` if this mouth leads a unit outside of a lane into one that others leave there.
    fn is_kept_clear(
        &mut self,
        here: u32,
        mouth: u32,
        value: u32,
        grid: &Grid,
        value_of: &mut impl FnMut(u32) -> u32,
    ) -> bool {
        for edge in grid.succs(NodeId::new(mouth)) {
            let cell = edge.to.raw();
            let number = self.lane_of[cell as usize];
            if number == NONE || number == here {
                continue;
            }
            let lane = &mut self.all[number as usize];
            let end = lane.end(cell);
            let comes_out =
                lane.direction == Direction::By(1 - end) || lane.direction == Direction::Closing(1 - end);
            if comes_out && value_of(cell) < value {
                lane.wanted[end as usize] = self.now;
                return true;
            }
        }
        false
    }
}
