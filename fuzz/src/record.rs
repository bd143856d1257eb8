//! Records of runs.

use std::sync::{Arc, LazyLock};

use fleetfoot::registry::Spec;
use fleetfoot::{Prices, Rules, Scratch};
use fleetfoot_sim::budget::Budget;
use fleetfoot_sim::episode::{RunLimits, Task};
use fleetfoot_sim::map::GridMap;
use fleetfoot_sim::sensor::Sight;
use fleetfoot_sim::world::{Terrain, World};
use fleetfoot_view::{Damage, Label, Record, RecordFilter, Scene, jsonl, picture, posthoc};

/// A valid record to damage.
static WHOLE: LazyLock<Record> = LazyLock::new(|| {
    let map = GridMap::from_rows(&["......@...", ".@@@..@.@.", "...@....@.", ".@...@@...", "...@......"]);
    let map = map.expect("a map");
    let grid = Arc::new(Terrain::default().grid(&map, Rules::default()).expect("a grid"));
    let world = World::unknown(&grid, 1..=1, Sight::Radius(2)).expect("a world");
    let trip = Task::new(&world, (0, 0), (9, 4)).expect("a trip");
    let terms = RunLimits { prices: Prices::PAPERS, ..RunLimits::new(Budget::Expansions(3)) };
    let lives = ["tbaa", "rtaa", "rtd"].map(|planner| {
        let spec: Spec = planner.parse().expect("a planner");
        let mut walker = spec.build(world.graph()).expect("a planner");
        let label = Label { planner: planner.into(), name: planner.into() };
        let life = fleetfoot_view::record(
            &trip,
            &terms,
            &mut *walker,
            &mut Scratch::new(),
            label,
            RecordFilter::default(),
        );
        life.expect("a short life")
    });
    let scene = Scene {
        map_name: "m",
        map: &map,
        world: "unknown",
        rules: "",
        problem: 0,
        optimal: None,
        prices: Prices::PAPERS,
    };
    Record::new(&scene, &trip, &terms, lives.into())
});

/// Records: as a file, and with damaged content under valid checksums. Accepted records can be displayed in every
/// way, and are the same after being written and read again.
pub fn record(data: &[u8]) {
    show(Record::from_bytes(data).ok());
    let mut edits = data.chunks_exact(4);
    let damage: Damage = edits
        .by_ref()
        .map(|edit| (edit[0] as usize, usize::from(edit[1]) << 8 | usize::from(edit[2]), edit[3]))
        .collect();
    show(WHOLE.damaged(&damage).ok());
}

fn show(record: Option<Record>) {
    let Some(record) = record else { return };
    let bytes = record.to_bytes();
    assert_eq!(Record::from_bytes(&bytes).expect("we wrote it").to_bytes(), bytes);
    drop(picture::png(&record, None, 64).expect("it was read to its end"));
    drop(jsonl::lines(&record).expect("it was read to its end"));
    drop(posthoc::trace(&record, 0).expect("it was read to its end"));
}
