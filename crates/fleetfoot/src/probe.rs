//! Watching a planner think. Costs nothing when off: a planner asks `Option<&mut dyn SearchProbe>` per event.

use crate::id::{Cost, NodeId};

/// Something a planner did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SearchEvent {
    /// A search started afresh at this node.
    Search {
        /// The search's root.
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
    /// A node was put on the open list, or improved there.
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
    /// A node was taken off the open list without being expanded.
    Discard {
        /// The node.
        node: NodeId,
    },
    /// A learned value rose.
    Learn {
        /// The state.
        node: NodeId,
        /// Its value before.
        old: Cost,
        /// Its value now.
        new: Cost,
    },
    /// A path is being traced and has reached this node, coming from its far end.
    Trace {
        /// The node.
        node: NodeId,
    },
    /// The traced path is the one followed from now on.
    AdoptPath,
    /// From now on the agent makes for this node: a sub-goal, or, where it has no other, its goal.
    Subgoal {
        /// The node.
        node: NodeId,
        /// The record of a database that it comes from, if it comes from one.
        record: Option<u32>,
    },
    /// A planner with two searches turns from one to the other: what follows is the other's doing. Each has its own root,
    /// tree and open list. The first to tell anything is the far-sighted one.
    SwitchSearch {
        /// Whether it turns to the near-sighted one.
        is_local: bool,
    },
}

/// Receives what a planner does.
pub trait SearchProbe {
    /// Called for every event, in order.
    fn event(&mut self, event: SearchEvent);
}
