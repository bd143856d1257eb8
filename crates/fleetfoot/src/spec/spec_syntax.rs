//! The syntax of specs such as `tba(r=0.5,c=20)`: a name and parameters. Used for planners, worlds and maps.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// A syntax error with a remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecSyntaxError {
    /// The error.
    pub what: String,
    /// The remedy.
    pub remedy: &'static str,
}

impl fmt::Display for SpecSyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.what, self.remedy)
    }
}

impl core::error::Error for SpecSyntaxError {}

/// Splits a spec into the name and the text in parentheses.
pub fn split_spec(text: &str) -> Result<(&str, &str), SpecSyntaxError> {
    let text = text.trim();
    let (name, list) = text.split_once('(').unwrap_or((text, ")"));
    match list.strip_suffix(')') {
        Some(list) => Ok((name.trim(), list.trim())),
        None => {
            Err(SpecSyntaxError { what: format!("`{text}` lacks its closing bracket"), remedy: "add `)`" })
        }
    }
}

/// Parses the parameters of a spec. Duplicates are an error.
pub fn parse_params<'a>(name: &str, list: &'a str) -> Result<Vec<(&'a str, &'a str)>, SpecSyntaxError> {
    let mut given: Vec<(&str, &str)> = Vec::new();
    for part in list.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let Some((key, value)) = part.split_once('=').map(|(key, value)| (key.trim(), value.trim())) else {
            let what = format!("`{part}` in {name}(…) is not of the form name=value");
            return Err(SpecSyntaxError { what, remedy: "write parameters as name=value" });
        };
        if given.iter().any(|(other, _)| *other == key) {
            return Err(SpecSyntaxError {
                what: format!("`{key}` is given twice in {name}(…)"),
                remedy: "give it once",
            });
        }
        given.push((key, value));
    }
    Ok(given)
}

/// Returns what to say about a word that is none of these: similar ones, or all of them.
pub fn suggest(word: &str, candidates: &[&str]) -> String {
    match &similar(word, candidates)[..] {
        [] => format!("there are {}", candidates.join(", ")),
        near => format!("did you mean `{}`?", near.join("` or `")),
    }
}

/// Returns up to two candidates that differ from `word` by one or two letters, the closest first.
fn similar<'a>(word: &str, candidates: &[&'a str]) -> Vec<&'a str> {
    let word = word.to_ascii_lowercase();
    let limit = if word.len() < 4 { 1 } else { 2 };
    let mut near: Vec<(usize, &str)> = candidates
        .iter()
        .map(|candidate| (distance(&word, candidate), *candidate))
        .filter(|(distance, _)| *distance <= limit)
        .collect();
    near.sort_by_key(|(distance, _)| *distance);
    near.truncate(2);
    near.into_iter().map(|(_, candidate)| candidate).collect()
}

/// Returns the number of letters to insert, delete or replace that turn `a` into `b`.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.chars().count()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = core::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.chars().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.chars().count()]
}
