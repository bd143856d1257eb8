//! Hill climbing (Bulitko, Björnsson & Lawrence 2010): from where one is to the neighbour n with the least c + h(n)
//! among those with h(n) below one's own h; of equal ones to that with the larger c, then to the first.
//!
//! The chapter words its failure as "all children have h no less", its program tests only the best child; the two agree
//! here, since only children with a smaller h are looked at.

use crate::graph::Graph;
use crate::id::NodeId;
use crate::meter::{Kind, Meter};

/// What a step of hill climbing comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Climb {
    /// The best neighbour.
    To(NodeId),
    /// All neighbours are as far or farther, by their h.
    Stuck,
    /// There is no neighbour.
    Shut,
}

/// One step.
pub fn climb<G: Graph>(graph: &G, at: NodeId, goal: NodeId) -> Climb {
    let (here, mut best, mut shut) = (graph.h(at, goal), None, true);
    for edge in graph.succs(at).filter(|edge| edge.to != at) {
        shut = false;
        let h = graph.h(edge.to, goal);
        let f = edge.cost + h;
        if h < here && best.is_none_or(|(least, c, _)| f < least || f == least && edge.cost > c) {
            best = Some((f, edge.cost, edge.to));
        }
    }
    match best {
        Some((.., n)) => Climb::To(n),
        None if shut => Climb::Shut,
        None => Climb::Stuck,
    }
}

/// Whether a goal can be reached by hill climbing: a test that can be paused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ascent {
    pub(crate) at: NodeId,
    pub(crate) goal: NodeId,
    /// Steps that may still be made.
    pub(crate) left: u32,
}

/// How far an [`Ascent`] has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ascending {
    /// It is there.
    Arrived,
    /// It will not get there.
    Failed,
    /// It goes on with the next call.
    Paused,
}

impl Ascent {
    /// About to set off, with at most so many steps to make.
    pub const fn new(at: NodeId, goal: NodeId, most: u32) -> Self {
        Self { at, goal, left: most }
    }

    /// Climbs until it is known, the meter refuses, or `quota` steps are made, which are taken off it.
    pub fn run<G: Graph>(&mut self, graph: &G, quota: &mut u32, meter: &mut Meter) -> Ascending {
        while self.at != self.goal {
            if self.left == 0 {
                return Ascending::Failed;
            }
            if *quota == 0 || !meter.charge(Kind::Climb) {
                return Ascending::Paused;
            }
            *quota -= 1;
            self.left -= 1;
            let Climb::To(next) = climb(graph, self.at, self.goal) else { return Ascending::Failed };
            self.at = next;
        }
        Ascending::Arrived
    }
}

/// Whether `b` can be reached from `a` by hill climbing, however many steps it takes.
pub(crate) fn is_climbable<G: Graph>(graph: &G, mut a: NodeId, b: NodeId) -> bool {
    while a != b {
        let Climb::To(next) = climb(graph, a, b) else { return false };
        a = next;
    }
    true
}
