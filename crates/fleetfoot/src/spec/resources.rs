//! Precomputed data shared by planners, looked up by the name in the spec.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::{BuildError, Param, Spec};
use crate::databases::{DLrtaDatabase, DatabaseError, KnnDatabase, check_fingerprint};
use crate::graph::{CliqueAbstraction, Embedded};

/// The name of the clique abstraction. No file has this name.
const CLIQUES: &str = "<cliques>";

/// A precomputed resource that agents share.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Resource {
    /// Solved problems for kNN LRTA*.
    Knn(Arc<KnnDatabase>),
    /// Subgoals and depths for D LRTA*.
    DLrta(Arc<DLrtaDatabase>),
    /// The clique abstraction of the map, named [`Resources::CLIQUES`].
    Cliques(Arc<CliqueAbstraction>),
}

impl Resource {
    /// Returns the number of bytes held.
    pub fn memory_bytes(&self) -> usize {
        match self {
            Self::Knn(database) => database.as_bytes().len(),
            Self::DLrta(database) => database.as_bytes().len(),
            Self::Cliques(cliques) => cliques.memory_bytes(),
        }
    }
}

/// Precomputed resources by name: `knn-lrta(database=NAME)` uses the one named `NAME`.
///
/// ```
/// use fleetfoot::registry::{Resources, Spec};
/// use fleetfoot::{Grid, Rules};
/// let grid = Grid::new(64, 64, Rules::default(), |x, y| u8::from(x != 32 || y == 63))?;
/// let spec: Spec = "knn-lrta(records=200)".parse()?;
/// let mut resources = Resources::default();
/// resources.prepare(&spec, &grid); // made once,
/// let agents = (0..1000).map(|_| spec.build_with(&grid, &resources)); // shared by all
/// assert_eq!(agents.filter(Result::is_ok).count(), 1000);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Resources(Vec<(String, Resource)>);

impl Resources {
    /// No resources.
    pub const EMPTY: Self = Self(Vec::new());

    /// The name of the clique abstraction.
    pub const CLIQUES: &'static str = CLIQUES;

    /// Adds a resource, and replaces one of the same name.
    pub fn insert(&mut self, name: impl Into<String>, resource: Resource) {
        let name = name.into();
        self.0.retain(|(other, _)| *other != name);
        self.0.push((name, resource));
    }

    /// Returns the resource with this name.
    pub fn get(&self, name: &str) -> Option<&Resource> {
        self.0.iter().find(|(other, _)| other == name).map(|(_, resource)| resource)
    }

    /// Returns all resources with their names.
    #[cfg(feature = "rayon")]
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &Resource)> {
        self.0.iter().map(|(name, resource)| (name.as_str(), resource))
    }

    /// Returns the clique abstraction of this graph. Computes it for a single planner if it is missing.
    pub(crate) fn cliques<G: Embedded>(&self, graph: &G) -> Result<Arc<CliqueAbstraction>, BuildError> {
        match self.get(CLIQUES) {
            Some(Resource::Cliques(cliques)) => {
                check_fingerprint(cliques.fingerprint(), graph).map_err(|error| unusable(CLIQUES, &error))?;
                Ok(Arc::clone(cliques))
            }
            Some(_) => Err(BuildError::new(format!("`{CLIQUES}` is for another planner"))),
            None => Ok(Arc::new(CliqueAbstraction::new(graph))),
        }
    }
}

/// Returns the name of the database in a spec.
pub fn database(spec: &Spec) -> Option<&str> {
    Some(spec.value("database")).filter(|name| !name.is_empty() && *name != "none")
}

/// Returns the name of a planner's database: its file, or the parameters that define it.
pub(crate) fn resource_name(spec: &Spec, made_by: &[Param]) -> String {
    let made = || {
        let by: Vec<String> =
            made_by.iter().map(|param| format!("{}={}", param.name, spec.value(param.name))).collect();
        format!("{}({})", spec.info().key, by.join(","))
    };
    database(spec).map_or_else(made, ToString::to_string)
}

/// Returns the error for a resource that cannot be used.
pub(crate) fn unusable(name: &str, error: &DatabaseError) -> BuildError {
    BuildError::new(format!("`{name}` cannot be used: {error}"))
}

/// Returns an error if the resource has the wrong kind, or if the spec names a database that is missing.
pub(crate) fn refuse(spec: &Spec, name: &str, found: Option<&Resource>) -> Result<(), BuildError> {
    match found {
        Some(_) => Err(BuildError::new(format!("`{name}` is for another planner"))),
        None if database(spec).is_some() => {
            Err(BuildError::new(format!("the database `{name}` was not handed in")))
        }
        None => Ok(()),
    }
}
