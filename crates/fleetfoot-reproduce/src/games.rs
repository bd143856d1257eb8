//! Game maps from a folder, or generated maps that resemble them.

use std::path::PathBuf;

use fleetfoot::Rules;
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::map::GridMap;

use super::Setup;
use super::corners::maps::found;
use fleetfoot_lab::places::{Made, MapSource};
use fleetfoot_lab::problems::{LengthRange, count_within};

/// A map that a study requests, and its replacement.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    /// The folder of its set.
    pub(super) set: &'static str,
    /// Its file.
    pub(super) file: &'static str,
    /// The generated replacement.
    pub(super) instead: Made,
}

/// The maps that a study can use.
#[derive(Clone, Copy, Debug)]
pub(super) enum Needs {
    /// The maps that it names, or their replacements.
    These,
    /// Any map with problems of these lengths, or of any length.
    Any(Option<LengthRange>),
}

/// Number of random problems that are tried on a map, and the number that must have the required length.
const DRAWS: usize = 200;
const ENOUGH: usize = 4;
/// Maximum scale factor of a map whose paths are too short.
const MOST_TIMES: u32 = 16;

/// Chooses the maps. Returns them with notes for the report: which ones are used, and which ones are missing. If the
/// folder contains maps that the study does not name, they are used, evenly spread over their names.
pub(super) fn choose(
    setup: &Setup,
    used_by_paper: &str,
    wanted: &[Wanted],
    needs: Needs,
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
    let all: Vec<(String, PathBuf)> = found(folder)?
        .into_iter()
        .flat_map(|(set, paths)| {
            paths.into_iter().map(move |path| {
                let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                (format!("{set}/{file}"), path)
            })
        })
        .collect();
    if all.is_empty() {
        let what = "there is no map in this folder";
        let remedy = "name a folder with MovingAI maps (*.map) in it or in its folders, or leave --maps out";
        return Err(InputError::new(what, remedy).with_file(folder));
    }
    let (mut maps, mut missing) = (Vec::new(), Vec::new());
    for map in wanted {
        let name = format!("{}/{}", map.set, map.file);
        match all.iter().find(|(other, _)| *other == name) {
            Some((name, path)) => maps.push(MapSource::file(name, path)?),
            None => missing.push((name, map.instead)),
        }
    }
    let mut notes = Vec::new();
    if !missing.is_empty() {
        let names: Vec<&str> = missing.iter().map(|(name, _)| name.as_str()).collect();
        let missed = format!("missing in the folder of maps: {}", names.join(", "));
        match needs {
            Needs::These => {
                notes.push(format!("{missed}; generated maps stand in for them"));
                maps.extend(missing.iter().map(|(_, instead)| MapSource::Made(*instead)));
            }
            Needs::Any(lengths) => {
                let taken: Vec<String> = maps.iter().map(ToString::to_string).collect();
                let others: Vec<_> = all.iter().filter(|(name, _)| !taken.contains(name)).collect();
                let (more, unfit) = others_than(&others, missing.len(), lengths)?;
                notes.push(format!(
                    "{missed}; taken in their place, of {} maps there: {}",
                    all.len(),
                    named(&more)
                ));
                maps.extend(more);
                if !unfit.is_empty() {
                    let length = lengths.map(|lengths| format!(" of length {lengths}")).unwrap_or_default();
                    notes.push(format!(
                        "not taken, since they have no problems{length}: {}",
                        unfit.join(", ")
                    ));
                }
            }
        }
    }
    if maps.is_empty() {
        let what = "no map in this folder has problems that are long enough";
        return Err(
            InputError::new(what, "name a folder with larger maps, or leave --maps out").with_file(folder)
        );
    }
    notes.insert(0, format!("maps: {}; the paper used {used_by_paper}", named(&maps)));
    Ok((maps, notes))
}

/// Chooses `count` of these maps, evenly spread, and lists unusable ones. Some are scaled up.
fn others_than(
    others: &[&(String, PathBuf)],
    count: usize,
    lengths: Option<LengthRange>,
) -> Result<(Vec<MapSource>, Vec<String>), InputError> {
    let (mut maps, mut unfit, mut next) = (Vec::new(), Vec::new(), 0);
    for k in 0..count {
        // An unusable map is replaced by one of its successors, up to the position of the next map.
        next = next.max(k * others.len() / count);
        while let Some((name, path)) = others.get(next) {
            next += 1;
            match fitted(MapSource::file(name, path)?, lengths)? {
                Some(map) => {
                    maps.push(map);
                    break;
                }
                None => unfit.push(name.clone()),
            }
        }
    }
    Ok((maps, unfit))
}

/// Scales a map up until it has enough problems of these lengths.
fn fitted(map: MapSource, lengths: Option<LengthRange>) -> Result<Option<MapSource>, InputError> {
    let made = map.load()?.map;
    let has_enough = |map: &GridMap| count_within(map, Rules::default(), lengths, DRAWS) >= ENOUGH;
    if has_enough(&made) {
        return Ok(Some(map));
    }
    let Some(least) = lengths.map(LengthRange::least) else { return Ok(None) };
    let side = f64::from(made.width().max(made.height()));
    #[expect(clippy::cast_sign_loss, reason = "lengths are positive")]
    let first = (least / side).ceil().max(2.0) as u32;
    for times in first..=MOST_TIMES.min(first + 2) {
        if made.scaled(times).is_ok_and(|large| has_enough(&large)) {
            return Ok(Some(MapSource::Scaled(Box::new(map), times)));
        }
    }
    Ok(None)
}

fn named(maps: &[MapSource]) -> String {
    maps.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// Returns the generator of a landscape of this size.
pub(super) const fn cave(side: u32, seed: u64) -> Made {
    Made::Cave { size: (side, side), seed }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    const WANTED: [Wanted; 2] = [
        Wanted { set: "s", file: "a.map", instead: cave(64, 1) },
        Wanted { set: "s", file: "b.map", instead: cave(64, 2) },
    ];

    fn folder_with(names: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for name in names {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, format!("type octile\nheight 2\nwidth 40\nmap\n{0}\n{0}\n", ".".repeat(40)))
                .unwrap();
        }
        folder
    }

    fn setup(maps: Option<&Path>) -> Setup {
        Setup { maps: maps.map(Path::to_owned), ..Setup::default() }
    }

    #[test]
    fn reports_used_and_missing_maps() {
        let (maps, notes) = choose(&setup(None), "theirs", &WANTED, Needs::Any(None)).unwrap();
        assert_eq!(maps[1].to_string(), "cave(width=64,height=64,seed=2)");
        assert!(notes[0].contains("generated") && notes[0].contains("theirs"));
        let folder = folder_with(&["s/b.map"]);
        let (maps, notes) = choose(&setup(Some(folder.path())), "theirs", &WANTED, Needs::These).unwrap();
        assert_eq!(named(&maps), "s/b.map, cave(width=64,height=64,seed=1)");
        assert!(notes[1].contains("s/a.map") && !notes[1].contains("s/b.map"));
        let error = |folder: &Path| {
            choose(&setup(Some(folder)), "theirs", &WANTED, Needs::Any(None)).unwrap_err().to_string()
        };
        assert!(error(&folder.path().join("x")).contains("no such folder of maps"));
        assert!(error(tempfile::tempdir().unwrap().path()).contains("there is no map in this folder"));
    }

    /// Checks that any maps are accepted: they are listed, small ones are scaled up, and unusable ones are skipped.
    #[test]
    fn other_maps_are_taken() {
        let folder = folder_with(&["t/one.map", "t/two.map", "u/deep/three.map", "t/zero.map"]);
        let blocked = "type octile\nheight 1\nwidth 3\nmap\n.@.\n";
        std::fs::write(folder.path().join("t/two.map"), blocked).unwrap();
        let lengths = LengthRange::new(100.0, 140.0);
        let (maps, notes) =
            choose(&setup(Some(folder.path())), "theirs", &WANTED, Needs::Any(Some(lengths))).unwrap();
        assert_eq!(named(&maps), "scaled(deep/three.map,3), scaled(t/zero.map,3)");
        assert!(
            notes[0]
                .starts_with("maps: scaled(deep/three.map,3), scaled(t/zero.map,3); the paper used theirs"),
            "{notes:?}"
        );
        assert!(notes[1].contains(
            "missing in the folder of maps: s/a.map, s/b.map; taken in their place, of 4 maps there"
        ));
        assert_eq!(notes[2], "not taken, since they have no problems of length 100..140: t/two.map");
        // One named map and one other, in the folder itself.
        let folder = folder_with(&["s/a.map", "s/z.map"]);
        for at in [folder.path().to_owned(), folder.path().join("s")] {
            let (maps, _) = choose(&setup(Some(&at)), "theirs", &WANTED, Needs::Any(None)).unwrap();
            assert_eq!(named(&maps), "s/a.map, s/z.map");
        }
        let folder = folder_with(&["t/only.map"]);
        let far = Needs::Any(Some(LengthRange::new(1e6, 2e6)));
        let told = choose(&setup(Some(folder.path())), "theirs", &WANTED, far).unwrap_err().to_string();
        assert!(told.contains("no map in this folder has problems that are long enough"), "{told}");
        assert_eq!(
            choose(&setup(Some(folder.path())), "theirs", &WANTED, Needs::Any(None)).unwrap().0.len(),
            1
        );
    }
}
