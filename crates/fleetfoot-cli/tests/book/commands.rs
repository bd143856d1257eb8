//! Executes the commands of the book as a reader does, in a folder with the book's maps.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// A folder for executing commands.
pub(super) struct Workshop(tempfile::TempDir);

impl Workshop {
    pub(super) fn new(root: &Path) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let maps = folder.path().join("book/maps");
        fs::create_dir_all(&maps).unwrap();
        for entry in fs::read_dir(root.join("book/maps")).unwrap() {
            let entry = entry.unwrap();
            fs::copy(entry.path(), maps.join(entry.file_name())).unwrap();
        }
        Self(folder)
    }

    fn run(&self, words: &[String]) -> Vec<u8> {
        let mut program = Command::new(assert_cmd::cargo::cargo_bin!("fleetfoot"));
        let output = program.args(words).current_dir(self.0.path()).output().unwrap();
        assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    }

    /// Executes commands in order. Returns the rows of all runs.
    pub(super) fn rows(&self, commands: &[Vec<String>]) -> Vec<Value> {
        let mut rows = Vec::new();
        for command in commands {
            let (program, words) = command.split_first().expect("a command");
            assert_eq!(program, "fleetfoot");
            if words[0] == "run" {
                let out = self.run(&[words, &["--format".into(), "jsonl".into()]].concat());
                let text = String::from_utf8(out).unwrap();
                rows.extend(text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()));
            } else {
                self.run(words);
            }
        }
        rows
    }

    /// Executes fleets. Returns the words of each command, and its object.
    pub(super) fn fleets(&self, commands: &[Vec<String>]) -> Vec<(String, Value)> {
        let fleet = |command: &Vec<String>| {
            assert_eq!(command[..2], ["fleetfoot", "fleet"]);
            let out = self.run(&[&command[1..], &["--format".into(), "json".into()]].concat());
            (command[2..].join(" "), serde_json::from_slice(&out).unwrap())
        };
        commands.iter().map(fleet).collect()
    }

    /// Executes commands. Returns the name and contents of the page that the last one writes.
    pub(super) fn page<'c>(&self, commands: &'c [Vec<String>]) -> (&'c str, Vec<u8>) {
        for command in commands {
            assert_eq!(command[0], "fleetfoot");
            self.run(&command[1..]);
        }
        let page = commands.last().and_then(|words| words.last()).expect("a page that plays it");
        (page, fs::read(self.0.path().join(page)).unwrap())
    }

    /// Returns the picture of the replay that the last command writes.
    pub(super) fn figure(&self, commands: &[Vec<String>], file: &str, how: &[&str]) -> Vec<u8> {
        let (page, _) = self.page(commands);
        let how = how.iter().map(|word| (*word).to_owned());
        let words = ["replay", page, "-o", file].map(str::to_owned).into_iter().chain(how);
        self.run(&words.collect::<Vec<_>>());
        fs::read(self.0.path().join(file)).unwrap()
    }
}
