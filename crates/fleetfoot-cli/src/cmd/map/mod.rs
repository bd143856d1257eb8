//! `fleetfoot map`: shows, makes, scales and draws maps.

mod generate;
mod info;
mod list;
mod render;
mod scale;

use crate::args::MapCommand;
use crate::failure::Failure;

pub(crate) fn run(command: &MapCommand) -> Result<(), Failure> {
    match command {
        MapCommand::Info { map } => info::run(map),
        MapCommand::List { dir } => list::run(dir.as_deref()),
        MapCommand::Generate(args) => generate::run(args),
        MapCommand::Scale { map, factor, output } => scale::run(map, *factor, output),
        MapCommand::Render(args) => render::run(args),
    }
}
