//! Tests of the kit itself: its macro defines tests, and its worlds are as documented.

mod faults;

use fleetfoot::{Cost, Graph, NodeId, Rules};
use fleetfoot_testkit::alloc::Counting;
use fleetfoot_testkit::worlds::{TINY, Tiny, sliding_puzzle};
use fleetfoot_testkit::{Rng, conformance, oracle};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

conformance!(heap_with_smaller_g, "astar(open=heap,ties=smaller-g,direction=backward)");

#[test]
fn tiny_maps_are_what_they_are_called() {
    let shortest = |name: &str, rules| {
        let (grid, start, goal) = Tiny::named(name).grid(rules);
        oracle::distance(&grid, start, goal)
    };
    let cutting = Rules { cut_corners: true, ..Rules::default() };
    for tiny in TINY {
        let out_of_reach = ["walled-in-goal", "walled-in-start", "pinched-corner"].contains(&tiny.name);
        assert_eq!(shortest(tiny.name, Rules::default()) == Cost::INF, out_of_reach, "{}", tiny.name);
    }
    assert_eq!(shortest("cell", cutting), Cost::ZERO);
    assert!(shortest("pinched-corner", cutting).is_finite());
}

#[test]
fn half_of_the_puzzle_is_out_of_reach() {
    let (puzzle, solved, apart) = sliding_puzzle();
    let distances = oracle::distances_from(&puzzle, solved);
    assert_eq!(distances.iter().filter(|d| d.is_finite()).count(), 360);
    assert_eq!(distances.iter().filter(|d| d.is_finite()).max(), Some(&Cost::new(21)));
    assert_eq!(distances[apart.index()], Cost::INF);
    assert!((0..720).map(NodeId::new).all(|n| puzzle.h(n, solved) <= distances[n.index()]));
}

#[test]
fn random_numbers_are_the_same_everywhere() {
    let mut rng = Rng::new(0);
    assert_eq!([rng.bits(), rng.bits()], [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4]);
}
