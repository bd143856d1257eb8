//! The two ways in which units go: by exact distances on small maps, and by routes on larger ones. What a fleet promises holds in both, so
//! the tests of its behavior run in both: see [`in_both_regimes`].

use std::cell::Cell;

use fleetfoot::Map;
use fleetfoot::fleet::{Fleet, FleetConfig};

thread_local! {
    /// The maximum number of free cells of a map with exact distances, for the test of this thread.
    static ROW_CELLS: Cell<u64> = const { Cell::new(4096) };
}

/// Runs a test with another maximum number of free cells of a map with exact distances; 0 for routes on every map.
pub(crate) fn run(row_cells: u64, test: fn()) {
    ROW_CELLS.set(row_cells);
    test();
    ROW_CELLS.set(4096);
}

/// Returns the parameters of a fleet in the regime of the test.
pub(crate) fn config() -> FleetConfig {
    let mut config = FleetConfig::default();
    config.tuning.route.row_cells = ROW_CELLS.get();
    config
}

/// Returns a fleet in the regime of the test.
pub(crate) fn fleet(map: Map) -> Fleet {
    Fleet::with(map, config())
}

/// Makes two tests of each of these functions: one with exact distances on small maps, one with routes on all maps.
macro_rules! in_both_regimes {
    ($($test:ident),* $(,)?) => {
        mod by_rows {
            $(#[test] fn $test() { crate::regimes::run(4096, super::$test); })*
        }
        mod by_routes {
            $(#[test] fn $test() { crate::regimes::run(0, super::$test); })*
        }
    };
}
pub(crate) use in_both_regimes;
