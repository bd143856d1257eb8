//! Ctrl-C while an experiment runs: running episodes end and are kept, and the program reports it. Pressed twice, it
//! ends at once.

use std::process;
use std::sync::Once;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::failure::{STOPPED, warn};

static PRESSED: AtomicU32 = AtomicU32::new(0);

/// Installs the handler of Ctrl-C.
pub(super) fn listen() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // Without a handler Ctrl-C ends the program, which loses half a second of rows and the message.
        let _ = ctrlc::set_handler(pressed);
    });
}

/// Returns `true` if Ctrl-C was pressed.
pub(super) fn is_pressed() -> bool {
    PRESSED.load(Ordering::Relaxed) > 0
}

fn pressed() {
    if PRESSED.fetch_add(1, Ordering::Relaxed) == 0 {
        warn("\nnote", "stopping when the runs under way are made; Ctrl-C again stops at once");
        return;
    }
    warn(
        "\nnote",
        "stopped at once; all runs but those of the last half second are kept, and the same command goes on from there",
    );
    process::exit(i32::from(STOPPED));
}
