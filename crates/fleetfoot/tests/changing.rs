//! D* Lite, Anytime D*, LPA* and RTD* in worlds whose costs rise and fall: held against Dijkstra's algorithm in the world
//! as it is, against plain models of the published algorithms, and against what is proved of them. What every planner must
//! do is in `conformance.rs`.

#[path = "changing/ad_star.rs"]
mod ad_star;
#[path = "changing/dstar_lite.rs"]
mod dstar_lite;
#[path = "changing/harness.rs"]
mod harness;
#[path = "changing/model.rs"]
mod model;
#[path = "changing/rtd.rs"]
mod rtd;
#[path = "changing/saving.rs"]
mod saving;
#[path = "changing/soak.rs"]
mod soak;
