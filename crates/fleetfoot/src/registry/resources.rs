//! What planners use that was made beforehand, by the names that specs have for it.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::database::{DLrtaDatabase, KnnDatabase};
use crate::graph::Cliques;

/// Something made beforehand, shared by all agents that use it.
#[derive(Clone, Debug)]
pub enum Resource {
    /// Solved problems, for kNN LRTA*.
    Knn(Arc<KnnDatabase>),
    /// Intermediate goals and depths, for D LRTA*.
    DLrta(Arc<DLrtaDatabase>),
    /// The clique abstraction of the map: by the name `cliques`, for all that think on it.
    Cliques(Arc<Cliques>),
}

/// Things made beforehand, by name: `knn-lrta(database=NAME)` uses the one called NAME.
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
}
