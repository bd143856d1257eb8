//! The referee: checks a planner's actions against the truth and its budget, by its own rules.
//!
//! It asks grids only for the position of a node and whether a cell is free. It derives legal moves and reachability
//! itself, so that an error in the graph that planners and worlds share cannot hide.

use std::collections::VecDeque;
use std::fmt;

use fleetfoot::{Graph, Grid, Length, Neighborhood, NodeId, Prices, Rules, Work, WorkKind};

use crate::budget::Budget;
use crate::cells::CellSet;

/// A rule of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Rule {
    /// A move leads to a neighbor, and is possible in the world of that tick.
    LegalMove,
    /// A step expands at most the states of its budget.
    Expansions,
    /// The priced work of a step is within its budget.
    Work,
    /// A `NoPath` answer is correct for the agent's belief.
    NoPathClaim,
}

/// A rule violation. It ends the run and is never counted in statistics.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleViolation {
    /// Its tick, counted from 0.
    pub tick: u64,
    /// The rule.
    pub rule: Rule,
    /// Details.
    pub details: String,
}

impl RuleViolation {
    /// Adds the trial, counted from 1, to the details.
    pub(crate) fn in_trial(mut self, trial: u64) -> Self {
        if trial > 1 {
            self.details = format!("{} (in trial {trial})", self.details);
        }
        self
    }
}

impl fmt::Display for RuleViolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rule = match self.rule {
            Rule::LegalMove => "illegal move",
            Rule::Expansions => "too many expansions",
            Rule::Work => "too much work",
            Rule::NoPathClaim => "false claim that there is no path",
        };
        write!(f, "the planner broke a rule in tick {}: {rule}: {}", self.tick, self.details)
    }
}

impl std::error::Error for RuleViolation {}

/// The limit of a step.
#[derive(Clone, Copy, Debug)]
struct Limit {
    expansions: u64,
    /// Maximum work in tenths of an expansion.
    work: u64,
    /// Maximum cost of a step's first expansion with the learning that it requires.
    first: u64,
}

/// The referee of one run.
#[derive(Debug)]
pub struct Referee {
    limit: Option<Limit>,
    prices: Prices,
    cost: Length,
}

impl Referee {
    /// Creates a referee for a run with this budget in each step.
    pub fn new(budget: &Budget, prices: Prices, rules: Rules) -> Self {
        // A learner must update each closed and each newly generated state.
        let states = if rules.neighborhood == Neighborhood::Four { 5 } else { 9 };
        let price = |kind| u64::from(prices.of(kind));
        let first = price(WorkKind::Expand) + states * price(WorkKind::Learn);
        let limit = budget.expansions().map(|n| Limit { expansions: n, work: n.saturating_mul(10), first });
        Self { limit, prices, cost: Length::ZERO }
    }

    /// Returns the length of all moves so far.
    pub fn cost(&self) -> Length {
        self.cost
    }

    /// Checks the work of a step.
    ///
    /// A step's first expansion is always granted with the learning that it requires, so that a budget of 1 suffices
    /// for every planner: a step without further expansions may cost that much, even beyond its budget. Any other
    /// step must stay within its budget.
    ///
    /// # Errors
    /// If the work exceeded the budget.
    pub fn check_work(&self, tick: u64, work: &Work) -> Result<(), RuleViolation> {
        let Some(limit) = self.limit else { return Ok(()) };
        let expansions = work[WorkKind::Expand];
        if expansions > limit.expansions {
            let details = format!("{expansions} with a budget of {}", limit.expansions);
            return Err(RuleViolation { tick, rule: Rule::Expansions, details });
        }
        let (done, grace) = (work.priced(&self.prices), if expansions == 1 { limit.first } else { 0 });
        if done > limit.work.max(grace) {
            let details = format!("{done} tenths of an expansion with a budget of {}; {work:?}", limit.work);
            return Err(RuleViolation { tick, rule: Rule::Work, details });
        }
        Ok(())
    }

    /// Checks a move against the truth, and adds its length.
    ///
    /// # Errors
    /// If the move is not possible.
    pub fn check_move(
        &mut self,
        tick: u64,
        truth: &Grid,
        from: NodeId,
        to: NodeId,
    ) -> Result<(), RuleViolation> {
        if let Err(why) = legal(truth, from, to) {
            let place = |n| place(truth, n).map_or(format!("{n}"), |(x, y)| format!("({x}, {y})"));
            let details = format!("from {} to {}, which {why}", place(from), place(to));
            return Err(RuleViolation { tick, rule: Rule::LegalMove, details });
        }
        self.cost += truth.length(from, to);
        Ok(())
    }
}

/// Returns column and row of a node, if it is on the map.
fn place(grid: &Grid, n: NodeId) -> Option<(u32, u32)> {
    let inside = |&(x, y): &(u32, u32)| grid.node(x, y) == Some(n);
    (n.index() < grid.bound()).then(|| grid.xy(n)).filter(inside)
}

/// Checks a move. Returns the reason if it is impossible.
fn legal(truth: &Grid, from: NodeId, to: NodeId) -> Result<(), &'static str> {
    let (Some((fx, fy)), Some((tx, ty))) = (place(truth, from), place(truth, to)) else {
        return Err("is not on the map");
    };
    let free = |x, y| truth.node(x, y).is_some_and(|n| truth.weight(n) > 0);
    let rules = truth.rules();
    match (fx.abs_diff(tx), fy.abs_diff(ty)) {
        _ if !free(tx, ty) => Err("is blocked"),
        (0, 1) | (1, 0) => Ok(()),
        (1, 1) if rules.neighborhood == Neighborhood::Four => Err("is a diagonal move"),
        (1, 1) if rules.cut_corners || free(fx, ty) && free(tx, fy) => Ok(()),
        (1, 1) => Err("cuts a corner"),
        _ => Err("is not a neighbor"),
    }
}

/// Tests whether two cells are connected; reuses its buffers.
#[derive(Debug, Default)]
pub(crate) struct Floods([(CellSet, VecDeque<NodeId>); 2]);

impl Floods {
    /// Checks the claim that the agent's belief has no path from `at` to `goal`.
    pub(crate) fn check_no_path(
        &mut self,
        tick: u64,
        believed: &Grid,
        at: NodeId,
        goal: NodeId,
    ) -> Result<(), RuleViolation> {
        if !believed.is_free(goal) || !self.meet(believed, at, goal) {
            return Ok(());
        }
        let ((ax, ay), (gx, gy)) = (believed.xy(at), believed.xy(goal));
        let details = format!("a way leads from ({ax}, {ay}) to ({gx}, {gy}) in the agent's own belief");
        Err(RuleViolation { tick, rule: Rule::NoPathClaim, details })
    }

    /// Floods from both cells alternately, so that the smaller component determines the time. Moves are reversible,
    /// so the flood that ends first has visited the whole component of its source.
    fn meet(&mut self, grid: &Grid, a: NodeId, b: NodeId) -> bool {
        for ((seen, queue), source) in self.0.iter_mut().zip([a, b]) {
            seen.restart(grid.bound());
            queue.clear();
            seen.insert(source);
            queue.push_back(source);
        }
        let [one, two] = &mut self.0;
        let (mut mine, mut other) = (one, two);
        while let Some(cell) = mine.1.pop_front() {
            for next in around(grid, cell).filter(|next| legal(grid, cell, *next).is_ok()) {
                if other.0.contains(next) {
                    return true;
                }
                if mine.0.insert(next) {
                    mine.1.push_back(next);
                }
            }
            std::mem::swap(&mut mine, &mut other);
        }
        false
    }
}

/// Returns the cells around a cell.
fn around(grid: &Grid, cell: NodeId) -> impl Iterator<Item = NodeId> {
    let (x, y) = grid.xy(cell);
    // Wraps to far outside at the upper and left edge.
    let offsets = (0..9).filter(|k| *k != 4).map(|k| (k % 3 - 1, k / 3 - 1));
    offsets.filter_map(move |(dx, dy)| grid.node(x.wrapping_add_signed(dx), y.wrapping_add_signed(dy)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::GridMap;
    use crate::world::Terrain;

    fn grid(rows: &[&str], rules: Rules) -> Grid {
        Terrain::default().grid(&GridMap::from_rows(rows).unwrap(), rules).unwrap()
    }

    fn rules(neighborhood: Neighborhood, cut_corners: bool) -> Rules {
        Rules { neighborhood, cut_corners, ..Rules::default() }
    }

    fn all_rules() -> impl Iterator<Item = Rules> {
        let both = [Neighborhood::Four, Neighborhood::Eight];
        both.into_iter().flat_map(|n| [rules(n, false), rules(n, true)])
    }

    #[test]
    fn knows_the_moves_by_itself_and_agrees_with_the_grid() {
        let map = crate::generate::random::generate(20, 17, 35, 3).unwrap().map;
        for rules in all_rules() {
            let grid = Terrain::default().grid(&map, rules).unwrap();
            for a in (0..grid.bound()).map(NodeId::from_index) {
                let ways: Vec<_> = (0..grid.bound())
                    .map(NodeId::from_index)
                    .filter(|b| grid.is_free(a) && legal(&grid, a, *b).is_ok())
                    .collect();
                let mut succs: Vec<_> = grid.succs(a).map(|edge| edge.to).collect();
                succs.sort();
                assert_eq!(ways, succs, "{a} {rules:?}");
            }
        }
    }

    #[test]
    fn says_why_a_move_is_illegal() {
        let rows = ["..@", ".@.", "..."];
        let grid = grid(&rows, Rules::default());
        let at = |x, y| grid.node(x, y).unwrap();
        let why = |from, to| {
            let mut referee = Referee::new(&Budget::Unlimited, Prices::PAPERS, grid.rules());
            referee.check_move(5, &grid, from, to).unwrap_err().to_string()
        };
        let cases = [
            (at(1, 1), "to (1, 1), which is blocked"),
            (at(0, 0), "to (0, 0), which is not a neighbor"),
            (at(0, 2), "to (0, 2), which is not a neighbor"),
            (at(2, 0), "to (2, 0), which is blocked"),
            (NodeId::NONE, "to none, which is not on the map"),
            (NodeId::new(15), "to n15, which is not on the map"),
        ];
        for (to, expected) in cases {
            let text = why(at(0, 0), to);
            assert!(text.contains("tick 5: illegal move: from (0, 0)") && text.ends_with(expected), "{text}");
        }
        assert!(why(at(0, 1), at(1, 0)).ends_with("cuts a corner"));
        let four = self::grid(&["..", ".."], rules(Neighborhood::Four, false));
        assert_eq!(legal(&four, at(0, 0), at(1, 1)), Err("is a diagonal move"));
    }

    #[test]
    fn adds_up_the_length() {
        let grid = grid(&["...", "..."], Rules::default());
        let at = |x, y| grid.node(x, y).unwrap();
        let mut referee = Referee::new(&Budget::Unlimited, Prices::PAPERS, grid.rules());
        referee.check_move(0, &grid, at(0, 0), at(1, 0)).unwrap();
        referee.check_move(1, &grid, at(1, 0), at(2, 1)).unwrap();
        assert!((referee.cost().value(grid.rules().diagonal) - 2.414_213_562).abs() < 1e-9);
    }

    #[test]
    fn counts_expansions_exactly_and_work_by_its_price() {
        let check = |budget, prices, kinds: &[(WorkKind, u64)]| {
            let mut work = Work::NONE;
            for &(kind, n) in kinds {
                work[kind] += n;
            }
            let referee = Referee::new(&Budget::Expansions(budget), prices, Rules::default());
            referee.check_work(0, &work).map_err(|foul| foul.rule)
        };
        let (papers, all_work) = (Prices::PAPERS, Prices::ALL_WORK);
        assert_eq!(check(3, papers, &[(WorkKind::Expand, 3), (WorkKind::Learn, 100)]), Ok(()));
        assert_eq!(check(3, papers, &[(WorkKind::Expand, 4)]), Err(Rule::Expansions));
        assert_eq!(check(3, all_work, &[(WorkKind::Expand, 2), (WorkKind::Learn, 3)]), Ok(()));
        assert_eq!(check(3, all_work, &[(WorkKind::Expand, 2), (WorkKind::Learn, 4)]), Err(Rule::Work));
        assert_eq!(check(3, all_work, &[(WorkKind::Change, 15)]), Ok(()));
        assert_eq!(check(3, all_work, &[(WorkKind::Change, 16)]), Err(Rule::Work));
        assert_eq!(check(1, all_work, &[(WorkKind::Expand, 1), (WorkKind::Learn, 9)]), Ok(()));
        assert_eq!(check(1, all_work, &[(WorkKind::Expand, 1), (WorkKind::Learn, 13)]), Err(Rule::Work));
    }

    #[test]
    fn floods_agree_with_the_components() {
        let mut floods = Floods::default();
        for seed in 0..20 {
            let map = crate::generate::random::generate(24, 18, 45, seed).unwrap().map;
            let grid = Terrain::default().grid(&map, Rules::default()).unwrap();
            let parts = map.components();
            let free: Vec<_> = (0..18)
                .flat_map(|y| (0..24).map(move |x| (x, y)))
                .filter(|&(x, y)| map.passable(x, y))
                .collect();
            for (a, b) in free.iter().zip(free.iter().rev()).filter(|(a, b)| a != b) {
                let label = |p: &(u32, u32)| parts.labels[map.index(p.0, p.1)];
                let node = |p: &(u32, u32)| grid.node(p.0, p.1).unwrap();
                assert_eq!(floods.meet(&grid, node(a), node(b)), label(a) == label(b));
            }
        }
    }
}
