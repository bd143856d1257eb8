//! Columns f, g and h: times, on whatever machine this is, and what is claimed of them.

use super::super::Evidence;
use super::numbers::{LOOKAHEADS, LSS, Line, OTHERS, RTAA};
use super::table1::episodes;
use super::{label, timed};
use crate::number;
use crate::report::{Finding, Measured, Table, Verdict};
use crate::run::Row;

fn time(row: &Row) -> f64 {
    row.time_us.unwrap_or(0.0)
}

/// Microseconds in all, per episode, per action, and the trajectory cost: of timed runs.
fn line(evidence: &Evidence<'_>, name: &str) -> [f64; 4] {
    let name = timed(name);
    if evidence.disturbed(&name).is_some() {
        return [f64::NAN; 4];
    }
    let (all, cost) = (evidence.mean(&name, time), evidence.mean(&name, |row| row.cost));
    [all, all / evidence.mean(&name, episodes), all / evidence.mean(&name, |row| row.moves as f64), cost]
}

pub(super) fn table(evidence: &Evidence<'_>) -> Table {
    let columns =
        ["planner", "f ours", "f paper", "g ours", "g paper", "h ours", "h paper", "share of a core"];
    let mut table = Table::new("Times: total f, per episode g, per action h, in µs", &columns);
    let mut push = |name: String, paper: [f64; 3]| {
        let ours = line(evidence, &name);
        let share = evidence.mean(&timed(&name), |row| row.core_share.unwrap_or(0.0));
        let mut cells = vec![name];
        for k in 0..3 {
            cells.extend([number(ours[k]), number(paper[k])]);
        }
        cells.push(number(share));
        table.push(cells);
    };
    for (name, lines) in [("RTAA*", &RTAA), ("LSS-LRTA*", &LSS)] {
        for (a, paper) in LOOKAHEADS.iter().zip(lines as &[Line]) {
            push(label(name, *a), [paper[4], paper[5], paper[6]]);
        }
    }
    for (name, _, paper) in OTHERS {
        push(name.to_owned(), [paper[4], paper[5], paper[6]]);
    }
    table.noted("The paper's machine was a 2.4 GHz Opteron 150 of 2005. Runs that had to share their core have no time.")
}

pub(super) fn findings(evidence: &Evidence<'_>) -> Vec<Finding> {
    let says = [
        (
            "D2f",
            "with a good look-ahead RTAA* needs the least total time of all: 22.1 ms < LSS-LRTA* 27.3 < D* Lite 37.3 < A*",
        ),
        ("D2g", "above D* Lite's mean time per episode (20.99 µs) use D* Lite, below it RTAA*"),
        (
            "D2h",
            "at 20.00 µs per episode RTAA* (look-ahead 67) walks 13657 and LSS-LRTA* (43) 16814: 23 % more",
        ),
        ("D2i", "at 4.00 µs per action RTAA* (79) walks 12700 and LSS-LRTA* (53) 14428: 13.6 % more"),
    ];
    if let Some(why) = [label("RTAA*", Some(1)), label("RTAA*", None), "D* Lite".into(), "forward A*".into()]
        .iter()
        .find_map(|name| evidence.disturbed(&timed(name)))
    {
        let rule = "judged only if the timed runs had their core to themselves";
        return says.map(|(id, says)| Finding::not_measured(id, says, rule, why.clone())).to_vec();
    }
    let [f, g, h, i] = says;
    vec![
        least_time(evidence, f),
        crossover(evidence, g),
        at_equal_time(evidence, h, 1, 67.0, 1.231),
        at_equal_time(evidence, i, 2, 79.0, 1.136),
    ]
}

fn least_time(evidence: &Evidence<'_>, (id, says): (&str, &str)) -> Finding {
    let best = |name: &str| {
        let of = |a: &Option<u32>| (line(evidence, &label(name, *a))[0], *a);
        LOOKAHEADS.iter().map(of).min_by(|x, y| x.0.total_cmp(&y.0)).unwrap_or((0.0, None))
    };
    let ((rtaa, at), (lss, _)) = (best("RTAA*"), best("LSS-LRTA*"));
    let [dstar, forward, backward] =
        ["D* Lite", "forward A*", "backward A*"].map(|name| line(evidence, name)[0]);
    let at = at.map_or("∞".into(), |a| a.to_string());
    Finding::new(
        id,
        says,
        "the least mean total time over look-aheads of RTAA* is below that of every other; as it stands if the whole order is the paper's",
        vec![
            Measured::exact(format!("µs, RTAA* (look-ahead {at})"), rtaa),
            Measured::exact("µs, LSS-LRTA* at its best", lss),
            Measured::exact("µs, D* Lite", dstar),
            Measured::exact("µs, forward A*", forward),
        ],
        Verdict::graded(rtaa < lss.min(dstar).min(forward).min(backward), lss < dstar && dstar < forward),
    )
    .explained("times depend on the machine and on how much each implementation was tuned: LSS-LRTA*'s lesson, D* Lite's queue")
}

fn crossover(evidence: &Evidence<'_>, (id, says): (&str, &str)) -> Finding {
    let [_, limit, _, cost] = line(evidence, "D* Lite");
    let rtaa: Vec<[f64; 4]> = LOOKAHEADS.iter().map(|a| line(evidence, &label("RTAA*", *a))).collect();
    let below = rtaa.iter().filter(|line| line[1] <= limit).count();
    // Among those that keep the limit none walks less than D* Lite; and below it there are learners to choose.
    let better = rtaa.iter().filter(|line| line[1] <= limit && line[3] < cost).count();
    Finding::new(
        id,
        says,
        "some look-aheads of RTAA* keep below D* Lite's mean time per episode, and none of these has a smaller trajectory cost than D* Lite",
        vec![
            Measured::exact("D* Lite's µs per episode", limit),
            Measured::exact("look-aheads of RTAA* (of 13) below it", below as f64),
            Measured::exact("of these with a smaller cost than D* Lite's", better as f64),
        ],
        Verdict::of(below > 0 && better == 0),
    )
    .explained("where D* Lite's episodes are cheap, no learner is both faster and better")
}

/// LSS-LRTA*'s cost where it takes as long, per episode or per action, as RTAA* with a look-ahead.
fn at_equal_time(
    evidence: &Evidence<'_>,
    (id, says): (&str, &str),
    per: usize,
    lookahead: f64,
    paper: f64,
) -> Finding {
    let finite: Vec<f64> = LOOKAHEADS.iter().flatten().map(|a| f64::from(*a)).collect();
    let curve = |name: &str| -> Vec<[f64; 4]> {
        LOOKAHEADS.iter().filter(|a| a.is_some()).map(|a| line(evidence, &label(name, *a))).collect()
    };
    let (rtaa, lss) = (curve("RTAA*"), curve("LSS-LRTA*"));
    let column = |lines: &[[f64; 4]], k: usize| lines.iter().map(|line| line[k]).collect::<Vec<f64>>();
    let limit = between(&finite, &column(&rtaa, per), lookahead);
    let ours = between(&finite, &column(&rtaa, 3), lookahead);
    let theirs = between(&column(&lss, per), &column(&lss, 3), limit);
    let ratio = theirs / ours;
    Finding::new(
        id,
        says,
        "where LSS-LRTA* takes as long as RTAA* with that look-ahead (interpolated between the table's), its trajectory is dearer; as it stands if by the paper's factor within 10 %",
        vec![
            Measured::exact("the time, µs", limit),
            Measured::exact("RTAA*'s cost", ours),
            Measured::exact(format!("LSS-LRTA*'s cost / RTAA*'s (paper: {paper})"), ratio),
        ],
        Verdict::graded(ratio > 1.0, (ratio / paper - 1.0).abs() <= 0.10),
    )
    .explained("our LSS-LRTA* learns in at most two looks at a state, so that its lesson costs less than the paper's, and the gap at equal time is smaller or gone")
}

/// The value of a curve at a place, by straight lines between its points; at its ends where it does not reach.
fn between(xs: &[f64], ys: &[f64], x: f64) -> f64 {
    let Some(k) = xs.iter().position(|other| *other >= x) else {
        return ys.last().copied().unwrap_or(f64::NAN);
    };
    if k == 0 {
        return ys[0];
    }
    ys[k - 1] + (ys[k] - ys[k - 1]) * (x - xs[k - 1]) / (xs[k] - xs[k - 1])
}

#[cfg(test)]
mod tests {
    use super::between;

    #[test]
    fn between_points() {
        let near = |a: f64, b: f64| (a - b).abs() < 1e-12;
        let (xs, ys) = ([1.0, 3.0, 4.0], [10.0, 30.0, 0.0]);
        assert!(near(between(&xs, &ys, 2.0), 20.0) && near(between(&xs, &ys, 3.5), 15.0));
        assert!(near(between(&xs, &ys, 0.0), 10.0) && near(between(&xs, &ys, 9.0), 0.0));
    }
}
