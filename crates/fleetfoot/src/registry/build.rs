//! Planners from specs.

use alloc::boxed::Box;
use alloc::string::String;
use core::fmt;

use super::{BoxedPlanner, Resources, Spec};
use crate::corners::Corners;
use crate::database::{DLrtaDatabase, DatabaseError};
use crate::graph::{Embedded, ReverseGraph, Undirected};
use crate::parts::{OpenKind, Ties};
use crate::planners::{
    AStar, AStarConfig, AdStar, AdaptiveAStar, AdaptiveAStarConfig, Avoid, CornerTba, DLrta, DStarLite,
    Direction, FirstStep, Focus, Global, HillClimb, Ida, KnnLrta, KnnLrtaConfig, LateTba, Local, LookAhead,
    Lrta, LrtaConfig, Lrts, LrtsConfig, LssLrta, NoWay, OffWay, PLrta, PrLrta, PrLrtaConfig, Reach,
    RepeatedAStar, RepeatedAStarConfig, Replan, Ribs, RibsConfig, Rtaa, Rtba, Rtd, RtdConfig, Rule, Shortcut,
    Tba, TbaConfig, Tbaa, TimeBoundedConfig, Tla, Weights,
};

/// Why a planner cannot be built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildError(Trouble);

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Trouble {
    NeedsUndirected(&'static str),
    NeedsCoordinates(&'static str),
    TiesOnRing,
    NoWeight,
    DepthAndReach,
    WeightOfNothing,
    KeysOnChange,
    NoDatabase(String),
    OtherResource(String),
    NeedsDatabase(usize),
    OtherThanDatabase(&'static str, String),
    Database(String, DatabaseError),
    RecordsOfFile,
    NoCorners(&'static str),
}

impl From<Trouble> for BuildError {
    fn from(trouble: Trouble) -> Self {
        Self(trouble)
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Trouble::NeedsUndirected(name) => {
                write!(f, "{name} needs a graph in which every move can be taken back; use build_undirected")
            }
            Trouble::NeedsCoordinates(name) => {
                write!(f, "{name} needs a graph whose nodes have positions; use build_embedded")
            }
            Trouble::DepthAndReach => {
                f.write_str("it looks ahead by `depth` or by `reach`, not by both; leave one of them out")
            }
            Trouble::WeightOfNothing => {
                f.write_str("`epsilon`, `decrease` and `increase` are Anytime D*'s; add global=ad-star")
            }
            Trouble::KeysOnChange => f.write_str(
                "`focus=on-change` is about D* Lite's keys; leave it out, or take global=dstar-lite",
            ),
            Trouble::NoDatabase(name) => write!(f, "the database `{name}` was not handed in"),
            Trouble::OtherResource(name) => write!(f, "`{name}` is for another planner"),
            Trouble::NeedsDatabase(regions) => write!(
                f,
                "the map has {regions} regions, too many to make D LRTA*'s database of {} MB at the start; make it by \
                 `fleetfoot database build MAP --kind d-lrta -o FILE` and name it: d-lrta(database=FILE)",
                DLrtaDatabase::size(*regions as u64).div_ceil(1_000_000)
            ),
            Trouble::OtherThanDatabase(param, has) => {
                write!(f, "the database was built with {param}={has}; leave `{param}` out")
            }
            Trouble::Database(name, error) => write!(f, "`{name}` cannot be used: {error}"),
            Trouble::RecordsOfFile => f.write_str(
                "`records` and `seed` are for making a database; leave them out, or leave `database` out",
            ),
            Trouble::NoCorners(why) => write!(
                f,
                "Corner TBA* searches the corners of a plain grid, and here {why}; use tba on known maps, tbaa where \
                 ground becomes known, rtd(purse=on) where it changes"
            ),
            Trouble::NoWeight => f.write_str("gamma must be more than 0, such as 0.2"),
            Trouble::TiesOnRing => f.write_str("`ties` has a meaning on a heap only; add open=heap"),
        }
    }
}

impl core::error::Error for BuildError {}

/// Builds a planner for a directed graph.
pub fn build_directed<G: ReverseGraph>(spec: &Spec, graph: &G) -> Result<BoxedPlanner<G>, BuildError> {
    let (info, facts) = (spec.info(), spec.facts());
    if facts.coordinates {
        return Err(BuildError(Trouble::NeedsCoordinates(info.name)));
    }
    if facts.undirected {
        return Err(BuildError(Trouble::NeedsUndirected(info.name)));
    }
    build_forward(spec, graph)
}

/// Builds a planner that needs of its graph no more than predecessors, at least to be built.
fn build_forward<G: ReverseGraph>(spec: &Spec, graph: &G) -> Result<BoxedPlanner<G>, BuildError> {
    let direction =
        || if spec.is("direction", "backward") { Direction::Backward } else { Direction::Forward };
    Ok(match spec.info().key {
        "astar" => {
            let config =
                AStarConfig { direction: direction(), open: open(spec)?, prune: spec.is("prune", "on") };
            Box::new(AStar::new(config, graph))
        }
        "repeated-astar" => {
            let replan = match spec.value("replan") {
                "broken" => Replan::Broken,
                "any-change" => Replan::AnyChange,
                _ => Replan::Needed,
            };
            let config = RepeatedAStarConfig { direction: direction(), open: open(spec)?, replan };
            Box::new(RepeatedAStar::new(config, graph))
        }
        "adaptive-astar" => Box::new(AdaptiveAStar::directed(adaptive(spec)?, graph)),
        "dstar-lite" | "non-rtd" => Box::new(DStarLite::new(Focus::PerEpisode, graph)),
        "ad-star" => Box::new(AdStar::new(weights(spec), Focus::PerEpisode, graph)),
        "rtd" | "rtd-noop" => Box::new(rtd(spec, graph)?),
        "ida" => Box::new(Ida::new(graph)),
        "hill-climb" => Box::new(HillClimb),
        "p-lrta" => Box::new(PLrta::new(spec.whole_or("updates"), graph)),
        "lss-lrta" | "da-lss-lrta" => {
            Box::new(LssLrta::new(look_ahead(spec), avoid(spec), graph).with_ties(spec.whole_or("ties")))
        }
        "lrta" => {
            if spec.gives("depth") && spec.whole_or("reach").is_some() {
                return Err(BuildError(Trouble::DepthAndReach));
            }
            let reach = match spec.whole_or("reach") {
                Some(times) => Reach::Cost(times),
                None => Reach::Depth(spec.whole("depth")),
            };
            let rule = match spec.value("rule") {
                "korf-table" => Rule::KorfTable,
                "published" => Rule::Published,
                _ => Rule::PathMax,
            };
            let config = LrtaConfig { reach, rule, goals: spec.whole("goals") as usize };
            Box::new(Lrta::new(config, graph).with_ties(spec.whole_or("ties")))
        }
        "tla" => Box::new(Tla::new(spec.whole_or("lookahead"), graph).with_ties(spec.whole_or("ties"))),
        "lrts" => {
            let (depth, gamma, quota) = (spec.whole("depth"), spec.share("gamma"), spec.whole_or("quota"));
            if gamma == 0 {
                return Err(BuildError(Trouble::NoWeight));
            }
            Box::new(Lrts::new(LrtsConfig { depth, gamma, quota }, graph))
        }
        "rtaa" | "da-rtaa" => {
            Box::new(Rtaa::new(look_ahead(spec), avoid(spec), graph).with_ties(spec.whole_or("ties")))
        }
        key => unreachable!("{key} is in the table of algorithms and cannot be built"),
    })
}

/// Builds a planner for an undirected graph.
pub fn build_undirected<G: Undirected>(spec: &Spec, graph: &G) -> Result<BoxedPlanner<G>, BuildError> {
    let info = spec.info();
    if info.facts.coordinates {
        return Err(BuildError(Trouble::NeedsCoordinates(info.name)));
    }
    Ok(match info.key {
        "adaptive-astar" => Box::new(AdaptiveAStar::undirected(adaptive(spec)?, graph)),
        "tba" => {
            let shortcut = match spec.value("shortcut") {
                "per-step" => Shortcut::PerStep,
                "persistent" => Shortcut::Persistent,
                _ => Shortcut::Off,
            };
            Box::new(Tba::new(TbaConfig { bounds: time_bounded(spec)?, shortcut }, graph))
        }
        "late-tba" => Box::new(LateTba::new(time_bounded(spec)?, spec.whole("seed"), graph)),
        "rtba" => Box::new(Rtba::new(time_bounded(spec)?, graph)),
        "tbaa" => Box::new(Tbaa::new(time_bounded(spec)?, graph)),
        "ribs" => {
            let (pruning, step) = (spec.is("pruning", "on"), spec.share("step"));
            Box::new(Ribs::new(RibsConfig { pruning, expansions: spec.whole_or("expansions"), step }, graph))
        }
        _ => return build_forward(spec, graph),
    })
}

/// Builds a planner for an undirected graph whose nodes have positions.
pub fn build_embedded<G: Embedded>(spec: &Spec, graph: &G) -> Result<BoxedPlanner<G>, BuildError> {
    build_embedded_with(spec, graph, &Resources::NONE)
}

/// The same, with what was made beforehand: a planner whose spec names a database uses the one in `resources` that has
/// this name. What a planner needs and is not handed it makes itself, here and now, which can take long on large maps.
pub fn build_embedded_with<G: Embedded>(
    spec: &Spec,
    graph: &G,
    resources: &Resources,
) -> Result<BoxedPlanner<G>, BuildError> {
    Ok(match spec.info().key {
        "knn-lrta" => {
            let config = KnnLrtaConfig {
                candidates: spec.whole("candidates") as usize,
                limit: u32::try_from(spec.whole("limit")).unwrap_or(u32::MAX),
                direct: spec.is("direct", "on"),
            };
            Box::new(KnnLrta::new(config, resources.knn(spec, graph)?))
        }
        "corner-tba" => {
            let grid = graph.as_grid().ok_or(Trouble::NoCorners("the graph is no grid"))?;
            if grid.corners().is_none() {
                let why =
                    Corners::refusal(grid).unwrap_or("the grid has no index of them (Grid::with_corners)");
                return Err(Trouble::NoCorners(why).into());
            }
            let off_way = if spec.is("off-way", "walk-back") { OffWay::WalkBack } else { OffWay::Choose };
            Box::new(CornerTba::new(off_way, grid))
        }
        "pr-lrta" => {
            let gamma = spec.share("gamma");
            if gamma == 0 {
                return Err(BuildError(Trouble::NoWeight));
            }
            let (level, depth) = (spec.whole("level") as usize, spec.whole("depth") as u32);
            let config = PrLrtaConfig { level, depth, gamma };
            Box::new(PrLrta::new(config, resources.cliques(graph)?, graph))
        }
        "d-lrta" => {
            let cliques = resources.cliques(graph)?;
            let database = resources.d_lrta(spec, graph, &cliques)?;
            Box::new(DLrta::new(database, cliques, graph))
        }
        _ => return build_undirected(spec, graph),
    })
}

fn adaptive(spec: &Spec) -> Result<AdaptiveAStarConfig, BuildError> {
    Ok(AdaptiveAStarConfig { lazy: spec.is("lazy", "on"), open: open(spec)?, replan: Replan::Needed })
}

/// RTD*, or RTD* `NoOp` where the spec names no learner.
fn rtd<G: ReverseGraph>(spec: &Spec, graph: &G) -> Result<Rtd, BuildError> {
    let focus = match spec.value("focus") {
        "per-step" => Focus::PerStep,
        "on-change" => Focus::OnChange,
        _ => Focus::PerEpisode,
    };
    let global = if spec.is("global", "ad-star") {
        if focus == Focus::OnChange {
            return Err(BuildError(Trouble::KeysOnChange));
        }
        Global::AdStar(AdStar::new(weights(spec), focus, graph))
    } else if ["epsilon", "decrease", "increase"].iter().any(|name| spec.gives(name)) {
        return Err(BuildError(Trouble::WeightOfNothing));
    } else {
        Global::DStarLite(DStarLite::new(focus, graph))
    };
    let ahead = LookAhead { expansions: None, moves: None };
    let local = match spec.value("local") {
        "lrta" => Local::Lrta(Lrta::new(
            LrtaConfig { reach: Reach::Depth(u64::MAX), rule: Rule::PathMax, goals: 1 },
            graph,
        )),
        "tla" => Local::Tla(Tla::new(None, graph)),
        "lss-lrta" => Local::LssLrta(LssLrta::new(ahead, Avoid::Nothing, graph)),
        "rtaa" => Local::Rtaa(Rtaa::new(ahead, Avoid::Nothing, graph)),
        _ => Local::NoOp,
    };
    let no_way = match spec.value("no-path") {
        "wait" => NoWay::Wait,
        "local" => NoWay::Local,
        _ => NoWay::Report,
    };
    Ok(Rtd::new(
        RtdConfig { ratio: spec.share("ratio"), no_way, purse: spec.is("purse", "on") },
        global,
        local,
    ))
}

fn weights(spec: &Spec) -> Weights {
    Weights {
        epsilon: spec.share("epsilon"),
        decrease: spec.share("decrease"),
        increase: spec.share("increase"),
    }
}

fn look_ahead(spec: &Spec) -> LookAhead {
    LookAhead { expansions: spec.whole_or("lookahead"), moves: spec.whole_or("moves") }
}

fn avoid(spec: &Spec) -> Avoid {
    match spec.value("avoid") {
        "depressions" => Avoid::Depressions,
        "marked" => Avoid::Marked,
        _ => Avoid::Nothing,
    }
}

fn time_bounded(spec: &Spec) -> Result<TimeBoundedConfig, BuildError> {
    Ok(TimeBoundedConfig {
        r: spec.share("r"),
        c: u32::try_from(spec.whole("c")).unwrap_or(u32::MAX),
        open: open(spec)?,
        first_step: if spec.is("first-step", "depth") { FirstStep::Depth } else { FirstStep::Min },
        switch_rule: spec.is("switch-rule", "on"),
        hold_at_frontier: spec.is("hold-at-frontier", "on"),
    })
}

fn open(spec: &Spec) -> Result<OpenKind, BuildError> {
    match (spec.value("open"), spec.value("ties")) {
        ("heap", "smaller-g") => Ok(OpenKind::Heap(Ties::SmallerG)),
        ("heap", _) => Ok(OpenKind::Heap(Ties::LargerG)),
        _ if spec.gives("ties") => Err(BuildError(Trouble::TiesOnRing)),
        _ => Ok(OpenKind::Ring),
    }
}
