//! A planner that is written outside the crate, of the crate's parts: it is saved, restored, released and measured like any other.

use fleetfoot::parts::{Halt, OpenKind, Path, Search, Tools, Trace, Tree};
use fleetfoot::{
    Cost, Decision, Graph, Grid, Keep, Meter, NodeId, Planner, PlannerState, Rules, SaveError, Scratch,
    Source, Stats, Step, shortest_path,
};

/// A* that waits for its path, and then walks it.
#[derive(Clone, Debug)]
struct Outsider {
    search: Search<Tree>,
    path: Path,
    start: NodeId,
    goal: NodeId,
    is_traced: bool,
    searches: u64,
    /// Set when it is built.
    greedy: bool,
}

fleetfoot::part! {
    Outsider {
        saved: search, path, start, goal, is_traced, searches;
        fixed: greedy
    }
}

impl Outsider {
    fn new<G: Graph>(graph: &G) -> Self {
        let search = Search::new(Tree::new(graph.bound()), OpenKind::Ring, graph.bound(), graph.steepest());
        let (path, start, goal) = (Path::new(graph.bound()), NodeId::NONE, NodeId::NONE);
        Self { search, path, start, goal, is_traced: false, searches: 0, greedy: false }
    }

    fn look_on<G: Graph>(&mut self, graph: &G, tools: &mut Tools<'_>) -> Halt {
        let (goal, greedy) = (self.goal, self.greedy);
        let h = |_: &mut Tree, n| if greedy { graph.h(n, goal) + graph.h(n, goal) } else { graph.h(n, goal) };
        self.search.run(|n, _| graph.succs(n), h, goal, tools)
    }
}

impl PlannerState for Outsider {
    fn nodes(&self) -> usize {
        self.path.nodes()
    }

    fn reset(&mut self, _: Keep) {
        (self.start, self.goal, self.is_traced) = (NodeId::NONE, NodeId::NONE, false);
        self.path.clear();
    }

    fn counts(&self) -> Stats {
        Stats { searches: self.searches, ..Stats::default() }
    }

    fn path(&self, at: NodeId) -> Vec<NodeId> {
        if self.is_traced { self.path.rest(at, &self.search.nodes) } else { Vec::new() }
    }
}

impl<G: Graph> Planner<G> for Outsider {
    fn plan(&mut self, mut cx: Step<'_, G>) -> Decision {
        let (graph, at, goal) = (cx.graph, cx.at, cx.goal);
        if at == goal {
            return Decision::Wait;
        }
        let mut tools = cx.tools();
        if goal != self.goal {
            self.reset(Keep::Nothing);
            (self.start, self.goal) = (at, goal);
            self.search.start(at, graph.h(at, goal), &mut tools);
            self.searches += 1;
        }
        if !self.is_traced {
            if self.path.is_empty() {
                match self.look_on(graph, &mut tools) {
                    Halt::Goal => self.path.begin(goal, &self.search.nodes, tools.pools),
                    Halt::Empty => return Decision::NoPath,
                    Halt::Paused => return Decision::Wait,
                }
            }
            let (tree, all) = (&self.search.nodes, (0, u64::MAX));
            self.is_traced = self.path.trace(tree, NodeId::NONE, all, |_, _| true, &mut tools) == Trace::Done;
        }
        self.path.after(at, &self.search.nodes).map_or(Decision::Wait, Decision::Go)
    }

    fn check(&self, graph: &G) -> Result<(), SaveError> {
        let goal = self.goal;
        if !goal.is_some() {
            return Ok(());
        }
        if !self.start.is_some() {
            return Err(SaveError::new("it set off from nowhere"));
        }
        self.search.check(|n| graph.h(n, goal))
    }
}

#[test]
fn it_lives_like_any_other() {
    let grid =
        Grid::new(30, 30, Rules::default(), |x, y| u8::from(x != 15 || y == 29)).expect("a small grid");
    let (mut at, goal) = (grid.node(0, 0).expect("inside"), grid.node(29, 0).expect("inside"));
    let mut planner = Outsider::new(&grid);
    let mut scratch = Scratch::new();
    scratch.reserve(&planner, grid.bound());
    let (_, shortest) = shortest_path(&grid, at, goal, &mut scratch).expect("there is a way");
    let mut walked = Cost::ZERO;
    for _ in 0..500 {
        // It is saved and brought back before every step.
        let mut bytes = Vec::new();
        planner.save(&mut bytes);
        let mut twin = Outsider::new(&grid);
        twin.load(&grid, &mut Source::new(&bytes)).expect("an honest copy");
        let mut again = Vec::new();
        twin.save(&mut again);
        assert_eq!(bytes, again);
        assert!(twin.load(&grid, &mut Source::new(&bytes[..bytes.len() / 2])).is_err(), "half of it is gone");
        twin.load(&grid, &mut Source::new(&bytes)).expect("an honest copy");
        planner = twin;
        match planner.step(Step::new(&grid, at, goal, &mut Meter::expansions(20), &mut scratch)) {
            Decision::Go(next) => {
                walked += grid.cost(at, next);
                at = next;
            }
            Decision::Wait if at == goal => break,
            Decision::Wait => {}
            Decision::NoPath => panic!("there is a way"),
        }
    }
    assert_eq!((at, walked), (goal, shortest));
    assert!(planner.stats().memory_bytes > 0 && planner.stats().searches == 1);
    planner.release(&mut scratch);
    assert!(planner.path(at).is_empty());
}
