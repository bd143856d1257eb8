//! Databases: forged bytes with a correct checksum, so that the later checks are reached.

use std::sync::{Arc, LazyLock};

use fleetfoot::database::{KnnBuilder, KnnConfig, KnnDatabase, checksum};
use fleetfoot::planners::{KnnLrta, KnnLrtaConfig};
use fleetfoot::{
    ChangeLog, Decision, Graph, Grid, Meter, NodeId, Planner, Prices, Rules, Scratch, StepContext, WorkKind,
};

const SIDE: u32 = 20;

static GRID: LazyLock<Grid> = LazyLock::new(|| {
    let free = |x, y| u8::from(x % 4 != 3 || (x * 7 + y) % 9 == 0);
    Grid::new(SIDE, SIDE, Rules::default(), free).expect("small")
});

static FILE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    KnnBuilder::new(&*GRID, KnnConfig { seed: 1, is_exact: false }).build(40).as_bytes().to_vec()
});

/// Edits a database, corrects the checksum, opens it and walks with it. Moves may be useless, but must be legal and
/// within bounds.
///
/// Every six bytes are one edit: a position and its new value, or a new length.
pub fn database(data: &[u8]) {
    let mut bytes = FILE.clone();
    let end = bytes.len() - 8;
    bytes.truncate(end);
    for edit in data.as_chunks::<6>().0 {
        let at = usize::from(u16::from_le_bytes([edit[0], edit[1]]));
        if at % 97 == 0 {
            bytes.truncate(at.min(bytes.len()));
        } else if let Some(four) = bytes.get_mut(at % end..at % end + 4) {
            // Small numbers pass more often.
            four.copy_from_slice(&[edit[2], edit[3] & 1, edit[4] & edit[5] & 1, 0]);
        }
    }
    let sum = checksum(&bytes);
    bytes.extend(sum.to_le_bytes());
    let Ok(database) = KnnDatabase::open(bytes, &*GRID) else { return };
    walk(Arc::new(database));
}

fn walk(database: Arc<KnnDatabase>) {
    let (mut scratch, log) = (Scratch::new(), ChangeLog::new());
    let mut planner =
        KnnLrta::new(KnnLrtaConfig { candidates: 5, limit: 50, direct: false }, database, GRID.bound());
    let cell = |x, y| GRID.node(x, y).expect("on the map");
    let (mut at, goal): (NodeId, NodeId) = (cell(0, 0), cell(SIDE - 2, SIDE - 1));
    for _ in 0..400 {
        let mut meter = Meter::priced(1, Prices::PAPERS);
        let graph = &*GRID;
        let step = StepContext::new(graph, at, goal, &mut meter, &mut scratch).with_changes(&log);
        match planner.step(step) {
            Decision::Go(to) => {
                assert!(GRID.cost(at, to).is_finite(), "an illegal move");
                at = to;
            }
            Decision::Wait => {}
            Decision::NoPath => return,
        }
        assert!(
            meter.work()[WorkKind::Expand] <= 1 && meter.work()[WorkKind::Climb] <= 50,
            "over its bounds"
        );
    }
}
