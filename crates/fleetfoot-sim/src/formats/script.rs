//! Scripts: recorded changes of a world, so that a run in a changing world can be repeated.
//!
//! ```text
//! fleetfoot-script 1
//! size WIDTH HEIGHT
//! # comments and blank lines are skipped
//! TICK close X Y
//! TICK open X Y
//! TICK weight X Y W
//! ```
//!
//! Columns and rows count from 0. Ticks never fall from line to line. `close` makes a cell impassable, `open`
//! makes it passable, `weight` makes stepping on it cost W times as much (1 to 255). Words are separated by
//! spaces or tabs.

use std::io::{self, Write};
use std::path::Path;

use super::{number, read, text, write_atomically};
use crate::error::InputError;
use crate::map::GridMap;

/// A recorded sequence of changes to a map of a certain size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// The width of the map it belongs to.
    pub width: u32,
    /// The height of the map it belongs to.
    pub height: u32,
    /// The changes in order; ticks never fall.
    pub changes: Vec<Change>,
}

/// One change of one cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// When it happens.
    pub tick: u64,
    /// The cell's column.
    pub x: u32,
    /// The cell's row.
    pub y: u32,
    /// What happens to the cell.
    pub what: What,
}

/// What a change does to its cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// It becomes impassable.
    Close,
    /// It becomes passable.
    Open,
    /// Stepping on it costs so many times as much; at least 1.
    Weight(u8),
}

impl Script {
    /// Whether the script keeps its own rules: cells inside, ticks not falling, weights of at least 1.
    ///
    /// # Errors
    /// If it does not; the offending change is named.
    pub fn validate(&self) -> Result<(), InputError> {
        size(self.width, self.height)?;
        let mut last = 0;
        for (index, change) in self.changes.iter().enumerate() {
            self.check_change(change, last).map_err(|error| {
                InputError::new(format!("change {}: {}", index + 1, error.what()), error.remedy())
            })?;
            last = change.tick;
        }
        Ok(())
    }

    /// Whether the script was made for a map of this size.
    ///
    /// # Errors
    /// If the sizes differ.
    pub fn check(&self, map: &GridMap) -> Result<(), InputError> {
        if (self.width, self.height) == (map.width(), map.height()) {
            return Ok(());
        }
        let size = format!("{}x{}", self.width, self.height);
        let what = format!("the script is for a {size} map, this one has {}x{}", map.width(), map.height());
        Err(InputError::new(what, "give the script that belongs to the map"))
    }

    fn check_change(&self, change: &Change, last: u64) -> Result<(), InputError> {
        let Change { tick, x, y, what } = *change;
        if x >= self.width || y >= self.height {
            let what = format!("the cell ({x}, {y}) is outside the {}x{} map", self.width, self.height);
            return Err(InputError::new(what, "columns and rows count from 0; correct the cell or `size`"));
        }
        if tick < last {
            let what = format!("tick {tick} comes after tick {last}");
            return Err(InputError::new(what, "sort the changes by tick"));
        }
        if what == What::Weight(0) {
            return Err(InputError::new(
                "the weight is 0",
                "use a weight from 1 to 255, or `close` the cell",
            ));
        }
        Ok(())
    }
}

fn size(width: u32, height: u32) -> Result<(), InputError> {
    crate::map::cell_count(width, height).map(drop)
}

/// Reads a script file.
///
/// # Errors
/// If the file cannot be read or is no script, with file, line and remedy.
pub fn read_script(path: impl AsRef<Path>) -> Result<Script, InputError> {
    read(path.as_ref(), parse_script)
}

/// Parses the bytes of a script file.
///
/// # Errors
/// If the bytes are no script, with line and remedy.
pub fn parse_script(bytes: &[u8]) -> Result<Script, InputError> {
    let mut lines = (1..)
        .zip(text(bytes)?.lines())
        .map(|(number, line)| (number, line.trim()))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let mut script = header(&mut lines)?;
    let mut last = 0;
    for (line, text) in lines {
        let change = change(text, line)?;
        script
            .check_change(&change, last)
            .map_err(|error| InputError::at(line, error.what(), error.remedy()))?;
        last = change.tick;
        script.changes.push(change);
    }
    Ok(script)
}

fn header<'a>(lines: &mut impl Iterator<Item = (usize, &'a str)>) -> Result<Script, InputError> {
    let remedy = "a script begins with the lines `fleetfoot-script 1` and `size WIDTH HEIGHT`";
    let Some((line, first)) = lines.next() else {
        return Err(InputError::new("the file is empty", remedy));
    };
    match first.split_whitespace().collect::<Vec<_>>()[..] {
        ["fleetfoot-script", "1"] => {}
        ["fleetfoot-script", other] => {
            let what = format!("scripts of version {other:?} are not supported");
            return Err(InputError::at(line, what, "use a newer fleetfoot, or record the script again"));
        }
        _ => return Err(InputError::at(line, "this is not a script", remedy)),
    }
    let Some((line, second)) = lines.next() else {
        return Err(InputError::at(line, "the file ends within the header", remedy));
    };
    let ["size", width, height] = second.split_whitespace().collect::<Vec<_>>()[..] else {
        return Err(InputError::at(line, "the `size` line is missing", remedy));
    };
    let (width, height) = (number(width, "the width", line)?, number(height, "the height", line)?);
    size(width, height).map_err(|error| InputError::at(line, error.what(), error.remedy()))?;
    Ok(Script { width, height, changes: Vec::new() })
}

fn change(text: &str, line: usize) -> Result<Change, InputError> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let (what, tick, x, y) = match words[..] {
        [tick, "close", x, y] => (What::Close, tick, x, y),
        [tick, "open", x, y] => (What::Open, tick, x, y),
        [tick, "weight", x, y, weight] => (What::Weight(number(weight, "the weight", line)?), tick, x, y),
        _ => {
            let what = format!("{:?} is no change", text.chars().take(40).collect::<String>());
            return Err(InputError::at(
                line,
                what,
                "write `TICK close X Y`, `TICK open X Y` or `TICK weight X Y W`",
            ));
        }
    };
    Ok(Change {
        tick: number(tick, "the tick", line)?,
        x: number(x, "the column", line)?,
        y: number(y, "the row", line)?,
        what,
    })
}

/// Writes a script file as a whole or not at all.
///
/// # Errors
/// If the script breaks its own rules or the file cannot be written.
pub fn write_script(path: impl AsRef<Path>, script: &Script) -> Result<(), InputError> {
    script.validate().map_err(|error| error.with_file(path.as_ref()))?;
    write_atomically(path, |out| write_script_to(out, script))
}

/// Writes the text of a script file; [`Script::validate`] tells whether it can be read again.
///
/// # Errors
/// If the writer fails.
pub fn write_script_to(mut out: impl Write, script: &Script) -> io::Result<()> {
    write!(out, "fleetfoot-script 1\nsize {} {}\n", script.width, script.height)?;
    for Change { tick, x, y, what } in &script.changes {
        match what {
            What::Close => writeln!(out, "{tick} close {x} {y}")?,
            What::Open => writeln!(out, "{tick} open {x} {y}")?,
            What::Weight(weight) => writeln!(out, "{tick} weight {x} {y} {weight}")?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::tests::Folder;
    use super::*;

    const GOOD: &str = "fleetfoot-script 1\nsize 3 2\n0 close 2 1\n5 open 2 1\n5 weight 0 0 255\n";

    #[test]
    fn reads_and_writes() {
        let script = parse_script(GOOD.as_bytes()).unwrap();
        assert_eq!((script.width, script.height, script.changes.len()), (3, 2, 3));
        assert_eq!(script.changes[2], Change { tick: 5, x: 0, y: 0, what: What::Weight(255) });
        let loose = GOOD.replace('\n', "\r\n").replace("5 open", "# a door\r\n\r\n  5\topen");
        assert_eq!(parse_script(loose.trim_end().as_bytes()).unwrap(), script);
        let folder = Folder::new("scripts");
        let path = folder.0.join("a.script");
        write_script(&path, &script).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), GOOD);
        assert_eq!(read_script(&path).unwrap(), script);
    }

    #[test]
    fn complains_with_line_and_remedy() {
        let cases: &[(&str, &str, &str)] = &[
            ("script 1", "script 2", "line 1: scripts of version \"2\" are not supported; use"),
            ("fleetfoot-script 1\n", "", "line 1: this is not a script; a script begins"),
            ("size 3 2\n", "", "line 2: the `size` line is missing; a script begins"),
            ("size 3 2", "size 3", "line 2: the `size` line is missing"),
            ("size 3 2", "size 0 2", "line 2: a map of 0x2 cells has no cell"),
            ("size 3 2", "size 99999 99999", "line 2: a map of 99999x99999 has more than"),
            ("size 3 2", "size x 2", "line 2: the width \"x\" is not a whole number"),
            ("0 close 2 1", "0 shut 2 1", "line 3: \"0 shut 2 1\" is no change; write"),
            ("0 close 2 1", "0 close 2", "line 3: \"0 close 2\" is no change"),
            ("0 close 2 1", "0 close 3 1", "line 3: the cell (3, 1) is outside the 3x2 map; columns"),
            ("0 close 2 1", "0 close 2 2", "line 3: the cell (2, 2) is outside the 3x2 map; columns"),
            ("0 close 2 1", "-1 close 2 1", "line 3: the tick \"-1\" is not a whole number"),
            ("0 close 2 1", "6 close 2 1", "line 4: tick 5 comes after tick 6; sort"),
            ("0 0 255", "0 0 256", "line 5: the weight \"256\" is too large"),
            ("0 0 255", "0 0 0", "line 5: the weight is 0; use a weight from 1 to 255"),
            ("0 0 255", "0 0", "line 5: \"5 weight 0 0\" is no change"),
        ];
        for (from, to, expected) in cases {
            let error = parse_script(GOOD.replacen(from, to, 1).as_bytes()).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error:?} should start with {expected:?}");
        }
        assert!(parse_script(b"# nothing\n").unwrap_err().to_string().starts_with("the file is empty"));
        assert!(parse_script(b"fleetfoot-script 1\n").unwrap_err().to_string().contains("within the header"));
        assert_eq!(parse_script(b"fleetfoot-script 1\n\xff").unwrap_err().line(), Some(2));
    }

    #[test]
    fn refuses_to_write_what_it_could_not_read() {
        let mut script = parse_script(GOOD.as_bytes()).unwrap();
        script.changes[0].what = What::Weight(0);
        let folder = Folder::new("bad-scripts");
        let path = folder.0.join("a.script");
        let error = write_script(&path, &script).unwrap_err().to_string();
        assert!(error.contains("change 1: the weight is 0; use"), "{error}");
        assert!(!path.exists());
        script.changes[0].what = What::Open;
        script.changes[1].tick = 6;
        assert!(script.validate().unwrap_err().to_string().starts_with("change 3: tick 5 comes after"));
    }

    #[test]
    fn belongs_to_one_size() {
        let script = parse_script(GOOD.as_bytes()).unwrap();
        script.check(&GridMap::new(3, 2, b'.').unwrap()).unwrap();
        assert!(script.check(&GridMap::new(2, 3, b'.').unwrap()).is_err());
    }
}
