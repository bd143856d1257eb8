//! Tests the program as users and scripts run it.

mod bad_input;
mod bench;
mod database;
mod demo;
mod fleet;
mod list;
mod map;
mod picture;
mod playground;
mod published;
mod replay;
mod run;
mod selection;
mod soak;
mod trials;
mod world;

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// A folder of one test, in which the program runs.
struct Folder(tempfile::TempDir);

/// The result of the program.
struct Done {
    code: Option<i32>,
    out: String,
    err: String,
}

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// Returns the names of all files in the folder.
    fn names(&self) -> Vec<String> {
        let name =
            |entry: std::io::Result<std::fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
        let mut names: Vec<_> = std::fs::read_dir(self.0.path()).unwrap().map(name).collect();
        names.sort();
        names
    }

    fn run(&self, words: &[&str]) -> Done {
        run_in(self.0.path(), words)
    }

    /// Executes a command that must succeed, and returns its output.
    fn good(&self, words: &[&str]) -> String {
        let done = self.run(words);
        assert_eq!(done.code, Some(0), "{words:?}: {}", done.err);
        done.out
    }

    /// Returns the size of a picture, and its pixels by column and row.
    fn picture(&self, name: &str) -> ((u32, u32), impl Fn(usize, usize) -> [u8; 3] + use<>) {
        let file = std::io::BufReader::new(std::fs::File::open(self.path(name)).unwrap());
        let mut decoder = png::Decoder::new(file);
        decoder.set_transformations(png::Transformations::EXPAND);
        let mut reader = decoder.read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        let at = move |x: usize, y: usize| [0, 1, 2].map(|k| pixels[(y * info.width as usize + x) * 3 + k]);
        ((info.width, info.height), at)
    }

    /// Returns the rows of a run in JSON.
    fn rows(&self, words: &[&str]) -> Vec<Value> {
        let out = self.good(&[&["run"], words, &["--format", "jsonl"]].concat());
        out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

fn run_in(folder: &Path, words: &[&str]) -> Done {
    let output = Command::new(assert_cmd::cargo::cargo_bin!("fleetfoot"))
        .args(words)
        .current_dir(folder)
        .env_remove("RUST_BACKTRACE")
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Done { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

/// A map of 8x4 cells in two components.
const SMALL: &str = "type octile\nheight 4\nwidth 8\nmap\n......@.\n.@@@..@.\n......@.\n......@.\n";
