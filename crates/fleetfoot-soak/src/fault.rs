//! What a judge has found wrong.

use std::fmt;

/// A broken promise.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Fault {
    /// Its kind, such as `move`, `budget`, `twin` or `panic`. A smaller case must fail in the same manner.
    pub kind: String,
    /// The tick in which it was found.
    pub tick: u64,
    /// What is wrong.
    pub text: String,
}

impl Fault {
    pub(crate) fn new(kind: &str, tick: u64, text: impl fmt::Display) -> Self {
        Self { kind: kind.into(), tick, text: text.to_string() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in tick {}: {}", self.kind, self.tick, self.text)
    }
}
