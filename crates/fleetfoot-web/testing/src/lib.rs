//! What the tests of the wasm build ask it: golden walks, and work to be measured. Natively `examples/measure.rs` does the
//! same work, so that both can be compared.

use fleetfoot_web::measure::Measure;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen::prelude::wasm_bindgen;

/// All golden walks, as JSON: the file's name and the text of each.
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
    /// Gets everything ready.
    pub fn of(planner: &str, problems: usize) -> Self {
        Self { measure: Measure::new(planner, problems) }
    }

    /// Walks: how many steps that were, and a checksum of all places.
    pub fn walk(&mut self, budget: u32) -> String {
        let walked = self.measure.walk(u64::from(budget));
        format!("{} {:016x}", walked.steps, walked.digest)
    }
}
