//! Records, and what is made of them.

mod fleets;
mod pictures;
mod records;
mod stage;
