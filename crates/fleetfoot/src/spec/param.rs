//! Typed parameters of planners.
//!
//! A parameter is a constant whose type determines the type of its value. A misspelled name does not compile.

use alloc::string::{String, ToString};

use super::Spec;
use super::planner_spec::millionths;

/// The valid values of a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Values {
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// An integer in this range.
    Int(u64, u64),
    /// This word, or an integer in this range.
    IntOr(&'static str, u64, u64),
    /// A fraction from 0 to 1: `0.9`, or `90%`.
    Share,
    /// A decimal number in this range.
    Decimal(u32, u32),
    /// Any text.
    Text,
}

/// A parameter of an algorithm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Param {
    /// The name in a spec.
    pub name: &'static str,
    /// The default value.
    pub default: &'static str,
    /// The valid values.
    pub values: Values,
    /// A short description.
    pub doc: &'static str,
}

/// A parameter with a typed value.
pub(crate) trait Read {
    /// The type of the value.
    type Value;

    /// Returns the description of the parameter.
    fn param(&self) -> &Param;

    /// Parses a text that was validated.
    fn read(&self, text: &str) -> Self::Value;
}

impl Spec {
    /// Returns the value of a parameter. The algorithm must list it.
    pub(crate) fn get<P: Read>(&self, parameter: &P) -> P::Value {
        let param = parameter.param();
        debug_assert!(
            self.info().params.contains(param),
            "{} does not list `{}`",
            self.info().key,
            param.name
        );
        parameter.read(self.value(param.name))
    }
}

/// A parameter with named values.
#[derive(Clone, Copy)]
pub(crate) struct Choice<T: 'static> {
    pub(crate) param: Param,
    values: &'static [T],
}

impl<T> Choice<T> {
    /// Creates the parameter. The first word is the default.
    pub(crate) const fn new<const N: usize>(
        name: &'static str,
        words: &'static [&'static str; N],
        values: &'static [T; N],
        doc: &'static str,
    ) -> Self {
        Self { param: Param { name, default: words[0], values: Values::OneOf(words), doc }, values }
    }

    /// Sets another default.
    pub(crate) const fn or(mut self, default: &'static str) -> Self {
        self.param.default = default;
        self
    }
}

impl Choice<bool> {
    /// Creates a parameter with the values `on` and `off`.
    pub(crate) const fn switch(name: &'static str, is_on: bool, doc: &'static str) -> Self {
        if is_on {
            Self::new(name, &["on", "off"], &[true, false], doc)
        } else {
            Self::new(name, &["off", "on"], &[false, true], doc)
        }
    }
}

impl<T: Copy> Read for Choice<T> {
    type Value = T;

    fn param(&self) -> &Param {
        &self.param
    }

    fn read(&self, text: &str) -> T {
        let Values::OneOf(words) = self.param.values else { unreachable!("a word is one of several") };
        self.values[words.iter().position(|word| *word == text).unwrap_or(0)]
    }
}

/// Defines the parameter types whose value depends on the text alone.
macro_rules! scalar_param {
    ($($(#[$doc:meta])* $name:ident($($rest:ident: $kind:ty),*) = $values:expr => $value:ty, $read:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(crate) struct $name {
            pub(crate) param: Param,
        }

        impl $name {
            pub(crate) const fn new(
                name: &'static str,
                default: &'static str,
                $($rest: $kind,)*
                doc: &'static str,
            ) -> Self {
                Self { param: Param { name, default, values: $values, doc } }
            }
        }

        impl Read for $name {
            type Value = $value;

            fn param(&self) -> &Param {
                &self.param
            }

            fn read(&self, text: &str) -> $value {
                let read: fn(&str) -> $value = $read;
                read(text)
            }
        }
    )*};
}

scalar_param! {
    /// An integer in a range.
    Int(least: u64, most: u64) = Values::Int(least, most) => u64, |text| text.parse().unwrap_or(0);
    /// An integer in a range, or a word for `None`.
    IntOr(word: &'static str, least: u64, most: u64) = Values::IntOr(word, least, most)
        => Option<u64>, |text| text.parse().ok();
    /// A fraction from 0 to 1, in millionths.
    Share() = Values::Share => u32, |text| millionths(text).unwrap_or(0);
    /// A decimal number in a range, in millionths.
    Decimal(least: u32, most: u32) = Values::Decimal(least, most) => u32, |text| millionths(text).unwrap_or(0);
    /// Any text.
    Text() = Values::Text => String, ToString::to_string;
}
