//! Figure 3: unknown worlds, by limit.

use std::sync::Arc;

use fleetfoot::Rules;
use fleetfoot_sim::budget::Budget;
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::sensor::Sight;
use fleetfoot_sim::world::WorldSpec;

use super::super::games::{Needs, Wanted, cave, choose};
use super::super::limits::{Against, against, grows, label, measured, spec};
use super::super::{Evidence, Setup, Study, paper_job};
use super::{Entry, LIMITS, NON_RTD, PAPER, figure, still, table};
use fleetfoot_lab::places::{Made, MapSource, Place, Scene};
use fleetfoot_lab::problems::{LengthRange, numbered, random_within};
use fleetfoot_lab::report::{Finding, Measured, Report, Verdict};
use fleetfoot_lab::run::{About, Job, Plan, Problem, Row};
use fleetfoot_lab::stats::{TriState, bootstrap, quantile};

pub(in super::super) const STUDY: Study = Study {
    id: "rtd-fig3",
    title: "RTD*, Figure 3: unknown worlds by limit",
    paper: PAPER,
    claims: &["E1", "E2", "E3", "E4", "E11"],
    plan,
    judge,
};

/// Warcraft maps. The paper does not name its three.
const MAPS: [Wanted; 3] = [
    Wanted { set: "wc3maps512", file: "blastedlands.map", instead: cave(256, 1) },
    Wanted { set: "wc3maps512", file: "bootybay.map", instead: cave(256, 2) },
    Wanted { set: "wc3maps512", file: "darkforest.map", instead: cave(256, 3) },
];

/// A map with deep dead ends, for comparison.
const DEAD_ENDS: [Wanted; 1] = [Wanted {
    set: "dao",
    file: "brc202d.map",
    instead: Made::Maze { size: (145, 145), corridor: 8, seed: 1 },
}];

/// Nearly the longest paths on the paper's maps of 161×161 cells.
const LENGTHS: LengthRange = LengthRange::new(120.0, 250.0);

const RTD_LRTA: &str = "RTD* (LRTA*, 25 %)";
const RTD_LSS: &str = "RTD* (LSS-LRTA*, 75 %)";
const ENTRIES: [Entry; 5] = [
    ("LRTA*", "tla"),
    ("LSS-LRTA*", "lss-lrta"),
    (RTD_LRTA, "rtd(local=tla,ratio=25%)"),
    (RTD_LSS, "rtd(local=lss-lrta,ratio=75%)"),
    ("NoOp", "rtd-noop"),
];
/// Planners without a limit. Each should walk like the last one.
const UNLIMITED: [Entry; 2] =
    [(RTD_LRTA, "rtd(local=tla,ratio=25%)"), (RTD_LSS, "rtd(local=lss-lrta,ratio=75%)")];

/// Number of problems per map that are also run in a known world.
const KNOWN: usize = 20;

fn unlimited(planner: &str) -> String {
    format!("{planner} at ∞")
}

/// Returns the label of runs on maps with deep dead ends.
fn dead_ends(planner: &str) -> String {
    format!("{planner}, dead ends")
}

fn plan(setup: &Setup) -> Result<Plan, InputError> {
    let (maps, mut map_notes) =
        choose(setup, "three Warcraft maps of 161×161 cells", &MAPS, Needs::Any(Some(LENGTHS)))?;
    let (problems, more) = (setup.scale.pick(40, 173), setup.scale.pick(20, 173));
    let mut jobs = Vec::new();
    for map in maps {
        let known = random_within(&map.load()?.map, Rules::default(), Some(LENGTHS), KNOWN, 1)?;
        jobs.extend(still::runs(&map, &numbered(known))?);
        runs(map, problems, &mut jobs, |place, problem| {
            let mut all = Vec::new();
            for (name, text) in ENTRIES {
                for limit in LIMITS {
                    let job = paper_job(place, problem, spec(text)?, Budget::Expansions(limit));
                    all.push(job.labelled(label(name, limit)));
                }
            }
            for (name, text) in UNLIMITED {
                all.push(paper_job(place, problem, spec(text)?, Budget::Unlimited).labelled(unlimited(name)));
            }
            all.push(paper_job(place, problem, spec("non-rtd")?, Budget::Unlimited).labelled(NON_RTD));
            Ok(all)
        })?;
    }
    let (maps, other_notes) = choose(setup, "no such map", &DEAD_ENDS, Needs::These)?;
    map_notes
        .extend(other_notes.into_iter().map(|note| format!("with deep dead ends, for claim E2: {note}")));
    for map in maps {
        runs(map, more, &mut jobs, |place, problem| {
            let mut all = Vec::new();
            for (name, text) in ENTRIES.into_iter().filter(|(name, _)| [RTD_LRTA, "NoOp"].contains(name)) {
                for limit in LIMITS {
                    let job = paper_job(place, problem, spec(text)?, Budget::Expansions(limit));
                    all.push(job.labelled(label(&dead_ends(name), limit)));
                }
            }
            Ok(all)
        })?;
    }
    let mut notes = vec![format!(
        "problems: {problems} per map, random (seed 1), optimal cost {LENGTHS}, about as far as one can go on maps of the paper's size; the paper: 519 in all, of any length; {more} on the map with dead ends"
    )];
    notes.push("world: unknown, taken to be free, the agent sees all cells within an octile distance of 7; eight moves, 1 and √2, no corner cutting".into());
    notes.push("counted: expansions and key refreshes; learning is not, as in the paper; LRTA* looks ahead by A* (TLA*); the focus of D* Lite moves per episode".into());
    Plan::new(About { map_notes, notes, ..About::default() }, jobs)
}

/// Adds the runs of `problems` problems of a map.
fn runs(
    map: MapSource,
    problems: u64,
    jobs: &mut Vec<Job>,
    of: impl Fn(&Arc<Place>, Problem) -> Result<Vec<Job>, InputError>,
) -> Result<(), InputError> {
    let pairs = random_within(&map.load()?.map, Rules::default(), Some(LENGTHS), problems as usize, 1)?;
    let scene = Scene::Spec(WorldSpec::Unknown { sight: Some(Sight::Radius(7)) });
    let place = Arc::new(Place::new(map, scene));
    for (index, (start, goal)) in (0..).zip(pairs) {
        jobs.extend(of(&place, Problem { index, start, goal })?);
    }
    Ok(())
}

/// Returns time steps divided by those of A* on the known map.
fn steps(row: &Row) -> f64 {
    row.steps as f64 / row.astar_moves.unwrap_or(0).max(1) as f64
}

fn judge(evidence: &Evidence<'_>) -> Report {
    let findings = vec![
        better(evidence),
        noop(evidence),
        in_the_limit(evidence),
        modern(evidence),
        still::finding(evidence, &[RTD_LRTA, RTD_LSS]),
    ];
    let names = ENTRIES.map(|(name, _)| name);
    let dead = [RTD_LRTA, "NoOp"].map(dead_ends);
    let all: Vec<&str> = names.into_iter().chain(dead.iter().map(String::as_str)).collect();
    Report {
        findings,
        tables: vec![table(evidence, "Time steps / those of A* with full knowledge, by limit", &all, steps)],
        figures: vec![figure(
            evidence,
            ("fig3", "Unknown worlds", "time steps / A* with full knowledge"),
            &names,
            steps,
        )],
        ..Report::default()
    }
}

fn better(evidence: &Evidence<'_>) -> Finding {
    // With a limit of 1 the learner gets everything.
    let lrta = against(evidence, &LIMITS[1..], ("LRTA*", RTD_LRTA), steps);
    let noop = against(evidence, &LIMITS, ("NoOp", RTD_LRTA), steps);
    let more = |all: &[Against]| all.iter().map(Against::more).collect::<Vec<_>>();
    let trend = TriState::most(5, &more(&lrta)).and(TriState::at_least(5, more(&noop)));
    let wider = grows(evidence, [8, 512], ("LRTA*", RTD_LRTA), steps);
    let grown = wider.span().above(1.0);
    let mut numbers = measured("time steps, LRTA* / RTD*", &lrta);
    numbers.push(Measured { what: format!("LRTA* / RTD*: {}", wider.what), ..wider });
    numbers.extend(measured("time steps, NoOp / RTD*", &noop));
    Finding::new(
        "E1",
        "in unknown worlds RTD* with LRTA* (25 %) beats LRTA* and NoOp at most limits; LRTA* is decent at small limits and improves slowly",
        "LRTA*'s mean is above RTD*'s at 5 or more of the 7 limits above 1, and at none below, and NoOp's is above at 5 or more of the 8; as it stands if the ratio to LRTA* is larger at 512 than at 8",
        numbers,
        Verdict::graded(trend, grown),
    )
    .explained("see which of the two it does not beat. Where a dead end is deep, standing until the way is known can be faster than being led about by a learner")
}

fn noop(evidence: &Evidence<'_>) -> Finding {
    let all = against(evidence, &LIMITS, ("NoOp", RTD_LRTA), steps);
    let dead = (dead_ends("NoOp"), dead_ends(RTD_LRTA));
    let dead = against(evidence, &LIMITS, (&dead.0, &dead.1), steps);
    let (fall, fall_interval) = evidence.ratio(&label("NoOp", 8), &label("NoOp", 512), steps);
    let more: Vec<TriState> = all.iter().map(Against::more).collect();
    let mut numbers = measured("time steps, NoOp / RTD* (LRTA*)", &all);
    numbers.extend([8, 32, 128, 512].map(|limit| median(evidence, limit)));
    numbers.extend(measured("means on a map with dead ends, NoOp / RTD* (LRTA*)", &dead));
    numbers.push(Measured::new("time steps, NoOp with 8 / with 512", fall, fall_interval));
    Finding::new(
        "E2",
        "NoOp improves enormously with the limit and still stays very poor",
        "from 8 to 512 its mean falls to a fifth or less, it is above RTD*'s at 5 or more of the 8 limits, and at none below; as it stands if it is above at every limit",
        numbers,
        Verdict::graded(fall_interval.at_least(5.0).and(TriState::most(5, &more)), TriState::all(more.iter().copied())),
    )
    .explained("compare means with medians: means are made by few problems, perhaps those with deep pockets, in which a learner walks far in vain while NoOp stands and waits for its way")
}

/// Returns the median over problems of the time of `NoOp` divided by that of RTD*.
fn median(evidence: &Evidence<'_>, limit: u64) -> Measured {
    let pair = ["NoOp", RTD_LRTA].map(|planner| evidence.values(&label(planner, limit), steps));
    let ratios: Vec<f64> = pair[0].iter().zip(&pair[1]).map(|(noop, rtd)| noop / rtd).collect();
    let middle = |values: &[f64]| {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        quantile(&sorted, 0.5)
    };
    Measured::new(
        format!("median of NoOp / RTD* (LRTA*) at {limit}"),
        middle(&ratios),
        bootstrap(&ratios, middle),
    )
}

fn in_the_limit(evidence: &Evidence<'_>) -> Finding {
    let reference = evidence.rows(NON_RTD);
    let (mut numbers, mut same, mut near) = (Vec::new(), true, TriState::Yes);
    for (planner, _) in UNLIMITED {
        let rows = evidence.rows(&unlimited(planner));
        let equal = rows.iter().zip(reference).filter(|(a, b)| a.walk == b.walk).count();
        same &= equal == reference.len() && rows.len() == equal;
        numbers.push(Measured::exact(
            format!("{planner}: walks of {} that are those of {NON_RTD} without a limit", reference.len()),
            equal as f64,
        ));
        let (ratio, interval) = super::super::evidence::quotient(
            &evidence.values(&label(planner, 512), steps),
            &evidence.values(NON_RTD, steps),
        );
        near = near.and(interval.at_most(1.10));
        numbers.push(Measured::new(format!("time steps, {planner} at 512 / {NON_RTD}"), ratio, interval));
    }
    Finding::new(
        "E3",
        "with a growing limit RTD* becomes Non-RTD*",
        "without a limit every walk is that of Non-RTD*, cell by cell; as it stands if at 512 the mean time is within 10 % of its",
        numbers,
        Verdict::graded(same, near),
    )
    .explained("a way that is blocked far from the goal changes much of the field; 512 expansions do not repair it in a step")
}

fn modern(evidence: &Evidence<'_>) -> Finding {
    let lrta = against(evidence, &LIMITS[1..], ("LRTA*", "LSS-LRTA*"), steps);
    let rtd = against(evidence, &LIMITS[1..], (RTD_LSS, "LSS-LRTA*"), steps);
    let within = |share: f64| TriState::all(rtd.iter().map(|a| a.even(share)));
    let better = TriState::all(lrta.iter().map(Against::more));
    let mut numbers = measured("time steps, LRTA* / LSS-LRTA*", &lrta);
    numbers.extend(measured("time steps, RTD* (LSS-LRTA*, 75 %) / LSS-LRTA*", &rtd));
    Finding::new(
        "E4",
        "LSS-LRTA* is far better than LRTA*, and in unknown worlds RTD* with it (75 %) is about the same as LSS-LRTA* alone",
        "LRTA*'s mean is above LSS-LRTA*'s at every limit above 1, and RTD*'s within 30 % of it; as it stands if within 10 %",
        numbers,
        Verdict::graded(better.and(within(0.30)), within(0.10)),
    )
    .explained("see the limits at which they differ: three quarters of a limit look less far than the whole, and what D* Lite does with the rest may lead out of a pocket")
}
