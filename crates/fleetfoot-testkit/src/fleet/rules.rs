//! The rules of fleets for passages and for stuck units, each with its switch.

use fleetfoot::fleet::FleetConfig;

/// A rule that can be switched off.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// The name of its switch.
    pub name: &'static str,
    /// Switches it off.
    pub switch_off: fn(&mut FleetConfig),
}

/// Defines rules by their names and what switches them off.
macro_rules! rules {
    ($($name:literal: $($path:ident).+ = $off:expr;)*) => {
        /// Every rule.
        pub const RULES: &[Rule] = &[
            $(Rule { name: $name, switch_off: |config| config.$($path).+ = $off },)*
        ];
    };
}

rules! {
    "swaps": resolver.swaps = false;
    "empty_pockets": resolver.empty_pockets = false;
    "steady": resolver.steady = false;
    "crowds_push": resolver.tuning.crowds_push = false;
    "rings": resolver.rings = false;
    "displaced_units_swap": resolver.tuning.displaced_units_swap = false;
    "hindrance": resolver.hindrance = false;
    "keeps_right": resolver.keeps_right = false;
    "lanes": resolver.lanes = false;
    "clears_mouths": resolver.tuning.clears_mouths = false;
    "lane_rest": resolver.tuning.lane_rest = 0;
    "penalties": resolver.penalties = false;
    "eldest_forgets": resolver.tuning.eldest_forgets = false;
    "joint_searches": resolver.joint_searches = false;
    "failed_leaders_yield": resolver.tuning.failed_leaders_yield = false;
    "ousted": resolver.tuning.ousted = 1 << 30;
    "insists": tuning.crowd.insists = 0;
}
