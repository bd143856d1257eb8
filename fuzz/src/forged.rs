//! Saved games with wrong numbers and lists, as text and as bytes with a correct checksum. A game that loads must
//! run: no panic, no hang, no memory beyond what the save accounts for, and no unit moves through another.

use std::sync::LazyLock;

use fleetfoot::fleet::{Fleet, FleetConfig, Goal, SavedFleet, Speed, TeamId, Vision};
use fleetfoot::registry::{ALGORITHMS, SavedPlanner, Spec};
use fleetfoot::{
    Agent, Belief, Decision, Graph, Grid, Map, Meter, NodeId, Prices, Reachability, Rules, SavedAgent,
    Scratch, StepContext, TickOutcome,
};
use fleetfoot_testkit::fleet::referee;
use fleetfoot_testkit::forge::damage;
use serde_json::{Value, json};

use crate::saved::with_checksum;

const SIDE: u32 = 20;
const TICKS: u32 = 100;
/// So small that searches take several ticks.
const BUDGET: u64 = 25;
/// Maximum memory of these games: cells and pages of a map of four tiles, and what searches touch.
const MOST_BYTES: u64 = 2 << 20;

/// Random choices from the input, two bytes each; 0 when it has ended.
struct Draws<'a>(&'a [u8]);

impl Draws<'_> {
    fn below(&mut self, n: usize) -> usize {
        let Some((&[a, b], rest)) = self.0.split_first_chunk() else { return 0 };
        self.0 = rest;
        usize::from(u16::from_le_bytes([a, b])) % n
    }
}

/// The first two bytes select a game, the next two the damaged part and the number of changes; the rest selects the
/// changes.
pub fn forged(data: &[u8]) {
    let mut draws = Draws(data);
    let (game, what) = (draws.below(usize::MAX), draws.below(8));
    let times = 1 + draws.below(3);
    match what {
        0..3 => agent(&AGENTS[game % AGENTS.len()], what, times, &mut draws),
        3..5 => explorer(&EXPLORERS[game % EXPLORERS.len()], what == 3, times, &mut draws),
        _ => fleet(&FLEETS[game % FLEETS.len()], what, times, &mut draws),
    }
}

/// Damages the words of a binary save after its head, and corrects the checksum.
fn damage_words(value: &mut Value, head: usize, times: usize, draws: &mut Draws<'_>) {
    let bytes: Vec<u8> = serde_json::from_value(value.take()).expect("bytes");
    let body = bytes.len() - 8;
    let head = head.min(body);
    let (words, rest) = bytes[head..body].as_chunks::<4>();
    let mut list = json!(words.iter().map(|word| u32::from_le_bytes(*word)).collect::<Vec<_>>());
    for _ in 0..times {
        damage(&mut list, &mut |n| draws.below(n));
    }
    let words: Vec<u64> = serde_json::from_value(list).expect("numbers");
    let mut forged = bytes[..head].to_vec();
    forged.extend(words.iter().flat_map(|&word| (word as u32).to_le_bytes()));
    forged.extend_from_slice(rest);
    forged.extend_from_slice(&[0; 8]);
    *value = with_checksum(forged).into();
}

/// Returns the length of the head of a saved planner: magic number, version, spec and fingerprint.
fn head(bytes: &Value) -> usize {
    let number = |k: usize| bytes[k].as_u64().unwrap_or_default() as usize;
    8 + 4 + 4 + number(12) + 8
}

fn wall(x: u32, y: u32) -> bool {
    x % 7 == 6 && y % 9 != 4
}

fn cell(map: &Map, x: u32, y: u32) -> NodeId {
    map.node(x, y).expect("inside")
}

/// Opens and closes doors. The index has not processed all of them.
fn edit(map: &mut Map, tick: u32) {
    if tick.is_multiple_of(6) {
        let door = cell(map, 6 + 7 * (tick / 6 % 2), 4 + 9 * (tick / 12 % 2));
        let weight = u8::from(!map.is_free(door));
        map.set(door, weight).expect("on the map");
    }
    map.update_indices(2);
}

/// A map and an agent during a search, for every planner that supports edits.
static AGENTS: LazyLock<Vec<Value>> = LazyLock::new(|| {
    let copes = ALGORITHMS.iter().filter(|info| info.facts.falling_costs && info.facts.polynomial);
    let mut games = Vec::new();
    for info in copes {
        let mut map = Map::new(SIDE, SIDE, |x, y| !wall(x, y)).expect("small");
        let ends = (cell(&map, 0, 0), cell(&map, SIDE - 1, SIDE - 1));
        let mut agent = Agent::new(&map, info.key, ends.0, ends.1).expect("a grid");
        for tick in 0..14 {
            edit(&mut map, tick);
            agent.tick(&map, BUDGET);
            if tick == 3 || tick == 13 {
                games.push(serde_json::to_value((&map, agent.save(&map))).expect("plain data"));
            }
        }
    }
    games
});

fn agent(honest: &Value, what: usize, times: usize, draws: &mut Draws<'_>) {
    let mut value = honest.clone();
    if what == 0 {
        (0..times).for_each(|_| damage(&mut value[0], &mut |n| draws.below(n)));
    } else {
        let bytes = &mut value[1]["planner"]["bytes"];
        let head = head(bytes);
        damage_words(bytes, head, times, draws);
        if what == 2 {
            for end in ["at", "goal"] {
                let mut place = json!({ "node": value[1][end].take() });
                damage(&mut place, &mut |n| draws.below(n));
                value[1][end] = place["node"].take();
            }
        }
    }
    within(MOST_BYTES, || {
        let Ok((mut map, saved)) = serde_json::from_value::<(Map, SavedAgent)>(value) else { return };
        // The map may have been damaged to another size; a planner for another size is rejected.
        let Ok(mut agent) = Agent::load(&map, &saved) else { return };
        for tick in 0..TICKS {
            if map.node(13, 13).is_some() {
                edit(&mut map, tick);
            }
            let before = agent.at();
            let mut meter = meter(tick);
            let status = agent.tick_with(&map, &mut meter, &mut Scratch::new());
            judge(tick, &meter);
            let has_moved = agent.at() != before;
            let there = has_moved.then(|| map.grid().cost(before, agent.at()));
            assert!(
                there.is_none_or(|cost| cost.is_finite()),
                "{}: {before} to {}",
                agent.spec(),
                agent.at()
            );
            let says_so = matches!(status, TickOutcome::Moved(to) if to == agent.at())
                || status == TickOutcome::Arrived;
            assert!(!has_moved || says_so, "{status:?}");
            assert!(agent.path(&map).len() <= 16 * map.grid().bound());
            if status.is_final() {
                let (at, goal) = (agent.at(), agent.goal());
                agent.set_goal(if at == goal { NodeId::new(tick) } else { at });
            }
        }
        while !map.update_indices(1000) && map.reachability(agent.at(), agent.goal()) == Reachability::Maybe {
        }
        let text = serde_json::to_string(&(&map, agent.save(&map))).expect("plain data");
        let (map, saved): (Map, SavedAgent) = serde_json::from_str(&text).expect("what was written");
        Agent::load(&map, &saved).expect("an agent that ticks can be saved");
    });
}

/// A belief and its planner, for every planner that supports unknown terrain.
static EXPLORERS: LazyLock<Vec<Value>> = LazyLock::new(|| {
    let mut games = Vec::new();
    for info in ALGORITHMS.iter().filter(|info| info.facts.unknown_terrain) {
        let spec: Spec = info.key.parse().expect("a key");
        let mut belief = Belief::unknown(SIDE, SIDE, Rules::default(), 1..=1).expect("small");
        let mut planner = spec.build(belief.grid()).expect("a grid");
        let (mut at, goal) = (cell(belief.map(), 0, 0), cell(belief.map(), SIDE - 1, SIDE - 1));
        for tick in 0..12 {
            look(&mut belief, at);
            at = explore(&mut *planner, &belief, (at, goal), tick);
            if tick == 2 || tick == 11 {
                let saved = SavedPlanner::new(&spec, &*planner, belief.grid());
                games.push(serde_json::to_value((&belief, saved, at, goal)).expect("plain data"));
            }
        }
    }
    games
});

/// The papers' prices in every other tick: if tracing is free, only the planner itself ends a trace.
fn prices(tick: u32) -> Prices {
    if tick.is_multiple_of(2) { Prices::ALL_WORK } else { Prices::PAPERS }
}

fn meter(tick: u32) -> Meter {
    Meter::priced(BUDGET, prices(tick))
}

/// Checks that no tick exceeds its budget.
fn judge(tick: u32, meter: &Meter) {
    let spent = meter.work().priced(&prices(tick));
    assert!(spent <= 10 * BUDGET, "tick {tick}: {:?}", meter.work());
}

/// Reveals the surrounding cells.
fn look(belief: &mut Belief, at: NodeId) {
    let (x, y) = belief.grid().xy(at);
    for (dx, dy) in (-2..=2).flat_map(|dy| (-2..=2).map(move |dx| (dx, dy))) {
        let (x, y) = (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
        if let Some(n) = belief.grid().node(x, y) {
            // A damaged belief may have another range of weights.
            let _ = belief.reveal(n, u8::from(!wall(x, y)));
        }
    }
}

/// Performs a step. Returns its target, if the map has such a move.
fn explore(
    planner: &mut dyn fleetfoot::Planner<Grid>,
    belief: &Belief,
    (at, goal): (NodeId, NodeId),
    tick: u32,
) -> NodeId {
    let (mut meter, mut scratch) = (meter(tick), Scratch::new());
    let step = StepContext::new(belief.grid(), at, goal, &mut meter, &mut scratch).with_changes(belief.log());
    let decision = planner.step(step);
    judge(tick, &meter);
    match decision {
        Decision::Go(to) if belief.grid().cost(at, to).is_finite() => to,
        _ => at,
    }
}

fn explorer(honest: &Value, is_belief_forged: bool, times: usize, draws: &mut Draws<'_>) {
    let mut value = honest.clone();
    if is_belief_forged {
        (0..times).for_each(|_| damage(&mut value[0], &mut |n| draws.below(n)));
    } else {
        let bytes = &mut value[1]["bytes"];
        let head = head(bytes);
        damage_words(bytes, head, times, draws);
    }
    within(MOST_BYTES, || {
        let Ok(read) = serde_json::from_value::<(Belief, SavedPlanner, NodeId, NodeId)>(value) else {
            return;
        };
        let (mut belief, saved, mut at, goal) = read;
        let Ok(mut planner) = saved.restore(belief.grid()) else { return };
        for tick in 0..TICKS {
            look(&mut belief, at);
            if at != goal {
                at = explore(&mut *planner, &belief, (at, goal), tick);
            }
        }
        assert!(planner.stats().memory_bytes < MOST_BYTES);
        let (spec, text) =
            (saved.spec().expect("it was read"), serde_json::to_string(&belief).expect("plain data"));
        let belief: Belief = serde_json::from_str(&text).expect("what was written");
        // Learned values of a forged planner need not be consistent, as those of a search are. What they lead to may be refused.
        let again = SavedPlanner::new(&spec, &*planner, belief.grid()).restore(belief.grid());
        assert!(again.is_ok() || !is_belief_forged, "a planner that steps can be saved: {:?}", again.err());
    });
}

/// Two teams, one of them in fog; some units share a goal, some have their own, one goal is a wall, and some units are slow. Fleets with
/// and without collisions, on maps with all indices and with none, small and too large for distance rows.
static FLEETS: LazyLock<Vec<Value>> = LazyLock::new(|| {
    let mut games = Vec::new();
    for (side, collisions, is_indexed) in
        [(SIDE, true, true), (SIDE, false, true), (SIDE, true, false), (80, true, true)]
    {
        let grid = Grid::new(side, side, Rules::default(), |x, y| u8::from(!wall(x, y))).expect("small");
        let map = if is_indexed { Map::from(grid) } else { Map::without_index(grid) };
        let mut config = FleetConfig::default();
        config.collisions = collisions;
        games.extend(saves_of(Fleet::with(map, config)));
    }
    games
});

fn saves_of(mut fleet: Fleet) -> Vec<Value> {
    let fog = fleet.add_team(Vision::Radius(3)).expect("a second team");
    let mut units = Vec::new();
    for k in 0..14 {
        let (team, at) = (if k % 2 == 0 { TeamId::FIRST } else { fog }, cell(fleet.map(), k % 5, k / 5));
        let unit = fleet.spawn(team, at).expect("free");
        match k % 5 {
            1 => fleet.set_speed(unit, Speed::EveryTicks(3)).expect("there"),
            3 => fleet.set_speed(unit, Speed::Hundredths(70)).expect("there"),
            _ => {}
        }
        units.push(unit);
    }
    let (camp, wall) = (cell(fleet.map(), 17, 16), cell(fleet.map(), 6, 0));
    fleet.order(&units[..10], Goal::near(camp));
    for (k, unit) in (0..).zip(&units[10..13]) {
        let own = cell(fleet.map(), 15 + k, 2);
        fleet.order(&[*unit], Goal::at(own));
    }
    fleet.order(&units[13..], Goal::at(wall));
    let mut games = Vec::new();
    for tick in 0..40 {
        if [1, 5, 17, 39].contains(&tick) {
            games.push(serde_json::to_value(fleet.save()).expect("plain data"));
        }
        if tick == 8 {
            let door = cell(fleet.map(), 6, 4);
            fleet.set(door, 0).expect("on the map");
            fleet.remove(units[4]);
        }
        fleet.tick(4 * BUDGET).for_each(drop);
    }
    games
}

/// Version and fingerprint.
const FLEET_HEAD: usize = 4 + 8;

fn fleet(honest: &Value, what: usize, times: usize, draws: &mut Draws<'_>) {
    let mut value = honest.clone();
    match what {
        5 => (0..times).for_each(|_| damage(&mut value["map"], &mut |n| draws.below(n))),
        6 => (0..times).for_each(|_| damage(&mut value["beliefs"], &mut |n| draws.below(n))),
        _ => damage_words(&mut value["bytes"], FLEET_HEAD, times, draws),
    }
    within(8 * MOST_BYTES, || {
        let Ok(saved) = serde_json::from_value::<SavedFleet>(value) else { return };
        let Ok(mut fleet) = Fleet::load(&saved) else { return };
        let units: Vec<_> = fleet.units().collect();
        let places =
            |fleet: &Fleet| -> Vec<NodeId> { units.iter().filter_map(|unit| fleet.at(*unit)).collect() };
        for tick in 0..TICKS {
            if tick == 30 {
                let camp = cell(fleet.map(), 2, 17);
                fleet.order(&units, Goal::near(camp));
            }
            let before = places(&fleet);
            fleet.tick(4 * BUDGET).for_each(drop);
            let after = places(&fleet);
            // Units that walk through each other need moves of the map alone, and the parameters may be forged as well.
            let config = fleet.config();
            let moves = before.iter().zip(&after).filter(|(from, to)| from != to);
            let (grid, may_cross) = (fleet.map().grid(), config.resolver.may_cross);
            moves.for_each(|(from, to)| {
                assert!(grid.cost(*from, *to).is_finite(), "tick {tick}: {from} to {to}")
            });
            if let (true, Err(fault)) = (config.collisions, referee::check(grid, &before, &after, may_cross))
            {
                panic!("tick {tick}: {fault}");
            }
        }
        Fleet::load(&fleet.save()).expect("a fleet that ticks can be saved");
    });
}

/// Runs `act`, which may allocate at most this many bytes more than it frees, and a multiple of that meanwhile.
fn within(most: u64, act: impl FnOnce()) {
    // Counted in the tests only: a fuzzer has its own allocator and limit.
    let ((), taken) = fleetfoot_testkit::alloc::counted(act);
    assert!(taken.bytes < 200 * most, "{taken:?}");
}
