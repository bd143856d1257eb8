//! A claim, and what became of it.

use std::fmt::{self, Write as _};

use crate::stats::Interval;

/// What a rule makes of the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// As claimed, with its number if it has one.
    Holds,
    /// What is claimed holds, but not with that number.
    AnotherNumber,
    /// The data speak against it.
    Fails,
    /// There are no data for it.
    NotMeasured,
}

impl Verdict {
    /// Holds or not.
    pub fn of(holds: bool) -> Self {
        if holds { Self::Holds } else { Self::Fails }
    }

    /// For claims that have a number: whether the trend is as claimed, and whether the number is.
    pub fn graded(trend: bool, number: bool) -> Self {
        match (trend, number) {
            (true, true) => Self::Holds,
            (true, false) => Self::AnotherNumber,
            (false, _) => Self::Fails,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Holds => "holds",
            Self::AnotherNumber => "holds with another number",
            Self::Fails => "fails",
            Self::NotMeasured => "not measured",
        })
    }
}

/// A measured number.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// What it is.
    pub what: String,
    /// The number.
    pub value: f64,
    /// A 95 % interval, where there is one.
    pub interval: Option<Interval>,
}

impl Measured {
    /// A number with an interval.
    pub fn new(what: impl Into<String>, value: f64, interval: Interval) -> Self {
        Self { what: what.into(), value, interval: Some(interval) }
    }

    /// How many there are among so many; no number if there are none to be among.
    pub fn count(what: impl Into<String>, count: usize, of: usize) -> Self {
        Self::exact(what, if of == 0 { f64::NAN } else { count as f64 })
    }

    /// A number that is exact.
    pub fn exact(what: impl Into<String>, value: f64) -> Self {
        Self { what: what.into(), value, interval: None }
    }
}

impl Measured {
    /// The number with its interval.
    fn number(&self) -> String {
        let interval = self.interval.map(|interval| format!(" ({interval})")).unwrap_or_default();
        format!("{}{interval}", crate::number(self.value))
    }
}

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.what, self.number())
    }
}

/// A claim, and what became of it. The verdict is to be computed by the rule that stands beside it.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The claim's id.
    pub id: String,
    /// What the paper says.
    pub says: String,
    /// What decides.
    pub rule: String,
    /// What was measured.
    pub measured: Vec<Measured>,
    /// What follows.
    pub verdict: Verdict,
    /// Why, where it differs; empty where there is nothing to explain.
    pub why: String,
}

impl Finding {
    /// A claim that was put to the test. Where one of its numbers is none, there were no runs for it, and nothing follows.
    pub fn new(id: &str, says: &str, rule: &str, measured: Vec<Measured>, verdict: Verdict) -> Self {
        let [id, says, rule] = [id, says, rule].map(str::to_owned);
        let missing = measured.iter().find(|number| number.value.is_nan());
        let (verdict, why) = match missing {
            Some(number) => (Verdict::NotMeasured, format!("there are no runs for: {}", number.what)),
            None => (verdict, String::new()),
        };
        Self { id, says, rule, measured, verdict, why }
    }

    /// A claim for which there are no data, and why.
    pub fn not_measured(id: &str, says: &str, rule: &str, why: impl Into<String>) -> Self {
        let finding = Self::new(id, says, rule, Vec::new(), Verdict::NotMeasured);
        Self { why: why.into(), ..finding }
    }

    /// What was measured, line by line: the same thing at several budgets is one line.
    pub fn lines(&self) -> Vec<String> {
        let mut lines: Vec<(&str, String)> = Vec::new();
        for measured in &self.measured {
            let at_a_number = measured.what.rsplit_once(" at ").filter(|(_, at)| at.parse::<u64>().is_ok());
            match (at_a_number, lines.last_mut()) {
                (Some((what, at)), Some((before, line))) if what == *before => {
                    let _ = write!(line, "; at {at}: {}", measured.number());
                }
                (Some((what, at)), _) => {
                    lines.push((what, format!("{what}, at {at}: {}", measured.number())));
                }
                (None, _) => lines.push(("", measured.to_string())),
            }
        }
        lines.into_iter().map(|(_, line)| line).collect()
    }

    /// The same with an explanation, where the data say something else than simply that it holds.
    #[must_use]
    pub fn explained(self, why: impl Into<String>) -> Self {
        match self.verdict {
            Verdict::Holds | Verdict::NotMeasured => self,
            Verdict::AnotherNumber | Verdict::Fails => Self { why: why.into(), ..self },
        }
    }
}

/// How often each verdict was given, in words.
pub fn count(findings: &[Finding]) -> String {
    let all = [Verdict::Holds, Verdict::AnotherNumber, Verdict::Fails, Verdict::NotMeasured];
    let counted = |verdict: Verdict| (verdict, findings.iter().filter(|f| f.verdict == verdict).count());
    let parts: Vec<String> = all
        .map(counted)
        .iter()
        .filter(|(_, n)| *n > 0)
        .map(|(verdict, n)| format!("{n} × {verdict}"))
        .collect();
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_for_all_budgets() {
        let at = |what: &str, k: u32| Measured::exact(format!("{what} at {k}"), f64::from(k));
        let measured =
            vec![at("a / b", 10), at("a / b", 50), at("c / b", 10), Measured::exact("d at all", 0.5)];
        let finding = Finding::new("X", "says", "rule", measured, Verdict::Holds);
        assert_eq!(finding.lines(), ["a / b, at 10: 10; at 50: 50", "c / b, at 10: 10", "d at all: 0.5"]);
    }

    #[test]
    fn nothing_follows_from_no_number() {
        let measured = vec![Measured::exact("a", 1.0), Measured::count("b", 0, 0)];
        let finding = Finding::new("X", "says", "rule", measured, Verdict::Holds).explained("because");
        assert_eq!(
            (finding.verdict, finding.why.as_str()),
            (Verdict::NotMeasured, "there are no runs for: b")
        );
    }
}
