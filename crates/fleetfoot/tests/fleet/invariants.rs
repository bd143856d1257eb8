//! Units come and go, the map changes, and ticks allocate nothing.

use fleetfoot::Neighborhood::{Eight, Four};
use fleetfoot::fleet::{PlaceError, Resolver, ResolverConfig};
use fleetfoot::{ChangeLog, NodeId};
use fleetfoot_testkit::alloc::{Taken, counted};
use fleetfoot_testkit::fleet::instance::{self, Instance};
use fleetfoot_testkit::fleet::{Rows, referee};
use fleetfoot_testkit::{Rng, worlds};

use super::Fleet;

#[test]
fn ticks_allocate_nothing() {
    let mut worked = 0;
    for (neighborhood, penalties) in [(Four, true), (Eight, true), (Four, false), (Eight, false)] {
        let grid = worlds::random_grid(&mut Rng::new(3), (24, 24), instance::rules(neighborhood), 25, 1);
        let Instance { grid, starts, goals } = Instance::random(grid, 220, 2);
        let config = ResolverConfig { penalties, ..ResolverConfig::default() };
        let mut fleet = Fleet::new(&grid, &starts, &goals, config);
        for _ in 0..400 {
            let (report, taken) = counted(|| fleet.resolver.tick(&grid, &mut fleet.rows, 4000));
            assert_eq!(taken, Taken::NOTHING);
            worked += report.work;
        }
    }
    assert!(worked > 0, "the ladder was asked");
}

#[test]
fn units_need_a_free_cell() {
    let grid = instance::grid_of(&["..", ".@"], Four);
    let cell = |x, y| grid.node(x, y).expect("on the map");
    let mut resolver = Resolver::new(&grid, ResolverConfig::default());
    assert_eq!(resolver.place(&grid, cell(1, 1)), Err(PlaceError::Blocked));
    assert_eq!(resolver.place(&grid, NodeId::NONE), Err(PlaceError::Blocked));
    assert_eq!(resolver.place(&grid, cell(0, 0)), Ok(0));
    assert_eq!(resolver.place(&grid, cell(0, 0)), Err(PlaceError::Taken));
    resolver.remove(0);
    resolver.remove(7);
    assert_eq!((resolver.at(0), resolver.unit_on(cell(0, 0))), (None, None));
    assert_eq!(resolver.place(&grid, cell(0, 0)), Ok(0));
}

/// No two units share a cell, whatever happens to the map and to the units.
#[test]
fn all_is_legal_while_the_world_changes() {
    let mut rng = Rng::new(9);
    for run in 0..6 {
        let neighborhood = [Four, Eight][run % 2];
        let mut grid = instance::maze(25, run as u64, neighborhood);
        let free = worlds::free_cells(&grid);
        let starts = instance::some(&mut rng, &free, 30);
        let mut resolver = Resolver::new(&grid, ResolverConfig::default());
        let mut rows = Rows::new(&grid);
        for &start in &starts {
            resolver.place(&grid, start).expect("free");
            rows.push(&grid, rng.pick(&free));
        }
        let mut log = ChangeLog::new();
        for _ in 0..600 {
            let cell = rng.pick(&free);
            if rng.one_in(10) && resolver.unit_on(cell).is_none() {
                let weight = 1 - grid.weight(cell);
                grid.set(cell, weight, &mut log).expect("a valid weight");
                resolver.map_changed(&grid, cell);
            }
            let unit = rng.below(starts.len()) as u32;
            if rng.one_in(20) && resolver.at(unit).is_some() {
                resolver.remove(unit);
            } else if resolver.at(unit).is_none() && resolver.place(&grid, cell).is_ok() {
                rows.set(&grid, unit as usize, cell);
            }
            let before: Vec<NodeId> = resolver.cells().collect();
            resolver.tick(&grid, &mut rows, 500);
            let pairs = before.into_iter().zip(resolver.cells()).filter(|(cell, _)| cell.is_some());
            let (before, after): (Vec<NodeId>, Vec<NodeId>) = pairs.unzip();
            referee::check(&grid, &before, &after, false).expect("a legal joint move");
        }
    }
}
