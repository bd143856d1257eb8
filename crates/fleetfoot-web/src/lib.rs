//! The playground: the library in a web page.
//!
//! A [`Session`] lives up to four agents on a map that is changed under them, and tapes every tick for the viewer that
//! plays replays, too. It is the same code natively, where it is tested, and in the page, where `bindings` hands it to
//! JavaScript. [`page`] is the finished page, for the program's command `playground`.

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
