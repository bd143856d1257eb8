//! Worlds that are small enough to record every planner.

use std::sync::Arc;

use fleetfoot::registry::{ALGORITHMS, BoxedPlanner, Spec};
use fleetfoot::{Grid, Prices, Rules, Scratch};
use fleetfoot_sim::budget::Budget;
use fleetfoot_sim::episode::{RunLimits, Task};
use fleetfoot_sim::formats::script::parse_script;
use fleetfoot_sim::generate::{cave, random, rooms::Rooms};
use fleetfoot_sim::map::GridMap;
use fleetfoot_sim::sensor::Sight;
use fleetfoot_sim::world::{Terrain, World};
use fleetfoot_view::{Label, Record, RecordError, RecordFilter, Scene, Track, record};

/// A world, a problem in it, and a budget.
pub(crate) struct Stage {
    pub(crate) name: &'static str,
    pub(crate) map: GridMap,
    pub(crate) world: World,
    pub(crate) ends: ((u32, u32), (u32, u32)),
    pub(crate) budget: u64,
    pub(crate) max_steps: u64,
}

impl Stage {
    pub(crate) fn trip(&self) -> Task<'_> {
        Task::new(&self.world, self.ends.0, self.ends.1).unwrap()
    }

    pub(crate) fn terms(&self) -> RunLimits {
        let budget = Budget::Expansions(self.budget);
        RunLimits { max_steps: Some(self.max_steps), prices: Prices::PAPERS, ..RunLimits::new(budget) }
    }

    pub(crate) fn planner(&self, spec: &str) -> BoxedPlanner<Grid> {
        let spec: Spec = spec.parse().unwrap();
        spec.build(self.world.graph()).unwrap()
    }

    pub(crate) fn try_record(&self, spec: &str, thinning: RecordFilter) -> Result<Track, RecordError> {
        let label = Label { planner: spec.into(), name: spec.to_uppercase() };
        let (trip, terms) = (self.trip(), self.terms());
        record(&trip, &terms, &mut *self.planner(spec), &mut Scratch::new(), label, thinning)
    }

    pub(crate) fn record(&self, specs: &[&str], thinning: RecordFilter) -> Record {
        let lives = specs.iter().map(|spec| self.try_record(spec, thinning).unwrap()).collect();
        let scene = Scene {
            map_name: self.name,
            map: &self.map,
            world: "a world",
            rules: "moves=8",
            problem: 0,
            optimal: None,
            prices: Prices::PAPERS,
        };
        Record::new(&scene, &self.trip(), &self.terms(), lives)
    }

    /// Returns a landscape of a million cells, with a problem that takes learning planners a long time.
    pub(crate) fn large() -> Self {
        let map = cave::generate(1024, 1024, 1).unwrap().map;
        let world = World::known(&grid(&map, Rules::default()));
        let ends = ((136, 665), (848, 727));
        Self { name: "cave", map, world, ends, budget: 10, max_steps: 100_000 }
    }

    /// Returns a problem whose goal is unreachable until a door opens far in the future.
    pub(crate) fn circling() -> Self {
        let map = GridMap::from_rows(&["..@.", "..@.", "..@."]).unwrap();
        let script = parse_script(b"fleetfoot-script 1\nsize 4 3\n3000000 open 2 1\n").unwrap();
        let grid = grid(&map, Rules::default());
        let world = World::dynamic(&grid, 1..=1, &script, None).unwrap();
        Self { name: "door", map, world, ends: ((0, 0), (3, 2)), budget: 10, max_steps: 5_000_000 }
    }
}

fn grid(map: &GridMap, rules: Rules) -> Arc<Grid> {
    Arc::new(Terrain::default().grid(map, rules).unwrap())
}

/// Returns known, unknown, changing, and weighted worlds.
pub(crate) fn stages() -> Vec<Stage> {
    let rooms = Rooms { width: 41, height: 31, size: 9, door_percent: 70, centred: false, connected: true };
    let map = rooms.generate(3).unwrap().map;
    let world = World::known(&grid(&map, Rules::default()));
    let known = Stage { name: "rooms", map, world, ends: ((2, 2), (38, 28)), budget: 7, max_steps: 400 };

    let map = random::generate(40, 33, 25, 5).unwrap().map;
    let free = |map: &GridMap, from: (u32, u32)| {
        (from.0..map.width()).find(|x| map.passable(*x, from.1)).map(|x| (x, from.1)).unwrap()
    };
    let ends = (free(&map, (1, 1)), free(&map, (30, 30)));
    let world = World::unknown(&grid(&map, Rules::default()), 1..=1, Sight::Radius(5)).unwrap();
    let unknown = Stage { name: "fog", map, world, ends, budget: 5, max_steps: 400 };

    let map = rooms.generate(8).unwrap().map;
    let change = |k: u32| {
        let (x, y) = (k * 17 % 39 + 1, k * 7 % 29 + 1);
        let what = if map.passable(x, y) { "close" } else { "open" };
        format!("{} {what} {x} {y}", k * 2)
    };
    let lines = ["fleetfoot-script 1".into(), "size 41 31".into()].into_iter().chain((0..120).map(change));
    let script = lines.collect::<Vec<String>>().join("\n");
    let script = parse_script(script.as_bytes()).unwrap();
    let sight = Some(Sight::Radius(4));
    let world = World::dynamic(&grid(&map, Rules::default()), 1..=1, &script, sight).unwrap();
    let changing = Stage { name: "doors", map, world, ends: ((2, 2), (38, 28)), budget: 9, max_steps: 400 };

    let mut map = rooms.generate(4).unwrap().map;
    for k in 0..600u32 {
        let (x, y) = (k * 29 % 41, k * 13 % 31);
        if map.passable(x, y) {
            map.set(x, y, b'S');
        }
    }
    let terrain: Terrain = "S=3".parse().unwrap();
    let heavy = Arc::new(terrain.grid(&map, Rules::default()).unwrap());
    let world = World::known(&heavy);
    let weighted = Stage { name: "swamp", map, world, ends: ((2, 2), (38, 28)), budget: 6, max_steps: 400 };
    vec![known, unknown, changing, weighted]
}

/// Returns all planners that support such a world.
pub(crate) fn planners(stage: &Stage) -> Vec<String> {
    let suits = |info: &&fleetfoot::registry::PlannerInfo| {
        let facts = info.facts;
        (stage.world.sensor().is_none() || facts.unknown_terrain)
            && !(stage.world.is_dynamic() && facts.static_only)
    };
    let all = ALGORITHMS.iter().filter(suits).map(|info| info.key.to_owned());
    let more = ["repeated-astar(direction=backward)".to_owned()];
    all.chain(more).filter(|spec| spec.parse::<Spec>().unwrap().build(stage.world.graph()).is_ok()).collect()
}
