//! The specs to test: each algorithm, and each value of each parameter.

use fleetfoot::registry::{ALGORITHMS, Param, PlannerInfo, Spec, Values};
use fleetfoot::{Grid, Rules};

/// Returns every algorithm with its default parameters.
pub fn defaults() -> Vec<Spec> {
    ALGORITHMS.iter().map(|info| parse(info.key)).collect()
}

/// Returns every algorithm with its defaults, and with each parameter set to each word it accepts, or to the ends
/// of its range. A value that requires another one is combined with it.
pub fn every_spec() -> Vec<Spec> {
    let mut all = Vec::new();
    for info in ALGORITHMS {
        all.push(parse(info.key));
        for param in info.params {
            let choices = choices(param).into_iter().filter(|choice| choice != param.default);
            all.extend(choices.filter_map(|choice| buildable(info, param, &choice)));
        }
    }
    all
}

fn parse(text: &str) -> Spec {
    text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn choices(param: &Param) -> Vec<String> {
    match param.values {
        Values::OneOf(words) => words.iter().map(ToString::to_string).collect(),
        Values::Int(least, most) => vec![least.to_string(), most.min(least + 16).to_string()],
        Values::IntOr(word, least, most) => {
            vec![word.to_string(), least.to_string(), most.min(least + 16).to_string()]
        }
        Values::Share => vec!["0".to_string(), "0.5".to_string(), "1".to_string()],
        Values::Decimal(least, most) => vec![least.to_string(), format!("{least}.75"), most.to_string()],
        Values::Text => Vec::new(),
    }
}

/// Returns the algorithm with this value, alone or with one more. `None` if no planner can be built with it.
fn buildable(info: &PlannerInfo, param: &Param, choice: &str) -> Option<Spec> {
    let grid = Grid::new(2, 2, Rules::default(), |_, _| 1).expect("a small grid is valid").with_corners();
    let alone = format!("{}={choice}", param.name);
    let others = info.params.iter().filter(|other| other.name != param.name);
    let pairs =
        others.flat_map(|other| choices(other).into_iter().map(|value| format!("{}={value}", other.name)));
    let lists = std::iter::once(alone.clone()).chain(pairs.map(|pair| format!("{alone},{pair}")));
    lists.map(|list| parse(&format!("{}({list})", info.key))).find(|spec| spec.build(&grid).is_ok())
}
