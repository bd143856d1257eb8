//! Parameters of a fleet.

/// Parameters of a fleet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FleetConfig {
    /// Whether units keep off each other. If not, they walk through each other, and any number can stand on a cell.
    pub collisions: bool,
    /// How they keep off each other.
    pub resolver: ResolverConfig,
    /// From so many units of one order on, one search from their common goal serves them all.
    pub least_group: usize,
}

impl Default for FleetConfig {
    fn default() -> Self {
        Self { collisions: true, resolver: ResolverConfig::default(), least_group: 6 }
    }
}

/// Parameters of the resolver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "rules that can be switched off one by one")]
pub struct ResolverConfig {
    /// Ties are broken by a hash of it.
    pub seed: u64,
    /// Whether two units that meet head-on in a narrow passage walk back to a place where they can pass.
    pub swaps: bool,
    /// Whether a dead end counts as a place to pass only if it is empty.
    pub empty_pockets: bool,
    /// Whether a unit that has entered a passage is taken to want the same way until it is at home or the passage forks:
    /// what a far cell is worth is not asked for, and need not be exact.
    pub steady: bool,
    /// Whether they swap only where there is no short way round.
    pub rings: bool,
    /// Whether passages one cell wide are one-way.
    pub lanes: bool,
    /// Whether units that come no nearer learn to avoid the cells where they were.
    pub learns: bool,
    /// Whether groups that are stuck are led out by a joint search.
    pub clusters: bool,
    /// Whether diagonal moves may cross each other.
    pub may_cross: bool,
    /// Whether of equally good cells the one is taken that fewer others want (Okumura and Nagai, SoCS-25).
    pub hindrance: bool,
    /// Whether, where moves are four, of two cells that are still equally good the right one is taken. A unit that comes the opposite
    /// way does the same, and so goes along the other side. A [`Fleet`](super::Fleet) does so only on maps that are too large for rows of
    /// distances.
    pub keeps_right: bool,
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
            learns: true,
            clusters: true,
            may_cross: false,
            hindrance: true,
            keeps_right: true,
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
            learns: false,
            clusters: false,
            hindrance: false,
            keeps_right: false,
            ..Self::default()
        }
    }
}
