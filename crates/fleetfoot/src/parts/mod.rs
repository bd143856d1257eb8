//! What planners are made of, for those who write one: the bounded best-first loop ([`Search`]) over a tree ([`Tree`]), paths
//! traced out of it ([`Path`]), routes that are walked ([`Route`]), learned values ([`HTable`]), paged tables ([`Pages`]), a
//! field that is repaired when costs change ([`Field`]), hill climbing ([`climb`]), and [`Part`], by which a struct of them can
//! be saved, restored, released and measured.
//!
//! A part that survives a step belongs to its planner and is paged; a part that does not lives in the shared
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

/// No place on an open list.
pub(crate) const NOWHERE: u32 = u32::MAX;
