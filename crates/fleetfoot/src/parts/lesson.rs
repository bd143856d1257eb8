//! A second search over what a look-ahead has closed: Dijkstra's algorithm on the same table, with which learners learn.

use super::open::{HeapList, Open};
use super::search::best_first;
use super::{Flat, NOWHERE, Nodes, Pools, Search, Tools};
use crate::graph::Edge;
use crate::id::{Cost, NodeId};
use crate::meter::{Kind, Meter};

impl Search<Flat> {
    /// After a search that has closed `closed` nodes: finds for each of them the least cost, over nodes that were
    /// closed, to one that is still open, with that one's `h`. It is the node's g afterwards, infinite if there is no
    /// such way; the search itself is over. Works on `queue`, over `preds`, from all open nodes at once. How many
    /// nodes it took: at most all that were generated.
    pub(crate) fn look_back<I: Iterator<Item = Edge>>(
        &mut self,
        closed: u64,
        preds: impl FnMut(NodeId) -> I,
        h: impl Fn(NodeId) -> Cost,
        queue: &mut HeapList,
        pools: &mut Pools,
    ) -> u64 {
        queue.restart();
        self.nodes.turn();
        for (n, _) in self.open.iter() {
            let h = h(n);
            if let Some(place) = self.nodes.relax(n, h, NodeId::NONE, pools) {
                queue.put(n, h, h, place, &mut self.nodes, pools);
            }
        }
        dijkstra(
            &mut Back { nodes: &mut self.nodes, left: closed },
            queue,
            preds,
            |back| back.left == 0,
            pools,
        )
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
        queue: &mut HeapList,
        pools: &mut Pools,
    ) -> u64 {
        queue.restart();
        self.nodes.turn();
        if let Some(place) = self.nodes.relax(root, Cost::ZERO, NodeId::NONE, pools) {
            queue.put(root, Cost::ZERO, Cost::ZERO, place, &mut self.nodes, pools);
        }
        dijkstra(&mut Within { nodes: &mut self.nodes, h }, queue, succs, |_| false, pools)
    }

    /// After [`Search::look_within`]: the greatest g + h on the way to a node that was not closed, root excepted.
    pub(crate) fn peak(&self, n: NodeId, h: impl Fn(NodeId) -> Cost) -> Cost {
        peak(&self.nodes, n, h)
    }
}

/// The one loop without an estimate; how many nodes it took. It is paid for by whoever asks for it.
fn dijkstra<T: Nodes, I: Iterator<Item = Edge>>(
    nodes: &mut T,
    queue: &mut HeapList,
    mut succs: impl FnMut(NodeId) -> I,
    stop: impl Fn(&T) -> bool,
    pools: &mut Pools,
) -> u64 {
    let mut meter = Meter::unlimited();
    let tools = &mut Tools { meter: &mut meter, pools, probe: None };
    let (succs, h, stop) = (|n, _| succs(n), |_: &mut T, _| Cost::ZERO, |nodes: &T, _| stop(nodes));
    best_first::<false, _, _, _>(nodes, queue, &mut 0, succs, h, stop, tools);
    meter.work()[Kind::Expand]
}

/// The table of [`Search::look_back`]: reaches only what was closed.
struct Back<'a> {
    nodes: &'a mut Flat,
    /// Closed nodes that it has yet to take.
    left: u64,
}

impl Nodes for Back<'_> {
    #[inline]
    fn relax(&mut self, n: NodeId, g: Cost, parent: NodeId, pools: &mut Pools) -> Option<u32> {
        if self.nodes.was_closed(n) { self.nodes.relax(n, g, parent, pools) } else { None }
    }

    #[inline]
    fn close(&mut self, n: NodeId) -> (Cost, NodeId) {
        let (g, parent) = self.nodes.close(n);
        self.left -= u64::from(parent.is_some());
        (g, parent)
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
