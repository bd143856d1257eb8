//! The value backup after a look-ahead: a second search over the closed nodes, by Dijkstra's algorithm on the same
//! table.

use alloc::vec::Vec;

use super::best_first::best_first;
use super::heap::Heap;
use super::open::Open;
use super::{FlatTable, NOWHERE, NodeTable, PageCounts, Pools, Search, SearchTools};
use crate::graph::{Edge, ReverseGraph};
use crate::id::{Cost, NodeId};
use crate::meter::{Meter, WorkKind};

/// An open list ordered by g alone. Ties only decide between equally cheap paths.
#[derive(Clone, Debug)]
pub(crate) struct Queue {
    heap: Heap<u32>,
    /// Used by [`Search::start_backup`]: the nodes with their first values, packed into a number each, value first.
    order: Vec<u64>,
}

impl Queue {
    /// Creates an empty list for at most `bound` nodes: 8 bytes per node.
    pub(crate) fn new(bound: usize) -> Self {
        Self { heap: Heap::new(bound), order: Vec::with_capacity(bound) }
    }
}

impl Queue {
    /// Adds the pages that `nodes` nodes need.
    pub(crate) fn count_pages(&self, nodes: usize, needs: &mut PageCounts) {
        self.heap.count_pages(nodes, needs);
    }
}

impl Open for Queue {
    #[inline]
    fn peek(&mut self) -> Option<(NodeId, u32)> {
        self.heap.peek().map(|(n, _)| (n, NOWHERE))
    }

    #[inline]
    fn pop(&mut self, _: u32, _: &mut impl NodeTable) -> Cost {
        self.heap.take().map_or(Cost::INF, |(_, f)| Cost::new(f))
    }

    #[inline]
    fn settle(&mut self, nodes: &mut impl NodeTable) {
        self.heap.settle(|n, place| nodes.move_to(n, place));
    }

    #[inline]
    fn put(
        &mut self,
        n: NodeId,
        f: Cost,
        _: Cost,
        place: u32,
        nodes: &mut impl NodeTable,
        pools: &mut Pools,
    ) {
        self.heap.put(n, f.raw(), place, &mut pools.keys, |n, place| nodes.move_to(n, place));
    }

    #[inline]
    fn len(&self) -> usize {
        self.heap.len()
    }
}

impl Search<FlatTable> {
    /// Backs up values after a search that closed the nodes `closed`. The value of each closed node becomes the
    /// minimum, over all nodes left open, of the cost to reach that node through closed nodes plus its `h`:
    /// [`FlatTable::backed_up_value`]. The search is over afterwards.
    ///
    /// First, each closed node gets a value from those successors that have one, in reverse order of closing. Most
    /// paths to the open list lead to nodes that were closed later, so most of these values are final. Then
    /// Dijkstra's algorithm runs from the nodes whose value improves a predecessor. One sort and a queue for
    /// decreased values suffice. So each closed node is visited at most twice. Most are visited once if the graph
    /// is symmetric.
    pub(crate) fn start_backup<G: ReverseGraph>(
        &mut self,
        closed: &[NodeId],
        graph: &G,
        h: impl Fn(NodeId) -> Cost,
        queue: &mut Queue,
        pools: &mut Pools,
    ) {
        let (nodes, Queue { heap, order }) = (&mut self.nodes, queue);
        heap.clear();
        order.clear();
        nodes.begin_looking_back();
        for (t, _) in self.open.iter() {
            nodes.leave_open(t, h(t));
        }
        let is_symmetric = graph.is_symmetric();
        for &x in closed.iter().rev() {
            // The value of x, and the bound below which it improves a predecessor.
            let (mut least, mut news) = (Cost::INF, Cost::ZERO);
            graph.succs(x).for_each(|edge| {
                if let Some(value) = nodes.first_value(edge.to) {
                    least = least.min(edge.cost + value);
                    news = news.max(Cost::new(value.raw().saturating_sub(edge.cost.raw())));
                }
            });
            if nodes.fall(x, least).is_some() && (least < news || !is_symmetric) {
                order.push(u64::from(least.raw()) << 32 | u64::from(x.raw()));
            }
        }
        order.sort_unstable();
        tell_all(graph, nodes, order, heap, pools);
    }

    /// After a search from `root` by any measure: finds the cheapest paths from `root` through closed nodes, to the
    /// closed nodes and to their successors. Costs and parents are then in the table, and [`Search::peak`] can be
    /// called. The open list can still be iterated. Returns the number of visited nodes, which is the number of
    /// closed nodes.
    pub(crate) fn look_within<I: Iterator<Item = Edge>>(
        &mut self,
        root: NodeId,
        succs: impl FnMut(NodeId) -> I,
        h: impl Fn(NodeId) -> Cost,
        queue: &mut Queue,
        pools: &mut Pools,
    ) -> u64 {
        queue.heap.clear();
        self.nodes.begin_second();
        if let Some(place) = self.nodes.relax(root, Cost::ZERO, NodeId::NONE, pools) {
            queue.put(root, Cost::ZERO, Cost::ZERO, place, &mut self.nodes, pools);
        }
        dijkstra(&mut Within { nodes: &mut self.nodes, h }, queue, succs, pools)
    }

    /// After [`Search::look_within`]: returns the maximum of g + h on the path to a node that was not closed,
    /// without the root.
    pub(crate) fn peak(&self, n: NodeId, h: impl Fn(NodeId) -> Cost) -> Cost {
        peak(&self.nodes, n, h)
    }
}

/// Updates the predecessors of the given nodes, which are sorted by value, and continues from every node whose
/// value decreases. Always takes the node with the lowest value, which is then final.
fn tell_all<G: ReverseGraph>(
    graph: &G,
    nodes: &mut FlatTable,
    order: &[u64],
    heap: &mut Heap<u32>,
    pools: &mut Pools,
) {
    let mut tell = |n, value: Cost, nodes: &mut FlatTable, heap: &mut Heap<u32>| {
        graph.preds(n).for_each(|edge| {
            let value = value + edge.cost;
            if let Some(place) = nodes.fall(edge.to, value) {
                heap.put(edge.to, value.raw(), place, &mut pools.keys, |n, place| nodes.move_to(n, place));
            }
        });
    };
    // The final entry is a sentinel: it comes after all decreased nodes.
    for &next in order.iter().chain(&[u64::MAX]) {
        let (value, n) = (Cost::new((next >> 32) as u32), NodeId::new(next as u32));
        while heap.peek().is_some_and(|(_, fallen)| fallen < value.raw())
            && let Some((n, fallen)) = heap.pop(|n, place| nodes.move_to(n, place))
        {
            nodes.move_to(n, NOWHERE);
            tell(n, Cost::new(fallen), nodes, heap);
        }
        if value.is_finite() && nodes.backed_up_value(n) == value {
            tell(n, value, nodes, heap);
        }
    }
}

/// Runs Dijkstra's algorithm, and returns the number of visited nodes. The caller charges for them.
fn dijkstra<T: NodeTable, I: Iterator<Item = Edge>>(
    nodes: &mut T,
    queue: &mut Queue,
    mut succs: impl FnMut(NodeId) -> I,
    pools: &mut Pools,
) -> u64 {
    let mut meter = Meter::unlimited();
    let tools = &mut SearchTools { meter: &mut meter, pools, probe: None };
    best_first::<false, _, _, _>(
        nodes,
        queue,
        (&mut 0, false),
        |n, _| succs(n),
        |_, _| Cost::ZERO,
        |_, _| false,
        tools,
    );
    meter.work()[WorkKind::Expand]
}

/// The table of [`Search::look_within`]: only closed nodes are put on the open list. When a node leaves the list,
/// its peak is stored in place of its position.
struct Within<'a, H> {
    nodes: &'a mut FlatTable,
    h: H,
}

/// Marks nodes that were not closed.
const FRONTIER: u32 = NOWHERE - 1;

fn peak(nodes: &FlatTable, n: NodeId, h: impl Fn(NodeId) -> Cost) -> Cost {
    match nodes.parent(n).some() {
        None => Cost::ZERO,
        Some(parent) => Cost::new(nodes.note(parent)).max(nodes.g(n) + h(n)),
    }
}

impl<H: Fn(NodeId) -> Cost> NodeTable for Within<'_, H> {
    #[inline]
    fn relax(&mut self, n: NodeId, g: Cost, parent: NodeId, pools: &mut Pools) -> Option<u32> {
        let was_met = self.nodes.g(n).is_finite();
        let was_closed = if was_met { self.nodes.note(n) != FRONTIER } else { self.nodes.was_closed(n) };
        let place = self.nodes.relax(n, g, parent, pools)?;
        if !was_closed {
            self.nodes.move_to(n, FRONTIER);
        }
        was_closed.then_some(place)
    }

    #[inline]
    fn close(&mut self, n: NodeId) -> (Cost, NodeId) {
        let found = self.nodes.close(n);
        let peak = peak(self.nodes, n, &self.h);
        self.nodes.move_to(n, peak.raw().min(FRONTIER - 1));
        found
    }

    fn clear(&mut self) {
        self.nodes.clear();
    }

    #[inline]
    fn move_to(&mut self, n: NodeId, place: u32) {
        self.nodes.move_to(n, place);
    }

    fn g(&self, n: NodeId) -> Cost {
        self.nodes.g(n)
    }

    fn parent(&self, n: NodeId) -> NodeId {
        self.nodes.parent(n)
    }

    fn is_open(&self, n: NodeId) -> bool {
        self.nodes.is_open(n)
    }
}
