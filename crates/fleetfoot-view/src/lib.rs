//! Seeing real-time search: records of lives, and what can be made of them.
//!
//! [`record`] lives a life and writes it down, a [`LiveRecorder`] writes down a life that others live; a [`Record`] holds up to four of them on the same problem, and is a
//! file of its own (`FORMAT.md` beside this crate describes it). From a record come a page that plays it
//! ([`html`]), pictures ([`picture`]), and traces for other tools ([`jsonl`], [`posthoc`]). [`fleet`] does the same for many
//! units at once. Nothing here searches.

pub mod canvas;
mod code;
mod decode;
mod encode;
mod events;
pub mod fleet;
mod font;
mod format;
pub mod html;
pub mod jsonl;
mod live;
mod model;
mod palette;
pub mod picture;
pub mod posthoc;
mod record;
mod recorder;
mod scene;
mod state;
pub mod story;
mod watcher;
mod writer;

pub use decode::Player;
pub use events::{Answer, Frame, RecordedEvent, Visit};
pub use format::VERSION;
pub use format::meta::{Costs, Meta, TrackMeta, kinds, prices};
pub use live::{LiveRecorder, TickInput};
pub use record::{Damage, MAX_TRACKS, MOST_TICKS, Record, Track};
pub use recorder::{Label, RecordError, RecordFilter, record, record_trial};
pub use scene::Scene;
