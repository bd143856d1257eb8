//! Test worlds: tiny maps as text, random grids and graphs, a small puzzle.

use std::collections::BTreeSet;

use fleetfoot::{
    Cost, Csr, CsrBuilder, Diagonal, Graph, Grid, ImplicitGraph, Neighborhood, NodeId, ReverseStateSpace,
    Rules, StateSpace, SymmetricSpace, UndirectedCsr,
};

use crate::Rng;

/// A map as text: `#` blocked, `.` plain ground, `2` to `9` weights, `S` start, `G` goal. Without `G`, the goal is
/// the start.
#[derive(Clone, Copy, Debug)]
pub struct Tiny {
    /// The name.
    pub name: &'static str,
    /// The rows.
    pub rows: &'static [&'static str],
}

impl Tiny {
    /// Returns the map as a grid, its start and its goal.
    pub fn grid(&self, rules: Rules) -> (Grid, NodeId, NodeId) {
        let cell = |x: u32, y: u32| self.rows[y as usize].as_bytes()[x as usize];
        let (width, height) = (self.rows[0].len() as u32, self.rows.len() as u32);
        let grid = Grid::new(width, height, rules, |x, y| match cell(x, y) {
            b'#' => 0,
            digit @ b'2'..=b'9' => digit - b'0',
            _ => 1,
        })
        .expect("tiny maps are valid")
        .with_corners();
        let at = |sign: u8| {
            let all = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
            all.into_iter().find(|&(x, y)| cell(x, y) == sign).and_then(|(x, y)| grid.node(x, y))
        };
        let start = at(b'S').expect("tiny maps have a start");
        (grid.clone(), start, at(b'G').unwrap_or(start))
    }

    /// Returns the tiny map with this name.
    pub fn named(name: &str) -> &'static Self {
        TINY.iter().find(|tiny| tiny.name == name).expect("the name of a tiny map")
    }
}

/// All tiny maps.
pub const TINY: &[Tiny] = &[
    Tiny { name: "cell", rows: &["S"] },
    Tiny { name: "corridor", rows: &["S.................................G"] },
    Tiny {
        name: "field",
        rows: &[
            "............",
            ".S..........",
            "............",
            "............",
            "............",
            "............",
            ".........G..",
            "............",
        ],
    },
    Tiny {
        name: "dead-end",
        rows: &[
            "................",
            ".############...",
            ".............#..",
            "S............#G.",
            ".............#..",
            ".############...",
            "................",
        ],
    },
    Tiny {
        name: "corner",
        rows: &[
            "S...........",
            "............",
            "..########..",
            ".........#..",
            ".........#..",
            ".........#..",
            ".........#..",
            "..########..",
            "...........G",
        ],
    },
    Tiny {
        name: "comb",
        rows: &[
            "S................",
            ".#.#.#.#.#.#.#.#.",
            ".#.#.#.#.#.#.#.#.",
            ".#.#.#.#.#.#.#.#.",
            ".#.#.#.#.#.#.#.##",
            "................G",
        ],
    },
    Tiny {
        name: "spiral",
        rows: &[
            "S................",
            "################.",
            "..............##.",
            ".############.##.",
            ".#..........#.##.",
            ".#.########.#.##.",
            ".#.#G.......#.##.",
            ".#.##########.##.",
            ".#............##.",
            ".###############.",
            ".................",
        ],
    },
    Tiny {
        name: "rooms",
        rows: &[
            "......#.....#......",
            ".S..........#......",
            "......#.....#......",
            "###.####.########.#",
            "......#.....#......",
            "......#............",
            "......#.....#......",
            "#.#######.#####.###",
            "......#.....#......",
            "............#....G.",
            "......#.....#......",
        ],
    },
    Tiny {
        name: "crossing-tiles",
        rows: &[
            "S.................................",
            "..#...#....#...#..###...#....#....",
            "....#....#....#........#....#..#..",
            "..#....##...#...##.#.#...#........",
            "#....#....#...#.....#...#...#.#.#.",
            "...#....#...#....#.#..#....#......",
            ".#...#.......##......#...#....#.#.",
            "...#...#..#......#.#...#...#......",
            ".#...#......#.##.....#...#...#.##.",
            ".......##.#......##......#........",
            ".##..#......#.#......#.#...#.#.#..",
            "...#....#.......#.#....#......#...",
            ".#....#...##.#......#....#.##.....",
            "....#...#......#.#....#........#..",
            ".#....#....#.#......#...#.#.#.....",
            "...#.....#......#.#...#.......#.#.",
            ".#....##....#.#.....#...#.##......",
            "....#......#......#...#.....#..#..",
            ".#......#.....#.#.......#.#......G",
        ],
    },
    Tiny {
        name: "walled-in-goal",
        rows: &["S.........", "..........", "....###...", "....#G#...", "....###...", ".........."],
    },
    Tiny { name: "walled-in-start", rows: &["###.......", "#S#.......", "###.......", ".........G"] },
    Tiny { name: "pinched-corner", rows: &["S.#...", "..#...", "##....", ".....G"] },
    Tiny {
        name: "swamp",
        rows: &[
            "S...99999....",
            "....93339....",
            "..#.93539.##.",
            "..#.93339..#.",
            "..#.99499..#G",
            "..#....2...#.",
            ".............",
        ],
    },
];

/// Returns every combination of movement rules.
pub fn all_rules() -> Vec<Rules> {
    let mut all = vec![Rules { neighborhood: Neighborhood::Four, ..Rules::default() }];
    for cut_corners in [false, true] {
        for diagonal in [Diagonal::Sqrt2, Diagonal::D14, Diagonal::D15] {
            all.push(Rules { neighborhood: Neighborhood::Eight, cut_corners, diagonal });
        }
    }
    all
}

/// Returns a short description of the rules.
pub fn describe(rules: Rules) -> String {
    match rules.neighborhood {
        Neighborhood::Four => "4 neighbours".to_string(),
        Neighborhood::Eight => format!(
            "8 neighbours, diagonal {:.4}, corners {}",
            rules.diagonal.length(),
            if rules.cut_corners { "cut" } else { "not cut" }
        ),
    }
}

/// Creates a grid with about `blocked` percent of its cells blocked, and other weights up to `heaviest`.
pub fn random_grid(
    rng: &mut Rng,
    (width, height): (u32, u32),
    rules: Rules,
    blocked: u32,
    heaviest: u8,
) -> Grid {
    Grid::new(width, height, rules, |_, _| {
        if rng.below(100) < blocked as usize { 0 } else { rng.between(1, u32::from(heaviest)) as u8 }
    })
    .expect("small grids are valid")
    .with_corners()
}

/// Returns the free cells of a grid, row by row.
pub fn free_cells(grid: &Grid) -> Vec<NodeId> {
    let all = (0..grid.height()).flat_map(|y| (0..grid.width()).map(move |x| (x, y)));
    all.filter_map(|(x, y)| grid.node(x, y)).filter(|&n| grid.is_free(n)).collect()
}

fn node(k: usize) -> NodeId {
    NodeId::from_index(k)
}

/// Creates an undirected graph with `edges` random edges. `joined` adds a spanning tree.
pub fn random_undirected(
    rng: &mut Rng,
    nodes: usize,
    edges: usize,
    joined: bool,
    max_edge_cost: u32,
) -> UndirectedCsr {
    let mut builder = CsrBuilder::new(nodes);
    let mut there = BTreeSet::new();
    let mut add = |a: usize, b: usize, cost: u32| {
        // Parallel edges of different costs would be removed one by one in each direction.
        if a != b && there.insert((a.min(b), a.max(b))) {
            builder.undirected_edge(node(a), node(b), Cost::new(cost));
        }
    };
    if joined {
        (1..nodes).for_each(|k| add(k, rng.below(k), rng.between(1, max_edge_cost)));
    }
    (0..edges).for_each(|_| add(rng.below(nodes), rng.below(nodes), rng.between(1, max_edge_cost)));
    let graph = builder.max_edge_cost(Cost::new(max_edge_cost)).build().expect("small graphs are valid");
    graph.into_undirected().expect("every edge has its twin")
}

/// Creates a directed graph with `edges` random edges. `strong` adds a tour that connects all nodes in both
/// directions.
pub fn random_directed(rng: &mut Rng, nodes: usize, edges: usize, strong: bool, max_edge_cost: u32) -> Csr {
    let mut builder = CsrBuilder::new(nodes);
    if strong {
        // A tour in random order, so that node numbers carry no information.
        let mut order: Vec<usize> = (0..nodes).collect();
        for k in (1..nodes).rev() {
            order.swap(k, rng.below(k + 1));
        }
        for k in 0..nodes {
            let (a, b) = (order[k], order[(k + 1) % nodes]);
            builder.edge(node(a), node(b), Cost::new(rng.between(1, max_edge_cost)));
        }
    }
    for _ in 0..edges {
        builder.edge(
            node(rng.below(nodes)),
            node(rng.below(nodes)),
            Cost::new(rng.between(1, max_edge_cost)),
        );
    }
    builder.max_edge_cost(Cost::new(max_edge_cost)).build().expect("small graphs are valid")
}

/// The sliding puzzle on two rows of three: 720 states, of which one half cannot reach the other.
#[derive(Clone, Copy, Debug)]
pub struct Sliding;

/// The tile in each cell, 0 for the gap.
pub type Tiles = [u8; 6];

impl StateSpace for Sliding {
    type State = Tiles;

    fn succs(&self, state: &Tiles, out: &mut impl FnMut(Tiles, Cost)) {
        let gap = state.iter().position(|&tile| tile == 0).expect("there is a gap");
        let (x, y) = (gap % 3, gap / 3);
        let sides =
            [(x < 2).then(|| gap + 1), (y < 1).then(|| gap + 3), gap.checked_sub(1).filter(|_| x > 0)];
        for other in sides.into_iter().chain([gap.checked_sub(3)]).flatten() {
            let mut next = *state;
            next.swap(gap, other);
            out(next, Cost::new(1));
        }
    }

    fn h(&self, a: &Tiles, b: &Tiles) -> Cost {
        let place = |state: &Tiles, tile| state.iter().position(|&t| t == tile).expect("every tile is there");
        let apart = |tile| {
            let (p, q) = (place(a, tile), place(b, tile));
            (p % 3).abs_diff(q % 3) + (p / 3).abs_diff(q / 3)
        };
        Cost::new((1..6).map(apart).sum::<usize>() as u32)
    }

    fn max_edge_cost(&self) -> Cost {
        Cost::new(1)
    }

    fn max_degree(&self) -> usize {
        4
    }
}

impl ReverseStateSpace for Sliding {
    fn preds(&self, state: &Tiles, out: &mut impl FnMut(Tiles, Cost)) {
        self.succs(state, out);
    }
}

impl SymmetricSpace for Sliding {}

/// Returns the puzzle with all states numbered, the solved state (number 0), and the first state of the unreachable
/// half.
pub fn sliding_puzzle() -> (ImplicitGraph<Sliding>, NodeId, NodeId) {
    let graph = ImplicitGraph::new(Sliding, 720);
    let explore = |first: Tiles| {
        let first = graph.intern(first).expect("there is room");
        let mut next = first.index();
        while next < graph.len() {
            graph.succs(node(next)).for_each(drop);
            next += 1;
        }
        first
    };
    let solved = explore([1, 2, 3, 4, 5, 0]);
    let apart = explore([2, 1, 3, 4, 5, 0]);
    assert_eq!(graph.len(), 720);
    (graph, solved, apart)
}
