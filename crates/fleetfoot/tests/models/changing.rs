//! D* Lite, Anytime D*, LPA* and RTD* in worlds with changing costs: compared with Dijkstra's algorithm in the
//! current world, with models of the published algorithms, and with their proved properties. The properties of all
//! planners are tested in `conformance.rs`.

mod ad_star;
mod dstar_lite;
mod harness;
mod model;
mod mpgaa;
mod rtd;
mod saving;
mod soak;
