//! Saved and restored at any time while the world changes: the same walk, the same work.

use fleetfoot::planners::{AdStar, AdStarWeights, DStarLite, KeyFocus, Mpgaa};
use fleetfoot::registry::{BoxedPlanner, SavedPlanner, Spec};
use fleetfoot::search::{OpenKind, PageCounts, PlannerPart, Pools, Ties};
use fleetfoot::{Decision, Meter, NodeId, Planner, Prices, Scratch, StepContext, Work, WorkKind};
use fleetfoot_testkit::Rng;

use super::harness::{Changing, Life, Watch, random_grid, random_plane, spec};

/// Returns what a step did, except for pages: a restored planner holds those it needs.
fn deed(decision: Decision, mut work: Work, watch: Watch) -> (Decision, Work, Watch) {
    work[WorkKind::Page] = 0;
    (decision, work, watch)
}

fn step<G: Changing>(
    planner: &mut dyn Planner<G>,
    life: &Life<G>,
    mut meter: Meter,
    scratch: &mut Scratch,
) -> (Decision, Work, Watch) {
    let mut watch = Watch::default();
    let Life { graph, log: changes, at, goal, .. } = life;
    let decision = planner.step(
        StepContext::new(graph, *at, *goal, &mut meter, scratch).with_changes(changes).with_probe(&mut watch),
    );
    deed(decision, *meter.work(), watch)
}

/// Runs two copies of a planner, the second of which is restored repeatedly. `note` sees the first whenever it is
/// saved.
fn same_life<G: Changing, P: Planner<G>>(
    spec: &Spec,
    mut planner: P,
    mut life: Life<G>,
    mut note: impl FnMut(&P),
) {
    let (mut scratch, mut spare) = (Scratch::new(), Scratch::new());
    let mut twin: BoxedPlanner<G> = spec.build(&life.graph).expect("it can be built");
    let (budget, prices) =
        (u64::from(life.rng.between(1, 9)), life.rng.pick(&[Prices::PAPERS, Prices::ALL_WORK]));
    for tick in 0..90 {
        match life.rng.below(9) {
            0..3 => life.change(4),
            3 if life.rng.one_in(3) => life.drift(),
            4 if life.rng.one_in(9) => life.aim(),
            _ => {}
        }
        if life.rng.one_in(2) {
            note(&planner);
            let saved = SavedPlanner::new(spec, &planner, &life.graph);
            twin = saved.restore(&life.graph).expect("an honest copy");
            assert_eq!(SavedPlanner::new(spec, &*twin, &life.graph), saved, "{spec}, tick {tick}");
        }
        let meter = Meter::priced(budget, prices);
        let ours = step(&mut planner, &life, meter.clone(), &mut scratch);
        let theirs = step(&mut *twin, &life, meter, &mut spare);
        assert_eq!(
            (ours.0, ours.1, &ours.2.0),
            (theirs.0, theirs.1, &theirs.2.0),
            "{spec}, tick {tick}, budget {budget}"
        );
        match ours.0 {
            Decision::Go(to) => life.at = to,
            _ if life.rng.one_in(4) => life.drift(),
            _ => {}
        }
    }
}

#[test]
fn anytime_dstar_goes_on_from_any_moment() {
    let (mut rekeying, mut aside) = (0, 0);
    let mut note = |search: &AdStar| {
        rekeying += usize::from(search.field().is_requeueing());
        aside += usize::from(!search.field().is_requeueing() && search.field().has_requeue_left());
    };
    for seed in 0..240 {
        let mut rng = Rng::new(seed);
        let (text, epsilon, decrease) = rng.pick(&[
            ("ad-star", 3_000_000, 500_000),
            ("ad-star(epsilon=5,decrease=0.1)", 5_000_000, 100_000),
            ("ad-star(epsilon=2,decrease=0)", 2_000_000, 0),
        ]);
        let (spec, weights) = (spec(text), AdStarWeights { epsilon, decrease, ..AdStarWeights::default() });
        if seed % 2 == 0 {
            let grid = random_grid(&mut rng, 12);
            let search = AdStar::new(weights, KeyFocus::PerEpisode, &grid);
            same_life(&spec, search, Life::new(grid, rng), &mut note);
        } else {
            let plane = random_plane(&mut rng, 40);
            let search = AdStar::new(weights, KeyFocus::PerEpisode, &plane);
            same_life(&spec, search, Life::new(plane, rng), &mut note);
        }
    }
    assert!(rekeying > 500 && aside > 30, "in mid-turn {rekeying} times, with states aside {aside} times");
}

#[test]
fn dstar_lite_goes_on_from_any_moment() {
    let spec = spec("dstar-lite");
    let mut busy = 0;
    for seed in 0..100 {
        let mut rng = Rng::new(seed);
        let grid = random_grid(&mut rng, 12);
        let search = DStarLite::new(KeyFocus::PerEpisode, &grid);
        same_life(&spec, search, Life::new(grid, rng), |search| {
            busy += usize::from(search.field().waiting() > 3);
        });
    }
    assert!(busy > 500, "{busy}");
}

/// During a search, while a stored path is followed, and while consistency is restored.
#[test]
fn mpgaa_goes_on_from_any_moment() {
    let mut repairing = 0;
    for seed in 0..200 {
        let mut rng = Rng::new(seed);
        let mut note = |planner: &Mpgaa| repairing += usize::from(!planner.is_consistent());
        if seed % 2 == 0 {
            let grid = random_grid(&mut rng, 12);
            let planner = Mpgaa::undirected(OpenKind::Ring, &grid);
            same_life(&spec("mpgaa"), planner, Life::new(grid, rng), &mut note);
        } else {
            let plane = random_plane(&mut rng, 40);
            let planner = Mpgaa::directed(OpenKind::Heap(Ties::LargerG), &plane);
            same_life(&spec("mpgaa(open=heap)"), planner, Life::new(plane, rng), &mut note);
        }
    }
    assert!(repairing > 100, "{repairing}");
}

/// Checks every variant of RTD* by its behavior.
#[test]
fn rtd_goes_on_from_any_moment() {
    for seed in 0..120 {
        let mut rng = Rng::new(seed);
        let local = rng.pick(&["lrta", "tla", "lss-lrta", "rtaa"]);
        let (global, purse) = (rng.pick(&["dstar-lite", "ad-star"]), rng.pick(&["off", "on"]));
        let focus = rng.pick(&["per-episode", "per-step", "on-change"]);
        let global = if focus == "on-change" { "dstar-lite" } else { global };
        let spec = spec(&format!("rtd(global={global},local={local},focus={focus},share-leftover={purse})"));
        let life = Life::new(random_grid(&mut rng, 12), rng);
        let planner = Boxed(spec.build(&life.graph).expect("it can be built"));
        same_life(&spec, planner, life, |_| {});
    }
}

/// Wraps a planner of the registry in a type.
struct Boxed<G>(BoxedPlanner<G>);

impl<G> PlannerPart for Boxed<G> {
    fn write(&self, out: &mut dyn fleetfoot::SaveWriter) {
        self.0.write(out);
    }

    fn read(
        &mut self,
        limits: &fleetfoot::Limits,
        from: &mut fleetfoot::SaveReader<'_>,
    ) -> Result<(), fleetfoot::SaveError> {
        self.0.read(limits, from)
    }

    fn release_pages(&mut self, pools: &mut Pools) {
        self.0.release_pages(pools);
    }

    fn memory_bytes(&self) -> usize {
        self.0.memory_bytes()
    }

    fn count_pages(&self, nodes: usize, needs: &mut PageCounts) {
        self.0.count_pages(nodes, needs);
    }
}

impl<G> fleetfoot::PlannerState for Boxed<G> {
    fn graph_bound(&self) -> usize {
        self.0.graph_bound()
    }

    fn reset(&mut self, keep: fleetfoot::Reset) {
        self.0.reset(keep);
    }

    fn search_stats(&self) -> fleetfoot::Stats {
        self.0.search_stats()
    }

    fn path(&self, at: NodeId) -> Vec<NodeId> {
        self.0.path(at)
    }
}

impl<G: Changing> Planner<G> for Boxed<G> {
    fn plan_step(&mut self, cx: StepContext<'_, G>) -> Decision {
        self.0.plan_step(cx)
    }

    fn check(&self, graph: &G) -> Result<(), fleetfoot::SaveError> {
        self.0.check(graph)
    }
}
