//! The setup of a session: everything that determines it.

use fleetfoot::registry::Spec;
use fleetfoot::{Grid, NodeId, Rules};
use fleetfoot_sim::budget::{Budget, PriceList};
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::map::GridMap;
use fleetfoot_sim::sensor::Sight;
use fleetfoot_sim::world::Terrain;
use serde::{Deserialize, Serialize};

/// Weights of drawn grass and swamp.
pub(crate) const TERRAIN: &str = "G=2,S=4";
/// Maximum number of planners side by side.
const MOST_PLANNERS: usize = 4;

/// Price lists by their names, as addresses have them.
mod by_name {
    use fleetfoot_sim::budget::PriceList;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
    pub(super) fn serialize<S: Serializer>(list: &PriceList, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(list.name())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<PriceList, D::Error> {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}

/// The setup of a session. The map's letters are separate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setup {
    /// Name of the map: `builtin:rooms100` for an unchanged built-in map, anything else otherwise.
    pub name: String,
    /// Start of the agents: column and row.
    pub start: (u32, u32),
    /// Goal of the agents.
    pub goal: (u32, u32),
    /// One to four planners, as on the command line.
    pub planners: Vec<String>,
    /// Budget of a tick in expansions. `None` is unlimited.
    pub budget: Option<u64>,
    /// Prices of work; by default all work is charged. Older addresses call it `toll`.
    #[serde(default, alias = "toll", with = "by_name")]
    pub prices: PriceList,
    /// Sight radius of agents. `None` if they know the map.
    pub radius: Option<u32>,
    /// Grass and swamp are heavier than other terrain.
    pub weighs: bool,
    /// Cells that open and close.
    pub doors: Vec<(u32, u32)>,
    /// Number of ticks between swings of each door; 0 if they do not swing.
    pub swing: u64,
    /// Edits by tick: tick, column, row, weight. [`Session::edit`](crate::Session::edit) adds further ones.
    pub changes: Vec<(u64, u32, u32, u8)>,
}

impl Setup {
    /// Returns the terrain.
    pub(crate) fn terrain(&self) -> Terrain {
        let terrain = if self.weighs { TERRAIN.parse() } else { Ok(Terrain::default()) };
        terrain.expect("the terrain is well-formed")
    }

    /// Returns the budget.
    pub(crate) fn budget(&self) -> Budget {
        self.budget.map_or(Budget::Unlimited, Budget::Expansions)
    }

    /// Returns the range of the agents' sensors. Returns `None` if they know the map.
    pub(crate) fn sight(&self) -> Option<Sight> {
        self.radius.map(|radius| Sight::Radius(radius.max(2)))
    }

    /// Returns the world before the first tick.
    ///
    /// # Errors
    /// If the map is too large for such weights.
    pub(crate) fn truth(&self, map: &GridMap) -> Result<Grid, InputError> {
        let terrain = self.terrain();
        let grid = terrain.grid(map, Rules::default())?;
        if !self.weighs {
            return Ok(grid);
        }
        // Costs stay as they are, whatever is drawn later.
        let (least, most) = terrain.weights().into_inner();
        grid.with_weights(least, most).map_err(|error| {
            let text = error.to_string();
            let (what, remedy) = text.split_once("; ").unwrap_or((&text, "use a smaller map"));
            InputError::new(what, remedy)
        })
    }

    /// Returns start and goal.
    ///
    /// # Errors
    /// If one of them is blocked or outside the map.
    pub(crate) fn ends(&self, truth: &Grid) -> Result<(NodeId, NodeId), InputError> {
        let end = |name: &str, (x, y): (u32, u32)| {
            let Some(node) = truth.node(x, y) else {
                let what = format!("the {name} {x}, {y} lies outside the map");
                return Err(InputError::new(what, "drag it onto the map"));
            };
            if truth.is_free(node) {
                return Ok(node);
            }
            Err(InputError::new(
                format!("the {name} {x}, {y} is blocked"),
                "drag it to a free cell, or clear the cell",
            ))
        };
        Ok((end("start", self.start)?, end("goal", self.goal)?))
    }

    /// Parses the planners.
    ///
    /// # Errors
    /// If there are none or too many, or one is unknown.
    pub(crate) fn specs(&self) -> Result<Vec<Spec>, InputError> {
        if !(1..=MOST_PLANNERS).contains(&self.planners.len()) {
            let what = format!("{} planners were asked for", self.planners.len());
            return Err(InputError::new(what, format!("choose one to {MOST_PLANNERS}")));
        }
        let parse = |text: &String| {
            text.parse().map_err(|error: fleetfoot::registry::SpecError| {
                let text = error.to_string();
                let (what, remedy) = text.split_once("; ").unwrap_or((&text, "choose another planner"));
                InputError::new(what, remedy)
            })
        };
        self.planners.iter().map(parse).collect()
    }
}
