//! Noting what happens, in the agent's own thread: no more than has to be done there.

use std::sync::mpsc::SyncSender;

use fleetfoot::{Decision, Graph, NodeId, SearchEvent, SearchProbe, Work};
use fleetfoot_sim::episode::{Episode, StepRecord, Task};

use crate::recorder::nodes;

/// A batch is sent on when it has this many events or ticks.
const EVENTS: usize = 1 << 12;
const TICKS: usize = 1 << 10;

/// Some ticks, noted.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    pub(crate) ticks: Vec<TickOffsets>,
    pub(crate) events: Vec<SearchEvent>,
    /// Cells that changed, and what they weigh now.
    pub(crate) edits: Vec<(NodeId, u8)>,
    /// Cells that the agent has seen: what it now takes them to weigh, and what they do weigh.
    pub(crate) sights: Vec<(NodeId, u8, u8)>,
    /// What was learned before the first recorded tick.
    pub(crate) earlier: Vec<(NodeId, u32)>,
    /// Searches before it, as [`Writer`](crate::writer::Writer) counts them.
    pub(crate) searches: [u64; 2],
}

/// One tick, and how far the lists of its batch belong to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TickOffsets {
    pub(crate) at: NodeId,
    pub(crate) decision: Decision,
    pub(crate) work: Work,
    pub(crate) events: usize,
    pub(crate) edits: usize,
    pub(crate) sights: usize,
}

/// Watches one life.
#[derive(Debug)]
pub(crate) struct EventCollector<'w> {
    trip: Task<'w>,
    first: u64,
    batch: Batch,
    batches: SyncSender<Batch>,
    /// By node, if it has to discover its world: what the agent is known to take it to weigh, if it has seen it.
    seen: Vec<Option<u8>>,
    /// By node: what was learned before the first recorded tick.
    learned: Vec<Option<u32>>,
    /// Where the agent last looked around.
    looked: Option<NodeId>,
    /// What it made for before the first recorded tick.
    led: Option<SearchEvent>,
    /// Whose doing is told.
    is_near: bool,
    /// Whether there were trials before.
    has_past: bool,
    /// Ticks recorded.
    pub(crate) ticks: u64,
}

impl SearchProbe for EventCollector<'_> {
    #[inline]
    fn event(&mut self, event: SearchEvent) {
        self.batch.events.push(event);
    }
}

impl<'w> EventCollector<'w> {
    /// For a life that is recorded from tick `first` on, the agent's first trial or a later one.
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

    /// A tick is over.
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
        // If nobody takes it any more, nobody wants the record any more.
        let _ = self.batches.send(std::mem::replace(&mut self.batch, room));
    }

    /// The life is over.
    pub(crate) fn finish(mut self) {
        self.send();
    }

    /// Before the first recorded tick: only what has been learned matters later, what the agent makes for, and how many
    /// searches there were.
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

    /// The first recorded tick tells all that has happened before.
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

    /// What has changed, and what the agent has seen.
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
