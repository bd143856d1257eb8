//! The program `fleetfoot`: runs, compares and shows real-time search.

mod args;
mod batch;
mod cmd;
mod failure;
mod output;
mod problems;
mod source;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;
use clap::error::ErrorKind;

use args::{Cli, Command, SCEN_FORMAT};
use failure::Failure;

fn main() -> ExitCode {
    let words: Vec<_> = std::env::args_os().skip(1).collect();
    let done = match Cli::try_parse() {
        _ if words == ["help", "scen"] => output::print(|to| writeln!(to, "{SCEN_FORMAT}")),
        Ok(cli) => run(&cli),
        Err(error) => match error.kind() {
            // Help that could not be written is an error.
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
                error.print().and_then(|()| io::stdout().flush()).map_err(Failure::from)
            }
            _ => error.exit(),
        },
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn run(cli: &Cli) -> Result<(), Failure> {
    match &cli.command {
        None => cmd::demo::run(),
        Some(Command::Run(args)) => cmd::run::run(args),
        Some(Command::Fleet(args)) => cmd::fleet::run(args),
        Some(Command::Replay(args)) => cmd::replay::run(args),
        Some(Command::Playground(args)) => cmd::playground::run(args),
        Some(Command::List(args)) => cmd::list::run(args),
        Some(Command::Map(command)) => cmd::map::run(command),
        Some(Command::World(command)) => cmd::world::run(command),
        Some(Command::Database(command)) => cmd::database::run(command),
        Some(Command::Bench(args)) => cmd::bench::run(args),
        Some(Command::Reproduce(args)) => cmd::reproduce::run(args),
        Some(Command::Merge(args)) => cmd::merge::run(args),
        Some(Command::Soak(args)) => cmd::soak::run(args),
        Some(Command::Completions { shell }) => cmd::shell::completions(*shell),
        Some(Command::Man { output }) => cmd::shell::manual(output),
    }
}
