//! Knows the map and who stands where, and nothing else: checks a joint move.

use std::collections::HashMap;

use fleetfoot::{Cost, Graph, Grid, NodeId};

/// What is wrong with the joint move from `before` to `after`, by unit, if anything.
pub fn check(grid: &Grid, before: &[NodeId], after: &[NodeId], may_cross: bool) -> Result<(), String> {
    if before.len() != after.len() {
        return Err(format!("{} units became {}", before.len(), after.len()));
    }
    let mut moves = HashMap::new();
    let mut taken = HashMap::new();
    for (unit, (&a, &b)) in before.iter().zip(after).enumerate() {
        if a != b && grid.cost(a, b) == Cost::INF {
            return Err(format!("unit {unit} went from {a} to {b}, which is no move"));
        }
        if let Some(other) = taken.insert(b, unit) {
            return Err(format!("units {other} and {unit} stand on {b}"));
        }
        if a != b {
            moves.insert((a, b), unit);
        }
    }
    for (&(a, b), unit) in &moves {
        if let Some(other) = moves.get(&(b, a)) {
            return Err(format!("units {unit} and {other} exchanged {a} and {b}"));
        }
        let ((ax, ay), (bx, by)) = (grid.xy(a), grid.xy(b));
        if may_cross || ax == bx || ay == by {
            continue;
        }
        let cell = |x, y| grid.node(x, y).unwrap_or(NodeId::NONE);
        let (c, d) = (cell(ax, by), cell(bx, ay));
        if let Some(other) = moves.get(&(c, d)).or_else(|| moves.get(&(d, c))) {
            return Err(format!("units {unit} and {other} crossed between {a} and {b}"));
        }
    }
    Ok(())
}
