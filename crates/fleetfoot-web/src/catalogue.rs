//! The available planners and maps, as JSON for the page.

use fleetfoot::registry::{ALGORITHMS, Param, PlannerInfo, Values};
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::formats::map::{parse_map, write_map_to};
use fleetfoot_sim::generate::builtin::{BUILTINS, find};
use fleetfoot_sim::generate::problems::{Pair, random_problems};
use fleetfoot_sim::map::GridMap;
use serde_json::{Value, json};

/// Maximum number of cells: maps that a browser can show and four planners can share.
pub const MOST_CELLS: u64 = 1 << 20;

/// Returns the planners with their properties and parameters.
pub fn planners() -> Value {
    ALGORITHMS.iter().map(planner).collect()
}

fn planner(info: &PlannerInfo) -> Value {
    let facts = &info.facts;
    json!({
        "key": info.key,
        "name": info.name,
        "paper": info.paper,
        "summary": info.summary,
        "unknown": facts.unknown_terrain,
        "rising": facts.rising_costs && !facts.static_only,
        "falling": facts.falling_costs && !facts.static_only,
        "params": info.params.iter().map(param).collect::<Vec<_>>(),
    })
}

fn param(param: &Param) -> Value {
    let words: &[&str] = if let Values::OneOf(words) = param.values { words } else { &[] };
    json!({ "name": param.name, "default": param.default, "about": param.doc, "words": words })
}

/// Returns the built-in maps with their descriptions.
pub fn builtins() -> Value {
    BUILTINS.iter().map(|builtin| json!({ "name": builtin.name, "about": builtin.about })).collect()
}

/// A map with a problem on it.
#[derive(Clone, Debug)]
pub struct Place {
    /// The map.
    pub map: GridMap,
    /// Start of the agents.
    pub start: (u32, u32),
    /// Goal of the agents.
    pub goal: (u32, u32),
    /// Cells that may open and close.
    pub doors: Vec<(u32, u32)>,
}

/// Returns a built-in map, with its own problem or a random one.
///
/// # Errors
/// If there is no such map.
pub fn builtin(name: &str, seed: u64) -> Result<Place, InputError> {
    let made = find(name)?.make()?;
    let ends = made.start.zip(made.goal);
    let (start, goal) = match ends {
        Some(ends) => ends,
        None => farthest(&made.map, seed)?,
    };
    Ok(Place { map: made.map, start, goal, doors: made.doors })
}

/// Parses a `MovingAI` file. Adds a random problem.
///
/// # Errors
/// If it is not a map, is too large for the page, or has no two connected free cells.
pub fn read(bytes: &[u8], seed: u64) -> Result<Place, InputError> {
    let map = parse_map(bytes)?;
    let cells = u64::from(map.width()) * u64::from(map.height());
    if cells > MOST_CELLS {
        let what = format!("the map has {}x{} cells, more than this page shows", map.width(), map.height());
        return Err(InputError::new(what, format!("use a map of up to {MOST_CELLS} cells, or the program")));
    }
    let (start, goal) = farthest(&map, seed)?;
    Ok(Place { map, start, goal, doors: Vec::new() })
}

/// Returns the one of ten random problems whose ends are farthest apart, since a long path shows more.
fn farthest(map: &GridMap, seed: u64) -> Result<Pair, InputError> {
    let problems = random_problems(map, 10, seed)?;
    let apart =
        |&((sx, sy), (gx, gy)): &Pair| u64::from(sx.abs_diff(gx)).pow(2) + u64::from(sy.abs_diff(gy)).pow(2);
    Ok(problems.into_iter().max_by_key(apart).expect("ten of them"))
}

/// Makes a map from the letters that the page has drawn.
///
/// # Errors
/// If a side is 0, letters are missing, or one is unknown.
pub fn drawn(width: u32, height: u32, letters: &[u8]) -> Result<GridMap, InputError> {
    if u64::from(width) * u64::from(height) != letters.len() as u64 {
        let what = format!("{} letters do not make a map of {width}x{height} cells", letters.len());
        return Err(InputError::new(what, "copy the whole address again"));
    }
    let text = String::from_utf8_lossy(letters);
    let rows: Vec<&str> = text
        .as_bytes()
        .chunks(width.max(1) as usize)
        .map(|row| std::str::from_utf8(row).unwrap_or("?"))
        .collect();
    GridMap::from_rows(&rows)
}

/// Formats a map as the text of a file.
pub fn text(map: &GridMap) -> String {
    let mut out = Vec::new();
    write_map_to(&mut out, map).expect("memory takes everything");
    String::from_utf8(out).expect("letters are ASCII")
}
