//! `fleetfoot world`: makes changing worlds, and shows their scripts.

mod info;
mod make;

use crate::args::WorldCommand;
use crate::failure::Failure;

pub(crate) fn run(command: &WorldCommand) -> Result<(), Failure> {
    match command {
        WorldCommand::Doors(args) => make::doors(args),
        WorldCommand::Bridges(args) => make::bridges(args),
        WorldCommand::Terrain(args) => make::terrain(args),
        WorldCommand::Shortcuts(args) => make::shortcuts(args),
        WorldCommand::Info(args) => info::run(args),
    }
}
