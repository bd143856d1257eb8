//! What is done to a fleet, and when. Each deed depends on the seed and its number alone.

use fleetfoot::fleet::Speed;

use crate::case::{Case, FleetCase};
use crate::judges::ground::{Cell, Ground, NOWHERE};
use crate::rng::Rng;

/// Streams of random numbers.
const UNITS: u64 = 2;
const ORDERS: u64 = 3;
const EDITS: u64 = 4;
const ACTS: u64 = 5;
const SAVES: u64 = 6;

/// A call of the fleet. Units are counted in the order in which they were spawned, repeatedly.
#[derive(Clone, Debug)]
pub(crate) enum Deed {
    Spawn {
        team: u32,
        cell: Cell,
        every: Option<u32>,
    },
    Order {
        units: Vec<u32>,
        cell: Cell,
        is_exact: bool,
    },
    Edit {
        cell: Cell,
        weight: u8,
    },
    Teleport {
        unit: u32,
        cell: Cell,
    },
    Remove {
        unit: u32,
    },
    /// `every` is what the judges make of it.
    Speed {
        unit: u32,
        speed: Speed,
        every: Option<u32>,
    },
    Stop {
        unit: u32,
    },
    Prefer {
        unit: u32,
        first: bool,
    },
    Save {
        as_text: bool,
    },
}

/// Draws cells.
struct Cells<'a> {
    ground: &'a Ground,
    free: Vec<Cell>,
}

impl Cells<'_> {
    /// Returns a cell that was free at first.
    fn free(&self, rng: &mut Rng) -> Cell {
        rng.pick(&self.free)
    }

    /// Returns mostly such a cell, and sometimes any, or none.
    fn any(&self, rng: &mut Rng) -> Cell {
        match rng.below(24) {
            0 => NOWHERE,
            1 | 2 => rng.below(self.ground.len()) as Cell,
            _ => self.free(rng),
        }
    }
}

/// Returns all deeds of a case with their ticks, in order.
pub(crate) fn all(case: &Case, about: &FleetCase, ground: &Ground, teams: usize) -> Vec<(u64, Deed)> {
    let cells = Cells { ground, free: ground.free() };
    let of = |stream, k: u32| Rng::of(case.seed, stream, k.into());
    let when = |rng: &mut Rng| rng.bits() % case.span.max(1);
    let mut deeds = Vec::new();
    for k in about.units.clone() {
        let rng = &mut of(UNITS, k);
        let every = (about.speeds && rng.one_in(3)).then(|| rng.between(1, 4));
        deeds.push((0, Deed::Spawn { team: rng.below(teams) as u32, cell: cells.any(rng), every }));
    }
    for k in about.orders.clone() {
        let rng = &mut of(ORDERS, k);
        // The first one is given at once.
        let tick = if k == 0 || rng.one_in(3) { 0 } else { when(rng) };
        order(rng, &cells, about.units.end.max(1), |deed| deeds.push((tick, deed)));
    }
    for k in case.edits.clone() {
        let rng = &mut of(EDITS, k);
        let weight = match rng.below(9) {
            0..4 => 0,
            4..8 => rng.between(1, case.world.weights.into()) as u8,
            _ => rng.between(0, 255) as u8,
        };
        // Some edits come back: a door.
        let cell = cells.any(&mut if rng.one_in(3) { of(EDITS, k / 4 * 4) } else { rng.clone() });
        deeds.push((when(rng), Deed::Edit { cell, weight }));
    }
    for k in case.acts.clone() {
        let rng = &mut of(ACTS, k);
        let tick = when(rng);
        deeds.push((tick, act(rng, &cells, about)));
    }
    for k in case.saves.clone() {
        let rng = &mut of(SAVES, k);
        deeds.push((when(rng), Deed::Save { as_text: rng.one_in(3) }));
    }
    // Deeds of one tick stay in the order of their kinds.
    deeds.sort_by_key(|(tick, _)| *tick);
    deeds
}

/// One order for some units, or one for each of them.
fn order(rng: &mut Rng, cells: &Cells<'_>, units: u32, mut push: impl FnMut(Deed)) {
    let count = rng.pick(&[1, units / 4, units / 2, units]).max(1);
    let first = rng.below(units as usize) as u32;
    let members = (0..count).map(|k| (first + k) % units);
    match rng.below(8) {
        // All to one cell, which only one can reach.
        0 => push(Deed::Order { units: members.collect(), cell: cells.any(rng), is_exact: true }),
        1..4 => push(Deed::Order { units: members.collect(), cell: cells.any(rng), is_exact: false }),
        _ => members.for_each(|unit| {
            push(Deed::Order { units: vec![unit], cell: cells.any(rng), is_exact: !rng.one_in(9) });
        }),
    }
}

fn act(rng: &mut Rng, cells: &Cells<'_>, about: &FleetCase) -> Deed {
    let unit = rng.below(1 << 16) as u32;
    match rng.below(8) {
        0 | 1 => Deed::Teleport { unit, cell: cells.any(rng) },
        2 => Deed::Remove { unit },
        3 => Deed::Spawn { team: unit, cell: cells.any(rng), every: None },
        4 if about.speeds => {
            if rng.one_in(2) {
                let every = rng.between(1, 4);
                Deed::Speed { unit, speed: Speed::EveryTicks(every), every: Some(every) }
            } else {
                Deed::Speed { unit, speed: Speed::Hundredths(rng.between(30, 300)), every: None }
            }
        }
        5 => Deed::Stop { unit },
        6 => Deed::Prefer { unit, first: !rng.one_in(3) },
        _ => Deed::Order { units: vec![unit], cell: cells.any(rng), is_exact: rng.one_in(2) },
    }
}
