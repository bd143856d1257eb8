//! The referee of joint moves. It knows only the map and the units' positions.

use fleetfoot::{Cost, Graph, Grid, NodeId};

/// Conflicts in joint moves, by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Conflicts {
    /// Units that made an impossible move.
    pub no_move: u64,
    /// Units in a cell that another unit occupies.
    pub shared: u64,
    /// Pairs of units that exchanged cells.
    pub exchanged: u64,
    /// Pairs of diagonal moves that crossed.
    pub crossed: u64,
}

impl Conflicts {
    /// Returns the total.
    pub fn total(&self) -> u64 {
        self.no_move + self.shared + self.exchanged + self.crossed
    }
}

/// Checks joint moves.
#[derive(Clone, Debug, Default)]
pub struct Referee {
    /// Cells of units in order, each with its unit.
    stand: Vec<(NodeId, usize)>,
    /// Moves in order, each with its unit.
    moves: Vec<(NodeId, NodeId, usize)>,
}

impl Referee {
    /// Counts the conflicts of a joint move from `before` to `after`, which are indexed by unit. Crossing counts
    /// unless it is allowed.
    ///
    /// # Panics
    /// If the lists differ in length.
    /// If one list is longer than the other.
    pub fn judge(&mut self, grid: &Grid, before: &[NodeId], after: &[NodeId], may_cross: bool) -> Conflicts {
        let mut found = Conflicts::default();
        self.inspect(grid, before, after, may_cross, |fault| {
            *match fault {
                Fault::NoMove { .. } => &mut found.no_move,
                Fault::Shared { .. } => &mut found.shared,
                Fault::Exchanged { .. } => &mut found.exchanged,
                Fault::Crossed { .. } => &mut found.crossed,
            } += 1;
        });
        found
    }

    /// Reports every conflict of a joint move.
    fn inspect(
        &mut self,
        grid: &Grid,
        before: &[NodeId],
        after: &[NodeId],
        may_cross: bool,
        mut show: impl FnMut(Fault),
    ) {
        assert_eq!(before.len(), after.len(), "units came or went within a move");
        self.stand.clear();
        self.moves.clear();
        for (unit, (&from, &to)) in before.iter().zip(after).enumerate() {
            self.stand.push((to, unit));
            if from != to {
                self.moves.push((from, to, unit));
                if grid.cost(from, to) == Cost::INF {
                    show(Fault::NoMove { unit, from, to });
                }
            }
        }
        self.stand.sort_unstable();
        self.moves.sort_unstable();
        for pair in self.stand.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
            show(Fault::Shared { units: (pair[0].1, pair[1].1), at: pair[0].0 });
        }
        let who = |from: NodeId, to: NodeId| {
            let place = self.moves.partition_point(|&(a, b, _)| (a, b) < (from, to));
            self.moves.get(place).filter(|&&(a, b, _)| (a, b) == (from, to)).map(|&(_, _, unit)| unit)
        };
        for &(from, to, unit) in &self.moves {
            if from < to
                && let Some(other) = who(to, from)
            {
                show(Fault::Exchanged { units: (unit, other), cells: (from, to) });
            }
            let ((ax, ay), (bx, by)) = (grid.xy(from), grid.xy(to));
            // Each crossing pair is counted once, at the unit that moves along the main diagonal.
            if may_cross || (bx > ax) != (by > ay) || ax == bx || ay == by {
                continue;
            }
            let cell = |x, y| grid.node(x, y).unwrap_or(NodeId::NONE);
            let (c, d) = (cell(ax, by), cell(bx, ay));
            if let Some(other) = who(c, d).or_else(|| who(d, c)) {
                show(Fault::Crossed { units: (unit, other), cells: (from, to) });
            }
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Fault {
    NoMove { unit: usize, from: NodeId, to: NodeId },
    Shared { units: (usize, usize), at: NodeId },
    Exchanged { units: (usize, usize), cells: (NodeId, NodeId) },
    Crossed { units: (usize, usize), cells: (NodeId, NodeId) },
}

impl Fault {
    fn text(self) -> String {
        match self {
            Self::NoMove { unit, from, to } => {
                format!("unit {unit} went from {from} to {to}, which is no move")
            }
            Self::Shared { units: (a, b), at } => format!("units {a} and {b} are both on {at}"),
            Self::Exchanged { units: (a, b), cells: (from, to) } => {
                format!("units {a} and {b} exchanged {from} and {to}")
            }
            Self::Crossed { units: (a, b), cells: (from, to) } => {
                format!("units {a} and {b} crossed between {from} and {to}")
            }
        }
    }
}

/// Checks the joint move from `before` to `after`, which are indexed by unit.
///
/// # Errors
/// The first conflict, as text.
pub fn check(grid: &Grid, before: &[NodeId], after: &[NodeId], may_cross: bool) -> Result<(), String> {
    if before.len() != after.len() {
        return Err(format!("{} units became {}", before.len(), after.len()));
    }
    let mut first = None;
    Referee::default().inspect(grid, before, after, may_cross, |fault| {
        first.get_or_insert(fault);
    });
    first.map_or(Ok(()), |fault| Err(fault.text()))
}

#[cfg(test)]
mod tests {
    use fleetfoot::Rules;

    use super::*;

    #[test]
    fn counts_every_kind_once() {
        let grid = Grid::new(6, 4, Rules::default(), |x, y| u8::from((x, y) != (5, 3))).unwrap();
        let at = |cells: &[(u32, u32)]| -> Vec<NodeId> {
            cells.iter().map(|&(x, y)| grid.node(x, y).unwrap()).collect()
        };
        let mut referee = Referee::default();
        let mut judge = |before: &[(u32, u32)], after: &[(u32, u32)]| {
            let found = referee.judge(&grid, &at(before), &at(after), false);
            assert_eq!(found.total() > 0, check(&grid, &at(before), &at(after), false).is_err());
            [found.no_move, found.shared, found.exchanged, found.crossed]
        };
        assert_eq!(judge(&[(0, 0), (1, 0)], &[(1, 0), (2, 0)]), [0; 4]);
        assert_eq!(judge(&[(0, 0), (2, 0)], &[(1, 0), (1, 0)]), [0, 1, 0, 0]);
        assert_eq!(judge(&[(0, 0), (1, 0)], &[(1, 0), (0, 0)]), [0, 0, 1, 0]);
        assert_eq!(judge(&[(0, 0), (1, 1)], &[(1, 1), (0, 0)]), [0, 0, 1, 0]);
        assert_eq!(judge(&[(0, 0), (1, 0)], &[(1, 1), (0, 1)]), [0, 0, 0, 1]);
        assert_eq!(judge(&[(1, 1), (1, 0)], &[(0, 0), (0, 1)]), [0, 0, 0, 1]);
        assert_eq!(judge(&[(0, 0), (4, 3)], &[(2, 0), (5, 3)]), [2, 0, 0, 0]);
        // Three units on one cell are two too many.
        assert_eq!(judge(&[(0, 0), (2, 0), (1, 1)], &[(1, 0), (1, 0), (1, 0)]), [0, 2, 0, 0]);
        let crossing = referee.judge(&grid, &at(&[(0, 0), (1, 0)]), &at(&[(1, 1), (0, 1)]), true);
        assert_eq!(crossing, Conflicts::default());
    }
}
