//! What every planner of the registry must do, and what must be true of the whole: the conformance kit, golden walks,
//! steps that do not allocate nor loop without end, saved games, documents.

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
