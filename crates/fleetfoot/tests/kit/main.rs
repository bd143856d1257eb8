//! Tests of all planners of the registry and of the whole library: the conformance kit, golden walks, steps without
//! allocation and with bounded loops, saved games, documents.

mod conformance;
mod docs;
mod forged;
mod golden;
mod map_and_agent;
mod modules;
mod no_alloc;
mod registry;
mod saved_games;
mod work_bounds;

use fleetfoot_testkit::alloc::Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;
