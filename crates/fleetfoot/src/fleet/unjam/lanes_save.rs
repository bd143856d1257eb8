//! Saving lanes.

use crate::fleet::tuning::JamTuning;
use crate::fleet::unjam::lanes::{Direction, Lane, Lanes, MOST_STRIKES};
use crate::fleet::unjam::lists::{all_differ, load_list, save_list};
use crate::graph::Graph;
use crate::grid::Grid;
use crate::save::{SaveError, SaveReader, SaveWriter};

impl Lanes {
    pub(crate) fn save(&self, out: &mut impl SaveWriter) {
        for &tick in &self.gated {
            out.u64(tick);
        }
        out.u32(self.live().count() as u32);
        for lane in self.live() {
            save_list(out, &lane.cells);
            let (kind, end) = match lane.direction {
                Direction::Open => (0, 0),
                Direction::By(end) => (1, end),
                Direction::Closing(end) => (2, end),
            };
            out.u32(kind);
            out.u32(u32::from(end));
            for x in [lane.since, lane.wanted[0], lane.wanted[1], lane.off] {
                out.u64(x);
            }
            out.u32(u32::from(lane.strikes));
        }
    }

    pub(crate) fn load(
        grid: &Grid,
        tuning: JamTuning,
        from: &mut SaveReader<'_>,
        now_on: &[u32],
        units: usize,
        now: u64,
    ) -> Result<Self, SaveError> {
        let late = || SaveError::new("a lane has been used in a tick that is yet to come");
        let mut lanes = Self::blank(grid, tuning);
        lanes.now = now;
        for _ in 0..units {
            let tick = from.u64()?;
            lanes.gated.push(if tick <= now { tick } else { return Err(late()) });
        }
        for _ in 0..from.len(36)? {
            let cells = load_list(from, grid.bound())?;
            if cells.is_empty() || !all_differ(&cells) || cells.iter().any(|&cell| lanes.is_in_lane(cell)) {
                return Err(SaveError::new("its lanes overlap"));
            }
            let (kind, end) = (from.choice(3)?, from.choice(2)? as u8);
            let direction = [Direction::Open, Direction::By(end), Direction::Closing(end)][kind as usize];
            let (since, wanted) = (from.u64()?, [from.u64()?, from.u64()?]);
            if since.max(wanted[0]).max(wanted[1]) > now {
                return Err(late());
            }
            let (off, strikes) = (from.u64()?, from.choice(u32::from(MOST_STRIKES) + 1)? as u8);
            lanes.add(grid, Lane { direction, since, wanted, off, strikes, ..Lane::new(cells) }, now_on);
        }
        Ok(lanes)
    }
}
