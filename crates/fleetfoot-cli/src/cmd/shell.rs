//! `fleetfoot completions` and `fleetfoot man`: completions and manual pages.

use std::fs;
use std::path::Path;

use clap::CommandFactory;
use clap_complete::Shell;
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::formats::write_atomically;

use crate::args::Cli;
use crate::failure::{Failure, warn};
use crate::output::print;

/// Prints the script that completes commands and options in a shell.
pub(crate) fn completions(shell: Shell) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "fleetfoot", &mut script);
    print(|to| to.write_all(&script))
}

/// Writes a manual page for the program and for each of its commands.
pub(crate) fn manual(folder: &Path) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(|cause| InputError::io(folder, "write", &cause))?;
    let mut command = Cli::command();
    command.build();
    let mut pages = 0;
    let mut rest = vec![(String::from("fleetfoot"), command)];
    while let Some((name, command)) = rest.pop() {
        let visible =
            command.get_subcommands().filter(|inner| !inner.is_hide_set() && inner.get_name() != "help");
        rest.extend(visible.map(|inner| (format!("{name}-{}", inner.get_name()), inner.clone())));
        let mut page = Vec::new();
        let file = folder.join(format!("{name}.1"));
        clap_mangen::Man::new(command)
            .title(name)
            .render(&mut page)
            .map_err(|cause| InputError::io(&file, "write", &cause))?;
        write_atomically(&file, |out| out.write_all(&page))?;
        pages += 1;
    }
    warn("note", format!("wrote {pages} pages to {}", folder.display()));
    Ok(())
}
