//! Tests of the kit itself: planners with deliberate faults fail the check for them, and the same planner without a
//! fault passes all checks, although it is not in the registry.

use fleetfoot::registry::{BoxedPlanner, Facts, Spec};
use fleetfoot::search::{PageCounts, PlannerPart, Pools};
use fleetfoot::{
    Cost, Decision, Graph, Limits, NodeId, Planner, PlannerState, Reset, ReverseGraph, SaveError, SaveReader,
    SaveWriter, Stats, StepContext,
};
use fleetfoot_testkit::World;
use fleetfoot_testkit::conformance::{Check, Promise, Subject, run};

/// The fault of a planner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    Nothing,
    /// Enumerates the neighbors of many nodes.
    Looks,
    /// Enumerates incoming edges.
    LooksBack,
    /// Requests many estimates.
    Estimates,
    /// Queries the costs of many edges.
    Costs,
    /// Leaks memory.
    Hoards,
}

/// A wrapped planner with a fault that the meter does not see.
#[derive(Clone)]
struct Faulty {
    inner: BoxedPlanner<World>,
    fault: Fault,
    hoard: Vec<u64>,
}

impl PlannerPart for Faulty {
    fn write(&self, out: &mut dyn SaveWriter) {
        self.inner.write(out);
    }

    fn read(&mut self, limits: &Limits, from: &mut SaveReader<'_>) -> Result<(), SaveError> {
        self.inner.read(limits, from)
    }

    fn release_pages(&mut self, pools: &mut Pools) {
        self.inner.release_pages(pools);
    }

    fn memory_bytes(&self) -> usize {
        self.inner.memory_bytes()
    }

    fn count_pages(&self, nodes: usize, needs: &mut PageCounts) {
        self.inner.count_pages(nodes, needs);
    }
}

impl PlannerState for Faulty {
    fn graph_bound(&self) -> usize {
        self.inner.graph_bound()
    }

    fn reset(&mut self, keep: Reset) {
        self.inner.reset(keep);
    }

    fn search_stats(&self) -> Stats {
        self.inner.search_stats()
    }

    fn path(&self, at: NodeId) -> Vec<NodeId> {
        self.inner.path(at)
    }
}

impl Planner<World> for Faulty {
    fn plan_step(&mut self, cx: StepContext<'_, World>) -> Decision {
        let (graph, goal) = (cx.graph, cx.goal);
        // Some nodes beyond the agent: as many as a planner might examine to improve a move.
        for n in (0..graph.bound().min(12)).map(NodeId::from_index) {
            match self.fault {
                Fault::Looks => drop(graph.succs(n).next()),
                Fault::LooksBack => drop(graph.preds(n).next()),
                Fault::Estimates => (0..4).for_each(|_| assert!(graph.h(n, goal) <= Cost::INF)),
                Fault::Costs => assert!(graph.cost(n, goal) <= Cost::INF),
                Fault::Hoards => self.hoard.push(7),
                Fault::Nothing => {}
            }
        }
        self.inner.plan_step(cx)
    }

    fn check(&self, graph: &World) -> Result<(), SaveError> {
        self.inner.check(graph)
    }
}

fn spec() -> Spec {
    "repeated-astar".parse().expect("a spec")
}

fn subject(facts: Facts, fault: Fault) -> Subject {
    Subject::new(format!("an outsider with {fault:?}"), facts, move |world| {
        let inner = spec().build(world).map_err(|e| e.to_string())?;
        Ok(Box::new(Faulty { inner, fault, hoard: Vec::new() }))
    })
}

/// Returns the first message of the failing check.
fn caught(subject: &Subject, check: Check) -> String {
    let failures = run(check, subject);
    assert!(!failures.is_empty(), "{subject:?} passes {check:?}");
    failures[0].to_string()
}

#[test]
fn an_outsider_without_a_fault_passes() {
    for check in Check::ALL {
        let failures = run(check, &subject(spec().facts(), Fault::Nothing));
        assert!(failures.is_empty(), "{}", failures[0]);
    }
}

#[test]
fn uncharged_work_is_caught() {
    for (fault, says) in [
        (Fault::Looks, "nodes' neighbours"),
        (Fault::LooksBack, "nodes' neighbours"),
        (Fault::Estimates, "estimates"),
        (Fault::Costs, "costs of edges"),
    ] {
        let said = caught(&subject(spec().facts(), fault), Check::Walks);
        assert!(said.contains(&format!("{says}; the work that it reports covers")), "{fault:?}: {said}");
    }
}

#[test]
fn memory_that_is_not_reported_is_caught() {
    let said = caught(&subject(spec().facts(), Fault::Hoards), Check::Memory);
    assert!(said.contains("bytes and reports"), "{said}");
}

#[test]
fn facts_that_claim_too_little_are_caught() {
    let facts = spec().facts();
    for (promise, less) in [
        (Promise::Complete, Facts { complete: false, ..facts }),
        (Promise::ProvesNoPath, Facts { proves_no_path: false, ..facts }),
        (Promise::SliceInvariant, Facts { slice_invariant: false, ..facts }),
        (Promise::Optimal, Facts { optimal: false, ..facts }),
    ] {
        let said = caught(&subject(less, Fault::Nothing), Check::Walks);
        assert!(said.contains(&format!("its facts deny `{promise}`")), "{said}");
        let excused = subject(less, Fault::Nothing).without_claiming(promise, "this is a test");
        assert!(run(Check::Walks, &excused).is_empty(), "{promise} is excused");
    }
}

#[test]
fn facts_that_claim_too_much_are_caught() {
    let spec: Spec = "lrta(depth=3)".parse().expect("a spec");
    let facts = spec.facts();
    for more in [
        Facts { proves_no_path: true, ..facts },
        Facts { slice_invariant: true, ..facts },
        Facts { optimal: true, ..facts },
    ] {
        let spec = spec.clone();
        let subject = Subject::new("LRTA* that boasts", more, move |world| {
            spec.build(world).map_err(|e| e.to_string())
        });
        caught(&subject, Check::Walks);
    }
}
