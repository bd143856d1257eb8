//! Runs contenders alternately, and shows how they compare.

use std::fmt::Display;

use fleetfoot_sim::budget::thread_nanos;

/// The result of solving one problem.
pub(crate) struct Outcome {
    pub(crate) expansions: u64,
    /// The cost of the path, if the contender reports it: all must agree.
    pub(crate) cost: Option<u32>,
}

/// A solver of a case's problems, given by index.
pub(crate) struct Contender<'a> {
    pub(crate) name: &'static str,
    pub(crate) run: Box<dyn FnMut(usize) -> Outcome + 'a>,
}

/// A contender's best times, summed over the problems.
pub(crate) struct Score {
    pub(crate) name: &'static str,
    pub(crate) expansions: u64,
    pub(crate) seconds: f64,
}

impl Score {
    fn per_expansion(&self) -> f64 {
        self.seconds / self.expansions as f64
    }
}

/// Solves each problem with all contenders alternately, in a different order in each round, and takes each one's best
/// time on each problem: short stretches of the thread's own time, so that a busy machine disturbs little, and all
/// equally.
pub(crate) fn race(mut contenders: Vec<Contender<'_>>, problems: usize, rounds: usize) -> Vec<Score> {
    let count = contenders.len();
    let blank = |c: &Contender| Score { name: c.name, expansions: 0, seconds: 0.0 };
    let mut scores: Vec<Score> = contenders.iter().map(blank).collect();
    for problem in 0..problems {
        let mut best = vec![(u64::MAX, 0); count];
        let mut agreed = None;
        for turn in 0..rounds * count {
            let k = (turn + turn / count) % count;
            let begin = thread_nanos();
            let Outcome { expansions, cost } = (contenders[k].run)(problem);
            best[k] = best[k].min((thread_nanos() - begin, expansions));
            if cost.is_some() {
                assert_eq!(*agreed.get_or_insert(cost), cost, "{} found another path", contenders[k].name);
            }
        }
        for (score, (nanos, expansions)) in scores.iter_mut().zip(best) {
            score.seconds += nanos as f64 * 1e-9;
            score.expansions += expansions;
        }
    }
    scores
}

/// The target of a column: the mean ratio over all maps, and the ratio on each; 0 without a target.
pub(crate) struct Aim {
    pub(crate) mean: f64,
    pub(crate) least: f64,
}

/// Ratios to the first contender, a map per row.
pub(crate) struct Table {
    title: String,
    aims: Vec<Aim>,
    names: Vec<&'static str>,
    /// By map and column: the ratio of expansions per second, and of total times.
    ratios: Vec<Vec<(f64, f64)>>,
}

impl Table {
    pub(crate) fn new(title: &str, aims: Vec<Aim>) -> Self {
        Self { title: title.to_owned(), aims, names: Vec::new(), ratios: Vec::new() }
    }

    pub(crate) fn row(&mut self, map: &str, scores: &[Score]) {
        let first = &scores[0];
        if self.names.is_empty() {
            self.names = scores[1..].iter().map(|score| score.name).collect();
            println!("\n{}: expansions per second, {} = 1", self.title, first.name);
            print!("{:28}{:>18}", "map", "ns per expansion");
            print_cells(self.names.iter());
        }
        print!("{map:28}{:>18.0}", first.per_expansion() * 1e9);
        let ratio = |s: &Score| (first.per_expansion() / s.per_expansion(), first.seconds / s.seconds);
        let ratios: Vec<_> = scores[1..].iter().map(ratio).collect();
        print_cells(ratios.iter().map(|ratio| format!("{:.2}", ratio.0)));
        self.ratios.push(ratios);
    }

    /// Prints means, minima, and whether the targets were reached.
    pub(crate) fn finish(&self) {
        let column = |k: usize| self.ratios.iter().map(move |row| row[k]);
        let columns = 0..self.names.len();
        let mean = |values: Vec<f64>| values.iter().sum::<f64>() / values.len() as f64;
        let means: Vec<f64> = columns.clone().map(|k| mean(column(k).map(|r| r.0).collect())).collect();
        let minima: Vec<f64> =
            columns.clone().map(|k| column(k).map(|r| r.0).fold(f64::MAX, f64::min)).collect();
        let times: Vec<f64> = columns.clone().map(|k| mean(column(k).map(|r| r.1).collect())).collect();
        for (name, values) in [("mean", &means), ("minimum", &minima), ("mean, by whole time", &times)] {
            print!("{name:46}");
            print_cells(values.iter().map(|value| format!("{value:.2}")));
        }
        print!("{:46}", "aim (mean, minimum)");
        print_cells(self.aims.iter().enumerate().map(|(k, &Aim { mean, least })| {
            let reached = if means[k] >= mean && minima[k] >= least { "reached" } else { "MISSED" };
            match (mean > 0.0, least > 0.0) {
                (false, _) => "-".to_owned(),
                (true, false) => format!("{mean:.1} {reached}"),
                (true, true) => format!("{mean:.1},{least:.1} {reached}"),
            }
        }));
    }
}

fn print_cells(cells: impl Iterator<Item = impl Display>) {
    for cell in cells {
        print!("{cell:>18}");
    }
    println!();
}
