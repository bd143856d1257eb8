//! The algorithms as data: what each is called, what it needs and promises, how it is built from a text such
//! as `repeated-astar(direction=backward)`, and how it is saved and restored.

mod saved;
mod spec;

use alloc::boxed::Box;
use core::fmt;

pub use saved::{Saved, restore_directed, restore_embedded, restore_undirected, save};
pub use spec::{Spec, SpecError};

use crate::graph::{Embedded, ReverseGraph, Undirected};
use crate::parts::{OpenKind, Ties};
use crate::planner::Planner;
use crate::planners::{
    AStar, AStarConfig, AdStar, AdaptiveAStar, AdaptiveAStarConfig, Avoid, DEEPEST, DStarLite, Direction,
    FirstStep, Focus, Global, HillClimb, Ida, LateTba, Local, LookAhead, Lrta, LrtaConfig, Lrts, LrtsConfig,
    LssLrta, NoWay, PLrta, Reach, RepeatedAStar, RepeatedAStarConfig, Replan, Ribs, RibsConfig, Rtaa, Rtba,
    Rtd, RtdConfig, Rule, Shortcut, Tba, TbaConfig, Tbaa, TimeBoundedConfig, Tla, Weights,
};

/// A planner built from a spec.
pub type BoxedPlanner<G> = Box<dyn Planner<G> + Send + Sync>;

/// What an algorithm promises and needs. The conformance kit tests each claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "a table of independent facts")]
pub struct Facts {
    /// No step exceeds its budget. At the papers' prices tracing is free: A* and its kin then trace their whole path
    /// in the step in which the search ends, as the game time model has it, and eager Adaptive A* makes its whole pass at
    /// once; TBA* and its kin keep a bound of their own.
    pub bounded: bool,
    /// Arrives if the world stands still and the goal can be reached from wherever the agent gets to.
    pub complete: bool,
    /// Where there is no way, says so before long. Others may say so, but need not.
    pub proves_no_path: bool,
    /// Expands the same states in the same order however its budget is sliced.
    pub slice_invariant: bool,
    /// At an unlimited budget in a known world that stands still it walks a shortest path.
    pub optimal: bool,
    /// Works with a map that reveals itself under the freespace assumption.
    pub unknown_terrain: bool,
    /// Keeps its promises when costs rise.
    pub rising_costs: bool,
    /// Keeps its promises when costs fall.
    pub falling_costs: bool,
    /// Its work grows with the graph, not with the number of ways through it. Others keep their promises on small graphs;
    /// on large ones they may not come to an end, and neither may a step without a budget.
    pub scales: bool,
    /// Needs a graph in which every move can be taken back.
    pub undirected: bool,
    /// Needs positions of nodes.
    pub coordinates: bool,
    /// Needs a world that stands still; others that promise nothing when costs change may be tried there.
    pub still: bool,
}

/// What values a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Values {
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// A whole number in this range.
    Whole(u64, u64),
    /// This word, or a whole number in this range.
    WholeOr(&'static str, u64, u64),
    /// A share between 0 and 1: `0.9`, or `90%`.
    Share,
    /// A decimal number in this range.
    Decimal(u32, u32),
    /// Any text.
    Text,
}

/// A parameter of an algorithm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Param {
    /// Its name in a spec.
    pub name: &'static str,
    /// What it is if not given.
    pub default: &'static str,
    /// What it may be.
    pub values: Values,
    /// What it does.
    pub doc: &'static str,
}

/// An algorithm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Info {
    /// Its name in specs.
    pub key: &'static str,
    /// Its name in print.
    pub name: &'static str,
    /// Where it was published.
    pub paper: &'static str,
    /// What it does, in a line.
    pub summary: &'static str,
    /// What it promises and needs.
    pub facts: Facts,
    /// What can be set.
    pub params: &'static [Param],
}

const DIRECTION: Param = Param {
    name: "direction",
    default: "forward",
    values: Values::OneOf(&["forward", "backward"]),
    doc: "search from the agent to the goal, or from the goal to the agent",
};
const OPEN: Param = Param {
    name: "open",
    default: "ring",
    values: Values::OneOf(&["ring", "heap"]),
    doc: "open list: exact-f buckets (last in first out), or an indexed heap",
};
const TIES: Param = Param {
    name: "ties",
    default: "larger-g",
    values: Values::OneOf(&["larger-g", "smaller-g"]),
    doc: "which of two states with equal f comes first; needs open=heap",
};

const R: Param = Param {
    name: "r",
    default: "0.9",
    values: Values::Share,
    doc: "share of the budget that goes to expansions; the rest goes to tracing",
};
const C: Param = Param {
    name: "c",
    default: "10",
    values: Values::Whole(1, 1_000_000),
    doc: "trace steps for one expansion",
};
const FIRST_STEP: Param = Param {
    name: "first-step",
    default: "min",
    values: Values::OneOf(&["min", "depth"]),
    doc: "first step: expand no more states than can be traced, or until the tree is that deep",
};
const SWITCH_RULE: Param = Param {
    name: "switch-rule",
    default: "off",
    values: Values::OneOf(&["off", "on"]),
    doc: "keep to the present path while a new one leads less far from the start",
};
const HOLD: Param = Param {
    name: "hold-at-frontier",
    default: "off",
    values: Values::OneOf(&["off", "on"]),
    doc: "stand at the end of the path while the next is traced, instead of walking back",
};

const LOOKAHEAD: Param = Param {
    name: "lookahead",
    default: "budget",
    values: Values::WholeOr("budget", 1, 1_000_000_000),
    doc: "expansions before each decision, as far as the step's budget goes; or all that it grants",
};
const MOVES: Param = Param {
    name: "moves",
    default: "all",
    values: Values::WholeOr("all", 1, 1_000_000_000),
    doc: "moves before the next look-ahead: all to where it ended, or so many at most",
};
const LAST_TIES: Param = Param {
    name: "ties",
    default: "first",
    values: Values::WholeOr("first", 0, u64::MAX),
    doc: "between states of equal f and g: the first generated, or drawn at random from this seed",
};
const AVOID: Param = Param {
    name: "avoid",
    default: "depressions",
    values: Values::OneOf(&["depressions", "marked"]),
    doc: "go to the open state whose value was raised least, or to the best of those never raised",
};

const GLOBAL: Param = Param {
    name: "global",
    default: "dstar-lite",
    values: Values::OneOf(&["dstar-lite", "ad-star"]),
    doc: "the far-sighted search: exact, or weighted at first so that it reaches the agent sooner",
};
const FOCUS: Param = Param {
    name: "focus",
    default: "per-episode",
    values: Values::OneOf(&["per-episode", "per-step", "on-change"]),
    doc: "turn the far-sighted search to the agent when it begins anew; every step, which may starve it; as the paper's program",
};
const EPSILON: Param = Param {
    name: "epsilon",
    default: "3",
    values: Values::Decimal(1, 100),
    doc: "AD*: weight of the heuristic at first; ways cost at most so many times the shortest",
};
const DECREASE: Param = Param {
    name: "decrease",
    default: "0.5",
    values: Values::Decimal(0, 100),
    doc: "AD*: by how much the weight falls after each search",
};
const INCREASE: Param = Param {
    name: "increase",
    default: "0.1",
    values: Values::Decimal(0, 100),
    doc: "AD*: by how much a change between the agent and its goal raises the weight",
};

/// What holds for every complete algorithm that plans for the graph as it is.
const COMPLETE: Facts = Facts {
    bounded: true,
    complete: true,
    proves_no_path: true,
    slice_invariant: true,
    optimal: true,
    unknown_terrain: true,
    rising_costs: true,
    falling_costs: true,
    scales: true,
    undirected: false,
    coordinates: false,
    still: false,
};

/// What holds for TBA* and its kin.
const TIME_BOUNDED: Facts =
    Facts { unknown_terrain: false, rising_costs: false, falling_costs: false, undirected: true, ..COMPLETE };

/// What holds for RIBS as it is by default; [`Spec::facts`] knows what its parameters change.
const DEEPENING: Facts = Facts { optimal: false, unknown_terrain: true, still: true, ..TIME_BOUNDED };

/// What holds for agents that look ahead by A* and learn.
const LEARNING: Facts =
    Facts { proves_no_path: false, slice_invariant: false, falling_costs: false, ..COMPLETE };

/// Every algorithm, in the order of `fleetfoot list`.
pub const ALGORITHMS: &[Info] = &[
    Info {
        key: "astar",
        name: "A*",
        paper: "Hart, Nilsson, Raphael 1968",
        summary: "waits until its shortest path is complete, then walks it; plans anew on any change",
        facts: COMPLETE,
        params: &[
            DIRECTION,
            OPEN,
            TIES,
            Param {
                name: "prune",
                default: "on",
                values: Values::OneOf(&["on", "off"]),
                doc: "forward only: search one of all equally good ways over open ground",
            },
        ],
    },
    Info {
        key: "repeated-astar",
        name: "Repeated A*",
        paper: "as in Koenig, Likhachev 2006",
        summary: "A* again from scratch whenever the path ahead breaks; for unknown terrain",
        facts: COMPLETE,
        params: &[
            DIRECTION,
            OPEN,
            TIES,
            Param {
                name: "replan",
                default: "needed",
                values: Values::OneOf(&["needed", "broken", "any-change"]),
                doc: "on a rise ahead or a fall that may help; on a rise ahead only; on any change",
            },
        ],
    },
    Info {
        key: "adaptive-astar",
        name: "Adaptive A*",
        paper: "Koenig, Likhachev 2005",
        summary: "Repeated A* that learns a better heuristic from every search; for unknown terrain",
        facts: Facts { falling_costs: false, ..COMPLETE },
        params: &[
            OPEN,
            TIES,
            Param {
                name: "lazy",
                default: "on",
                values: Values::OneOf(&["on", "off"]),
                doc: "update a state when it is met again, or all states before the next search",
            },
        ],
    },
    Info {
        key: "tba",
        name: "TBA*",
        paper: "Björnsson, Bulitko, Sturtevant 2009",
        summary: "moves at once along the most promising path of one A* that goes on from step to step",
        facts: TIME_BOUNDED,
        params: &[
            R,
            C,
            OPEN,
            FIRST_STEP,
            Param {
                name: "shortcut",
                default: "off",
                values: Values::OneOf(&["off", "per-step", "persistent"]),
                doc: "off the goal's path: walk back, or look for a shorter way, anew each step or going on; a small gain",
            },
            SWITCH_RULE,
            HOLD,
        ],
    },
    Info {
        key: "late-tba",
        name: "late-acting TBA*",
        paper: "Björnsson, Bulitko, Sturtevant 2009",
        summary: "the baseline that paces at the start until the goal's path is there",
        facts: TIME_BOUNDED,
        params: &[
            R,
            C,
            OPEN,
            Param {
                name: "seed",
                default: "0",
                values: Values::Whole(0, u64::MAX),
                doc: "draws the neighbour to pace to",
            },
        ],
    },
    Info {
        key: "rtba",
        name: "RTBA*",
        paper: "Hernández, Baier, Uras, Koenig 2012",
        summary: "TBA* for unknown terrain: starts anew where the agent is when its path breaks",
        facts: Facts { unknown_terrain: true, rising_costs: true, slice_invariant: false, ..TIME_BOUNDED },
        params: &[R, C, OPEN, FIRST_STEP, SWITCH_RULE, HOLD],
    },
    Info {
        key: "tbaa",
        name: "TBAA*",
        paper: "Hernández, Baier, Uras, Koenig 2012",
        summary: "RTBA* that learns a better heuristic from every search it has to drop",
        facts: Facts { unknown_terrain: true, rising_costs: true, slice_invariant: false, ..TIME_BOUNDED },
        params: &[R, C, OPEN, FIRST_STEP, SWITCH_RULE, HOLD],
    },
    Info {
        key: "lrta",
        name: "LRTA*",
        paper: "Korf 1990",
        summary: "values the states around it, raises its own value to the best of them, takes one step",
        facts: Facts { optimal: false, ..LEARNING },
        params: &[
            Param {
                name: "depth",
                default: "1",
                values: Values::Whole(1, 1_000_000),
                doc: "look ahead so many edges, as far as the budget goes",
            },
            Param {
                name: "reach",
                default: "depth",
                values: Values::WholeOr("depth", 1, 1_000_000),
                doc: "look ahead by cost instead: as far as so many times the dearest edge",
            },
            Param {
                name: "rule",
                default: "pathmax",
                values: Values::OneOf(&["pathmax", "korf-table", "published"]),
                doc: "value of a state: greatest g+h on the way; Korf's table of neighbours; g+h alone, which may loop for ever",
            },
            Param {
                name: "goals",
                default: "1",
                values: Values::Whole(1, 1000),
                doc: "for how many goals to keep what was learned, the present one included",
            },
            LAST_TIES,
        ],
    },
    Info {
        key: "tla",
        name: "TLA*",
        paper: "as in Bond, Widger, Ruml, Sun 2010",
        summary: "LRTA* that looks ahead by A*: its own value rises to the best f, and it takes one step",
        facts: LEARNING,
        params: &[LOOKAHEAD, LAST_TIES],
    },
    Info {
        key: "p-lrta",
        name: "P-LRTA*",
        paper: "Rayner, Davison, Bulitko, Anderson, Lu 2007",
        summary: "LRTA* that passes on what it learns to where that matters most, moves on",
        facts: Facts { optimal: false, ..LEARNING },
        params: &[Param {
            name: "updates",
            default: "budget",
            values: Values::WholeOr("budget", 0, 1_000_000_000),
            doc: "N: states on the queue, and updates from it before each move; or all that the budget grants",
        }],
    },
    Info {
        key: "lss-lrta",
        name: "LSS-LRTA*",
        paper: "Koenig, Sun 2009; as LRTA* in Koenig, Likhachev 2006",
        summary: "looks ahead by A*, learns the best consistent heuristic of all it searched, moves on",
        facts: LEARNING,
        params: &[LOOKAHEAD, MOVES, LAST_TIES],
    },
    Info {
        key: "rtaa",
        name: "RTAA*",
        paper: "Koenig, Likhachev 2006",
        summary: "LSS-LRTA* with a lesson of one subtraction per state: cheaper, a little less informed",
        facts: LEARNING,
        params: &[LOOKAHEAD, MOVES, LAST_TIES],
    },
    Info {
        key: "da-lss-lrta",
        name: "daLSS-LRTA*",
        paper: "Hernández, Baier 2012",
        summary: "LSS-LRTA* that heads for the border of what it has learned about",
        facts: LEARNING,
        params: &[LOOKAHEAD, MOVES, AVOID, LAST_TIES],
    },
    Info {
        key: "da-rtaa",
        name: "daRTAA*",
        paper: "Hernández, Baier 2012",
        summary: "RTAA* that heads for the border of what it has learned about",
        facts: LEARNING,
        params: &[LOOKAHEAD, MOVES, AVOID, LAST_TIES],
    },
    Info {
        key: "lrts",
        name: "LRTS",
        paper: "Bulitko, Lee 2006",
        summary: "LRTA* that weighs costs, walks its whole look-ahead, and turns back when it learns too much",
        facts: Facts { optimal: false, ..LEARNING },
        params: &[
            Param {
                name: "depth",
                default: "1",
                values: Values::Whole(1, DEEPEST),
                doc: "levels to look ahead, as far as the budget goes, and then to walk",
            },
            Param {
                name: "gamma",
                default: "1",
                values: Values::Share,
                doc: "weight of the cost of the way against what is left",
            },
            Param {
                name: "quota",
                default: "inf",
                values: Values::WholeOr("inf", 0, 1_000_000_000),
                doc: "learn so much, in dearest edges, before turning back to where it decided last",
            },
        ],
    },
    Info {
        key: "ribs",
        name: "RIBS",
        paper: "Sturtevant, Bulitko, Björnsson 2010",
        summary: "iterative deepening on foot: learns costs from its start; slow where f-values are dense (√2)",
        facts: DEEPENING,
        params: &[
            Param {
                name: "pruning",
                default: "on",
                values: Values::OneOf(&["on", "off"]),
                doc: "leave out states that are dead or redundant",
            },
            Param {
                name: "expansions",
                default: "1",
                values: Values::WholeOr("budget", 1, 1_000_000_000),
                doc: "steps per tick of a virtual agent that is followed: so many at most, or all that the budget grants",
            },
            Param {
                name: "step",
                default: "0",
                values: Values::Share,
                doc: "raise the limit by at least this share of the dearest edge; costs learned are too large by less than that",
            },
        ],
    },
    Info {
        key: "dstar-lite",
        name: "D* Lite",
        paper: "Koenig, Likhachev 2002",
        summary: "searches back from the goal, and repairs that search when costs rise or fall; waits meanwhile",
        facts: COMPLETE,
        params: &[],
    },
    Info {
        key: "ad-star",
        name: "Anytime D*",
        paper: "Likhachev, Ferguson, Gordon, Stentz, Thrun 2005",
        summary: "D* Lite that finds a dearer way sooner and betters it while the agent walks",
        facts: Facts { slice_invariant: false, ..COMPLETE },
        params: &[EPSILON, DECREASE, INCREASE],
    },
    Info {
        key: "rtd",
        name: "RTD*",
        paper: "Bond, Widger, Ruml, Sun 2010",
        summary: "a learner moves the agent until a repaired search from the goal reaches it; for changing worlds",
        facts: Facts { proves_no_path: false, slice_invariant: false, ..COMPLETE },
        params: &[
            GLOBAL,
            Param {
                name: "local",
                default: "lss-lrta",
                values: Values::OneOf(&["lrta", "tla", "lss-lrta", "rtaa"]),
                doc: "the learner that moves the agent meanwhile",
            },
            Param {
                name: "ratio",
                default: "0.5",
                values: Values::Share,
                doc: "the learner's part of the budget",
            },
            FOCUS,
            Param {
                name: "no-path",
                default: "report",
                values: Values::OneOf(&["report", "wait", "local"]),
                doc: "where there is no way: say so, and stand while the world may change; stand; move by the learner",
            },
            Param {
                name: "purse",
                default: "off",
                values: Values::OneOf(&["off", "on"]),
                doc: "give the far-sighted search what the learner leaves over; not in the paper",
            },
            EPSILON,
            DECREASE,
            INCREASE,
        ],
    },
    Info {
        key: "rtd-noop",
        name: "RTD* NoOp",
        paper: "Bond, Widger, Ruml, Sun 2010",
        summary: "RTD* without a learner: stands until the repaired search reaches it; for comparison",
        facts: COMPLETE,
        params: &[GLOBAL, FOCUS, EPSILON, DECREASE, INCREASE],
    },
    Info {
        key: "non-rtd",
        name: "Non-RTD*",
        paper: "Bond, Widger, Ruml, Sun 2010",
        summary: "D* Lite with all the time it wants in every step: no bound; for comparison",
        facts: Facts { bounded: false, ..COMPLETE },
        params: &[],
    },
    Info {
        key: "ida",
        name: "IDA*",
        paper: "Korf 1985",
        summary: "A* in memory linear in the path's length, at any price in work; for comparison",
        facts: Facts { unknown_terrain: false, scales: false, ..COMPLETE },
        params: &[],
    },
    Info {
        key: "hill-climb",
        name: "hill climbing",
        paper: "as in Bulitko, Björnsson, Lawrence 2010",
        summary: "to the best neighbour that looks nearer, until there is none; for comparison",
        facts: Facts { complete: false, proves_no_path: false, optimal: false, ..COMPLETE },
        params: &[],
    },
];

/// The algorithm with this key.
pub fn find(key: &str) -> Option<&'static Info> {
    ALGORITHMS.iter().find(|info| info.key == key)
}

/// Why a planner cannot be built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildError(Trouble);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Trouble {
    NeedsUndirected(&'static str),
    NeedsCoordinates(&'static str),
    TiesOnRing,
    NoWeight,
    DepthAndReach,
    WeightOfNothing,
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
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
    build_undirected(spec, graph)
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
