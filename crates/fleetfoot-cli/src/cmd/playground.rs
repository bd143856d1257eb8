//! `fleetfoot playground`.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use fleetfoot_sim::error::InputError;
use fleetfoot_sim::formats::write_atomically;
use fleetfoot_web::page;

use crate::args::PlaygroundArgs;
use crate::failure::{Failure, warn};

pub(crate) fn run(args: &PlaygroundArgs) -> Result<(), Failure> {
    let Some(files) = page::files() else {
        let remedy = "run `bash crates/fleetfoot-web/build.sh` in the sources, then build the program again; \
                      `cargo install` of a published version has it";
        return Err(InputError::new("this program was built without the playground", remedy).into());
    };
    let folder = &args.output;
    fs::create_dir_all(folder).map_err(|cause| InputError::io(folder, "write", &cause))?;
    for (name, bytes) in &files {
        write_atomically(folder.join(name), |out| out.write_all(bytes))?;
    }
    let index = folder.join("index.html");
    writeln!(io::stdout(), "{}", index.display())?;
    if args.open {
        open(&index);
    }
    Ok(())
}

/// Opens a page in the system's browser. Errors are ignored, since the page has been written.
fn open(page: &Path) {
    let page = fs::canonicalize(page).unwrap_or_else(|_| page.to_owned());
    let mut command = if cfg!(target_os = "macos") {
        Command::new("open")
    } else if cfg!(windows) {
        Command::new("explorer")
    } else {
        Command::new("xdg-open")
    };
    let started = command.arg(&page).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    if let Err(error) = started {
        warn("warning", format_args!("cannot open a browser: {error}; open {} yourself", page.display()));
    }
}
