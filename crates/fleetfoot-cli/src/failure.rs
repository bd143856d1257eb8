//! How the program fails: what it says, and its exit code.

use std::fmt;
use std::io;
use std::process::ExitCode;

use fleetfoot_sim::error::InputError;

/// Why the program ends before it is done.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Bad usage or input: exit code 2.
    Input(String),
    /// The referee found a broken rule: exit code 1.
    Foul(String),
    /// Nobody reads our output any more, which is no fault: `fleetfoot list | head`.
    Pipe,
}

impl Failure {
    /// Bad usage or input.
    pub(crate) fn input(what: impl fmt::Display) -> Self {
        Self::Input(what.to_string())
    }

    /// Says it, and tells the exit code.
    pub(crate) fn report(&self) -> ExitCode {
        let (text, code) = match self {
            Self::Pipe => return ExitCode::SUCCESS,
            Self::Input(text) => (text, 2),
            Self::Foul(text) => (text, 1),
        };
        warn("error", text);
        ExitCode::from(code)
    }
}

/// Says something beside the results. If even that fails there is nobody left to tell.
pub(crate) fn warn(kind: &str, text: impl fmt::Display) {
    use io::Write;
    let _ = writeln!(io::stderr(), "{kind}: {text}");
}

impl From<InputError> for Failure {
    fn from(error: InputError) -> Self {
        Self::input(error)
    }
}

/// For what is written to the terminal; files tell their name themselves.
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
        let code = |failure: Failure| format!("{:?}", failure.report());
        assert_eq!(code(Failure::Foul("x".into())), format!("{:?}", ExitCode::from(1)));
        assert_eq!(code(Failure::input("x")), format!("{:?}", ExitCode::from(2)));
        assert_eq!(code(io::Error::from(io::ErrorKind::BrokenPipe).into()), format!("{:?}", ExitCode::SUCCESS));
    }
}
