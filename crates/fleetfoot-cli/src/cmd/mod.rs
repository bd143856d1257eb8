//! The commands, one file each.

pub(crate) mod bench;
pub(crate) mod database;
pub(crate) mod demo;
pub(crate) mod fleet;
mod interrupt;
mod lab;
pub(crate) mod list;
pub(crate) mod map;
pub(crate) mod merge;
mod picture;
pub(crate) mod playground;
mod progress;
pub(crate) mod replay;
pub(crate) mod reproduce;
pub(crate) mod run;
pub(crate) mod shell;
pub(crate) mod soak;
pub(crate) mod world;
