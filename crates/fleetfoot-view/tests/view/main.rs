//! Records, and what is made of them.

mod fleets;
mod pictures;
mod posthoc;
mod records;
mod stage;
