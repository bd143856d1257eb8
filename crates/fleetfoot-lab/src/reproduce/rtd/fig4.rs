//! Figure 4: rooms whose doors open and close; distance relative to the optimum with all doors open.

use std::sync::Arc;

use fleetfoot_sim::budget::Budget;
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::generate::scripts::Chance;

use super::super::{Evidence, Setup, Study};
use super::{LIMITS, PAPER, budget, figure, label, points, spec, table};
use crate::number;
use crate::places::{Made, MapSource, Place, Scene};
use crate::plot::{Axis, Plot, Point, Series};
use crate::report::{Figure, Finding, Measured, Report, Table, Verdict};
use crate::run::{About, Job, Plan, Problem, Row};
use crate::stats::Interval;

pub(in super::super) const STUDY: Study = Study {
    id: "rtd-fig4",
    title: "RTD*, Figure 4: doors",
    paper: PAPER,
    claims: &["E5", "E6", "E7", "E8", "E9"],
    plan,
    judge,
};

const PLANNERS: [(&str, &str); 5] = [
    ("LRTA*", "tla"),
    ("RTD* (LRTA*, 25 %)", "rtd(local=tla,ratio=25%)"),
    ("LSS-LRTA*", "lss-lrta"),
    ("RTD* (LSS, 50 %)", "rtd(local=lss-lrta,ratio=50%)"),
    (
        "RTD* (AD*, LSS, 50 %)",
        "rtd(global=ad-star,local=lss-lrta,ratio=50%,epsilon=3,decrease=0.5,increase=0.1)",
    ),
];
const REFERENCE: &str = "Non-RTD*";
const NOOP_LIMITS: [u64; 3] = [8, 64, 512];
/// Chances per door and step in the sweep, in millionths.
const RATES: [u32; 5] = [1_000, 5_000, 10_000, 50_000, 200_000];
const RATE: u32 = 10_000;
const SWEEP_LIMIT: u64 = 128;
/// An agent that has not arrived by then counts with what it has walked.
const PATIENCE: u64 = 5_000;

fn swept(name: &str, rate: u32) -> String {
    format!("{name}, rate {rate}")
}

fn place(rate: u32, seed: u64) -> Arc<Place> {
    let map = MapSource::Made(Made::Rooms { size: (100, 100), room: 10, doors: 100, seed: 1 });
    let chance = Chance::millionths(rate);
    Arc::new(Place::new(map, Scene::Doors { open: chance, close: chance, ticks: PATIENCE, seed }))
}

fn plan(setup: &Setup) -> Result<Plan, InputError> {
    let sequences = setup.scale.pick(30, 100);
    let mut jobs = Vec::new();
    for seed in 0..sequences {
        let problem = Problem { index: seed, start: (1, 1), goal: (98, 98) };
        let mut push = |place: &Arc<Place>, text: &str, budget, label: String| {
            let job = Job::new(place, problem, spec(text)?, budget).labelled(label);
            jobs.push(Job { max_steps: Some(PATIENCE), seed, ..job });
            Ok::<_, InputError>(())
        };
        let usual = place(RATE, seed);
        for limit in LIMITS {
            for (name, text) in PLANNERS {
                push(&usual, text, budget(limit), label(name, limit))?;
            }
        }
        push(&usual, "non-rtd", Budget::Unlimited, REFERENCE.into())?;
        for limit in NOOP_LIMITS {
            push(&usual, "rtd-noop", budget(limit), label("NoOp", limit))?;
        }
        for rate in RATES.into_iter().filter(|rate| *rate != RATE) {
            let busy = place(rate, seed);
            for (name, text) in [PLANNERS[2], PLANNERS[3]] {
                push(&busy, text, budget(SWEEP_LIMIT), swept(name, rate))?;
            }
        }
    }
    let notes = vec![
        "map: rooms of 10×10 cells on 100×100, a door in the middle of every shared wall, generated; the paper's rooms are not described further".into(),
        format!("{sequences} recorded sequences; every door opens or closes with a chance of 1 % per step, drawn again until no way is cut off; the paper gives no rate. Besides, rates of 0.1 to 20 % at {SWEEP_LIMIT} expansions"),
        "start upper left, goal lower right; the agent is told of every change; eight moves, 1 and √2, no corner cutting".into(),
        format!("given up after {PATIENCE} steps; counted: expansions and key refreshes, not learning"),
    ];
    Plan::new(About { notes, ..About::default() }, jobs)
}

/// Distance walked, relative to the shortest with all doors open.
fn distance(row: &Row) -> f64 {
    row.cost / row.optimal.unwrap_or(f64::NAN)
}

fn judge(evidence: &Evidence<'_>) -> Report {
    let line = |name: &str| Series::line(name, points(evidence, name, &LIMITS, distance));
    let y = evidence.mean(REFERENCE, distance);
    let reference = Series::line(REFERENCE, LIMITS.iter().map(|l| Point::new(*l as f64, y)).collect());
    let axis = "distance / optimal with all doors open";
    let figures = vec![
        figure(
            "fig4-lrta",
            "Doors: LRTA*",
            axis,
            vec![line(PLANNERS[0].0), line(PLANNERS[1].0), reference.clone()],
        ),
        figure(
            "fig4-lss",
            "Doors: LSS-LRTA*",
            axis,
            vec![line(PLANNERS[2].0), line(PLANNERS[3].0), line(PLANNERS[4].0), reference],
        ),
        sweep_figure(evidence),
    ];
    let names = PLANNERS.map(|(name, _)| name);
    let tables = vec![
        table(evidence, "Distance relative to the optimum with all doors open, by limit", &names, distance),
        sweep_table(evidence),
    ];
    let findings = vec![lrta(evidence), lss(evidence), anytime(evidence), noop(evidence), rates(evidence)];
    Report { findings, tables, figures, ..Report::default() }
}

fn against(evidence: &Evidence<'_>, over: usize, under: usize, limit: u64) -> (f64, Interval) {
    evidence.ratio(&label(PLANNERS[over].0, limit), &label(PLANNERS[under].0, limit), distance)
}

fn each(evidence: &Evidence<'_>, what: &str, over: usize, under: usize) -> Vec<Measured> {
    let one = |limit: &u64| {
        let (ratio, interval) = against(evidence, over, under, *limit);
        Measured::new(format!("distance at {limit}, {what}"), ratio, interval)
    };
    LIMITS.iter().map(one).collect()
}

fn lrta(evidence: &Evidence<'_>) -> Finding {
    let wins = LIMITS[2..].iter().filter(|l| against(evidence, 0, 1, **l).0 > 1.0).count();
    let grows = against(evidence, 0, 1, 512).0 > against(evidence, 0, 1, 16).0;
    Finding::new(
        "E5",
        "RTD* (LRTA*, 25 %) beats LRTA* at all but the lowest limits, and the gap grows",
        "from 16 on LRTA* walks farther at four limits of six; as it stands if at all six and the ratio is larger at 512 than at 16",
        each(evidence, "LRTA* / RTD*", 0, 1),
        Verdict::graded(wins >= 4, wins == 6 && grows),
    )
    .explained("doors as busy as these keep D* Lite's repair from reaching the agent below some 256 expansions; until then RTD* is its learner with a quarter of the budget. The paper gives neither its rooms nor its rates")
}

fn lss(evidence: &Evidence<'_>) -> Finding {
    let (low, high) = (against(evidence, 3, 2, 8), against(evidence, 3, 2, 512));
    let (a, b) = (against(evidence, 2, 3, 256).0, against(evidence, 2, 3, 512).0);
    let plateau = (b / a - 1.0).abs() <= 0.10;
    Finding::new(
        "E6",
        "RTD* (LSS-LRTA*, 50 %) is slightly worse than LSS-LRTA* at low limits and clearly better at high ones; the gap becomes constant",
        "RTD* walks less than LSS-LRTA* at 512 with the whole interval, and there is a limit at which it walks more; as it stands if, besides, the ratio changes by less than 10 % from 256 to 512",
        each(evidence, "RTD* / LSS-LRTA*", 3, 2),
        Verdict::graded(high.1.high < 1.0 && (low.0 > 1.0 || against(evidence, 3, 2, 16).0 > 1.0), plateau),
    )
    .explained("LSS-LRTA*'s learned values are not taken back when doors open, so that looking farther makes it worse rather than constant")
}

fn anytime(evidence: &Evidence<'_>) -> Finding {
    let small: Vec<f64> = [8, 16, 32].iter().map(|l| against(evidence, 4, 3, *l).0).collect();
    let large = against(evidence, 4, 3, 512).0;
    let surpasses = [8u64, 16, 32, 64].iter().any(|l| against(evidence, 4, 2, *l).0 < 1.0);
    let mut measured = each(evidence, "RTD* (AD*) / RTD* (D* Lite)", 4, 3);
    measured.extend([8u64, 16, 32, 64].map(|l| {
        let (ratio, interval) = against(evidence, 4, 2, l);
        Measured::new(format!("distance at {l}, RTD* (AD*) / LSS-LRTA*"), ratio, interval)
    }));
    Finding::new(
        "E7",
        "RTD* with AD* is better at small limits, surpassing LSS-LRTA*",
        "at 8, 16 and 32 it walks no farther than with D* Lite at two of three; as it stands if it walks less than LSS-LRTA* at some limit up to 64, and within 10 % of the D* Lite variant at 512",
        measured,
        Verdict::graded(small.iter().filter(|ratio| **ratio <= 1.0).count() >= 2, surpasses && (large - 1.0).abs() <= 0.10),
    )
    .explained("a weighted search reaches the agent sooner, but every change that raises the weight makes it begin again")
}

fn noop(evidence: &Evidence<'_>) -> Finding {
    let idle = |limit: u64| {
        evidence.values(&label("NoOp", limit), |row| {
            f64::from(u8::from(row.first_move == 0 || row.first_move > 1000))
        })
    };
    let shares = NOOP_LIMITS.map(|limit| crate::stats::mean(&idle(limit)));
    let measured = NOOP_LIMITS.iter().zip(shares).map(|(limit, share)| {
        Measured::exact(format!("share of runs without a move in the first 1000 steps, at {limit}"), share)
    });
    Finding::new(
        "E8",
        "NoOp may never move in a world that changes",
        "at 8 expansions NoOp has not moved within 1000 steps in most runs; as it stands if in all",
        measured.collect(),
        Verdict::graded(shares[0] > 0.5, shares[0] >= 1.0),
    )
}

fn advantage(evidence: &Evidence<'_>, rate: u32) -> (f64, Interval) {
    let name = |planner: usize| {
        if rate == RATE { label(PLANNERS[planner].0, SWEEP_LIMIT) } else { swept(PLANNERS[planner].0, rate) }
    };
    evidence.ratio(&name(2), &name(3), distance)
}

fn rates(evidence: &Evidence<'_>) -> Finding {
    let ratios = RATES.map(|rate| advantage(evidence, rate).0);
    let best = ratios[..3].iter().copied().fold(0.0, f64::max);
    let measured = RATES.iter().map(|rate| {
        let (ratio, interval) = advantage(evidence, *rate);
        Measured::new(
            format!("distance at {SWEEP_LIMIT}, LSS-LRTA* / RTD*, rate {} %", number(f64::from(*rate) / 1e4)),
            ratio,
            interval,
        )
    });
    Finding::new(
        "E9",
        "RTD*'s advantage holds while changes are rare enough for its search to reach the agent",
        "at a rate of 20 % the advantage over LSS-LRTA* is smaller than the largest at rates up to 1 %; as it stands if it is gone (at most 1.02)",
        measured.collect(),
        Verdict::graded(ratios[4] < best, ratios[4] <= 1.02),
    )
    .explained("the more doors change, the more LSS-LRTA* suffers from learned values that it cannot take back; that outweighs whether RTD*'s search reaches the agent")
}

fn sweep_table(evidence: &Evidence<'_>) -> Table {
    let mut table = Table::new(
        format!("By rate of change, at {SWEEP_LIMIT} expansions"),
        &["rate, %", "LSS-LRTA* / RTD*, distance", "95 %"],
    );
    for rate in RATES {
        let (ratio, interval) = advantage(evidence, rate);
        table.push(vec![number(f64::from(rate) / 1e4), number(ratio), interval.to_string()]);
    }
    table
}

fn sweep_figure(evidence: &Evidence<'_>) -> Figure {
    let point = |rate: &u32| {
        let (y, Interval { low, high }) = advantage(evidence, *rate);
        Point { x: f64::from(*rate) / 1e4, y, bar: Some((low, high)) }
    };
    Figure {
        name: "rates".into(),
        caption: "Above 1 RTD* walks less. Means with 95 % intervals.".into(),
        plot: Plot {
            title: format!("RTD*'s advantage by rate of change, at {SWEEP_LIMIT} expansions"),
            x: Axis::log("chance per door and step, %").with_ticks(RATES.map(|rate| f64::from(rate) / 1e4)),
            y: Axis::linear("distance, LSS-LRTA* / RTD*").showing([1.0]),
            series: vec![Series::line("LSS-LRTA* / RTD* (LSS, 50 %)", RATES.iter().map(point).collect())],
        },
    }
}
