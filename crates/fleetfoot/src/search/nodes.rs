//! Node tables: the data of a search for each node. Starting a new search is O(1).

use super::{NOWHERE, Pages, PlannerPart, Pools, SearchTools, pages};
use crate::graph::Limits;
use crate::id::{Cost, NodeId};
use crate::save::{SaveError, SaveReader, SaveWriter};

/// The node table of a best-first search.
///
/// A node is *generated* if it has a finite g, *open* while it is on the open list, and *closed* after that.
pub trait NodeTable {
    /// Clears the table, in O(1).
    fn clear(&mut self);

    /// Sets g and parent of `n` if `g` is smaller than its current one, and returns its position on the open list,
    /// `u32::MAX` if it is not open. Otherwise returns `None`.
    fn relax(&mut self, n: NodeId, g: Cost, parent: NodeId, pools: &mut Pools) -> Option<u32>;

    /// Closes `n`, and returns its g and parent.
    fn close(&mut self, n: NodeId) -> (Cost, NodeId);

    /// Stores the position of `n` on the open list.
    fn move_to(&mut self, n: NodeId, place: u32);

    /// Returns the cost from the root. Infinite if `n` was not generated.
    fn g(&self, n: NodeId) -> Cost;

    /// Returns the parent in the search tree. `NONE` for the root and for nodes that were not generated.
    fn parent(&self, n: NodeId) -> NodeId;

    /// Returns `true` if `n` is on the open list.
    fn is_open(&self, n: NodeId) -> bool;

    /// Returns the learned estimate of `n`. Infinite if there is none.
    fn learned_h(&self, _: NodeId) -> Cost {
        Cost::INF
    }

    /// Returns `true` if `n` was expanded and not opened again since.
    fn is_closed(&self, n: NodeId) -> bool {
        self.g(n).is_finite() && !self.is_open(n)
    }
}

/// The node table of planners that keep a search tree. The provided methods are correct for tables that do not
/// learn.
pub trait SearchTree: NodeTable + PlannerPart + Clone + Send + Sync + 'static {
    /// `true` if the table learns from search to search.
    const LEARNS: bool;

    /// Returns the number of edges from the root to `n`. Final once `n` is closed.
    fn depth(&self, n: NodeId) -> u32;

    /// Returns the depth of the node expanded last.
    fn last_depth(&self) -> u32;

    /// Returns the estimate that a search started now would use for `n`. `base` returns the graph's.
    fn initial_estimate(&self, _n: NodeId, base: impl FnOnce() -> Cost) -> Cost {
        base()
    }

    /// Returns the estimate for a node that was just relaxed. `base` returns the graph's.
    #[inline]
    fn estimate(&mut self, _n: NodeId, base: impl FnOnce() -> Cost) -> Cost {
        base()
    }

    /// Ends the current search. `_f` is the f of the next node, infinite if there is none. Tables that learn are
    /// updated here. Returns `false` if the budget ran out; call it again then.
    fn finish_search(&mut self, _f: Cost, _tools: &mut SearchTools<'_>) -> bool {
        true
    }

    /// Clears learned values as well, in O(1). Called for a new goal.
    fn forget(&mut self) {}

    /// Returns the number of nodes with a learned value, the number of updates, and the sum of all increases.
    fn learned(&self) -> (u64, u64, u64) {
        (0, 0, 0)
    }
}

/// A node of a search tree that is kept between steps.
#[derive(Clone, Copy, Debug)]
pub(super) struct TreeNode {
    g: Cost,
    parent: NodeId,
    place: u32,
    depth: u32,
}

impl TreeNode {
    pub(super) const BLANK: Self = Self { g: Cost::INF, parent: NodeId::NONE, place: NOWHERE, depth: 0 };
}

/// A search tree that is kept between steps: paged, 16 bytes per node of an allocated page.
///
/// Each node stores its depth. Two paths in the tree that share a node have it at the same depth. A path is
/// therefore an array indexed by depth, and a membership test is one comparison.
#[derive(Clone, Debug)]
pub struct PagedTree {
    tree_nodes: Pages<TreeNode>,
    /// The depth of the node expanded last.
    depth: u32,
    /// `true` if closed nodes are not opened again when they are reached at a lower cost.
    keeps_closed: bool,
}

impl PagedTree {
    /// Creates a tree for `bound` nodes.
    pub fn new(bound: usize) -> Self {
        Self { tree_nodes: Pages::new(bound, TreeNode::BLANK), depth: 0, keeps_closed: false }
    }

    /// Creates a tree whose closed nodes keep their parents, even if h is inconsistent and they are reached at a
    /// lower cost.
    pub(crate) fn without_reopening(bound: usize) -> Self {
        Self { keeps_closed: true, ..Self::new(bound) }
    }

    /// Returns all generated nodes with g and parent, ordered by number.
    pub fn generated(&self) -> impl Iterator<Item = (NodeId, Cost, NodeId)> + '_ {
        self.grown().map(|(n, branch)| (n, branch.g, branch.parent))
    }

    /// Sets the depth of the node that is being expanded.
    pub(super) fn set_depth(&mut self, depth: u32) {
        self.depth = depth;
    }

    /// Adds a node that is not open.
    pub(super) fn put(&mut self, n: NodeId, g: Cost, (parent, depth): (NodeId, u32), pools: &mut Pools) {
        *self.tree_nodes.at(n.index(), &mut pools.tree_nodes) = TreeNode { g, parent, place: NOWHERE, depth };
    }

    fn grown(&self) -> impl Iterator<Item = (NodeId, TreeNode)> + '_ {
        let all = self.tree_nodes.live().filter(|(_, branch)| branch.g.is_finite());
        all.map(|(n, branch)| (NodeId::from_index(n), branch))
    }
}

impl SearchTree for PagedTree {
    const LEARNS: bool = false;

    #[inline]
    fn depth(&self, n: NodeId) -> u32 {
        self.tree_nodes.get(n.index()).depth
    }

    fn last_depth(&self) -> u32 {
        self.depth
    }
}

impl PlannerPart for PagedTree {
    fn write(&self, out: &mut dyn SaveWriter) {
        out.u32(self.grown().count() as u32);
        for (n, branch) in self.grown() {
            out.node(n);
            out.cost(branch.g);
            out.node(branch.parent);
            out.u32(branch.depth);
        }
    }

    fn read(&mut self, limits: &Limits, from: &mut SaveReader<'_>) -> Result<(), SaveError> {
        let (limits, pools) = (&limits.within(self.tree_nodes.bound()), &mut Pools::new());
        self.clear();
        for _ in 0..from.len(16)? {
            let (n, g) = (from.node(limits)?, from.cost()?);
            let (parent, depth) = (from.node_or_none(limits)?, from.u32()?);
            if depth as usize >= limits.bound || !g.is_finite() || self.g(n).is_finite() {
                return Err(SaveError::new("a node of its tree is out of range or there twice"));
            }
            self.put(n, g, (parent, depth), pools);
        }
        check_rooted(self, self.grown().map(|(n, _)| n))
    }

    pages! { paged: tree_nodes; others: depth, keeps_closed }
}

/// Checks that the parent of every node is a generated node one level up, so that paths end.
pub(super) fn check_rooted(
    tree: &impl SearchTree,
    mut nodes: impl Iterator<Item = NodeId>,
) -> Result<(), SaveError> {
    let rooted = |n: NodeId| match tree.parent(n).some() {
        None => tree.depth(n) == 0,
        Some(p) => tree.g(p) <= tree.g(n) && tree.depth(p).checked_add(1) == Some(tree.depth(n)),
    };
    if nodes.all(rooted) { Ok(()) } else { Err(SaveError::new("its search tree is not a tree")) }
}

/// Returns `keeps_closed`. A separate cold function: with a consistent h no closed node is reached at a lower cost.
#[cold]
#[inline(never)]
fn refuses(keeps_closed: bool) -> bool {
    keeps_closed
}

impl NodeTable for PagedTree {
    fn clear(&mut self) {
        self.tree_nodes.clear();
        self.depth = 0;
    }

    #[inline]
    fn relax(&mut self, n: NodeId, g: Cost, parent: NodeId, pools: &mut Pools) -> Option<u32> {
        let branch = self.tree_nodes.at(n.index(), &mut pools.tree_nodes);
        if g >= branch.g {
            return None;
        }
        if branch.place == NOWHERE && branch.g.is_finite() && refuses(self.keeps_closed) {
            return None;
        }
        let depth = if parent.is_some() { self.depth + 1 } else { 0 };
        *branch = TreeNode { g, parent, place: branch.place, depth };
        Some(branch.place)
    }

    #[inline]
    fn close(&mut self, n: NodeId) -> (Cost, NodeId) {
        // The page exists, since the node was generated.
        let branch = self.tree_nodes.live_mut(n.index());
        branch.place = NOWHERE;
        self.depth = branch.depth;
        (branch.g, branch.parent)
    }

    #[inline]
    fn move_to(&mut self, n: NodeId, place: u32) {
        self.tree_nodes.live_mut(n.index()).place = place;
    }

    #[inline]
    fn g(&self, n: NodeId) -> Cost {
        self.tree_nodes.get(n.index()).g
    }

    #[inline]
    fn parent(&self, n: NodeId) -> NodeId {
        self.tree_nodes.get(n.index()).parent
    }

    #[inline]
    fn is_open(&self, n: NodeId) -> bool {
        self.tree_nodes.get(n.index()).place != NOWHERE
    }
}
