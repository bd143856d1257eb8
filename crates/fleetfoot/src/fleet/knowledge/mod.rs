//! What teams know: the map as they believe it, lines of sight, landmarks, and the upkeep of indices.

pub(crate) mod fog;
pub(crate) mod nearest;
pub(crate) mod team;
pub(crate) mod upkeep;

use alloc::vec::Vec;

use crate::corners::{CellSearch, Corners, Limit, Stage, Terrain, cell};
use crate::fleet::knowledge::fog::Fog;
use crate::fleet::knowledge::team::Team;
use crate::fleet::knowledge::upkeep::Upkeep;
use crate::fleet::line_of_sight::SightLines;
use crate::fleet::tuning::FogTuning;
use crate::fleet::types::{FleetError, Vision};
use crate::graph::Graph;
use crate::grid::{Grid, GridError, Reachability};
use crate::id::NodeId;
use crate::map::Map;
use crate::meter::Meter;
use crate::search::SearchTools;

/// The map as it is, and as each team believes it.
#[derive(Clone, Debug)]
pub(crate) struct Knowledge {
    pub(crate) map: Map,
    pub(crate) sight: SightLines,
    pub(crate) teams: Vec<Team>,
    pub(crate) upkeep: Upkeep,
    /// The fingerprint of the map when units in the fog last looked around.
    pub(crate) looked: Option<u64>,
    /// The tick before which cells were last blocked or freed.
    pub(crate) edited: u64,
    pub(crate) tuning: FogTuning,
}

/// What one team knows.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub(crate) map: &'a Map,
    pub(crate) sight: &'a SightLines,
    /// `None` if the team knows the whole map.
    fog: Option<&'a Fog>,
}

impl View<'_> {
    /// Returns `true` if the team knows that no path leads from one cell to the other.
    pub(crate) fn is_unreachable(&self, from: NodeId, to: NodeId) -> bool {
        self.map.reachability(from, to) == Reachability::Unreachable
    }

    /// Begins a search; `goal` is none if it is to reach everything.
    pub(crate) fn begin(
        &self,
        search: &mut CellSearch,
        from: NodeId,
        goal: NodeId,
        tools: &mut SearchTools<'_>,
    ) {
        search.begin(self.map.ground(), (from, goal), self.map.log().end(), tools);
    }

    /// Continues a search.
    pub(crate) fn advance(
        &self,
        search: &mut CellSearch,
        limit: Limit,
        tools: &mut SearchTools<'_>,
    ) -> Stage {
        let (grid, log) = (self.map.grid(), self.map.log().end());
        let Some(corners) = grid.corners() else {
            return search.advance_over_cells(grid, log, limit, tools);
        };
        let landmarks = match self.fog {
            Some(fog) => fog.landmarks(),
            None => corners.landmarks(),
        };
        search.advance(&Terrain { grid, corners, landmarks, sight: Some(self.sight), log }, limit, tools)
    }

    /// Returns `true` if a path may lead from one cell to the other.
    pub(crate) fn may_reach(&self, from: NodeId, to: NodeId) -> bool {
        self.map.reachability(from, to) == Reachability::Maybe
    }
}

/// How an edit has changed a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Edit {
    /// Its weight is what it was.
    Nothing,
    /// Its weight is another, but it was and is free.
    Weight,
    /// It was blocked and is free.
    Freed,
    /// It was free and is blocked.
    Blocked,
}

/// Returns the first team that knows what this one knows.
pub(crate) fn same_as(teams: &[Team], team: u16) -> u16 {
    let knows_all = |team: &Team| team.fog.is_none();
    let first = teams.iter().position(knows_all).filter(|_| knows_all(&teams[team as usize]));
    first.map_or(team, |first| first as u16)
}

impl Knowledge {
    /// Returns the knowledge of one team that knows the whole map.
    pub(crate) fn new(mut map: Map, tuning: FogTuning) -> Self {
        map.change_corners(Corners::widen);
        let grid = map.grid();
        Self {
            sight: SightLines::new(grid),
            teams: Vec::from([Team::knowing_all()]),
            upkeep: Upkeep::new(),
            looked: None,
            edited: 0,
            tuning,
            map,
        }
    }

    /// Adds a team, and returns its number.
    pub(crate) fn add_team(&mut self, vision: Vision) -> Result<u16, FleetError> {
        let number = u16::try_from(self.teams.len()).map_err(|_| FleetError::TooManyTeams)?;
        self.teams.push(Team::new(&self.map, vision, self.tuning).map_err(FleetError::Map)?);
        Ok(number)
    }

    /// Returns the grid as it is.
    pub(crate) fn grid(&self) -> &Grid {
        self.map.grid()
    }

    /// Returns what a team knows.
    #[inline]
    pub(crate) fn view(&self, team: u16) -> View<'_> {
        let team = &self.teams[team as usize];
        View { map: team.map(&self.map), sight: team.sight(&self.sight), fog: team.fog.as_deref() }
    }

    /// Returns the lines of sight as a team knows them.
    #[inline]
    pub(crate) fn sight(&self, team: u16) -> &SightLines {
        self.teams[team as usize].sight(&self.sight)
    }

    /// Returns the map as a team knows it.
    #[inline]
    pub(crate) fn map_of(&self, team: u16) -> &Map {
        self.teams[team as usize].map(&self.map)
    }

    /// Returns `true` if a team knows the whole map.
    #[inline]
    pub(crate) fn knows_all(&self, team: u16) -> bool {
        self.teams[team as usize].fog.is_none()
    }

    /// Returns the first team that knows what this one knows: teams that know the whole map know the same.
    pub(crate) fn same_as(&self, team: u16) -> u16 {
        same_as(&self.teams, team)
    }

    /// Returns `true` if every team knows the whole map.
    pub(crate) fn is_without_fog(&self) -> bool {
        self.teams.iter().all(|team| team.fog.is_none())
    }

    /// Returns the lines of sight of all teams if no team is in the fog.
    pub(crate) fn common_sight(&self) -> Option<&SightLines> {
        self.is_without_fog().then_some(&self.sight)
    }

    /// Returns `true` if a team has seen a cell.
    pub(crate) fn has_seen(&self, team: usize, at: NodeId) -> bool {
        let fog = self.teams.get(team).map(|team| team.fog.as_ref());
        at.index() < self.grid().bound() && fog.is_some_and(|fog| fog.is_none_or(|fog| fog.has_seen(at)))
    }

    /// Gives a cell another weight. Teams that know the whole map take note of it.
    pub(crate) fn set(&mut self, at: NodeId, weight: u8, now: u64) -> Result<Edit, GridError> {
        let (was_free, is_free) = (self.map.is_free(at), weight > 0);
        if !self.map.set(at, weight)? {
            return Ok(Edit::Nothing);
        }
        if was_free != is_free {
            self.sight.edit(cell(self.map.grid(), at), is_free);
            self.edited = now;
        }
        // Another weight may make routes shorter, as a cell that is freed does.
        let may_shorten = is_free || was_free == is_free;
        for team in self.teams.iter_mut().filter(|team| team.fog.is_none()) {
            team.changed(at, may_shorten);
        }
        Ok(match (was_free, is_free) {
            (true, false) => Edit::Blocked,
            (false, true) => Edit::Freed,
            _ => Edit::Weight,
        })
    }

    /// Lets units of teams in the fog look around: their team, their cell, and the cell from which they looked last. A unit looks only if
    /// it has moved or the map has changed since.
    pub(crate) fn look<'a>(&mut self, units: impl Iterator<Item = (u16, NodeId, &'a mut NodeId)>) {
        if self.is_without_fog() {
            return;
        }
        // The change log contains moves only, and a cell among walls has none.
        let now = Some(self.map.grid().fingerprint());
        let has_changed = core::mem::replace(&mut self.looked, now) != now;
        for (team, at, last) in units {
            if let Some(fog) = &mut self.teams[team as usize].fog
                && (core::mem::replace(last, at) != at || has_changed)
            {
                fog.look(self.map.grid(), &self.sight, at);
            }
        }
    }

    /// Lets teams take over what was seen. `waiting` units wait for long searches.
    pub(crate) fn learn(&mut self, waiting: usize, meter: &mut Meter) {
        let truth = self.map.grid();
        for team in &mut self.teams {
            let Some(mut fog) = team.fog.take() else { continue };
            fog.learn(truth, waiting as u64 >= self.tuning.many_wait, meter, |n, is_free| {
                team.changed(n, is_free);
            });
            team.fog = Some(fog);
        }
    }

    /// Brings the indices of the map and of what teams believe up to date. `in_haste` is the divisor of the budget of a team that sees much
    /// that is new.
    pub(crate) fn repair(&mut self, in_haste: u64, meter: &mut Meter) {
        self.upkeep.go_on(&mut self.map, meter);
        for fog in self.teams.iter_mut().filter_map(|team| team.fog.as_mut()) {
            // As long as much is new, little of what is found out will last.
            let part = if fog.keeps { 1 } else { in_haste };
            meter.with_fraction(1, part, |meter| fog.upkeep.go_on(fog.belief.map_mut(), meter));
        }
    }

    /// Prepares the landmarks of the map if a team knows all of it.
    pub(crate) fn prepare_landmarks(&mut self, tools: &mut SearchTools<'_>) {
        if self.teams.iter().any(|team| team.fog.is_none()) && self.map.are_corners_stored() {
            self.map.prepare_landmarks(tools);
        }
    }

    /// Lets teams in the fog make landmarks of what they believe. `waiting` are the team and cell of each unit that waits for a search.
    pub(crate) fn make_landmarks(
        &mut self,
        waiting: impl Iterator<Item = (u16, NodeId)>,
        now: u64,
        tools: &mut SearchTools<'_>,
    ) {
        self.teams.iter_mut().for_each(|team| team.waiting = 0);
        for (team, at) in waiting {
            let team = &mut self.teams[team as usize];
            if team.waiting == 0 {
                team.around = at;
            }
            team.waiting += 1;
        }
        let many_wait = self.tuning.many_wait;
        // Another team comes first in every tick.
        let (first, all) = (now as usize % self.teams.len(), self.teams.len());
        for team in (first..all).chain(0..first) {
            let Team { fog, waiting, around, .. } = &mut self.teams[team];
            if let Some(fog) = fog.as_mut().filter(|_| u64::from(*waiting) >= many_wait) {
                fog.make_landmarks(*around, tools);
            }
        }
    }

    /// Returns the bytes held for the map, its indices, and what teams believe.
    pub(crate) fn memory_bytes(&self) -> usize {
        let teams = self.teams.iter().map(Team::memory_bytes).sum::<usize>();
        self.map.memory_bytes() + self.sight.memory_bytes() + teams
    }
}
