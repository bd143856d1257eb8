//! Tests records, and what is made from them.

mod fleets;
mod pictures;
mod posthoc;
mod records;
mod stage;
