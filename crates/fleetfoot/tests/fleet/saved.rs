//! A saved resolver goes on as if nothing had happened, and damaged saves are refused or harmless.

use fleetfoot::Neighborhood::{Eight, Four};
use fleetfoot::SaveReader;
use fleetfoot::fleet::{Resolver, ResolverConfig};
use fleetfoot_testkit::fleet::instance::{self, Instance};
use fleetfoot_testkit::{Rng, worlds};

use super::Fleet;

fn save(resolver: &Resolver) -> Vec<u8> {
    let mut bytes = Vec::new();
    resolver.save(&mut bytes);
    bytes
}

fn scenes() -> Vec<Instance> {
    let random = |seed, neighborhood| {
        let grid = worlds::random_grid(&mut Rng::new(seed), (20, 20), instance::rules(neighborhood), 25, 1);
        Instance::random(grid, 110, seed)
    };
    let maze = Instance::random(instance::maze(41, 2, Four), 60, 1);
    vec![random(1, Four), random(2, Eight), maze, Instance::streams(20, 1, 20, Four)]
}

#[test]
fn it_goes_on_after_a_save() {
    let mut longest = 0;
    // Units without penalties get stuck, and need joint searches.
    let both = [true, false].map(|penalties| ResolverConfig {
        penalties,
        rings: penalties,
        lanes: penalties,
        ..ResolverConfig::default()
    });
    for (config, Instance { grid, starts, goals }) in
        both.into_iter().flat_map(|c| scenes().into_iter().map(move |s| (c, s)))
    {
        let mut fleet = Fleet::new(&grid, &starts, &goals, config);
        for tick in 0..450 {
            // A small budget, so that searches are saved in the middle.
            fleet.tick(150);
            if tick % 3 == 0 {
                let bytes = save(&fleet.resolver);
                longest = longest.max(bytes.len());
                let mut source = SaveReader::new(&bytes);
                let mut restored = Resolver::load(&grid, &mut source).expect("it was just saved");
                source.end().expect("nothing is left");
                assert_eq!(save(&restored), bytes);
                restored.tick(&grid, &mut fleet.rows.clone(), 150);
                let mut twin = fleet.resolver.clone();
                twin.tick(&grid, &mut fleet.rows.clone(), 150);
                assert_eq!(save(&restored), save(&twin));
            }
            if tick == 150 {
                let bytes = save(&fleet.resolver);
                fleet.resolver =
                    Resolver::load(&grid, &mut SaveReader::new(&bytes)).expect("it was just saved");
            }
        }
    }
    assert!(longest > 20_000, "no search was saved: {longest}");
}

#[test]
fn damaged_saves_do_no_harm() {
    let mut rng = Rng::new(4);
    let (mut refused, mut taken) = (0, 0);
    for Instance { grid, starts, goals } in scenes() {
        let mut fleet = Fleet::new(&grid, &starts, &goals, ResolverConfig::default());
        for _ in 0..60 {
            fleet.tick(150);
        }
        let bytes = save(&fleet.resolver);
        for _ in 0..150 {
            let mut damaged = bytes.clone();
            for _ in 0..rng.between(1, 3) {
                let k = rng.below(damaged.len());
                damaged[k] ^= 1 << rng.below(8);
            }
            if rng.one_in(10) {
                damaged.truncate(rng.below(damaged.len()));
            }
            match Resolver::load(&grid, &mut SaveReader::new(&damaged)) {
                Err(_) => refused += 1,
                Ok(resolver) => {
                    taken += 1;
                    let mut odd = Fleet { grid: &grid, resolver, rows: fleet.rows.clone(), may_cross: true };
                    (0..8).for_each(|_| odd.tick(500));
                }
            }
        }
    }
    assert!(refused > 50 && taken > 50, "{refused} refused, {taken} taken");
}
