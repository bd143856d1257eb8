//! The bodies of the fuzz targets. Each takes arbitrary bytes, and panics if a guarantee is violated.

mod changing;
mod database;
mod experiment;
mod fleet_record;
mod forged;
mod record;
mod saved;
mod saved_fleet;

pub use changing::changing;
pub use database::database;
pub use experiment::experiment;
pub use fleet_record::fleet_record;
pub use forged::forged;
pub use record::record;
pub use saved::saved;
pub use saved_fleet::saved_fleet;

use std::collections::BTreeSet;
use std::sync::Arc;

use fleetfoot::registry::Spec;
use fleetfoot::{Belief, Diagonal, Graph, Grid, Rules};
use fleetfoot_sim::formats::cells::parse_cells;
use fleetfoot_sim::formats::map::{parse_map, write_map_to};
use fleetfoot_sim::formats::scen::{parse_scen, write_scen_to};
use fleetfoot_sim::formats::script::{Script, parse_script, write_script_to};
use fleetfoot_sim::world::{Truth, World};

/// Map files: accepted files are the same after being written and read again.
pub fn map(data: &[u8]) {
    let Ok(map) = parse_map(data) else { return };
    let mut bytes = Vec::new();
    write_map_to(&mut bytes, &map).expect("a vector takes everything");
    assert_eq!(parse_map(&bytes).expect("we wrote it"), map);
    assert!(map.cells().len() <= data.len(), "more cells than bytes");
}

/// Scenario files: accepted files are the same after being written and read again, except for lengths, which are
/// written with eight digits.
pub fn scen(data: &[u8]) {
    let Ok(problems) = parse_scen(data) else { return };
    let (mut first, mut second) = (Vec::new(), Vec::new());
    write_scen_to(&mut first, &problems).expect("what was read can be written");
    let again = parse_scen(&first).expect("we wrote it");
    assert_eq!(again.len(), problems.len());
    write_scen_to(&mut second, &again).expect("what was read can be written");
    assert_eq!(first, second);
}

/// Lists of cells: the first two bytes are the size of the map. Accepted lists are on the map, have the stated
/// length, and are the same after being written and read again.
pub fn cells(data: &[u8]) {
    let [width, height, list @ ..] = data else { return };
    let size = (u32::from(*width), u32::from(*height));
    let Ok(cells) = parse_cells(list, size) else { return };
    let mut text = format!("{}\n", cells.len());
    for listed in &cells {
        let (x, y) = listed.cell;
        assert!(x < size.0 && y < size.1, "a cell outside the map");
        text += &format!("{}\n", y * size.0 + x);
    }
    let again = parse_cells(text.as_bytes(), size).expect("we wrote it");
    assert!(again.iter().map(|listed| listed.cell).eq(cells.iter().map(|listed| listed.cell)));
}

/// Scripts of changes: accepted scripts are valid, and the same after being written and read again. A world of
/// their size changes accordingly, and an observer of every change knows the true state.
pub fn script(data: &[u8]) {
    let Ok(script) = parse_script(data) else { return };
    script.validate().expect("a script that was read keeps its rules");
    let mut bytes = Vec::new();
    write_script_to(&mut bytes, &script).expect("a vector takes everything");
    assert_eq!(parse_script(&bytes).expect("we wrote it"), script);
    if script.width <= 64 && script.height <= 64 {
        live(&script);
    }
}

/// Compares the true state, tick by tick, with a belief that observes every change.
fn live(script: &Script) {
    let rules = Rules { diagonal: Diagonal::D14, ..Rules::default() };
    let grid = Grid::new(script.width, script.height, rules, |x, y| u8::from((x + 2 * y) % 5 != 4));
    let grid = Arc::new(grid.expect("a small map"));
    let Ok(world) = World::dynamic(&grid, 1..=1, script, None) else { return };
    let (mut truth, mut at) = (Truth::new(&world), grid.node(0, 0).expect("the first cell is free"));
    let mut belief = Belief::known(world.graph().clone());
    let ticks = script.changes.iter().map(|change| change.tick).chain(0..20).collect::<BTreeSet<_>>();
    for (k, tick) in ticks.into_iter().take(200).enumerate() {
        truth.advance(tick, at);
        assert!(truth.grid().is_free(at), "a cell closed on the agent");
        for cell in truth.changed() {
            belief.reveal(*cell, truth.grid().weight(*cell)).expect("a belief takes its world's weights");
        }
        assert_eq!(belief.grid().fingerprint(), truth.grid().fingerprint());
        at = truth.grid().succs(at).nth(k % 3).map_or(at, |edge| edge.to);
    }
}

/// Specs: printing and parsing is the identity, and building returns a planner or an error.
pub fn spec(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    let Ok(spec) = text.parse::<Spec>() else { return };
    let printed = spec.to_string();
    assert_eq!(printed.parse::<Spec>().expect("we printed it"), spec);
    assert_eq!(printed.parse::<Spec>().expect("we printed it").to_string(), printed);
    let grid = Grid::new(3, 3, Rules::default(), |_, _| 1).expect("nine cells");
    drop(spec.build(&grid));
}

#[cfg(test)]
mod tests {
    use std::io::{self, Write};
    use std::sync::mpsc::{self, RecvTimeoutError};
    use std::thread;
    use std::time::Duration;

    use super::*;

    /// A simple mutator of seeds: replaces, removes, duplicates and swaps bytes, and inserts keywords.
    struct Mutator(u64);

    impl Mutator {
        fn below(&mut self, n: usize) -> usize {
            // xorshift64: any deterministic sequence is sufficient.
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 >> 16) as usize % n
        }

        fn damage(&mut self, seed: &[u8], words: &[&str]) -> Vec<u8> {
            let mut bytes = seed.to_vec();
            for _ in 0..=self.below(5) {
                let (at, other) = (self.below(bytes.len() + 1), self.below(bytes.len() + 1));
                match self.below(6) {
                    0 => bytes.truncate(at.max(other)),
                    1 => drop(bytes.splice(at.min(other)..at.min(other), [self.below(256) as u8])),
                    2 => drop(bytes.drain(at..bytes.len().min(at + 1))),
                    3 if at < other => bytes.extend_from_within(at..other),
                    4 => drop(bytes.splice(at..at, words[self.below(words.len())].bytes())),
                    _ if at < bytes.len() => bytes[at] ^= 1 << self.below(8),
                    _ => {}
                }
            }
            bytes
        }
    }

    #[global_allocator]
    static ALLOCATOR: fleetfoot_testkit::alloc::Counting = fleetfoot_testkit::alloc::Counting;

    /// Calls a target with inputs. Aborts the tests and prints the input if one takes minutes, so that a hang is a
    /// failure.
    fn watched(target: fn(&[u8]), inputs: impl Iterator<Item = Vec<u8>>) {
        let (next, is_next) = mpsc::channel::<Vec<u8>>();
        let watch = thread::spawn(move || {
            let mut input = Vec::new();
            loop {
                match is_next.recv_timeout(Duration::from_secs(300)) {
                    Ok(next) => input = next,
                    Err(RecvTimeoutError::Disconnected) => return,
                    Err(RecvTimeoutError::Timeout) => {
                        // Written to stderr directly, since the test runner's capture will not be flushed.
                        let _ = writeln!(io::stderr().lock(), "it hangs on {input:?}");
                        std::process::exit(101);
                    }
                }
            }
        });
        for input in inputs {
            next.send(input.clone()).expect("it waits");
            target(&input);
        }
        drop(next);
        watch.join().expect("it ends with the inputs");
    }

    fn smoke(target: fn(&[u8]), seeds: &[&str], words: &[&str], rounds: usize) {
        let mut mutator = Mutator(0x5eed);
        for round in 0..self::rounds(rounds) {
            let seed = seeds[round % seeds.len()].as_bytes();
            target(seed);
            target(&mutator.damage(seed, words));
        }
    }

    /// Returns the number of inputs of a smoke test: `FLEETFOOT_FUZZ_TIMES` makes it a multiple.
    fn rounds(count: usize) -> usize {
        let times = std::env::var("FLEETFOOT_FUZZ_TIMES").ok().and_then(|text| text.parse::<usize>().ok());
        count * times.unwrap_or(1)
    }

    const NUMBERS: [&str; 6] = ["0", "-1", "4294967295", "99999999999999999999", "nan", "\u{feff}"];

    #[test]
    fn maps() {
        let seeds = [
            "type octile\nheight 3\nwidth 4\nmap\n.GS@\nOTW.\n....\n",
            "type tile\r\nwidth 1\r\nheight 1\r\nmap\r\n.",
        ];
        smoke(map, &seeds, &[&NUMBERS[..], &["\n", "\r", "map\n", "width 2\n"]].concat(), 20_000);
    }

    #[test]
    fn scenarios() {
        let seeds = ["version 1\n0\ta b.map\t4\t3\t0\t0\t3\t1\t3.41421356\n1 a.map 4 3 1 1 2 2 1.4\n"];
        smoke(scen, &seeds, &[&NUMBERS[..], &["\t", " ", "1e300", "inf", "\u{85}"]].concat(), 20_000);
    }

    #[test]
    fn lists_of_cells() {
        let seeds = ["\u{4}\u{3}3\n0\n5\n11\n", "\u{4}\u{3}# units\r\n1\r\n 7 \r\n\r\n"];
        smoke(cells, &seeds, &[&NUMBERS[..], &["\n", "#", " ", "12"]].concat(), 20_000);
    }

    #[test]
    fn scripts() {
        let seeds = [
            "fleetfoot-script 1\nsize 4 3\n0 close 1 1\n9 weight 1 2 7\n# end\n10 open 1 1\n",
            "fleetfoot-script 2\nsize 4 3\nrule shut-near 3 0 radius 2 ticks 9\n0 close 1 1\n4 open 1 1\n",
        ];
        let words = ["#", "\t", "open", "256", "rule ", "rule shut-near 0 0 radius 1 ticks 1\n", "1001"];
        smoke(script, &seeds, &[&NUMBERS[..], &words].concat(), 20_000);
    }

    #[test]
    fn specs() {
        let seeds = [
            "astar",
            "astar(direction=backward,open=heap,ties=smaller-g)",
            "repeated-astar( replan = broken )",
        ];
        smoke(
            spec,
            &seeds,
            &[&NUMBERS[..], &["(", ")", ",", "=", "ring", "prune=off", "ä"]].concat(),
            20_000,
        );
    }

    #[test]
    fn records() {
        let mut mutator = Mutator(0x0ec0);
        record(b"\x89FFR\r\n\x1a\n\x01\0\0\0END.");
        for _ in 0..rounds(1_500) {
            let size = 4 * (1 + mutator.below(3));
            let edits: Vec<u8> = (0..size).map(|_| mutator.below(256) as u8).collect();
            record(&edits);
        }
    }

    #[test]
    fn records_of_fleets() {
        let mut mutator = Mutator(0xf1ee);
        for _ in 0..rounds(1_500) {
            let size = 4 * (1 + mutator.below(3));
            let edits: Vec<u8> = (0..size).map(|_| mutator.below(256) as u8).collect();
            fleet_record(&edits);
        }
    }

    #[test]
    fn experiments() {
        let seeds = [
            "maps = [\"maze(width=21,height=21,seed={seed})\", \"corner(side=9)\"]\nplanners = [\"tba\", \"rtaa(ties={seed})\"]\n\
             budgets = [5, \"inf\"]\nworlds = [\"known\"]\nprices = [\"papers\"]\nseeds = [1, 2]\nmoves = 8\n\
             [problems]\nrandom = 2\noptimal = \"3..\"\n",
            "maps = [\"rooms(width=23,height=23,room=10,doors=99)\"]\nplanners = [\"rtd\"]\nworlds = [\"doors(open=1%,ticks=9)\"]\n\
             [problems]\npairs = [[1, 1, 20, 20]]\n",
        ];
        let words = [
            "\"",
            "[",
            "]",
            "=",
            "(",
            ")",
            ",",
            "{seed}",
            "known",
            "unknown",
            "doors",
            "maze",
            "corner",
            "inf",
            "timed = true\n",
        ];
        smoke(experiment, &seeds, &[&NUMBERS[..], &words].concat(), 600);
    }

    #[test]
    fn databases() {
        let mut mutator = Mutator(0xdb);
        for _ in 0..rounds(4_000) {
            let size = 6 * mutator.below(5);
            let edits: Vec<u8> = (0..size).map(|_| mutator.below(256) as u8).collect();
            database(&edits);
        }
    }

    #[test]
    fn saved_planners() {
        let mut mutator = Mutator(0x5a7e);
        for _ in 0..rounds(6_000) {
            let size = 2 + 7 * mutator.below(4);
            let edits: Vec<u8> = (0..size).map(|_| mutator.below(256) as u8).collect();
            saved(&edits);
        }
    }

    #[test]
    fn saved_fleets() {
        let mut mutator = Mutator(0x5af1);
        for _ in 0..rounds(1_500) {
            let size = 2 + 7 * mutator.below(4);
            let edits: Vec<u8> = (0..size).map(|_| mutator.below(256) as u8).collect();
            saved_fleet(&edits);
        }
    }

    #[test]
    fn forged_games() {
        let mut mutator = Mutator(0xf0_16ed);
        let inputs = (0..rounds(4_000)).map(|_| (0..40).map(|_| mutator.below(256) as u8).collect());
        watched(forged, inputs);
    }

    #[test]
    fn worlds_that_change() {
        let mut mutator = Mutator(0xc4a6);
        for _ in 0..rounds(2_000) {
            let size = 1 + mutator.below(300);
            let deeds: Vec<u8> = (0..size).map(|_| mutator.below(256) as u8).collect();
            changing(&deeds);
        }
    }
}
