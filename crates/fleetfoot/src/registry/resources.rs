//! What planners use that was made beforehand, by the names that specs have for it.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::{BuildError, Spec};
use crate::database::{KnnBuilder, KnnConfig, KnnDatabase};
use crate::graph::Embedded;

/// Something made beforehand, shared by all agents that use it.
#[derive(Clone, Debug)]
pub enum Resource {
    /// Solved problems, for kNN LRTA*.
    Knn(Arc<KnnDatabase>),
}

impl Resource {
    /// Makes what a planner needs that names no database; nothing if it needs nothing. Looks at the whole graph, so this
    /// can take long.
    pub fn make<G: Embedded>(spec: &Spec, graph: &G) -> Option<Self> {
        match spec.info().key {
            "knn-lrta" => {
                let config = KnnConfig { seed: spec.whole("seed"), is_exact: false };
                let builder = KnnBuilder::new(graph, config);
                let some = || (builder.places() as u64 / 100).clamp(16, 100_000);
                let records = spec.whole_or("records").unwrap_or_else(some);
                Some(Self::Knn(Arc::new(builder.build(u32::try_from(records).unwrap_or(u32::MAX)))))
            }
            _ => None,
        }
    }

    /// Solved problems, if that is what this is.
    pub(super) fn into_knn(self) -> Option<Arc<KnnDatabase>> {
        match self {
            Self::Knn(database) => Some(database),
        }
    }

    fn check<G: Embedded>(&self, name: &str, graph: &G) -> Result<(), BuildError> {
        match self {
            Self::Knn(database) => database.check(graph).map_err(|error| BuildError::database(name, error)),
        }
    }
}

/// Things made beforehand, by name: `knn-lrta(database=NAME)` uses the one called NAME.
///
/// ```
/// use fleetfoot::registry::{Resource, Resources, Spec, build_embedded_with};
/// use fleetfoot::{Grid, Rules};
/// let grid = Grid::new(64, 64, Rules::default(), |x, y| u8::from(x != 32 || y == 63))?;
/// let spec: Spec = "knn-lrta(records=200)".parse()?;
/// let mut resources = Resources::default();
/// resources.provide(&spec, &grid); // made once,
/// let agents = (0..1000).map(|_| build_embedded_with(&spec, &grid, &resources)); // shared by all
/// assert_eq!(agents.filter(Result::is_ok).count(), 1000);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Resources(Vec<(String, Resource)>);

impl Resources {
    /// Nothing.
    pub const NONE: Self = Self(Vec::new());

    /// Adds something, in the place of what had this name.
    pub fn insert(&mut self, name: impl Into<String>, resource: Resource) {
        let name = name.into();
        self.0.retain(|(other, _)| *other != name);
        self.0.push((name, resource));
    }

    /// What has this name.
    pub fn get(&self, name: &str) -> Option<&Resource> {
        self.0.iter().find(|(other, _)| other == name).map(|(_, resource)| resource)
    }

    /// Makes what a planner needs that names no database, unless it is here already, so that all planners that are built
    /// with these resources share it.
    pub fn provide<G: Embedded>(&mut self, spec: &Spec, graph: &G) {
        let name = name(spec);
        if database(spec).is_none() && self.get(&name).is_none() {
            let made = Resource::make(spec, graph);
            self.0.extend(made.map(|resource| (name, resource)));
        }
    }

    /// What a planner needs: from here, or made for it alone.
    pub(super) fn find_or_make<G: Embedded>(&self, spec: &Spec, graph: &G) -> Result<Resource, BuildError> {
        if database(spec).is_some() && (spec.gives("records") || spec.gives("seed")) {
            return Err(BuildError::RECORDS_OF_FILE);
        }
        let name = name(spec);
        if let Some(resource) = self.get(&name) {
            resource.check(&name, graph)?;
            return Ok(resource.clone());
        }
        let made = if database(spec).is_none() { Resource::make(spec, graph) } else { None };
        made.ok_or_else(|| BuildError::no_database(&name))
    }
}

/// The database that a spec names.
pub fn database(spec: &Spec) -> Option<&str> {
    Some(spec.value("database")).filter(|name| !name.is_empty() && *name != "none")
}

/// By which name a planner finds what it needs.
fn name(spec: &Spec) -> String {
    match database(spec) {
        Some(name) => name.to_string(),
        None => format!("{}: {}, {}", spec.info().key, spec.value("records"), spec.value("seed")),
    }
}
