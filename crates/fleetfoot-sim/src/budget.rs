//! The budget of an interval, in expansions or as a time; and price lists.

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;
use std::time::Instant;

use fleetfoot::{Clock, Meter, Prices};

use crate::error::InputError;

/// What an agent may spend in one interval.
///
/// ```
/// use fleetfoot_sim::budget::{Budget, monotonic_nanos};
/// assert_eq!("100".parse::<Budget>()?.to_string(), "100");
/// assert_eq!("inf".parse::<Budget>()?.to_string(), "inf");
/// assert_eq!(Budget::interval("0.5ms", monotonic_nanos)?.to_string(), "500us");
/// assert!("0".parse::<Budget>().is_err());
/// # Ok::<(), fleetfoot_sim::error::InputError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Budget {
    /// This number of expansions, or other work at the same price. 0 counts as 1, which every planner is granted.
    Expansions(u64),
    /// No limit.
    Unlimited,
    /// A time. Not deterministic; overruns are counted, since learning is never cut short.
    Interval {
        /// Nanoseconds.
        nanos: u64,
        /// The clock: [`monotonic_nanos`], [`thread_nanos`], or any other one.
        clock: Clock,
    },
}

impl Budget {
    /// Parses a number of expansions, `inf`, or an interval such as `500us` of this clock.
    ///
    /// # Errors
    /// If the text is none of them.
    pub fn parse(text: &str, clock: Clock) -> Result<Self, InputError> {
        let is_time = text.ends_with('s') && text.starts_with(|c: char| c.is_ascii_digit());
        if is_time { Self::interval(text, clock) } else { text.parse() }
    }

    /// Parses an interval such as `500us`, `1.5ms`, `2s` or `800ns`.
    ///
    /// # Errors
    /// If the text is not an interval, or is 0.
    pub fn interval(text: &str, clock: Clock) -> Result<Self, InputError> {
        let refusal = || {
            let what = format!("`{text}` is not an interval of more than 0");
            InputError::new(what, "write a number and ns, us, ms or s, such as 500us")
        };
        let text = text.trim();
        let digits = text.trim_end_matches(|c: char| c.is_alphabetic());
        let unit = UNITS.iter().find(|(name, _)| *name == &text[digits.len()..]).ok_or_else(refusal)?;
        let number: f64 = digits.trim_end().parse().map_err(|_| refusal())?;
        let nanos = (number * unit.1 as f64).round();
        // A day, and not NaN.
        if !(1.0..=86_400e9).contains(&nanos) {
            return Err(refusal());
        }
        #[expect(clippy::cast_sign_loss, reason = "checked to be positive")]
        Ok(Self::Interval { nanos: nanos as u64, clock })
    }

    /// Returns the limit in expansions, if the budget is one.
    pub fn expansions(&self) -> Option<u64> {
        match *self {
            Self::Expansions(limit) => Some(limit.max(1)),
            Self::Unlimited | Self::Interval { .. } => None,
        }
    }

    /// Creates a meter for an interval that begins now.
    pub fn meter(&self, prices: Prices) -> Meter {
        let unlimited = || Meter::priced(u64::MAX, prices);
        match *self {
            Self::Expansions(limit) => Meter::priced(limit.max(1), prices),
            Self::Unlimited => unlimited(),
            // A meter reads the clock only now and then, so it has to stop a little early.
            Self::Interval { nanos, clock } => {
                unlimited().with_deadline(clock, clock().saturating_add(nanos - (nanos / 10).min(10_000)))
            }
        }
    }
}

/// A named price list.
///
/// ```
/// use fleetfoot_sim::budget::PriceList;
/// assert_eq!("papers".parse::<PriceList>()?, PriceList::Papers);
/// assert_eq!(PriceList::default().to_string(), "all");
/// # Ok::<(), fleetfoot_sim::error::InputError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum PriceList {
    /// All work, at its cost: [`Prices::ALL_WORK`].
    #[default]
    AllWork,
    /// Expansions and key refreshes: [`Prices::PAPERS`].
    Papers,
    /// Expansions only: [`Prices::EXPANSIONS`].
    Expansions,
}

impl PriceList {
    /// All of them, the default first.
    pub const ALL: [Self; 3] = [Self::AllWork, Self::Papers, Self::Expansions];
    /// The name that `all` had before. It is read, and never written.
    pub const FORMER_NAME: &str = "honest";

    /// Returns its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::AllWork => "all",
            Self::Papers => "papers",
            Self::Expansions => "expansions",
        }
    }

    /// Returns what is charged, as the headers of tables and reports say it.
    pub const fn charged(self) -> &'static str {
        match self {
            Self::AllWork => "all work charged",
            Self::Papers => "expansions and key refreshes charged, as in the papers",
            Self::Expansions => "only expansions charged",
        }
    }

    /// Returns the prices.
    pub const fn prices(self) -> Prices {
        match self {
            Self::AllWork => Prices::ALL_WORK,
            Self::Papers => Prices::PAPERS,
            Self::Expansions => Prices::EXPANSIONS,
        }
    }
}

impl fmt::Display for PriceList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for PriceList {
    type Err = InputError;

    fn from_str(text: &str) -> Result<Self, InputError> {
        if text == Self::FORMER_NAME {
            return Ok(Self::AllWork);
        }
        Self::ALL.into_iter().find(|list| list.name() == text).ok_or_else(|| {
            let what = format!("there is no price list `{text}`");
            InputError::new(what, "use all, papers or expansions")
        })
    }
}

/// Returns what a tick may cost, in words, for the headers of tables and reports. `budgets` are as they print; the text is empty if
/// there are none.
///
/// ```
/// use fleetfoot_sim::budget::{PriceList, describe};
/// assert_eq!(describe(&["10"], &[PriceList::AllWork]), "10 expansions a tick, all work charged");
/// assert_eq!(describe(&["1", "inf"], &[PriceList::Expansions]), "1, inf expansions a tick, only expansions charged");
/// assert_eq!(describe(&["500us"], &[PriceList::AllWork]), "500us a tick");
/// assert_eq!(describe(&[], &[]), "");
/// ```
pub fn describe(budgets: &[&str], lists: &[PriceList]) -> String {
    let is_time = |text: &&str| text.ends_with('s');
    let list = budgets.join(", ");
    if budgets.is_empty() {
        return String::new();
    }
    if budgets.iter().all(is_time) {
        return format!("{list} a tick");
    }
    let unit = if budgets.iter().any(is_time) { "" } else { " expansions" };
    let charged: Vec<&str> = lists.iter().map(|list| list.charged()).collect();
    format!("{list}{unit} a tick, {}", charged.join("; "))
}

/// Units of time, largest first.
const UNITS: [(&str, u64); 4] = [("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1_000), ("ns", 1)];

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Expansions(limit) => write!(f, "{limit}"),
            Self::Unlimited => f.write_str("inf"),
            Self::Interval { nanos, .. } => {
                let (name, size) = UNITS.iter().find(|(_, size)| nanos % size == 0).unwrap_or(&UNITS[3]);
                write!(f, "{}{name}", nanos / size)
            }
        }
    }
}

impl FromStr for Budget {
    type Err = InputError;

    fn from_str(text: &str) -> Result<Self, InputError> {
        match text.trim() {
            "inf" => Ok(Self::Unlimited),
            digits => match digits.parse() {
                Ok(limit) if limit > 0 => Ok(Self::Expansions(limit)),
                _ => {
                    let what = format!("`{text}` is not a budget");
                    Err(InputError::new(what, "give a whole number of expansions of at least 1, or `inf`"))
                }
            },
        }
    }
}

/// Returns the nanoseconds of a monotonic wall clock since this process first asked.
pub fn monotonic_nanos() -> u64 {
    static ORIGIN: LazyLock<Instant> = LazyLock::new(Instant::now);
    ORIGIN.elapsed().as_nanos() as u64
}

/// Returns the processor time of this thread in nanoseconds, which other programs do not disturb. Systems without
/// such a clock use [`monotonic_nanos`].
pub fn thread_nanos() -> u64 {
    #[cfg(unix)]
    {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        // The width of the second field depends on the platform; neither is ever negative.
        u64::try_from(time.tv_sec).unwrap_or(0) * 1_000_000_000 + u64::try_from(time.tv_nsec).unwrap_or(0)
    }
    #[cfg(not(unix))]
    monotonic_nanos()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_print_back() {
        for text in ["500us", "1ms", "2s", "1500us", "7ns"] {
            assert_eq!(Budget::interval(text, monotonic_nanos).unwrap().to_string(), text);
        }
        assert_eq!(Budget::interval(" 0.3 ms", monotonic_nanos).unwrap().to_string(), "300us");
        for bad in ["", "5", "us", "-1us", "0us", "1min", "inf s", "nanms", "1e30s", "0.1ns", "5µs"] {
            let error = Budget::interval(bad, monotonic_nanos).unwrap_err();
            assert!(error.to_string().contains("such as 500us"), "{bad}: {error}");
        }
    }

    #[test]
    fn budget_errors_name_valid_values() {
        for bad in ["0", "-1", "many", "", "1.5"] {
            let error = bad.parse::<Budget>().unwrap_err().to_string();
            assert!(error.contains("at least 1, or `inf`"), "{error}");
        }
        assert_eq!(" 7 ".parse::<Budget>().unwrap().expansions(), Some(7));
        assert_eq!(Budget::Unlimited.expansions(), None);
    }

    #[test]
    fn price_lists_are_read_by_their_names_and_the_former_one() {
        for list in PriceList::ALL {
            assert_eq!(list.name().parse::<PriceList>().unwrap(), list);
            assert_ne!(list.name(), PriceList::FORMER_NAME);
        }
        assert_eq!(PriceList::FORMER_NAME.parse::<PriceList>().unwrap(), PriceList::default());
        assert_eq!(PriceList::default().prices(), Prices::default());
        let error = "fair".parse::<PriceList>().unwrap_err().to_string();
        assert!(error.contains("all, papers or expansions") && !error.contains("honest"), "{error}");
    }

    #[test]
    fn every_kind_of_budget_has_the_prices_that_it_is_given() {
        let time = Budget::interval("1ms", monotonic_nanos).unwrap();
        for budget in [Budget::Expansions(5), Budget::Unlimited, time] {
            for list in PriceList::ALL {
                assert_eq!(*budget.meter(list.prices()).prices(), list.prices(), "{budget}");
            }
        }
    }

    #[test]
    fn clocks_run_forwards() {
        for clock in [monotonic_nanos, thread_nanos] {
            let begin = clock();
            let mut last = begin;
            while last < begin + 100_000 {
                let now = clock();
                assert!(now >= last);
                last = now;
            }
        }
    }
}
