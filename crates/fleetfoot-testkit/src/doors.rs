//! The library's doors: planners built, restored and stepped, each in one place. On grids and on [`World`]s, so that
//! planners are compiled for these two types and no test program compiles them for others.

use std::cell::RefCell;
use std::collections::BTreeMap;

use fleetfoot::registry::{
    BoxedPlanner, BuildError, Resources, Saved, Spec, build_directed, build_embedded_with, build_undirected,
    restore_directed, restore_embedded_with, restore_undirected,
};
use fleetfoot::{
    ChangeLog, Decision, Graph, Grid, Meter, NodeId, Planner, Probe, ReverseGraph, SaveError, Scratch, Step,
};

use crate::{Class, World};

/// A type of graph that planners are compiled for.
pub trait Host: ReverseGraph + Sized {
    /// A planner for this graph, with what was made beforehand.
    fn build_with(&self, spec: &Spec, resources: &Resources) -> Result<BoxedPlanner<Self>, BuildError>;

    /// A planner that was saved on this graph, with what was made beforehand.
    fn restore_with(&self, saved: &Saved, resources: &Resources) -> Result<BoxedPlanner<Self>, SaveError>;

    /// A planner for this graph.
    fn build(&self, spec: &Spec) -> Result<BoxedPlanner<Self>, BuildError> {
        self.build_with(spec, &Resources::NONE)
    }

    /// A planner that was saved on this graph.
    fn restore(&self, saved: &Saved) -> Result<BoxedPlanner<Self>, SaveError> {
        self.restore_with(saved, &Resources::NONE)
    }
}

impl Host for Grid {
    fn build_with(&self, spec: &Spec, resources: &Resources) -> Result<BoxedPlanner<Self>, BuildError> {
        build_embedded_with(spec, self, resources)
    }

    fn restore_with(&self, saved: &Saved, resources: &Resources) -> Result<BoxedPlanner<Self>, SaveError> {
        restore_embedded_with(saved, self, resources)
    }
}

impl Host for World {
    fn build_with(&self, spec: &Spec, resources: &Resources) -> Result<BoxedPlanner<Self>, BuildError> {
        match self.class() {
            Class::Directed => build_directed(spec, self),
            Class::Undirected => build_undirected(spec, self),
            Class::Positions => build_embedded_with(spec, self, resources),
        }
    }

    fn restore_with(&self, saved: &Saved, resources: &Resources) -> Result<BoxedPlanner<Self>, SaveError> {
        match self.class() {
            Class::Directed => restore_directed(saved, self),
            Class::Undirected => restore_undirected(saved, self),
            Class::Positions => restore_embedded_with(saved, self, resources),
        }
    }
}

thread_local! {
    /// By graph: what its planners have in common. Lives are short, and each planner would make it again.
    static MADE: RefCell<BTreeMap<u64, Resources>> = const { RefCell::new(BTreeMap::new()) };
}

/// Does something with what the planner needs on this world, made once for all planners of this thread.
pub(crate) fn with_resources<T>(spec: &Spec, world: &World, act: impl FnOnce(&Resources) -> T) -> T {
    if world.class() < Class::Positions || Resources::names(spec).is_empty() {
        return act(&Resources::NONE);
    }
    MADE.with_borrow_mut(|made| {
        let resources = made.entry(world.fingerprint()).or_default();
        resources.provide(spec, world);
        act(resources)
    })
}

/// What a step uses up, and who watches it.
pub struct Means<'a> {
    /// What it may spend.
    pub meter: &'a mut Meter,
    /// Its working memory.
    pub scratch: &'a mut Scratch,
    /// Receives its events, if set.
    pub probe: Option<&'a mut dyn Probe>,
}

/// One step of a planner from the first of two nodes to the second.
pub fn step<'a, G>(
    planner: &mut (impl Planner<G> + ?Sized),
    graph: &'a G,
    (at, goal): (NodeId, NodeId),
    changes: &'a ChangeLog,
    means: Means<'a>,
) -> Decision {
    let Means { meter, scratch, probe } = means;
    planner.step(Step { graph, at, goal, changes, meter, scratch, probe })
}
