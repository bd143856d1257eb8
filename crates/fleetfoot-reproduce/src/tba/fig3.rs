//! Figure 3: TBA* and the traditional real-time searches, work per action against quality.

use fleetfoot_sim::budget::Budget;
use fleetfoot_sim::error::InputError;

use super::super::curves::{
    Setting, compared, costs, factors, front, plot, series, settings, share, work_at,
};
use super::super::{Evidence, Setup, Study};
use super::{Entry, PAPER, runs};
use fleetfoot_lab::number;
use fleetfoot_lab::report::{Figure, Finding, Report, Table, Verdict};
use fleetfoot_lab::run::Plan;
use fleetfoot_lab::stats::TriState;

pub(in super::super) const STUDY: Study = Study {
    id: "tba-fig3",
    title: "TBA*, Figure 3: against traditional real-time search",
    paper: PAPER,
    claims: &["A7", "A8", "A9"],
    plan,
    judge,
};

/// Settings with more expansions in any move are skipped, as in the paper.
const CUT_OFF: u64 = 1000;
const TBA: [u64; 7] = [10, 25, 50, 75, 100, 500, 1000];
const PRIORITIZED: [u64; 6] = [10, 20, 30, 40, 100, 250];
const KOENIG: [u64; 8] = [10, 20, 30, 40, 100, 250, 500, 1000];

fn plan(setup: &Setup) -> Result<Plan, InputError> {
    let mut entries: Vec<Entry> = TBA
        .iter()
        .map(|limit| Entry::new(format!("TBA* {limit}"), "tba", Budget::Expansions(*limit)))
        .collect();
    let free = |label: String, spec: String| Entry::new(label, spec, Budget::Unlimited);
    entries.extend((4..=16).map(|d| free(format!("LRTA* {d}"), format!("lrta(depth={d})"))));
    entries.extend(PRIORITIZED.iter().map(|n| free(format!("P-LRTA* {n}"), format!("p-lrta(updates={n})"))));
    entries.extend(
        KOENIG.iter().map(|n| free(format!("K LRTA* {n}"), format!("lss-lrta(lookahead={n},moves=1)"))),
    );
    let (jobs, mut about) = runs(setup, setup.scale.pick(12, 100), &entries)?;
    about.notes.push("LRTA*: breadth-first to depth 4 to 16, a state's value the greatest g + h on the way (the published rule may walk in circles); K LRTA*: LSS-LRTA* with one move per search".into());
    about.notes.push(format!(
        "left out, as in the paper: settings in which any move expands more than {CUT_OFF} states"
    ));
    Plan::new(about, jobs)
}

/// The four planners' settings. Those that exceed the cut-off are listed separately.
struct Curves {
    tba: Vec<Setting>,
    lrta: Vec<Setting>,
    prioritized: Vec<Setting>,
    koenig: Vec<Setting>,
}

fn labels(name: &str, numbers: impl IntoIterator<Item = u64>) -> Vec<String> {
    numbers.into_iter().map(|n| format!("{name} {n}")).collect()
}

fn judge(evidence: &Evidence<'_>) -> Report {
    let all = |labels: Vec<String>| settings(evidence, &labels);
    let everything = [
        all(labels("TBA*", TBA)),
        all(labels("LRTA*", 4..=16)),
        all(labels("P-LRTA*", PRIORITIZED)),
        all(labels("K LRTA*", KOENIG)),
    ];
    let table = table(&everything);
    let [tba, lrta, prioritized, koenig] = everything
        .map(|curve| curve.into_iter().filter(|setting| setting.worst <= CUT_OFF).collect::<Vec<_>>());
    let curves = Curves { tba, lrta, prioritized, koenig };
    let figure = Figure {
        name: "fig3".into(),
        caption: "Each point a setting, means with 95 % intervals; nearer to the lower left is better."
            .into(),
        plot: plot(
            "TBA* and traditional real-time search",
            vec![
                series("TBA*", &curves.tba, true),
                series("LRTA*", &curves.lrta, true),
                series("P-LRTA*", &curves.prioritized, true),
                series("K LRTA*", &curves.koenig, true),
            ],
        ),
    };
    let findings = vec![against_lrta(&curves), magnitude(&curves), halves(&curves)];
    Report { findings, tables: vec![table], figures: vec![figure], ..Report::default() }
}

fn against_lrta(Curves { tba, lrta, .. }: &Curves) -> Finding {
    let says = "TBA* reaches LRTA*'s quality with 100 times less computation per action; with equal computation it needs 20 times fewer actions";
    let rule = "LRTA*'s work at its best quality divided by TBA*'s at that quality, and LRTA*'s cost divided by TBA*'s at equal work (the median over LRTA*'s settings that work at least as much as TBA*'s least), are both above 5; as it stands if at least 50 and between 10 and 40";
    if lrta.is_empty() {
        return Finding::not_measured("A7", says, rule, "no setting of LRTA* stays within the cut-off");
    }
    let both = [tba.as_slice(), lrta.as_slice()];
    let work = compared("work at equal quality, LRTA* at its best / TBA*", both, |tba, lrta| {
        let best = lrta.iter().copied().min_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or_default();
        work_at(&front(tba), best.1).map_or(f64::NAN, |work| best.0 / work)
    });
    let cost = |what: &str, q: f64| {
        compared(format!("cost at equal work, LRTA* / TBA*, {what}"), both, |tba, lrta| {
            let least = tba.iter().map(|setting| setting.0).fold(f64::INFINITY, f64::min);
            let comparable: Vec<(f64, f64)> = lrta.iter().copied().filter(|s| s.0 >= least).collect();
            share(costs(tba, &comparable), q)
        })
    };
    let measured = vec![work, cost("median", 0.5), cost("least", 0.0), cost("most", 1.0)];
    let (work, cost) = (measured[0].span(), measured[1].span());
    let trend = work.above(5.0).and(cost.above(5.0));
    let as_it_stands = work.at_least(50.0).and(cost.within(10.0, 40.0));
    Finding::new("A7", says, rule, measured, Verdict::graded(trend, as_it_stands))
        .explained("perhaps the dead ends of these maps are deeper or shallower than those of the paper's")
}

fn magnitude(Curves { tba, lrta, prioritized, koenig }: &Curves) -> Finding {
    let rivals = [("LRTA*", lrta), ("P-LRTA*", prioritized), ("K LRTA*", koenig)];
    let (mut more, mut all_ten, mut measured) = (TriState::Yes, TriState::Yes, Vec::new());
    for (name, curve) in rivals {
        let factor = |what: &str, q: f64| {
            let what = format!("work at equal quality, {name} / TBA*, {what} over settings");
            compared(what, [tba, curve], |tba, other| share(factors(tba, other), q))
        };
        let (middle, low) = (factor("median", 0.5), factor("least", 0.0));
        more = more.and(low.span().above(1.0));
        all_ten = all_ten.and(middle.span().at_least(10.0));
        measured.extend([middle, low]);
    }
    Finding::new(
        "A8",
        "TBA* needs an order of magnitude fewer expansions than LRTA*, P-LRTA* and K LRTA* for equal quality",
        "every setting of all three takes more work than TBA* at its quality; as it stands if the median over settings is at least 10 for each of the three (where a setting's quality is worse than TBA*'s worst, its factor is a lower bound)",
        measured,
        Verdict::graded(more, all_ten),
    )
    .explained("see the settings: the factor is least for those that look farthest ahead")
}

fn halves(Curves { lrta, prioritized, koenig, .. }: &Curves) -> Finding {
    let factor = |name: &str, base: &[Setting]| {
        let of = |base: &[(f64, f64)], lrta: &[(f64, f64)]| share(factors(base, lrta), 0.5);
        compared(format!("work at equal quality, LRTA* / {name}, median"), [base, lrta], of)
    };
    let measured = vec![factor("P-LRTA*", prioritized), factor("K LRTA*", koenig)];
    let both = |low: f64, high: f64| TriState::all(measured.iter().map(|m| m.span().within(low, high)));
    let more = TriState::all(measured.iter().map(|m| m.span().above(1.0)));
    let verdict = Verdict::graded(more, both(1.5, 3.0));
    Finding::new(
        "A9",
        "P-LRTA* and K LRTA* reach LRTA*'s quality with about half the resources",
        "LRTA*'s work at equal quality is above theirs (the median over its settings, against the best of theirs); as it stands if between 1.5 and 3 times for both",
        measured,
        verdict,
    )
    .explained("perhaps a matter of the maps; steps of P-LRTA*'s queue are counted as expansions here")
}

fn table(all: &[Vec<Setting>; 4]) -> Table {
    let mut table = Table::new(
        "Settings",
        &["setting", "expansions per action", "worst action", "cost / optimal", "95 %", "arrived"],
    );
    for setting in all.iter().flatten() {
        let left_out = if setting.worst > CUT_OFF { " (left out)" } else { "" };
        table.push(vec![
            setting.label.clone(),
            number(setting.work),
            format!("{}{left_out}", setting.worst),
            number(setting.ratio),
            setting.interval.to_string(),
            setting.arrivals(),
        ]);
    }
    table
}
