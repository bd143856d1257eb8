//! What planners are made of: paged tables, open lists, the one bounded best-first loop, the path tracer.
//!
//! A part that survives a step belongs to its planner and is paged; a part that does not lives in the shared
//! [`Scratch`](crate::Scratch).

mod adaptive;
mod agenda;
mod climb;
mod field;
mod flat;
mod heap;
mod htable;
mod lesson;
mod nodes;
mod open;
mod pages;
mod part;
mod ring;
mod route;
mod search;
mod sparse;
mod stack;
mod tracer;
mod trail;
mod visit;

pub use adaptive::AdaptiveTree;
pub use agenda::Agenda;
pub use climb::{Ascending, Ascent, Climb, climb};
pub use field::{Field, Key, Order, Vertex};
pub use flat::Flat;
pub use heap::Heap;
pub use htable::HTable;
pub use lesson::Queue;
pub use nodes::{Nodes, Rooted, Tree};
pub use open::{HeapList, OpenKind, OpenList, Priority, Ties};
pub use pages::{Needs, PAGE, Pages, Pool, Pooled, Pools};
pub use part::Part;
pub(crate) use part::{Stamp, by_way_of, choices, no_pages, pages};

use pages::Chunks;
pub use ring::Ring;
pub use route::Route;
pub use search::{Halt, Search, Tools};
pub use sparse::Sparse;
pub use stack::Stack;
pub use tracer::{Path, Trace};
pub use trail::Trail;

pub(crate) use climb::is_climbable;
pub(crate) use field::CHANGES_PER_STEP;
pub(crate) use open::order;
pub(crate) use search::again;
pub(crate) use visit::Visit;

/// No place on an open list.
pub(crate) const NOWHERE: u32 = u32::MAX;
