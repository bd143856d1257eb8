//! Tests of all planners of the registry and of the whole library: the conformance kit, golden walks, steps without
//! allocation and with bounded loops, saved games, documents.

mod conformance;
mod docs;
mod forged;
mod front_door;
mod golden;
mod interface;
mod loop_turns;
mod no_alloc;
mod saved_games;

use fleetfoot_testkit::alloc::Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;
