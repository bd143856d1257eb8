//! Recording: a life is lived under the eyes of a [`Probe`], and written down tick by tick.

use fleetfoot::{Decision, Event, Graph, Grid, NodeId, Planner, Probe, Scratch};
use fleetfoot_sim::episode::{Episode, Terms, Tick, Trip};
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::metrics::Outcome;
use fleetfoot_sim::referee::Foul;

use crate::encode::{Encoder, TickParts};
use crate::events::{Happening, Visit};
use crate::format::meta::{Costs, LifeMeta};
use crate::format::section::{MAX_RAW, Section};
use crate::model::{Model, direction};
use crate::record::{Life, MOST_LIVES, MOST_TICKS};

/// The lives of a record share what may be written.
const MOST_BYTES: u64 = MAX_RAW / MOST_LIVES as u64 - (1 << 20);

/// What of a life is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thinning {
    /// Every so many searches one is recorded. All moves are, all work, and all that is seen, changed and learned.
    pub every: u64,
    /// The first tick that is recorded, and the first that no longer is.
    pub window: (u64, u64),
}

impl Default for Thinning {
    fn default() -> Self {
        Self { every: 1, window: (0, u64::MAX) }
    }
}

/// Who lives, for those who look on.
#[derive(Clone, Debug)]
pub struct Label {
    /// The planner, as on the command line.
    pub planner: String,
    /// The planner's name in print.
    pub name: String,
}

/// Why there is no record.
#[derive(Debug)]
pub enum RecordError {
    /// The planner broke a rule.
    Foul(Foul),
    /// There is too much to be recorded.
    TooLong(InputError),
}

/// Lives a life to its end, or to that of the window, and records it. The planner should be new, or reset.
///
/// # Errors
/// If the planner broke a rule, or there is too much to be recorded.
pub fn record(
    trip: &Trip<'_>,
    terms: &Terms,
    planner: &mut dyn Planner<Grid>,
    scratch: &mut Scratch,
    label: Label,
    thinning: Thinning,
) -> Result<Life, RecordError> {
    let truth = trip.world().truth();
    scratch.reserve_search(truth.bound(), truth.steepest());
    let mut episode = Episode::new(trip, terms);
    let mut recorder = Recorder::new(trip, &episode, thinning);
    while episode.outcome().is_none() && episode.ticks() < thinning.window.1 {
        let tick = episode.tick(planner, scratch, Some(&mut recorder)).map_err(RecordError::Foul)?;
        recorder.tick(&episode, &tick).map_err(RecordError::TooLong)?;
    }
    let stats = planner.stats();
    let learns = stats.updates > 0 || stats.h_states > 0;
    Ok(recorder.finish(label, terms, episode.outcome(), learns))
}

/// All nodes of a grid, row by row.
pub(crate) fn nodes(grid: &Grid) -> impl Iterator<Item = NodeId> {
    (0..grid.height()).flat_map(move |y| (0..grid.width()).filter_map(move |x| grid.node(x, y)))
}

/// Watches one life.
#[derive(Debug)]
struct Recorder<'w> {
    trip: Trip<'w>,
    thinning: Thinning,
    encoder: Encoder,
    /// What the planner did in this tick.
    events: Vec<Event>,
    happenings: Vec<Happening>,
    /// By cell: whether the agent is known to know it.
    known: Vec<bool>,
    /// By cell: what it weighs, as far as that is written.
    truth: Vec<u8>,
    edits: Vec<(u32, u8)>,
    sights: Vec<(u32, u8, u8)>,
    /// By cell: what was learned before the window.
    earlier: Vec<Option<u32>>,
    searches: u64,
    ticks: u64,
    at: Option<NodeId>,
    /// Where the agent last looked around.
    looked: Option<NodeId>,
    first_at: (u32, u32),
    length: fleetfoot::Length,
    lessons: u64,
    highest: u32,
}

impl Probe for Recorder<'_> {
    #[inline]
    fn event(&mut self, event: Event) {
        self.events.push(event);
    }
}

impl<'w> Recorder<'w> {
    fn new(trip: &Trip<'w>, episode: &Episode<'_>, thinning: Thinning) -> Self {
        let grid = trip.world().graph();
        let nodes: Vec<_> = nodes(grid).collect();
        let believed = nodes.iter().map(|n| episode.believed().weight(*n)).collect();
        let (width, height) = (grid.width(), grid.height());
        let cell = |n: NodeId| grid.xy(n).1 * width + grid.xy(n).0;
        let model = Model::new(width, height, Costs::of(grid), cell(trip.goal()), believed);
        Self {
            trip: *trip,
            thinning,
            encoder: Encoder::new(model, cell(trip.start())),
            events: Vec::new(),
            happenings: Vec::new(),
            known: nodes.iter().map(|n| episode.is_known(*n)).collect(),
            truth: nodes.iter().map(|n| episode.truth().weight(*n)).collect(),
            edits: Vec::new(),
            sights: Vec::new(),
            earlier: if thinning.window.0 == 0 { Vec::new() } else { vec![None; nodes.len()] },
            searches: 0,
            ticks: 0,
            at: None,
            looked: None,
            first_at: grid.xy(trip.start()),
            length: fleetfoot::Length::ZERO,
            lessons: 0,
            highest: 0,
        }
    }

    /// A tick is over.
    fn tick(&mut self, episode: &Episode<'_>, tick: &Tick) -> Result<(), InputError> {
        if tick.tick < self.thinning.window.0 {
            self.remember();
            return Ok(());
        }
        let grid = episode.truth();
        let at = self.cell(tick.at);
        self.happenings.clear();
        if self.ticks == 0 {
            self.first_at = grid.xy(tick.at);
            self.encoder.begin(at);
            self.catch_up(episode);
        } else {
            self.look(episode, tick.at);
        }
        self.translate();
        let mut way = 0;
        if let Decision::Go(to) = tick.decision {
            let ((x, y), (tx, ty)) = (grid.xy(tick.at), grid.xy(to));
            way = direction(tx.cast_signed() - x.cast_signed(), ty.cast_signed() - y.cast_signed())
                .expect("the referee lets nobody jump");
            self.length += grid.length(tick.at, to);
        }
        self.encoder.tick(&TickParts {
            at,
            decision: tick.decision,
            direction: way,
            work: &tick.work,
            edits: &self.edits,
            sights: &self.sights,
            events: &self.happenings,
        });
        self.events.clear();
        self.ticks += 1;
        self.at = Some(tick.at);
        self.check(tick.tick)
    }

    fn check(&self, tick: u64) -> Result<(), InputError> {
        // Packed chunks change that seldom.
        let too_long = self.ticks > MOST_TICKS;
        if !too_long && (!self.ticks.is_multiple_of(64) || self.encoder.raw() <= MOST_BYTES) {
            return Ok(());
        }
        let first = self.thinning.window.0;
        let what = if too_long {
            format!("the life goes on after {MOST_TICKS} ticks, the most that a replay holds")
        } else {
            format!("the searches up to tick {tick} are more than a replay holds")
        };
        let every = self.thinning.every.saturating_mul(10);
        let remedy = if too_long {
            format!("record a part of it, such as --replay-window {first}..{}", first + MOST_TICKS / 2)
        } else {
            format!(
                "keep fewer searches, such as --replay-every {every}, or a part of the life, such as \
                 --replay-window {first}..{}",
                first + (tick - first) / 2 + 1
            )
        };
        Err(InputError::new(what, remedy))
    }

    fn cell(&self, n: NodeId) -> u32 {
        let (x, y) = self.trip.world().truth().xy(n);
        y * self.encoder.model.width + x
    }

    /// Before the window: only what has been learned matters later, and how many searches there were.
    fn remember(&mut self) {
        for event in std::mem::take(&mut self.events) {
            match event {
                Event::Learn { node, new, .. } => {
                    let cell = self.cell(node) as usize;
                    self.earlier[cell] = Some(new.raw());
                }
                Event::Search { .. } => self.searches += 1,
                _ => {}
            }
        }
    }

    /// The first recorded tick brings the reader up to date.
    fn catch_up(&mut self, episode: &Episode<'_>) {
        let (truth, believed) = (episode.truth(), episode.believed());
        self.edits.clear();
        self.sights.clear();
        for (k, n) in nodes(truth).enumerate() {
            let weight = truth.weight(n);
            if std::mem::replace(&mut self.truth[k], weight) != weight {
                self.edits.push((k as u32, weight));
            }
            let seen = episode.is_known(n) && !self.known[k];
            let belief = believed.weight(n);
            if seen || self.encoder.model.believed[k] != belief {
                self.known[k] = true;
                self.sights.push((k as u32, belief, weight));
            }
        }
        for (cell, new) in std::mem::take(&mut self.earlier).into_iter().enumerate() {
            if let Some(new) = new {
                self.learned(cell as u32, new);
            }
        }
    }

    fn learned(&mut self, cell: u32, new: u32) {
        self.lessons += 1;
        // What is known to be a dead end is above any scale.
        let rise = self.encoder.model.rise(cell, new);
        self.highest = self.highest.max(if rise < u32::MAX / 4 { rise } else { 0 });
        self.happenings.push(Happening::Learn { cell, new });
    }

    /// What has changed, and what the agent has seen.
    fn look(&mut self, episode: &Episode<'_>, at: NodeId) {
        let truth = episode.truth();
        self.edits.clear();
        self.sights.clear();
        for &n in episode.changed() {
            let (cell, weight) = (self.cell(n), truth.weight(n));
            if std::mem::replace(&mut self.truth[cell as usize], weight) != weight {
                self.edits.push((cell, weight));
            }
        }
        let world = self.trip.world();
        match world.sensor() {
            None => {
                for k in 0..self.edits.len() {
                    self.see(episode, self.edits[k].0);
                }
            }
            Some(sensor) if world.is_dynamic() || self.looked != Some(at) => {
                self.looked = Some(at);
                for n in sensor.cells(truth, at) {
                    self.see(episode, self.cell(n));
                }
            }
            Some(_) => {}
        }
    }

    fn see(&mut self, episode: &Episode<'_>, cell: u32) {
        let (x, y) = self.encoder.model.xy(cell);
        let Some(n) = episode.truth().node(x, y) else { return };
        let (k, weight) = (cell as usize, episode.truth().weight(n));
        debug_assert!(episode.is_known(n) && episode.believed().weight(n) == weight, "in sight, so believed");
        if !self.known[k] || self.encoder.model.believed[k] != weight {
            self.known[k] = true;
            self.sights.push((cell, weight, weight));
        }
    }

    /// The planner's events, in cells, without the searches that are left out.
    fn translate(&mut self) {
        let events = std::mem::take(&mut self.events);
        let is_kept = |searches: u64, every: u64| searches.saturating_sub(1).is_multiple_of(every.max(1));
        for &event in &events {
            if let Event::Search { root } = event {
                self.searches += 1;
                let kept = is_kept(self.searches, self.thinning.every);
                let root = self.cell(root);
                self.happenings.push(if kept { Happening::Search { root } } else { Happening::Skipped });
                continue;
            }
            if let Event::Learn { node, new, .. } = event {
                self.learned(self.cell(node), new.raw());
                continue;
            }
            if !is_kept(self.searches, self.thinning.every) {
                continue;
            }
            match event {
                Event::Expand { node, parent, g, f } => {
                    let visit = self.visit(node, parent, g.raw(), f.raw());
                    self.happenings.push(Happening::Expand(visit));
                }
                Event::Open { node, parent, g, f } => {
                    let visit = self.visit(node, parent, g.raw(), f.raw());
                    self.happenings.push(Happening::Open(visit));
                }
                Event::Trace { node } => self.happenings.push(Happening::Trace { cell: self.cell(node) }),
                Event::Follow => self.happenings.push(Happening::Follow),
                _ => {}
            }
        }
        self.events = events;
    }

    #[inline]
    fn visit(&self, node: NodeId, parent: NodeId, g: u32, f: u32) -> Visit {
        Visit { cell: self.cell(node), parent: parent.some().map(|parent| self.cell(parent)), g, f }
    }

    fn finish(mut self, label: Label, terms: &Terms, outcome: Option<Outcome>, learns: bool) -> Life {
        self.encoder.flush();
        let grid = self.trip.world().truth();
        let implicit = learns && self.lessons == 0;
        if implicit {
            let rises =
                self.encoder.model.nodes.iter().map(|node| node.excess).filter(|rise| *rise < i32::MAX / 2);
            self.highest = rises.max().unwrap_or(0).max(0).cast_unsigned();
        }
        let meta = LifeMeta {
            planner: label.planner,
            name: label.name,
            budget: terms.budget.to_string(),
            expansions: terms.budget.expansions(),
            first: self.thinning.window.0,
            ticks: self.ticks,
            at: self.first_at,
            outcome: outcome.map(|outcome| outcome.name().into()),
            length: self.length.value(grid.rules().diagonal),
            every: self.thinning.every.max(1),
            implicit,
            highest: self.highest,
        };
        let chunks: Vec<Section> = self.encoder.chunks;
        Life { meta, chunks }
    }
}
