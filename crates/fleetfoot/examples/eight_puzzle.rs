//! The 8-puzzle: an implicit state space, numbered on demand, solved by A* a thousand expansions at a time.
//!
//! ```text
//! cargo run --release --example eight_puzzle
//! ```

use fleetfoot::planners::{AStar, AStarConfig};
use fleetfoot::{
    ChangeLog, Cost, Decision, ImplicitGraph, Meter, Planner, ReverseStateSpace, Scratch, StateSpace,
    StepContext, SymmetricSpace, WorkKind,
};

/// The tiles row by row; 0 is the hole.
type Board = [u8; 9];

struct EightPuzzle;

impl StateSpace for EightPuzzle {
    type State = Board;

    fn succs(&self, board: &Board, out: &mut impl FnMut(Board, Cost)) {
        let hole = place(board, 0);
        for next in (0..9).filter(|&p| distance(p, hole) == 1) {
            let mut moved = *board;
            moved.swap(hole, next);
            out(moved, Cost::new(1));
        }
    }

    /// Returns the sum of the tiles' distances, which is consistent: every move brings one tile at most one place
    /// nearer.
    fn h(&self, a: &Board, b: &Board) -> Cost {
        (1..9).map(|tile| Cost::new(distance(place(a, tile), place(b, tile)))).sum()
    }

    fn max_edge_cost(&self) -> Cost {
        Cost::new(1)
    }

    fn max_degree(&self) -> usize {
        4
    }
}

impl ReverseStateSpace for EightPuzzle {
    fn preds(&self, board: &Board, out: &mut impl FnMut(Board, Cost)) {
        self.succs(board, out);
    }
}

impl SymmetricSpace for EightPuzzle {}

fn place(board: &Board, tile: u8) -> usize {
    board.iter().position(|&t| t == tile).expect("every tile is on the board")
}

fn distance(p: usize, q: usize) -> u32 {
    ((p % 3).abs_diff(q % 3) + (p / 3).abs_diff(q / 3)) as u32
}

fn show(board: &Board) {
    for row in board.chunks(3) {
        let row: Vec<String> = row.iter().map(|t| if *t == 0 { "·".into() } else { t.to_string() }).collect();
        println!("  {}", row.join(" "));
    }
    println!();
}

fn main() {
    // Half of the 9! arrangements are reachable from any one; all of them fit.
    let puzzle = ImplicitGraph::new(EightPuzzle, 181_440);
    let start = puzzle.intern([8, 6, 7, 2, 5, 4, 3, 0, 1]).expect("room for the start");
    let goal = puzzle.intern([1, 2, 3, 4, 5, 6, 7, 8, 0]).expect("room for the goal");

    let mut planner = AStar::new(AStarConfig::default(), &puzzle);
    let (changes, mut scratch) = (ChangeLog::new(), Scratch::new());
    let (mut at, mut moves, mut ticks, mut expanded) = (start, 0, 0, 0);
    show(puzzle.state(at));
    while at != goal {
        let mut meter = Meter::expansions(1000);
        let (graph, changes, scratch) = (&puzzle, &changes, &mut scratch);
        let decision =
            planner.step(StepContext::new(graph, at, goal, &mut meter, scratch).with_changes(changes));
        expanded += meter.work()[WorkKind::Expand];
        ticks += 1;
        match decision {
            Decision::Go(next) => (at, moves) = (next, moves + 1),
            Decision::Wait => {}
            Decision::NoPath => return println!("this half of the arrangements does not hold the goal"),
        }
    }
    show(puzzle.state(at));
    println!("{moves} moves in {ticks} ticks; {expanded} states expanded, {} numbered", puzzle.len());
    assert_eq!(moves, 31, "this is one of the two hardest arrangements");
}
