//! Combines tracks and their common description into a record.

use fleetfoot::Prices;
use fleetfoot_sim::episode::{Episode, RunLimits, Task};
use fleetfoot_sim::map::GridMap;

use crate::format::meta::{Costs, Meta, kinds, prices};
use crate::record::{MAX_TRACKS, Record, Track};
use crate::recorder::nodes;

/// What all tracks of a record have in common.
#[derive(Clone, Debug)]
pub struct Scene<'a> {
    /// Name of the map.
    pub map_name: &'a str,
    /// The map's letters.
    pub map: &'a GridMap,
    /// The world, as on the command line.
    pub world: &'a str,
    /// The rules of movement, as on the command line.
    pub rules: &'a str,
    /// Number of the problem.
    pub problem: u64,
    /// Length of a shortest path, if one exists.
    pub optimal: Option<f64>,
    /// Prices of work.
    pub prices: Prices,
}

/// Strips folders from the file names in a text, since they mean nothing on other machines.
pub(crate) fn without_folders(text: &str) -> String {
    let name = |part: &str| part.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
    text.split_inclusive(['(', ',', '=']).map(name).collect()
}

impl Record {
    /// Creates a record of tracks that were all recorded on this task.
    ///
    /// # Panics
    /// If there are none, or more than [`MAX_TRACKS`].
    pub fn new(scene: &Scene<'_>, trip: &Task<'_>, terms: &RunLimits, lives: Vec<Track>) -> Self {
        assert!((1..=MAX_TRACKS).contains(&lives.len()), "one to four tracks");
        let (truth, episode) = (trip.world().truth(), Episode::new(trip, terms));
        let meta = Meta {
            generator: concat!("fleetfoot ", env!("CARGO_PKG_VERSION")).into(),
            map: without_folders(scene.map_name),
            width: truth.width(),
            height: truth.height(),
            world: without_folders(scene.world),
            sighted: trip.world().sensor().is_some(),
            rules: scene.rules.into(),
            problem: scene.problem,
            start: truth.xy(trip.start()),
            goal: truth.xy(trip.goal()),
            costs: Costs::of(trip.world().graph()),
            kinds: kinds(),
            prices: prices(&scene.prices),
            all_work: prices(&Prices::ALL_WORK),
            optimal: scene.optimal,
            lives: lives.iter().map(|life| life.meta.clone()).collect(),
        };
        let nodes: Vec<_> = nodes(truth).collect();
        Self {
            meta,
            letters: scene.map.cells().to_vec(),
            weights: nodes.iter().map(|n| truth.weight(*n)).collect(),
            known: nodes.iter().map(|n| episode.is_known(*n)).collect(),
            lives,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::without_folders;

    #[test]
    fn records_hold_no_folders() {
        assert_eq!(without_folders("/home/anna/maps/arena.map"), "arena.map");
        assert_eq!(
            without_folders("dynamic(/tmp/a,b/doors.script,radius=9)"),
            "dynamic(a,doors.script,radius=9)"
        );
        assert_eq!(without_folders("..\\maps\\arena.map"), "arena.map");
        assert_eq!(without_folders("builtin:rooms100"), "builtin:rooms100");
    }
}
