//! Tests the planner alone, and with the conformance kit.

use fleetfoot::registry::Facts;
use fleetfoot::{
    Cost, Decision, Graph, Grid, Meter, Planner, PlannerState, Rules, SaveReader, Scratch, StepContext,
    shortest_path,
};
use fleetfoot_testkit::alloc::Counting;
use fleetfoot_testkit::conformance;
use fleetfoot_testkit::conformance::Subject;
use outsider::Patient;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Returns its claims, and how it is built.
fn subject() -> Subject {
    Subject::new("patient A*", Facts::FULL, |world| Ok(Box::new(Patient::new(world))))
}

conformance!(patient, crate::subject());

/// A planner that is saved and restored before every step walks a shortest path.
#[test]
fn it_lives_from_save_to_save() {
    let grid =
        Grid::new(30, 30, Rules::default(), |x, y| u8::from(x != 15 || y == 29)).expect("a small grid");
    let (mut at, goal) = (grid.node(0, 0).expect("inside"), grid.node(29, 0).expect("inside"));
    let mut scratch = Scratch::new();
    let found = shortest_path(&grid, at, goal, &mut Meter::unlimited(), &mut scratch);
    let (_, shortest) = found.path().expect("there is a way");
    let (mut planner, mut walked) = (Patient::new(&grid), Cost::ZERO);
    while at != goal {
        let mut bytes = Vec::new();
        planner.save(&mut bytes);
        planner = Patient::new(&grid);
        planner.load(&grid, &mut SaveReader::new(&bytes)).expect("an honest copy");
        match planner.step(StepContext::new(&grid, at, goal, &mut Meter::expansions(20), &mut scratch)) {
            Decision::Go(next) => {
                walked += grid.cost(at, next);
                at = next;
            }
            Decision::Wait => {}
            Decision::NoPath => panic!("there is a way"),
        }
    }
    assert_eq!(walked, shortest);
}
