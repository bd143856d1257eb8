//! The commands, one file each.

pub(crate) mod database;
pub(crate) mod demo;
pub(crate) mod list;
pub(crate) mod map;
mod picture;
pub(crate) mod replay;
pub(crate) mod run;
pub(crate) mod world;
