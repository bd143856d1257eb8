//! The building blocks of planners. They are public for authors of planners.
//!
//! - [`Search`]: the bounded best-first search, over a node table such as [`PagedTree`]
//! - [`TreePath`]: a path traced in a search tree
//! - [`Route`]: the edges that an agent still has to walk
//! - [`LearnedValues`]: learned heuristic values
//! - [`Pages`]: paged tables
//! - [`CostField`]: costs to the goal that are repaired after changes
//! - `climb`: hill climbing
//! - [`PlannerPart`]: saving, restoring, releasing and measuring
//!
//! A part that is kept between steps belongs to its planner and is paged. A part that is not kept is in the shared
//! [`Scratch`](crate::Scratch).

mod adaptive;
mod best_first;
mod climb;
mod dfs_stack;
mod fallen;
mod field;
mod flat_table;
mod hash_tree;
mod heap;
mod learned_values;
mod node_map;
mod nodes;
mod open;
mod paged_hash_map;
mod pages;
mod planner_part;
mod return_path;
mod ribs_node;
mod ring;
mod route;
mod stored;
mod tree_path;
mod urgency_queue;
mod value_backup;

pub use adaptive::AdaptiveTree;
pub use best_first::{Halt, Search, SearchTools};
pub use climb::{Climb, ClimbProgress, ClimbTest, climb};
pub use field::{CostField, KeyPolicy, QueueKey, Vertex};
pub use flat_table::FlatTable;
pub(crate) use hash_tree::HashTree;
pub use learned_values::LearnedValues;
pub use node_map::NodeMap;
pub use nodes::{NodeTable, PagedTree, SearchTree};
pub use open::{OpenKind, OpenList, Ties};
pub use pages::{PAGE, PageCounts, Pages, Pool, Pooled, Pools};
pub use planner_part::PlannerPart;
pub use route::Route;
pub use tree_path::{TraceStatus, TreePath};

pub(crate) use best_first::reborrow;
pub(crate) use climb::is_climbable;
pub(crate) use dfs_stack::DfsStack;
pub(crate) use fallen::Fallen;
pub(crate) use field::CHANGES_PER_STEP;
pub(crate) use open::order;
pub(crate) use paged_hash_map::PagedHashMap;
pub(crate) use planner_part::{Stamp, delegate_part, enum_part, no_pages, pages};
pub(crate) use return_path::ReturnPath;
pub(crate) use ribs_node::RibsNode;
pub(crate) use stored::StoredPaths;
pub(crate) use urgency_queue::UrgencyQueue;
pub(crate) use value_backup::Queue;

use pages::Chunks;

/// Not on an open list.
pub(crate) const NOWHERE: u32 = u32::MAX;
