//! Builds the levels, each from the one below.

use alloc::vec;
use alloc::vec::Vec;

use super::{BASE, CliqueAbstraction, Level, Lists, NONE, octile};
use crate::graph::Embedded;
use crate::id::{Cost, NodeId};

/// The input of a level: the graph, or the level below.
trait Below {
    /// Returns a bound of the node numbers.
    fn bound(&self) -> usize;
    /// Writes the neighbors of `n`, ordered by number.
    fn around(&self, n: u32, into: &mut Vec<u32>);
    fn is_edge(&self, a: u32, b: u32) -> bool;
    /// Returns the sums of the coordinates of the cells of `n`, and their number.
    fn ground(&self, n: u32) -> Ground;
}

#[derive(Clone, Copy, Default)]
struct Ground {
    x: i64,
    y: i64,
    size: u32,
}

impl Ground {
    fn add(&mut self, more: Self) {
        *self = Self { x: self.x + more.x, y: self.y + more.y, size: self.size + more.size };
    }

    /// Returns the mean in 1/256, rounded half up.
    fn place(self) -> (i32, i32) {
        let size = i64::from(self.size.max(1));
        let mean = |sum: i64| {
            let mean = (512 * sum + size).div_euclid(2 * size);
            mean.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
        };
        (mean(self.x), mean(self.y))
    }
}

struct OnGraph<'a, G>(&'a G);

impl<G: Embedded> Below for OnGraph<'_, G> {
    fn bound(&self) -> usize {
        self.0.bound()
    }

    fn around(&self, n: u32, into: &mut Vec<u32>) {
        into.clear();
        into.extend(self.0.succs(NodeId::new(n)).map(|edge| edge.to.raw()).filter(|&to| to != n));
        into.sort_unstable();
        into.dedup();
    }

    fn is_edge(&self, a: u32, b: u32) -> bool {
        self.0.succs(NodeId::new(a)).any(|edge| edge.to.raw() == b)
    }

    fn ground(&self, n: u32) -> Ground {
        let (x, y) = self.0.position(NodeId::new(n));
        Ground { x: i64::from(x), y: i64::from(y), size: 1 }
    }
}

struct OnLevel<'a> {
    neighbors: &'a Lists,
    grounds: &'a [Ground],
}

impl Below for OnLevel<'_> {
    fn bound(&self) -> usize {
        self.grounds.len()
    }

    fn around(&self, n: u32, into: &mut Vec<u32>) {
        into.clear();
        into.extend(self.neighbors.of(n as usize));
    }

    fn is_edge(&self, a: u32, b: u32) -> bool {
        self.neighbors.of(a as usize).binary_search(&b).is_ok()
    }

    fn ground(&self, n: u32) -> Ground {
        self.grounds[n as usize]
    }
}

/// Builds all levels until one has no edges.
pub(super) fn grow<G: Embedded>(graph: &G) -> CliqueAbstraction {
    // For each node of the graph, its node at the current level.
    let mut reached: Vec<u32> = (0..graph.bound() as u32).collect();
    let (mut levels, mut base) = (Vec::<Level>::new(), Vec::new());
    let mut grounds = Vec::new();
    loop {
        let parents = match levels.last() {
            None => part(&OnGraph(graph), |n| graph.succs(NodeId::new(n)).next().is_some()),
            Some(Level { neighbors, .. }) => part(&OnLevel { neighbors, grounds: &grounds }, |_| true),
        };
        if parents.count == 0 {
            break; // A graph without edges.
        }
        let (mut level, sums) = match levels.last() {
            None => raise(&OnGraph(graph), parents),
            Some(Level { neighbors, .. }) => raise(&OnLevel { neighbors, grounds: &grounds }, parents),
        };
        for n in reached.iter_mut().filter(|n| **n != NONE) {
            *n = level.parents[*n as usize];
        }
        find_centres(graph, &reached, &mut level);
        level.shift = shift(&level);
        grounds = sums;
        let is_last = level.neighbors.items.is_empty();
        levels.push(level);
        if levels.len() == BASE || is_last && levels.len() < BASE {
            base.clone_from(&reached);
        }
        if is_last {
            break;
        }
    }
    levels.shrink_to_fit();
    if levels.is_empty() {
        base = vec![NONE; graph.bound()];
    }
    CliqueAbstraction { fingerprint: graph.fingerprint(), levels, base }
}

/// The assignment of nodes to parents.
struct Parents {
    of: Vec<u32>,
    count: u32,
}

impl Parents {
    fn is_free(&self, n: u32) -> bool {
        self.of[n as usize] == NONE
    }

    /// Creates a parent of these nodes.
    fn unite(&mut self, nodes: &[u32]) {
        for &n in nodes {
            self.of[n as usize] = self.count;
        }
        self.count += 1;
    }
}

/// Partitions nodes into cliques.
fn part(below: &impl Below, is_node: impl Fn(u32) -> bool) -> Parents {
    let mut parents = Parents { of: vec![NONE; below.bound()], count: 0 };
    let (mut around, mut waiting) = (Vec::new(), Vec::new());
    for n in (0..below.bound() as u32).filter(|&n| is_node(n)) {
        if !parents.is_free(n) {
            continue;
        }
        below.around(n, &mut around);
        if around.len() == 1 {
            waiting.push(n);
            continue;
        }
        around.retain(|&other| parents.is_free(other));
        match clique(below, n, &around) {
            Some((nodes, size)) => parents.unite(&nodes[..size]),
            None => waiting.push(n),
        }
    }
    for n in waiting.into_iter().rev() {
        if !parents.is_free(n) {
            continue;
        }
        below.around(n, &mut around);
        if let Some(&other) = around.iter().find(|&&other| parents.is_free(other)) {
            parents.unite(&[n, other]);
        } else if let [neighbour] = around[..] {
            parents.of[n as usize] = parents.of[neighbour as usize];
        } else {
            parents.unite(&[n]);
        }
    }
    parents
}

/// Returns the first clique of four, otherwise of three, that `n` forms with these neighbors.
fn clique(below: &impl Below, n: u32, around: &[u32]) -> Option<([u32; 4], usize)> {
    let mut three = None;
    for (i, &a) in around.iter().enumerate() {
        for (j, &b) in around.iter().enumerate().skip(i + 1) {
            if !below.is_edge(a, b) {
                continue;
            }
            three = three.or(Some(([n, a, b, NONE], 3)));
            let fourth = around[j + 1..].iter().find(|&&c| below.is_edge(a, c) && below.is_edge(b, c));
            if let Some(&c) = fourth {
                return Some(([n, a, b, c], 4));
            }
        }
    }
    three
}

/// Renumbers parents along a Z-order curve, so that nearby nodes have similar numbers and share pages.
fn number(below: &impl Below, parents: &mut Parents) {
    let mut sums = vec![Ground::default(); parents.count as usize];
    for (n, &parent) in parents.of.iter().enumerate().filter(|(_, parent)| **parent != NONE) {
        sums[parent as usize].add(below.ground(n as u32));
    }
    let places = || sums.iter().map(|sum| sum.place());
    let (left, top) = (places().map(|p| p.0).min().unwrap_or(0), places().map(|p| p.1).min().unwrap_or(0));
    let code = |(x, y): (i32, i32)| spread(x.abs_diff(left) >> 8) | spread(y.abs_diff(top) >> 8) << 1;
    let mut order: Vec<(u64, u32)> = places().map(code).zip(0..).collect();
    order.sort_unstable();
    let mut numbers = vec![NONE; order.len()];
    for (number, (_, parent)) in order.into_iter().enumerate() {
        numbers[parent as usize] = number as u32;
    }
    for parent in parents.of.iter_mut().filter(|parent| **parent != NONE) {
        *parent = numbers[*parent as usize];
    }
}

/// Inserts a zero bit after each bit of `x`. Two such numbers combine to a position on the Z-order curve.
fn spread(x: u32) -> u64 {
    let masks = [
        (16, 0x0000_ffff_0000_ffff),
        (8, 0x00ff_00ff_00ff_00ff),
        (4, 0x0f0f_0f0f_0f0f_0f0f),
        (2, 0x3333_3333_3333_3333),
        (1, 0x5555_5555_5555_5555),
    ];
    masks.into_iter().fold(u64::from(x), |x, (shift, mask)| (x | x << shift) & mask)
}

/// Builds the level of these parents.
fn raise(below: &impl Below, mut parents: Parents) -> (Level, Vec<Ground>) {
    number(below, &mut parents);
    let Parents { of, count } = parents;
    let children = group(&of, count as usize);
    let (mut neighbors, mut around, mut all) = (Lists::default(), Vec::new(), Vec::new());
    let mut sums = Vec::with_capacity(count as usize);
    neighbors.ends.reserve_exact(count as usize);
    for parent in 0..count {
        let mut sum = Ground::default();
        all.clear();
        for &child in children.of(parent as usize) {
            sum.add(below.ground(child));
            below.around(child, &mut around);
            all.extend(around.iter().map(|&n| of[n as usize]).filter(|&other| other != parent));
        }
        all.sort_unstable();
        all.dedup();
        neighbors.items.extend(&all);
        neighbors.close();
        sums.push(sum);
    }
    neighbors.items.shrink_to_fit();
    let places = sums.iter().map(|sum| sum.place()).collect();
    let grounds = sums.iter().map(|sum| (sum.size, NodeId::NONE)).collect();
    (Level { parents: of, children, neighbors, places, grounds, shift: 0 }, sums)
}

/// Returns the children of each parent, in order.
fn group(of: &[u32], count: usize) -> Lists {
    let mut ends = vec![0; count];
    for &parent in of.iter().filter(|parent| **parent != NONE) {
        ends[parent as usize] += 1;
    }
    let mut total = 0;
    for end in &mut ends {
        total += core::mem::replace(end, total);
    }
    let mut items = vec![NONE; total as usize];
    for (child, &parent) in of.iter().enumerate().filter(|(_, parent)| **parent != NONE) {
        let end = &mut ends[parent as usize];
        items[*end as usize] = child as u32;
        *end += 1;
    }
    Lists { ends, items }
}

/// For each node, finds the cell nearest to its position; the first one if several are.
fn find_centres<G: Embedded>(graph: &G, reached: &[u32], level: &mut Level) {
    let mut nearest = vec![u32::MAX; level.len()];
    for (n, &node) in reached.iter().enumerate().filter(|(_, node)| **node != NONE) {
        let (x, y) = graph.position(NodeId::from_index(n));
        let distance = octile((x.saturating_mul(256), y.saturating_mul(256)), level.places[node as usize], 0);
        if distance < nearest[node as usize] {
            nearest[node as usize] = distance;
            level.grounds[node as usize].1 = NodeId::from_index(n);
        }
    }
}

/// Returns the number of bits by which costs are coarsened so that no path overflows.
fn shift(level: &Level) -> u32 {
    let longest = level.len() as u64 * u64::from(level.max_edge_cost().raw());
    (0..32).find(|shift| longest >> shift < u64::from(Cost::INF.raw()) / 2).unwrap_or(32)
}
