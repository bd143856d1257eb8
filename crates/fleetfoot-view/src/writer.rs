//! Encodes collected events, in a thread of its own or tick by tick.

use std::borrow::Cow;
use std::sync::mpsc::Sender;

use fleetfoot::{Decision, Grid, NodeId, SearchEvent};
use fleetfoot_sim::episode::{Episode, RunLimits, Task};

use crate::encode::{Encoder, TickParts};
use crate::events::{RecordedEvent, Visit};
use crate::format::meta::Costs;
use crate::model::{Model, direction};
use crate::recorder::nodes;
use crate::watcher::{Batch, TickOffsets};

/// The state before the first tick of a track.
#[derive(Debug)]
pub(crate) struct Beginning<'w> {
    /// The graph that the planner is built for: what the agent believes.
    pub(crate) graph: Cow<'w, Grid>,
    /// True weight of each cell.
    pub(crate) truth: Vec<u8>,
    pub(crate) is_foggy: bool,
    pub(crate) start: NodeId,
    pub(crate) goal: NodeId,
}

/// Encodes one track.
#[derive(Debug)]
pub(crate) struct Writer<'w> {
    grid: Cow<'w, Grid>,
    is_foggy: bool,
    every: u64,
    encoder: Encoder,
    happenings: Vec<RecordedEvent>,
    edits: Vec<(u32, u8)>,
    sights: Vec<(u32, u8, u8)>,
    /// True weight of each cell.
    truth: Vec<u8>,
    /// Number of searches so far: the planner's only or global one, and its local one.
    searches: [u64; 2],
    /// Which of the two searches the events belong to, and which one was written last.
    is_near: bool,
    noted_near: bool,
    ticks: u64,
    first_at: (u32, u32),
    /// Numbers of half lengths of straight and of diagonal moves: each move adds the weights of both cells.
    halves: [u64; 2],
    highest: u32,
}

/// What is known of a track once it is encoded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Summary {
    /// Cell of the agent before the first tick.
    pub(crate) first_at: (u32, u32),
    /// Length of the walk.
    pub(crate) length: f64,
    /// The planner has reported a local search.
    pub(crate) has_near: bool,
    /// Maximum difference between a learned and an initial value.
    pub(crate) highest: u32,
}

impl<'w> Writer<'w> {
    pub(crate) fn new(trip: &Task<'w>, terms: &RunLimits, every: u64, chunks: Sender<Vec<u8>>) -> Self {
        let (world, episode) = (trip.world(), Episode::new(trip, terms));
        let beginning = Beginning {
            graph: Cow::Borrowed(world.graph()),
            truth: weights(world.truth()),
            is_foggy: world.sensor().is_some(),
            start: trip.start(),
            goal: trip.goal(),
        };
        Self::from(beginning, weights(episode.believed()), every, chunks)
    }

    /// Creates a writer for a track with this beginning, where the agent believes each cell to have these weights.
    pub(crate) fn from(
        beginning: Beginning<'w>,
        believed: Vec<u8>,
        every: u64,
        chunks: Sender<Vec<u8>>,
    ) -> Self {
        let Beginning { graph: grid, truth, is_foggy, start, goal } = beginning;
        let (width, height) = (grid.width(), grid.height());
        let cell = |n: NodeId| grid.xy(n).1 * width + grid.xy(n).0;
        let model = Model::new(width, height, Costs::of(&grid), cell(goal), believed);
        Self {
            is_foggy,
            every: every.max(1),
            encoder: Encoder::new(model, cell(start), chunks),
            happenings: Vec::new(),
            edits: Vec::new(),
            sights: Vec::new(),
            truth,
            searches: [0; 2],
            is_near: false,
            noted_near: false,
            ticks: 0,
            first_at: grid.xy(start),
            halves: [0; 2],
            highest: 0,
            grid,
        }
    }

    /// Returns the number of bytes written so far.
    pub(crate) fn bytes(&self) -> u64 {
        self.encoder.raw()
    }

    #[inline]
    fn cell(&self, n: NodeId) -> u32 {
        let (x, y) = self.grid.xy(n);
        y * self.encoder.model.width + x
    }

    pub(crate) fn write(&mut self, batch: &Batch) {
        self.searches = [0, 1].map(|k| self.searches[k] + batch.searches[k]);
        let (mut events, mut edits, mut sights) = (0, 0, 0);
        for tick in &batch.ticks {
            self.happenings.clear();
            if self.ticks == 0 {
                self.first_at = self.grid.xy(tick.at);
                self.encoder.begin(self.cell(tick.at));
                batch.earlier.iter().for_each(|&(n, new)| self.learned(n, new));
            }
            self.changes(&batch.edits[edits..tick.edits], &batch.sights[sights..tick.sights]);
            self.translate(&batch.events[events..tick.events]);
            self.tick(tick);
            (events, edits, sights) = (tick.events, tick.edits, tick.sights);
        }
    }

    fn changes(&mut self, edits: &[(NodeId, u8)], sights: &[(NodeId, u8, u8)]) {
        self.edits.clear();
        self.sights.clear();
        for &(n, weight) in edits {
            let cell = self.cell(n);
            if std::mem::replace(&mut self.truth[cell as usize], weight) != weight {
                self.edits.push((cell, weight));
            }
        }
        for &(n, believed, truth) in sights {
            let cell = self.cell(n);
            // To an agent that knows everything only a difference is new.
            if self.is_foggy || self.encoder.model.believed[cell as usize] != believed {
                self.sights.push((cell, believed, truth));
            }
        }
    }

    fn tick(&mut self, tick: &TickOffsets) {
        let mut way = 0;
        if let Decision::Go(to) = tick.decision {
            let ((x, y), (tx, ty)) = (self.grid.xy(tick.at), self.grid.xy(to));
            let step = (tx.cast_signed() - x.cast_signed(), ty.cast_signed() - y.cast_signed());
            way = direction(step.0, step.1).expect("the referee accepts steps only");
            let weights = [tick.at, to].map(|n| u64::from(self.truth[self.cell(n) as usize]));
            self.halves[usize::from(way >= 4)] += weights[0] + weights[1];
        }
        self.encoder.tick(&TickParts {
            at: self.cell(tick.at),
            decision: tick.decision,
            direction: way,
            work: &tick.work,
            edits: &self.edits,
            sights: &self.sights,
            events: &self.happenings,
        });
        self.ticks += 1;
    }

    fn learned(&mut self, n: NodeId, new: u32) {
        let cell = self.cell(n);
        // Known dead ends are above any scale.
        let rise = self.encoder.model.rise(cell, new);
        self.highest = self.highest.max(if rise < u32::MAX / 4 { rise } else { 0 });
        self.happen(RecordedEvent::Learn { cell, new });
    }

    /// Adds an event. Before it, adds a switch of searches if it belongs to the search that was not written last.
    fn happen(&mut self, happening: RecordedEvent) {
        if self.noted_near != self.is_near {
            self.noted_near = self.is_near;
            self.happenings.push(RecordedEvent::Turn { is_near: self.is_near });
        }
        self.happenings.push(happening);
    }

    /// Moves the update of a state that an expansion opened before that expansion, so that the opened cells are
    /// contiguous.
    fn advance_lesson(&mut self, opened: u32) {
        let Some(&lesson) = self.happenings.last() else { return };
        if !matches!(lesson, RecordedEvent::Learn { cell, .. } if cell == opened) {
            return;
        }
        let earlier = &self.happenings[..self.happenings.len() - 1];
        let opens = earlier.iter().rev().take_while(|event| matches!(event, RecordedEvent::Open(_))).count();
        let place = earlier.len() - opens;
        if place > 0 && matches!(earlier[place - 1], RecordedEvent::Expand(_)) {
            self.happenings.pop();
            self.happenings.insert(place - 1, lesson);
        }
    }

    /// Translates the planner's events to cells, without the searches that are not recorded.
    fn translate(&mut self, events: &[SearchEvent]) {
        for &event in events {
            let searches = &mut self.searches[usize::from(self.is_near)];
            let is_kept = searches.saturating_sub(1).is_multiple_of(self.every);
            let happening = match event {
                SearchEvent::SwitchSearch { is_local: is_near } => {
                    self.is_near = is_near;
                    continue;
                }
                SearchEvent::Search { root } => {
                    let is_kept = searches.is_multiple_of(self.every);
                    *searches += 1;
                    if is_kept {
                        RecordedEvent::Search { root: self.cell(root) }
                    } else {
                        RecordedEvent::Skipped
                    }
                }
                SearchEvent::Learn { node, new, .. } => {
                    self.learned(node, new.raw());
                    continue;
                }
                SearchEvent::Subgoal { node, record } => {
                    RecordedEvent::Lead { cell: self.cell(node), record }
                }
                _ if !is_kept => continue,
                SearchEvent::Expand { node, parent, g, f } => {
                    RecordedEvent::Expand(self.visit(node, parent, g.raw(), f.raw()))
                }
                SearchEvent::Open { node, parent, g, f } => {
                    self.advance_lesson(self.cell(node));
                    RecordedEvent::Open(self.visit(node, parent, g.raw(), f.raw()))
                }
                SearchEvent::Discard { node } => RecordedEvent::Leave { cell: self.cell(node) },
                SearchEvent::Trace { node } => RecordedEvent::Trace { cell: self.cell(node) },
                SearchEvent::AdoptPath => RecordedEvent::Follow,
                _ => continue,
            };
            self.happen(happening);
        }
    }

    #[inline]
    fn visit(&self, node: NodeId, parent: NodeId, g: u32, f: u32) -> Visit {
        Visit { cell: self.cell(node), parent: parent.some().map(|parent| self.cell(parent)), g, f }
    }

    /// Returns the summary after sending the last chunk.
    pub(crate) fn finish(mut self) -> Summary {
        self.encoder.flush();
        self.summary()
    }

    /// Sends what has been encoded so far.
    pub(crate) fn flush(&mut self) {
        self.encoder.flush();
    }

    /// Returns what is known of the track so far.
    pub(crate) fn summary(&self) -> Summary {
        let [straight, diagonal] = self.halves.map(|halves| halves as f64);
        Summary {
            first_at: self.first_at,
            length: 0.5 * (straight + diagonal * self.grid.rules().diagonal.length()),
            has_near: self.searches[1] > 0,
            highest: self.highest,
        }
    }
}

/// Returns the weight of each cell.
pub(crate) fn weights(grid: &Grid) -> Vec<u8> {
    nodes(grid).map(|n| grid.weight(n)).collect()
}
