//! Seeing real-time search: records of lives, and what can be made of them.
//!
//! [`record`] lives a life and writes it down, a [`Tape`] writes down a life that others live; a [`Record`] holds up to four of them on the same problem, and is a
//! file of its own (`FORMAT.md` beside this crate describes it). From a record come a page that plays it
//! ([`html`]), pictures ([`picture`]), and traces for other tools ([`jsonl`], [`posthoc`]). [`fleet`] does the same for many
//! units at once. Nothing here searches.

pub mod canvas;
mod code;
mod decode;
mod encode;
mod events;
pub mod fleet;
mod format;
pub mod html;
pub mod jsonl;
mod letters;
mod model;
mod palette;
pub mod picture;
pub mod posthoc;
mod record;
mod recorder;
mod scene;
mod state;
pub mod story;
mod tape;
mod watcher;
mod writer;

pub use decode::Player;
pub use events::{Answer, Frame, Happening, Visit};
pub use format::VERSION;
pub use format::meta::{Costs, LifeMeta, Meta, kinds, prices};
pub use record::{Damage, Life, MOST_LIVES, MOST_TICKS, Record};
pub use recorder::{Label, RecordError, Thinning, record, record_trial};
pub use scene::Scene;
pub use tape::{Lived, Tape};
