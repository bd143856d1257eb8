//! Swinging doors: their rule, and the same rule as shell commands and as a program.

use std::fmt::Write as _;

use fleetfoot_sim::formats::script::{Change, ChangeKind};

use crate::session::MOST_TICKS;
use crate::setup::Setup;

/// Ticks between the swings of two consecutive doors, so that they do not swing at once.
const STAGGER: u64 = 7;

/// Returns whether door number `index` opens (`true`) or closes at this tick. Returns `None` if it does not swing then.
pub(crate) fn swung(tick: u64, period: u64, index: usize) -> Option<bool> {
    let shift = STAGGER * index as u64;
    if tick == 0 || period == 0 || !(tick + shift).is_multiple_of(period) {
        return None;
    }
    // All doors are open at first.
    let swings = (tick + shift) / period - shift / period;
    Some(swings.is_multiple_of(2))
}

/// Returns commands that write the script of a session with swinging doors, from their rule, and of edits.
pub(crate) fn script_commands(setup: &Setup, (width, height): (u32, u32), by_hand: &[Change]) -> String {
    let doors: Vec<String> = setup.doors.iter().map(|(x, y)| format!("{x},{y}")).collect();
    let mut edits = String::new();
    for Change { tick, x, y, what } in by_hand {
        let what = match what {
            ChangeKind::Close => format!("close {x} {y}"),
            ChangeKind::Open => format!("open {x} {y}"),
            ChangeKind::Weight(weight) => format!("weight {x} {y} {weight}"),
        };
        let _ = writeln!(edits, "  e[{tick}] = e[{tick}] \"{tick} {what}\\n\"");
    }
    format!(
        "# Doors swing every {period} ticks. The playground ends at tick {MOST_TICKS}.\n\
         awk 'BEGIN {{\n  \
         print \"fleetfoot-script 1\\nsize {width} {height}\"\n  \
         n = split(\"{doors}\", doors, \" \")\n\
         {edits}  \
         for (t = 0; t <= {MOST_TICKS}; t++) {{\n    \
         printf \"%s\", e[t]\n    \
         for (k = 0; k < n && t > 0; k++) {{\n      \
         if ((t + {STAGGER} * k) % {period}) continue\n      \
         split(doors[k + 1], cell, \",\")\n      \
         print t, (shut[k] = !shut[k]) ? \"close\" : \"open\", cell[1], cell[2]\n    \
         }}\n  }}\n}}' > drawn.script\n",
        period = setup.swing,
        doors = doors.join(" "),
    )
}

/// Returns the same rule as Rust code, which runs before the other changes of a tick.
pub(crate) fn program_doors(setup: &Setup) -> String {
    let doors: Vec<String> = setup.doors.iter().map(|(x, y)| format!("({x}, {y})")).collect();
    format!(
        "\n/// Doors swing every `PERIOD` ticks, one after another.\nconst DOORS: &[(u32, u32)] = &[{}];\nconst PERIOD: u64 = {};\n\
         \n/// Returns the weight of a door from this tick on, if it swings then.\nfn swung(tick: u64, door: u64) -> Option<u8> {{\n    \
         let at = tick + {STAGGER} * door;\n    \
         let swings = at / PERIOD - {STAGGER} * door / PERIOD;\n    \
         (tick > 0 && at.is_multiple_of(PERIOD)).then_some(swings.is_multiple_of(2) as u8)\n}}\n",
        doors.join(", "),
        setup.swing,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doors_close_and_open_in_turn() {
        for (period, index) in [(5, 0), (5, 3), (20, 2), (1, 1)] {
            let swings: Vec<bool> = (0..200).filter_map(|tick| swung(tick, period, index)).collect();
            assert!(swings.len() >= 9, "{period} {index}");
            assert!(swings.iter().enumerate().all(|(k, is_open)| *is_open == (k % 2 == 1)), "{swings:?}");
        }
        assert_eq!(swung(0, 5, 0), None);
        assert_eq!(swung(5, 0, 0), None);
    }
}
