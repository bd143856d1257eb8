//! Saves with a wrong number are rejected, or work like any other: no panic, no memory beyond what the save
//! accounts for, and what was loaded can be saved and loaded again.

use fleetfoot::database::checksum;
use fleetfoot::registry::ALGORITHMS;
use fleetfoot::{Agent, Belief, ChangeLog, Graph, Map, NodeId, Reachability, Rules, SavedAgent, TickOutcome};
use fleetfoot_testkit::alloc::counted;
use fleetfoot_testkit::{Rng, forge, oracle, worlds};
use serde_json::Value;

/// Maximum memory that a small save may cause.
const MOST_BYTES: u64 = 1 << 20;

fn cells(map: &Map) -> Vec<NodeId> {
    let (width, height) = (map.grid().width(), map.grid().height());
    (0..height).flat_map(|y| (0..width).filter_map(move |x| map.node(x, y))).collect()
}

/// Returns maps in several states: new, during a flood, and with a complete index.
fn maps() -> Vec<Map> {
    let mut rng = Rng::new(3);
    let mut map: Map = worlds::random_grid(&mut rng, (7, 6), Rules::default(), 30, 1).into();
    let mut maps = vec![map.clone()];
    let all = cells(&map);
    // Some edits and updates, until an edit may have split a component.
    for round in 0.. {
        let n = rng.pick(&all);
        map.set(n, u8::from(!map.is_free(n))).expect("a cell");
        if round > 8 && !map.update_indices(1) {
            break;
        }
    }
    maps.push(map.clone());
    while !map.update_indices(5) {}
    maps.push(map);
    maps
}

/// Loads a document and checks the result. Returns `true` if it was rejected.
fn is_refused<T: serde::de::DeserializeOwned>(what: &str, forged: &Value, judge: impl FnOnce(T)) -> bool {
    let text = forged.to_string();
    let (is_refused, taken) = counted(|| match serde_json::from_str::<T>(&text) {
        Ok(loaded) => {
            judge(loaded);
            false
        }
        Err(_) => true,
    });
    let held = taken.bytes - taken.returned.min(taken.bytes);
    assert!(held < MOST_BYTES && taken.bytes < 64 * MOST_BYTES, "{what}: {taken:?}");
    is_refused
}

/// Edits and queries a map, compares it with a search, and saves and loads it.
fn live_on(what: &str, map: &mut Map) {
    let (mut rng, all) = (Rng::new(17), cells(map));
    for round in 0..24 {
        judge(what, map, rng.pick(&all));
        let n = rng.pick(&all);
        map.set(n, u8::from(!map.is_free(n))).expect("a cell");
        map.update_indices(round % 4);
    }
    assert!((0..100).any(|_| map.update_indices(20)), "{what}: the repair never ends");
    for &from in &all {
        judge(what, map, from);
    }
    let text = serde_json::to_string(map).expect("plain data");
    let again: Map = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{what}: {error}"));
    assert_eq!((again.grid().fingerprint(), again.log()), (map.grid().fingerprint(), map.log()), "{what}");
}

/// Checks that cells reported as unreachable are, and if the index is exact that all others are reachable.
fn judge(what: &str, map: &Map, from: NodeId) {
    let truth = oracle::distances_from(map.grid(), from);
    for to in cells(map) {
        let there = map.is_free(from) && map.is_free(to) && truth[to.index()].is_finite();
        let said = map.reachability(from, to) == Reachability::Maybe;
        assert!(said || !there, "{what}: {to} can be reached from {from}");
        assert!(!said || there || !map.indices_are_current(), "{what}: {to} cannot be reached from {from}");
    }
}

#[test]
fn forged_maps_are_refused_or_sound() {
    let (mut refused, mut taken) = (0, 0);
    for map in maps() {
        let honest = serde_json::to_value(&map).expect("plain data");
        assert!(!is_refused("an honest copy", &honest, |mut map: Map| live_on("an honest copy", &mut map)));
        forge::each_number_changed(&honest, |what, forged| {
            if is_refused(what, forged, |mut map: Map| live_on(what, &mut map)) {
                refused += 1;
            } else {
                taken += 1;
            }
        });
    }
    assert!(refused > 5_000 && taken > 0, "{refused} refused, {taken} taken");
}

/// Returns a belief that knows a part of a map.
fn belief() -> Belief {
    let truth = worlds::random_grid(&mut Rng::new(5), (11, 7), Rules::default(), 25, 1);
    let mut belief = Belief::unknown(11, 7, Rules::default(), 1..=1).expect("a small grid");
    for (x, y) in (0..7).flat_map(|y| (0..4).map(move |x| (x, y))) {
        let n = truth.node(x, y).expect("a cell");
        belief.reveal(n, truth.weight(n)).expect("a weight of the range");
    }
    belief
}

#[test]
fn forged_beliefs_are_refused_or_sound() {
    let honest = serde_json::to_value(belief()).expect("plain data");
    let live_on = |what: &str, mut belief: Belief| {
        let cells = cells(belief.map());
        let known = cells.iter().filter(|&&n| belief.is_known(n)).count();
        assert_eq!(belief.known_count(), known, "{what}");
        for &n in &cells {
            belief.reveal(n, 1).expect("a cell");
        }
        assert_eq!(belief.known_count(), cells.len(), "{what}");
        let text = serde_json::to_string(&belief).expect("plain data");
        serde_json::from_str::<Belief>(&text).unwrap_or_else(|error| panic!("{what}: {error}"));
    };
    assert!(!is_refused("an honest copy", &honest, |belief| live_on("an honest copy", belief)));
    let mut refused = 0;
    forge::each_number_changed(&honest, |what, forged| {
        refused += usize::from(is_refused(what, forged, |belief| live_on(what, belief)));
    });
    assert!(refused > 1_000, "{refused}");
    for (name, value) in [("width", u64::from(u32::MAX)), ("count", u64::MAX)] {
        let mut forged = honest.clone();
        forged["known"][name] = value.into();
        assert!(is_refused(name, &forged, |_: Belief| ()), "{name}");
    }
}

/// A log does not know its graph, but can be checked for consistency.
#[test]
fn forged_logs_are_refused_or_sound() {
    let (mut logs, belief) = (vec![belief().log().clone()], belief());
    logs.push(ChangeLog::with_capacity(5));
    for change in belief.log().since(0) {
        logs[1].push(*change);
    }
    for log in logs {
        let honest = serde_json::to_value(&log).expect("plain data");
        let live_on = |what: &str, mut log: ChangeLog| {
            let end = log.end();
            for change in belief.log().since(0) {
                log.push(*change);
            }
            assert_eq!(log.end(), end + belief.log().end(), "{what}");
            assert!(log.end() <= i64::MAX.cast_unsigned(), "{what}: not every format takes such a number");
            let text = serde_json::to_string(&log).expect("plain data");
            let again =
                serde_json::from_str::<ChangeLog>(&text).unwrap_or_else(|error| panic!("{what}: {error}"));
            assert_eq!(again, log, "{what}");
        };
        assert!(!is_refused("an honest copy", &honest, |log| live_on("an honest copy", log)));
        forge::each_number_changed(&honest, |what, forged| {
            is_refused(what, forged, |log| live_on(what, log));
        });
    }
}

/// Replaces a word of a saved planner's state, and corrects the checksum.
fn forge_word(bytes: &mut Value, rng: &mut Rng) {
    let mut all: Vec<u8> = serde_json::from_value(bytes.take()).expect("bytes");
    all.truncate(all.len() - 8);
    // Magic number, version, length and text of the spec, and fingerprint come first.
    let first = 8 + 4 + 4 + usize::from(all[12]) + 8;
    let words = (all.len() - first) / 4;
    let word =
        |all: &[u8], k: usize| all[first + 4 * k..].first_chunk().copied().map_or(0, u32::from_le_bytes);
    if words > 0 {
        let (k, other) = (rng.below(words), rng.below(words));
        let (old, other) = (word(&all, k), word(&all, other));
        let new = [0, 1, old.wrapping_add(1), old.wrapping_sub(1), other, rng.below(512) as u32];
        let place = first + 4 * k;
        all[place..place + 4].copy_from_slice(&rng.pick(&new).to_le_bytes());
    }
    let sum = checksum(&all);
    all.extend_from_slice(&sum.to_le_bytes());
    *bytes = all.into();
}

/// Planners check a saved state for consistency only. Agents check every move, report illegal ones, and arrive
/// anyway.
#[test]
fn agents_of_forged_planners_make_legal_moves_alone() {
    let (mut rng, mut resets) = (Rng::new(41), 0);
    for info in ALGORITHMS.iter().filter(|info| info.facts.polynomial) {
        let map: Map = worlds::random_grid(&mut rng, (19, 17), Rules::default(), 20, 1).into();
        let free: Vec<NodeId> = cells(&map).into_iter().filter(|&n| map.is_free(n)).collect();
        let mut agent = Agent::new(&map, info.key, free[0], free[free.len() - 1]).expect("a grid");
        for age in 0..24 {
            agent.tick(&map, 12);
            let honest = serde_json::to_value(agent.save(&map)).expect("plain data");
            for _ in 0..if age % 3 == 0 { 30 } else { 0 } {
                let mut forged = honest.clone();
                forge_word(&mut forged["planner"]["bytes"], &mut rng);
                let saved: SavedAgent = serde_json::from_value(forged).expect("only a word has changed");
                let Ok(mut agent) = Agent::load(&map, &saved) else { continue };
                let (mut ticks, mut was_reset) = (0, false);
                while ticks < if was_reset { 20_000 } else { 30 } {
                    let before = agent.at();
                    let status = agent.tick(&map, 12);
                    let is_legal = before == agent.at() || map.grid().cost(before, agent.at()).is_finite();
                    assert!(is_legal, "{}: {before} to {}", info.key, agent.at());
                    if status.is_final() {
                        break;
                    }
                    if status == TickOutcome::Reset {
                        assert_eq!(agent.at(), before);
                        (was_reset, resets) = (true, resets + 1);
                    }
                    ticks += 1;
                }
                assert!(ticks < 20_000, "{} never arrives", info.key);
            }
        }
    }
    assert!(resets > 5, "{resets}");
}
