//! The building blocks of planners. They are public for authors of planners.
//!
//! - [`Search`]: the bounded best-first search, over a node table such as [`Tree`]
//! - [`Path`]: a path traced in a search tree
//! - [`Route`]: the edges that an agent still has to walk
//! - [`HTable`]: learned heuristic values
//! - [`Pages`]: paged tables
//! - [`Field`]: costs to the goal that are repaired after changes
//! - [`climb`]: hill climbing
//! - [`Part`]: saving, restoring, releasing and measuring
//!
//! A part that is kept between steps belongs to its planner and is paged. A part that is not kept is in the shared
//! [`Scratch`](crate::Scratch).

mod adaptive;
mod agenda;
mod bush;
mod climb;
mod fallen;
mod field;
mod flat;
mod heap;
mod htable;
mod lesson;
mod links;
mod nodes;
mod open;
mod pages;
mod part;
mod ring;
mod route;
mod search;
mod sparse;
mod stack;
mod stored;
mod tracer;
mod trail;
mod visit;

pub use adaptive::AdaptiveTree;
pub(crate) use bush::Bush;
pub use climb::{Ascending, Ascent, Climb, climb};
pub use field::{Field, Key, Order, Vertex};
pub use flat::Flat;
pub use htable::HTable;
pub use links::Links;
pub use nodes::{Nodes, Rooted, Tree};
pub use open::{OpenKind, OpenList, Ties};
pub use pages::{Needs, PAGE, Pages, Pool, Pooled, Pools};
pub use part::Part;
pub use route::Route;
pub use search::{Halt, Search, Tools};
pub use tracer::{Path, Trace};

pub(crate) use agenda::Agenda;
pub(crate) use climb::is_climbable;
pub(crate) use fallen::Fallen;
pub(crate) use field::CHANGES_PER_STEP;
pub(crate) use lesson::Queue;
pub(crate) use open::order;
pub(crate) use part::{Stamp, by_way_of, choices, no_pages, pages};
pub(crate) use search::again;
pub(crate) use sparse::Sparse;
pub(crate) use stack::Stack;
pub(crate) use stored::StoredPaths;
pub(crate) use trail::Trail;
pub(crate) use visit::Visit;

use pages::Chunks;

/// Not on an open list.
pub(crate) const NOWHERE: u32 = u32::MAX;
