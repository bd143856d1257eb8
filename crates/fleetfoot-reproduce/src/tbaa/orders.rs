//! The order of arrival on unknown maps.

use super::super::Evidence;
use super::super::limits::{Against, against, crossing, measured};
use super::{BUDGETS, expansions, label, steps};
use fleetfoot_lab::report::{Finding, Measured, Verdict};
use fleetfoot_lab::stats::TriState;

/// D* Lite, charged for expansions alone.
pub(super) const FREE_REFRESHES: &str = "D* Lite, refreshes free";

const REAL_TIME: [&str; 6] = ["RTAA*", "RTAA* (1 move)", "daRTAA*", "daRTAA* (1 move)", "RTBA*", "TBAA*"];

const RIVALS: [&str; 6] = ["Repeated A*", "AA*", "RTAA*", "RTAA* (1 move)", "daRTAA*", "daRTAA* (1 move)"];

/// The largest of the budgets, nearest to the paper's intervals.
const LARGEST: usize = BUDGETS.len() - 1;

pub(super) fn than_repeated(evidence: &Evidence<'_>) -> Finding {
    let mut numbers = Vec::new();
    let (mut smallest, mut every) = (TriState::Yes, TriState::Yes);
    for planner in REAL_TIME {
        let all = against(evidence, &BUDGETS, (planner, "Repeated A*"), steps);
        smallest = smallest.and(all[0].less());
        every = every.and(TriState::all(all.iter().map(Against::less)));
        numbers.extend(measured(&format!("steps, {planner} / Repeated A*"), &all));
        if let Some(budget) = crossing(&all) {
            numbers.push(Measured::exact(format!("{planner}: budget at which the order turns"), budget));
        }
    }
    Finding::new(
        "B3",
        "every real-time planner needs fewer steps than Repeated A*",
        "at the smallest budget all six have a smaller mean than Repeated A*; as it stands if they have so at every budget",
        numbers,
        Verdict::graded(smallest, every),
    )
    .explained("see which planners and budgets are above 1: where a search of A* fits into few steps it hardly waits, while a learner walks back and forth in every bay until it has filled it")
}

pub(super) fn best(evidence: &Evidence<'_>) -> Finding {
    let mut numbers = Vec::new();
    let mut more = Vec::new();
    for rival in RIVALS {
        let all = against(evidence, &BUDGETS, (rival, "TBAA*"), steps);
        more.extend(all.iter().map(Against::more));
        numbers.extend(measured(&format!("steps, {rival} / TBAA*"), &all));
    }
    let mut near = TriState::Yes;
    for dstar in ["D* Lite", FREE_REFRESHES] {
        let all = against(evidence, &BUDGETS, (dstar, "TBAA*"), steps);
        if dstar == "D* Lite" {
            near = TriState::all(all.iter().map(|a| a.interval.within(0.8, 1.25)));
        }
        numbers.extend(measured(&format!("steps, {dstar} / TBAA*"), &all));
    }
    numbers.extend(measured(
        "steps, RTBA* / TBAA* (not ranked by the text)",
        &against(evidence, &BUDGETS, ("RTBA*", "TBAA*"), steps),
    ));
    Finding::new(
        "B4",
        "TBAA* needs fewer steps than Repeated A*, AA*, RTAA* and daRTAA*, and about as many as D* Lite",
        "of the 24 comparisons with rivals (6 of them, 4 budgets) most are for TBAA*, and none is against it; \
         as it stands if all of them are for it, and D* Lite (its refreshes charged) is within 25 % of TBAA* at every budget",
        numbers,
        Verdict::graded(TriState::most(13, &more), TriState::all(more.iter().copied()).and(near)),
    )
    .explained("see which ratios are below 1, and D* Lite's: it waits for its first search, which is long against a small budget, and whether its key refreshes are charged decides much")
}

pub(super) fn than_dstar(evidence: &Evidence<'_>, is_partial: bool) -> Finding {
    let charged = against(evidence, &BUDGETS, ("TBAA*", "D* Lite"), steps);
    let free = against(evidence, &BUDGETS, ("TBAA*", FREE_REFRESHES), steps);
    let at = charged[LARGEST];
    let as_said = if is_partial { at.less() } else { at.more() };
    let mut numbers = measured("steps, TBAA* / D* Lite", &charged);
    numbers.extend(measured("steps, TBAA* / D* Lite, refreshes free", &free));
    let says = if is_partial {
        "in partially unknown terrain TBAA* is slightly better than D* Lite (perhaps not significantly)"
    } else {
        "in completely unknown terrain TBAA* is slightly worse than D* Lite (perhaps not significantly)"
    };
    Finding::new(
        "B5",
        says,
        "at the largest budget, which is nearest to the paper's, TBAA* / D* Lite is within 15 % of 1; as it stands if it is on the side that is claimed",
        numbers,
        Verdict::graded(at.even(0.15), as_said),
    )
    .explained("the text gives no numbers, and the difference is one of a few percent that depends on the maps and on what a refresh costs")
}

pub(super) fn work_and_time(evidence: &Evidence<'_>) -> Finding {
    let planners: Vec<&str> = REAL_TIME.into_iter().chain(["Repeated A*", "AA*", "D* Lite"]).collect();
    let (mut numbers, mut faster) = (Vec::new(), TriState::Yes);
    for budget in BUDGETS {
        let mean = |planner: &&str| evidence.mean(&label(planner, budget), steps);
        let ahead = planners.iter().filter(|planner| mean(planner) < mean(&"Repeated A*")).count();
        let rivals = planners.iter().filter(|planner| **planner != "Repeated A*");
        let less = |planner: &&str| against(evidence, &[budget], (planner, "Repeated A*"), steps)[0].less();
        faster = faster.and(TriState::any(rivals.map(less)));
        numbers.push(Measured::exact(
            format!("planners (of 8) with fewer steps than Repeated A* at {budget}"),
            ahead as f64,
        ));
    }
    numbers.extend(measured(
        "expansions, AA* / Repeated A*",
        &against(evidence, &BUDGETS[..1], ("AA*", "Repeated A*"), expansions),
    ));
    Finding::new(
        "B8",
        "though A* works least in each search, up to ties, planning with it is not the fastest way to the goal where the map has to be discovered",
        "at every budget some planner has a smaller mean of steps than Repeated A*; that A* works least is measured where the map is known",
        numbers,
        Verdict::of(faster),
    )
    .explained("see the budgets at which no planner is faster: there its searches fit into few steps")
}
