//! `MovingAI` `.scen` files: one problem per line, with the length of a shortest path.

use std::io::{self, Write};
use std::path::Path;

use super::{number, read, text, write_atomically};
use crate::error::InputError;
use crate::map::GridMap;

/// One line of a scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// Group of problems of similar length: in published files a quarter of the optimal length, rounded down.
    pub bucket: u32,
    /// Name of the map file, possibly with folders.
    pub map: String,
    /// Width of the map that the problem was made for.
    pub width: u32,
    /// Height of the map that the problem was made for.
    pub height: u32,
    /// Start, as (column, row).
    pub start: (u32, u32),
    /// Goal, as (column, row).
    pub goal: (u32, u32),
    /// Length of a shortest path: straight moves 1, diagonal ones √2, no corner cutting.
    pub optimal: f64,
    /// Its line, counted from 1; `None` if it does not come from a file.
    pub line: Option<usize>,
}

impl Problem {
    /// Checks that the problem belongs to a map and can be used on it. `map_file_name` may contain folders. In a
    /// changing world the goal may be blocked at first.
    ///
    /// # Errors
    /// If name or size of the map differ, or start or goal are blocked; the line is named.
    pub fn check(&self, map: &GridMap, map_file_name: &str, world_changes: bool) -> Result<(), InputError> {
        if last_part(&self.map) != last_part(map_file_name) {
            let what = format!("the problem is for map {:?}, not for {map_file_name:?}", self.map);
            return Err(self.error(what, "give the scenario that belongs to the map"));
        }
        if (self.width, self.height) != (map.width(), map.height()) {
            let size = format!("{}x{}", self.width, self.height);
            let what =
                format!("the problem is for a {size} map, this one has {}x{}", map.width(), map.height());
            let remedy = "scaled scenarios are not supported: scale the map first, or correct the line";
            return Err(self.error(what, remedy));
        }
        for (name, (x, y), may_be_blocked) in
            [("start", self.start, false), ("goal", self.goal, world_changes)]
        {
            if !map.in_bounds(x, y) {
                let what = format!("the {name} ({x}, {y}) is outside the map");
                return Err(self.error(what, "columns and rows count from 0; correct or remove the line"));
            }
            if !map.passable(x, y) && !may_be_blocked {
                let what = format!("the {name} ({x}, {y}) is blocked ({:?})", map.letter(x, y) as char);
                return Err(self.error(what, "choose a free cell, or remove the line"));
            }
        }
        Ok(())
    }

    fn error(&self, what: String, remedy: &str) -> InputError {
        match self.line {
            Some(line) => InputError::at(line, what, remedy),
            None => InputError::new(what, remedy),
        }
    }
}

/// Returns the file name. Scenarios were written on several systems, so both separators count everywhere.
fn last_part(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// Reads a scenario file.
///
/// # Errors
/// If the file cannot be read or is not a scenario, with file, line and remedy.
pub fn read_scen(path: impl AsRef<Path>) -> Result<Vec<Problem>, InputError> {
    read(path.as_ref(), parse_scen)
}

/// Parses the bytes of a scenario file. Fields are separated by tabs or, in lines without any, by spaces.
///
/// # Errors
/// If the bytes are not a scenario, with line and remedy.
pub fn parse_scen(bytes: &[u8]) -> Result<Vec<Problem>, InputError> {
    let mut lines = (1..).zip(text(bytes)?.lines()).filter(|(_, line)| !line.trim().is_empty());
    let remedy = "a MovingAI scenario begins with the line `version 1`";
    let Some((line, first)) = lines.next() else {
        return Err(InputError::new("the file is empty", remedy));
    };
    match first.split_whitespace().collect::<Vec<_>>()[..] {
        ["version", "1" | "1.0"] => {}
        ["version", other] => {
            let what = format!("scenarios of version {other:?} are not supported");
            return Err(InputError::at(line, what, "convert the scenario to version 1"));
        }
        _ => return Err(InputError::at(line, "this is not a scenario", remedy)),
    }
    lines.map(|(line, words)| problem(words, line)).collect()
}

fn problem(text: &str, line: usize) -> Result<Problem, InputError> {
    let fields: Vec<&str> = if text.contains('\t') {
        text.trim().split('\t').map(str::trim).collect()
    } else {
        text.split_whitespace().collect()
    };
    let &[bucket, map, width, height, sx, sy, gx, gy, optimal] = fields.as_slice() else {
        let what = format!("the line has {} fields instead of 9", fields.len());
        let remedy = "write bucket, map, width, height, start x, start y, goal x, goal y, optimal length";
        return Err(InputError::at(line, what, remedy));
    };
    let coordinate = |word, name| number(word, name, line);
    Ok(Problem {
        bucket: coordinate(bucket, "the bucket")?,
        map: name(map, line)?,
        width: coordinate(width, "the width")?,
        height: coordinate(height, "the height")?,
        start: (coordinate(sx, "the start's column")?, coordinate(sy, "the start's row")?),
        goal: (coordinate(gx, "the goal's column")?, coordinate(gy, "the goal's row")?),
        optimal: length(optimal, line)?,
        line: Some(line),
    })
}

/// Returns `true` if a map's name can be written and read again.
fn is_name(map: &str) -> bool {
    !map.is_empty() && map.trim() == map && !map.contains(char::is_control)
}

fn name(map: &str, line: usize) -> Result<String, InputError> {
    if is_name(map) {
        return Ok(map.to_owned());
    }
    Err(InputError::at(line, format!("{map:?} cannot be the name of a map"), "write the map's file name"))
}

fn length(word: &str, line: usize) -> Result<f64, InputError> {
    match word.parse() {
        Ok(length) if f64::is_finite(length) && length >= 0.0 => Ok(length),
        _ => {
            let what = format!("the optimal length {word:?} is not a finite number of at least 0");
            Err(InputError::at(line, what, "write the length of a shortest path such as 2.82842712"))
        }
    }
}

/// Writes a scenario file completely or not at all.
///
/// # Errors
/// If the file cannot be written.
pub fn write_scen(path: impl AsRef<Path>, problems: &[Problem]) -> Result<(), InputError> {
    write_atomically(path, |out| write_scen_to(out, problems))
}

/// Writes the text of a scenario file. Lengths are rounded to eight digits, as in published files.
///
/// # Errors
/// If the writer fails, or a map's name cannot be read again: it is empty, contains control characters such as tabs,
/// or begins or ends with a space.
pub fn write_scen_to(mut out: impl Write, problems: &[Problem]) -> io::Result<()> {
    writeln!(out, "version 1")?;
    for Problem { bucket, map, width, height, start, goal, optimal, line: _ } in problems {
        if !is_name(map) {
            let what = format!("{map:?} cannot be a map name in a scenario: rename the map");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
        }
        let ((sx, sy), (gx, gy)) = (start, goal);
        writeln!(out, "{bucket}\t{map}\t{width}\t{height}\t{sx}\t{sy}\t{gx}\t{gy}\t{optimal:.8}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::tests::Folder;
    use super::*;

    const GOOD: &str = "version 1\n\
        0\tmaps/a b.map\t3\t2\t0\t0\t2\t1\t2.41421356\n\
        7\ta b.map\t3\t2\t1\t1\t1\t1\t0.00000000\n";

    fn map() -> GridMap {
        GridMap::from_rows(&["..@", "..."]).unwrap()
    }

    #[test]
    fn reads_files_of_other_programs() {
        let problems = parse_scen(GOOD.as_bytes()).unwrap();
        let [first, second] = &problems[..] else { panic!("{problems:?}") };
        assert_eq!((first.bucket, first.width, first.height, first.line), (0, 3, 2, Some(2)));
        assert_eq!((first.start, first.goal, first.optimal), ((0, 0), (2, 1), 2.414_213_56));
        assert_eq!((second.start, second.goal, second.optimal), ((1, 1), (1, 1), 0.0));
        for problem in &problems {
            problem.check(&map(), "C:\\maps\\a b.map", false).unwrap();
        }
        for text in
            [GOOD.replace('\n', "\r\n"), GOOD.trim_end().into(), GOOD.replace("version 1", "version 1.0")]
        {
            assert_eq!(parse_scen(text.as_bytes()).unwrap(), problems);
        }
        let spaced = parse_scen(b"\nversion 1\n\n0  a.map 3 2 0 0 2 1 2.5\n\n").unwrap();
        assert_eq!((spaced[0].map.as_str(), spaced[0].line), ("a.map", Some(4)));
        assert_eq!(parse_scen(b"version 1\n").unwrap(), []);
    }

    #[test]
    fn complains_with_line_and_remedy() {
        let cases: &[(&str, &str, &str)] = &[
            ("version 1", "version 2", "line 1: scenarios of version \"2\" are not supported; convert"),
            ("version 1\n", "", "line 1: this is not a scenario; a MovingAI scenario"),
            ("0\tmaps", "maps", "line 2: the line has 8 fields instead of 9; write bucket"),
            ("2.41421356", "2.4\t1", "line 2: the line has 10 fields"),
            ("maps/a b.map", "", "line 2: \"\" cannot be the name of a map; write the map's"),
            ("a b.map", "a\u{7}.map", "line 2: \"maps/a\\u{7}.map\" cannot be the name of a map"),
            ("2.41421356", "NaN", "line 2: the optimal length \"NaN\" is not a finite number"),
            ("2.41421356", "inf", "line 2: the optimal length \"inf\" is not a finite number"),
            ("2.41421356", "-1", "line 2: the optimal length \"-1\" is not a finite number"),
            ("2.41421356", "far", "line 2: the optimal length \"far\" is not a finite number"),
            ("7\ta", "x\ta", "line 3: the bucket \"x\" is not a whole number"),
            ("\t3\t2\t0", "\t99999999999\t2\t0", "line 2: the width \"99999999999\" is too large"),
            ("\t0\t0\t2", "\t-1\t0\t2", "line 2: the start's column \"-1\" is not a whole number"),
        ];
        for (from, to, expected) in cases {
            let error = parse_scen(GOOD.replacen(from, to, 1).as_bytes()).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error:?} should start with {expected:?}");
        }
        assert!(parse_scen(b"").unwrap_err().to_string().starts_with("the file is empty"));
        assert_eq!(parse_scen(b"version 1\n\xff").unwrap_err().line(), Some(2));
    }

    #[test]
    fn checks_problems_against_the_map() {
        let problem = parse_scen(GOOD.as_bytes()).unwrap().remove(0);
        let complaint = |change: &dyn Fn(&mut Problem), name: &str| {
            let mut problem = problem.clone();
            change(&mut problem);
            problem.check(&map(), name, false).unwrap_err().to_string()
        };
        assert!(
            complaint(&|_| {}, "b.map").starts_with("line 2: the problem is for map \"maps/a b.map\", not")
        );
        let text = complaint(&|p| p.width = 6, "a b.map");
        assert!(text.starts_with("line 2: the problem is for a 6x2 map, this one has 3x2; scaled"), "{text}");
        let text = complaint(&|p| p.start = (3, 0), "a b.map");
        assert!(text.starts_with("line 2: the start (3, 0) is outside the map"), "{text}");
        let text = complaint(&|p| p.goal = (2, 0), "a b.map");
        assert!(text.starts_with("line 2: the goal (2, 0) is blocked ('@'); choose"), "{text}");
        let text = complaint(&|p| (p.goal, p.line) = ((0, 2), None), "a b.map");
        assert!(text.starts_with("the goal (0, 2) is outside"), "{text}");
        // A door may open on the goal, but the start must be free.
        Problem { goal: (2, 0), ..problem.clone() }.check(&map(), "a b.map", true).unwrap();
        for bad in [Problem { start: (2, 0), ..problem.clone() }, Problem { goal: (9, 0), ..problem }] {
            assert!(bad.check(&map(), "a b.map", true).is_err());
        }
    }

    #[test]
    fn files_round_trip() {
        let folder = Folder::new("scens");
        let path = folder.0.join("a.scen");
        let mut problems = parse_scen(GOOD.as_bytes()).unwrap();
        write_scen(&path, &problems).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), GOOD);
        assert_eq!(read_scen(&path).unwrap(), problems);
        problems[1].map = "a\tb".into();
        assert!(write_scen(&path, &problems).unwrap_err().to_string().contains("rename the map"));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), GOOD);
    }
}
