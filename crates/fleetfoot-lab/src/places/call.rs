//! Texts such as `cave(width=256,seed=3)`: a name, and parameters that are numbers.

use std::fmt::Display;
use std::str::FromStr;

use fleetfoot_sim::error::InputError;

/// A name with parameters, every one of which has a default.
#[derive(Debug)]
pub(super) struct Call<'a> {
    pub(super) name: &'a str,
    given: Vec<(&'a str, &'a str)>,
}

impl<'a> Call<'a> {
    pub(super) fn parse(text: &'a str) -> Result<Self, InputError> {
        let text = text.trim();
        let (name, list) = text.split_once('(').unwrap_or((text, ")"));
        let Some(list) = list.strip_suffix(')') else {
            return Err(InputError::new(format!("`{text}` lacks its closing bracket"), "add `)`"));
        };
        let mut given: Vec<(&str, &str)> = Vec::new();
        for part in list.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let Some((key, value)) = part.split_once('=').map(|(key, value)| (key.trim(), value.trim()))
            else {
                let what = format!("`{part}` in {name}(…) is not of the form name=value");
                return Err(InputError::new(what, "write parameters as name=value"));
            };
            if given.iter().any(|(other, _)| *other == key) {
                return Err(InputError::new(format!("`{key}` is given twice in {name}(…)"), "give it once"));
            }
            given.push((key, value));
        }
        Ok(Self { name: name.trim(), given })
    }

    /// Refuses parameters that are none of these.
    pub(super) fn only(&self, valid: &[&str]) -> Result<(), InputError> {
        match self.given.iter().find(|(key, _)| !valid.contains(key)) {
            None => Ok(()),
            Some((key, _)) => {
                let what = format!("{} has no parameter `{key}`", self.name);
                let valid = if valid.is_empty() { "none".to_owned() } else { valid.join(", ") };
                Err(InputError::new(what, format!("its parameters are {valid}")))
            }
        }
    }

    /// A parameter, or what it is if not given.
    pub(super) fn value<T: FromStr>(&self, key: &str, default: T) -> Result<T, InputError>
    where
        T::Err: Display,
    {
        let Some((_, text)) = self.given.iter().find(|(given, _)| *given == key) else { return Ok(default) };
        text.parse().map_err(|error: T::Err| {
            let what = format!("{}({key}={text}): {error}", self.name);
            InputError::new(what, "write a number that fits")
        })
    }
}
