//! The table of algorithms, and the functions that build planners from it.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::graph::{Embedded, ReverseGraph, Undirected};
use crate::planner::BoxedPlanner;
use crate::planners;
use crate::spec::{BuildError, PlannerInfo, Resource, Resources, Spec, database};

/// Generates the table and its functions. A row is `file::ROW: bound build, …;`, in the order of `fleetfoot list`.
/// If a row has two bounds, the stronger one is used for graphs that satisfy it. Planners with the bound `embedded`
/// also define their precomputed resources.
macro_rules! algorithms {
    ($($file:ident::$row:ident: $($bound:ident $build:ident),+;)*) => {
        /// All algorithms, in the order of `fleetfoot list`.
        pub const ALGORITHMS: &[PlannerInfo] = &[$(planners::$file::$row),*];

        fn forward<G: ReverseGraph>(spec: &Spec, graph: &G) -> Result<BoxedPlanner<G>, BuildError> {
            $($(algorithms!(@directed $bound if spec.info().key == planners::$file::$row.key => planners::$file::$build(spec, graph));)+)*
            unreachable!("{spec} needs a graph that it was found not to need")
        }

        /// Builds a planner for an undirected graph.
        pub fn build_undirected<G: Undirected>(
            spec: &Spec,
            graph: &G,
            _: &Resources,
        ) -> Result<BoxedPlanner<G>, BuildError> {
            refuse_without_positions(spec)?;
            $($(algorithms!(@undirected $bound if spec.info().key == planners::$file::$row.key => planners::$file::$build(spec, graph));)+)*
            forward(spec, graph)
        }

        /// Builds a planner for an undirected graph whose nodes have positions.
        pub fn build_embedded<G: Embedded>(
            spec: &Spec,
            graph: &G,
            resources: &Resources,
        ) -> Result<BoxedPlanner<G>, BuildError> {
            $($(algorithms!(@embedded $bound if spec.info().key == planners::$file::$row.key =>
                planners::$file::$build(spec, graph, resources));)+)*
            build_undirected(spec, graph, resources)
        }

        /// Returns the names of a planner's resources. Empty for most planners.
        fn resource_names(spec: &Spec) -> Vec<String> {
            $($(algorithms!(@embedded $bound if spec.info().key == planners::$file::$row.key => planners::$file::resource_names(spec));)+)*
            Vec::new()
        }

        /// Computes the named resource of a planner. Returns `None` if that takes too long.
        fn make_resource<G: Embedded>(
            name: &str,
            spec: &Spec,
            graph: &G,
            resources: &Resources,
        ) -> Option<Resource> {
            $($(algorithms!(@embedded $bound if spec.info().key == planners::$file::$row.key =>
                planners::$file::make_resource(name, spec, graph, resources));)+)*
            None
        }

        /// Computes the named resource in parallel, even if that takes long.
        #[cfg(feature = "rayon")]
        fn make_resource_parallel<G: Embedded + Sync>(
            name: &str,
            spec: &Spec,
            graph: &G,
            resources: &Resources,
        ) -> Option<Resource> {
            $($(algorithms!(@embedded $bound if spec.info().key == planners::$file::$row.key =>
                planners::$file::make_resource_parallel(name, spec, graph, resources));)+)*
            None
        }
    };
    (@directed directed if $is:expr => $build:expr) => { if $is { return $build; } };
    (@undirected undirected if $is:expr => $build:expr) => { if $is { return $build; } };
    (@embedded embedded if $is:expr => $build:expr) => { if $is { return $build; } };
    (@$wanted:ident $bound:ident if $is:expr => $build:expr) => {};
}

algorithms! {
    auto::INFO: undirected build;
    corner_tba::INFO: undirected build;
    astar::INFO: directed build;
    repeated_astar::INFO: directed build;
    adaptive_astar::INFO: directed build, undirected build_undirected;
    mpgaa::INFO: directed build, undirected build_undirected;
    tba::INFO: undirected build;
    late_tba::INFO: undirected build;
    rtba::INFO: undirected build;
    rtba::ADAPTIVE: undirected build_adaptive;
    frit::INFO: directed build;
    lrta::INFO: directed build;
    tla::INFO: directed build;
    p_lrta::INFO: directed build;
    lss_lrta::INFO: directed build;
    rtaa::INFO: directed build;
    lss_lrta::AVOIDING: directed build_avoiding;
    rtaa::AVOIDING: directed build_avoiding;
    lrts::INFO: directed build;
    pr_lrta::INFO: embedded build;
    d_lrta::INFO: embedded build;
    ribs::INFO: undirected build;
    dstar_lite::INFO: directed build;
    ad_star::INFO: directed build;
    rtd::INFO: directed build;
    rtd::NO_OP: directed build_no_op;
    dstar_lite::UNBOUNDED: directed build;
    knn_lrta::INFO: embedded build;
    ida::INFO: directed build;
    hill_climb::INFO: directed build;
}

/// Builds a planner for a directed graph whose edges can be followed backwards.
pub fn build_directed<G: ReverseGraph>(
    spec: &Spec,
    graph: &G,
    _: &Resources,
) -> Result<BoxedPlanner<G>, BuildError> {
    refuse_without_positions(spec)?;
    if spec.facts().needs_undirected {
        return Err(BuildError::new(format!(
            "{} needs a graph in which every move can be taken back; if this is one, build it by registry::build_undirected",
            spec.info().name
        )));
    }
    forward(spec, graph)
}

fn refuse_without_positions(spec: &Spec) -> Result<(), BuildError> {
    if !spec.facts().needs_positions {
        return Ok(());
    }
    Err(BuildError::new(format!(
        "{} needs a graph whose nodes have positions; if this is one, build it by registry::build_embedded",
        spec.info().name
    )))
}

impl Resources {
    /// Returns the names of a planner's resources. Empty for most planners.
    pub fn names(spec: &Spec) -> Vec<String> {
        resource_names(spec)
    }

    /// Computes the resources of a planner, unless they exist or the spec names a file. Planners that are built
    /// with them share them. Resources that take too long are skipped; building the planner then fails with an
    /// explanation.
    pub fn prepare<G: Embedded>(&mut self, spec: &Spec, graph: &G) {
        self.prepare_by(spec, |name, here| make_resource(name, spec, graph, here));
    }

    /// Computes the resources on rayon's current thread pool, including those that take long.
    #[cfg(feature = "rayon")]
    pub fn prepare_parallel<G: Embedded + Sync>(&mut self, spec: &Spec, graph: &G) {
        self.prepare_by(spec, |name, here| make_resource_parallel(name, spec, graph, here));
    }

    fn prepare_by(&mut self, spec: &Spec, make: impl Fn(&str, &Self) -> Option<Resource>) {
        for name in Self::names(spec) {
            if self.get(&name).is_none() && database(spec) != Some(name.as_str()) {
                let made = make(&name, self);
                if let Some(resource) = made {
                    self.insert(name, resource);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Grid, Rules};
    use crate::spec::Values;
    use alloc::string::ToString;

    /// Detects parameters that are read but not listed, and duplicate keys.
    #[test]
    fn every_planner_reads_what_it_lists() {
        let grid = Grid::new(6, 6, Rules::default(), |_, _| 1).expect("a small grid").with_corners();
        for info in ALGORITHMS {
            assert_eq!(ALGORITHMS.iter().filter(|other| other.key == info.key).count(), 1);
            let words = info.params.iter().flat_map(|param| {
                let Values::OneOf(words) = param.values else { return Vec::new() };
                words.iter().map(|word| format!("{}({}={word})", info.key, param.name)).collect()
            });
            for text in words.chain([info.key.to_string()]) {
                let spec: Spec = text.parse().expect("from the table");
                // Some values require other parameters. They are all read before that is reported.
                let built = spec.build(&grid).map(drop);
                assert!(built.is_ok() || text != info.key, "{text}: {built:?}");
            }
        }
    }
}
