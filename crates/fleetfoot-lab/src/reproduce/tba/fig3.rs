//! Figure 3: TBA* and the traditional real-time searches, work per action against quality.

use fleetfoot_sim::budget::Budget;
use fleetfoot_sim::error::InputError;

use super::super::curves::{Setting, factors, plot, ratio_at, series, settings, work_at};
use super::super::{Evidence, Setup, Study};
use super::{Entry, PAPER, runs};
use crate::number;
use crate::report::{Figure, Finding, Measured, Report, Table, Verdict};
use crate::run::{About, Plan};

pub(in super::super) const STUDY: Study = Study {
    id: "tba-fig3",
    title: "TBA*, Figure 3: against traditional real-time search",
    paper: PAPER,
    claims: &["A7", "A8", "A9"],
    plan,
    judge,
};

/// A setting in which any move expands more is left out, as in the paper.
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
    let (jobs, mut notes) = runs(setup, setup.scale.pick(6, 100), &entries)?;
    notes.push("LRTA*: breadth-first to depth 4 to 16, a state's value the greatest g + h on the way (the published rule may walk in circles); K LRTA*: LSS-LRTA* with one move per search".into());
    notes.push(format!(
        "left out, as in the paper: settings in which any move expands more than {CUT_OFF} states"
    ));
    Plan::new(About { notes, ..About::default() }, jobs)
}

/// The four planners' settings; those that exceed the cut-off are told apart.
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
    let rule = "LRTA*'s work at its best quality divided by TBA*'s at that quality, and LRTA*'s cost divided by TBA*'s at equal work (the median over LRTA*'s settings), are both above 5; as it stands if at least 100 and 20 within a factor of 2";
    let Some(best) = lrta.iter().min_by(|a, b| a.ratio.total_cmp(&b.ratio)) else {
        return Finding::not_measured("A7", says, rule, "no setting of LRTA* stays within the cut-off");
    };
    let work = best.work / work_at(tba, best.ratio);
    let mut costs: Vec<f64> =
        lrta.iter().map(|setting| setting.ratio / ratio_at(tba, setting.work)).collect();
    costs.sort_by(f64::total_cmp);
    let cost = crate::stats::quantile(&costs, 0.5);
    let measured = vec![
        Measured::exact(format!("work at equal quality, {} / TBA*", best.label), work),
        Measured::exact("cost at equal work, LRTA* / TBA*, median", cost),
        Measured::exact("the same, least", costs[0]),
        Measured::exact("the same, most", costs[costs.len() - 1]),
    ];
    let as_it_stands = work >= 50.0 && (10.0..=40.0).contains(&cost);
    Finding::new("A7", says, rule, measured, Verdict::graded(work > 5.0 && cost > 5.0, as_it_stands))
        .explained("how far LRTA* is behind depends on how deep the maps' dead ends are")
}

fn magnitude(Curves { tba, lrta, prioritized, koenig }: &Curves) -> Finding {
    let rivals = [("LRTA*", lrta), ("P-LRTA*", prioritized), ("K LRTA*", koenig)];
    let (mut least, mut all_ten, mut measured) = (f64::INFINITY, true, Vec::new());
    for (name, curve) in rivals {
        let [low, middle, _] = factors(tba, curve);
        least = least.min(low);
        all_ten &= middle >= 10.0;
        measured.push(Measured::exact(
            format!("work at equal quality, {name} / TBA*, median over settings"),
            middle,
        ));
        measured.push(Measured::exact(format!("the same, least ({name})"), low));
    }
    Finding::new(
        "A8",
        "TBA* needs an order of magnitude fewer expansions than LRTA*, P-LRTA* and K LRTA* for equal quality",
        "every setting of all three takes more work than TBA* at its quality; as it stands if the median over settings is at least 10 for each of the three",
        measured,
        Verdict::graded(least > 1.0, all_ten),
    )
    .explained("K LRTA* with large look-aheads comes near; where a rival's quality is worse than TBA*'s worst, the factor is a lower bound")
}

fn halves(Curves { lrta, prioritized, koenig, .. }: &Curves) -> Finding {
    let [_, p, _] = factors(prioritized, lrta);
    let [_, k, _] = factors(koenig, lrta);
    Finding::new(
        "A9",
        "P-LRTA* and K LRTA* reach LRTA*'s quality with about half the resources",
        "LRTA*'s work at equal quality is above theirs (the median over its settings); as it stands if between 1.5 and 3 times for both",
        vec![
            Measured::exact("LRTA* / P-LRTA*, median", p),
            Measured::exact("LRTA* / K LRTA*, median", k),
        ],
        Verdict::graded(p > 1.0 && k > 1.0, [p, k].iter().all(|factor| (1.5..=3.0).contains(factor))),
    )
    .explained("both learn more per expansion than LRTA*, by how much depends on the maps; work within P-LRTA*'s queue is counted as expansions")
}

fn table(all: &[Vec<Setting>; 4]) -> Table {
    let mut table = Table::new(
        "Settings",
        &["setting", "expansions per action", "worst action", "cost / optimal", "95 %"],
    );
    for setting in all.iter().flatten() {
        let left_out = if setting.worst > CUT_OFF { " (left out)" } else { "" };
        table.push(vec![
            setting.label.clone(),
            number(setting.work),
            format!("{}{left_out}", setting.worst),
            number(setting.ratio),
            setting.interval.to_string(),
        ]);
    }
    table
}
