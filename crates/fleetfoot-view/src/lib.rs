//! Makes real-time search visible: records of runs, and what is made from them.
//!
//! [`record`] executes a run and records it; a [`LiveRecorder`] records a run that the caller executes. A [`Record`]
//! contains up to four tracks of the same problem and has a file format (described in `FORMAT.md`). It can be turned
//! into a page that plays it ([`html`]), pictures ([`picture`]), and traces for other tools ([`jsonl`], [`posthoc`]).
//! [`fleet`] does the same for fleets. This crate contains no search.

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
