//! What planners use that was made beforehand, by the names that specs have for it.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::build::Trouble;
use super::{BuildError, Spec};
use crate::database::{
    DLrtaBuilder, DLrtaDatabase, DLrtaScratch, KnnBuilder, KnnConfig, KnnDatabase, check_fingerprint, damaged,
};
use crate::graph::{Cliques, Embedded, Level};

/// The name of the clique abstraction: none that a file has.
const CLIQUES: &str = "<cliques>";
/// Regions for which D LRTA*'s database is made at the start: it takes seconds then, and 1.3 megabytes.
const MOST_REGIONS: usize = 512;

/// Something made beforehand, shared by all agents that use it.
#[derive(Clone, Debug)]
pub enum Resource {
    /// Solved problems, for kNN LRTA*.
    Knn(Arc<KnnDatabase>),
    /// Intermediate goals and depths, for D LRTA*.
    DLrta(Arc<DLrtaDatabase>),
    /// The clique abstraction of the map: by the name [`Resources::CLIQUES`], for all that think on it.
    Cliques(Arc<Cliques>),
}

impl Resource {
    /// Bytes held.
    pub fn memory_bytes(&self) -> usize {
        match self {
            Self::Knn(database) => database.file().len(),
            Self::DLrta(database) => database.file().len(),
            Self::Cliques(cliques) => cliques.memory_bytes(),
        }
    }
}

/// Things made beforehand, by name: `knn-lrta(database=NAME)` uses the one called NAME.
///
/// ```
/// use fleetfoot::registry::{Resources, Spec};
/// use fleetfoot::{Grid, Rules};
/// let grid = Grid::new(64, 64, Rules::default(), |x, y| u8::from(x != 32 || y == 63))?;
/// let spec: Spec = "knn-lrta(records=200)".parse()?;
/// let mut resources = Resources::default();
/// resources.provide(&spec, &grid); // made once,
/// let agents = (0..1000).map(|_| spec.build_with(&grid, &resources)); // shared by all
/// assert_eq!(agents.filter(Result::is_ok).count(), 1000);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Resources(Vec<(String, Resource)>);

impl Resources {
    /// Nothing.
    pub const NONE: Self = Self(Vec::new());

    /// The name of the clique abstraction, which has no file.
    pub const CLIQUES: &'static str = CLIQUES;

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

    /// The names by which a planner finds what it needs; none for most planners.
    pub fn names(spec: &Spec) -> Vec<String> {
        match spec.info().key {
            "knn-lrta" => alloc::vec![database_name(spec)],
            "pr-lrta" => alloc::vec![CLIQUES.to_string()],
            "d-lrta" => alloc::vec![CLIQUES.to_string(), database_name(spec)],
            _ => Vec::new(),
        }
    }

    /// Makes what a planner needs and names no file for, unless it is here already, so that all planners that are built
    /// with these resources share it. What would take too long is left out; building the planner says so.
    pub fn provide<G: Embedded>(&mut self, spec: &Spec, graph: &G) {
        for name in Self::names(spec) {
            if self.get(&name).is_some() {
                continue;
            }
            let made = if name == CLIQUES {
                Some(Resource::Cliques(Arc::new(Cliques::new(graph))))
            } else if database(spec).is_some() {
                None
            } else if spec.info().key == "knn-lrta" {
                Some(Resource::Knn(make_knn(spec, graph)))
            } else {
                let cliques = self.cliques(graph);
                cliques.and_then(|cliques| make_d_lrta(spec, graph, &cliques)).ok().map(Resource::DLrta)
            };
            self.0.extend(made.map(|resource| (name, resource)));
        }
    }

    /// The same on the threads of rayon's current pool, however long it takes.
    #[cfg(feature = "rayon")]
    pub fn provide_parallel<G: Embedded + Sync>(&mut self, spec: &Spec, graph: &G) {
        let name = database_name(spec);
        if self.get(&name).is_none() && database(spec).is_none() {
            let made = match spec.info().key {
                "knn-lrta" => {
                    let builder = knn_builder(spec, graph);
                    let numbers: Vec<u64> = (0..records(spec, &builder)).collect();
                    Some(Resource::Knn(Arc::new(builder.assemble(builder.records(&numbers), false))))
                }
                "d-lrta" => {
                    let cliques = self.cliques(graph).unwrap_or_else(|_| Arc::new(Cliques::new(graph)));
                    self.insert(CLIQUES, Resource::Cliques(Arc::clone(&cliques)));
                    let builder = d_lrta_builder(spec, graph, cliques);
                    builder.build_parallel().ok().map(|regions| Resource::DLrta(Arc::new(regions)))
                }
                _ => None,
            };
            self.0.extend(made.map(|resource| (name, resource)));
        }
        self.provide(spec, graph);
    }

    /// kNN LRTA*'s records: from here, or made for it alone.
    pub(super) fn knn<G: Embedded>(&self, spec: &Spec, graph: &G) -> Result<Arc<KnnDatabase>, BuildError> {
        if database(spec).is_some() && (spec.gives("records") || spec.gives("seed")) {
            return Err(Trouble::RecordsOfFile.into());
        }
        let name = database_name(spec);
        match self.get(&name) {
            Some(Resource::Knn(records)) => {
                records.check(graph).map_err(|error| Trouble::Database(name, error))?;
                Ok(Arc::clone(records))
            }
            Some(_) => Err(Trouble::OtherResource(name).into()),
            None if database(spec).is_some() => Err(Trouble::NoDatabase(name).into()),
            None => Ok(make_knn(spec, graph)),
        }
    }

    /// The clique abstraction of this graph: from here, or made for one planner alone.
    pub(super) fn cliques<G: Embedded>(&self, graph: &G) -> Result<Arc<Cliques>, BuildError> {
        match self.get(CLIQUES) {
            Some(Resource::Cliques(cliques)) => {
                check_fingerprint(cliques.fingerprint(), graph)
                    .map_err(|error| Trouble::Database(CLIQUES.into(), error))?;
                Ok(Arc::clone(cliques))
            }
            Some(_) => Err(Trouble::OtherResource(CLIQUES.into()).into()),
            None => Ok(Arc::new(Cliques::new(graph))),
        }
    }

    /// D LRTA*'s database: from here, or made for it alone.
    pub(super) fn d_lrta<G: Embedded>(
        &self,
        spec: &Spec,
        graph: &G,
        cliques: &Arc<Cliques>,
    ) -> Result<Arc<DLrtaDatabase>, BuildError> {
        let name = database_name(spec);
        match self.get(&name) {
            Some(Resource::DLrta(regions)) => {
                regions.check(graph).map_err(|error| Trouble::Database(name.clone(), error))?;
                for (param, has) in [("level", regions.level()), ("depth", regions.depth())] {
                    if spec.gives(param) && spec.whole(param) != u64::from(has) {
                        return Err(Trouble::OtherThanDatabase(param, has.to_string()).into());
                    }
                }
                let goals = if regions.is_as_published() { "published" } else { "onward" };
                if spec.gives("goals") && !spec.is("goals", goals) {
                    return Err(Trouble::OtherThanDatabase("goals", goals.to_string()).into());
                }
                let here = cliques.level(regions.level() as usize).map_or(0, Level::len);
                if here != regions.regions() as usize {
                    return Err(Trouble::Database(name, damaged()).into());
                }
                Ok(Arc::clone(regions))
            }
            Some(_) => Err(Trouble::OtherResource(name).into()),
            None if database(spec).is_some() => Err(Trouble::NoDatabase(name).into()),
            None => make_d_lrta(spec, graph, cliques),
        }
    }
}

fn make_knn<G: Embedded>(spec: &Spec, graph: &G) -> Arc<KnnDatabase> {
    let builder = knn_builder(spec, graph);
    Arc::new(builder.build(u32::try_from(records(spec, &builder)).unwrap_or(u32::MAX)))
}

fn knn_builder<'g, G: Embedded>(spec: &Spec, graph: &'g G) -> KnnBuilder<'g, G> {
    KnnBuilder::new(graph, KnnConfig { seed: spec.whole("seed"), is_exact: false })
}

fn records<G: Embedded>(spec: &Spec, builder: &KnnBuilder<'_, G>) -> u64 {
    spec.whole_or("records").unwrap_or_else(|| builder.enough())
}

fn make_d_lrta<G: Embedded>(
    spec: &Spec,
    graph: &G,
    cliques: &Arc<Cliques>,
) -> Result<Arc<DLrtaDatabase>, BuildError> {
    let builder = d_lrta_builder(spec, graph, Arc::clone(cliques));
    if builder.rows() > MOST_REGIONS {
        return Err(Trouble::NeedsDatabase(builder.rows()).into());
    }
    let mut scratch = DLrtaScratch::new(&builder);
    let rows: Vec<_> = (0..builder.rows()).map(|k| builder.row(&mut scratch, k)).collect();
    let made = builder.assemble(&rows).map_err(|error| Trouble::Database(database_name(spec), error))?;
    Ok(Arc::new(made))
}

fn d_lrta_builder<'g, G: Embedded>(spec: &Spec, graph: &'g G, cliques: Arc<Cliques>) -> DLrtaBuilder<'g, G> {
    let (level, depth) = (spec.whole("level") as u32, spec.whole("depth") as u32);
    let builder = DLrtaBuilder::with_cliques(graph, cliques, level, depth);
    if spec.is("goals", "published") { builder.as_published() } else { builder }
}

/// The database that a spec names.
pub fn database(spec: &Spec) -> Option<&str> {
    Some(spec.value("database")).filter(|name| !name.is_empty() && *name != "none")
}

/// The name of a planner's database: its file, or what it is made by.
fn database_name(spec: &Spec) -> String {
    let made = |by: &[&str]| {
        let by: Vec<String> = by.iter().map(|param| format!("{param}={}", spec.value(param))).collect();
        format!("{}({})", spec.info().key, by.join(","))
    };
    match database(spec) {
        Some(name) => name.to_string(),
        None if spec.info().key == "knn-lrta" => made(&["records", "seed"]),
        None => made(&["level", "depth", "goals"]),
    }
}
