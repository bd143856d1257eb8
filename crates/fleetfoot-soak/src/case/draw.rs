//! Cases drawn by lot.

use fleetfoot::registry::{ALGORITHMS, PlannerInfo, Values};

use super::{AgentCase, Case, DiagonalKind, FleetCase, IndexKind, Kind, MapKind, World};
use crate::judges::ground::Moves;
use crate::rng::Rng;

/// Budgets of a tick, in expansions.
const BUDGETS: [u64; 9] = [1, 3, 10, 40, 150, 600, 2000, 8000, 40_000];
/// Number of cells of a map on which a fleet may have no limit. Larger ones take minutes where much is hidden.
const ENDLESS_CELLS: u32 = 1000;
/// Maximum number of ticks that a fleet is given to come to rest.
const MOST_QUIET: u64 = 1500;

impl Case {
    /// Draws a case: two fleets for each agent.
    pub(crate) fn draw(seed: u64) -> Self {
        let rng = &mut Rng::new(seed);
        if rng.one_in(3) { agent(rng) } else { fleet(rng) }
    }
}

fn world(rng: &mut Rng, sides: (u32, u32)) -> World {
    let side = |rng: &mut Rng| rng.between(sides.0, sides.1);
    let width = side(rng);
    World {
        map: rng.pick(MapKind::ALL),
        size: (width, if rng.one_in(2) { width } else { side(rng) }),
        moves: rng.pick(&[Moves::Four, Moves::Eight, Moves::Eight, Moves::Cutting]),
        diagonal: rng.pick(DiagonalKind::ALL),
        weights: rng.pick(&[1, 1, 1, 3, 9]),
        index: rng.pick(&[
            IndexKind::Full,
            IndexKind::Full,
            IndexKind::Slices,
            IndexKind::Corners,
            IndexKind::None,
        ]),
    }
}

/// Returns a number of events: none in one of three cases.
fn some(rng: &mut Rng, most: u32) -> std::ops::Range<u32> {
    if rng.one_in(3) { 0..0 } else { 0..rng.between(1, most) }
}

fn fleet(rng: &mut Rng) -> Case {
    let is_large = rng.one_in(5);
    let sides = if is_large { (66, 140) } else { rng.pick(&[(2, 9), (8, 24), (20, 62)]) };
    let world = world(rng, sides);
    let cells = world.size.0 * world.size.1;
    let most = if rng.one_in(6) { cells / 2 } else { cells / 8 };
    let units = rng.between(1, most.clamp(1, if is_large { 900 } else { 500 }));
    let span = u64::from(rng.between(1, 300));
    let budget = if cells <= ENDLESS_CELLS && rng.one_in(8) { 0 } else { rng.pick(&BUDGETS) };
    let fleet = FleetCase {
        units: 0..units,
        orders: 0..rng.between(1, 12),
        fog: if rng.one_in(4) { rng.between(1, 9) } else { 0 },
        teams: if rng.one_in(2) { 1 } else { rng.between(1, 4) },
        collide: !rng.one_in(6),
        speeds: rng.one_in(3),
        rules: if rng.one_in(3) { 1 + rng.bits() % 1023 } else { 0 },
    };
    let mut case = Case {
        seed: rng.bits() >> 20,
        world,
        span,
        ticks: span,
        budget,
        edits: some(rng, 60),
        acts: some(rng, 20),
        saves: some(rng, 4),
        kind: Kind::Fleet(fleet),
    };
    // Half of them are watched until their units must have come to rest, where that does not take too long.
    let quiet = case.quiet_ticks(cells.into());
    case.ticks += if quiet <= MOST_QUIET && rng.one_in(2) { quiet } else { u64::from(rng.between(1, 200)) };
    case
}

fn agent(rng: &mut Rng) -> Case {
    let info = &ALGORITHMS[rng.below(ALGORITHMS.len())];
    let facts = info.facts;
    // Learners need time that grows with the square of the map.
    let sides = if facts.polynomial { rng.pick(&[(2, 8), (6, 16), (12, 28), (24, 60)]) } else { (2, 9) };
    let world = world(rng, sides);
    let is_endless = facts.polynomial && rng.one_in(6);
    let sees = facts.unknown_terrain && rng.one_in(3);
    let sight = if sees { rng.between(1, 6) } else { 0 };
    let kind = AgentCase { planner: planner(rng, info), sight, all_work: !rng.one_in(3) };
    let is_calm = rng.one_in(3);
    Case {
        seed: rng.bits() >> 20,
        world,
        span: u64::from(rng.between(1, 200)),
        ticks: 0,
        budget: if is_endless { 0 } else { rng.pick(&BUDGETS[..8]) },
        edits: if is_calm { 0..0 } else { some(rng, 40) },
        acts: if is_calm { 0..0 } else { some(rng, 8) },
        saves: some(rng, 4),
        kind: Kind::Agent(kind),
    }
}

/// Returns a planner with some parameters drawn by lot.
fn planner(rng: &mut Rng, info: &PlannerInfo) -> String {
    let mut given = Vec::new();
    for param in info.params {
        if !rng.one_in(3) {
            continue;
        }
        let int = |rng: &mut Rng, least: u64, most: u64| {
            let most = if rng.one_in(8) { most } else { most.min(least.saturating_add(20)) };
            (least + rng.bits() % (most - least).saturating_add(1).max(1)).to_string()
        };
        let value = match param.values {
            Values::OneOf(words) => rng.pick(words).to_owned(),
            Values::IntOr(word, ..) if rng.one_in(3) => word.to_owned(),
            Values::Int(least, most) | Values::IntOr(_, least, most) => int(rng, least, most),
            Values::Share => format!("{}%", rng.below(101)),
            Values::Decimal(least, most) => rng.between(least, most.min(least + 20)).to_string(),
            Values::Text => continue,
        };
        given.push(format!("{}={value}", param.name));
    }
    if given.is_empty() { info.key.into() } else { format!("{}({})", info.key, given.join(",")) }
}
