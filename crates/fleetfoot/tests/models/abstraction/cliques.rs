//! Clique abstraction: a reimplementation with sets, and the invariants of every level.

use std::collections::{BTreeMap, BTreeSet};

use fleetfoot::graph::Level;
use fleetfoot::{CliqueAbstraction, Cost, Embedded, Graph, Grid, NodeId, Rules};
use proptest::prelude::*;

use super::worlds;

type Edges = BTreeMap<u32, BTreeSet<u32>>;

/// Returns the cliques, in the order in which they are built.
fn part(edges: &Edges) -> Vec<BTreeSet<u32>> {
    let mut group_of: BTreeMap<u32, u32> = BTreeMap::new();
    let (mut groups, mut deferred) = (0, Vec::new());
    for (&n, around) in edges {
        if group_of.contains_key(&n) {
            continue;
        }
        let free: Vec<u32> = around.iter().copied().filter(|other| !group_of.contains_key(other)).collect();
        let joined = |a: u32, b: u32| edges[&a].contains(&b);
        let (mut fours, mut threes) = (Vec::new(), Vec::new());
        for (i, &a) in free.iter().enumerate() {
            for (j, &b) in free.iter().enumerate().skip(i + 1).filter(|(_, b)| joined(a, **b)) {
                threes.push(vec![n, a, b]);
                let others = free[j + 1..].iter().filter(|c| joined(a, **c) && joined(b, **c));
                fours.extend(others.map(|&c| vec![n, a, b, c]));
            }
        }
        match fours.into_iter().chain(threes).next() {
            Some(clique) if around.len() != 1 => {
                group_of.extend(clique.into_iter().map(|member| (member, groups)));
                groups += 1;
            }
            _ => deferred.push(n),
        }
    }
    while let Some(n) = deferred.pop() {
        if group_of.contains_key(&n) {
            continue;
        }
        let free = edges[&n].iter().find(|other| !group_of.contains_key(other));
        if let (None, 1) = (free, edges[&n].len()) {
            let host = group_of[edges[&n].first().expect("a neighbour")];
            group_of.insert(n, host);
        } else {
            group_of.extend(free.copied().into_iter().chain([n]).map(|member| (member, groups)));
            groups += 1;
        }
    }
    let mut members = vec![BTreeSet::new(); groups as usize];
    for (n, group) in group_of {
        members[group as usize].insert(n);
    }
    members
}

/// Sorts groups along the Z-order curve of their mean positions.
fn put_in_order(grid: &Grid, groups: &mut [BTreeSet<u32>], grounds: &BTreeMap<u32, BTreeSet<u32>>) {
    let place = |group: &BTreeSet<u32>| {
        let cells: Vec<u32> = group.iter().flat_map(|child| grounds[child].iter().copied()).collect();
        [mean(grid, &cells, |p| p.0), mean(grid, &cells, |p| p.1)]
    };
    let places: Vec<[f64; 2]> = groups.iter().map(place).collect();
    let least = [0, 1].map(|k| places.iter().map(|place| place[k]).fold(f64::INFINITY, f64::min));
    // The highest differing bit decides; ties go to the row.
    let code = |place: [f64; 2]| {
        let [x, y] = [0, 1].map(|k| (place[k] - least[k]) as i64 / 256);
        (0..32).rev().flat_map(|bit| [y >> bit & 1, x >> bit & 1]).collect::<Vec<_>>()
    };
    groups.sort_by_key(|group| code(place(group)));
}

/// Returns the mean in 1/256, by floats, which are exact enough for halves.
fn mean(grid: &Grid, cells: &[u32], axis: fn((i32, i32)) -> i32) -> f64 {
    let sum: f64 = cells.iter().map(|&cell| f64::from(axis(grid.position(NodeId::new(cell))))).sum();
    (sum * 256.0 / cells.len() as f64 + 0.5).floor()
}

/// Returns the edges between groups with adjacent members.
fn lift(edges: &Edges, groups: &[BTreeSet<u32>]) -> Edges {
    let of: BTreeMap<u32, u32> =
        groups.iter().enumerate().flat_map(|(k, group)| group.iter().map(move |&n| (n, k as u32))).collect();
    let mut lifted: Edges = (0..groups.len() as u32).map(|k| (k, BTreeSet::new())).collect();
    for (n, around) in edges {
        for other in around.iter().filter(|other| of[n] != of[other]) {
            lifted.get_mut(&of[n]).expect("a group").insert(of[other]);
        }
    }
    lifted
}

fn ground_edges(grid: &Grid) -> Edges {
    let around = |n: NodeId| grid.succs(n).map(|edge| edge.to.raw()).collect();
    worlds::nodes(grid).into_iter().map(|n| (n.raw(), around(n))).collect()
}

fn neighbors(level: &Level, n: NodeId) -> BTreeSet<u32> {
    level.edges(n).map(|edge| edge.to.raw()).collect()
}

/// Compares every level with the model.
fn follows_the_rules(grid: &Grid) {
    let cliques = CliqueAbstraction::new(grid);
    let mut edges = ground_edges(grid);
    let mut grounds: BTreeMap<u32, BTreeSet<u32>> = edges.keys().map(|&n| (n, BTreeSet::from([n]))).collect();
    for number in 1..=cliques.level_count() {
        let level = cliques.level(number).expect("a level");
        let mut groups = part(&edges);
        put_in_order(grid, &mut groups, &grounds);
        assert_eq!(level.len(), groups.len());
        let lifted = lift(&edges, &groups);
        let mut above = BTreeMap::new();
        for (k, group) in groups.iter().enumerate() {
            let n = NodeId::from_index(k);
            assert_eq!(level.children(n).map(NodeId::raw).collect::<BTreeSet<_>>(), *group);
            assert!(group.iter().all(|&child| level.parent(NodeId::new(child)) == n));
            assert_eq!(neighbors(level, n), lifted[&(k as u32)]);
            above.insert(k as u32, group.iter().flat_map(|child| grounds[child].iter().copied()).collect());
        }
        (edges, grounds) = (lifted, above);
        check_ground(grid, &cliques, number, &grounds);
    }
    assert!(edges.values().all(BTreeSet::is_empty), "the last level has no edges, and no other");
}

/// Checks positions, sizes and cells of a level.
fn check_ground(
    grid: &Grid,
    cliques: &CliqueAbstraction,
    number: usize,
    grounds: &BTreeMap<u32, BTreeSet<u32>>,
) {
    let level = cliques.level(number).expect("a level");
    for (&k, ground) in grounds {
        let n = NodeId::new(k);
        let listed: BTreeSet<u32> = cliques.ground(number, n).into_iter().map(NodeId::raw).collect();
        assert_eq!(listed, *ground);
        assert_eq!(level.size(n) as usize, ground.len());
        assert!(ground.iter().all(|&cell| cliques.node_at_level(NodeId::new(cell), number) == n));
        let cells: Vec<u32> = ground.iter().copied().collect();
        let (x, y) = level.position(n);
        let means = (mean(grid, &cells, |p| p.0), mean(grid, &cells, |p| p.1));
        assert_eq!((f64::from(x), f64::from(y)), means);
        let away = |cell: NodeId| {
            let (cx, cy) = grid.position(cell);
            let (dx, dy) = (f64::from((256 * cx - x).abs()), f64::from((256 * cy - y).abs()));
            (dx.max(dy) - dx.min(dy) + dx.min(dy) * 577.0 / 408.0).ceil()
        };
        assert!(ground.contains(&level.centre(n).raw()));
        assert!(ground.iter().all(|&cell| away(NodeId::new(cell)) >= away(level.centre(n))));
    }
}

/// Returns `true` if all of `set` can be reached from one of its members within it.
fn is_connected(set: &BTreeSet<u32>, around: impl Fn(u32) -> Vec<u32>) -> bool {
    let first = *set.first().expect("a set that is not empty");
    let (mut seen, mut open) = (BTreeSet::from([first]), vec![first]);
    while let Some(n) = open.pop() {
        open.extend(around(n).into_iter().filter(|m| set.contains(m) && seen.insert(*m)));
    }
    seen.len() == set.len()
}

/// Checks the invariants of every level.
fn keeps_its_promises(grid: &Grid) {
    let cliques = CliqueAbstraction::new(grid);
    let nodes = worlds::nodes(grid);
    for number in 1..=cliques.level_count() {
        let level = cliques.level(number).expect("a level");
        let mut seen = BTreeSet::new();
        let mut largest = 0;
        for n in (0..level.len()).map(NodeId::from_index) {
            let ground: BTreeSet<u32> = cliques.ground(number, n).into_iter().map(NodeId::raw).collect();
            largest = largest.max(ground.len());
            assert!(is_connected(&ground, |m| grid
                .succs(NodeId::new(m))
                .map(|edge| edge.to.raw())
                .collect()));
            assert!(ground.iter().all(|cell| seen.insert(*cell)), "no cell belongs to two nodes");
            for edge in level.edges(n) {
                assert!(edge.cost >= Cost::new(1));
                assert!(level.edges(edge.to).any(|back| back.to == n && back.cost == edge.cost));
                for to in [0, level.len() / 2, level.len() - 1].map(NodeId::from_index) {
                    assert!(level.h(n, to) <= edge.cost + level.h(edge.to, to), "h is consistent");
                }
            }
            assert_eq!(level.h(n, n), Cost::ZERO);
        }
        assert_eq!(seen.len(), nodes.len(), "every cell belongs to a node");
        assert_eq!(level.largest() as usize, largest);
        // There is an edge for each edge below that connects two nodes, and no other.
        let mut pairs = BTreeSet::new();
        for &a in &nodes {
            let from = cliques.node_at_level(a, number);
            pairs.extend(grid.succs(a).map(|edge| (from, cliques.node_at_level(edge.to, number))));
        }
        pairs.retain(|(a, b)| a != b);
        let edges = (0..level.len()).map(NodeId::from_index);
        let edges: BTreeSet<_> = edges.flat_map(|n| level.edges(n).map(move |edge| (n, edge.to))).collect();
        assert_eq!(pairs, edges);
    }
    // At the top there is one node per connected component.
    for &n in nodes.iter().step_by(1 + nodes.len() / 4) {
        let distances = fleetfoot_testkit::oracle::distances_from(grid, n);
        assert!(nodes.iter().all(|&m| cliques.is_connected(n, m) == distances[m.index()].is_finite()));
    }
}

/// Returns the size of the largest ball by counting.
fn max_ball_size(level: &Level, depth: usize) -> usize {
    let ball = |n| {
        let mut ball = BTreeSet::from([n]);
        for _ in 1..depth {
            let more: Vec<NodeId> = ball.iter().flat_map(|&n| level.edges(n).map(|edge| edge.to)).collect();
            ball.extend(more);
        }
        ball.len()
    };
    (0..level.len()).map(NodeId::from_index).map(ball).max().unwrap_or(0)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn levels_follow_the_rules(kind in 0..4u32, side in 6..22u32, seed: u64, rules in 0..4usize) {
        let rules = fleetfoot_testkit::worlds::all_rules()[rules];
        follows_the_rules(&worlds::grid(&worlds::map(kind, side, seed), rules));
    }

    #[test]
    fn levels_keep_their_promises(kind in 0..4u32, side in 6..40u32, seed: u64) {
        keeps_its_promises(&worlds::grid(&worlds::map(kind, side, seed), Rules::default()));
    }

    #[test]
    fn balls_are_counted(kind in 0..4u32, side in 6..24u32, seed: u64, depth in 1..6usize) {
        let cliques = CliqueAbstraction::new(&worlds::grid(&worlds::map(kind, side, seed), Rules::default()));
        for number in 1..=cliques.level_count() {
            let level = cliques.level(number).expect("a level");
            prop_assert_eq!(level.max_ball_size(depth), max_ball_size(level, depth));
        }
    }
}

#[test]
fn open_ground_is_parted_into_squares() {
    let cliques =
        CliqueAbstraction::new(&Grid::new(64, 64, Rules::default(), |_, _| 1).expect("a valid grid"));
    for level in 1..=6 {
        let nodes = cliques.level(level).expect("a level");
        assert_eq!((nodes.len(), nodes.largest()), (4096 >> (2 * level), 1 << (2 * level)));
    }
    assert_eq!(cliques.level_count(), 6);
    assert!(cliques.level(9) == cliques.level(6) && cliques.level(9).is_some());
}

#[test]
fn what_has_no_edge_belongs_to_no_level() {
    let grid =
        Grid::new(9, 1, Rules::default(), |x, _| u8::from(x != 1 && x != 4 && x != 7)).expect("a grid");
    let cliques = CliqueAbstraction::new(&grid);
    let node = |x| grid.node(x, 0).expect("a cell");
    assert_eq!([0, 1, 8].map(|x| cliques.node_at_level(node(x), 1)), [NodeId::NONE; 3]);
    assert!(cliques.is_connected(node(2), node(3)) && !cliques.is_connected(node(2), node(5)));
    assert!(cliques.is_connected(node(0), node(0)) && !cliques.is_connected(node(0), node(8)));
    let shut = CliqueAbstraction::new(&Grid::new(3, 3, Rules::default(), |_, _| 0).expect("a grid"));
    assert!(shut.level_count() == 0 && shut.level(1).is_none());
    assert_eq!(shut.node_at_level(NodeId::new(4), 3), NodeId::NONE);
}

#[test]
fn published_maps_keep_the_promises() {
    for set in ["wc3maps512", "bg512"] {
        worlds::published(set, 2).iter().for_each(keeps_its_promises);
    }
}
