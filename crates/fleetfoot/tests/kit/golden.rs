//! Golden walks: every planner on every tiny map walks as it did before. `FLEETFOOT_BLESS=1` accepts new walks.

#[test]
fn walks_are_as_they_were() {
    fleetfoot_testkit::golden::compare_all();
}
