//! Changing worlds: an agent learns exactly what it sees, and the same walk meets the same world.

use std::sync::Arc;

use fleetfoot::registry::{self, Spec};
use fleetfoot::search::{PageCounts, PlannerPart, Pools};
use fleetfoot::{
    Decision, Graph, Grid, Limits, Meter, Neighborhood, NodeId, Planner, PlannerState, Reset, Rules,
    SaveError, SaveReader, SaveWriter, Scratch, Stats, StepContext,
};
use fleetfoot_sim::budget::Budget;
use fleetfoot_sim::episode::{Episode, RunLimits, Runner, Task};
use fleetfoot_sim::formats::script::{
    Change, ChangeKind, Reaction, Rule, Script, parse_script, write_script_noted,
};
use fleetfoot_sim::generate::SeededRng;
use fleetfoot_sim::generate::rooms::Rooms;
use fleetfoot_sim::generate::scripts::{Chance, bridges::Bridges, doors::Doors, terrain::Patches};
use fleetfoot_sim::map::GridMap;
use fleetfoot_sim::metrics::Outcome;
use fleetfoot_sim::sensor::{Sensor, Sight};
use fleetfoot_sim::world::{Terrain, World, WorldSpec};

const SIDE: u32 = 14;

/// An agent without a search.
#[derive(Clone, Debug)]
enum Walker {
    /// Makes random moves that it believes to be possible.
    Drunk(SeededRng),
    /// Goes to this cell, or waits if it is there.
    Puppet(NodeId),
}

impl PlannerPart for Walker {
    fn write(&self, _: &mut dyn SaveWriter) {}

    fn read(&mut self, _: &Limits, _: &mut SaveReader<'_>) -> Result<(), SaveError> {
        Ok(())
    }

    fn release_pages(&mut self, _: &mut Pools) {}

    fn memory_bytes(&self) -> usize {
        0
    }

    fn count_pages(&self, _: usize, _: &mut PageCounts) {}
}

impl PlannerState for Walker {
    fn graph_bound(&self) -> usize {
        usize::MAX
    }

    fn reset(&mut self, _: Reset) {}

    fn search_stats(&self) -> Stats {
        Stats::default()
    }

    fn path(&self, _: NodeId) -> Vec<NodeId> {
        Vec::new()
    }
}

impl Planner<Grid> for Walker {
    /// Moves whether or not a path to the goal exists.
    fn step(&mut self, cx: StepContext<'_, Grid>) -> Decision {
        self.plan_step(cx)
    }

    fn plan_step(&mut self, cx: StepContext<'_, Grid>) -> Decision {
        let dice = match self {
            Self::Puppet(to) if *to == cx.at => return Decision::Wait,
            Self::Puppet(to) => return Decision::Go(*to),
            Self::Drunk(dice) => dice,
        };
        let ways: Vec<NodeId> = cx.graph.succs(cx.at).map(|edge| edge.to).collect();
        match dice.below(ways.len() as u32 + 1) as usize {
            0 => Decision::Wait,
            k => Decision::Go(ways[k - 1]),
        }
    }

    fn check(&self, _: &Grid) -> Result<(), SaveError> {
        Ok(())
    }
}

fn cells() -> impl Iterator<Item = (u32, u32)> {
    (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| (x, y)))
}

/// Returns a map with some walls, but none at the start.
fn map(dice: &mut SeededRng) -> GridMap {
    let mut map = GridMap::new(SIDE, SIDE, b'.').unwrap();
    for (x, y) in cells().filter(|cell| *cell != (0, 0)) {
        map.set(x, y, if dice.percent(25) { b'@' } else { b'.' });
    }
    map
}

/// Returns changes of all kinds on the whole map, and some doors that react to the agent.
fn script(map: &GridMap, dice: &mut SeededRng) -> Script {
    let mut script = Script::empty(SIDE, SIDE);
    let free: Vec<_> = cells().filter(|&(x, y)| map.passable(x, y)).collect();
    for (x, y) in free {
        let what = Reaction::ShutNear { radius: 1 + dice.below(5), ticks: 1 + u64::from(dice.below(9)) };
        script.rules.extend(dice.percent(5).then_some(Rule { x, y, what }));
    }
    for tick in 0..150 {
        for _ in 0..dice.below(5) {
            let (x, y) = (dice.below(SIDE), dice.below(SIDE));
            let what = match dice.below(3) {
                0 => ChangeKind::Close,
                1 => ChangeKind::Open,
                _ => ChangeKind::Weight(1 + dice.below(4) as u8),
            };
            if script.rules.iter().all(|rule| (rule.x, rule.y) != (x, y)) {
                script.changes.push(Change { tick, x, y, what });
            }
        }
    }
    script
}

fn world(seed: u64, sight: Option<Sight>, rules: Rules) -> World {
    let mut dice = SeededRng::new(seed);
    let map = map(&mut dice);
    let script = script(&map, &mut dice);
    World::dynamic(&Arc::new(Terrain::default().grid(&map, rules).unwrap()), 1..=1, &script, sight).unwrap()
}

fn snapshot(grid: &Grid) -> Vec<u8> {
    cells().map(|(x, y)| grid.weight(grid.node(x, y).unwrap())).collect()
}

/// Checks in every tick that the agent knows all that it sees, and that nothing changes that it does not see.
#[test]
fn agents_learn_exactly_what_they_see() {
    let eight = Rules::default();
    let four = Rules { neighborhood: Neighborhood::Four, ..eight };
    let (mut unseen, mut seen_open, mut seen_close) = (0, 0, 0);
    for (sight, rules) in
        [(Sight::Eight, eight), (Sight::Radius(3), eight), (Sight::Radius(6), eight), (Sight::Four, four)]
    {
        let sensor = Sensor::new(sight);
        for seed in 0..25 {
            let world = world(seed, Some(sight), rules);
            let trip = Task::new(&world, (0, 0), (SIDE - 1, SIDE - 1)).unwrap();
            let terms = RunLimits { max_steps: Some(200), ..RunLimits::new(Budget::Unlimited) };
            let mut episode = Episode::new(&trip, &terms);
            let (mut planner, mut scratch) = (Walker::Drunk(SeededRng::new(seed)), Scratch::new());
            let mut believed = snapshot(episode.believed());
            assert!(believed.iter().all(|weight| *weight == 1), "at first all is free");
            while episode.outcome().is_none() {
                let tick = episode.tick(&mut planner, &mut scratch, None).unwrap();
                let in_sight: Vec<NodeId> = sensor.cells(episode.truth(), tick.at).collect();
                let now = snapshot(episode.believed());
                for (k, (x, y)) in cells().enumerate() {
                    let cell = world.truth().node(x, y).unwrap();
                    let truth = episode.truth().weight(cell);
                    if in_sight.contains(&cell) {
                        assert_eq!(now[k], truth, "({x}, {y}) in tick {}", tick.tick);
                        assert!(episode.is_known(cell));
                        seen_open += u32::from(believed[k] == 0 && truth > 0);
                        seen_close += u32::from(believed[k] > 0 && truth == 0);
                    } else {
                        assert_eq!(now[k], believed[k], "({x}, {y}) in tick {}", tick.tick);
                        unseen += u32::from(now[k] != truth);
                    }
                }
                believed = now;
            }
        }
    }
    assert!(unseen > 100_000 && seen_open > 500 && seen_close > 500, "{unseen} {seen_open} {seen_close}");
}

/// Checks in every tick that an agent that is informed of all changes believes the truth.
#[test]
fn informed_agents_believe_the_truth() {
    for seed in 0..40 {
        let world = world(seed, None, Rules::default());
        let trip = Task::new(&world, (0, 0), (SIDE - 1, SIDE - 1)).unwrap();
        let terms = RunLimits { max_steps: Some(200), ..RunLimits::new(Budget::Unlimited) };
        let mut episode = Episode::new(&trip, &terms);
        let (mut planner, mut scratch) = (Walker::Drunk(SeededRng::new(seed)), Scratch::new());
        while episode.outcome().is_none() {
            episode.tick(&mut planner, &mut scratch, None).unwrap();
            assert_eq!(episode.believed().fingerprint(), episode.truth().fingerprint());
        }
    }
}

/// Checks that the world reacts only to the walk, not to the agent's sensor or planner.
#[test]
fn the_same_walk_meets_the_same_world() {
    let history = |seed, sight: Option<Sight>, walk: Option<&[NodeId]>| {
        let world = world(seed, sight, Rules::default());
        let trip = Task::new(&world, (0, 0), (SIDE - 1, SIDE - 1)).unwrap();
        let terms = RunLimits { max_steps: Some(200), ..RunLimits::new(Budget::Unlimited) };
        let mut episode = Episode::new(&trip, &terms);
        let (mut planner, mut scratch) = (Walker::Drunk(SeededRng::new(seed)), Scratch::new());
        let (mut walked, mut worlds) = (Vec::new(), Vec::new());
        while episode.outcome().is_none() {
            match walk {
                None => episode.tick(&mut planner, &mut scratch, None).unwrap(),
                Some(walk) => {
                    let mut puppet = Walker::Puppet(walk[walked.len()]);
                    episode.tick(&mut puppet, &mut scratch, None).unwrap()
                }
            };
            walked.push(episode.at());
            worlds.push(episode.truth().fingerprint());
        }
        (walked, worlds)
    };
    for seed in 0..30 {
        let (walk, worlds) = history(seed, Some(Sight::Eight), None);
        for sight in [Some(Sight::Eight), Some(Sight::Radius(5)), None] {
            assert_eq!(history(seed, sight, Some(&walk)), (walk.clone(), worlds.clone()));
        }
    }
}

/// Tests two doors on the only two paths, each closing when the agent comes near: a path exists in every tick, but
/// the agent never arrives.
#[test]
fn two_doors_keep_an_agent_out_forever() {
    let rows = [
        ".....................", //
        "@@.@@@@@@@@@@@@@@@.@@",
        ".....................",
    ];
    let map = GridMap::from_rows(&rows).unwrap();
    let grid = Arc::new(Terrain::default().grid(&map, Rules::default()).unwrap());
    // Closed until the other door is nearer, but open again before the agent is there.
    let door = |x| Rule { x, y: 1, what: Reaction::ShutNear { radius: 3, ticks: 9 } };
    let script = Script { rules: vec![door(2), door(18)], ..Script::empty(21, 3) };
    let world = World::dynamic(&grid, 1..=1, &script, None).unwrap();
    let trip = Task::new(&world, (10, 0), (10, 2)).unwrap();
    let spec: Spec = "repeated-astar".parse().unwrap();
    let mut planner = spec.build(world.graph()).unwrap();
    let (mut episode, mut scratch) =
        (Episode::new(&trip, &RunLimits::new(Budget::Unlimited)), Scratch::new());
    let (mut left, mut right, mut way_is_open) = (0, 0, 0);
    while episode.outcome().is_none() {
        let before = episode.at();
        episode.tick(&mut *planner, &mut scratch, None).unwrap();
        let (a, b) = (world.truth().xy(before).0, world.truth().xy(episode.at()).0);
        left += u64::from(a > 5 && b == 5);
        right += u64::from(a < 15 && b == 15);
        let goal = trip.goal();
        let meter = &mut Meter::unlimited();
        let found = fleetfoot::shortest_path(episode.truth(), episode.at(), goal, meter, &mut scratch);
        way_is_open += u64::from(found.path().is_some());
    }
    assert_eq!(episode.outcome(), Some(Outcome::GaveUp));
    assert_eq!(way_is_open, episode.ticks(), "the goal can be reached in every tick");
    assert!(left > 300 && right > 300 && left.abs_diff(right) <= 1, "{left} times left, {right} right");
    // With one door alone no agent gets in, and an agent that sees it reports no path.
    let script = Script { rules: vec![door(2)], changes: vec![close(18)], ..script };
    let world = World::dynamic(&grid, 1..=1, &script, None).unwrap();
    let trip = Task::new(&world, (10, 0), (10, 2)).unwrap();
    let mut planner = spec.build(world.graph()).unwrap();
    let run = Runner::new().run(&trip, &RunLimits::new(Budget::Unlimited), &mut *planner).unwrap();
    assert_eq!(run.outcome, Outcome::NoPath);
}

fn close(x: u32) -> Change {
    Change { tick: 0, x, y: 1, what: ChangeKind::Close }
}

/// Checks that a world from a file equals the recorded one, step by step.
#[test]
fn recorded_worlds_are_replayed() {
    let rooms = Rooms { width: 37, height: 37, size: 5, door_percent: 100, centred: true, connected: true };
    let made = rooms.generate(4).unwrap();
    let chance = Chance::millionths(30_000);
    let doors = Doors { ticks: 300, open: chance, close: chance, goal: None };
    let patches = Patches { ticks: 300, begin: chance, radius: 5, heavier: 4, lasts: 60 };
    let mut scripts = vec![
        doors.script(&made.map, &made.doors, 2).unwrap(),
        patches.script(&made.map, &Terrain::default(), 2).unwrap(),
    ];
    let mut ruled = scripts[0].clone();
    let (x, y) = made.doors[3];
    ruled.changes.retain(|change| (change.x, change.y) != (x, y));
    ruled.rules.push(Rule { x, y, what: Reaction::ShutNear { radius: 2, ticks: 7 } });
    scripts.push(ruled);
    let grid = Arc::new(Terrain::default().grid(&made.map, Rules::default()).unwrap());
    for (k, script) in scripts.iter().enumerate() {
        let file = std::env::temp_dir().join(format!("fleetfoot-replay-{}-{k}.script", std::process::id()));
        write_script_noted(&file, script, "for a test").unwrap();
        for (sight, params) in [(None, ""), (Some(Sight::Radius(6)), ",radius=6")] {
            let spec: WorldSpec = format!("dynamic({}{params})", file.display()).parse().unwrap();
            let worlds = [World::dynamic(&grid, 1..=1, script, sight), spec.load(&grid, 1..=1)];
            let [recorded, replayed] = worlds.map(|world| life(&world.unwrap()));
            assert_eq!(recorded, replayed);
            assert!(recorded.len() > 20);
        }
        std::fs::remove_file(&file).unwrap();
    }
}

/// Checks that every planner that supports such worlds runs in them without violations, and arrives if it is informed
/// of all changes.
#[test]
fn planners_for_changing_worlds_arrive_in_every_kind() {
    let rooms = Rooms { width: 37, height: 37, size: 5, door_percent: 60, centred: true, connected: true };
    let made = rooms.generate(4).unwrap();
    let (ticks, chance) = (400, Chance::millionths(20_000));
    let bridges =
        Bridges { ticks, count: 5, longest: 8, saves: 6, fall: chance, ruin: 30, over: b"@".to_vec() };
    let scripts = [
        Doors { ticks, open: chance, close: chance, goal: None }.script(&made.map, &made.doors, 3).unwrap(),
        bridges.script(&made.map, 3).unwrap().script,
        Patches { ticks, begin: chance, radius: 5, heavier: 4, lasts: 60 }
            .script(&made.map, &Terrain::default(), 3)
            .unwrap(),
    ];
    let grid = Arc::new(Terrain::default().grid(&made.map, Rules::default()).unwrap());
    let copes = |info: &&registry::PlannerInfo| {
        let facts = info.facts;
        facts.complete && facts.polynomial && facts.rising_costs && facts.falling_costs
    };
    let mut runner = Runner::new();
    for (script, sight) in scripts.iter().flat_map(|s| [None, Some(Sight::Radius(7))].map(|sight| (s, sight)))
    {
        let world = World::dynamic(&grid, 1..=1, script, sight).unwrap();
        assert!(world.trend().rise && world.trend().fall);
        for (start, goal) in [((1, 1), (35, 35)), ((35, 2), (3, 33))] {
            let trip = Task::new(&world, start, goal).unwrap();
            let fits = |info: &&registry::PlannerInfo| {
                !info.facts.needs_corner_index || world.graph().corners().is_some()
            };
            let all = registry::ALGORITHMS.iter().filter(copes).filter(fits);
            for (info, budget) in all.flat_map(|i| [(i, 5), (i, 300)]) {
                let spec: Spec = info.key.parse().unwrap();
                let budget = if info.facts.bounded { Budget::Expansions(budget) } else { Budget::Unlimited };
                let mut planner = spec.build(world.graph()).unwrap();
                let run = runner.run(&trip, &RunLimits::new(budget), &mut *planner);
                let run = run.unwrap_or_else(|foul| panic!("{spec} with {budget}: {foul}"));
                // An agent that sees only near cells may believe that an opened path is closed.
                let may_fail = sight.is_some() && run.outcome == Outcome::NoPath;
                assert!(
                    run.outcome == Outcome::Arrived || may_fail,
                    "{spec} with {budget}: {:?}",
                    run.outcome
                );
            }
        }
    }
}

/// Returns the agent's cell and the world's checksum, tick by tick.
fn life(world: &World) -> Vec<(NodeId, u64)> {
    let trip = Task::new(world, (1, 1), (35, 35)).unwrap();
    let spec: Spec = "repeated-astar".parse().unwrap();
    let mut planner = spec.build(world.graph()).unwrap();
    let terms = RunLimits { max_steps: Some(400), ..RunLimits::new(Budget::Expansions(80)) };
    let (mut episode, mut scratch, mut life) = (Episode::new(&trip, &terms), Scratch::new(), Vec::new());
    while episode.outcome().is_none() {
        episode.tick(&mut *planner, &mut scratch, None).unwrap();
        life.push((episode.at(), episode.truth().fingerprint()));
    }
    life
}

/// Checks that the documented script is valid.
#[test]
fn the_documented_script_can_be_read() {
    let page = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book/src/worlds.md");
    let page = std::fs::read_to_string(page).unwrap();
    let text = page.split("```text\n").nth(1).unwrap().split("```").next().unwrap();
    let script = parse_script(text.as_bytes()).unwrap();
    assert_eq!((script.rules.len(), script.changes.len()), (1, 4));
}
