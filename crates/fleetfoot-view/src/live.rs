//! Records a run that the caller executes, tick by tick and without threads, for pages that show it while it goes on.

use std::borrow::Cow;
use std::sync::mpsc::{Receiver, channel};

use fleetfoot::{Decision, Grid, NodeId, SearchEvent, SearchProbe, Work};

use crate::watcher::{Batch, TickOffsets};
use crate::writer::{Beginning, Writer, weights};

/// One executed tick.
#[derive(Clone, Copy, Debug)]
pub struct TickInput<'a> {
    /// The node of the agent.
    pub at: NodeId,
    /// The answer of the planner.
    pub decision: Decision,
    /// The work that it took.
    pub work: Work,
    /// Cells that changed before the agent looked around, and their new weights.
    pub edits: &'a [(NodeId, u8)],
    /// Cells that the agent has seen or was informed of, with the believed and the true weight.
    pub sights: &'a [(NodeId, u8, u8)],
}

/// Records one track. It is the [`SearchProbe`] of every step and receives every [tick](Self::tick). Returns the
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
    /// Creates a recorder for a run that begins at `start` with this belief of the truth. An agent that `is_foggy`
    /// sees only what [sights](TickInput::sights) contains.
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

    /// Ends a tick, after the events of its step.
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

    /// Takes the ticks since the last call as chunks of a record: usually one chunk, or none.
    pub fn take(&mut self) -> Vec<Vec<u8>> {
        self.writer.flush();
        self.chunks.try_iter().collect()
    }

    /// Returns the length of the walk so far.
    pub fn length(&self) -> f64 {
        self.writer.summary().length
    }

    /// Returns `true` if the planner has reported a local search next to a global one.
    pub fn has_near(&self) -> bool {
        self.writer.summary().has_near
    }

    /// Returns the maximum difference between a learned and an initial value, in cost units.
    pub fn highest(&self) -> u32 {
        self.writer.summary().highest
    }
}
