//! Figure 4: TBA* and the searches that use abstraction or precomputation.

use fleetfoot::registry;
use fleetfoot_sim::budget::Budget;
use fleetfoot_sim::error::InputError;

use super::super::curves::{Setting, plot, ratio_at, series, settings};
use super::super::{Evidence, Scale, Setup, Study};
use super::{Entry, PAPER, runs};
use crate::number;
use crate::report::{Figure, Finding, Measured, Report, Table, Verdict};
use crate::run::{About, Plan};

pub(in super::super) const STUDY: Study = Study {
    id: "tba-fig4",
    title: "TBA*, Figure 4: against search with abstraction",
    paper: PAPER,
    claims: &["A10"],
    plan,
    judge,
};

const CUT_OFF: u64 = 1000;
const TBA: [u64; 7] = [10, 25, 50, 75, 100, 500, 1000];

fn plan(setup: &Setup) -> Result<Plan, InputError> {
    let mut entries: Vec<Entry> = TBA
        .iter()
        .map(|limit| Entry::new(format!("TBA* {limit}"), "tba", Budget::Expansions(*limit)))
        .collect();
    // Those that there are.
    if registry::find("pr-lrta").is_some() {
        for level in 3..=7 {
            for depth in [1, 3, 5, 10, 15] {
                for gamma in ["0.2", "0.4", "0.6", "1"] {
                    let spec = format!("pr-lrta(level={level},depth={depth},gamma={gamma})");
                    entries.push(Entry::new(
                        format!("PR LRTA* ℓ={level} d={depth} γ={gamma}"),
                        spec,
                        Budget::Unlimited,
                    ));
                }
            }
        }
    }
    // Its databases take minutes per map.
    if registry::find("d-lrta").is_some() && setup.scale == Scale::Full {
        entries.push(Entry::new("D LRTA* ℓ=3", "d-lrta(level=3)", Budget::Unlimited));
    }
    let (jobs, mut notes) = runs(setup, setup.scale.pick(10, 100), &entries)?;
    notes.push(format!(
        "left out, as in the paper: settings in which any move expands more than {CUT_OFF} states"
    ));
    notes.push("databases are computed beforehand, and not counted".into());
    notes.push(
        "D LRTA*, where it runs, has intermediate goals that lead on, not the paper's, which lead some agents in circles: \
         what is judged of it is that variant"
            .into(),
    );
    Plan::new(About { notes, ..About::default() }, jobs)
}

fn judge(evidence: &Evidence<'_>) -> Report {
    let within = |start: &str| {
        let labels: Vec<String> = evidence.labels(start).into_iter().map(str::to_owned).collect();
        settings(evidence, &labels).into_iter().filter(|setting| setting.worst <= CUT_OFF).collect::<Vec<_>>()
    };
    let (tba, refined, dynamic) = (within("TBA*"), within("PR LRTA*"), within("D LRTA*"));
    let mut shown = vec![series("TBA*", &tba, true)];
    if !refined.is_empty() {
        shown.push(series("PR LRTA*", &refined, false));
    }
    if !dynamic.is_empty() {
        shown.push(series("D LRTA*", &dynamic, false));
    }
    let mut table =
        Table::new("Settings", &["setting", "expansions per action", "worst action", "cost / optimal"]);
    for setting in tba.iter().chain(&refined).chain(&dynamic) {
        table.push(vec![
            setting.label.clone(),
            number(setting.work),
            setting.worst.to_string(),
            number(setting.ratio),
        ]);
    }
    let figure = Figure {
        name: "fig4".into(),
        caption: "Each point a setting, means with 95 % intervals; nearer to the lower left is better."
            .into(),
        plot: plot("TBA* and search with abstraction", shown),
    };
    Report {
        findings: vec![on_par(&tba, &refined, &dynamic)],
        tables: vec![table],
        figures: vec![figure],
        ..Report::default()
    }
}

/// The settings that no other one beats in both work and quality.
fn best(curve: &[Setting]) -> Vec<&Setting> {
    let beaten = |a: &Setting| curve.iter().any(|b| b.work < a.work && b.ratio < a.ratio);
    curve.iter().filter(|setting| !beaten(setting)).collect()
}

fn on_par(tba: &[Setting], refined: &[Setting], dynamic: &[Setting]) -> Finding {
    let says = "TBA* is on par with PR LRTA* and D LRTA*; D LRTA* is somewhat better, after hours of precomputation per map";
    let rule = "at the work of each setting of theirs that no other one beats, their cost divided by TBA*'s has a median between 0.5 and 2 for both; as it stands if D LRTA*'s is below 1";
    if refined.is_empty() {
        let why = "PR LRTA* is not among the planners, or has no setting within the cut-off";
        return Finding::not_measured("A10", says, rule, why);
    }
    let compared = |curve: &[Setting]| {
        let mut all: Vec<f64> =
            best(curve).iter().map(|setting| setting.ratio / ratio_at(tba, setting.work)).collect();
        all.sort_by(f64::total_cmp);
        crate::stats::quantile(&all, 0.5)
    };
    let par = |value: f64| (0.5..=2.0).contains(&value);
    let p = compared(refined);
    let mut measured = vec![Measured::exact("cost at equal work, PR LRTA* / TBA*, median", p)];
    if dynamic.is_empty() {
        return Finding::new("A10", says, rule, measured, Verdict::graded(par(p), false))
            .explained("judged by PR LRTA* alone: D LRTA*'s databases take minutes per map, and are made with --full only; our PR LRTA* does better than the paper's where its corridors are short, since a path that is refined once is walked to its end");
    }
    let d = compared(dynamic);
    measured.push(Measured::exact("cost at equal work, D LRTA* / TBA*, median", d));
    Finding::new("A10", says, rule, measured, Verdict::graded(par(p) && par(d), d < 1.0))
        .explained("D LRTA* looks up where to go and expands next to nothing; the best settings of PR LRTA* refine long stretches at once. Both pay beforehand: the abstraction, and for D LRTA* its databases")
}
