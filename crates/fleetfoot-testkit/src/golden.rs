//! Golden walks: the steps of a planner on a tiny map, as text. A change that alters a walk shows as a readable
//! diff. If it is intended, `FLEETFOOT_BLESS=1 cargo test` writes the new walks.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use fleetfoot::registry::Spec;
use fleetfoot::{
    ChangeLog, Decision, Grid, Meter, NodeId, Prices, Rules, Scratch, StepContext, Work, WorkKind,
};

use crate::conformance::{Watch, defaults, every_spec};
use crate::oracle;
use crate::worlds::{TINY, Tiny, describe};

/// The budget of all golden walks, in expansions at the papers' prices.
const BUDGET: u64 = 10;
/// The map on which every value of every parameter is tested, not only the defaults.
const COMMON: &str = "rooms";
/// Maximum length of a golden walk.
const MOST_TICKS: usize = 5000;
/// Maximum length of a walk that need not end.
const TICKS_IN_VAIN: usize = 100;

/// Returns the folder of the golden walks.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/golden")
}

/// Returns every golden walk: file name and text.
pub fn walks() -> Vec<(String, String)> {
    let mut all = Vec::new();
    for spec in defaults() {
        let has_corners = |map: &Tiny| map.grid(Rules::default()).0.corners().is_some();
        let maps = TINY.iter().filter(|map| !spec.facts().needs_corner_index || has_corners(map));
        all.extend(maps.map(|map| (file_name(&spec, map), transcript(&spec, map))));
    }
    let common = Tiny::named(COMMON);
    let choices = every_spec().into_iter().filter(|spec| spec.to_string() != spec.info().key);
    all.extend(choices.map(|spec| (file_name(&spec, common), transcript(&spec, common))));
    all
}

/// Returns the file name, such as `astar/rooms.open-heap.txt` for `astar(open=heap)` on `rooms`.
fn file_name(spec: &Spec, map: &Tiny) -> String {
    let text = spec.to_string();
    let choices = text[spec.info().key.len()..].replace('=', "-").replace(',', ".");
    let choices = choices.trim_matches(['(', ')']);
    let dot = if choices.is_empty() { "" } else { "." };
    format!("{}/{}{dot}{choices}.txt", spec.info().key, map.name)
}

/// Returns a walk as text.
pub fn transcript(spec: &Spec, map: &Tiny) -> String {
    let rules = Rules::default();
    let (grid, start, goal) = map.grid(rules);
    let mut text = format!("{spec} on {}\n{}\nbudget {BUDGET} expansions\n\n", map.name, describe(rules));
    map.rows.iter().for_each(|row| line(&mut text, row));
    line(&mut text, "\ntick  at      decision  work");
    let mut planner = spec.build(&grid).expect("planners can be built on grids");
    let (mut scratch, log) = (Scratch::new(), ChangeLog::new());
    let (mut at, mut total) = (start, Work::NONE);
    let (facts, reachable) = (spec.facts(), oracle::distance(&grid, start, goal).is_finite());
    let ends = facts.polynomial && if reachable { facts.complete } else { facts.proves_no_path };
    for tick in 0..if ends { MOST_TICKS } else { TICKS_IN_VAIN } {
        let (mut meter, mut watch) = (Meter::priced(BUDGET, Prices::PAPERS), Watch::default());
        let step = StepContext::new(&grid, at, goal, &mut meter, &mut scratch)
            .with_changes(&log)
            .with_probe(&mut watch);
        let decision = planner.step(step);
        total += *meter.work();
        let (answer, work) = (answer(&grid, decision), describe_work(*meter.work()));
        let row = format!("{tick:4}  {:6}  {answer:8}  {work}", place(&grid, at));
        line(&mut text, row.trim_end());
        for (node, old, new) in watch.learned {
            line(&mut text, &format!("        h({}) {old} -> {new}", place(&grid, node)));
        }
        match decision {
            Decision::Go(to) => at = to,
            Decision::Wait if at != goal => {}
            Decision::Wait | Decision::NoPath => break,
        }
    }
    line(&mut text, &format!("\nall together: {}", describe_work(total)));
    text
}

fn line(text: &mut String, row: &str) {
    writeln!(text, "{row}").expect("text takes everything");
}

fn place(grid: &Grid, n: NodeId) -> String {
    let (x, y) = grid.xy(n);
    format!("{x},{y}")
}

fn answer(grid: &Grid, decision: Decision) -> String {
    match decision {
        Decision::Go(to) => format!("go {}", place(grid, to)),
        Decision::Wait => "wait".to_string(),
        Decision::NoPath => "no path".to_string(),
    }
}

/// Returns the kinds of work that were done, by name. Pages depend on memory, not on the walk.
fn describe_work(work: Work) -> String {
    let done = WorkKind::ALL.into_iter().filter(|&kind| kind != WorkKind::Page && work[kind] > 0);
    done.map(|kind| format!("{} {}", kind.name(), work[kind])).collect::<Vec<_>>().join(", ")
}

/// Compares all golden walks with their files, or writes them if `FLEETFOOT_BLESS` is set. Panics with the first
/// difference of each file.
pub fn compare_all() {
    let (bless, folder, walks) = (env::var_os("FLEETFOOT_BLESS").is_some(), folder(), walks());
    let mut trouble = Vec::new();
    for (name, text) in &walks {
        let path = folder.join(name);
        if bless {
            fs::create_dir_all(path.parent().unwrap_or(&folder)).expect("a folder for golden walks");
            fs::write(&path, text).expect("golden walks can be written");
        } else if let Some(difference) = difference(&fs::read_to_string(&path).unwrap_or_default(), text) {
            trouble.push(format!("{}\n{difference}", path.display()));
        }
    }
    let wanted: BTreeSet<PathBuf> = walks.iter().map(|(name, _)| folder.join(name)).collect();
    for path in files_in(&folder).into_iter().filter(|path| !wanted.contains(path)) {
        if bless {
            fs::remove_file(&path).expect("golden walks can be removed");
        } else {
            trouble.push(format!("{} belongs to no planner", path.display()));
        }
    }
    assert!(
        trouble.is_empty(),
        "{} golden walks differ; if that is wanted: FLEETFOOT_BLESS=1 cargo test -p fleetfoot --test kit golden\n\n{}",
        trouble.len(),
        trouble.iter().take(5).cloned().collect::<Vec<_>>().join("\n\n")
    );
}

fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = |path: &Path| fs::read_dir(path).into_iter().flatten().flatten().map(|entry| entry.path());
    entries(folder).flat_map(|sub| entries(&sub).collect::<Vec<_>>()).collect()
}

/// Returns the first line that differs, with its context. `None` if the texts are equal.
pub fn difference(golden: &str, now: &str) -> Option<String> {
    const CONTEXT: usize = 3;
    if golden == now {
        return None;
    }
    let (old, new): (Vec<&str>, Vec<&str>) = (golden.lines().collect(), now.lines().collect());
    let same = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let mut text =
        format!("first difference in line {} ({} lines before, {} now)\n", same + 1, old.len(), new.len());
    old[same.saturating_sub(CONTEXT)..same].iter().for_each(|row| line(&mut text, &format!("    {row}")));
    old[same..].iter().take(CONTEXT).for_each(|row| line(&mut text, &format!("  - {row}")));
    new[same..].iter().take(CONTEXT).for_each(|row| line(&mut text, &format!("  + {row}")));
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::difference;

    #[test]
    fn the_first_difference_is_shown_in_its_place() {
        assert_eq!(difference("a\nb\n", "a\nb\n"), None);
        let text = difference("a\nb\nc\nd\n", "a\nb\nx\nd\ne\n").unwrap();
        assert_eq!(
            text,
            "first difference in line 3 (4 lines before, 5 now)\n    a\n    b\n  - c\n  - d\n  + x\n  + d\n  + e\n"
        );
    }
}
