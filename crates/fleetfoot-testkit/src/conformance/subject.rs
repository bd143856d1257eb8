//! The planner under test.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use fleetfoot::database::checksum;
use fleetfoot::registry::{BoxedPlanner, Facts, Resources, SavedPlanner, Spec};
use fleetfoot::{Graph, PlannerState, SaveReader, SaveWriter};

use super::Promise;
use crate::{Class, World};

type Build = dyn Fn(&World) -> Result<BoxedPlanner<World>, String> + Send + Sync;
type Save = dyn Fn(&dyn PlannerState, &World) -> Vec<u8> + Send + Sync;
type Restore = dyn Fn(&[u8], &World) -> Result<BoxedPlanner<World>, String> + Send + Sync;

/// A planner under test: its claims, and how it is built, saved and restored.
///
/// The test graphs are all of the type [`World`], which implements every graph trait. A planner that is generic
/// over one of them can be tested. It runs on the worlds that its facts require: all, undirected ones, or grids
/// only.
///
/// ```text
/// conformance!(mine, Subject::new("mine", FACTS, |world| Ok(Box::new(Mine::new(world)))));
/// ```
pub struct Subject {
    pub(super) name: String,
    pub(super) facts: Facts,
    build: Arc<Build>,
    save: Box<Save>,
    restore: Box<Restore>,
    /// Returns the number of steps after which an agent that has not arrived never will, from the numbers of nodes
    /// and edges.
    pub(super) patience: fn(usize, usize) -> usize,
    /// Sides of a small and a large grid on which an agent near its start must hold about the same memory.
    pub(super) sides: [u32; 2],
    /// How often it enumerates the neighbors of an expanded node.
    pub(super) looks: u64,
    /// Guarantees that it keeps in the test worlds but does not claim, with reasons.
    pub(super) unclaimed: Vec<(Promise, &'static str)>,
}

impl Subject {
    /// Creates a subject from a function that builds the planner. It is saved and restored by its own
    /// [`save`](PlannerState::save) and [`load`](fleetfoot::Planner::load), with the graph's fingerprint and a
    /// checksum.
    pub fn new(
        name: impl Into<String>,
        facts: Facts,
        build: impl Fn(&World) -> Result<BoxedPlanner<World>, String> + Send + Sync + 'static,
    ) -> Self {
        let build: Arc<Build> = Arc::new(build);
        let builder = Arc::clone(&build);
        Self {
            name: name.into(),
            facts,
            build,
            save: Box::new(framed),
            restore: Box::new(move |bytes, world| unframed(bytes, world, &*builder)),
            patience: |states, _| 1000 + 100 * states,
            sides: [64, 512],
            looks: 1,
            unclaimed: Vec::new(),
        }
    }

    /// Creates a subject from a planner of the registry.
    pub fn of(spec: &Spec) -> Self {
        let (a, b, c) = (spec.clone(), spec.clone(), spec.clone());
        let build = move |world: &World| {
            with_resources(&a, world, |made| a.build_with(world, made)).map_err(|e| e.to_string())
        };
        let restore = move |bytes: &[u8], world: &World| {
            let saved = SavedPlanner { bytes: bytes.to_vec() };
            with_resources(&b, world, |made| saved.restore_with(world, made)).map_err(|e| e.to_string())
        };
        let needs_database = spec.info().params.iter().any(|param| param.name == "database");
        Self {
            save: Box::new(move |planner, world| SavedPlanner::new(&c, planner, world).bytes),
            restore: Box::new(restore),
            // Without pruning, RIBS walks its whole tree, at most two moves per node, under each limit. Limits are
            // costs of paths to neighbors.
            patience: if spec.is("pruning", "off") {
                |states, edges| 1000 + 2 * states * edges
            } else {
                |states, _| 1000 + 100 * states
            },
            sides: match spec.facts().needs_positions {
                // Small grids use a lower level with smaller regions; above some thousand cells it is the same.
                _ if spec.is("level", "auto") => [256, 512],
                false => [64, 512],
                // A database would be built first, which takes long on large grids.
                true if needs_database => [64, 128],
                // Regions are larger than cells: a deep look-ahead covers all of a small grid.
                true => [512, 1024],
            },
            // RIBS enumerates the neighbors of pruned nodes again, and starts an iteration at the start's
            // neighbors.
            looks: if spec.info().key == "ribs" { 2 } else { 1 },
            unclaimed: super::facts::unclaimed(spec),
            ..Self::new(spec.to_string(), spec.facts(), build)
        }
    }

    /// Creates a subject with its own functions for saving and restoring. Saved bytes must end with the 64-bit
    /// FNV-1a hash of the preceding ones, little-endian, so that the kit can forge them, and must be rejected on
    /// another graph.
    #[must_use]
    pub fn with_saving(
        self,
        save: impl Fn(&dyn PlannerState, &World) -> Vec<u8> + Send + Sync + 'static,
        restore: impl Fn(&[u8], &World) -> Result<BoxedPlanner<World>, String> + Send + Sync + 'static,
    ) -> Self {
        Self { save: Box::new(save), restore: Box::new(restore), ..self }
    }

    /// Allows the planner to enumerate the neighbors of each expanded node `times` times. Default: once.
    #[must_use]
    pub fn with_lookups(self, times: u64) -> Self {
        Self { looks: times, ..self }
    }

    /// Adds a guarantee that it keeps in all test worlds but does not claim, with a reason.
    #[must_use]
    pub fn without_claiming(mut self, promise: Promise, reason: &'static str) -> Self {
        self.unclaimed.push((promise, reason));
        self
    }

    /// Returns `true` if a world satisfies the planner's requirements.
    pub(super) fn fits(&self, world: &World) -> bool {
        let needs = match (self.facts.needs_positions, self.facts.needs_undirected) {
            (true, _) => Class::Positions,
            (_, true) => Class::Undirected,
            _ => Class::Directed,
        };
        let has_corners = || world.as_grid().is_some_and(|grid| grid.corners().is_some());
        world.class() >= needs && (!self.facts.needs_corner_index || has_corners())
    }

    pub(super) fn build(&self, world: &World) -> Result<BoxedPlanner<World>, String> {
        (self.build)(world)
    }

    pub(super) fn save(&self, planner: &dyn PlannerState, world: &World) -> Vec<u8> {
        (self.save)(planner, world)
    }

    pub(super) fn restore(&self, bytes: &[u8], world: &World) -> Result<BoxedPlanner<World>, String> {
        (self.restore)(bytes, world)
    }
}

impl fmt::Debug for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Subject")
            .field("name", &self.name)
            .field("facts", &self.facts)
            .finish_non_exhaustive()
    }
}

/// A planner of the registry, as text.
impl From<&str> for Subject {
    fn from(spec: &str) -> Self {
        Self::of(&spec.parse().unwrap_or_else(|e| panic!("{spec}: {e}")))
    }
}

impl From<&Spec> for Subject {
    fn from(spec: &Spec) -> Self {
        Self::of(spec)
    }
}

thread_local! {
    /// The shared resources of each graph. Walks are short, so each planner computing its own would be slow.
    static MADE: RefCell<BTreeMap<u64, Resources>> = const { RefCell::new(BTreeMap::new()) };
}

/// Calls `act` with the planner's resources on this world, computed once per thread.
fn with_resources<T>(spec: &Spec, world: &World, act: impl FnOnce(&Resources) -> T) -> T {
    if world.class() < Class::Positions || Resources::names(spec).is_empty() {
        return act(&Resources::EMPTY);
    }
    MADE.with_borrow_mut(|made| {
        let resources = made.entry(world.fingerprint()).or_default();
        resources.prepare(spec, world);
        act(resources)
    })
}

fn framed(planner: &dyn PlannerState, world: &World) -> Vec<u8> {
    let mut bytes = Vec::new();
    bytes.u64(world.fingerprint());
    planner.save(&mut bytes);
    let sum = checksum(&bytes);
    bytes.u64(sum);
    bytes
}

fn unframed(bytes: &[u8], world: &World, build: &Build) -> Result<BoxedPlanner<World>, String> {
    let (body, sum) = bytes.split_last_chunk::<8>().ok_or("it ends too early")?;
    if checksum(body) != u64::from_le_bytes(*sum) {
        return Err("it is damaged".to_string());
    }
    let mut from = SaveReader::new(body);
    if from.u64().map_err(|e| e.to_string())? != world.fingerprint() {
        return Err("it belongs to another graph".to_string());
    }
    let mut planner = build(world)?;
    planner.load(world, &mut from).map_err(|e| e.to_string())?;
    from.end().map_err(|e| e.to_string())?;
    Ok(planner)
}
