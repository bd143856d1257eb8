//! Tables and pictures of studies, which take too long for tests. The results that the book shows are stored in
//! `book/src/studies`, and its pages are made from them. `just regret` runs the study again.

use std::fs;
use std::path::{Path, PathBuf};

use fleetfoot_lab::plot::{HeatCell, HeatMap};
use serde_json::{Value, json};

use super::registry::escaped;

/// Titles of tables that are too long for the book.
const LONG: &str = "by kind of map";

fn file(root: &Path, id: &str) -> PathBuf {
    root.join(format!("book/src/studies/{id}.json"))
}

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

/// The results of a study that the book shows.
pub(super) struct Study(Value);

impl Study {
    pub(super) fn kept(root: &Path, id: &str) -> Self {
        let file = file(root, id);
        let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        Self(serde_json::from_str(&text).unwrap())
    }

    /// Returns the command, and a note if runs are missing.
    pub(super) fn command(&self) -> String {
        let shell = format!("```sh\n{}\n```", text(&self.0["command"]));
        let (made, all) = (text(&self.0["made"]), text(&self.0["runs"]));
        if made == all {
            return shell;
        }
        format!(
            "{shell}\n\n**This is a part of the study, {made} of {all} runs.** `just regret` makes the whole of it."
        )
    }

    fn find(&self, title: &str) -> &Value {
        let mut tables = list(&self.0["tables"]).iter();
        tables.find(|table| table["title"] == title).unwrap_or_else(|| panic!("no table `{title}`"))
    }

    pub(super) fn note(&self, title: &str) -> String {
        escaped(&text(&self.find(title)["note"]))
    }

    pub(super) fn table(&self, title: &str) -> String {
        let table = self.find(title);
        let (columns, lines) = (list(&table["columns"]), list(&table["lines"]));
        let line = |cells: &[Value]| {
            format!("| {} |\n", cells.iter().map(|cell| escaped(&text(cell))).collect::<Vec<_>>().join(" | "))
        };
        // Numbers are flush right.
        let is_number = |k: usize| {
            let mut cells = lines.iter().map(|line| text(&line[k]));
            cells.any(|cell| cell.trim_start_matches("≈ ").starts_with(|c: char| c.is_ascii_digit()))
        };
        let rule: String = (0..columns.len()).map(|k| if is_number(k) { "---:|" } else { "---|" }).collect();
        let lines: String = lines.iter().map(|cells| line(list(cells))).collect();
        format!("{}|{rule}\n{lines}", line(columns))
    }

    /// Returns the heat map as SVG.
    pub(super) fn picture(&self) -> Vec<u8> {
        let heat = &self.0["heats"][0];
        let mut groups: Vec<(String, Vec<String>)> = Vec::new();
        for column in list(&heat["columns"]) {
            let (group, name) = (text(&column[0]), text(&column[1]));
            match groups.last_mut().filter(|(last, _)| *last == group) {
                Some((_, names)) => names.push(name),
                None => groups.push((group, vec![name])),
            }
        }
        let cell =
            |cell: &Value| Some(HeatCell { value: cell["value"].as_f64()?, note: text(&cell["note"]) });
        let row = |row: &Value| (text(&row["name"]), list(&row["cells"]).iter().map(cell).collect());
        let map = HeatMap {
            title: text(&heat["title"]),
            groups,
            x: text(&heat["x"]),
            rows: list(&heat["rows"]).iter().map(row).collect(),
            most: heat["most"].as_f64().unwrap(),
        };
        map.svg().into_bytes()
    }
}

/// Stores the results of a study that `fleetfoot reproduce` has written to a folder.
pub(super) fn take(root: &Path, folder: &Path) {
    let read = |name: &str| -> Value {
        let path = folder.join(name);
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        serde_json::from_str(&text).unwrap()
    };
    let (report, lab) = (read("report.json"), read("lab.json"));
    let id = text(&lab["about"]["study"]);
    let is_short = |table: &&Value| !text(&table["title"]).contains(LONG);
    let tables: Vec<&Value> = list(&report["tables"]).iter().filter(is_short).collect();
    let claim =
        |claim: &Value| json!({ "id": claim["id"], "says": claim["says"], "verdict": claim["verdict"] });
    let claims: Vec<Value> = list(&report["claims"]).iter().map(claim).collect();
    let made = list(&report["conditions"]).iter().find(|condition| condition["name"] == "runs");
    let kept = json!({
        "command": lab["about"]["command"],
        "made": made.map(|condition| &condition["values"][0]),
        "runs": fleetfoot_lab::whole(lab["runs"].as_u64().unwrap()),
        "notes": lab["about"]["notes"],
        "claims": claims,
        "tables": tables,
        "heats": report["heats"],
    });
    let file = file(root, &id);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, serde_json::to_string_pretty(&kept).unwrap() + "\n").unwrap();
}
