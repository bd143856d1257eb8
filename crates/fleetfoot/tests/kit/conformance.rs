//! Every planner of the registry, with every value of its parameters, keeps the guarantees of its facts. A new
//! planner is tested here as soon as it has a row in `ALGORITHMS`.

use fleetfoot_testkit::conformance::{Check, all_planners};

macro_rules! checks {
    ($($test:ident $check:ident),+) => {
        $(#[test]
        fn $test() {
            all_planners(Check::$check);
        })+

        #[test]
        fn no_check_is_left_out() {
            assert_eq!([$(Check::$check),+], Check::ALL);
        }
    };
}

checks!(
    every_walk_is_legal_bounded_and_ends_rightly Walks,
    saved_between_any_two_steps_it_walks_on Saves,
    damaged_or_forged_bytes_do_no_harm Forgeries,
    goals_may_change Goals,
    agents_may_be_displaced Displacements,
    worlds_may_change Changes,
    all_of_it_at_once Chaos,
    maps_may_be_unknown Unknown,
    lives_may_begin_again Resets,
    memory_follows_what_was_touched Stats,
    memory_is_reported_in_full Memory
);
