//! D* Lite, Anytime D*, LPA* and RTD* in worlds whose costs rise and fall: held against Dijkstra's algorithm in the world
//! as it is, against plain models of the published algorithms, and against what is proved of them. What every planner must
//! do is in `conformance.rs`.

mod ad_star;
mod dstar_lite;
mod harness;
mod model;
mod mpgaa;
mod rtd;
mod saving;
mod soak;
