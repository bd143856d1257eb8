//! Node tables: what a search knows of each node. Starting over is O(1).

use super::{NOWHERE, Pages, Part, Pools, Tools, pages};
use crate::graph::Limits;
use crate::id::{Cost, NodeId};
use crate::save::{SaveError, SaveReader, SaveWriter};

/// What the best-first loop needs of a node table.
///
/// A node is *generated* once it has a finite g, *open* while it has a place on the open list, and *closed*
/// after that.
pub trait Nodes {
    /// Forgets all nodes, in O(1).
    fn clear(&mut self);

    /// If `g` is better than what `n` has: takes it, with `parent`, and answers with the node's place on
    /// the open list, `u32::MAX` if it has none.
    fn relax(&mut self, n: NodeId, g: Cost, parent: NodeId, pools: &mut Pools) -> Option<u32>;

    /// Takes `n` off the open list; its g and parent.
    fn close(&mut self, n: NodeId) -> (Cost, NodeId);

    /// Notes where on the open list `n` stands.
    fn move_to(&mut self, n: NodeId, place: u32);

    /// Cost from the root; infinite if not generated.
    fn g(&self, n: NodeId) -> Cost;

    /// Parent in the search tree; none for the root and for nodes not generated.
    fn parent(&self, n: NodeId) -> NodeId;

    /// Whether `n` is on the open list.
    fn is_open(&self, n: NodeId) -> bool;

    /// What a table that learns estimates for `n`; infinite where it has no estimate of its own.
    fn learned_h(&self, _: NodeId) -> Cost {
        Cost::INF
    }

    /// Whether `n` has been expanded (and not been opened again since).
    fn is_closed(&self, n: NodeId) -> bool {
        self.g(n).is_finite() && !self.is_open(n)
    }
}

/// What planners that keep a search tree need of it. What is provided is right for a table that does not learn.
pub trait Rooted: Nodes + Part + Clone + Send + Sync + 'static {
    /// Whether the table learns from search to search.
    const LEARNS: bool;

    /// Edges from the root to `n`; final once `n` is closed.
    fn depth(&self, n: NodeId) -> u32;

    /// Depth of the node expanded last.
    fn last_depth(&self) -> u32;

    /// The estimate that a search begun now would use for `n`; `base` is the graph's.
    fn foresee(&self, _n: NodeId, base: impl FnOnce() -> Cost) -> Cost {
        base()
    }

    /// The estimate for a node that has just been relaxed; `base` is the graph's.
    #[inline]
    fn estimate(&mut self, _n: NodeId, base: impl FnOnce() -> Cost) -> Cost {
        base()
    }

    /// Ends the present search, whose next node to be expanded has this f (infinite if there is none). A table
    /// that learns, learns from it; false if there is more of that to do than the meter grants, and then it is
    /// asked again.
    fn conclude(&mut self, _f: Cost, _tools: &mut Tools<'_>) -> bool {
        true
    }

    /// Forgets what was learned, too, in O(1): there is a new goal.
    fn forget(&mut self) {}

    /// States with a learned value, updates of them, and by how much they rose in all.
    fn learned(&self) -> (u64, u64, u64) {
        (0, 0, 0)
    }
}

/// A node of a search tree that an agent keeps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Branch {
    g: Cost,
    parent: NodeId,
    place: u32,
    depth: u32,
}

impl Branch {
    pub(super) const BLANK: Self = Self { g: Cost::INF, parent: NodeId::NONE, place: NOWHERE, depth: 0 };
}

/// A search tree that an agent keeps over steps: paged, 16 bytes per node of a taken page.
///
/// Each node knows its depth. Two paths in one tree that share a node have it at the same place, counted
/// from the root; so a path is an array by depth, and membership is one comparison, without a hash index.
#[derive(Clone, Debug)]
pub struct Tree {
    branches: Pages<Branch>,
    /// Depth of the node expanded last.
    depth: u32,
    /// Whether a closed node stays closed when it is reached more cheaply.
    keeps_closed: bool,
}

impl Tree {
    /// A tree over the nodes below `bound`.
    pub fn new(bound: usize) -> Self {
        Self { branches: Pages::new(bound, Branch::BLANK), depth: 0, keeps_closed: false }
    }

    /// A tree in which closed nodes keep their parents, even where h is inconsistent and they are reached more cheaply.
    pub(crate) fn without_reopening(bound: usize) -> Self {
        Self { keeps_closed: true, ..Self::new(bound) }
    }

    /// All generated nodes with g and parent, in order of their numbers.
    pub fn generated(&self) -> impl Iterator<Item = (NodeId, Cost, NodeId)> + '_ {
        self.grown().map(|(n, branch)| (n, branch.g, branch.parent))
    }

    /// The depth of the node that is being expanded, where that is known elsewhere.
    pub(super) fn set_depth(&mut self, depth: u32) {
        self.depth = depth;
    }

    /// Puts a node that is not open.
    pub(super) fn put(&mut self, n: NodeId, g: Cost, (parent, depth): (NodeId, u32), pools: &mut Pools) {
        *self.branches.at(n.index(), &mut pools.branches) = Branch { g, parent, place: NOWHERE, depth };
    }

    fn grown(&self) -> impl Iterator<Item = (NodeId, Branch)> + '_ {
        let all = self.branches.live().filter(|(_, branch)| branch.g.is_finite());
        all.map(|(n, branch)| (NodeId::from_index(n), branch))
    }
}

impl Rooted for Tree {
    const LEARNS: bool = false;

    #[inline]
    fn depth(&self, n: NodeId) -> u32 {
        self.branches.get(n.index()).depth
    }

    fn last_depth(&self) -> u32 {
        self.depth
    }
}

impl Part for Tree {
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
        let (limits, pools) = (&limits.within(self.branches.bound()), &mut Pools::new());
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

    pages! { paged: branches; others: depth, keeps_closed }
}

/// Whether every node's parent is a generated node one level up, so that paths end.
pub(super) fn check_rooted(
    tree: &impl Rooted,
    mut nodes: impl Iterator<Item = NodeId>,
) -> Result<(), SaveError> {
    let rooted = |n: NodeId| match tree.parent(n).some() {
        None => tree.depth(n) == 0,
        Some(p) => tree.g(p) <= tree.g(n) && tree.depth(p).checked_add(1) == Some(tree.depth(n)),
    };
    if nodes.all(rooted) { Ok(()) } else { Err(SaveError::new("its search tree is not a tree")) }
}

/// Returns `keeps_closed`. Kept apart, since with a consistent h no closed node is ever reached more cheaply.
#[cold]
#[inline(never)]
fn refuses(keeps_closed: bool) -> bool {
    keeps_closed
}

impl Nodes for Tree {
    fn clear(&mut self) {
        self.branches.clear();
        self.depth = 0;
    }

    #[inline]
    fn relax(&mut self, n: NodeId, g: Cost, parent: NodeId, pools: &mut Pools) -> Option<u32> {
        let branch = self.branches.at(n.index(), &mut pools.branches);
        if g >= branch.g {
            return None;
        }
        if branch.place == NOWHERE && branch.g.is_finite() && refuses(self.keeps_closed) {
            return None;
        }
        let depth = if parent.is_some() { self.depth + 1 } else { 0 };
        *branch = Branch { g, parent, place: branch.place, depth };
        Some(branch.place)
    }

    #[inline]
    fn close(&mut self, n: NodeId) -> (Cost, NodeId) {
        // The page is there: the node has been generated.
        let branch = self.branches.there(n.index());
        branch.place = NOWHERE;
        self.depth = branch.depth;
        (branch.g, branch.parent)
    }

    #[inline]
    fn move_to(&mut self, n: NodeId, place: u32) {
        self.branches.there(n.index()).place = place;
    }

    #[inline]
    fn g(&self, n: NodeId) -> Cost {
        self.branches.get(n.index()).g
    }

    #[inline]
    fn parent(&self, n: NodeId) -> NodeId {
        self.branches.get(n.index()).parent
    }

    #[inline]
    fn is_open(&self, n: NodeId) -> bool {
        self.branches.get(n.index()).place != NOWHERE
    }
}
