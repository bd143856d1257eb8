//! A part of an experiment, for one of several machines.

use std::fmt;
use std::str::FromStr;

/// Part `part` of `of`, both counted from 1: every `of`-th problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    part: u64,
    of: u64,
}

impl Shard {
    /// The whole experiment.
    pub const WHOLE: Self = Self { part: 1, of: 1 };

    /// Returns its number and the number of parts.
    pub fn numbers(self) -> (u64, u64) {
        (self.part, self.of)
    }

    /// Returns `true` if this is the whole experiment.
    pub fn is_whole(self) -> bool {
        self.of == 1
    }

    /// Returns `true` if the problem with this index is in the part.
    pub(crate) fn has(self, problem: usize) -> bool {
        problem as u64 % self.of == self.part - 1
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers =
            text.split_once('/').and_then(|(i, n)| Some((i.trim().parse().ok()?, n.trim().parse().ok()?)));
        match numbers {
            Some((part, of)) if 1 <= part && part <= of => Ok(Self { part, of }),
            Some((part, of)) => Err(format!("there is no part {part} of {of}; parts count from 1")),
            None => Err("write I/N, such as 2/8 for the second of eight parts".into()),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.part, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_problem_is_in_one_part() {
        let parts: Vec<Shard> = ["1/3", "2/3", "3/3"].iter().map(|text| text.parse().unwrap()).collect();
        for problem in 0..20 {
            assert_eq!(parts.iter().filter(|part| part.has(problem)).count(), 1);
        }
        assert!((0..20).all(|problem| Shard::WHOLE.has(problem)));
        for bad in ["", "0/3", "4/3", "1", "a/b", "1/0", "-1/3"] {
            assert!(bad.parse::<Shard>().is_err(), "{bad}");
        }
        assert_eq!("2/3".parse::<Shard>().unwrap().to_string(), "2/3");
    }
}
