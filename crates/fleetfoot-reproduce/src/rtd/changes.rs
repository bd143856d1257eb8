//! The rate of changes, and how the global search follows the agent.

use fleetfoot_sim::budget::Budget;
use fleetfoot_sim::error::InputError;

use super::super::Evidence;
use super::super::limits::{Against, against, label, measured};
use super::fig4::{RTD_LSS, distance, place, run};
use super::{Entry, LIMITS};
use fleetfoot_lab::number;
use fleetfoot_lab::plot::{Axis, Plot, Point, Series};
use fleetfoot_lab::report::{Figure, Finding, Measured, Table, Verdict};
use fleetfoot_lab::run::Job;
use fleetfoot_lab::stats::TriState;

/// 1 % per door and tick, in millionths.
pub(in super::super) const USUAL: u32 = 10_000;
/// The other rates, in increasing order.
const OTHERS: [u32; 5] = [1_000, 3_000, 30_000, 100_000, 300_000];
/// The limits of the sweep.
const SWEPT: [u64; 2] = [64, 512];
const LSS: &str = "LSS-LRTA*";
/// RTD* gives half of its limit to its learner: `ratio=50%`.
const SHARE: u64 = 2;

/// The paper's Figure 1 raises `k_m` in every step. The program that the paper evaluates did so when edges changed.
pub(super) const FOCUS: [Entry; 2] = [
    (PER_STEP, "rtd(local=lss-lrta,ratio=50%,focus=per-step)"),
    (ON_CHANGE, "rtd(local=lss-lrta,ratio=50%,focus=on-change)"),
];
const PER_STEP: &str = "RTD* (LSS-LRTA*, 50 %), focus per step";
const ON_CHANGE: &str = "RTD* (LSS-LRTA*, 50 %), focus on change";

fn chances() -> Vec<u32> {
    let mut all: Vec<u32> = OTHERS.into_iter().chain([USUAL]).collect();
    all.sort_unstable();
    all
}

/// Returns the label of runs in the sweep. Runs with the usual rate belong to the figure.
fn name(planner: &str, chance: u32, limit: u64) -> String {
    let usual = label(planner, limit);
    if chance == USUAL { usual } else { format!("{usual}, {} % per tick", number(f64::from(chance) / 1e4)) }
}

pub(super) fn runs(seed: u64) -> Result<Vec<Job>, InputError> {
    let mut jobs = Vec::new();
    for chance in OTHERS {
        let place = place(chance, seed);
        for limit in SWEPT {
            for (planner, text, limit) in [
                (LSS, "lss-lrta", limit),
                (LSS, "lss-lrta", limit / SHARE),
                (RTD_LSS, "rtd(local=lss-lrta,ratio=50%)", limit),
            ] {
                let job = run(&place, seed, text, Budget::Expansions(limit))?;
                jobs.push(job.labelled(name(planner, chance, limit)));
            }
        }
    }
    Ok(jobs)
}

/// Compares the distance of LSS-LRTA* with that of RTD*, by rate of changes: with the same limit, or with the part of
/// it that RTD* gives to its own learner, which isolates the contribution of the global search.
fn advantage(evidence: &Evidence<'_>, limit: u64, part: u64) -> Vec<Against> {
    let at = |chance: u32| {
        let [lss, rtd] = [(LSS, limit / part), (RTD_LSS, limit)].map(|(planner, k)| name(planner, chance, k));
        let (ratio, interval) = evidence.ratio(&lss, &rtd, distance);
        Against { limit: u64::from(chance), ratio, interval }
    };
    chances().into_iter().map(at).collect()
}

fn percent(a: &Against) -> String {
    number(a.limit as f64 / 1e4)
}

pub(super) fn rates(evidence: &Evidence<'_>) -> Finding {
    let (mut numbers, mut holds, mut gone) = (Vec::new(), TriState::Yes, TriState::Yes);
    for limit in SWEPT {
        let (whole, own) = (advantage(evidence, limit, 1), advantage(evidence, limit, SHARE));
        let (rare, often) = (whole[0], whole[whole.len() - 1]);
        let labels: Vec<String> = chances()
            .iter()
            .flat_map(|chance| [name(LSS, *chance, limit), name(RTD_LSS, *chance, limit)])
            .collect();
        let (left, interval) = evidence.joint(&labels, distance, |means| {
            let ratios: Vec<f64> = means.chunks(2).map(|pair| pair[0] / pair[1]).collect();
            ratios[ratios.len() - 1] / ratios.iter().copied().fold(0.0, f64::max)
        });
        holds = holds.and(interval.at_most(0.95));
        if limit >= 512 {
            holds = holds.and(rare.more());
        }
        gone = gone.and(often.interval.at_most(1.05));
        numbers.push(Measured::new(
            format!("ratio at the most frequent / the largest, {limit}"),
            left,
            interval,
        ));
        for (what, all) in [(LSS, &whole), ("its own learner", &own)] {
            let one = |a: &Against| {
                let what = format!("distance at {limit}, {what} / RTD*, {} % per tick", percent(a));
                Measured::new(what, a.ratio, a.interval)
            };
            numbers.extend(all.iter().map(one));
        }
    }
    Finding::new(
        "E9",
        "RTD*'s advantage lasts while changes are rare enough for the global search to reach the agent between them",
        "at 512 LSS-LRTA* walks farther than RTD* at the rarest changes; and at both limits the ratio at the most frequent is at least 5 % below its largest; \
         as it stands if RTD*'s advantage is then gone: the ratios are at most 1.05",
        numbers,
        Verdict::graded(holds, gone),
    )
    .explained("the more often doors open again, the more LSS-LRTA* suffers from what it has learned and cannot take back, the more so the farther it looks ahead: RTD*'s learner looks half as far. \
                What the global search itself adds is measured against that learner alone, LSS-LRTA* with half of the limit")
}

pub(super) fn focus(evidence: &Evidence<'_>) -> Finding {
    let all = against(evidence, &LIMITS[1..], (PER_STEP, ON_CHANGE), distance);
    let ours = against(evidence, &LIMITS[1..], (ON_CHANGE, RTD_LSS), distance);
    let within = |share: f64| TriState::all(all.iter().map(|a| a.even(share)));
    let mut numbers = measured("distance, k_m raised per step / on change", &all);
    numbers.extend(measured("distance, k_m raised on change / focus per episode", &ours));
    Finding::new(
        "E10",
        "raising k_m in every step, as it should be, changes very little against the program that was evaluated, which raised it when edges changed",
        "at every limit above 1 the means are within 25 % of each other; as it stands if within 5 %",
        numbers,
        Verdict::graded(within(0.25), within(0.05)),
    )
    .explained("a focus that moves in every step makes the keys of the whole queue stale, and at small limits renewing them is all that the global search gets done")
}

pub(super) fn table(evidence: &Evidence<'_>) -> Table {
    let columns: Vec<String> =
        advantage(evidence, SWEPT[0], 1).iter().map(|a| format!("{} %", percent(a))).collect();
    let columns: Vec<&str> = ["against"].into_iter().chain(columns.iter().map(String::as_str)).collect();
    let mut table = Table::new("Distance / RTD*'s, by chance per door and tick", &columns);
    for limit in SWEPT {
        for (part, other) in [(1, LSS), (SHARE, "its own learner")] {
            let mut line = vec![format!("{other}, limit {limit}")];
            let cell = |a: &Against| fleetfoot_lab::with_interval(a.ratio, a.interval);
            line.extend(advantage(evidence, limit, part).iter().map(cell));
            table.push(line);
        }
    }
    table.noted("Above 1 RTD* is better. Its own learner: LSS-LRTA* with half of the limit.")
}

pub(super) fn figure(evidence: &Evidence<'_>) -> Figure {
    let one = |(limit, part, other): (u64, u64, &str)| {
        let point = |a: &Against| Point {
            x: a.limit as f64 / 1e4,
            y: a.ratio,
            bar: Some((a.interval.low, a.interval.high)),
        };
        let points = advantage(evidence, limit, part).iter().map(point).collect();
        Series::line(format!("{other}, {limit} expansions"), points)
    };
    let [low, high] = SWEPT;
    let own = "its own learner";
    let all = [(low, 1, LSS), (high, 1, LSS), (low, SHARE, own), (high, SHARE, own)];
    let ticks = chances().into_iter().map(|chance| f64::from(chance) / 1e4);
    Figure {
        name: "rates".into(),
        caption: "RTD* (LSS-LRTA*, 50 %) against LSS-LRTA* with the same limit, and with the half of it that RTD* gives to its own learner: \
                  above 1 RTD* walks less. Means with 95 % intervals."
            .into(),
        plot: Plot {
            title: "What RTD* gains, by how often doors change".into(),
            x: Axis::log("chance per door and tick, %").with_ticks(ticks),
            y: Axis::log("distance / RTD*'s").showing([1.0]),
            series: all.map(one).into(),
        },
    }
}
