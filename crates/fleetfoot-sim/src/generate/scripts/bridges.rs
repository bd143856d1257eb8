//! Bridges over blocked ground that collapse and are rebuilt.

pub use super::roads::Span;

use super::roads::{Roads, STRAIGHT, spans};
use super::{Chance, Recorder, check_range};
use crate::error::InputError;
use crate::formats::script::{ChangeKind, Script};
use crate::generate::SeededRng;
use crate::map::{GridMap, is_passable, is_terrain};

/// Number of sites that are examined for each bridge before fewer bridges are built.
const TRIES: usize = 2_000;

/// A world of bridges.
///
/// A bridge leads straight over blocked cells, between two free cells with a long path around. In tick 0, before the
/// agent first looks around, all bridges are intact. Then each collapses from time to time, all its cells at once,
/// stays in ruins for a while, and is rebuilt cell by cell. In the last tick all are intact again.
///
/// Bridges only add to the map: when all are down, any two cells are connected that are connected on the map. Only an
/// agent on a bridge that collapses is cut off: it keeps its cell, and waits there until the bridge is rebuilt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bridges {
    /// The last tick.
    pub ticks: u64,
    /// Number of bridges, if there is space for them.
    pub count: u32,
    /// Maximum number of blocked cells that a bridge spans.
    pub longest: u32,
    /// Minimum number of moves that a bridge saves, in lengths of straight moves.
    pub saves: u32,
    /// Probability that an intact bridge collapses, per tick.
    pub fall: Chance,
    /// Mean number of ticks in ruins.
    pub ruin: u32,
    /// Letters of blocked cells that can be built over.
    pub over: Vec<u8>,
}

/// The result of building bridges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BridgeScript {
    /// The bridges, which share no cell.
    pub bridges: Vec<Span>,
    /// Their changes.
    pub script: Script,
}

impl Bridges {
    /// Builds the bridges and records the world.
    ///
    /// # Errors
    /// If a parameter is out of its range, the map has no site for a bridge, or there are too many changes to record.
    pub fn script(&self, map: &GridMap, seed: u64) -> Result<BridgeScript, InputError> {
        self.check()?;
        let mut recorder = Recorder::new(map, self.ticks)?;
        let mut dice = SeededRng::new(seed);
        let bridges = self.sites(map, &mut dice);
        if bridges.is_empty() {
            let over = String::from_utf8_lossy(&self.over);
            let what = format!(
                "no bridge of at most {} cells over {over} would save {} moves",
                self.longest, self.saves
            );
            return Err(InputError::new(what, "allow longer bridges, or such as save less"));
        }
        for cell in bridges.iter().flat_map(|bridge| bridge.cells()) {
            recorder.add(0, cell, ChangeKind::Open)?;
        }
        let mut works: Vec<Work> = bridges.iter().map(|bridge| Work::new(*bridge)).collect();
        for tick in 1..self.ticks {
            for work in &mut works {
                self.live(work, tick, &mut dice, &mut recorder)?;
            }
        }
        for work in &works {
            for cell in &work.cells[work.standing..] {
                recorder.add(self.ticks, *cell, ChangeKind::Open)?;
            }
        }
        Ok(BridgeScript { bridges, script: recorder.script })
    }

    fn check(&self) -> Result<(), InputError> {
        check_range("the number of bridges", self.count, 1, 100_000)?;
        check_range("the longest bridge", self.longest, 1, 1_000)?;
        check_range("the number of moves saved", self.saves, 1, 100_000)?;
        check_range("the time in ruins", self.ruin, 1, 1_000_000)?;
        match self.over.iter().find(|letter| is_passable(**letter) || !is_terrain(**letter)) {
            None => Ok(()),
            Some(letter) => {
                let what = format!("{:?} is no letter of blocked cells", *letter as char);
                Err(InputError::new(what, "use some of @, O, T and W"))
            }
        }
    }

    /// Returns sites for bridges, in random order.
    fn sites(&self, map: &GridMap, dice: &mut SeededRng) -> Vec<Span> {
        let parts = map.components();
        let part = |(x, y)| parts.labels[map.index(x, y)];
        let mut sites = spans(map, self.longest, &self.over);
        // A bridge between two components would cut one off when it collapses.
        sites.retain(|site| part(site.from) == part(site.to));
        dice.shuffle(&mut sites);
        let (mut roads, mut is_taken) = (Roads::new(map), vec![false; map.cells().len()]);
        let mut bridges = Vec::new();
        for site in sites.into_iter().take(TRIES.saturating_mul(self.count as usize)) {
            let most = (u64::from(site.moves()) + u64::from(self.saves)) * STRAIGHT;
            if site.cells().any(|(x, y)| is_taken[map.index(x, y)]) {
                continue;
            }
            // A cell that is not found within that length is farther away.
            roads.measure(map, site.from, most);
            if roads.length(site.to).is_none() {
                site.cells().for_each(|(x, y)| is_taken[map.index(x, y)] = true);
                bridges.push(site);
            }
            if bridges.len() == self.count as usize {
                break;
            }
        }
        bridges
    }

    /// Executes one tick of one bridge.
    fn live(
        &self,
        work: &mut Work,
        tick: u64,
        dice: &mut SeededRng,
        recorder: &mut Recorder,
    ) -> Result<(), InputError> {
        if let Some(cell) = work.cells.get(work.standing) {
            if tick >= work.resume {
                recorder.add(tick, *cell, ChangeKind::Open)?;
                work.standing += 1;
            }
        } else if dice.happens(self.fall) {
            for cell in &work.cells {
                recorder.add(tick, *cell, ChangeKind::Close)?;
            }
            work.standing = 0;
            work.resume = tick + u64::from(dice.between(self.ruin.div_ceil(2), self.ruin + self.ruin / 2));
        }
        Ok(())
    }
}

/// A bridge, and how much of it is intact.
struct Work {
    cells: Vec<(u32, u32)>,
    standing: usize,
    /// Tick in which rebuilding begins.
    resume: u64,
}

impl Work {
    fn new(bridge: Span) -> Self {
        let cells: Vec<_> = bridge.cells().collect();
        Self { standing: cells.len(), cells, resume: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{cave, rooms::Rooms};

    fn bridges() -> Bridges {
        Bridges {
            ticks: 3_000,
            count: 6,
            longest: 12,
            saves: 30,
            fall: Chance::millionths(5_000),
            ruin: 40,
            over: b"@OTW".to_vec(),
        }
    }

    #[test]
    fn bridges_save_long_paths_and_are_intact_in_the_end() {
        let rooms =
            Rooms { width: 61, height: 61, size: 9, door_percent: 40, centred: false, connected: true };
        let maps = [cave::generate(128, 128, 3).unwrap().map, rooms.generate(2).unwrap().map];
        for (seed, map) in (0..).zip(&maps) {
            let BridgeScript { bridges: built, script } = bridges().script(map, seed).unwrap();
            script.validate().unwrap();
            assert_eq!(built.len(), 6);
            for bridge in &built {
                let length =
                    crate::generate::tests::distances(map, bridge.from)(bridge.to.0, bridge.to.1).unwrap();
                assert!(length > u64::from(bridge.moves() + 30) * 1000 - 100, "{bridge:?}: {length}");
                assert!(bridge.cells().all(|(x, y)| !map.passable(x, y)) && bridge.moves() <= 13);
            }
            let mut now = map.clone();
            let (mut falls, mut last) = (0, 0);
            for changes in script.changes.chunk_by(|a, b| a.tick == b.tick) {
                for change in changes {
                    assert_eq!(now.passable(change.x, change.y), change.what == ChangeKind::Close);
                    assert!(!map.passable(change.x, change.y), "only bridges change");
                    now.set(change.x, change.y, if change.what == ChangeKind::Open { b'.' } else { b'@' });
                    falls += u32::from(change.what == ChangeKind::Close);
                }
                last = changes[0].tick;
            }
            assert!(falls > 100 && last <= 3_000);
            assert!(built.iter().flat_map(|bridge| bridge.cells()).all(|(x, y)| now.passable(x, y)));
            let at_first = script.changes.iter().take_while(|change| change.tick == 0).count();
            assert_eq!(at_first, built.iter().map(|bridge| bridge.cells().count()).sum::<usize>());
        }
    }

    #[test]
    fn a_fall_is_sudden_and_rebuilding_slow() {
        let map = cave::generate(128, 128, 3).unwrap().map;
        let BridgeScript { bridges: built, script } =
            Bridges { count: 1, ..bridges() }.script(&map, 4).unwrap();
        let cells: Vec<_> = built[0].cells().collect();
        let after: Vec<_> = script.changes.iter().skip(cells.len()).collect();
        for (k, round) in after.chunks_exact(2 * cells.len()).enumerate() {
            let (fall, rise) = round.split_at(cells.len());
            assert!(
                fall.iter().all(|change| change.tick == fall[0].tick && change.what == ChangeKind::Close),
                "{k}"
            );
            let ruin = rise[0].tick - fall[0].tick;
            let restored = rise[0].tick == 3_000;
            assert!((20..=60).contains(&ruin) || restored, "{ruin}");
            assert!(rise.windows(2).all(|two| two[1].tick == two[0].tick + 1 || two[1].tick == 3_000));
            assert_eq!(rise.iter().map(|change| (change.x, change.y)).collect::<Vec<_>>(), cells);
        }
    }

    #[test]
    fn letters_can_be_chosen_and_all_is_repeatable() {
        let map = cave::generate(128, 128, 3).unwrap().map;
        let over_rock = Bridges { over: b"@".to_vec(), ..bridges() };
        let built = over_rock.script(&map, 9).unwrap();
        let cells = built.bridges.iter().flat_map(|bridge| bridge.cells());
        assert!(cells.into_iter().all(|(x, y)| map.letter(x, y) == b'@'));
        assert_eq!(over_rock.script(&map, 9).unwrap(), built);
        assert_ne!(over_rock.script(&map, 10).unwrap(), built);
    }

    #[test]
    fn refuses() {
        let map = GridMap::from_rows(&["..@..", "....."]).unwrap();
        let refusal = |bridges: Bridges| bridges.script(&map, 1).unwrap_err().to_string();
        assert!(
            refusal(bridges()).starts_with("no bridge of at most 12 cells over @OTW would save 30 moves")
        );
        // A bridge between two components would cut one off.
        let parts = GridMap::from_rows(&["..@..", "..@.."]).unwrap();
        assert!(bridges().script(&parts, 1).unwrap_err().to_string().starts_with("no bridge"));
        assert!(refusal(Bridges { count: 0, ..bridges() }).starts_with("the number of bridges is 0; use"));
        assert!(refusal(Bridges { longest: 0, ..bridges() }).starts_with("the longest bridge is 0"));
        assert!(
            refusal(Bridges { saves: 0, ..bridges() }).starts_with("the number of moves saved is 0; use")
        );
        assert!(refusal(Bridges { ruin: 0, ..bridges() }).starts_with("the time in ruins is 0"));
        assert!(
            refusal(Bridges { over: b"@.".to_vec(), ..bridges() }).starts_with("'.' is no letter of blocked")
        );
        assert!(refusal(Bridges { ticks: 0, ..bridges() }).contains("cannot be recorded"));
    }
}
