//! Which build of the program made a row.

use std::path::PathBuf;
use std::sync::{Arc, LazyLock, OnceLock};

/// A fingerprint of a program; nothing where it is not known.
pub(super) type Build = Option<Arc<str>>;

/// The program and its version: rows of another version are not mixed with ours.
pub(super) fn program() -> String {
    format!("fleetfoot {}", env!("CARGO_PKG_VERSION"))
}

/// Where we are, if not in the running program itself.
static FILE: OnceLock<PathBuf> = OnceLock::new();

/// Says that rows are made by this file, which a program has loaded: a library whose program is not ours. To be called
/// before the first experiment; only the first call counts.
pub fn made_by(file: impl Into<PathBuf>) {
    let _ = FILE.set(file.into());
}

/// The fingerprint of the running program. One that was replaced since it was started is taken for the new one; nothing but a
/// note depends on it.
pub(super) fn ours() -> Build {
    static OURS: LazyLock<Build> = LazyLock::new(|| {
        let path = FILE.get().cloned().or_else(|| std::env::current_exe().ok())?;
        let sum = crate::places::checksum(&path).ok()?;
        Some(format!("{sum:016x}").into())
    });
    OURS.clone()
}

/// How many in a row are of which build, as text: `24 9f86d081884c7d65`, or `24 ?`.
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

/// The builds of so many rows; not known if the text is about another number of them.
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
        assert!(ours().is_some_and(|build| build.len() == 16));
    }
}
