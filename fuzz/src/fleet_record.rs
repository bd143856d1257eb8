//! Records of fleets.

use std::sync::LazyLock;

use fleetfoot::Rules;
use fleetfoot_sim::fleet::{FleetLimits, FleetRun, Ground, Scenario};
use fleetfoot_sim::map::GridMap;
use fleetfoot_sim::world::WorldSpec;
use fleetfoot_view::Damage;
use fleetfoot_view::fleet::{FleetRecord, FleetRecorder, FleetScene, UnitColors, png};

/// A valid record to damage.
static WHOLE: LazyLock<FleetRecord> = LazyLock::new(|| {
    let map = GridMap::from_rows(&["......@...", ".@@@..@.@.", "...@....@.", ".@...@@...", "...@......"]);
    let map = map.expect("a map");
    let ground = Ground::load(&map, Rules::default(), &WorldSpec::Known).expect("a ground");
    let muster = Scenario::Patrol.muster(&map, 6, 1).expect("six units");
    let terms = FleetLimits { ticks: 80, ..FleetLimits::default() };
    let mut run = FleetRun::new(&ground, &muster, &terms).expect("a run");
    let scene =
        FleetScene { map_name: "m", map: &map, world: "known", rules: "", fleet: "patrol", budget: "10000" };
    let mut recorder = FleetRecorder::new(&scene, &run);
    while let Some(row) = run.tick() {
        recorder.note(&run, &row);
    }
    recorder.finish()
});

/// Records of fleets: as a file, and with damaged content under valid checksums. Accepted records can be displayed,
/// and are the same after being written and read again.
pub fn fleet_record(data: &[u8]) {
    show(FleetRecord::from_bytes(data).ok());
    let damage: Damage = data
        .chunks_exact(4)
        .map(|edit| (edit[0] as usize, usize::from(edit[1]) << 8 | usize::from(edit[2]), edit[3]))
        .collect();
    show(WHOLE.damaged(&damage).ok());
}

fn show(record: Option<FleetRecord>) {
    let Some(record) = record else { return };
    let bytes = record.to_bytes();
    assert_eq!(FleetRecord::from_bytes(&bytes).expect("we wrote it").to_bytes(), bytes);
    drop(png(&record, None, 64, UnitColors::Heading).expect("it was read to its end"));
}
