//! Figure 9: expansions and time of RTAA* by look-ahead, with more look-aheads than the table.

use fleetfoot_sim::error::InputError;

use super::super::limits::span;
use super::super::{Evidence, Setup, Study};
use super::{PAPER, about, label, runs, timed};
use fleetfoot_lab::plot::{Axis, Plot, Point, Series};
use fleetfoot_lab::report::{Figure, Finding, Measured, Report, Table, Verdict};
use fleetfoot_lab::run::{Plan, Row};
use fleetfoot_lab::stats::{Interval, TriState, bootstrap, bootstrap_places, mean, paired};

pub(in super::super) const STUDY: Study = Study {
    id: "rtaa-fig9",
    title: "RTAA*, Figure 9: work and time by look-ahead",
    paper: PAPER,
    claims: &["D2c", "D2k"],
    plan,
    judge,
};

const LOOKAHEADS: [u32; 18] = [1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 25, 33, 41, 49, 57, 73, 89];

fn plan(setup: &Setup) -> Result<Plan, InputError> {
    let (mazes, times) = (setup.scale.pick(60, 2500), setup.scale.pick(20, 60));
    let lookaheads = LOOKAHEADS.map(Some);
    let mut jobs = Vec::new();
    for seed in 0..mazes {
        let all = runs(seed, &lookaheads, false, seed < times)?;
        jobs.extend(all.into_iter().filter(|job| job.label.starts_with("RTAA*")));
    }
    Plan::new(about(mazes, times), jobs)
}

fn time(row: &Row) -> f64 {
    row.plan_us().unwrap_or(f64::NAN)
}

fn expansions(row: &Row) -> f64 {
    row.expansions as f64
}

fn judge(evidence: &Evidence<'_>) -> Report {
    let mut findings = vec![valley(evidence, "D2c", "expansions", |a| label("RTAA*", Some(a)), expansions)];
    let timed_runs = LOOKAHEADS.map(|a| timed(&label("RTAA*", Some(a))));
    if let Some(why) = timed_runs.iter().find_map(|name| evidence.disturbed(name)) {
        let rule = "judged only if the timed runs had their core to themselves";
        let says = [
            "from look-ahead 1 on, times fall, are least at about 17, and rise again",
            "total expansions and total time are proportional",
        ];
        findings.extend(
            ["D2c (time)", "D2k"]
                .iter()
                .zip(says)
                .map(|(id, says)| Finding::not_measured(id, says, rule, why.clone())),
        );
    } else {
        findings.push(valley(evidence, "D2c (time)", "times", |a| timed(&label("RTAA*", Some(a))), time));
        findings.push(proportional(evidence));
    }
    let mut table = Table::new(
        "RTAA* by look-ahead",
        &["look-ahead", "expansions", "cost", "µs in all", "µs per expansion"],
    );
    for a in LOOKAHEADS {
        let (free, clocked) = (label("RTAA*", Some(a)), timed(&label("RTAA*", Some(a))));
        let (work, micros) = (evidence.mean(&clocked, expansions), evidence.mean(&clocked, time));
        let mut line = vec![a.to_string()];
        line.extend(
            [evidence.mean(&free, expansions), evidence.mean(&free, |row| row.cost), micros, micros / work]
                .map(fleetfoot_lab::number),
        );
        table.push(line);
    }
    Report { findings, tables: vec![table], figures: figures(evidence), ..Report::default() }
}

/// Judges that a measure falls at first and rises later.
fn valley(
    evidence: &Evidence<'_>,
    id: &str,
    what: &str,
    name: impl Fn(u32) -> String,
    of: fn(&Row) -> f64,
) -> Finding {
    let means: Vec<f64> = LOOKAHEADS.iter().map(|a| evidence.mean(&name(*a), of)).collect();
    let least = (0..means.len()).min_by(|a, b| means[*a].total_cmp(&means[*b])).unwrap_or(0);
    let at = LOOKAHEADS[least];
    let against = |a: u32| paired(&evidence.values(&name(at), of), &evidence.values(&name(a), of));
    let (left, right) = (against(1), against(89));
    let clear = left.difference_interval.above(0.0).and(right.difference_interval.above(0.0));
    // The best neighbor of 17 compared with all other look-aheads.
    let (near, far): (Vec<usize>, Vec<usize>) =
        (0..means.len()).partition(|k| (9..=25).contains(&LOOKAHEADS[*k]));
    let best = near.into_iter().min_by(|a, b| means[*a].total_cmp(&means[*b])).unwrap_or(0);
    let above = |k: usize| evidence.ratio(&name(LOOKAHEADS[k]), &name(LOOKAHEADS[best]), of).1.above(1.0);
    let is_near = TriState::all(far.into_iter().map(above));
    Finding::new(
        id,
        &format!("from look-ahead 1 on, {what} fall, are least at about 17, and rise again"),
        "the least mean lies between the ends, and both ends are above it; as it stands if some look-ahead of 9 to 25, the neighbors of 17 in the paper's table, is below all others",
        vec![
            Measured::exact("look-ahead with the least", f64::from(at)),
            Measured::new("more at look-ahead 1, times", left.ratio, left.ratio_interval),
            Measured::new("more at look-ahead 89, times", right.ratio, right.ratio_interval),
        ],
        Verdict::graded(clear.and(least > 0 && least + 1 < means.len()), is_near),
    )
    .explained("the curve is flat near its minimum; where its bottom lies in time depends on what an episode costs apart from expansions")
}

fn proportional(evidence: &Evidence<'_>) -> Finding {
    let runs: Vec<[Vec<f64>; 2]> = LOOKAHEADS
        .iter()
        .map(|a| timed(&label("RTAA*", Some(*a))))
        .map(|name| [evidence.values(&name, expansions), evidence.values(&name, time)])
        .collect();
    let mazes = runs[0][0].len();
    let pairs_of = |drawn: &[usize]| -> Vec<(f64, f64)> {
        let mean = |values: &[f64]| drawn.iter().map(|k| values[*k]).sum::<f64>() / drawn.len() as f64;
        runs.iter().map(|[work, micros]| (mean(work), mean(micros))).collect()
    };
    let pairs = pairs_of(&(0..mazes).collect::<Vec<_>>());
    let r = correlation(&pairs[1..]);
    let r_interval = bootstrap_places(mazes, |drawn| correlation(&pairs_of(drawn)[1..]));
    let each =
        |pairs: &[(f64, f64)]| span(&pairs.iter().map(|(work, micros)| micros / work).collect::<Vec<_>>());
    let each_interval = bootstrap_places(mazes, |drawn| each(&pairs_of(drawn)));
    Finding::new(
        "D2k",
        "total expansions and total time are proportional",
        "over look-aheads above 1 their correlation is at least 0.9; as it stands if µs per expansion differ by less than a half over all look-aheads",
        vec![
            Measured::new("correlation", r, r_interval),
            Measured::new("µs per expansion, most / least", each(&pairs), each_interval),
        ],
        Verdict::graded(r_interval.at_least(0.9), each_interval.at_most(1.5)),
    )
    .explained("an episode costs something beside its expansions, and a look-ahead of few states has few to share it")
}

fn correlation(pairs: &[(f64, f64)]) -> f64 {
    let (xs, ys): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
    let (mx, my) = (mean(&xs), mean(&ys));
    let sum = |f: &dyn Fn(f64, f64) -> f64| pairs.iter().map(|(x, y)| f(x - mx, y - my)).sum::<f64>();
    sum(&|x, y| x * y) / (sum(&|x, _| x * x) * sum(&|_, y| y * y)).sqrt()
}

fn figures(evidence: &Evidence<'_>) -> Vec<Figure> {
    let points = |name: &dyn Fn(u32) -> String, of: fn(&Row) -> f64| {
        let point = |a: &u32| {
            let values = evidence.values(&name(*a), of);
            let Interval { low, high, .. } = bootstrap(&values, mean);
            Point { x: f64::from(*a), y: mean(&values), bar: Some((low, high)) }
        };
        LOOKAHEADS.iter().map(point).collect::<Vec<_>>()
    };
    let figure = |name: &str, title: &str, y: &str, points: Vec<Point>| Figure {
        name: name.into(),
        caption: "Means with 95 % intervals.".into(),
        plot: Plot {
            title: title.into(),
            x: Axis::linear("look-ahead (expansions per episode)"),
            y: Axis::linear(y).showing([0.0]),
            series: vec![Series::line("RTAA*", points)],
        },
    };
    vec![
        figure(
            "fig9-expansions",
            "Expansions by look-ahead",
            "expansions",
            points(&|a| label("RTAA*", Some(a)), expansions),
        ),
        figure(
            "fig9-time",
            "Total time by look-ahead",
            "µs",
            points(&|a| timed(&label("RTAA*", Some(a))), time),
        ),
    ]
}
