use std::sync::Arc;

use super::*;
use crate::budget::{monotonic_nanos, thread_nanos};
use crate::formats::script::{Script, parse_script};
use crate::map::GridMap;
use crate::referee::Rule;
use crate::sensor::Sight;
use crate::world::Terrain;
use fleetfoot::{PlannerState, Reset, Rules, SaveError, WorkKind};

/// Returns preset answers, and does a preset amount of work.
#[derive(Default)]
struct Fake {
    answers: Vec<Decision>,
    asked: usize,
    /// Work of every step, whatever the meter says.
    work: Vec<(WorkKind, u64)>,
    stats: Stats,
    /// Number of changes in the log between two steps.
    news: Vec<u64>,
}

impl Fake {
    fn new(answers: impl Into<Vec<Decision>>) -> Self {
        Self { answers: answers.into(), ..Self::default() }
    }
}

fleetfoot::planner_part! { Fake { saved: ; fixed: answers, asked, work, stats, news } }

impl PlannerState for Fake {
    fn graph_bound(&self) -> usize {
        usize::MAX
    }

    fn reset(&mut self, _: Reset) {}

    fn search_stats(&self) -> Stats {
        self.stats
    }

    fn path(&self, _: NodeId) -> Vec<NodeId> {
        Vec::new()
    }
}

impl Planner<Grid> for Fake {
    fn plan_step(&mut self, cx: StepContext<'_, Grid>) -> Decision {
        for &(kind, n) in &self.work {
            cx.meter.count(kind, n);
        }
        self.news.push(cx.changes.end());
        self.asked += 1;
        self.answers.get(self.asked - 1).copied().unwrap_or(Decision::Wait)
    }

    fn check(&self, _: &Grid) -> Result<(), SaveError> {
        Ok(())
    }
}

fn grid(rows: &[&str]) -> Arc<Grid> {
    Arc::new(Terrain::default().grid(&GridMap::from_rows(rows).unwrap(), Rules::default()).unwrap())
}

fn script(width: u32, height: u32, lines: &str) -> Script {
    parse_script(format!("fleetfoot-script 1\nsize {width} {height}\n{lines}").as_bytes()).unwrap()
}

/// Returns moves along these cells.
fn walk(world: &World, cells: &[(u32, u32)]) -> Vec<Decision> {
    cells.iter().map(|&(x, y)| Decision::Go(world.truth().node(x, y).unwrap())).collect()
}

fn run(trip: &Task<'_>, terms: &RunLimits, fake: &mut Fake) -> Result<RunMetrics, RuleViolation> {
    Runner::new().run(trip, terms, fake)
}

const FREE: RunLimits = RunLimits { budget: Budget::Unlimited, prices: Prices::PAPERS, max_steps: Some(10) };

#[test]
fn illegal_moves_are_violations() {
    let world = World::known(&grid(&["...", ".@.", "..."]));
    let trip = Task::new(&world, (0, 0), (2, 2)).unwrap();
    for (cells, tick) in [(vec![(1, 1)], 0), (vec![(2, 0)], 0), (vec![(0, 0)], 0), (vec![(1, 0), (2, 1)], 1)]
    {
        let foul = run(&trip, &FREE, &mut Fake::new(walk(&world, &cells))).unwrap_err();
        assert_eq!((foul.rule, foul.tick), (Rule::LegalMove, tick), "{foul}");
    }
    let foul = run(&trip, &FREE, &mut Fake::new([Decision::Go(NodeId::NONE)])).unwrap_err();
    assert_eq!(foul.rule, Rule::LegalMove);
}

#[test]
fn moves_are_checked_against_the_truth_not_the_belief() {
    let world = World::unknown(&grid(&["..@."]), 1..=1, Sight::Eight).unwrap();
    let trip = Task::new(&world, (0, 0), (3, 0)).unwrap();
    let foul = run(&trip, &FREE, &mut Fake::new(walk(&world, &[(1, 0), (2, 0)]))).unwrap_err();
    assert_eq!((foul.rule, foul.tick), (Rule::LegalMove, 1));
    assert!(foul.details.ends_with("to (2, 0), which is blocked"), "{foul}");
}

#[test]
fn overspending_is_a_violation() {
    let world = World::known(&grid(&["..."]));
    let trip = Task::new(&world, (0, 0), (2, 0)).unwrap();
    let rule = |budget, prices, work: &[(WorkKind, u64)]| {
        let terms = RunLimits { prices, ..RunLimits::new(Budget::Expansions(budget)) };
        let mut fake = Fake { work: work.to_vec(), ..Fake::new(walk(&world, &[(1, 0), (2, 0)])) };
        run(&trip, &terms, &mut fake).map_err(|foul| foul.rule).err()
    };
    assert_eq!(rule(5, Prices::PAPERS, &[(WorkKind::Expand, 5), (WorkKind::Trace, 1000)]), None);
    assert_eq!(rule(5, Prices::PAPERS, &[(WorkKind::Expand, 6)]), Some(Rule::Expansions));
    assert_eq!(rule(5, Prices::ALL_WORK, &[(WorkKind::Expand, 2), (WorkKind::Trace, 10)]), None);
    assert_eq!(rule(5, Prices::ALL_WORK, &[(WorkKind::Expand, 2), (WorkKind::Trace, 11)]), Some(Rule::Work));
}

#[test]
fn a_false_no_path_is_a_violation() {
    let world = World::known(&grid(&["..@.", "..@@"]));
    let near = Task::new(&world, (0, 0), (1, 1)).unwrap();
    let foul = run(&near, &FREE, &mut Fake::new([Decision::Wait, Decision::NoPath])).unwrap_err();
    assert_eq!((foul.rule, foul.tick), (Rule::NoPathClaim, 1));
    let far = Task::new(&world, (0, 0), (3, 0)).unwrap();
    let run = run(&far, &FREE, &mut Fake::new([Decision::Wait, Decision::NoPath])).unwrap();
    assert_eq!((run.outcome, run.steps, run.waits, run.first_move), (Outcome::NoPath, 2, 2, 0));
}

#[test]
fn no_path_is_about_the_belief() {
    // The truth has no path, but the agent has not seen that yet.
    let world = World::unknown(&grid(&["...@."]), 1..=1, Sight::Eight).unwrap();
    let trip = Task::new(&world, (0, 0), (4, 0)).unwrap();
    let foul = run(&trip, &FREE, &mut Fake::new([Decision::NoPath])).unwrap_err();
    assert_eq!(foul.rule, Rule::NoPathClaim);
    let mut answers = walk(&world, &[(1, 0), (2, 0)]);
    answers.push(Decision::NoPath);
    assert_eq!(run(&trip, &FREE, &mut Fake::new(answers)).unwrap().outcome, Outcome::NoPath);
}

#[test]
fn no_path_is_a_wait_while_the_world_can_change() {
    let lines = "0 close 1 0\n2 open 1 0\n2 close 2 0";
    let world = World::dynamic(&grid(&["..."]), 1..=1, &script(3, 1, lines), None).unwrap();
    let trip = Task::new(&world, (0, 0), (2, 0)).unwrap();
    let run = run(&trip, &FREE, &mut Fake::new([Decision::NoPath; 10])).unwrap();
    assert_eq!((run.outcome, run.steps), (Outcome::NoPath, 3));
}

#[test]
fn changes_are_reported_in_their_ticks() {
    let lines = "0 close 2 0\n3 open 2 0\n5 weight 2 0 4";
    let world = World::dynamic(&grid(&["...."]), 1..=1, &script(4, 1, lines), None).unwrap();
    let trip = Task::new(&world, (0, 0), (3, 0)).unwrap();
    let mut fake = Fake::default();
    run(&trip, &RunLimits { max_steps: Some(7), ..FREE }, &mut fake).unwrap();
    assert_eq!(fake.news, [4, 4, 4, 8, 8, 12, 12]);
}

#[test]
fn changes_out_of_sight_are_learned_when_seen() {
    let lines = "1 close 3 0\n2 open 3 0\n3 close 4 0";
    let world =
        World::dynamic(&grid(&["......"]), 1..=1, &script(6, 1, lines), Some(Sight::Radius(2))).unwrap();
    let trip = Task::new(&world, (0, 0), (5, 0)).unwrap();
    let mut fake = Fake::new(walk(&world, &[(1, 0)]));
    let mut episode = Episode::new(&trip, &FREE);
    let mut seen = Vec::new();
    for _ in 0..4 {
        episode.tick(&mut fake, &mut Scratch::new(), None).unwrap();
        let believed = (0..6).map(|x| episode.believed().weight(episode.believed().node(x, 0).unwrap()));
        seen.push(believed.collect::<Vec<_>>());
    }
    assert_eq!(seen, [[1, 1, 1, 1, 1, 1], [1, 1, 1, 0, 1, 1], [1; 6], [1; 6]]);
    assert_eq!(episode.truth().weight(episode.truth().node(4, 0).unwrap()), 0);
}

#[test]
fn a_door_never_closes_on_the_agent() {
    let lines = "1 close 1 0\n4 weight 0 0 2";
    let world = World::dynamic(&grid(&["...."]), 1..=1, &script(4, 1, lines), None).unwrap();
    let trip = Task::new(&world, (0, 0), (3, 0)).unwrap();
    let mut answers = walk(&world, &[(1, 0)]);
    answers.extend([Decision::Wait, Decision::Wait]);
    answers.extend(walk(&world, &[(2, 0), (1, 0)]));
    let mut fake = Fake::new(answers);
    let foul = run(&trip, &FREE, &mut fake).unwrap_err();
    assert_eq!((foul.rule, foul.tick), (Rule::LegalMove, 4));
    assert_eq!(fake.news, [0, 0, 0, 0, 4], "it closed when the agent had left");
}

#[test]
fn start_is_goal() {
    let world = World::known(&grid(&[".."]));
    let trip = Task::new(&world, (1, 0), (1, 0)).unwrap();
    let mut fake = Fake::default();
    let run = run(&trip, &FREE, &mut fake).unwrap();
    assert_eq!((run.outcome, run.steps, fake.asked), (Outcome::Arrived, 0, 0));
    assert_eq!(Runner::new().optimal(&trip), Some(Length::ZERO));
    assert!((run.ratio(Length::ZERO, world.truth().rules().diagonal) - 1.0).abs() < 1e-12);
}

#[test]
fn gives_up_when_the_steps_run_out() {
    let world = World::known(&grid(&[".."]));
    let trip = Task::new(&world, (0, 0), (1, 0)).unwrap();
    let run = run(&trip, &FREE, &mut Fake::default()).unwrap();
    assert_eq!((run.outcome, run.steps, run.waits), (Outcome::GaveUp, 10, 10));
    assert!(world.patience(false) >= 10_000 && world.patience(true) >= 10_000);
}

#[test]
fn observers_receive_every_tick() {
    let world = World::known(&grid(&["..."]));
    let trip = Task::new(&world, (0, 0), (2, 0)).unwrap();
    let mut answers = vec![Decision::Wait];
    answers.extend(walk(&world, &[(1, 0), (2, 0)]));
    let mut fake = Fake { work: vec![(WorkKind::Expand, 3)], ..Fake::new(answers.clone()) };
    let mut ticks = Vec::new();
    let mut note = |tick: &StepRecord| ticks.push(*tick);
    let watch = Watch { ticks: Some(&mut note), ..Watch::default() };
    let run = Runner::new().run_watched(&trip, &FREE, &mut fake, watch).unwrap();
    assert_eq!(ticks.iter().map(|tick| tick.tick).collect::<Vec<_>>(), [0, 1, 2]);
    assert_eq!(ticks.iter().map(|tick| tick.decision).collect::<Vec<_>>(), answers);
    assert_eq!((run.expansions, run.max_expansions, run.work[WorkKind::Expand]), (9, 3, 9));
    assert_eq!((run.moves, run.waits, run.first_move), (2, 1, 2));
}

#[test]
fn earlier_statistics_of_a_planner_do_not_count() {
    let world = World::known(&grid(&[".."]));
    let trip = Task::new(&world, (0, 0), (1, 0)).unwrap();
    let stats = Stats { searches: 5, updates: 7, h_rise: 9, open_max: 4, ..Stats::default() };
    let mut fake = Fake { stats, ..Fake::new(walk(&world, &[(1, 0)])) };
    let run = run(&trip, &FREE, &mut fake).unwrap();
    assert_eq!((run.episodes, run.updates, run.open_max), (0, 0, 4));
}

/// Wastes time.
struct Slow(Fake);

fleetfoot::planner_part! { Slow { saved: ; fixed: 0 } }

impl PlannerState for Slow {
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

impl Planner<Grid> for Slow {
    fn plan_step(&mut self, cx: StepContext<'_, Grid>) -> Decision {
        let begin = monotonic_nanos();
        while monotonic_nanos() < begin + 2_000_000 {}
        self.0.plan_step(cx)
    }

    fn check(&self, _: &Grid) -> Result<(), SaveError> {
        Ok(())
    }
}

#[test]
fn overruns_are_counted_not_punished() {
    let world = World::known(&grid(&["..."]));
    let trip = Task::new(&world, (0, 0), (2, 0)).unwrap();
    let run = |nanos, clock| {
        let terms = RunLimits::new(Budget::Interval { nanos, clock });
        let mut slow = Slow(Fake::new(walk(&world, &[(1, 0), (2, 0)])));
        Runner::new().run(&trip, &terms, &mut slow).unwrap()
    };
    let late = run(1_000_000, monotonic_nanos);
    assert_eq!((late.outcome, late.overruns), (Outcome::Arrived, 2));
    assert!(late.plan_ns_p50 >= 2_000_000 && late.plan_ns_total >= 4_000_000);
    assert_eq!(run(60_000_000_000, thread_nanos).overruns, 0);
}

#[test]
fn trips_must_be_possible() {
    let world = World::known(&grid(&[".@"]));
    let refusal = |start, goal| Task::new(&world, start, goal).unwrap_err().to_string();
    assert!(refusal((1, 0), (0, 0)).starts_with("the start (1, 0) is blocked; choose"));
    assert!(refusal((0, 0), (1, 0)).starts_with("the goal (1, 0) is blocked"));
    assert!(refusal((0, 0), (2, 0)).starts_with("the goal (2, 0) is outside the 2x1 map"));
    let world = World::dynamic(&grid(&[".@"]), 1..=1, &script(2, 1, "3 open 1 0"), None).unwrap();
    assert!(Task::new(&world, (0, 0), (1, 0)).is_ok());
}

#[test]
fn a_violation_names_its_trial() {
    let world = World::known(&grid(&["..."]));
    let trip = Task::new(&world, (0, 0), (2, 0)).unwrap();
    let mut fake = Fake::new(walk(&world, &[(1, 0), (2, 0), (2, 0)]));
    let foul = Runner::new().run_trials(&trip.trials(5).unwrap(), &FREE, &mut fake).unwrap_err();
    assert_eq!((foul.rule, foul.tick), (Rule::LegalMove, 0));
    assert!(foul.to_string().ends_with("(in trial 2)"), "{foul}");
    let mut fake = Fake::new(walk(&world, &[(2, 0)]));
    let foul = Runner::new().run_trials(&trip.trials(5).unwrap(), &FREE, &mut fake).unwrap_err();
    assert!(!foul.to_string().contains("trial"), "{foul}");
}

#[test]
fn every_trial_has_its_own_row() {
    let world = World::known(&grid(&["..."]));
    let trip = Task::new(&world, (0, 0), (2, 0)).unwrap();
    let mut answers = walk(&world, &[(1, 0), (0, 0), (1, 0), (2, 0)]);
    answers.push(Decision::Wait);
    answers.extend(walk(&world, &[(1, 0), (2, 0), (1, 0), (2, 0)]));
    let mut fake = Fake::new(answers);
    let series = Runner::new().run_trials(&trip.trials(9).unwrap(), &FREE, &mut fake).unwrap();
    let told: Vec<_> =
        series.runs.iter().map(|r| (r.moves, r.waits, r.revisits, r.reversals, r.length)).collect();
    assert_eq!(told, [(4, 0, 2, 2, 4.0), (2, 1, 0, 0, 2.0), (2, 0, 0, 0, 2.0)]);
    assert_eq!(series.converged, Some(3));
    // An agent at its goal has nothing to repeat.
    let there = Task::new(&world, (1, 0), (1, 0)).unwrap();
    let series = Runner::new().run_trials(&there.trials(9).unwrap(), &FREE, &mut Fake::default()).unwrap();
    assert_eq!((series.runs.len(), series.converged), (2, Some(2)));
    let once = Runner::new().run_trials(&there.trials(0).unwrap(), &FREE, &mut Fake::default()).unwrap();
    assert_eq!((once.runs.len(), once.converged), (1, None));
}
