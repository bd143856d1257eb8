//! Failures of the program: their messages and exit codes.

use std::fmt;
use std::io;
use std::process::ExitCode;

use fleetfoot_sim::error::InputError;

/// The reason that the program ends early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Bad usage or input: exit code 2.
    Input(String),
    /// The referee found a broken rule: exit code 1.
    RuleViolation(String),
    /// Ctrl-C was pressed: exit code 130, as in shells.
    Stopped(String),
    /// The reader of our output has closed the pipe, as `fleetfoot list | head` does. Not an error.
    Pipe,
}

impl Failure {
    /// Creates a failure of usage or input.
    pub(crate) fn input(what: impl fmt::Display) -> Self {
        Self::Input(what.to_string())
    }

    /// Prints the message. Returns the exit code.
    pub(crate) fn report(&self) -> ExitCode {
        match self {
            Self::Input(text) | Self::RuleViolation(text) => warn("error", text),
            Self::Stopped(text) => warn("note", text),
            Self::Pipe => {}
        }
        ExitCode::from(self.code())
    }

    fn code(&self) -> u8 {
        match self {
            Self::Pipe => 0,
            Self::RuleViolation(_) => 1,
            Self::Input(_) => 2,
            Self::Stopped(_) => STOPPED,
        }
    }
}

/// The exit code after Ctrl-C.
pub(crate) const STOPPED: u8 = 130;

/// Prints a message to stderr. Errors are ignored, since there is no other place to report them.
pub(crate) fn warn(kind: &str, text: impl fmt::Display) {
    use io::Write;
    let _ = writeln!(io::stderr(), "{kind}: {text}");
}

impl From<InputError> for Failure {
    fn from(error: InputError) -> Self {
        Self::input(error)
    }
}

/// Output to the terminal. Errors about files name the file themselves.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self::Pipe;
        }
        Self::Input(format!("cannot write the output: {error}; check where it goes, or use --output FILE"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exit_codes() {
        assert_eq!(Failure::from(io::Error::from(io::ErrorKind::BrokenPipe)).code(), 0);
        assert_eq!(Failure::RuleViolation(String::new()).code(), 1);
        assert_eq!(Failure::input("").code(), 2);
        assert_eq!(Failure::Stopped(String::new()).code(), 130);
        assert_eq!(Failure::from(io::Error::from(io::ErrorKind::StorageFull)).code(), 2);
    }
}
