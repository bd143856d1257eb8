//! The claims about Corner TBA*.

use super::super::Evidence;
use super::super::evidence::quotient;
use super::{CORNERS, DOORS, FAR, KNOWN, NEAR, ROOMS, TBA, World, expansions, ratio, sets, ticks};
use fleetfoot_lab::report::{Finding, Measured, Verdict};
use fleetfoot_lab::run::{PriceList, Row};
use fleetfoot_lab::stats::{Interval, TriState};

/// Claimed mean ratio with ten expansions per tick on the maps of a folder.
const CLAIMED: [(&str, f64); 6] =
    [("caves", 1.04), ("wc3maps512", 1.04), ("bg512", 1.12), ("dao", 1.12), ("street", 1.12), ("sc1", 1.25)];
/// The budget of most claims.
const TEN: u64 = 10;

pub(super) fn all(evidence: &Evidence<'_>) -> Vec<Finding> {
    vec![
        walks(evidence),
        at_once(evidence),
        work(evidence),
        all_charged(evidence),
        queries(),
        unknown(evidence, "F6", &NEAR, 10, 0.65),
        unknown(evidence, "F7", &FAR, 64, 0.85),
        unlimited(evidence),
        doors(evidence),
        memory(evidence),
        index(),
    ]
}

/// Returns `true` for Warcraft maps and their replacements. Claims that name no maps were measured on these.
pub(super) fn is_warcraft(set: &str) -> bool {
    set.starts_with("wc3") || set == "caves"
}

fn is_game(set: &str) -> bool {
    is_warcraft(set) || ["bg", "dao", "sc1"].iter().any(|game| set.starts_with(game))
}

/// Creates a finding. A claim without runs has no verdict.
fn judged(id: &str, says: &str, rule: &str, numbers: Vec<Measured>, verdict: Verdict) -> Finding {
    if numbers.is_empty() {
        return Finding::not_measured(id, says, rule, "there are no runs on such maps");
    }
    Finding::new(id, says, rule, numbers, verdict)
}

fn corners(world: &World, set: &str, prices: PriceList, limit: u64) -> String {
    world.label(set, prices, CORNERS.0, limit)
}

/// The best of the papers' planners with a budget, and the ticks of Corner TBA* divided by its ticks.
pub(super) struct Best {
    pub(super) rival: &'static str,
    pub(super) ratio: f64,
    pub(super) interval: Interval,
}

impl Best {
    pub(super) fn of(
        evidence: &Evidence<'_>,
        world: &World,
        set: &str,
        prices: PriceList,
        limit: u64,
    ) -> Option<Self> {
        let label = |rival: &str| world.label(set, prices, rival, limit);
        let mean = |rival: &str| evidence.mean(&label(rival), ticks);
        let names = world.rivals.iter().map(|(name, _)| *name).filter(|name| evidence.has(&label(name)));
        let rival = names.min_by(|a, b| mean(a).total_cmp(&mean(b)))?;
        let (ratio, interval) = evidence.ratio(&corners(world, set, prices, limit), &label(rival), ticks);
        Some(Self { rival, ratio, interval })
    }

    fn measured(&self, set: &str, limit: u64) -> Measured {
        let what =
            format!("{set}: ticks / those of the best of the papers' planners ({}) at {limit}", self.rival);
        Measured::new(what, self.ratio, self.interval)
    }
}

fn walks(evidence: &Evidence<'_>) -> Finding {
    let (mut numbers, mut better, mut reached) = (Vec::new(), TriState::Yes, TriState::Yes);
    for set in sets(evidence, &KNOWN) {
        let Some((_, claimed)) = CLAIMED.iter().find(|(name, _)| *name == set) else { continue };
        let label = corners(&KNOWN, set, PriceList::Papers, TEN);
        let ours = evidence.measured(&format!("{set}: walked / shortest at {TEN}"), &label, ratio);
        let (share, interval) = evidence.ratio(&label, &KNOWN.label(set, PriceList::Papers, TBA, TEN), ratio);
        better = better.and(interval.below(1.0));
        reached = reached.and(ours.span().at_most(*claimed));
        numbers.push(Measured { what: format!("{} (claimed: {claimed})", ours.what), ..ours });
        numbers.push(Measured::new(format!("{set}: the same / TBA*'s"), share, interval));
    }
    judged(
        "F1",
        "known maps, ten expansions a tick: walked / shortest is at most 1.04 on Warcraft maps, 1.12 on bg512, dao and street, 1.25 on sc1",
        "on each of these sets the mean is below TBA*'s; as it stands if it is at most what is claimed on each (caves that are generated: 1.04)",
        numbers,
        Verdict::graded(better, reached),
    )
    .explained("see which sets are above: there are more corners to expand on them, or the first steps lead astray more often")
}

fn at_once(evidence: &Evidence<'_>) -> Finding {
    let share = |prices: PriceList, limits: &[u64]| {
        let sets = sets(evidence, &KNOWN);
        let labels =
            sets.iter().flat_map(|set| limits.iter().map(|limit| corners(&KNOWN, set, prices, *limit)));
        let rows: Vec<&Row> = labels.flat_map(|label| evidence.rows(&label).to_vec()).collect();
        let count = rows.iter().filter(|row| row.first_move == 1).count();
        if rows.is_empty() { f64::NAN } else { count as f64 / rows.len() as f64 }
    };
    let (papers, all) = (share(PriceList::Papers, KNOWN.limits), share(PriceList::AllWork, KNOWN.all_work));
    Finding::new(
        "F2",
        "known maps: the first move is made in tick 1",
        "at the papers' prices in every run with every budget; with all work charged it is shown, not judged",
        vec![
            Measured::exact("share of runs that move in tick 1, papers' prices", papers),
            Measured::exact("share of runs that move in tick 1, all work charged", all),
        ],
        Verdict::of(papers >= 1.0),
    )
}

fn work(evidence: &Evidence<'_>) -> Finding {
    let (mut numbers, mut less, mut fifteenth) = (Vec::new(), TriState::Yes, TriState::Yes);
    for set in sets(evidence, &KNOWN).into_iter().filter(|set| is_game(set)) {
        let label = corners(&KNOWN, set, PriceList::Papers, TEN);
        let astar = |row: &Row| row.astar_expansions.map_or(f64::NAN, |n| n as f64);
        let (share, interval) = evidence.quotient(&label, expansions, astar);
        less = less.and(interval.below(1.0));
        fifteenth = fifteenth.and(interval.at_most(1.0 / 15.0));
        numbers.push(Measured::new(format!("{set}: expansions / A*'s"), share, interval));
    }
    judged(
        "F3",
        "known game maps, ten expansions a tick: at most a fifteenth of A*'s expansions",
        "on each set of game maps fewer than A*'s; as it stands if the means are at most 1/15 = 0.0667 on each",
        numbers,
        Verdict::graded(less, fifteenth),
    )
    .explained("see which sets are above: on small or crowded maps there are fewer cells for each corner, and repeated searches expand some corners twice")
}

fn all_charged(evidence: &Evidence<'_>) -> Finding {
    let (mut numbers, mut better, mut reached) = (Vec::new(), TriState::Yes, TriState::Yes);
    for set in sets(evidence, &KNOWN) {
        let label = corners(&KNOWN, set, PriceList::AllWork, TEN);
        let (share, interval) =
            evidence.ratio(&label, &KNOWN.label(set, PriceList::AllWork, TBA, TEN), ratio);
        let ours = evidence.measured(&format!("{set}: walked / shortest at {TEN}"), &label, ratio);
        if is_warcraft(set) {
            better = better.and(interval.below(1.0));
            reached = reached.and(ours.span().at_most(1.10));
        }
        numbers.push(ours);
        numbers.push(Measured::new(format!("{set}: the same / TBA*'s"), share, interval));
    }
    judged(
        "F4",
        "known Warcraft maps, all work charged, a budget of ten: walked / shortest is at most 1.10",
        "on Warcraft maps (or caves) the mean is below TBA*'s; as it stands if it is at most 1.10; other sets are shown, not judged",
        numbers,
        Verdict::graded(better, reached),
    )
    .explained("the two joins and the scans are paid for before much can be expanded, and the agent walks meanwhile")
}

fn queries() -> Finding {
    Finding::not_measured(
        "F5",
        "whole queries are at least 6 times as fast as our A* on average over game maps, and no more than 1.3 times slower on any map",
        "none here",
        "a planner's times hold those of its ticks, which take longer than such a search; `cargo bench -p fleetfoot --bench corners -- index SET` measures queries in one run",
    )
}

fn unknown(evidence: &Evidence<'_>, id: &str, world: &World, limit: u64, claimed: f64) -> Finding {
    let (mut numbers, mut less, mut reached) = (Vec::new(), TriState::Yes, TriState::Yes);
    let all = sets(evidence, world);
    let is_main = main(&all);
    for set in &all {
        let Some(best) = Best::of(evidence, world, set, PriceList::Papers, limit) else { continue };
        if is_main(set) {
            less = less.and(best.interval.below(1.0));
            reached = reached.and(best.interval.at_most(claimed));
        }
        numbers.push(best.measured(set, limit));
    }
    let sight = if world.name == NEAR.name { "8 neighbours in sight" } else { "a radius of 7 in sight" };
    judged(
        id,
        &format!("unknown terrain, {sight}, {limit} expansions a tick: at most {claimed} of the ticks of the best of the papers' planners"),
        "on Warcraft maps (or caves; where there are none, on every set) below the best; as it stands if at most what is claimed; other sets are shown, not judged",
        numbers,
        Verdict::graded(less, reached),
    )
    .explained("see the table of ticks by planner, and that of pairs")
}

/// Returns a filter for the sets that decide claims without named maps.
fn main(all: &[&str]) -> impl Fn(&str) -> bool {
    let has_warcraft = all.iter().any(|set| is_warcraft(set));
    move |set| !has_warcraft || is_warcraft(set)
}

fn unlimited(evidence: &Evidence<'_>) -> Finding {
    let (mut numbers, mut near, mut nearer) = (Vec::new(), TriState::Yes, TriState::Yes);
    for world in [&NEAR, &FAR] {
        let all = sets(evidence, world);
        let is_main = main(&all);
        for set in &all {
            for limit in world.limits.iter().filter(|limit| **limit >= 200) {
                let over = evidence.values(&corners(world, set, PriceList::Papers, *limit), ticks);
                let (share, interval) = quotient(&over, &evidence.values(&world.unlimited(set), ticks));
                if is_main(set) {
                    near = near.and(interval.at_most(1.10));
                    nearer = nearer.and(interval.at_most(1.03));
                }
                let what = format!("{}, {set}: ticks / those without a limit at {limit}", world.name);
                numbers.push(Measured::new(what, share, interval));
            }
        }
    }
    judged(
        "F8",
        "unknown terrain, 200 expansions a tick and more: within 3 % of what an unlimited budget gives",
        "on Warcraft maps (or caves; where there are none, on every set) at most 1.10 times its own ticks without a limit; as it stands if at most 1.03 times",
        numbers,
        Verdict::graded(near, nearer),
    )
    .explained("a tick is lost at each discovery after which the new search does not end within its budget")
}

fn doors(evidence: &Evidence<'_>) -> Finding {
    let (mut numbers, mut less, mut reached) = (Vec::new(), TriState::Yes, TriState::Yes);
    for limit in DOORS.limits.iter().filter(|limit| **limit >= 8) {
        let Some(best) = Best::of(evidence, &DOORS, ROOMS, PriceList::Papers, *limit) else { continue };
        let claimed = match *limit {
            ..64 => 0.80,
            64 => 0.95,
            _ => 1.03,
        };
        if *limit < 64 {
            less = less.and(best.interval.below(1.0));
        }
        reached = reached.and(best.interval.at_most(claimed));
        numbers.push(best.measured(&format!("at most {claimed}"), *limit));
    }
    judged(
        "F9",
        "rooms with doors: at most 0.8 of the ticks of the best of the papers' planners with 8 to 32 expansions a tick, 0.95 with 64, 1.03 with more",
        "below the best at 8 to 32; as it stands if all these bounds are kept",
        numbers,
        Verdict::graded(less, reached),
    )
    .explained("see the budgets at which it is above: a planner that repairs a search of the whole map, and has the budget for it, loses no tick when a door closes")
}

fn memory(evidence: &Evidence<'_>) -> Finding {
    let bytes = |row: &Row| row.memory_bytes as f64 / 1000.0;
    let (mut numbers, mut less, mut reached) = (Vec::new(), TriState::Yes, TriState::Yes);
    for set in sets(evidence, &KNOWN).into_iter().filter(|set| ["bg512"].contains(set) || is_warcraft(set)) {
        let label = corners(&KNOWN, set, PriceList::Papers, TEN);
        let ours = evidence.measured(&format!("{set}: KB per agent, mean"), &label, bytes);
        let most = evidence.values(&label, bytes).into_iter().fold(f64::NAN, f64::max);
        let theirs = KNOWN.label(set, PriceList::Papers, TBA, TEN);
        let tba = evidence.mean(&theirs, bytes);
        less = less.and(evidence.ratio(&label, &theirs, bytes).1.below(1.0));
        reached = reached.and(most <= 40.0);
        numbers.push(ours);
        numbers.push(Measured::exact(format!("{set}: KB per agent, most"), most));
        numbers.push(Measured::exact(format!("{set}: KB per agent, TBA*'s mean"), tba));
    }
    judged(
        "F10",
        "an agent on a known game map of 512×512 cells takes at most 40 KB",
        "at ten expansions a tick less than TBA*'s on the mean; as it stands if no agent takes more than 40 KB when it has arrived",
        numbers,
        Verdict::graded(less, reached),
    )
    .explained("an agent pays for the pages of corners that it has touched")
}

fn index() -> Finding {
    Finding::not_measured(
        "F11",
        "the index takes at most 16 bits a cell; an edit costs at most a fiftieth of building it; after any edits it equals a new one",
        "none here",
        "properties that tests of the library hold: memory_is_bounded, edits_give_what_building_gives; `cargo bench -p fleetfoot --bench corners -- index SET` measures edits against building",
    )
}
