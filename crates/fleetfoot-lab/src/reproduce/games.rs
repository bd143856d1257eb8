//! Game maps where a folder of them is given, and generated ones like them where not.

use std::path::Path;

use fleetfoot_sim::error::InputError;

use super::Setup;
use crate::places::{Made, MapSource};

/// A map that a study wants, and what stands in for it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    /// The folder of its set.
    pub(super) set: &'static str,
    /// Its file.
    pub(super) file: &'static str,
    /// What is made if it is not there.
    pub(super) instead: Made,
}

/// The maps, and what the report has to say about them: which were used, and what was missing.
pub(super) fn choose(
    setup: &Setup,
    used_by_paper: &str,
    wanted: &[Wanted],
) -> Result<(Vec<MapSource>, Vec<String>), InputError> {
    let Some(folder) = &setup.maps else {
        let maps: Vec<MapSource> = wanted.iter().map(|map| MapSource::Made(map.instead)).collect();
        let note = format!(
            "maps: generated game-like landscapes, since no folder of game maps was given (--maps DIR or FLEETFOOT_MAPS): {}; \
             the paper used {used_by_paper}",
            named(&maps)
        );
        return Ok((maps, vec![note]));
    };
    if !folder.is_dir() {
        let what = "there is no such folder of maps";
        let remedy =
            "name a folder with folders of MovingAI maps in it, such as wc3maps512, or leave --maps out";
        return Err(InputError::new(what, remedy).with_file(folder));
    }
    let (mut maps, mut missing) = (Vec::new(), Vec::new());
    for map in wanted {
        let (path, name) = (folder.join(map.set).join(map.file), format!("{}/{}", map.set, map.file));
        if path.is_file() {
            maps.push(MapSource::file(&name, &path)?);
        } else {
            missing.push(name);
            maps.push(MapSource::Made(map.instead));
        }
    }
    let mut notes = vec![format!("maps: {}; the paper used {used_by_paper}", named(&maps))];
    if !missing.is_empty() {
        notes.push(missing_note(folder, &missing));
    }
    Ok((maps, notes))
}

fn named(maps: &[MapSource]) -> String {
    maps.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// The folder itself is left out: reports are the same wherever it lies.
fn missing_note(_folder: &Path, missing: &[String]) -> String {
    format!("missing in the folder of maps: {}; generated maps stand in for them", missing.join(", "))
}

/// A generated landscape of this size.
pub(super) const fn cave(side: u32, seed: u64) -> Made {
    Made::Cave { size: (side, side), seed }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WANTED: [Wanted; 2] = [
        Wanted { set: "s", file: "a.map", instead: cave(64, 1) },
        Wanted { set: "s", file: "b.map", instead: cave(64, 2) },
    ];

    #[test]
    fn says_what_is_used_and_what_is_missing() {
        let folder = tempfile::tempdir().unwrap();
        let setup = |maps: Option<&Path>| Setup { maps: maps.map(Path::to_owned), ..Setup::default() };
        let (maps, notes) = choose(&setup(None), "theirs", &WANTED).unwrap();
        assert_eq!(maps[1].to_string(), "cave(width=64,height=64,seed=2)");
        assert!(notes[0].contains("generated") && notes[0].contains("theirs"));
        std::fs::create_dir(folder.path().join("s")).unwrap();
        std::fs::write(folder.path().join("s/b.map"), "type octile\nheight 1\nwidth 2\nmap\n..\n").unwrap();
        let (maps, notes) = choose(&setup(Some(folder.path())), "theirs", &WANTED).unwrap();
        assert_eq!(
            (maps[0].to_string(), maps[1].to_string()),
            ("cave(width=64,height=64,seed=1)".into(), "s/b.map".into())
        );
        assert!(notes[1].contains("s/a.map") && !notes[1].contains("s/b.map"));
        let error = choose(&setup(Some(&folder.path().join("x"))), "theirs", &WANTED).unwrap_err();
        assert!(error.to_string().contains("no such folder of maps"));
    }
}
