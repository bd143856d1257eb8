//! The build of the program that made a row.

use std::path::PathBuf;
use std::sync::{Arc, LazyLock, OnceLock};

/// A program's checksum and machine. `None` if unknown.
pub(super) type Build = Option<Arc<str>>;

/// Returns the program and its version. Rows of other versions are not mixed with ours.
pub(super) fn program() -> String {
    format!("fleetfoot {}", env!("CARGO_PKG_VERSION"))
}

/// The file of the program, if it is not the running executable.
static FILE: OnceLock<PathBuf> = OnceLock::new();

/// Sets the file that makes rows: a library that another program has loaded. Call it before the first experiment;
/// only the first call counts.
pub fn made_by(file: impl Into<PathBuf>) {
    let _ = FILE.set(file.into());
}

/// Returns the checksum of the executable on disk. It is wrong if the file was replaced while running, and is used
/// only for a note in reports.
pub(super) fn ours() -> Build {
    static OURS: LazyLock<Build> = LazyLock::new(|| {
        let path = FILE.get().cloned().or_else(|| std::env::current_exe().ok())?;
        let sum = crate::places::checksum(&path).ok()?;
        Some(format!("{sum:016x} on {}", machine()).into())
    });
    OURS.clone()
}

/// Describes the machine.
fn machine() -> String {
    use std::env::consts::{ARCH, OS};
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let cores = if cores == 1 { "1 core".to_owned() } else { format!("{cores} cores") };
    let about = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = about.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    let name = name.map(|(_, name)| format!(" of {}", name.trim())).unwrap_or_default();
    format!("{ARCH} {OS}, {cores}{name}")
}

/// Returns `true` if rows of a build may be mixed with ours without a note: the same program on any machine.
pub(super) fn is_ours(build: &Build) -> bool {
    let id = |build: &Build| build.as_deref().and_then(|text| text.split(' ').next()).map(str::to_owned);
    build.is_some() && id(build) == id(&ours())
}

/// Describes the builds of rows for reports.
pub(super) fn told<'a>(builds: impl Iterator<Item = &'a Build>) -> Vec<String> {
    let mut counts: Vec<(&Build, u64)> = Vec::new();
    for build in builds {
        match counts.iter_mut().find(|(other, _)| *other == build) {
            Some((_, count)) => *count += 1,
            None => counts.push((build, 1)),
        }
    }
    let is_one = counts.len() == 1;
    let one = |(build, count): &(&Build, u64)| {
        let by = build.as_deref().map_or("an unknown build".to_owned(), |text| format!("build {text}"));
        let rows = if is_one { String::new() } else { format!(": {} rows", crate::whole(*count)) };
        format!("{}, {by}{rows}", program())
    };
    counts.iter().map(one).collect()
}

/// Encodes builds as run lengths: `24 9f86d081884c7d65`, or `24 ?`.
pub(super) fn encode<'a>(builds: impl Iterator<Item = &'a Build>) -> Vec<String> {
    let mut runs: Vec<(u64, &Build)> = Vec::new();
    for build in builds {
        match runs.last_mut() {
            Some((count, last)) if *last == build => *count += 1,
            _ => runs.push((1, build)),
        }
    }
    runs.into_iter().map(|(count, build)| format!("{count} {}", build.as_deref().unwrap_or("?"))).collect()
}

/// Decodes the builds of `rows` rows. They are unknown if the text does not match this number.
pub(super) fn decode(text: &[String], rows: usize) -> Vec<Build> {
    let unknown = || vec![None; rows];
    let mut builds: Vec<Build> = Vec::with_capacity(rows);
    for part in text {
        let Some((count, name)) = part.split_once(' ') else { return unknown() };
        let build: Build = (name != "?").then(|| name.into());
        match count.parse::<usize>() {
            Ok(count) if count <= rows - builds.len() => builds.extend(std::iter::repeat_n(build, count)),
            _ => return unknown(),
        }
    }
    if builds.len() == rows { builds } else { unknown() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builds_are_read_back() {
        let (a, b): (Build, Build) = (Some("a".into()), Some("b".into()));
        let builds = [a.clone(), a.clone(), b, None, None, None, a];
        let text = encode(builds.iter());
        assert_eq!(text, ["2 a", "1 b", "3 ?", "1 a"]);
        assert_eq!(decode(&text, 7), builds);
        for (text, rows) in [(&text[..], 6), (&text, 8), (&["x".to_owned()], 1), (&["x y".to_owned()], 1)] {
            assert_eq!(decode(text, rows), vec![None; rows]);
        }
        assert_eq!(decode(&[], 2), [None, None]);
        let ours = ours();
        assert!(ours.as_deref().unwrap().as_bytes()[16..].starts_with(b" on "));
        let elsewhere: Build = Some(format!("{} on another machine", &ours.as_deref().unwrap()[..16]).into());
        assert!(is_ours(&ours) && is_ours(&elsewhere) && !is_ours(&None) && !is_ours(&builds[0]));
        assert_eq!(decode(&encode([&ours, &elsewhere].into_iter()), 2), [ours.clone(), elsewhere]);
        assert_eq!(told([&None, &None].into_iter()), [format!("{}, an unknown build", program())]);
        assert!(told(builds.iter())[0].ends_with("build a: 3 rows"));
    }
}
