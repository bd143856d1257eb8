//! The functions that tests of the wasm build call: golden walks, and work for measurements. `examples/measure.rs`
//! does the same work natively, for comparison.

use fleetfoot_web::measure::Measure;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen::prelude::wasm_bindgen;

/// Returns all golden walks as JSON: the name and text of each file.
#[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
pub fn golden_walks() -> String {
    serde_json::to_string(&fleetfoot_testkit::golden::walks()).unwrap_or_default()
}

/// A planner's walks over some problems.
#[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
#[derive(Debug)]
pub struct Work {
    measure: Measure,
}

#[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
impl Work {
    /// Prepares the work.
    pub fn of(planner: &str, problems: usize) -> Self {
        Self { measure: Measure::new(planner, problems) }
    }

    /// Walks. Returns the number of steps, and a checksum of all cells.
    pub fn walk(&mut self, budget: u32) -> String {
        let walked = self.measure.walk(u64::from(budget));
        format!("{} {:016x}", walked.steps, walked.digest)
    }
}
