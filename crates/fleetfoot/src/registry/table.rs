//! The table of algorithms.

use super::{Facts, Info, Param, Values};
use crate::planners::DEEPEST;

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

/// What holds for planners that use what was computed of a map beforehand.
const DATABASE: Facts = Facts {
    proves_no_path: false,
    slice_invariant: false,
    optimal: false,
    unknown_terrain: false,
    rising_costs: false,
    falling_costs: false,
    undirected: true,
    coordinates: true,
    ..COMPLETE
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
    corners: false,
};

/// What holds for TBA* and its kin.
const TIME_BOUNDED: Facts =
    Facts { unknown_terrain: false, rising_costs: false, falling_costs: false, undirected: true, ..COMPLETE };

/// What holds for RIBS as it is by default; [`Spec::facts`] knows what its parameters change.
const DEEPENING: Facts = Facts { optimal: false, unknown_terrain: true, still: true, ..TIME_BOUNDED };

/// What holds for agents that look ahead by A* and learn.
const LEARNING: Facts =
    Facts { proves_no_path: false, slice_invariant: false, falling_costs: false, ..COMPLETE };

/// What holds for those that think on an abstraction of a map that they know.
const ABSTRACT: Facts = Facts { optimal: false, coordinates: true, still: true, ..TIME_BOUNDED };

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
        key: "corner-tba",
        name: "Corner TBA*",
        paper: "our own; corners as in Uras, Koenig, Hernández 2013",
        summary: "TBA* among the corners of obstacles: nearly the whole search at small budgets, in any world of plain grids",
        facts: Facts {
            slice_invariant: false,
            undirected: true,
            coordinates: true,
            corners: true,
            ..COMPLETE
        },
        params: &[Param {
            name: "off-way",
            default: "choose",
            values: Values::OneOf(&["choose", "walk-back"]),
            doc: "the goal found and the agent off the way: search anew where that can save much, or walk back",
        }],
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
        key: "pr-lrta",
        name: "PR LRTA*",
        paper: "Bulitko, Sturtevant, Lu, Yau 2007",
        summary: "LRTA* from region to region of an abstraction; only the way into the next is worked out",
        facts: ABSTRACT,
        params: &[
            Param {
                name: "level",
                default: "4",
                values: Values::Whole(1, 8),
                doc: "level of the clique abstraction to think on; a region there has up to 4 to its power cells, and tails",
            },
            Param {
                name: "depth",
                default: "5",
                values: Values::Whole(1, DEEPEST),
                doc: "look ahead so many regions",
            },
            Param {
                name: "gamma",
                default: "1",
                values: Values::Share,
                doc: "weight of costs already paid: less makes it more daring; more than 0",
            },
        ],
    },
    Info {
        key: "d-lrta",
        name: "D LRTA*",
        paper: "Bulitko, Luštrek, Schaeffer, Björnsson, Sigmundarson 2008",
        summary: "LRTA* towards intermediate goals, at depths for each, which a database has for pairs of regions",
        facts: Facts { slice_invariant: false, ..ABSTRACT },
        params: &[
            Param {
                name: "level",
                default: "3",
                values: Values::Whole(3, 8),
                doc: "level of the clique abstraction whose nodes are the regions; that of the database, if one is named",
            },
            Param {
                name: "depth",
                default: "16",
                values: Values::Whole(1, 255),
                doc: "the greatest depth; that of the database, if one is named",
            },
            Param {
                name: "goals",
                default: "onward",
                values: Values::OneOf(&["onward", "published"]),
                doc: "intermediate goals that never lead back, or the paper's, which may; those of the database, if one is named",
            },
            Param {
                name: "database",
                default: "none",
                values: Values::Text,
                doc: "the database to use; none makes one at the start, on small maps",
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
                doc: "the learner's part of the budget; one expansion at least, and with 1 the learner is all there is",
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
        key: "knn-lrta",
        name: "kNN LRTA*",
        paper: "Bulitko, Björnsson, Lawrence 2010",
        summary: "led from sub-goal to sub-goal by a record of a similar problem; one expansion a move",
        facts: DATABASE,
        params: &[
            Param {
                name: "database",
                default: "none",
                values: Values::Text,
                doc: "the file of records; with none they are made when the planner is built",
            },
            Param {
                name: "records",
                default: "auto",
                values: Values::WholeOr("auto", 0, 1_000_000),
                doc: "without a database: how many to make; by itself one for every hundred states",
            },
            Param {
                name: "seed",
                default: "1",
                values: Values::Whole(0, u64::MAX),
                doc: "without a database: what their problems are drawn from",
            },
            Param {
                name: "candidates",
                default: "10",
                values: Values::Whole(1, 1000),
                doc: "how many similar records are tried",
            },
            Param {
                name: "limit",
                default: "250",
                values: Values::Whole(1, 1_000_000),
                doc: "steps after which a climb to a record, or from it to the goal, has failed",
            },
            Param {
                name: "direct",
                default: "on",
                values: Values::OneOf(&["on", "off"]),
                doc: "first try whether climbing alone leads to the goal",
            },
        ],
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
