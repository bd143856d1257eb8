//! Records, and what is made of them.

mod pictures;
mod records;
mod stage;
