//! The referee of joint moves. It knows the map and where units are, and nothing else.

use super::ground::{Cell, Ground, NOWHERE};

/// No unit.
const NOBODY: u32 = u32::MAX;

/// Judges joint moves. Its tables are used again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Referee {
    before_on: Vec<u32>,
    after_on: Vec<u32>,
}

impl Referee {
    /// Judges the joint move of units from `before` to `after`, which are by unit; [`NOWHERE`] for units that are not there.
    ///
    /// # Errors
    /// The first move against the rules, in words.
    pub(crate) fn judge(
        &mut self,
        ground: &Ground,
        before: &[Cell],
        after: &[Cell],
        rules: Rules,
    ) -> Result<(), String> {
        for (unit, (&from, &to)) in before.iter().zip(after).enumerate() {
            if (from == NOWHERE) != (to == NOWHERE) {
                return Err(format!("unit {unit} came or went within a tick"));
            }
            if from != to && !ground.has_move(from, to) {
                let (from, to) = (ground.xy(from), ground.xy(to));
                return Err(format!("unit {unit} went from {from:?} to {to:?}, which is no move"));
            }
        }
        if !rules.collide {
            return Ok(());
        }
        self.before_on.resize(ground.len(), NOBODY);
        self.after_on.resize(ground.len(), NOBODY);
        let found = self.conflict(ground, before, after, rules);
        before
            .iter()
            .filter(|&&cell| cell != NOWHERE)
            .for_each(|&cell| self.before_on[cell as usize] = NOBODY);
        after.iter().filter(|&&cell| cell != NOWHERE).for_each(|&cell| self.after_on[cell as usize] = NOBODY);
        found.map_or(Ok(()), Err)
    }

    fn conflict(&mut self, ground: &Ground, before: &[Cell], after: &[Cell], rules: Rules) -> Option<String> {
        for (unit, (&from, &to)) in (0..).zip(before.iter().zip(after)) {
            if from == NOWHERE {
                continue;
            }
            self.before_on[from as usize] = unit;
            let other = std::mem::replace(&mut self.after_on[to as usize], unit);
            if other != NOBODY {
                return Some(format!("units {other} and {unit} share the cell {:?}", ground.xy(to)));
            }
        }
        // The unit that goes from one cell to another one.
        let goes = |from: Cell, to: Cell| {
            let unit = self.before_on[from as usize];
            (unit != NOBODY && after[unit as usize] == to).then_some(unit)
        };
        for (unit, (&from, &to)) in (0..).zip(before.iter().zip(after)) {
            if from == to {
                continue;
            }
            if let Some(other) = goes(to, from) {
                let (from, to) = (ground.xy(from), ground.xy(to));
                return Some(format!("units {unit} and {other} exchanged {from:?} and {to:?}"));
            }
            let ((ax, ay), (bx, by)) = (ground.xy(from), ground.xy(to));
            if rules.may_cross || ax == bx || ay == by {
                continue;
            }
            let (c, d) = (by * ground.width + ax, ay * ground.width + bx);
            if let Some(other) = goes(c, d).or_else(|| goes(d, c)) {
                return Some(format!(
                    "units {unit} and {other} crossed between {:?} and {:?}",
                    (ax, ay),
                    (bx, by)
                ));
            }
        }
        None
    }
}

/// What units may not do to each other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    /// Units keep off each other.
    pub(crate) collide: bool,
    /// Diagonal moves may cross.
    pub(crate) may_cross: bool,
}

#[cfg(test)]
mod tests {
    use super::super::ground::Moves;
    use super::*;

    #[test]
    fn every_kind_of_conflict_is_found() {
        let ground = Ground::new(4, 2, Moves::Eight, vec![1, 1, 1, 1, 1, 1, 1, 0]);
        let mut referee = Referee::default();
        let mut judge = |before: &[Cell], after: &[Cell], may_cross| {
            referee
                .judge(&ground, before, after, Rules { collide: true, may_cross })
                .err()
                .unwrap_or_default()
        };
        assert_eq!(judge(&[0, 1, NOWHERE], &[1, 2, NOWHERE], false), "");
        assert!(judge(&[0, 2], &[1, 1], false).contains("share"));
        assert!(judge(&[0, 1], &[1, 0], false).contains("exchanged"));
        assert!(judge(&[0, 1], &[5, 4], false).contains("crossed"));
        assert!(judge(&[4, 5], &[1, 0], false).contains("crossed"));
        assert_eq!(judge(&[0, 1], &[5, 4], true), "");
        assert!(judge(&[0], &[2], false).contains("no move"));
        assert!(judge(&[3], &[7], false).contains("no move"), "into a wall");
        assert!(judge(&[0], &[NOWHERE], false).contains("went"));
        // Its tables are clean after a fault.
        assert_eq!(judge(&[0, 1], &[0, 1], false), "");
        let free = Rules { collide: false, may_cross: false };
        assert!(referee.judge(&ground, &[0, 2], &[1, 1], free).is_ok());
    }
}
