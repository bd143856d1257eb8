//! Texts such as `cave(width=256,seed=3)`: a name, and parameters with values.

use std::fmt::Display;
use std::str::FromStr;

use fleetfoot::registry::{parse_params, split_spec};

use crate::error::InputError;

/// A name with optional parameters.
#[derive(Clone, Debug)]
pub struct Call<'a> {
    name: &'a str,
    given: Vec<(&'a str, &'a str)>,
}

impl<'a> Call<'a> {
    /// Parses a text.
    ///
    /// # Errors
    /// If it does not have this form, or sets a parameter twice.
    pub fn parse(text: &'a str) -> Result<Self, InputError> {
        let (name, list) = Self::split(text)?;
        Self::new(name, list)
    }

    /// Splits a text into the name and the text in the parentheses after it.
    ///
    /// # Errors
    /// If they are not closed.
    pub fn split(text: &'a str) -> Result<(&'a str, &'a str), InputError> {
        Ok(split_spec(text)?)
    }

    /// Creates a name with a list of parameters.
    ///
    /// # Errors
    /// If the list does not consist of `name=value`, or sets a parameter twice.
    pub fn new(name: &'a str, list: &'a str) -> Result<Self, InputError> {
        Ok(Self { name, given: parse_params(name, list)? })
    }

    /// Returns the name.
    pub fn name(&self) -> &'a str {
        self.name
    }

    /// Refuses parameters that are not in the list.
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

    /// Returns a parameter as written, if it is set.
    pub fn text(&self, key: &str) -> Option<&'a str> {
        self.given.iter().find(|(given, _)| *given == key).map(|(_, text)| *text)
    }

    /// Returns an error about the value of a parameter.
    pub fn refuse(&self, key: &str, remedy: &str) -> InputError {
        let text = self.text(key).unwrap_or_default();
        InputError::new(format!("{}({key}={text}) cannot be", self.name), remedy)
    }

    /// Returns a parameter, or its default.
    ///
    /// # Errors
    /// If it cannot be parsed as such a value.
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
