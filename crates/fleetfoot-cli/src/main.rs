//! `fleetfoot`: run, compare and look at real-time search.

mod args;
mod batch;
mod cmd;
mod failure;
mod output;
mod problems;
mod source;

use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command};
use failure::Failure;

fn main() -> ExitCode {
    match run(&Cli::parse()) {
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
    }
}
