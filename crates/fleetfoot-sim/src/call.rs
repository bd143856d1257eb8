//! Texts such as `cave(width=256,seed=3)`: a name, and parameters with values.

use std::fmt::Display;
use std::str::FromStr;

use fleetfoot::registry::{parse_params, split_spec};

use crate::error::InputError;

/// A name with parameters, every one of which can be left out.
#[derive(Clone, Debug)]
pub struct Call<'a> {
    name: &'a str,
    given: Vec<(&'a str, &'a str)>,
}

impl<'a> Call<'a> {
    /// Reads a text.
    ///
    /// # Errors
    /// If it is not of this form, or gives a parameter twice.
    pub fn parse(text: &'a str) -> Result<Self, InputError> {
        let (name, list) = Self::split(text)?;
        Self::new(name, list)
    }

    /// The name, and what stands in the brackets behind it.
    ///
    /// # Errors
    /// If they are not closed.
    pub fn split(text: &'a str) -> Result<(&'a str, &'a str), InputError> {
        Ok(split_spec(text)?)
    }

    /// A name with a list of parameters.
    ///
    /// # Errors
    /// If the list is not one of `name=value`, or gives a parameter twice.
    pub fn new(name: &'a str, list: &'a str) -> Result<Self, InputError> {
        Ok(Self { name, given: parse_params(name, list)? })
    }

    /// The name.
    pub fn name(&self) -> &'a str {
        self.name
    }

    /// Refuses parameters that are none of these.
    ///
    /// # Errors
    /// If there is one.
    pub fn only(&self, valid: &[&str]) -> Result<(), InputError> {
        match self.given.iter().find(|(key, _)| !valid.contains(key)) {
            None => Ok(()),
            Some((key, _)) => {
                let what = format!("{} has no parameter `{key}`", self.name);
                let valid = if valid.is_empty() { "none".to_owned() } else { valid.join(", ") };
                Err(InputError::new(what, format!("its parameters are {valid}")))
            }
        }
    }

    /// A parameter as it is written, if it is given.
    pub fn text(&self, key: &str) -> Option<&'a str> {
        self.given.iter().find(|(given, _)| *given == key).map(|(_, text)| *text)
    }

    /// Says that a parameter cannot be what it is, and what to do about it.
    pub fn refuse(&self, key: &str, remedy: &str) -> InputError {
        let text = self.text(key).unwrap_or_default();
        InputError::new(format!("{}({key}={text}) cannot be", self.name), remedy)
    }

    /// A parameter, or what it is if not given.
    ///
    /// # Errors
    /// If it cannot be read as such a value.
    pub fn value<T: FromStr>(&self, key: &str, default: T) -> Result<T, InputError>
    where
        T::Err: Display,
    {
        let Some(text) = self.text(key) else { return Ok(default) };
        text.parse().map_err(|error: T::Err| {
            let what = format!("{}({key}={text}): {error}", self.name);
            InputError::new(what, "write a number that fits")
        })
    }
}
