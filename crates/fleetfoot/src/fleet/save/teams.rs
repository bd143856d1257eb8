//! What teams know, and the landmarks that they have made of it.

use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::vec::Vec;

use super::scheduler::{read_search, write_search};
use super::{flag, inside, is_inside, write_list};
use crate::belief::Belief;
use crate::corners::{Builder, COUNT, Landmarks, Progress, Row};
use crate::fleet::knowledge::fog::{CHANGES_PER_CELL, Fog};
use crate::fleet::knowledge::team::{TOGETHER, Team};
use crate::fleet::knowledge::upkeep::Upkeep;
use crate::fleet::tuning::FogTuning;
use crate::graph::Graph;
use crate::grid::Grid;
use crate::id::Cost;
use crate::save::{SaveError, SaveReader, SaveWriter};

impl Team {
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        flag(out, self.fog.is_some());
        if let Some(fog) = &self.fog {
            out.u32(fog.radius);
            out.u64(fog.upkeep.end);
            out.u64(fog.upkeep.debt);
            out.u64(fog.paid);
            out.u64(fog.debt);
            out.u32(fog.calm);
            out.u32(fog.late);
            flag(out, fog.keeps);
            fog.seen().iter().for_each(|&word| out.u64(word));
            write_list(out, fog.due.iter().copied());
            out.u32(fog.editions);
            out.u64(fog.begun);
            out.u32(fog.pause);
            flag(out, fog.marks.is_some());
            let tiles = fog.belief.grid().bound() / 256;
            fog.marks.iter().for_each(|marks| write_landmarks(marks, tiles, out));
            flag(out, fog.making.is_some());
            fog.making.iter().for_each(|making| write_builder(making, tiles, out));
        }
        write_list(out, self.opened.iter().copied());
        for x in [self.together, self.next_to_look, self.unchecked, self.next_to_check] {
            out.u32(x);
        }
    }

    pub(crate) fn read<'a>(
        grid: &Grid,
        tuning: FogTuning,
        beliefs: &mut impl Iterator<Item = &'a Belief>,
        from: &mut SaveReader<'_>,
    ) -> Result<Self, SaveError> {
        let mut team = Self::knowing_all();
        if from.choice(2)? == 1 {
            let fits = |belief: &&Belief| {
                let theirs = belief.grid();
                (theirs.width(), theirs.height(), theirs.rules())
                    == (grid.width(), grid.height(), grid.rules())
            };
            let belief = beliefs.next().filter(fits);
            let belief = belief.ok_or_else(|| SaveError::new("what a team knows is of another map"))?.clone();
            let radius = from.u32()?;
            let upkeep = Upkeep { end: from.u64()?, debt: from.count()? };
            let paid = from.count()?.min(CHANGES_PER_CELL - 1);
            let (debt, calm, late) = (from.count()?, from.u32()?, from.u32()?);
            let keeps = from.choice(2)? == 1;
            let words = (grid.width() as usize).div_ceil(64) * grid.height() as usize;
            let mut seen = Vec::new();
            for _ in 0..words {
                seen.push(from.u64()?);
            }
            let mut due = VecDeque::new();
            for _ in 0..from.len(4)? {
                due.push_back(inside(grid, from)?);
            }
            let mut fog = Fog::restore(belief, radius, seen, due, keeps, tuning);
            (fog.upkeep, fog.paid, fog.debt) = (upkeep, paid, debt);
            (fog.calm, fog.late) = (calm, late);
            (fog.editions, fog.begun, fog.pause) = (from.u32()?, from.u64()?, from.u32()?);
            if from.choice(2)? == 1 {
                fog.marks = Some(Box::new(read_landmarks(grid, from)?));
            }
            if from.choice(2)? == 1 {
                fog.making = Some(Box::new(read_builder(grid, from)?));
            }
            team.fog = Some(Box::new(fog));
        }
        for _ in 0..from.len(4)? {
            team.opened.push_back(inside(grid, from)?);
        }
        (team.together, team.next_to_look) = (from.choice(TOGETHER as u32 + 1)?, from.u32()?);
        (team.unchecked, team.next_to_check) = (from.u32()?, from.u32()?);
        Ok(team)
    }
}

pub(crate) fn read_row(from: &mut SaveReader<'_>) -> Result<Row, SaveError> {
    let mut row = [Cost::INF; COUNT];
    for cost in &mut row {
        *cost = from.cost()?;
    }
    Ok(row)
}

/// Writes landmarks of a grid with this many tiles. Tiles that are not listed yet are written as empty.
fn write_landmarks(landmarks: &Landmarks, tiles: usize, out: &mut Vec<u8>) {
    out.u32(landmarks.edition);
    for tile in 0..tiles {
        let mut corners = [0; 4];
        for n in landmarks.listed.nodes(tile) {
            corners[n.index() / 64 % 4] |= 1 << (n.index() % 64);
        }
        flag(out, corners != [0; 4]);
        if corners != [0; 4] {
            for &word in &corners {
                out.u64(word);
            }
            let row = |n| landmarks.row(n).copied().unwrap_or([Cost::INF; COUNT]);
            landmarks.listed.nodes(tile).flat_map(row).for_each(|cost| out.cost(cost));
        }
    }
}

fn read_landmarks(grid: &Grid, from: &mut SaveReader<'_>) -> Result<Landmarks, SaveError> {
    let wrong = || SaveError::new("its landmark table does not match the map");
    let mut landmarks = Landmarks::empty(from.u32()?);
    for tile in 0..grid.bound() / 256 {
        let is_listed = from.choice(2)? == 1;
        let corners = if is_listed { [from.u64()?, from.u64()?, from.u64()?, from.u64()?] } else { [0; 4] };
        landmarks.listed.add_tile(corners);
        if is_listed == (corners == [0; 4]) || !landmarks.listed.nodes(tile).all(|n| is_inside(grid, n)) {
            return Err(wrong());
        }
        while landmarks.rows.len() < landmarks.listed.len() {
            landmarks.rows.push(read_row(from)?);
        }
    }
    Ok(landmarks)
}

fn write_builder(builder: &Builder, tiles: usize, out: &mut Vec<u8>) {
    write_landmarks(&builder.landmarks, tiles, out);
    out.u32(builder.landmarks.listed.tiles() as u32);
    out.u32(builder.searches);
    out.node(builder.from);
    let Progress { tiles, reached, farthest, distance } = builder.progress;
    out.u32(tiles);
    out.u32(reached);
    out.node(farthest);
    out.cost(distance);
    out.node(builder.root);
    out.u32(builder.search.debt);
    if builder.root.is_some() {
        write_search(&builder.search, out);
    }
}

fn read_builder(grid: &Grid, from: &mut SaveReader<'_>) -> Result<Builder, SaveError> {
    let wrong = || SaveError::new("its landmark table does not match the map");
    let mut landmarks = read_landmarks(grid, from)?;
    let tiles = landmarks.listed.tiles() as u32;
    let (listed, searches) = (from.choice(tiles + 1)?, from.choice(COUNT as u32 + 1)?);
    if !landmarks.listed.truncate(listed as usize) {
        return Err(wrong());
    }
    let mut builder = Builder::new(grid, 0, inside(grid, from)?);
    (builder.landmarks, builder.searches) = (landmarks, searches);
    let (tiles_noted, reached) = (from.choice(tiles + 1)?, from.choice(u32::MAX)?);
    let (farthest, distance) = (from.node_or_none(&grid.limits())?, from.cost()?);
    if farthest.is_some() && !is_inside(grid, farthest) {
        return Err(wrong());
    }
    builder.progress = Progress { tiles: tiles_noted, reached, farthest, distance };
    (builder.root, builder.search.debt) = (from.node_or_none(&grid.limits())?, from.choice(1 << 24)?);
    if builder.root.is_some() {
        read_search(&mut builder.search, grid, from)?;
        if builder.search.goal.is_some() || listed < tiles {
            return Err(wrong());
        }
    }
    Ok(builder)
}
