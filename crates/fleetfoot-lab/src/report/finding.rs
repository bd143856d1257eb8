//! A claim, and its verdict.

use std::fmt::{self, Write as _};

use crate::stats::{Interval, TriState};

/// The result of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The data support the claim, including its number if it has one.
    Holds,
    /// The data support the claim, and contradict its number.
    HoldsOtherNumber,
    /// The intervals do not decide.
    Undecided {
        /// Only the number is undecided: the claim itself is supported.
        number_only: bool,
    },
    /// The data contradict the claim.
    Fails,
    /// There are no data.
    NotMeasured,
}

/// How the conditions of rules are judged, for reports.
pub const HOW_JUDGED: &str = "A condition is met where the whole 95 % interval meets it, and broken where the whole interval breaks it; \
    between the two, and with fewer than five runs, the verdict is undecided. What is counted run by run is exact and has no interval.";

impl Verdict {
    /// Returns the verdict on a claim without a number.
    pub fn of(holds: impl Into<TriState>) -> Self {
        Self::graded(holds, true)
    }

    /// Returns the verdict on a claim with a number, given whether the trend and the number are as claimed.
    pub fn graded(trend: impl Into<TriState>, number: impl Into<TriState>) -> Self {
        match (trend.into(), number.into()) {
            (TriState::No, _) => Self::Fails,
            (TriState::Open, _) => Self::Undecided { number_only: false },
            (TriState::Yes, TriState::Yes) => Self::Holds,
            (TriState::Yes, TriState::Open) => Self::Undecided { number_only: true },
            (TriState::Yes, TriState::No) => Self::HoldsOtherNumber,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Holds => "holds",
            Self::HoldsOtherNumber => "holds with another number",
            Self::Undecided { .. } => "undecided",
            Self::Fails => "fails",
            Self::NotMeasured => "not measured",
        })
    }
}

/// A measured number.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// What was measured.
    pub what: String,
    /// The value.
    pub value: f64,
    /// Its 95 % interval, if there is one.
    pub interval: Option<Interval>,
}

impl Measured {
    /// Creates a number with an interval.
    pub fn new(what: impl Into<String>, value: f64, interval: Interval) -> Self {
        Self { what: what.into(), value, interval: Some(interval) }
    }

    /// Creates a count of items out of `of`. It is NaN if `of` is 0.
    pub fn count(what: impl Into<String>, count: usize, of: usize) -> Self {
        Self::exact(what, if of == 0 { f64::NAN } else { count as f64 })
    }

    /// Creates an exact number.
    pub fn exact(what: impl Into<String>, value: f64) -> Self {
        Self { what: what.into(), value, interval: None }
    }
}

impl Measured {
    /// Returns its interval, or the exact value as an interval.
    pub fn span(&self) -> Interval {
        self.interval.unwrap_or(Interval::exact(self.value))
    }

    /// Formats the number with its interval.
    fn number(&self) -> String {
        self.interval.map_or_else(|| crate::number(self.value), |i| crate::with_interval(self.value, i))
    }
}

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.what, self.number())
    }
}

/// A claim, and its verdict, which must be computed by the rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The claim's id.
    pub id: String,
    /// What the paper says.
    pub says: String,
    /// The rule that decides.
    pub rule: String,
    /// The measured numbers.
    pub measured: Vec<Measured>,
    /// The verdict.
    pub verdict: Verdict,
    /// An explanation of a deviation. May be empty.
    pub why: String,
}

impl Finding {
    /// Creates a finding. If one of its numbers is NaN, there were no runs for it, and it has no verdict.
    pub fn new(id: &str, says: &str, rule: &str, measured: Vec<Measured>, verdict: Verdict) -> Self {
        let [id, says, rule] = [id, says, rule].map(str::to_owned);
        let missing = measured.iter().find(|number| number.value.is_nan());
        let (verdict, why) = match (missing, verdict) {
            (Some(number), _) => (Verdict::NotMeasured, format!("there are no runs for: {}", number.what)),
            (None, Verdict::Undecided { number_only: true }) => {
                (verdict, "what is claimed holds; whether with this number, the intervals do not tell".into())
            }
            (None, Verdict::Undecided { .. }) => {
                (verdict, "the intervals do not tell; more problems would make them narrower".into())
            }
            (None, _) => (verdict, String::new()),
        };
        Self { id, says, rule, measured, verdict, why }
    }

    /// Creates a finding without data, and the reason.
    pub fn not_measured(id: &str, says: &str, rule: &str, why: impl Into<String>) -> Self {
        let finding = Self::new(id, says, rule, Vec::new(), Verdict::NotMeasured);
        Self { why: why.into(), ..finding }
    }

    /// Formats the measured numbers. Numbers that differ only by the budget share a line.
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

    /// Sets the reason of an undecided verdict that is not caused by wide intervals.
    #[must_use]
    pub fn open_since(self, why: &str) -> Self {
        match self.verdict {
            Verdict::Undecided { .. } => Self { why: why.into(), ..self },
            _ => self,
        }
    }

    /// Sets an explanation if the claim or its number does not hold.
    #[must_use]
    pub fn explained(self, why: impl Into<String>) -> Self {
        match self.verdict {
            Verdict::Holds | Verdict::Undecided { .. } | Verdict::NotMeasured => self,
            Verdict::HoldsOtherNumber | Verdict::Fails => Self { why: why.into(), ..self },
        }
    }
}

/// Counts the verdicts, in words.
pub fn count(findings: &[Finding]) -> String {
    let open = Verdict::Undecided { number_only: false };
    let all = [Verdict::Holds, Verdict::HoldsOtherNumber, open, Verdict::Fails, Verdict::NotMeasured];
    let names = all.map(|verdict| verdict.to_string());
    let counted = names
        .iter()
        .map(|name| (findings.iter().filter(|finding| finding.verdict.to_string() == *name).count(), name));
    let parts: Vec<String> =
        counted.filter(|(n, _)| *n > 0).map(|(n, name)| format!("{n} × {name}")).collect();
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
    fn verdicts_follow_from_intervals() {
        use TriState::{No, Open, Yes};
        let graded = |trend, number| Verdict::graded(trend, number).to_string();
        assert_eq!(
            [Yes, Open, No].map(|number| graded(Yes, number)),
            ["holds", "undecided", "holds with another number"]
        );
        assert_eq!([Yes, Open, No].map(|number| graded(Open, number)), ["undecided"; 3]);
        assert_eq!([Yes, Open, No].map(|number| graded(No, number)), ["fails"; 3]);
        assert_eq!(
            [Yes, Open, No].map(|holds| Verdict::of(holds).to_string()),
            ["holds", "undecided", "fails"]
        );
        let of =
            |trend, number| Finding::new("X", "says", "rule", Vec::new(), Verdict::graded(trend, number));
        let all = [of(Yes, Yes), of(Yes, Open), of(Open, No), of(No, Yes)];
        assert_eq!(count(&all), "1 × holds, 2 × undecided, 1 × fails");
        assert!(all[1].clone().explained("because").why.starts_with("what is claimed holds"));
        assert!(all[2].why.starts_with("the intervals do not tell"));
        assert_eq!(all[3].clone().explained("because").why, "because");
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
