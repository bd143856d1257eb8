//! A second search over what a look-ahead has closed: Dijkstra's algorithm on the same table, with which learners learn.

use super::heap::Heap;
use super::open::Open;
use super::search::best_first;
use super::{Flat, NOWHERE, Nodes, Pools, Search, Tools};
use crate::graph::Edge;
use crate::id::{Cost, NodeId};
use crate::meter::{Kind, Meter};

/// An open list by g alone. Ties decide nothing but which of several equally cheap ways is taken.
#[derive(Clone, Debug)]
pub struct Queue(Heap<u32>);

impl Queue {
    /// An empty list for at most `bound` nodes.
    pub(crate) fn new(bound: usize) -> Self {
        Self(Heap::new(bound))
    }
}

impl Open for Queue {
    #[inline]
    fn peek(&mut self) -> Option<(NodeId, u32)> {
        self.0.peek().map(|(n, _)| (n, NOWHERE))
    }

    #[inline]
    fn pop(&mut self, _: u32, _: &mut impl Nodes) -> Cost {
        self.0.take().map_or(Cost::INF, |(_, f)| Cost::new(f))
    }

    #[inline]
    fn settle(&mut self, nodes: &mut impl Nodes) {
        self.0.settle(|n, place| nodes.move_to(n, place));
    }

    #[inline]
    fn put(&mut self, n: NodeId, f: Cost, _: Cost, place: u32, nodes: &mut impl Nodes, pools: &mut Pools) {
        self.0.put(n, f.raw(), place, &mut pools.keys, |n, place| nodes.move_to(n, place));
    }

    #[inline]
    fn len(&self) -> usize {
        self.0.len()
    }
}

impl Search<Flat> {
    /// After a search that has closed these nodes: finds for each of them the least cost, over nodes that were closed,
    /// to one that is still open, with that one's `h`. It is the node's g afterwards, infinite if there is no such way;
    /// the search itself is over.
    ///
    /// What borders on the open list gets a value from there at once; from these Dijkstra's algorithm goes backwards. So
    /// each closed node is looked at twice, and the open list, which may be longer, takes no part in the queue.
    pub(crate) fn look_back<S: Iterator<Item = Edge>, P: Iterator<Item = Edge>>(
        &mut self,
        closed: &[NodeId],
        mut succs: impl FnMut(NodeId) -> S,
        preds: impl FnMut(NodeId) -> P,
        h: impl Fn(NodeId) -> Cost,
        queue: &mut Queue,
        pools: &mut Pools,
    ) {
        queue.0.clear();
        let nodes = &mut self.nodes;
        for (t, _) in self.open.iter() {
            nodes.leave_open(t, h(t));
        }
        nodes.turn();
        for &x in closed {
            let mut least = Cost::INF;
            succs(x).for_each(|edge| {
                if let Some(h) = nodes.left_open(edge.to) {
                    least = least.min(edge.cost + h);
                }
            });
            // A node that was opened again keeps its value.
            if least.is_finite()
                && nodes.left_open(x).is_none()
                && let Some(place) = nodes.relax(x, least, NodeId::NONE, pools)
            {
                queue.put(x, least, least, place, nodes, pools);
            }
        }
        dijkstra(&mut Back(nodes), queue, preds, pools);
    }

    /// After a search from `root`, by whatever measure: finds the cheapest ways from there over the nodes that it
    /// closed, to each of them and to those that they lead to. Costs and parents are in the table afterwards, and
    /// [`Search::peak`] can be asked; the open list still lists what it did. How many nodes it took: all that were
    /// closed.
    pub(crate) fn look_within<I: Iterator<Item = Edge>>(
        &mut self,
        root: NodeId,
        succs: impl FnMut(NodeId) -> I,
        h: impl Fn(NodeId) -> Cost,
        queue: &mut Queue,
        pools: &mut Pools,
    ) -> u64 {
        queue.0.clear();
        self.nodes.turn();
        if let Some(place) = self.nodes.relax(root, Cost::ZERO, NodeId::NONE, pools) {
            queue.put(root, Cost::ZERO, Cost::ZERO, place, &mut self.nodes, pools);
        }
        dijkstra(&mut Within { nodes: &mut self.nodes, h }, queue, succs, pools)
    }

    /// After [`Search::look_within`]: the greatest g + h on the way to a node that was not closed, root excepted.
    pub(crate) fn peak(&self, n: NodeId, h: impl Fn(NodeId) -> Cost) -> Cost {
        peak(&self.nodes, n, h)
    }
}

/// The one loop without an estimate; how many nodes it took. It is paid for by whoever asks for it.
fn dijkstra<T: Nodes, I: Iterator<Item = Edge>>(
    nodes: &mut T,
    queue: &mut Queue,
    mut succs: impl FnMut(NodeId) -> I,
    pools: &mut Pools,
) -> u64 {
    let mut meter = Meter::unlimited();
    let tools = &mut Tools { meter: &mut meter, pools, probe: None };
    best_first::<false, _, _, _>(
        nodes,
        queue,
        &mut 0,
        |n, _| succs(n),
        |_, _| Cost::ZERO,
        |_, _| false,
        tools,
    );
    meter.work()[Kind::Expand]
}

/// The table of [`Search::look_back`]: reaches only what was closed.
struct Back<'a>(&'a mut Flat);

impl Nodes for Back<'_> {
    #[inline]
    fn relax(&mut self, n: NodeId, g: Cost, parent: NodeId, _: &mut Pools) -> Option<u32> {
        self.0.relax_closed(n, g, parent)
    }

    #[inline]
    fn close(&mut self, n: NodeId) -> (Cost, NodeId) {
        self.0.close(n)
    }

    fn clear(&mut self) {
        self.0.clear();
    }

    #[inline]
    fn move_to(&mut self, n: NodeId, place: u32) {
        self.0.move_to(n, place);
    }

    fn g(&self, n: NodeId) -> Cost {
        self.0.g(n)
    }

    fn parent(&self, n: NodeId) -> NodeId {
        self.0.parent(n)
    }

    fn is_open(&self, n: NodeId) -> bool {
        self.0.is_open(n)
    }
}

/// The table of [`Search::look_within`]: only what was closed is put on the open list. When a node leaves the list,
/// its peak is noted where its place was.
struct Within<'a, H> {
    nodes: &'a mut Flat,
    h: H,
}

/// Noted of nodes that were not closed.
const FRONTIER: u32 = NOWHERE - 1;

fn peak(nodes: &Flat, n: NodeId, h: impl Fn(NodeId) -> Cost) -> Cost {
    match nodes.parent(n).some() {
        None => Cost::ZERO,
        Some(parent) => Cost::new(nodes.note(parent)).max(nodes.g(n) + h(n)),
    }
}

impl<H: Fn(NodeId) -> Cost> Nodes for Within<'_, H> {
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
