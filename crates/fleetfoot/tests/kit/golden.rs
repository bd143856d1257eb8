//! Golden walks: every planner on every tiny map moves as before. `FLEETFOOT_BLESS=1` accepts new walks.

#[test]
fn walks_are_as_they_were() {
    fleetfoot_testkit::golden::compare_all();
}
