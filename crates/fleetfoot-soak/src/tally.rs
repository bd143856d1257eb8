//! What was done in a soak, in numbers.

use std::ops::AddAssign;

/// Counts of what was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Tally {
    /// Cases of fleets.
    pub fleets: u64,
    /// Cases of agents.
    pub agents: u64,
    /// Ticks of single units.
    pub unit_ticks: u64,
    /// Steps of agents.
    pub agent_steps: u64,
    /// Edits that changed a cell.
    pub edits: u64,
    /// Orders of single units.
    pub orders: u64,
    /// Saves; each was loaded, and what was loaded ran beside the original.
    pub saves: u64,
    /// Reports that a goal is out of reach.
    pub unreachable: u64,
    /// Fleets that were watched until their units had to be at rest.
    pub rested: u64,
    /// Units of these with an exact goal that they could reach.
    pub asked: u64,
    /// Number of them that were at their goals.
    pub arrived: u64,
    /// Agents that reached their goal.
    pub walked: u64,
    /// Planners that the map or their parameters do not allow.
    pub refused: u64,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        let Self {
            fleets,
            agents,
            unit_ticks,
            agent_steps,
            edits,
            orders,
            saves,
            unreachable,
            rested,
            asked,
            arrived,
            walked,
            refused,
        } = self;
        *fleets += other.fleets;
        *agents += other.agents;
        *unit_ticks += other.unit_ticks;
        *agent_steps += other.agent_steps;
        *edits += other.edits;
        *orders += other.orders;
        *saves += other.saves;
        *unreachable += other.unreachable;
        *rested += other.rested;
        *asked += other.asked;
        *arrived += other.arrived;
        *walked += other.walked;
        *refused += other.refused;
    }
}
