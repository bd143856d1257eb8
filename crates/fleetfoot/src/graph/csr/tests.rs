use alloc::string::ToString;
use alloc::vec::Vec;

use super::*;
use crate::heuristic::oracle::Dice;

const N: usize = 9;

impl Dice {
    fn node(&mut self) -> NodeId {
        NodeId::new(self.below(N as u32))
    }
    fn cost(&mut self) -> Cost {
        Cost::new(1 + self.below(20))
    }
}

fn node(n: u32) -> NodeId {
    NodeId::new(n)
}

type Matrix = [[Cost; N]; N];

/// Both directions of a graph must have exactly the edges of the matrix.
fn assert_same(graph: &impl ReverseGraph, matrix: &Matrix) {
    for a in (0..N).map(NodeId::from_index) {
        let out: Vec<Edge> = graph.succs(a).collect();
        let into: Vec<Edge> = graph.preds(a).collect();
        for b in (0..N).map(NodeId::from_index) {
            let there = matrix[a.index()][b.index()];
            let back = matrix[b.index()][a.index()];
            assert_eq!(graph.cost(a, b), there);
            assert!(
                out.iter().filter(|e| e.to == b).map(|e| e.cost).eq(Some(there).filter(|c| c.is_finite()))
            );
            assert!(
                into.iter().filter(|e| e.to == b).map(|e| e.cost).eq(Some(back).filter(|c| c.is_finite()))
            );
        }
    }
}

#[test]
fn random_edits_keep_both_directions_and_the_fingerprint() {
    for seed in 0..200 {
        let mut dice = Dice(seed);
        let mut matrix = [[Cost::INF; N]; N];
        let mut builder = CsrBuilder::new(N);
        for _ in 0..dice.below(40) {
            let (a, b, cost) = (dice.node(), dice.node(), dice.cost());
            builder.edge(a, b, cost);
            let cell = &mut matrix[a.index()][b.index()];
            *cell = cost.min(*cell);
        }
        let declared = matrix;
        let mut graph = builder.max_edge_cost(Cost::new(20)).build().unwrap();
        let untouched = graph.clone();
        assert_same(&graph, &matrix);

        let mut log = ChangeLog::new();
        for _ in 0..30 {
            let (a, b) = (dice.node(), dice.node());
            let new = if dice.below(3) == 0 { Cost::INF } else { dice.cost() };
            let known = declared[a.index()][b.index()].is_finite();
            assert_eq!(graph.set_cost(a, b, new, &mut log).is_ok(), known);
            if known {
                matrix[a.index()][b.index()] = new;
            }
            assert_same(&graph, &matrix);
            assert_eq!(graph.fingerprint(), graph.out.fingerprint(graph.max_edge_cost()));
        }
        // Applying the log in reverse must restore the initial state.
        let changes: Vec<EdgeChange> = log.since(0).copied().collect();
        for c in changes.iter().rev() {
            assert_eq!(graph.cost(c.from, c.to), c.new);
            graph.set_cost(c.from, c.to, c.old, &mut log).unwrap();
        }
        assert_same(&graph, &declared);
        assert_eq!(graph.fingerprint(), untouched.fingerprint());
    }
}

#[test]
fn edges_come_in_the_order_of_insertion_both_ways() {
    let mut builder = CsrBuilder::new(6);
    for to in [4, 1, 5, 1, 2] {
        builder.edge(node(0), node(to), Cost::new(to + 1));
    }
    for from in [5, 3, 0, 4] {
        builder.edge(node(from), node(3), Cost::new(2));
    }
    builder.edge(node(0), node(5), Cost::new(1)); // a cheaper parallel stays in the first one's place
    let mut graph = builder.build().unwrap();
    let heads = |g: &Csr| g.succs(node(0)).map(|e| e.to.raw()).collect::<Vec<_>>();
    assert_eq!(heads(&graph), [4, 1, 5, 2, 3]);
    assert_eq!(graph.cost(node(0), node(5)), Cost::new(1));
    assert_eq!(graph.preds(node(3)).map(|e| e.to.raw()).collect::<Vec<_>>(), [5, 3, 0, 4]);

    let mut log = ChangeLog::new();
    graph.set_cost(node(0), node(1), Cost::INF, &mut log).unwrap();
    assert_eq!(heads(&graph), [4, 5, 2, 3]);
    graph.set_cost(node(0), node(1), Cost::new(1), &mut log).unwrap();
    assert_eq!(heads(&graph), [4, 1, 5, 2, 3]);
}

#[test]
fn order_and_cost_show_in_the_fingerprint() {
    let build = |edges: &[(u32, u32, u32)]| {
        let mut builder = CsrBuilder::new(4);
        for &(a, b, c) in edges {
            builder.edge(node(a), node(b), Cost::new(c));
        }
        builder.max_edge_cost(Cost::new(9)).build().unwrap().fingerprint()
    };
    let original = build(&[(0, 1, 2), (0, 2, 2), (1, 3, 5)]);
    assert_eq!(
        original,
        build(&[(1, 3, 5), (0, 1, 2), (0, 2, 2)]),
        "the order among different tails is no matter"
    );
    assert_ne!(original, build(&[(0, 2, 2), (0, 1, 2), (1, 3, 5)]));
    assert_ne!(original, build(&[(0, 1, 2), (0, 2, 2), (1, 3, 4)]));
    assert_ne!(original, build(&[(0, 1, 2), (0, 2, 2)]));
}

#[test]
fn undirected_edits_stay_undirected() {
    for seed in 0..100 {
        let mut dice = Dice(seed);
        let mut builder = CsrBuilder::new(N);
        for _ in 0..14 {
            builder.undirected_edge(dice.node(), dice.node(), dice.cost());
        }
        let graph = builder.max_edge_cost(Cost::new(20)).build().unwrap();
        let mut matrix = [[Cost::INF; N]; N];
        for (a, row) in matrix.iter_mut().enumerate() {
            graph.succs(NodeId::from_index(a)).for_each(|e| row[e.to.index()] = e.cost);
        }
        let mut graph = graph.into_undirected().unwrap();
        let mut log = ChangeLog::new();
        for _ in 0..20 {
            let (a, b, new) = (dice.node(), dice.node(), dice.cost());
            let entries = log.end();
            if graph.set_cost(a, b, new, &mut log).is_ok() {
                let old = matrix[a.index()][b.index()];
                let expected = if old == new { 0 } else { 1 + u64::from(a != b) };
                assert_eq!(log.end() - entries, expected);
                (matrix[a.index()][b.index()], matrix[b.index()][a.index()]) = (new, new);
            }
            assert_same(&graph, &matrix);
            assert_eq!(graph.fingerprint(), graph.rows.fingerprint(graph.max_edge_cost()));
        }
    }
}

#[test]
fn a_graph_with_a_one_way_edge_is_not_undirected() {
    let twins = |back: &[(u32, u32, u32)]| {
        let mut builder = CsrBuilder::new(3);
        builder.undirected_edge(node(0), node(1), Cost::new(3));
        for &(a, b, c) in back {
            builder.edge(node(a), node(b), Cost::new(c));
        }
        builder.build().unwrap()
    };
    assert!(twins(&[]).into_undirected().is_ok());
    assert!(twins(&[(1, 2, 4), (2, 1, 4)]).into_undirected().is_ok());
    assert!(twins(&[(2, 2, 4)]).into_undirected().is_ok());
    assert!(twins(&[(1, 2, 4)]).into_undirected().is_err());
    assert!(twins(&[(1, 2, 4), (2, 1, 5)]).into_undirected().is_err());
    assert!(twins(&[(1, 2, 4), (2, 0, 4)]).into_undirected().is_err());
    let mut removed = twins(&[(1, 2, 4)]);
    removed.set_cost(node(1), node(2), Cost::INF, &mut ChangeLog::new()).unwrap();
    assert!(removed.into_undirected().is_err(), "a removed edge can come back, its twin cannot");
}

#[test]
fn mistakes_are_refused_and_explained() {
    let error = |builder: &mut CsrBuilder| builder.build().unwrap_err().to_string();
    let one = Cost::new(1);
    let e = error(CsrBuilder::new(2).edge(node(0), node(2), one).edge(node(0), node(1), Cost::ZERO));
    assert!(e.contains("n2 lies outside"), "the first mistake counts: {e}");
    assert!(error(CsrBuilder::new(2).edge(node(0), node(1), Cost::ZERO)).contains("costs 0"));
    assert!(error(CsrBuilder::new(2).edge(node(0), node(1), Cost::INF)).contains("costs inf"));
    assert!(error(&mut CsrBuilder::new(u32::MAX as usize)).contains("split"));
    let half = Cost::new(u32::MAX / 2);
    assert!(error(CsrBuilder::new(3).max_edge_cost(half)).contains("coarser"));
    let mut graph = CsrBuilder::new(2).edge(node(0), node(1), half).build().unwrap();

    let mut log = ChangeLog::new();
    let mut error = |a, b, c| graph.set_cost(node(a), node(b), c, &mut log).unwrap_err().to_string();
    assert!(error(0, 1, half + one).contains("CsrBuilder::max_edge_cost"));
    assert!(error(0, 1, Cost::ZERO).contains("positive"));
    assert!(error(1, 0, one).contains("no edge"));
    assert!(error(5, 0, one).contains("n5"));
    assert_eq!(log.end(), 0);
}
