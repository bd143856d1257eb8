//! The lists in a file: maps, planners, worlds, budgets, prices, seeds, rules.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fleetfoot::registry::{self, Spec};
use fleetfoot::{Diagonal, Neighborhood, Rules};
use fleetfoot_sim::budget::{Budget, monotonic_nanos};
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::spec;
use fleetfoot_sim::world::Terrain;
use toml::Spanned;

use super::expand::{Expansion, at};
use super::file::Word;
use crate::places::{DataFile, MapSource, Scene};
use crate::run::PriceList;

/// A spec, and its label in reports.
pub(super) struct Entrant {
    pub(super) spec: Spec,
    pub(super) database: Option<Arc<DataFile>>,
    pub(super) name: String,
    pub(super) line: usize,
}

/// A world as written, and its line.
#[derive(Clone)]
pub(super) struct WorldText {
    pub(super) text: String,
    pub(super) line: usize,
}

impl Expansion<'_> {
    /// Returns the maps with the lines that name them. A folder is replaced by all maps in it.
    pub(super) fn maps(&self, seed: u64) -> Result<Vec<(MapSource, usize)>, InputError> {
        let mut maps = Vec::new();
        for text in &self.file.maps {
            let (line, name) = (self.line(text), filled(text.get_ref(), seed));
            let refuse = |error: InputError| at(line, &error);
            let folder = self.base.join(&name);
            if folder.is_dir() {
                for path in maps_in(&folder).map_err(refuse)? {
                    let file = path.file_name().unwrap_or_default().to_string_lossy();
                    let shown = format!("{}/{file}", shown(&name));
                    maps.push((MapSource::file(&shown, &path).map_err(refuse)?, line));
                }
            } else {
                let map = MapSource::parse(&name, self.base).map_err(refuse)?;
                maps.push((named(map), line));
            }
        }
        once("map", maps.iter().map(|(map, line)| (map.key(), *line)))?;
        Ok(maps)
    }

    pub(super) fn seeds(&self) -> Result<Vec<u64>, InputError> {
        let seeds = &self.file.seeds;
        once("seed", seeds.iter().map(|seed| (seed.get_ref().to_string(), self.line(seed))))?;
        Ok(if seeds.is_empty() { vec![0] } else { seeds.iter().map(|seed| *seed.get_ref()).collect() })
    }

    pub(super) fn scenes(&self, seed: u64) -> Result<Vec<(WorldText, Scene)>, InputError> {
        let scene = |world: WorldText| {
            let scene = Scene::parse(&filled(&world.text, seed), &self.files);
            Ok((world.clone(), scene.map_err(|error| at(world.line, &error))?))
        };
        let scenes: Vec<_> = self.worlds().into_iter().map(scene).collect::<Result<_, InputError>>()?;
        once("world", scenes.iter().map(|(world, scene)| (scene.to_string(), world.line)))?;
        Ok(scenes)
    }

    pub(super) fn entrants(&self, seed: u64) -> Result<Vec<Entrant>, InputError> {
        let entrant = |text: &Spanned<String>| {
            let line = self.line(text);
            let spec: Spec = filled(text.get_ref(), seed).parse().map_err(|error| {
                let remedy = "`fleetfoot list` shows the planners and their parameters";
                InputError::at(line, format!("{error}"), remedy)
            })?;
            let name = if text.get_ref().contains(SEED) { text.get_ref().clone() } else { spec.to_string() };
            let database = registry::database(&spec).map(|name| self.files.get(name)).transpose();
            Ok(Entrant { database: database.map_err(|error| at(line, &error))?, spec, name, line })
        };
        let entrants: Vec<Entrant> =
            self.file.planners.iter().map(entrant).collect::<Result<_, InputError>>()?;
        once("planner", entrants.iter().map(|entrant| (entrant.spec.to_string(), entrant.line)))?;
        Ok(entrants)
    }

    pub(super) fn worlds(&self) -> Vec<WorldText> {
        let given = self.file.worlds.iter();
        let mut worlds: Vec<WorldText> =
            given.map(|text| WorldText { text: text.get_ref().clone(), line: self.line(text) }).collect();
        if worlds.is_empty() {
            worlds.push(WorldText { text: "known".into(), line: 1 });
        }
        worlds
    }

    pub(super) fn budgets(&self) -> Result<Vec<Budget>, InputError> {
        let budget = |word: &Spanned<Word>| {
            let budget = Budget::parse(&word.get_ref().0, monotonic_nanos);
            budget.map_err(|error: InputError| at(self.line(word), &error))
        };
        if self.file.budgets.is_empty() {
            return Ok(vec![Budget::Expansions(100)]);
        }
        let budgets: Vec<Budget> = self.file.budgets.iter().map(budget).collect::<Result<_, InputError>>()?;
        let lines = self.file.budgets.iter().map(|word| self.line(word));
        once("budget", budgets.iter().map(Budget::to_string).zip(lines))?;
        Ok(budgets)
    }

    pub(super) fn prices(&self) -> Result<Vec<PriceList>, InputError> {
        let list = |text: &Spanned<String>| {
            text.get_ref().parse().map_err(|error: InputError| at(self.line(text), &error))
        };
        if self.file.prices.is_empty() {
            return Ok(vec![PriceList::default()]);
        }
        let lists: Vec<PriceList> = self.file.prices.iter().map(list).collect::<Result<_, InputError>>()?;
        let lines = self.file.prices.iter().map(|text| self.line(text));
        once("price list", lists.iter().map(PriceList::to_string).zip(lines))?;
        Ok(lists)
    }

    pub(super) fn rules(&self) -> Result<Rules, InputError> {
        let neighborhood = match &self.file.moves {
            None => Neighborhood::Eight,
            Some(moves) => spec::neighborhood(&moves.get_ref().to_string())
                .map_err(|error| at(self.line(moves), &error))?,
        };
        let diagonal = match &self.file.diagonal {
            None => Diagonal::Sqrt2,
            Some(word) => spec::diagonal(&word.get_ref().0).map_err(|error| at(self.line(word), &error))?,
        };
        Ok(Rules { neighborhood, cut_corners: self.file.cut_corners, diagonal })
    }

    pub(super) fn terrain(&self) -> Result<Terrain, InputError> {
        match &self.file.terrain {
            None => Ok(Terrain::default()),
            Some(text) => text.get_ref().parse().map_err(|error: InputError| at(self.line(text), &error)),
        }
    }
}

/// Returns a path as rows and reports show it. Absolute paths are reduced to the file name.
fn shown(path: &str) -> String {
    let path = path.trim().trim_end_matches('/');
    if !Path::new(path).is_absolute() {
        return path.to_owned();
    }
    Path::new(path).file_name().map_or_else(|| path.to_owned(), |name| name.to_string_lossy().into_owned())
}

/// Returns the map under its relative name, which includes its folder, since folders contain files of the same name.
fn named(map: MapSource) -> MapSource {
    match map {
        MapSource::File { name, path, sum } if Path::new(name.trim()).is_absolute() => {
            let folder = path.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
            let file = path.file_name().unwrap_or_default().to_string_lossy();
            MapSource::File { name: format!("{folder}/{file}"), path: path.clone(), sum }
        }
        MapSource::Scaled(map, factor) => MapSource::Scaled(Box::new(named(*map)), factor),
        other => other,
    }
}

const SEED: &str = "{seed}";

fn filled(text: &str, seed: u64) -> String {
    text.replace(SEED, &seed.to_string())
}

/// Refuses duplicates. Entries are given with their lines.
fn once(what: &str, entries: impl Iterator<Item = (String, usize)>) -> Result<(), InputError> {
    let mut seen = HashMap::new();
    for (entry, line) in entries {
        if let Some(first) = seen.insert(entry.clone(), line) {
            let place = if first == line { String::new() } else { format!(", first in line {first}") };
            let what = format!("the {what} `{entry}` is there twice{place}");
            return Err(InputError::at(line, what, "name it once"));
        }
    }
    Ok(())
}

/// Returns the maps in a folder, sorted by name.
fn maps_in(folder: &Path) -> Result<Vec<PathBuf>, InputError> {
    let entries = fs::read_dir(folder).map_err(|cause| InputError::io(folder, "read", &cause))?;
    let is_map = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "map");
    let mut maps: Vec<PathBuf> =
        entries.filter_map(|entry| Some(entry.ok()?.path())).filter(is_map).collect();
    maps.sort();
    if maps.is_empty() {
        let what = "there is no map in this folder";
        return Err(InputError::new(what, "name a folder with files that end in .map").with_file(folder));
    }
    Ok(maps)
}
