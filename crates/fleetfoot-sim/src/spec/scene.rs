//! What the agent knows of a map, and how the map changes.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use crate::call::Call;
use crate::error::InputError;
use crate::formats::script::{Reaction, Rule, Script};
use crate::generate::Generated;
use crate::generate::scripts::Chance;
use crate::generate::scripts::doors::{Doors, find_doors};
use crate::world::{Terrain, World, WorldSpec};
use fleetfoot::Grid;

use super::files::{DataFile, Files};

/// A world: one that the simulator parses, or one of doors or gates, made for the map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scene {
    /// `known`, `unknown(radius=7)` and the like.
    Spec(WorldSpec),
    /// `dynamic(FILE)`: a world with a script of its changes.
    Script {
        /// The world, with the script's name in rows.
        spec: WorldSpec,
        /// The script.
        file: Arc<DataFile>,
    },
    /// `doors(open=0.01,close=0.01,ticks=10000,seed=0)`: the map's doors open and close. The agent knows the map and
    /// is informed of every change.
    Doors {
        /// Probability that a closed door opens, per tick.
        open: Chance,
        /// Probability that an open door closes, per tick.
        close: Chance,
        /// The last tick, in which all doors open.
        ticks: u64,
        /// Seed.
        seed: u64,
    },
    /// `gates(radius=3,ticks=5)`: each of the map's doors closes when the agent approaches, and reopens when it is
    /// gone.
    Gates {
        /// Distance at which a door closes, in cells by octile distance.
        radius: u32,
        /// Minimum number of ticks that a door stays closed.
        ticks: u64,
    },
}

impl Scene {
    /// A known, static world.
    pub const KNOWN: Self = Self::Spec(WorldSpec::Known);

    /// Parses a text. Scripts come from `files`.
    ///
    /// # Errors
    /// If there is no such world (the error lists the valid ones), or its script cannot be read.
    pub fn parse(text: &str, files: &Files) -> Result<Self, InputError> {
        let name = text.split('(').next().map_or("", str::trim);
        if name == "gates" {
            let call = Call::parse(text)?;
            call.only(&["radius", "ticks"])?;
            return Ok(Self::Gates { radius: call.value("radius", 3)?, ticks: call.value("ticks", 5)? });
        }
        if name != "doors" {
            let spec: WorldSpec = text.parse().map_err(|error: InputError| {
                let more = "doors(open=P,close=P,ticks=N,seed=S) or gates(radius=R,ticks=N)";
                InputError::new(error.what(), format!("{}, or {more}", error.remedy()))
            })?;
            return Self::of(spec, files);
        }
        let call = Call::parse(text)?;
        call.only(&["open", "close", "ticks", "seed"])?;
        let percent = Chance::millionths(10_000);
        Ok(Self::Doors {
            open: call.value("open", percent)?,
            close: call.value("close", percent)?,
            ticks: call.value("ticks", 10_000)?,
            seed: call.value("seed", 0)?,
        })
    }

    /// Creates a world that the simulator parses. Scripts come from `files`.
    ///
    /// # Errors
    /// If its script cannot be read.
    pub fn of(spec: WorldSpec, files: &Files) -> Result<Self, InputError> {
        match spec.script().map(|script| files.get(script)) {
            None => Ok(Self::Spec(spec)),
            Some(file) => Ok(Self::Script { file: file?, spec }),
        }
    }

    /// Returns `true` if the agent has to discover the map.
    pub fn is_unknown(&self) -> bool {
        matches!(self, Self::Spec(spec) | Self::Script { spec, .. } if spec.is_unknown())
    }

    /// Returns `true` if the map changes.
    pub fn is_dynamic(&self) -> bool {
        !matches!(self, Self::Spec(spec) if !spec.is_dynamic())
    }

    /// Returns the path of the script of changes, if any.
    pub fn script(&self) -> Option<&Path> {
        match self {
            Self::Script { file, .. } => Some(file.path()),
            Self::Spec(_) | Self::Doors { .. } | Self::Gates { .. } => None,
        }
    }

    /// Returns a text that identifies the world: its text, and the checksum of a script.
    pub fn key(&self) -> String {
        match self {
            Self::Script { file, .. } => format!("{self}{}", file.mark()),
            Self::Spec(_) | Self::Doors { .. } | Self::Gates { .. } => self.to_string(),
        }
    }

    /// Makes the world on a grid of the map.
    ///
    /// # Errors
    /// If a file cannot be read or has changed, or script and map do not fit together.
    pub fn load(&self, made: &Generated, grid: &Arc<Grid>, terrain: Terrain) -> Result<World, InputError> {
        match *self {
            Self::Spec(ref spec) => spec.load(grid, terrain.weights()),
            Self::Script { ref spec, ref file } => {
                file.check()?;
                let script = file.path().to_owned();
                let sight = if let WorldSpec::Dynamic { sight, .. } = spec { *sight } else { None };
                WorldSpec::Dynamic { script, sight }.load(grid, terrain.weights())
            }
            Self::Doors { open, close, ticks, seed } => {
                let doors = if made.doors.is_empty() { find_doors(&made.map) } else { made.doors.clone() };
                let script = Doors { ticks, open, close, goal: made.goal }.script(&made.map, &doors, seed)?;
                World::dynamic(grid, terrain.weights(), &script, None)
            }
            Self::Gates { radius, ticks } => {
                let doors = if made.doors.is_empty() { find_doors(&made.map) } else { made.doors.clone() };
                let what = Reaction::ShutNear { radius, ticks };
                let rules = doors.into_iter().map(|(x, y)| Rule { x, y, what }).collect();
                let script = Script { rules, ..Script::empty(made.map.width(), made.map.height()) };
                World::dynamic(grid, terrain.weights(), &script, None)
            }
        }
    }
}

impl fmt::Display for Scene {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Spec(spec) | Self::Script { spec, .. } => spec.fmt(f),
            Self::Doors { open, close, ticks, seed } => {
                write!(f, "doors(open={open},close={close},ticks={ticks},seed={seed})")
            }
            Self::Gates { radius, ticks } => write!(f, "gates(radius={radius},ticks={ticks})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_print_back() {
        let here = Files::at(Path::new(""));
        let parse = |text: &str| Scene::parse(text, &here);
        for text in [
            "known",
            "unknown(radius=7)",
            "doors(open=0.02,close=0.01,ticks=500,seed=3)",
            "gates(radius=2,ticks=7)",
        ] {
            assert_eq!(parse(text).unwrap().to_string(), text);
        }
        assert!(parse("doors").unwrap().is_dynamic() && parse("gates").unwrap().is_dynamic());
        assert!(parse("unknown").unwrap().is_unknown());
        assert!(parse("fog").unwrap_err().to_string().contains("doors(open=P"));
        assert!(parse("doors(speed=1)").unwrap_err().to_string().contains("open, close, ticks, seed"));
        assert!(parse("doors(open=2)").is_err());
    }
}
