//! What a session is set up with: everything that decides how it goes.

use fleetfoot::registry::Spec;
use fleetfoot::{Grid, NodeId, Rules};
use fleetfoot_sim::budget::{Budget, PriceList};
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::map::GridMap;
use fleetfoot_sim::sensor::Sight;
use fleetfoot_sim::world::Terrain;
use serde::{Deserialize, Serialize};

/// What drawn grass and swamp weigh.
pub(crate) const TERRAIN: &str = "G=2,S=4";
/// A page shows so many planners side by side.
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

/// See the module. The map's letters come beside it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setup {
    /// The map's name: `builtin:rooms100` for a map that is as it was made, anything else otherwise.
    pub name: String,
    /// Where agents begin: column and row.
    pub start: (u32, u32),
    /// Where they want to be.
    pub goal: (u32, u32),
    /// One to four planners, as on the command line.
    pub planners: Vec<String>,
    /// What a tick may cost, in expansions; nothing for no limit.
    pub budget: Option<u64>,
    /// What work costs; all of it is charged where nothing is said. Older addresses call it `toll`.
    #[serde(default, alias = "toll", with = "by_name")]
    pub prices: PriceList,
    /// How far agents see; nothing if they know the map.
    pub radius: Option<u32>,
    /// Whether grass and swamp are heavier than other ground.
    pub weighs: bool,
    /// Cells that open and shut.
    pub doors: Vec<(u32, u32)>,
    /// Every so many ticks each of them; 0 if never by themselves.
    pub swing: u64,
    /// Changes by hand, by tick: tick, column, row, weight. Later ones are added by [`Session::edit`](crate::Session::edit).
    pub changes: Vec<(u64, u32, u32, u8)>,
}

impl Setup {
    /// The terrain.
    pub(crate) fn terrain(&self) -> Terrain {
        let terrain = if self.weighs { TERRAIN.parse() } else { Ok(Terrain::default()) };
        terrain.expect("the terrain is well-formed")
    }

    /// The budget.
    pub(crate) fn budget(&self) -> Budget {
        self.budget.map_or(Budget::Unlimited, Budget::Expansions)
    }

    /// What agents see, if they do not know the map.
    pub(crate) fn sight(&self) -> Option<Sight> {
        self.radius.map(|radius| Sight::Radius(radius.max(2)))
    }

    /// The world before the first tick.
    ///
    /// # Errors
    /// If the map is too large for such weights.
    pub(crate) fn truth(&self, map: &GridMap) -> Result<Grid, InputError> {
        let terrain = self.terrain();
        let grid = terrain.grid(map, Rules::default())?;
        if !self.weighs {
            return Ok(grid);
        }
        // Whatever is drawn later, costs stay as they are.
        let (least, most) = terrain.weights().into_inner();
        grid.with_weights(least, most).map_err(|error| {
            let text = error.to_string();
            let (what, remedy) = text.split_once("; ").unwrap_or((&text, "use a smaller map"));
            InputError::new(what, remedy)
        })
    }

    /// Start and goal.
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

    /// The planners.
    ///
    /// # Errors
    /// If there are none or too many, or one is not known.
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
