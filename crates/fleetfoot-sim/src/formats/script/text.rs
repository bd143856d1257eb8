//! Scripts as text.

use std::io::{self, Write};
use std::path::Path;

use super::super::{number, read, text, write_atomically};
use super::{Cells, Change, ChangeKind, Reaction, Rule, Script, size};
use crate::error::InputError;

/// Reads a script file.
///
/// # Errors
/// If the file cannot be read or is not a script, with file, line and remedy.
pub fn read_script(path: impl AsRef<Path>) -> Result<Script, InputError> {
    read(path.as_ref(), parse_script)
}

/// Parses the bytes of a script file.
///
/// # Errors
/// If the bytes are not a script, with line and remedy.
pub fn parse_script(bytes: &[u8]) -> Result<Script, InputError> {
    let mut lines = (1..)
        .zip(text(bytes)?.lines())
        .map(|(number, line)| (number, line.trim()))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let (mut script, version) = header(&mut lines)?;
    let (mut last, mut ruled) = (0, Cells::new());
    for (line, text) in lines {
        let at = |error: InputError| InputError::at(line, error.what(), error.remedy());
        let is_rule = text.strip_prefix("rule").is_some_and(|rest| rest.starts_with([' ', '\t']));
        if is_rule {
            let rule = rule(text, line, version, script.changes.is_empty())?;
            script.check_rule(&rule, &mut ruled).map_err(at)?;
            script.rules.push(rule);
        } else {
            let change = change(text, line)?;
            script.check_change(&change, last, &ruled).map_err(at)?;
            last = change.tick;
            script.changes.push(change);
        }
    }
    Ok(script)
}

/// Parses the first two lines. Returns a script without changes, and the version.
fn header<'a>(lines: &mut impl Iterator<Item = (usize, &'a str)>) -> Result<(Script, u32), InputError> {
    let remedy = "a script begins with the lines `fleetfoot-script 1` and `size WIDTH HEIGHT`";
    let Some((line, first)) = lines.next() else {
        return Err(InputError::new("the file is empty", remedy));
    };
    let version = match first.split_whitespace().collect::<Vec<_>>()[..] {
        ["fleetfoot-script", "1"] => 1,
        ["fleetfoot-script", "2"] => 2,
        ["fleetfoot-script", other] => {
            let what = format!("scripts of version {other:?} are not supported");
            return Err(InputError::at(line, what, "use a newer fleetfoot, or record the script again"));
        }
        _ => return Err(InputError::at(line, "this is not a script", remedy)),
    };
    let Some((line, second)) = lines.next() else {
        return Err(InputError::at(line, "the file ends within the header", remedy));
    };
    let ["size", width, height] = second.split_whitespace().collect::<Vec<_>>()[..] else {
        return Err(InputError::at(line, "the `size` line is missing", remedy));
    };
    let (width, height) = (number(width, "the width", line)?, number(height, "the height", line)?);
    size(width, height).map_err(|error| InputError::at(line, error.what(), error.remedy()))?;
    Ok((Script::empty(width, height), version))
}

fn change(text: &str, line: usize) -> Result<Change, InputError> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let (what, tick, x, y) = match words[..] {
        [tick, "close", x, y] => (ChangeKind::Close, tick, x, y),
        [tick, "open", x, y] => (ChangeKind::Open, tick, x, y),
        [tick, "weight", x, y, weight] => {
            (ChangeKind::Weight(number(weight, "the weight", line)?), tick, x, y)
        }
        _ => {
            let what = format!("{} is no change", shown(text));
            return Err(InputError::at(
                line,
                what,
                "write `TICK close X Y`, `TICK open X Y` or `TICK weight X Y W`",
            ));
        }
    };
    let (x, y) = (number(x, "the column", line)?, number(y, "the row", line)?);
    Ok(Change { tick: number(tick, "the tick", line)?, x, y, what })
}

fn rule(text: &str, line: usize, version: u32, is_before_changes: bool) -> Result<Rule, InputError> {
    if version < 2 {
        let remedy = "write `fleetfoot-script 2` in the first line";
        return Err(InputError::at(line, "scripts of version 1 have no rules", remedy));
    }
    if !is_before_changes {
        let remedy = "move all rules up, below the `size` line";
        return Err(InputError::at(line, "this rule comes after a change", remedy));
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    let ["rule", "shut-near", x, y, "radius", radius, "ticks", ticks] = words[..] else {
        let what = format!("{} is no rule", shown(text));
        return Err(InputError::at(line, what, "write `rule shut-near X Y radius R ticks T`"));
    };
    let (radius, ticks) = (number(radius, "the radius", line)?, number(ticks, "the number of ticks", line)?);
    let (x, y) = (number(x, "the column", line)?, number(y, "the row", line)?);
    Ok(Rule { x, y, what: Reaction::ShutNear { radius, ticks } })
}

/// Quotes the beginning of a line.
fn shown(text: &str) -> String {
    format!("{:?}", text.chars().take(40).collect::<String>())
}

/// Writes a script file completely or not at all.
///
/// # Errors
/// If the script is invalid or the file cannot be written.
pub fn write_script(path: impl AsRef<Path>, script: &Script) -> Result<(), InputError> {
    write_script_noted(path, script, "")
}

/// Writes a script file with a note about its origin, which becomes comments above the changes.
///
/// # Errors
/// If the script is invalid or the file cannot be written.
pub fn write_script_noted(path: impl AsRef<Path>, script: &Script, note: &str) -> Result<(), InputError> {
    script.validate().map_err(|error| error.with_file(path.as_ref()))?;
    write_atomically(path, |out| write_noted(out, script, note))
}

/// Writes the text of a script file. It can be read again if [`Script::validate`] succeeds.
///
/// # Errors
/// If the writer fails.
pub fn write_script_to(out: impl Write, script: &Script) -> io::Result<()> {
    write_noted(out, script, "")
}

fn write_noted(mut out: impl Write, script: &Script, note: &str) -> io::Result<()> {
    let version = if script.rules.is_empty() { 1 } else { 2 };
    write!(out, "fleetfoot-script {version}\nsize {} {}\n", script.width, script.height)?;
    for line in note.lines() {
        writeln!(out, "# {line}")?;
    }
    for Rule { x, y, what: Reaction::ShutNear { radius, ticks } } in &script.rules {
        writeln!(out, "rule shut-near {x} {y} radius {radius} ticks {ticks}")?;
    }
    for Change { tick, x, y, what } in &script.changes {
        match what {
            ChangeKind::Close => writeln!(out, "{tick} close {x} {y}")?,
            ChangeKind::Open => writeln!(out, "{tick} open {x} {y}")?,
            ChangeKind::Weight(weight) => writeln!(out, "{tick} weight {x} {y} {weight}")?,
        }
    }
    Ok(())
}
