//! Parameters: what a planner's file declares, and what its `build` reads by it.
//!
//! A parameter is a constant whose type says what reading it yields, so that a name that is mistyped does not compile.

use alloc::string::{String, ToString};

use super::Spec;
use super::spec::millionths;

/// What values a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Values {
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// A whole number in this range.
    Int(u64, u64),
    /// This word, or a whole number in this range.
    IntOr(&'static str, u64, u64),
    /// A share between 0 and 1: `0.9`, or `90%`.
    Share,
    /// A decimal number in this range.
    Decimal(u32, u32),
    /// Any text.
    Text,
}

/// A parameter of an algorithm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Param {
    /// Its name in a spec.
    pub name: &'static str,
    /// What it is if not given.
    pub default: &'static str,
    /// What it may be.
    pub values: Values,
    /// What it does.
    pub doc: &'static str,
}

/// A parameter that can be read.
pub(crate) trait Read {
    /// What it yields.
    type Value;

    /// The parameter as data.
    fn param(&self) -> &Param;

    /// What a text that was checked means.
    fn read(&self, text: &str) -> Self::Value;
}

impl Spec {
    /// The value of a parameter, which the algorithm must list.
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

/// One of several words, each of which stands for a value.
#[derive(Clone, Copy)]
pub(crate) struct Choice<T: 'static> {
    pub(crate) param: Param,
    values: &'static [T],
}

impl<T> Choice<T> {
    /// The first word is the default.
    pub(crate) const fn new<const N: usize>(
        name: &'static str,
        words: &'static [&'static str; N],
        values: &'static [T; N],
        doc: &'static str,
    ) -> Self {
        Self { param: Param { name, default: words[0], values: Values::OneOf(words), doc }, values }
    }

    /// The same with another default.
    pub(crate) const fn or(mut self, default: &'static str) -> Self {
        self.param.default = default;
        self
    }
}

impl Choice<bool> {
    /// Something that can be switched on and off.
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

/// Declares the types whose value follows from the text alone.
macro_rules! plain {
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

plain! {
    /// A whole number in a range.
    Int(least: u64, most: u64) = Values::Int(least, most) => u64, |text| text.parse().unwrap_or(0);
    /// A whole number in a range, or a word that stands for none.
    IntOr(word: &'static str, least: u64, most: u64) = Values::IntOr(word, least, most)
        => Option<u64>, |text| text.parse().ok();
    /// A share between 0 and 1, in millionths.
    Share() = Values::Share => u32, |text| millionths(text).unwrap_or(0);
    /// A decimal number in a range, in millionths.
    Decimal(least: u32, most: u32) = Values::Decimal(least, most) => u32, |text| millionths(text).unwrap_or(0);
    /// Any text.
    Text() = Values::Text => String, ToString::to_string;
}
