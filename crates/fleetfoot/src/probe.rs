//! What a search reports: events, for debugging, drawing and recording, and statistics. Without a probe, an event costs
//! one branch.

use crate::id::{Cost, NodeId};

/// An event of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SearchEvent {
    /// A new search started.
    Search {
        /// The root of the search.
        root: NodeId,
    },
    /// A node was expanded.
    Expand {
        /// The node.
        node: NodeId,
        /// Its parent in the search tree.
        parent: NodeId,
        /// Its cost from the root.
        g: Cost,
        /// Its priority.
        f: Cost,
    },
    /// A node was added to the open list, or its cost was reduced.
    Open {
        /// The node.
        node: NodeId,
        /// Its parent in the search tree.
        parent: NodeId,
        /// Its cost from the root.
        g: Cost,
        /// Its priority.
        f: Cost,
    },
    /// A node was removed from the open list without being expanded.
    Discard {
        /// The node.
        node: NodeId,
    },
    /// A learned value increased.
    Learn {
        /// The node.
        node: NodeId,
        /// The previous value.
        old: Cost,
        /// The new value.
        new: Cost,
    },
    /// A path is traced from its end toward the root, and this node is the next one.
    Trace {
        /// The node.
        node: NodeId,
    },
    /// The agent follows the traced path from now on.
    AdoptPath,
    /// The agent heads for this node: a subgoal, or the goal if there is no subgoal.
    Subgoal {
        /// The node.
        node: NodeId,
        /// The database record that the subgoal comes from, if any.
        record: Option<u32>,
    },
    /// A planner with two searches switches between them: the following events belong to the other one. Each search
    /// has its own root, tree and open list. The first events belong to the global search.
    SwitchSearch {
        /// `true` if the following events belong to the local search.
        is_local: bool,
    },
}

/// Receives search events.
pub trait SearchProbe {
    /// Handles one event. Called in order.
    fn event(&mut self, event: SearchEvent);
}

/// Search statistics and memory use of a planner since it was created or fully reset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Stats {
    /// Searches started (episodes, in the papers' terms).
    pub searches: u64,
    /// Maximum number of nodes on the open list.
    pub open_max: u64,
    /// Maximum number of closed nodes.
    pub closed_max: u64,
    /// Nodes with a learned value.
    pub h_states: u64,
    /// Updates of learned values, including those that changed nothing.
    pub updates: u64,
    /// Sum of all increases of learned values, in cost units.
    pub h_rise: u64,
    /// Bytes held by this planner, without shared memory.
    pub memory_bytes: u64,
}
