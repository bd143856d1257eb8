//! The building blocks against simple models: open lists, node tables, paths, learned values, the meter.

use std::collections::BTreeMap;

use fleetfoot::search::FlatTable;
use fleetfoot::search::{
    Halt, LearnedValues, NodeTable, OpenKind, PAGE, PagedTree, PlannerPart, Pools, Search, SearchTools, Ties,
    TraceStatus, TreePath,
};
use fleetfoot::{Cost, Edge, Graph, Meter, NodeId, Prepayment, Prices, SearchEvent, SearchProbe, WorkKind};
use fleetfoot_testkit::{Rng, worlds};

type Expansion = (NodeId, NodeId, Cost, Cost);

/// Records expanded, opened and traced nodes.
#[derive(Default)]
struct Notes {
    expanded: Vec<Expansion>,
    traced: Vec<NodeId>,
}

impl SearchProbe for Notes {
    fn event(&mut self, event: SearchEvent) {
        match event {
            SearchEvent::Expand { node, parent, g, f } => self.expanded.push((node, parent, g, f)),
            SearchEvent::Trace { node } => self.traced.push(node),
            _ => {}
        }
    }
}

/// An open list as an array that is searched linearly.
struct Naive {
    kind: OpenKind,
    /// Node, f, g, and the number of the insertion.
    entries: Vec<(NodeId, Cost, Cost, usize)>,
    puts: usize,
    floor: Cost,
}

impl Naive {
    /// Returns the next entry.
    fn next(&self) -> Option<usize> {
        (0..self.entries.len()).min_by_key(|&k| {
            let (_, f, g, order) = self.entries[k];
            let (g, order) = (i64::from(g.raw()), order.cast_signed());
            match self.kind {
                OpenKind::Ring => (f, 0, -order),
                OpenKind::Heap(Ties::LargerG) => (f, -g, order),
                OpenKind::Heap(Ties::SmallerG) => (f, g, order),
            }
        })
    }

    fn put(&mut self, n: NodeId, f: Cost, g: Cost) {
        self.entries.retain(|entry| entry.0 != n);
        // Buckets below the current one are gone: such nodes come next.
        let f = if self.kind == OpenKind::Ring { f.max(self.floor) } else { f };
        self.entries.push((n, f, g, self.puts));
        self.puts += 1;
    }
}

/// Runs best-first search on the simple list until `goal` is next, and returns the expansions.
fn naive_search(
    graph: &impl Graph,
    h: impl Fn(NodeId) -> Cost,
    (root, goal): (NodeId, NodeId),
    kind: OpenKind,
) -> (Vec<Expansion>, bool) {
    let mut open = Naive { kind, entries: Vec::new(), puts: 0, floor: h(root) };
    let mut known: BTreeMap<NodeId, (Cost, NodeId)> = BTreeMap::from([(root, (Cost::ZERO, NodeId::NONE))]);
    open.put(root, h(root), Cost::ZERO);
    let mut expanded = Vec::new();
    while let Some(k) = open.next() {
        if open.entries[k].0 == goal {
            return (expanded, true);
        }
        let (n, f, ..) = open.entries.remove(k);
        open.floor = f;
        let (g, parent) = known[&n];
        expanded.push((n, parent, g, f));
        for Edge { to, cost } in graph.succs(n) {
            if known.get(&to).is_none_or(|&(old, _)| g + cost < old) {
                known.insert(to, (g + cost, n));
                open.put(to, f.max(g + cost + h(to)), g + cost);
            }
        }
    }
    (expanded, false)
}

/// Runs the real search in slices.
fn real_search<T: NodeTable>(
    search: &mut Search<T>,
    graph: &impl Graph,
    h: impl Fn(NodeId) -> Cost,
    (root, goal): (NodeId, NodeId),
    (pools, slices): (&mut Pools, &mut Rng),
) -> (Vec<Expansion>, bool) {
    let mut notes = Notes::default();
    search.start(root, h(root), &mut SearchTools { meter: &mut Meter::unlimited(), pools, probe: None });
    loop {
        let meter = &mut Meter::priced(u64::from(slices.between(1, 50)), Prices::PAPERS);
        let mut tools = SearchTools { meter, pools, probe: Some(&mut notes) };
        match search.run(|n, _| graph.succs(n), |_, n| h(n), goal, &mut tools) {
            Halt::Paused => {}
            halt => return (notes.expanded, halt == Halt::Goal),
        }
    }
}

const KINDS: [OpenKind; 3] = [OpenKind::Ring, OpenKind::Heap(Ties::LargerG), OpenKind::Heap(Ties::SmallerG)];

/// Insertions, updates and removals as in searches on random graphs: many equal f, many late improvements. One
/// search object serves all of them, as in an agent.
#[test]
fn open_lists_do_what_a_plain_list_does() {
    let mut rng = Rng::new(21);
    for kind in KINDS {
        for max_edge_cost in [1, 3, 40, 900] {
            let (nodes, max_f_increase) = (700, Cost::new(2 * max_edge_cost));
            let mut tree = Search::new(PagedTree::new(nodes), kind, nodes, max_f_increase);
            let mut flat = Search::new(FlatTable::new(nodes), kind, nodes, max_f_increase);
            let mut pools = Pools::new();
            for round in 0..12 {
                let edges = rng.between(400, 3000) as usize;
                let graph = worlds::random_undirected(&mut rng, nodes, edges, true, max_edge_cost);
                // A consistent h: the distance to a landmark minus that of the goal.
                let ends = (NodeId::from_index(rng.below(nodes)), NodeId::from_index(rng.below(nodes)));
                let truth = fleetfoot_testkit::oracle::distances_to(&graph, ends.1);
                let h = |n: NodeId| Cost::new(truth[n.index()].raw() * (round % 4) / 4);
                let wanted = naive_search(&graph, h, ends, kind);
                assert_eq!(real_search(&mut tree, &graph, h, ends, (&mut pools, &mut rng)), wanted);
                assert_eq!(real_search(&mut flat, &graph, h, ends, (&mut pools, &mut rng)), wanted);
            }
        }
    }
}

/// With an inconsistent h closed nodes are opened again, and f never decreases along a path.
#[test]
fn open_lists_bear_an_inconsistent_h() {
    let mut rng = Rng::new(22);
    for kind in KINDS {
        for _ in 0..40 {
            let nodes = 120;
            let graph = worlds::random_undirected(&mut rng, nodes, 200, true, 20);
            let values: Vec<Cost> = (0..nodes).map(|_| Cost::new(rng.between(0, 60))).collect();
            let h = |n: NodeId| values[n.index()];
            let ends = (NodeId::from_index(rng.below(nodes)), NodeId::from_index(rng.below(nodes)));
            let mut search = Search::new(PagedTree::new(nodes), kind, nodes, Cost::new(200));
            let mut pools = Pools::new();
            let wanted = naive_search(&graph, h, ends, kind);
            assert_eq!(real_search(&mut search, &graph, h, ends, (&mut pools, &mut rng)), wanted);
        }
    }
}

/// If f can increase by more than a ring supports, a requested ring becomes a heap with larger g first.
#[test]
fn too_steep_for_a_ring_is_a_heap() {
    let mut rng = Rng::new(23);
    let nodes = 300;
    let graph = worlds::random_undirected(&mut rng, nodes, 900, true, 1_000_000);
    let (mut pools, ends) = (Pools::new(), (NodeId::new(0), NodeId::new(299)));
    let mut search = Search::new(PagedTree::new(nodes), OpenKind::Ring, nodes, Cost::new(2_000_000));
    let wanted = naive_search(&graph, |_| Cost::ZERO, ends, OpenKind::Heap(Ties::LargerG));
    assert_eq!(real_search(&mut search, &graph, |_| Cost::ZERO, ends, (&mut pools, &mut rng)), wanted);
}

/// Paths traced in slices of any size are chains of parents, and membership is correct.
#[test]
fn paths_are_chains_of_parents() {
    let mut rng = Rng::new(24);
    for prices in [Prices::PAPERS, Prices::ALL_WORK] {
        let nodes = 900;
        let mut pools = Pools::new();
        let mut search = Search::new(PagedTree::new(nodes), OpenKind::Ring, nodes, Cost::new(8));
        let mut path = TreePath::new(nodes);
        for round in 0..20 {
            // Sometimes hardly more than a tree, so that paths are long.
            let edges = if round % 2 == 0 { 5 } else { 1200 };
            let graph = worlds::random_undirected(&mut rng, nodes, edges, true, 4);
            let ends = (NodeId::from_index(rng.below(nodes)), NodeId::from_index(rng.below(nodes)));
            let found = real_search(&mut search, &graph, |_| Cost::ZERO, ends, (&mut pools, &mut rng));
            assert!(found.1);
            let tree = &search.nodes;
            let mut chain = vec![ends.1];
            while let Some(parent) = tree.parent(chain[chain.len() - 1]).some() {
                chain.push(parent);
            }
            let until = if rng.one_in(2) { NodeId::NONE } else { rng.pick(&chain) };
            let end = chain.iter().position(|&n| n == until).unwrap_or(chain.len() - 1);
            path.begin(ends.1, tree, &mut pools);
            let mut notes = Notes::default();
            loop {
                let mut meter = Meter::priced(u64::from(rng.between(1, 9)), prices);
                let before = notes.traced.len();
                let mut tools = SearchTools { meter: &mut meter, pools: &mut pools, probe: Some(&mut notes) };
                let done =
                    path.trace(tree, until, (0, u64::MAX), |_, _| true, &mut tools) == TraceStatus::Done;
                assert_eq!(meter.work()[WorkKind::Trace], (notes.traced.len() - before) as u64);
                assert_eq!(path.front(), chain[notes.traced.len()]);
                if done {
                    break;
                }
            }
            assert_eq!(notes.traced, chain[1..=end]);
            assert_eq!((path.front(), path.back()), (chain[end], ends.1));
            for n in (0..nodes).map(NodeId::from_index) {
                let place = chain[..=end].iter().position(|&m| m == n);
                assert_eq!(path.contains(n, tree), place.is_some());
                assert_eq!(path.after(n, tree), place.and_then(|k| k.checked_sub(1)).map(|k| chain[k]));
            }
            assert!(!path.contains(NodeId::NONE, tree));
            if round % 5 == 4 {
                path.release_pages(&mut pools);
            } else {
                path.clear();
            }
            assert!(path.is_empty() && path.front() == NodeId::NONE);
        }
    }
}

/// Learned values, and so pages, against a map.
#[test]
fn learned_values_are_a_map_over_a_base() {
    let mut rng = Rng::new(25);
    let bound = 100 * PAGE;
    let (mut pools, mut table) = (Pools::new(), LearnedValues::new(bound));
    let mut model = BTreeMap::new();
    let base = |n: NodeId| Cost::new(n.raw() % 17);
    for _ in 0..20_000 {
        let n = NodeId::from_index(if rng.one_in(2) { rng.below(bound) } else { rng.below(300) });
        let value = Cost::new(rng.between(0, 40));
        let old = model.get(&n).copied().unwrap_or(base(n));
        assert_eq!(table.get(n, || base(n)), old);
        assert_eq!(table.learned(n), model.get(&n).copied());
        match rng.below(500) {
            0 => {
                table.clear();
                model.clear();
            }
            1 => {
                table.release_pages(&mut pools);
                model.clear();
            }
            2..100 => {
                table.set(n, value, &mut pools);
                model.insert(n, value);
            }
            _ => {
                assert_eq!(table.raise(n, value, || base(n), &mut pools), value.saturating_sub(old));
                if value > old {
                    model.insert(n, value);
                }
            }
        }
        assert_eq!(table.states(), model.len());
    }
    assert!(table.iter().eq(model.into_iter()));
}

/// For any sequence of calls, a step spends at most its budget, or one expansion with its prepayment.
#[test]
fn a_meter_never_grants_more_than_its_budget() {
    for seed in 0..3000 {
        let mut rng = Rng::new(seed);
        let prices = rng.pick(&[Prices::PAPERS, Prices::ALL_WORK]);
        let budget = u64::from(rng.between(1, 12));
        let dues = u64::from(rng.between(0, 3));
        let mut meter = Meter::priced(budget, prices);
        let mut prepayment = meter.prepay();
        prepayment.add_per_expansion(&mut meter, WorkKind::Learn, dues);
        for _ in 0..rng.below(40) {
            ask((&mut meter, &mut prepayment), &mut rng, dues, 2);
        }
        let one = 10 + dues * u64::from(prices.of(WorkKind::Learn));
        let spent = meter.work().priced(&prices);
        assert!(spent <= one.max(10 * budget), "seed {seed}: {spent} tenths of {budget}, {:?}", meter.work());
        assert!(prices != Prices::PAPERS || meter.work()[WorkKind::Expand] <= budget, "seed {seed}");
    }
}

fn ask((meter, prepayment): (&mut Meter, &mut Prepayment), rng: &mut Rng, dues: u64, depth: u32) {
    match rng.below(6) {
        0 => {
            meter.charge(rng.pick(&[WorkKind::Trace, WorkKind::Change, WorkKind::Refresh, WorkKind::Climb]));
        }
        1 if depth > 0 => {
            let (part, whole) = (u64::from(rng.between(0, 4)), u64::from(rng.between(4, 200)));
            let rounds = rng.below(4);
            meter.with_fraction(part, whole, |m| {
                (0..rounds).for_each(|_| ask((m, prepayment), rng, dues, depth - 1));
            });
        }
        _ => {
            if meter.expand() {
                prepayment.pay(meter, WorkKind::Learn, u64::from(rng.between(0, dues as u32)));
            }
        }
    }
}

/// A meter without a limit stays unlimited, whatever is charged.
#[test]
fn an_unlimited_meter_stays_unlimited() {
    let mut meter = Meter::unlimited();
    let mut prepayment = meter.prepay();
    prepayment.add_per_expansion(&mut meter, WorkKind::Learn, 1);
    assert!(meter.expand());
    prepayment.pay(&mut meter, WorkKind::Learn, 5);
    prepayment.finish(&mut meter);
    assert_eq!(meter.expansions_left(), None);
}
