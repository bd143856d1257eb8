//! Collects events in the agent's thread, with as little work as possible.

use std::sync::mpsc::SyncSender;

use fleetfoot::{Decision, Graph, NodeId, SearchEvent, SearchProbe, Work};
use fleetfoot_sim::episode::{Episode, StepRecord, Task};

use crate::recorder::nodes;

/// A batch is sent when it has this many events or ticks.
const EVENTS: usize = 1 << 12;
const TICKS: usize = 1 << 10;

/// The events of some ticks.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    pub(crate) ticks: Vec<TickOffsets>,
    pub(crate) events: Vec<SearchEvent>,
    /// Cells that changed, and their new weights.
    pub(crate) edits: Vec<(NodeId, u8)>,
    /// Cells that the agent has seen, with the believed and the true weight.
    pub(crate) sights: Vec<(NodeId, u8, u8)>,
    /// Values that were learned before the first recorded tick.
    pub(crate) earlier: Vec<(NodeId, u32)>,
    /// Searches before it, as [`Writer`](crate::writer::Writer) counts them.
    pub(crate) searches: [u64; 2],
}

/// One tick, and the ends of its parts of the lists of its batch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TickOffsets {
    pub(crate) at: NodeId,
    pub(crate) decision: Decision,
    pub(crate) work: Work,
    pub(crate) events: usize,
    pub(crate) edits: usize,
    pub(crate) sights: usize,
}

/// Collects the events of one run.
#[derive(Debug)]
pub(crate) struct EventCollector<'w> {
    trip: Task<'w>,
    first: u64,
    batch: Batch,
    batches: SyncSender<Batch>,
    /// By node, in unknown terrain: the believed weight, if the agent has seen the node.
    seen: Vec<Option<u8>>,
    /// By node: the value learned before the first recorded tick.
    learned: Vec<Option<u32>>,
    /// Where the agent last looked around.
    looked: Option<NodeId>,
    /// The last subgoal before the first recorded tick.
    led: Option<SearchEvent>,
    /// The events belong to the local one of two searches.
    is_near: bool,
    /// The agent had earlier trials.
    has_past: bool,
    /// Number of recorded ticks.
    pub(crate) ticks: u64,
}

impl SearchProbe for EventCollector<'_> {
    #[inline]
    fn event(&mut self, event: SearchEvent) {
        self.batch.events.push(event);
    }
}

impl<'w> EventCollector<'w> {
    /// Creates a collector for a run that is recorded from tick `first` on. `has_past` is set for later trials of an
    /// agent.
    pub(crate) fn new(
        trip: &Task<'w>,
        episode: &Episode<'_>,
        (first, has_past): (u64, bool),
        batches: SyncSender<Batch>,
    ) -> Self {
        let (world, grid) = (trip.world(), trip.world().graph());
        let mut seen = Vec::new();
        if world.sensor().is_some() {
            seen.resize(grid.bound(), None);
            for n in nodes(grid).filter(|n| episode.is_known(*n)) {
                seen[n.index()] = Some(episode.believed().weight(n));
            }
        }
        let learned = if first == 0 && !has_past { Vec::new() } else { vec![None; grid.bound()] };
        Self {
            trip: *trip,
            first,
            batch: Batch::default(),
            batches,
            seen,
            learned,
            looked: None,
            led: None,
            is_near: false,
            has_past,
            ticks: 0,
        }
    }

    /// Ends a tick.
    pub(crate) fn tick(&mut self, episode: &Episode<'_>, tick: &StepRecord) {
        if tick.tick < self.first {
            return self.remember();
        }
        if self.ticks == 0 && (self.first > 0 || self.has_past) {
            self.catch_up(episode);
        } else {
            self.look(episode, tick.at);
        }
        let Batch { ticks, events, edits, sights, .. } = &mut self.batch;
        ticks.push(TickOffsets {
            at: tick.at,
            decision: tick.decision,
            work: tick.work,
            events: events.len(),
            edits: edits.len(),
            sights: sights.len(),
        });
        self.ticks += 1;
        if self.batch.events.len() >= EVENTS || self.batch.ticks.len() >= TICKS {
            self.send();
        }
    }

    fn send(&mut self) {
        let room = Batch { events: Vec::with_capacity(EVENTS + 256), ..Batch::default() };
        // The channel is closed if the record is no longer wanted.
        let _ = self.batches.send(std::mem::replace(&mut self.batch, room));
    }

    /// Sends the last batch.
    pub(crate) fn finish(mut self) {
        self.send();
    }

    /// Reduces the events before the first recorded tick to what matters later: learned values, the subgoal, and the
    /// number of searches.
    pub(crate) fn remember(&mut self) {
        for event in self.batch.events.drain(..) {
            match event {
                SearchEvent::Learn { node, new, .. } => self.learned[node.index()] = Some(new.raw()),
                SearchEvent::Search { .. } => self.batch.searches[usize::from(self.is_near)] += 1,
                SearchEvent::SwitchSearch { is_local: is_near } => self.is_near = is_near,
                SearchEvent::Subgoal { .. } => self.led = Some(event),
                _ => {}
            }
        }
    }

    /// Adds all earlier changes and observations to the first recorded tick.
    fn catch_up(&mut self, episode: &Episode<'_>) {
        let (begin, truth, believed) = (self.trip.world().truth(), episode.truth(), episode.believed());
        let (graph, tells) = (self.trip.world().graph(), self.seen.is_empty());
        for n in nodes(truth) {
            let (weight, belief) = (truth.weight(n), believed.weight(n));
            if begin.weight(n) != weight {
                self.batch.edits.push((n, weight));
            }
            let is_new = if tells {
                graph.weight(n) != belief
            } else {
                episode.is_known(n) && self.seen[n.index()].replace(belief) != Some(belief)
            };
            if is_new {
                self.batch.sights.push((n, belief, weight));
            }
            if let Some(new) = self.learned[n.index()] {
                self.batch.earlier.push((n, new));
            }
        }
        self.learned = Vec::new();
        self.batch.events.splice(0..0, self.led.take());
    }

    /// Adds what has changed and what the agent has seen.
    fn look(&mut self, episode: &Episode<'_>, at: NodeId) {
        let (world, truth) = (self.trip.world(), episode.truth());
        for &n in episode.changed() {
            self.batch.edits.push((n, truth.weight(n)));
            if world.sensor().is_none() {
                self.batch.sights.push((n, truth.weight(n), truth.weight(n)));
            }
        }
        let Some(sensor) = world.sensor() else { return };
        if !world.is_dynamic() && self.looked == Some(at) {
            return;
        }
        self.looked = Some(at);
        for n in sensor.cells(truth, at) {
            let weight = truth.weight(n);
            debug_assert!(episode.is_known(n) && episode.believed().weight(n) == weight, "in sight");
            if self.seen[n.index()].replace(weight) != Some(weight) {
                self.batch.sights.push((n, weight, weight));
            }
        }
    }
}
