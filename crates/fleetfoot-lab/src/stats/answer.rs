//! Three-valued answers of data to a question: yes, no, or open.

use super::Interval;

/// Minimum number of runs for a decision: the bootstrap cannot see values that are not in the sample.
const FEWEST: usize = 5;

/// The answer of data to a question. The order makes "and" the minimum and "or" the maximum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TriState {
    /// The data contradict it.
    No,
    /// The data do not decide.
    Open,
    /// The data support it.
    Yes,
}

impl TriState {
    /// Returns the conjunction of two answers.
    #[must_use]
    pub fn and(self, other: impl Into<Self>) -> Self {
        self.min(other.into())
    }

    /// Returns the conjunction of all answers; `Yes` if there are none.
    pub fn all(answers: impl IntoIterator<Item = Self>) -> Self {
        answers.into_iter().min().unwrap_or(Self::Yes)
    }

    /// Returns the disjunction of all answers; `No` if there are none.
    pub fn any(answers: impl IntoIterator<Item = Self>) -> Self {
        answers.into_iter().max().unwrap_or(Self::No)
    }

    /// Returns whether at least `count` answers are `Yes`.
    pub fn at_least(count: usize, answers: impl IntoIterator<Item = Self>) -> Self {
        let (mut yes, mut open) = (0, 0);
        for answer in answers {
            yes += usize::from(answer == Self::Yes);
            open += usize::from(answer == Self::Open);
        }
        match count {
            _ if yes >= count => Self::Yes,
            _ if yes + open < count => Self::No,
            _ => Self::Open,
        }
    }

    /// Returns whether at least `count` answers are `Yes` and none is `No`.
    pub fn most(count: usize, answers: &[Self]) -> Self {
        if answers.contains(&Self::No) { Self::No } else { Self::at_least(count, answers.iter().copied()) }
    }

    /// Combines repeated observations of the same fact, such as by map: their common answer, otherwise `Open`.
    pub fn agreed(each: impl IntoIterator<Item = bool>) -> Self {
        let each: Vec<bool> = each.into_iter().collect();
        match each.iter().filter(|is_so| **is_so).count() {
            _ if each.is_empty() => Self::Open,
            n if n == each.len() => Self::Yes,
            0 => Self::No,
            _ => Self::Open,
        }
    }
}

impl From<bool> for TriState {
    /// Counts without sampling are always decided.
    fn from(is_so: bool) -> Self {
        if is_so { Self::Yes } else { Self::No }
    }
}

/// Questions about the number of an interval: `Yes` if all of the interval agrees, `No` if none of it does.
impl Interval {
    fn decides(&self, yes: bool, no: bool) -> TriState {
        match (yes, no) {
            _ if (1..FEWEST).contains(&self.n) => TriState::Open,
            (true, _) => TriState::Yes,
            (_, true) => TriState::No,
            _ => TriState::Open,
        }
    }

    /// Returns whether it is greater than a value.
    pub fn above(&self, value: f64) -> TriState {
        self.decides(self.low > value, self.high <= value)
    }

    /// Returns whether it is at least a value.
    pub fn at_least(&self, value: f64) -> TriState {
        self.decides(self.low >= value, self.high < value)
    }

    /// Returns whether it is less than a value.
    pub fn below(&self, value: f64) -> TriState {
        self.decides(self.high < value, self.low >= value)
    }

    /// Returns whether it is at most a value.
    pub fn at_most(&self, value: f64) -> TriState {
        self.decides(self.high <= value, self.low > value)
    }

    /// Returns whether it is between two values, ends included.
    pub fn within(&self, low: f64, high: f64) -> TriState {
        self.at_least(low).and(self.at_most(high))
    }

    /// Returns whether it differs from a value by at most a share of the value.
    pub fn near(&self, value: f64, share: f64) -> TriState {
        self.within(value * (1.0 - share), value * (1.0 + share))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_decides_only_as_a_whole() {
        let of = |low: f64, high: f64| Interval { low, high, n: 20 };
        let (under, across, over) = (of(0.5, 0.9), of(0.9, 1.1), of(1.1, 1.5));
        assert_eq!(
            [under, across, over].map(|i| i.above(1.0)),
            [TriState::No, TriState::Open, TriState::Yes]
        );
        assert_eq!(
            [under, across, over].map(|i| i.below(1.0)),
            [TriState::Yes, TriState::Open, TriState::No]
        );
        assert_eq!(
            [under, across, over].map(|i| i.near(1.0, 0.1)),
            [TriState::Open, TriState::Yes, TriState::Open]
        );
        assert_eq!([of(0.1, 0.5), of(0.8, 1.2)].map(|i| i.near(1.0, 0.1)), [TriState::No, TriState::Open]);
        // A value exactly at the limit.
        let exact = Interval::exact(1.0);
        assert_eq!([exact.above(1.0), exact.below(1.0)], [TriState::No; 2]);
        assert_eq!([exact.at_least(1.0), exact.at_most(1.0), exact.near(1.0, 0.0)], [TriState::Yes; 3]);
        // Without numbers, or with fewer than five runs, nothing follows.
        assert_eq!(Interval::NONE.above(1.0), TriState::Open);
        assert_eq!(Interval { n: 4, ..over }.above(1.0), TriState::Open);
        assert_eq!(Interval { n: 5, ..over }.above(1.0), TriState::Yes);
    }

    #[test]
    fn answers_are_put_together() {
        use TriState::{No, Open, Yes};
        assert_eq!(TriState::all([Yes, Open]), Open);
        assert_eq!(TriState::all([Yes, Open, No]), No);
        assert_eq!((TriState::any([No, Open]), TriState::any([Yes, No])), (Open, Yes));
        assert_eq!((TriState::all([]), TriState::any([])), (Yes, No));
        let some = [Yes, Yes, Open, No];
        assert_eq!([2, 3, 4].map(|n| TriState::at_least(n, some)), [Yes, Open, No]);
        assert_eq!(
            (TriState::most(2, &some), TriState::most(2, &some[..3]), TriState::most(3, &some[..3])),
            (No, Yes, Open)
        );
        assert_eq!([[true, true], [true, false], [false, false]].map(TriState::agreed), [Yes, Open, No]);
        assert_eq!(TriState::agreed([]), Open);
        assert_eq!((Yes.and(false), Open.and(true)), (No, Open));
    }
}
