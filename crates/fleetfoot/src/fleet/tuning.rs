//! Every constant of policy, in one place. Prices of work, sizes of tables and flags of formats stay beside the code that needs them.

use crate::planner_part;
use crate::save::SaveError;

/// Parameters of a fleet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FleetConfig {
    /// Whether units keep off each other. If not, they walk through each other, and any number can share a cell.
    pub collisions: bool,
    /// How they keep off each other.
    pub resolver: ResolverConfig,
    /// Number of units of one order from which on one search from their common goal serves them all.
    pub least_group: usize,
    /// Constants of policy.
    pub tuning: Tuning,
}

impl Default for FleetConfig {
    fn default() -> Self {
        Self {
            collisions: true,
            resolver: ResolverConfig::default(),
            least_group: 6,
            tuning: Tuning::default(),
        }
    }
}

/// Parameters of the resolver. Each rule is switched off alone; [`JamTuning`] has switches for parts of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "rules that can be switched off one by one")]
pub struct ResolverConfig {
    /// Ties are broken by a hash of it.
    pub seed: u64,
    /// Whether two units that meet head-on in a narrow passage walk back to a place where they can pass.
    pub swaps: bool,
    /// Whether a dead end counts as a place to pass only if it is empty.
    pub empty_pockets: bool,
    /// Whether a unit that has entered a passage is assumed to keep its direction until it is at its goal or the passage forks. The costs
    /// of far cells are not asked for, and need not be exact.
    pub steady: bool,
    /// Whether units swap only where there is no short detour around an obstacle.
    pub rings: bool,
    /// Whether passages one cell wide are one-way.
    pub lanes: bool,
    /// Whether units that make no progress raise the costs of the cells that they occupied.
    pub penalties: bool,
    /// Whether a joint search leads groups that are stuck out of their jam.
    pub joint_searches: bool,
    /// Whether diagonal moves may cross each other.
    pub may_cross: bool,
    /// Whether of equally good cells the one is taken that fewer others want (Okumura and Nagai, SoCS-25).
    pub hindrance: bool,
    /// Whether, with four moves, the right one of two cells that are still equally good is taken. A unit that comes the opposite way does
    /// the same, and so uses the other side. A [`Fleet`](super::Fleet) does so only on maps that are too large for distance rows.
    pub keeps_right: bool,
    /// Constants of policy for units that are stuck.
    pub tuning: JamTuning,
}

planner_part! {
    ResolverConfig {
        saved: seed, swaps, empty_pockets, steady, rings, lanes, penalties, joint_searches, may_cross, hindrance, keeps_right, tuning;
        fixed:
    }
}

impl Default for ResolverConfig {
    fn default() -> Self {
        Self {
            seed: 0,
            swaps: true,
            empty_pockets: true,
            steady: true,
            rings: true,
            lanes: true,
            penalties: true,
            joint_searches: true,
            may_cross: false,
            hindrance: true,
            keeps_right: true,
            tuning: JamTuning::default(),
        }
    }
}

impl ResolverConfig {
    /// Textbook PIBT with the swap rule, and nothing beyond it.
    pub fn plain() -> Self {
        Self {
            empty_pockets: false,
            steady: false,
            rings: false,
            lanes: false,
            penalties: false,
            joint_searches: false,
            hindrance: false,
            keeps_right: false,
            ..Self::default()
        }
    }
}

/// Defines a group of constants with their defaults and ranges.
macro_rules! tuning {
    ($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $field:ident: $type:ty = $value:expr, $range:expr;)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct $name {
            $($(#[$doc])* pub $field: $type,)*
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $value,)* }
            }
        }

        impl $name {
            /// Returns the constants, each within its range.
            #[must_use]
            pub fn within_ranges(self) -> Self {
                Self { $($field: self.$field.clamp(*$range.start(), *$range.end()),)* }
            }
        }

        planner_part! { $name { saved: $($field),*; fixed: } }
    };
}

tuning! {
    /// How the budget of a tick is divided.
    BudgetTuning {
        /// Divisor of the time that is kept back under a deadline, because the clock is read now and then only.
        punctuality: u64 = 16, 1..=1024;
        /// Divisor of the share of learning what was seen.
        learn: u64 = 2, 1..=1024;
        /// Divisor of the share of bringing indices up to date.
        repair: u64 = 4, 1..=1024;
        /// Divisor of that share for a team in the fog that sees much that is new.
        repair_in_haste: u64 = 4, 1..=1024;
        /// Divisor of the share of making landmarks.
        landmarks: u64 = 4, 1..=1024;
        /// Divisor of the share of checking routes that edits may have broken.
        check_routes: u64 = 4, 1..=1024;
        /// Divisor of the share of looking whether freed cells shorten routes.
        openings: u64 = 4, 1..=1024;
        /// Divisor of the share of crowds.
        crowds: u64 = 4, 1..=1024;
        /// Divisor of the share of reports.
        reports: u64 = 4, 1..=1024;
        /// Divisor of the share of short searches while units wait for long ones.
        short_searches: u64 = 2, 1..=1024;
        /// Divisor of the share of joint searches while units wait for long searches.
        joint_searches: u64 = 8, 1..=1024;
        /// Budget of joint searches under a deadline, in moves.
        joint_search_moves: u64 = 2000, 0..=1 << 32;
        /// Expansions that a move of one unit in a joint search costs.
        work_per_move: u64 = 3, 1..=1024;
        /// Units for which searches have an expansion's worth of work in any case, under a deadline.
        units_per_work: u64 = 8, 1..=1024;
    }
}

tuning! {
    /// How units get their routes.
    SearchTuning {
        /// Expansions of a short search, which finds most routes whole.
        short: u64 = 40, 1..=1 << 32;
        /// Expansions of a short search if many units wait, which must start first, or if they will have exact distances.
        very_short: u64 = 12, 1..=1 << 32;
        /// Number of waiting units from which on short searches are very short.
        many: u64 = 16, 0..=1 << 32;
        /// Work of a long search in a round under a deadline, in expansions.
        round: u64 = 256, 1..=1 << 32;
        /// Maximum work for finding free ground near a blocked goal, for one order, in expansions.
        free_ground: u64 = 2000, 0..=1 << 32;
    }
}

tuning! {
    /// How units follow their routes.
    RouteTuning {
        /// Maximum number of free cells of a map on which units follow exact distances instead of routes.
        row_cells: u64 = 4096, 0..=4096;
        /// Ticks without sight of its route after which a unit is led back to it.
        lost: u32 = 2, 1..=1 << 16;
        /// Ticks without progress after which a unit that cannot get to its goal stays where it is.
        resigns: u64 = 8, 1..=1 << 32;
        /// Maximum number of points of its route that a unit passes in one tick.
        passes: u64 = 4, 1..=1 << 16;
        /// Number of points of a new route among which the farthest one in sight is looked for.
        looks_ahead: u64 = 16, 1..=1 << 16;
        /// Distance to the next point of its route up to which a unit looks every tick whether the one after it is in sight.
        looks_within: u32 = 3, 0..=1 << 16;
        /// Ticks between two such looks farther away.
        looks_every: u64 = 8, 1..=1 << 32;
        /// Ticks without progress after which a unit looks whether its goal is sealed off.
        sealed: u64 = 48, 1..=1 << 32;
    }
}

tuning! {
    /// How crowds fill the ground around a goal.
    CrowdTuning {
        /// Number of units from which on a crowd has ground of its own.
        least: u64 = 2, 1..=1 << 32;
        /// Ticks in which no member has settled, plus one for each member, after which members pursue their own goals.
        tried: u64 = 16, 1..=1 << 32;
        /// Maximum of that sum.
        tried_at_most: u64 = 128, 1..=1 << 32;
        /// They do so for this many times as long. Then the cycle repeats. 0: they never do.
        insists: u64 = 3, 0..=1024;
        /// Ticks without progress after which a member that stays settles, though it could go on but for others in its way.
        patience: u64 = 4, 0..=1 << 32;
        /// Ticks for a member that moves: better slots may be taken faster than it gets nearer to them.
        patience_underway: u64 = 16, 0..=1 << 32;
    }
}

tuning! {
    /// What teams in the fog make of what they see. Lists of connections between corners make searches several times faster, and every
    /// further change several times more expensive. They are stored in calm and forgotten in a rush.
    FogTuning {
        /// Number of waiting units from which on many wait, so that searches matter more than changes.
        many_wait: u64 = 32, 0..=1 << 32;
        /// Ticks of calm after which connections are stored.
        calm_ticks: u32 = 16, 0..=1 << 16;
        /// Maximum number of new cells in a tick of calm.
        calm_cells: u32 = 8, 0..=1 << 16;
        /// Number of pending cells from which on connections are forgotten.
        rush: u64 = 64, 0..=1 << 32;
        /// Ticks with pending cells after which connections are forgotten.
        late: u32 = 16, 0..=1 << 16;
        /// Value of `calm_ticks` if many units wait.
        busy_calm_ticks: u32 = 8, 0..=1 << 16;
        /// Value of `calm_cells` if many units wait.
        busy_calm_cells: u32 = 64, 0..=1 << 16;
        /// Value of `rush` if many units wait.
        busy_rush: u64 = 512, 0..=1 << 32;
        /// Value of `late` if many units wait.
        busy_late: u32 = 256, 0..=1 << 16;
        /// Number of changed moves, plus one for each corner, after which landmarks are rebuilt.
        old: u64 = 2048, 0..=1 << 32;
        /// Ticks without landmarks after a cell has become free, or where there was nothing to make them of.
        pause: u32 = 64, 0..=1 << 16;
        /// Number of new landmarks that are better than a set of old ones.
        enough: u32 = 5, 0..=16;
    }
}

tuning! {
    /// Switches for parts of rules, and constants of policy for units that are stuck.
    JamTuning {
        /// Whether the swap rule leaves two units of one crowd alone: they push each other instead.
        crowds_push: bool = true, false..=true;
        /// Whether two units swap on a ring if one of them has been at its goal: where it is pushed to is nothing that it wants.
        displaced_units_swap: bool = true, false..=true;
        /// Whether units keep the mouth of a lane clear while others come out of it.
        clears_mouths: bool = true, false..=true;
        /// Whether the unit that has waited longest forgets its penalties, and so goes straight on.
        eldest_forgets: bool = true, false..=true;
        /// Whether a leader goes to the end of the order after a joint search that has failed.
        failed_leaders_yield: bool = true, false..=true;
        /// Divisor of the units that plan whatever the time, under a deadline.
        plan_at_least: u64 = 16, 1..=1 << 16;
        /// Units that plan between two readings of the clock.
        units_per_reading: u64 = 2, 1..=1 << 16;
        /// Ticks without progress after which a unit learns penalties, by half a step.
        learns_after: u32 = 10, 0..=1 << 16;
        /// Ticks without progress after which it learns by a whole step.
        learns_firmly_after: u32 = 40, 0..=1 << 16;
        /// Minimum length of a lane: shorter passages are doorways, where waiting costs more than passing.
        lane_length: u64 = 10, 3..=256;
        /// Ticks with a unit waiting after which a lane turns,
        lane_patience: u64 = 16, 0..=1 << 32;
        /// and more for each of its cells.
        lane_patience_per_cell: u64 = 2, 0..=1 << 16;
        /// Ticks for which a lane that does not run empty has no direction, doubled every time. 0: it always has one.
        lane_rest: u64 = 2048, 0..=1 << 32;
        /// Ticks without progress after which a unit may lead a group,
        stall: u32 = 160, 1..=1 << 30;
        /// if all units around it have made none for this number of ticks,
        others_stall: u32 = 40, 0..=1 << 30;
        /// or it has made none for this number of ticks.
        long_stall: u32 = 320, 1..=1 << 30;
        /// or it had to leave its goal this number of times: two units that want through each other's goals never stall. 2^30: never.
        ousted: u32 = 20, 1..=1 << 30;
        /// Number of cells held at the first attempt; doubled at every second one.
        cells: u64 = 24, 4..=256;
        /// Work of the joint search at the first attempt, in moves; doubled at every second one.
        work: u64 = 3072, 1..=1 << 24;
        /// Maximum length of the plan at the first attempt; doubled at every second one.
        steps: u64 = 32, 1..=256;
        /// Maximum number of ticks that a joint search may take.
        hold: u64 = 16, 1..=1 << 16;
        /// Number of cells that must be free for a joint search.
        room: u64 = 4, 0..=256;
        /// Work of joint searches in a tick in any case under a deadline, in moves.
        least_work: u64 = 128, 0..=1 << 32;
        /// Ticks between two attempts of one leader.
        pause: u64 = 8, 1..=1 << 32;
        /// Ticks without an attempt after which the next one is a first one.
        forget: u64 = 256, 0..=1 << 32;
    }
}

/// Constants of policy of a fleet. They are part of its saves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tuning {
    /// How the budget of a tick is divided.
    pub budget: BudgetTuning,
    /// How units get their routes.
    pub search: SearchTuning,
    /// How units follow their routes.
    pub route: RouteTuning,
    /// How crowds fill the ground around a goal.
    pub crowd: CrowdTuning,
    /// What teams in the fog make of what they see.
    pub fog: FogTuning,
}

planner_part! { Tuning { saved: budget, search, route, crowd, fog; fixed: } }

impl Tuning {
    /// Returns the constants, each within its range.
    #[must_use]
    pub fn within_ranges(self) -> Self {
        let Self { budget, search, route, crowd, fog } = self;
        Self {
            budget: budget.within_ranges(),
            search: search.within_ranges(),
            route: route.within_ranges(),
            crowd: crowd.within_ranges(),
            fog: fog.within_ranges(),
        }
    }
}

/// Returns an error unless constants that were read lie within their ranges.
pub(crate) fn check<T: PartialEq>(read: &T, clamped: &T) -> Result<(), SaveError> {
    if read == clamped { Ok(()) } else { Err(SaveError::new("a constant of policy is out of its range")) }
}
