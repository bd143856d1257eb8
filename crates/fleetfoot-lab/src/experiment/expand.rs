//! From the file to all runs.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fleetfoot::registry::{self, Spec};
use fleetfoot::{Diagonal, Neighbours, Rules};
use fleetfoot_sim::budget::{Budget, monotonic_nanos};
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::formats::database::read_database;
use fleetfoot_sim::world::{Terrain, World};
use toml::Spanned;

use super::file::{File, Word, line_of};
use crate::places::{DataFile, Files, MapSource, Place, Scene, Unsuited, unpromising, unsuited};
use crate::run::{About, Job, Plan, PriceList, Problem};

/// No experiment needs more, and a slip of the pen should not fill the memory.
const MOST_RUNS: usize = 20_000_000;

/// A file, about to become runs.
pub(super) struct Expansion<'a> {
    pub(super) text: &'a str,
    pub(super) base: &'a Path,
    pub(super) file: &'a File,
    /// Databases and scripts.
    pub(super) files: Files,
}

/// Who runs: a spec, and what reports call it.
struct Entrant {
    spec: Spec,
    database: Option<Arc<DataFile>>,
    name: String,
    line: usize,
}

impl Expansion<'_> {
    pub(super) fn plan(&self, name: &str) -> Result<Plan, InputError> {
        let file = self.file;
        self.not_empty("maps", file.maps.is_empty())?;
        self.not_empty("planners", file.planners.is_empty())?;
        let (rules, terrain) = (self.rules()?, self.terrain()?);
        let mut jobs = Vec::new();
        let seeds = self.seeds()?;
        for &seed in &seeds {
            let (maps, scenes) = (self.maps(seed)?, self.scenes(seed)?);
            let entrants = self.entrants(seed)?;
            for (map, line) in &maps {
                let made = map.load().map_err(|error| at(*line, &error))?;
                let problems = self.problems(map, &made, *line, rules, seed)?;
                for (world, scene) in &scenes {
                    let scene = scene.clone();
                    let place = Arc::new(Place { map: map.clone(), rules, terrain, scene });
                    self.check(&entrants, &place, world.line)?;
                    for problem in &problems {
                        self.runs(&mut jobs, (&place, &world.text), *problem, &entrants, seed)?;
                    }
                }
            }
        }
        let about = About {
            title: file.title.clone().unwrap_or_else(|| name.to_owned()),
            notes: self.notes(rules, terrain, &seeds)?,
            ..About::default()
        };
        Plan::new(about, jobs)
    }

    fn runs(
        &self,
        jobs: &mut Vec<Job>,
        (place, world): (&Arc<Place>, &str),
        problem: Problem,
        entrants: &[Entrant],
        seed: u64,
    ) -> Result<(), InputError> {
        let max_steps = self.file.max_steps.as_ref().map(|most| *most.get_ref());
        let prices = self.prices()?;
        for entrant in entrants {
            let bounded = entrant.spec.facts().bounded;
            let budgets = if bounded { self.budgets()? } else { vec![Budget::Unlimited] };
            for &budget in &budgets {
                for &list in &prices {
                    let mut parts = vec![format!("{} at {budget}", entrant.name)];
                    parts.extend((prices.len() > 1).then(|| format!("{} prices", list.name())));
                    parts.extend((self.worlds().len() > 1).then(|| world.to_owned()));
                    let label = parts.join(", ");
                    let job = Job::new(place, problem, entrant.spec.clone(), budget).labelled(label);
                    let database = entrant.database.clone();
                    jobs.push(Job { prices: list, database, max_steps, seed, timed: self.file.timed, ..job });
                }
            }
        }
        if jobs.len() > MOST_RUNS {
            let what = format!("the experiment has more than {MOST_RUNS} runs");
            return Err(InputError::new(what, "make several of it"));
        }
        Ok(())
    }

    pub(super) fn line<T>(&self, value: &Spanned<T>) -> usize {
        line_of(self.text, value.span().start)
    }

    fn not_empty(&self, key: &str, is_empty: bool) -> Result<(), InputError> {
        if !is_empty {
            return Ok(());
        }
        let line = self.text.lines().position(|line| line.trim_start().starts_with(key)).map_or(1, |k| k + 1);
        let remedy = if key == "maps" { "such as \"builtin:cave256\"" } else { "such as \"tba\"" };
        Err(InputError::at(line, format!("{key} is empty"), format!("name at least one, {remedy}")))
    }

    /// Maps with the lines that name them; folders stand for all maps in them.
    fn maps(&self, seed: u64) -> Result<Vec<(MapSource, usize)>, InputError> {
        let mut maps = Vec::new();
        for text in &self.file.maps {
            let (line, name) = (self.line(text), filled(text.get_ref(), seed));
            let refuse = |error: InputError| at(line, &error);
            let folder = self.base.join(&name);
            if folder.is_dir() {
                for path in maps_in(&folder).map_err(refuse)? {
                    let file = path.file_name().unwrap_or_default().to_string_lossy();
                    let shown = format!("{}/{file}", name.trim_end_matches('/'));
                    maps.push((MapSource::file(&shown, &path).map_err(refuse)?, line));
                }
            } else {
                maps.push((MapSource::parse(&name, self.base).map_err(refuse)?, line));
            }
        }
        once("map", maps.iter().map(|(map, line)| (map.key(), *line)))?;
        Ok(maps)
    }

    fn seeds(&self) -> Result<Vec<u64>, InputError> {
        let seeds = &self.file.seeds;
        once("seed", seeds.iter().map(|seed| (seed.get_ref().to_string(), self.line(seed))))?;
        Ok(if seeds.is_empty() { vec![0] } else { seeds.iter().map(|seed| *seed.get_ref()).collect() })
    }

    fn scenes(&self, seed: u64) -> Result<Vec<(WorldText, Scene)>, InputError> {
        let scene = |world: WorldText| {
            let scene = Scene::parse(&filled(&world.text, seed), &self.files);
            Ok((world.clone(), scene.map_err(|error| at(world.line, &error))?))
        };
        let scenes: Vec<_> = self.worlds().into_iter().map(scene).collect::<Result<_, InputError>>()?;
        once("world", scenes.iter().map(|(world, scene)| (scene.to_string(), world.line)))?;
        Ok(scenes)
    }

    fn entrants(&self, seed: u64) -> Result<Vec<Entrant>, InputError> {
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

    fn worlds(&self) -> Vec<WorldText> {
        let given = self.file.worlds.iter();
        let mut worlds: Vec<WorldText> =
            given.map(|text| WorldText { text: text.get_ref().clone(), line: self.line(text) }).collect();
        if worlds.is_empty() {
            worlds.push(WorldText { text: "known".into(), line: 1 });
        }
        worlds
    }

    fn budgets(&self) -> Result<Vec<Budget>, InputError> {
        let budget = |word: &Spanned<Word>| {
            let text = &word.get_ref().0;
            let is_time = text.ends_with('s') && text.starts_with(|c: char| c.is_ascii_digit());
            let budget = if is_time { Budget::interval(text, monotonic_nanos) } else { text.parse() };
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

    fn prices(&self) -> Result<Vec<PriceList>, InputError> {
        let list = |text: &Spanned<String>| {
            text.get_ref().parse().map_err(|error: InputError| at(self.line(text), &error))
        };
        if self.file.prices.is_empty() {
            return Ok(vec![PriceList::Papers]);
        }
        let lists = &self.file.prices;
        once("price list", lists.iter().map(|text| (text.get_ref().clone(), self.line(text))))?;
        lists.iter().map(list).collect()
    }

    fn rules(&self) -> Result<Rules, InputError> {
        let refuse = |line, what: String, remedy: &str| Err(InputError::at(line, what, remedy));
        let neighbours = match &self.file.moves {
            None => Neighbours::Eight,
            Some(moves) => match *moves.get_ref() {
                4 => Neighbours::Four,
                8 => Neighbours::Eight,
                n => return refuse(self.line(moves), format!("moves = {n} cannot be"), "moves is 4 or 8"),
            },
        };
        let diagonal = match &self.file.diagonal {
            None => Diagonal::Sqrt2,
            Some(word) => match word.get_ref().0.as_str() {
                "sqrt2" => Diagonal::Sqrt2,
                "1.4" => Diagonal::D14,
                "1.5" => Diagonal::D15,
                text => {
                    let what = format!("a diagonal of length `{text}` cannot be");
                    return refuse(self.line(word), what, "diagonal is \"sqrt2\", 1.4 or 1.5");
                }
            },
        };
        Ok(Rules { neighbours, cut_corners: self.file.cut_corners, diagonal })
    }

    fn terrain(&self) -> Result<Terrain, InputError> {
        match &self.file.terrain {
            None => Ok(Terrain::default()),
            Some(text) => text.get_ref().parse().map_err(|error: InputError| at(self.line(text), &error)),
        }
    }

    /// Refuses planners that do not suit a world.
    fn check(&self, entrants: &[Entrant], place: &Place, line: usize) -> Result<(), InputError> {
        let (is_unknown, is_dynamic) = (place.scene.is_unknown(), place.scene.is_dynamic());
        // Only where something can be wrong with it that would else be found in the middle of the runs.
        let needed = is_dynamic || entrants.iter().any(|entrant| entrant.database.is_some());
        let world = needed.then(|| place.world()).transpose().map_err(|error| at(line, &error))?;
        let trend = world.as_ref().filter(|_| is_dynamic && !self.file.force).map(World::trend);
        let unlimited = self.budgets()?.iter().any(|budget| matches!(budget, Budget::Unlimited));
        for Entrant { spec, line, database, .. } in entrants {
            if let Some(Unsuited { what, able }) = unsuited(spec, is_unknown, is_dynamic) {
                let what = format!("{what}, and there is the world {}", place.scene);
                return Err(InputError::at(*line, what, format!("use one of {able}")));
            }
            if let Some(Unsuited { what, able }) =
                trend.and_then(|trend| unpromising(spec, is_unknown, trend))
            {
                let remedy = format!("use one of {able}, or force = true to run it all the same");
                return Err(InputError::at(*line, what, remedy));
            }
            if let (Some(file), Some(world)) = (database, &world) {
                read_database(file.path(), world.graph()).map_err(|error| at(*line, &error))?;
            }
            if unlimited && !spec.facts().scales {
                let what = format!("planner {spec} may take for ever over a step without a budget");
                return Err(InputError::at(*line, what, "give it one, such as budgets = [1000]"));
            }
        }
        Ok(())
    }

    fn notes(&self, rules: Rules, terrain: Terrain, seeds: &[u64]) -> Result<Vec<String>, InputError> {
        let texts = |list: &[Spanned<String>]| {
            list.iter().map(|text| text.get_ref().clone()).collect::<Vec<_>>().join(", ")
        };
        let worlds: Vec<String> = self.worlds().into_iter().map(|world| world.text).collect();
        let mut notes = vec![
            format!("maps: {}", texts(&self.file.maps)),
            format!("worlds: {}; {}", worlds.join(", "), crate::places::rules_text(rules, terrain)),
        ];
        if seeds != [0] {
            notes.push(format!("seeds: {}", seeds.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")));
        }
        let times = self.budgets()?.into_iter().filter(|budget| matches!(budget, Budget::Interval { .. }));
        let times: Vec<String> = times.map(|budget| budget.to_string()).collect();
        if !times.is_empty() {
            notes.push(format!(
                "budgets in time ({}): such runs are made one at a time, and depend on the machine and on what else it does: \
                 their rows are not reproducible",
                times.join(", ")
            ));
        }
        Ok(notes)
    }
}

#[derive(Clone)]
struct WorldText {
    text: String,
    line: usize,
}

const SEED: &str = "{seed}";

fn filled(text: &str, seed: u64) -> String {
    text.replace(SEED, &seed.to_string())
}

/// Refuses what is there twice; entries are given with their lines.
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

/// The maps in a folder, by name.
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

/// An error in a line of the experiment; one that lies in another file says so.
pub(super) fn at(line: usize, error: &InputError) -> InputError {
    let place = match (error.file(), error.line()) {
        (Some(file), Some(line)) => format!("{}:{line}: ", file.display()),
        (Some(file), None) => format!("{}: ", file.display()),
        _ => String::new(),
    };
    InputError::at(line, format!("{place}{}", error.what()), error.remedy())
}
