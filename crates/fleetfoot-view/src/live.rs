//! Recording a life that somebody else lives, tick by tick, without threads: for pages that show it while it is lived.

use std::borrow::Cow;
use std::sync::mpsc::{Receiver, channel};

use fleetfoot::{Decision, Grid, NodeId, SearchEvent, SearchProbe, Work};

use crate::watcher::{Batch, TickOffsets};
use crate::writer::{Beginning, Writer, weights};

/// One tick, as it was lived.
#[derive(Clone, Copy, Debug)]
pub struct TickInput<'a> {
    /// Where the agent was.
    pub at: NodeId,
    /// What its planner answered.
    pub decision: Decision,
    /// What that took.
    pub work: Work,
    /// Cells that changed before the agent looked, and what they weigh now.
    pub edits: &'a [(NodeId, u8)],
    /// Cells that the agent has seen or was told of: what it now takes them to weigh, and what they do weigh.
    pub sights: &'a [(NodeId, u8, u8)],
}

/// Writes one life. It is the [`SearchProbe`] of every step, and is told of every [tick](Self::tick); what comes out are the
/// `TICK` sections of a record before they are packed.
#[derive(Debug)]
pub struct LiveRecorder {
    writer: Writer<'static>,
    batch: Batch,
    chunks: Receiver<Vec<u8>>,
}

impl SearchProbe for LiveRecorder {
    #[inline]
    fn event(&mut self, event: SearchEvent) {
        self.batch.events.push(event);
    }
}

impl LiveRecorder {
    /// For a life that begins at `start` with this belief of the truth. An agent that `is_foggy` sees only what it
    /// is told in [sights](TickInput::sights).
    pub fn new(believed: &Grid, truth: &Grid, is_foggy: bool, start: NodeId, goal: NodeId) -> Self {
        let (sender, chunks) = channel();
        let beginning =
            Beginning { graph: Cow::Owned(believed.clone()), truth: weights(truth), is_foggy, start, goal };
        Self {
            writer: Writer::from(beginning, weights(believed), 1, sender),
            batch: Batch::default(),
            chunks,
        }
    }

    /// A tick is over; the step's events have been told before.
    pub fn tick(&mut self, lived: &TickInput<'_>) {
        let Self { writer, batch, .. } = self;
        batch.edits.extend_from_slice(lived.edits);
        batch.sights.extend_from_slice(lived.sights);
        batch.ticks.push(TickOffsets {
            at: lived.at,
            decision: lived.decision,
            work: lived.work,
            events: batch.events.len(),
            edits: batch.edits.len(),
            sights: batch.sights.len(),
        });
        writer.write(batch);
        batch.ticks.clear();
        batch.events.clear();
        batch.edits.clear();
        batch.sights.clear();
    }

    /// The ticks since the last call, as chunks of a record; mostly one chunk, or none.
    pub fn take(&mut self) -> Vec<Vec<u8>> {
        self.writer.flush();
        self.chunks.try_iter().collect()
    }

    /// The length of the walk so far.
    pub fn length(&self) -> f64 {
        self.writer.summary().length
    }

    /// Whether the planner has told of a near-sighted search beside another one.
    pub fn has_near(&self) -> bool {
        self.writer.summary().has_near
    }

    /// The most that a learned value has risen, in cost units.
    pub fn highest(&self) -> u32 {
        self.writer.summary().highest
    }
}
