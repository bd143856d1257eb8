//! The playground: the library in a web page.
//!
//! A [`Session`] runs up to four agents on a map that can be edited meanwhile, and records every tick for the viewer
//! of replays. The code is tested natively; in the page `bindings` exposes it to JavaScript. [`page`] is the finished
//! page, for the program's command `playground`.

#[cfg(target_arch = "wasm32")]
mod bindings;
pub mod catalogue;
pub mod copy;
mod life;
pub mod measure;
#[cfg(not(target_arch = "wasm32"))]
pub mod page;
mod session;
mod setup;
mod swing;
pub mod troop;

pub use life::State;
pub use session::{MOST_TICKS, Session};
pub use setup::Setup;
