//! Real-time heuristic search for pathfinding in video games (a book chapter): kNN LRTA*, TBA* and A* on very large maps;
//! RIBS in local minima.

mod claims;
pub(super) mod fig15;
pub(super) mod tables;

/// Where it was published.
const PAPER: &str = "Bulitko, Björnsson, Sturtevant, Lawrence: Real-Time Heuristic Search for Pathfinding in Video Games, 2011";

/// One line of the chapter's Tables 1 to 5, and of ours.
#[derive(Clone, Copy, Debug)]
struct Line {
    /// Microseconds per move.
    micros: f64,
    /// Suboptimality in percent.
    above: f64,
    /// Memory used while running, in kilobytes.
    online: f64,
    /// Memory including the database.
    cumulative: f64,
}

/// The chapter's kNN LRTA*, by records: 10,000, 40,000, 60,000 and 80,000.
const KNN: [(u64, Line); 4] = [
    (10_000, Line { micros: 7.56, above: 6851.62, online: 8.62, cumulative: 265.65 }),
    (40_000, Line { micros: 6.88, above: 620.63, online: 5.04, cumulative: 1034.08 }),
    (60_000, Line { micros: 6.40, above: 12.77, online: 4.23, cumulative: 1547.85 }),
    (80_000, Line { micros: 6.55, above: 11.96, online: 4.22, cumulative: 2062.20 }),
];

/// The chapter's TBA*, by slice. Tables 4 and 5 print 83.31 % for a slice of 50, which is the time, copied into the
/// wrong column.
const TBA: [(u64, Line); 4] = [
    (5, Line { micros: 14.31, above: 1504.54, online: 1353.94, cumulative: 1353.94 }),
    (10, Line { micros: 26.34, above: 666.50, online: 1353.94, cumulative: 1353.94 }),
    (50, Line { micros: 83.31, above: 131.12, online: 1353.94, cumulative: 1353.94 }),
    (100, Line { micros: 117.52, above: 64.66, online: 1353.94, cumulative: 1353.94 }),
];

/// The chapter's A*: total time divided by the number of moves.
const ASTAR: Line = Line { micros: 208.03, above: 0.0, online: 1353.94, cumulative: 1353.94 };
