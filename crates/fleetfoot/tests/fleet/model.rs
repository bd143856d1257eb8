//! Without its ladder the resolver makes the very moves of the plain model.

use fleetfoot::Neighborhood::{Eight, Four};
use fleetfoot::fleet::ResolverConfig;
use fleetfoot_testkit::fleet::Model;
use fleetfoot_testkit::fleet::instance::{self, Instance};
use fleetfoot_testkit::fleet::model::Rulebook;
use fleetfoot_testkit::{Rng, worlds};

use super::Fleet;

#[test]
fn it_moves_as_the_model_does() {
    let mut rng = Rng::new(1);
    let (mut moved, mut swapped) = (0, 0);
    for k in 0..120 {
        let neighborhood = [Four, Eight][k % 2];
        let (width, height) = (rng.between(4, 14), rng.between(4, 14));
        let rules = instance::rules(neighborhood);
        let blocked = rng.between(0, 45);
        let grid = worlds::random_grid(&mut rng, (width, height), rules, blocked, 1);
        let cells = instance::joined(&grid).len();
        let units = rng.between(1, 60).min(cells as u32 * 9 / 10) as usize;
        let Instance { grid, starts, goals } = Instance::random(grid, units, k as u64);
        let (hindrance, keeps_right) = (k % 3 == 0, k % 4 == 0);
        let book = Rulebook { swaps: k % 5 > 0, may_cross: k % 7 == 0, hindrance, keeps_right };
        let mut model = Model::new(starts.clone(), k as u64, book);
        let config = ResolverConfig {
            seed: k as u64,
            swaps: book.swaps,
            may_cross: book.may_cross,
            hindrance: book.hindrance,
            keeps_right: book.keeps_right,
            ..ResolverConfig::plain()
        };
        let mut fleet = Fleet::new(&grid, &starts, &goals, config);
        for _ in 0..60 {
            // Some are slow, some get another goal.
            let resting: Vec<usize> = (0..units).filter(|_| rng.one_in(12)).collect();
            for &unit in &resting {
                fleet.resolver.rest(unit as u32);
            }
            let before = model.at.clone();
            model.tick(&grid, &fleet.rows, &resting);
            let report = fleet.resolver.tick(&grid, &mut fleet.rows, 0);
            assert_eq!(fleet.at(), model.at, "run {k}");
            assert!(resting.iter().all(|&unit| model.at[unit] == before[unit]));
            fleetfoot_testkit::fleet::referee::check(&grid, &before, &model.at, book.may_cross)
                .expect("a legal joint move");
            (moved, swapped) = (moved + report.moved, swapped + report.swaps);
            for unit in 0..units {
                if rng.one_in(40) {
                    fleet.rows.set(&grid, unit, rng.pick(&goals));
                    fleet.resolver.renew(unit as u32);
                }
            }
        }
    }
    assert!(moved > 20_000 && swapped > 500, "{moved} moves, {swapped} swaps");
}
