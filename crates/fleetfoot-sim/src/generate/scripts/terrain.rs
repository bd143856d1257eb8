//! Ground that becomes heavy in places, and light again: rain, mud, fire.

use super::{Chance, Recorder, check_range};
use crate::error::InputError;
use crate::formats::script::{ChangeKind, Script};
use crate::generate::SeededRng;
use crate::map::GridMap;
use crate::sensor::within;
use crate::world::Terrain;

/// A world of patches.
///
/// From time to time a round patch of ground becomes heavier, step by step up to a peak, and then lighter again until
/// it is as before. In overlaps the heavier patch counts. No cell ever closes, or becomes lighter than on the map. In
/// the last tick all weights are those of the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patches {
    /// The last tick.
    pub ticks: u64,
    /// Probability that a patch begins, per tick.
    pub begin: Chance,
    /// Maximum radius of a patch, by octile distance; the minimum is 1.
    pub radius: u32,
    /// Maximum additional weight at a patch's peak; the minimum is 1. No weight exceeds 255.
    pub heavier: u32,
    /// Maximum duration of a patch in ticks; the minimum is half of it.
    pub lasts: u32,
}

struct Patch {
    centre: (u32, u32),
    radius: u32,
    peak: u32,
    begin: u64,
    lasts: u64,
    /// Its current additional weight.
    level: u32,
}

impl Patch {
    /// Returns the additional weight in a tick: a linear rise to the peak, and a linear fall.
    fn level_at(&self, tick: u64) -> u32 {
        let age = tick - self.begin;
        if age >= self.lasts {
            return 0;
        }
        let to_end = (age + 1).min(self.lasts - age);
        (u64::from(self.peak) * to_end).div_ceil(self.lasts.div_ceil(2)) as u32
    }

    fn covers(&self, (x, y): (u32, u32)) -> bool {
        let difference = |a: u32, b: u32| a.cast_signed() - b.cast_signed();
        within(difference(x, self.centre.0), difference(y, self.centre.1), self.radius.cast_signed())
    }

    /// Returns the free cells that it covers, row by row.
    fn cells<'a>(&'a self, map: &'a GridMap) -> impl Iterator<Item = (u32, u32)> + 'a {
        let side = |c: u32, all: u32| c.saturating_sub(self.radius)..(c + self.radius + 1).min(all);
        let (columns, rows) = (side(self.centre.0, map.width()), side(self.centre.1, map.height()));
        let square = rows.flat_map(move |y| columns.clone().map(move |x| (x, y)));
        square.filter(|cell| map.passable(cell.0, cell.1) && self.covers(*cell))
    }
}

impl Patches {
    /// Records the world. `terrain` has the weights of the map's letters, which must be the same when the script is
    /// used.
    ///
    /// # Errors
    /// If a parameter is out of its range, the map has no free cell, or there are too many changes to record.
    pub fn script(&self, map: &GridMap, terrain: &Terrain, seed: u64) -> Result<Script, InputError> {
        check_range("the radius", self.radius, 1, 1_000)?;
        check_range("the weight that is added", self.heavier, 1, 254)?;
        check_range("the time that a patch lasts", self.lasts, 1, 1_000_000)?;
        let mut recorder = Recorder::new(map, self.ticks)?;
        let free: Vec<u32> =
            (0..).zip(map.cells()).filter(|(_, l)| terrain.weight(**l) > 0).map(|(k, _)| k).collect();
        if free.is_empty() {
            return Err(InputError::new("the map has no free cell", "use another map"));
        }
        let mut dice = SeededRng::new(seed);
        let (mut patches, mut added) = (Vec::new(), vec![0; map.cells().len()]);
        for tick in 1..=self.ticks {
            if tick < self.ticks && dice.happens(self.begin) {
                patches.push(self.patch(tick, map, &free, &mut dice));
            }
            let mut changed = Vec::new();
            for (k, patch) in patches.iter_mut().enumerate() {
                let level = if tick < self.ticks { patch.level_at(tick) } else { 0 };
                changed.extend((level != patch.level).then_some(k));
                patch.level = level;
            }
            for cell in changed.iter().flat_map(|k| patches[*k].cells(map)) {
                let covering = patches.iter().filter(|patch| patch.covers(cell));
                let most = covering.map(|patch| patch.level).max().unwrap_or(0);
                let base = u32::from(terrain.weight(map.letter(cell.0, cell.1)));
                let (old, new) = (&mut added[map.index(cell.0, cell.1)], most.min(255 - base));
                if *old != new {
                    *old = new;
                    recorder.add(tick, cell, ChangeKind::Weight((base + new) as u8))?;
                }
            }
            patches.retain(|patch| patch.begin + patch.lasts > tick);
        }
        Ok(recorder.script)
    }

    fn patch(&self, tick: u64, map: &GridMap, free: &[u32], dice: &mut SeededRng) -> Patch {
        let cell = free[dice.below(free.len() as u32) as usize];
        Patch {
            centre: (cell % map.width(), cell / map.width()),
            radius: dice.between(1, self.radius),
            peak: dice.between(1, self.heavier),
            begin: tick,
            lasts: u64::from(dice.between(self.lasts.div_ceil(2), self.lasts)),
            level: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::cave;

    const PATCHES: Patches =
        Patches { ticks: 3_000, begin: Chance::millionths(30_000), radius: 6, heavier: 9, lasts: 200 };

    #[test]
    fn weights_rise_and_fall_and_are_restored() {
        let map = cave::generate(80, 64, 1).unwrap().map;
        let terrain: Terrain = "G=3,S=250".parse().unwrap();
        let script = PATCHES.script(&map, &terrain, 1).unwrap();
        script.validate().unwrap();
        let base = |x: u32, y: u32| terrain.weight(map.letter(x, y));
        let mut weights: std::collections::HashMap<_, u8> = std::collections::HashMap::new();
        let (mut rises, mut falls) = (0, 0);
        for change in &script.changes {
            let ChangeKind::Weight(new) = change.what else { panic!("only weights change") };
            let cell = (change.x, change.y);
            let old = weights.insert(cell, new).unwrap_or(base(cell.0, cell.1));
            assert!(old > 0 && new >= base(cell.0, cell.1) && new - base(cell.0, cell.1) <= 9);
            assert_ne!(old, new, "every line changes something");
            (rises, falls) = (rises + u32::from(new > old), falls + u32::from(new < old));
            assert!((1..=3_000).contains(&change.tick));
        }
        assert!(rises > 1_000 && falls > 1_000, "{rises} {falls}");
        assert!(weights.iter().all(|((x, y), weight)| *weight == base(*x, *y)), "all is as it was");
        for changes in script.changes.chunk_by(|a, b| a.tick == b.tick) {
            let mut cells: Vec<_> = changes.iter().map(|change| (change.x, change.y)).collect();
            cells.sort_unstable();
            assert!(cells.windows(2).all(|two| two[0] != two[1]), "a cell changes once a tick");
        }
        assert_eq!(script, PATCHES.script(&map, &terrain, 1).unwrap());
        assert_ne!(script, PATCHES.script(&map, &terrain, 2).unwrap());
    }

    #[test]
    fn a_patch_rises_to_its_peak_and_falls() {
        for (peak, lasts) in [(1, 1), (5, 1), (5, 2), (5, 7), (3, 40), (254, 41)] {
            let patch = Patch { centre: (0, 0), radius: 1, peak, begin: 10, lasts, level: 0 };
            let levels: Vec<u32> = (10..10 + lasts).map(|tick| patch.level_at(tick)).collect();
            assert_eq!(levels.iter().max(), Some(&peak));
            assert!(levels.iter().all(|level| *level >= 1));
            assert!(levels.iter().eq(levels.iter().rev()), "as it rises it falls: {levels:?}");
            assert!(levels[..levels.len().div_ceil(2)].is_sorted());
            assert_eq!(patch.level_at(10 + lasts), 0);
        }
    }

    #[test]
    fn refuses() {
        let map = GridMap::from_rows(&[".."]).unwrap();
        let plain = Terrain::default();
        let refusal = |patches: Patches| patches.script(&map, &plain, 1).unwrap_err().to_string();
        assert!(
            refusal(Patches { radius: 0, ..PATCHES }).starts_with("the radius is 0; use a number from 1 to")
        );
        assert!(
            refusal(Patches { heavier: 255, ..PATCHES }).starts_with("the weight that is added is 255; use")
        );
        assert!(refusal(Patches { lasts: 0, ..PATCHES }).starts_with("the time that a patch lasts is 0"));
        assert!(refusal(Patches { ticks: 0, ..PATCHES }).contains("cannot be recorded"));
        let wall = GridMap::from_rows(&["@@"]).unwrap();
        assert!(
            PATCHES.script(&wall, &plain, 1).unwrap_err().to_string().starts_with("the map has no free cell")
        );
    }
}
