//! Checks that the generated parts of the book and the README are what the program makes today.
//!
//! A generated part is between `<!-- made: KIND … -->` and `<!-- end -->`:
//!
//! | kind | contents | source |
//! |---|---|---|
//! | `facts KEY` | a table of a planner's properties and needs | the registry |
//! | `parameters KEY` | a table of its parameters | the registry |
//! | `planners` | a list of all planners, with links | the registry |
//! | `prices` | a table of kinds of work and their prices | the meter |
//! | `measured` | a table of means below the commands | the `fleetfoot` commands in the part |
//! | `fleets` | a table of the results of fleets below the commands | the same |
//! | `figure FILE …` | a picture in `book/src/figures` | the same; further words are for `fleetfoot replay` |
//! | `plot FILE` | a plot there | the same |
//! | `study ID command` | the command that makes a study | `book/src/studies/ID.json`, which `just ID` makes |
//! | `study ID table TITLE` | one of its tables | the same |
//! | `study ID note TITLE` | the note below one of its tables | the same |
//! | `study ID picture` | its heat map, `ID.svg` | the same |
//!
//! `FLEETFOOT_BLESS=1 cargo test -p fleetfoot-cli --test book` makes all of them again.

mod commands;
mod parts;
mod plot;
mod registry;
mod rows;
mod study;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use fleetfoot::registry::ALGORITHMS;

use commands::Workshop;
use parts::Part;
use study::Study;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns all pages of the book, and the README.
fn documents() -> Vec<PathBuf> {
    let mut found = vec![root().join("README.md")];
    let mut folders = vec![root().join("book/src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "md") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Returns the generated text of a part, and its file if it has one.
fn made(part: &Part<'_>, workshop: &Workshop) -> (String, Option<(String, Vec<u8>)>) {
    match part.words[..] {
        ["facts", key] => (registry::facts(key), None),
        ["parameters", key] => (registry::parameters(key), None),
        ["planners"] => (registry::planners(), None),
        ["prices"] => (registry::prices(), None),
        ["measured"] => {
            let table = rows::table(&workshop.rows(&part.commands()));
            (format!("{}\n\n{table}", part.shell()), None)
        }
        ["fleets"] => {
            let table = rows::fleets(&workshop.fleets(&part.commands()));
            (format!("{}\n\n{table}", part.shell()), None)
        }
        ["figure", file, ref how @ ..] => {
            assert!(part.body.contains(&format!("figures/{file})")), "the part does not show {file}");
            (part.body.to_owned(), Some((file.into(), workshop.figure(&part.commands(), file, how))))
        }
        ["plot", file] => {
            assert!(part.body.contains(&format!("figures/{file})")), "the part does not show {file}");
            let picture = plot::svg(&workshop.rows(&part.commands()));
            (part.body.to_owned(), Some((file.into(), picture.into_bytes())))
        }
        ["study", id, "command"] => (Study::kept(&root(), id).command(), None),
        ["study", id, "table", ref title @ ..] => (Study::kept(&root(), id).table(&title.join(" ")), None),
        ["study", id, "note", ref title @ ..] => (Study::kept(&root(), id).note(&title.join(" ")), None),
        ["study", id, "picture"] => {
            let file = format!("{id}.svg");
            assert!(part.body.contains(&format!("figures/{file})")), "the part does not show {file}");
            (part.body.to_owned(), Some((file, Study::kept(&root(), id).picture())))
        }
        ref other => panic!("nothing is known about a part made of {other:?}"),
    }
}

/// Checks the parts of some kinds, or generates them again.
fn hold(is_held: impl Fn(&Part<'_>) -> bool) {
    // Documents have parts of several kinds, and may be written.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let bless = std::env::var_os("FLEETFOOT_BLESS").is_some();
    let (workshop, mut stale) = (Workshop::new(&root()), Vec::new());
    for document in documents() {
        let text = fs::read_to_string(&document).unwrap();
        let new = parts::replace(&text, |part| {
            if !is_held(part) {
                return part.body.to_owned();
            }
            let (body, file) = made(part, &workshop);
            if let Some((name, bytes)) = file {
                let file = root().join("book/src/figures").join(name);
                if fs::read(&file).ok().as_ref() != Some(&bytes) {
                    stale.push(file.clone());
                    if bless {
                        fs::write(file, bytes).unwrap();
                    }
                }
            }
            body
        });
        if new != text {
            stale.push(document.clone());
            if bless {
                fs::write(document, new).unwrap();
            }
        }
    }
    let names: Vec<_> = stale.iter().map(|path| path.display().to_string()).collect();
    assert!(
        stale.is_empty() || bless,
        "out of date: {names:#?}\n`FLEETFOOT_BLESS=1 cargo test -p fleetfoot-cli --test book` makes them again"
    );
}

fn is_of_study(part: &Part<'_>) -> bool {
    part.words[0] == "study"
}

#[test]
fn generated_parts_are_up_to_date() {
    hold(|part| !is_of_study(part));
}

#[test]
fn studies_are_shown_as_measured() {
    hold(is_of_study);
}

#[test]
fn every_planner_has_a_page_with_all_its_parts() {
    for info in ALGORITHMS {
        let key = info.key;
        let page = root().join(format!("book/src/planners/{key}.md"));
        let text = fs::read_to_string(&page).unwrap_or_else(|_| panic!("{key} has no page in the book"));
        assert!(
            text.starts_with(&format!("# {}\n", registry::escaped(info.name))),
            "the page of {key}: its title"
        );
        let mut found: Vec<String> = Vec::new();
        parts::replace(&text, |part| {
            found.push(part.words.iter().take(2).copied().collect::<Vec<_>>().join(" "));
            if part.words[0] == "figure" {
                let all = part.commands().concat();
                let planner = all.iter().skip_while(|word| *word != "-p").nth(1).expect("a planner");
                assert!(planner.split('(').next() == Some(key), "the figure of {key} shows {planner}");
                assert!(all.iter().any(|word| word == "book/maps/bay.map"), "the figure of {key}: its map");
                let page = format!("{key}.html");
                assert_eq!(all.last(), Some(&page), "the page of {key} links to what its command writes");
                assert!(
                    text.contains(&format!("(../replays/{page})")),
                    "the page of {key}: a link to its replay"
                );
            }
            part.body.to_owned()
        });
        for part in [format!("figure {key}.png"), format!("facts {key}"), format!("parameters {key}")] {
            assert!(found.contains(&part), "the page of {key} has no `made: {part}`");
        }
        for heading in
            ["## When to choose it", "## What a step costs", "## What it promises", "## Parameters"]
        {
            assert!(text.contains(&format!("\n{heading}\n")), "the page of {key} has no `{heading}`");
        }
    }
    let pages = fs::read_dir(root().join("book/src/planners")).unwrap().count();
    assert_eq!(pages, ALGORITHMS.len(), "book/src/planners has pages of planners that are not there");
}

/// Writes the replays of the book on demand (`just book-replays`): about 100 KB each.
#[test]
#[ignore = "writes the replays that the pages of planners link to"]
fn write_the_replays() {
    let (workshop, folder) = (Workshop::new(&root()), root().join("book/src/replays"));
    fs::create_dir_all(&folder).unwrap();
    for info in ALGORITHMS {
        let text = fs::read_to_string(root().join(format!("book/src/planners/{}.md", info.key))).unwrap();
        parts::replace(&text, |part| {
            if part.words[0] == "figure" {
                let commands = part.commands();
                let (name, page) = workshop.page(&commands);
                fs::write(folder.join(name), page).unwrap();
            }
            part.body.to_owned()
        });
    }
}

/// Stores a study in the book. `just regret` runs a study, which takes minutes, and calls this with its folder.
#[test]
#[ignore = "takes over what `fleetfoot reproduce` has put into the folder FLEETFOOT_STUDY"]
fn take_the_study() {
    let folder = std::env::var_os("FLEETFOOT_STUDY").expect("FLEETFOOT_STUDY names the folder of a study");
    study::take(&root(), Path::new(&folder));
}

#[test]
fn every_figure_is_shown_and_small() {
    let text: String = documents().iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    for entry in fs::read_dir(root().join("book/src/figures")).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        assert!(text.contains(&format!("figures/{name})")), "{name} is shown nowhere");
        let is_animated = Path::new(&name).extension().is_some_and(|extension| extension == "gif");
        let most = if is_animated { 300_000 } else { 25_000 };
        assert!(entry.metadata().unwrap().len() < most, "{name} is too large");
    }
}
