//! `MovingAI` `.map` files: a header of four lines, then one line of terrain letters per row.

use std::io::{self, Write};
use std::path::Path;

use super::{number, read, text, write_atomically};
use crate::error::InputError;
use crate::map::{GridMap, MAX_CELLS, is_terrain, known, letters_remedy, unknown_letter};

/// A letter that is read as ground.
const STATION: u8 = b'E';

/// Reads a map file.
///
/// # Errors
/// If the file cannot be read or is not a map, with file, line and remedy.
pub fn read_map(path: impl AsRef<Path>) -> Result<GridMap, InputError> {
    read(path.as_ref(), parse_map)
}

/// Parses the bytes of a map file. Line ends may be LF or CRLF, the last may be missing, and blank lines may
/// follow. `E`, a station in the warehouses of the League of Robot Runners, is read as ground.
///
/// # Errors
/// If the bytes are not a map, with line and remedy.
pub fn parse_map(bytes: &[u8]) -> Result<GridMap, InputError> {
    let mut lines = Lines { rest: text(bytes)?, line: 0 };
    let (width, height) = header(&mut lines)?;
    // The number of cells is bounded by the remaining bytes, whatever the header says.
    let mut cells = Vec::with_capacity((width * height).min(lines.rest.len() as u64) as usize);
    for row in 0..height {
        let Some(letters) = lines.next().filter(|letters| !letters.is_empty()) else {
            let what = format!("the file ends after {row} rows, the header promises {height}");
            return Err(InputError::at(lines.line, what, "add the missing rows, or correct `height`"));
        };
        check_row(letters, width, lines.line)?;
        cells.extend(letters.bytes().map(|letter| if letter == STATION { b'.' } else { letter }));
    }
    while let Some(extra) = lines.next() {
        if !extra.trim().is_empty() {
            let what = format!("there are more rows than the {height} the header promises");
            return Err(InputError::at(lines.line, what, "remove the extra rows, or correct `height`"));
        }
    }
    GridMap::from_cells(width, height, cells)
}

/// Writes a map file completely or not at all.
///
/// # Errors
/// If the file cannot be written.
pub fn write_map(path: impl AsRef<Path>, map: &GridMap) -> Result<(), InputError> {
    write_atomically(path, |out| write_map_to(out, map))
}

/// Writes the text of a map file.
///
/// # Errors
/// If the writer fails.
pub fn write_map_to(mut out: impl Write, map: &GridMap) -> io::Result<()> {
    write!(out, "type octile\nheight {}\nwidth {}\nmap\n", map.height(), map.width())?;
    for row in map.cells().chunks_exact(map.width() as usize) {
        out.write_all(row)?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// The lines of a text, with the number of the line taken last.
struct Lines<'a> {
    rest: &'a str,
    line: usize,
}

impl<'a> Lines<'a> {
    fn next(&mut self) -> Option<&'a str> {
        if self.rest.is_empty() {
            return None;
        }
        self.line += 1;
        let (line, rest) = self.rest.split_once('\n').unwrap_or((self.rest, ""));
        self.rest = rest;
        Some(line.strip_suffix('\r').unwrap_or(line))
    }
}

/// Parses width and height, which are positive and whose product is limited.
fn header(lines: &mut Lines) -> Result<(u64, u64), InputError> {
    kind(lines)?;
    let (mut width, mut height): (Option<u64>, Option<u64>) = (None, None);
    loop {
        let line = lines.next();
        let words: Vec<&str> = line.unwrap_or("").split_whitespace().take(3).collect();
        let side = match words[..] {
            ["map"] => break,
            ["width", word] if width.is_none() => width.insert(number(word, "`width`", lines.line)?),
            ["height", word] if height.is_none() => height.insert(number(word, "`height`", lines.line)?),
            _ => return Err(bad_header(line, lines.line)),
        };
        if *side == 0 {
            return Err(InputError::at(
                lines.line,
                "a side of the map is 0",
                "give the true size of the map",
            ));
        }
    }
    match (width, height) {
        (Some(width), Some(height)) if width.saturating_mul(height) <= MAX_CELLS => Ok((width, height)),
        (Some(width), Some(height)) => {
            let what = format!("a map of {width}x{height} has more than {MAX_CELLS} cells");
            Err(InputError::at(lines.line, what, "correct `width` and `height`, or use a smaller map"))
        }
        (None, _) => Err(InputError::at(lines.line, "the header has no `width` line", "add it before `map`")),
        (_, None) => {
            Err(InputError::at(lines.line, "the header has no `height` line", "add it before `map`"))
        }
    }
}

/// Parses the first line.
fn kind(lines: &mut Lines) -> Result<(), InputError> {
    let remedy = "a MovingAI map begins with the line `type octile`";
    let Some(first) = lines.next() else {
        return Err(InputError::new("the file is empty", remedy));
    };
    match first.split_whitespace().take(3).collect::<Vec<_>>()[..] {
        ["type", "octile" | "tile"] => Ok(()),
        ["type", other] => {
            let what = format!("maps of type {} are not supported", quoted(other));
            Err(InputError::at(lines.line, what, "convert the map to `type octile`"))
        }
        _ => Err(InputError::at(lines.line, format!("this is not a map: {}", quoted(first)), remedy)),
    }
}

fn bad_header(line: Option<&str>, number: usize) -> InputError {
    let remedy = "the header is `type octile`, `height H`, `width W`, `map`, each once and on its own line";
    match line {
        None => InputError::at(number, "the file ends within the header", remedy),
        Some(line) => InputError::at(number, format!("unexpected header line {}", quoted(line)), remedy),
    }
}

/// Quotes the beginning of a text, for one line of a terminal.
fn quoted(found: &str) -> String {
    format!("{:?}", found.chars().take(40).collect::<String>())
}

fn check_row(letters: &str, width: u64, line: usize) -> Result<(), InputError> {
    // Letters are checked first: a stray one is the better explanation of a wrong length.
    let is_station = |letter: char| letter == char::from(STATION);
    if !letters.bytes().fold(true, |good, letter| good & (is_terrain(letter) || letter == STATION)) {
        let mut strange = letters.chars().enumerate().filter(|&(_, c)| !known(c) && !is_station(c));
        let (column, letter) = strange.next().unwrap_or((0, '?'));
        let what = format!("{} in column {}", unknown_letter(letter), column + 1);
        return Err(InputError::at(line, what, letters_remedy()));
    }
    if letters.len() as u64 != width {
        let what = format!("row has {} cells, the header promises {width}", letters.len());
        return Err(InputError::at(line, what, "pad or cut the row, or correct `width`"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::tests::Folder;
    use super::*;

    const GOOD: &str = "type octile\nheight 2\nwidth 3\nmap\n.GS\n@TW\n";

    fn good() -> GridMap {
        GridMap::from_rows(&[".GS", "@TW"]).unwrap()
    }

    #[test]
    fn reads_files_of_other_programs() {
        let swapped = "type octile\nwidth 3\nheight 2\nmap\n.GS\n@TW\n";
        let tile = GOOD.replace("octile", "tile");
        let spaced = GOOD.replace("height 2", "height  2 ");
        let mark = format!("\u{feff}{GOOD}");
        let station = GOOD.replace(".GS", "EGS");
        for text in [GOOD, swapped, &tile, &spaced, &mark, &station] {
            for ends in [text.to_owned(), text.trim_end().to_owned(), format!("{text}\n \n\n")] {
                assert_eq!(parse_map(ends.as_bytes()).unwrap(), good(), "{ends:?}");
                assert_eq!(parse_map(ends.replace('\n', "\r\n").as_bytes()).unwrap(), good(), "{ends:?}");
            }
        }
    }

    #[test]
    fn complains_with_line_and_remedy() {
        let cases: &[(&str, &str, &str)] = &[
            (".GS", ".G", "line 5: row has 2 cells, the header promises 3; pad or cut the row"),
            ("@TW", "@TWW", "line 6: row has 4 cells, the header promises 3; pad or cut the row"),
            ("\n@TW", "", "line 5: the file ends after 1 rows, the header promises 2; add the missing"),
            ("@TW\n", "@TW\n@TW\n", "line 7: there are more rows than the 2 the header promises; remove"),
            (".GS", "\n.GS", "line 5: the file ends after 0 rows"),
            ("octile", "hex", "line 1: maps of type \"hex\" are not supported; convert"),
            ("type octile\n", "", "line 1: this is not a map: \"height 2\"; a MovingAI map begins"),
            ("map\n", "", "line 4: unexpected header line \".GS\"; the header is"),
            ("height 2\n", "", "line 3: the header has no `height` line; add it"),
            ("width 3\n", "", "line 3: the header has no `width` line; add it"),
            ("width 3", "height 3", "line 3: unexpected header line \"height 3\""),
            ("width 3", "depth 3", "line 3: unexpected header line \"depth 3\""),
            ("width 3", "width 3 4", "line 3: unexpected header line \"width 3 4\""),
            ("width 3", "width", "line 3: unexpected header line \"width\""),
            ("height 2", "height 0", "line 2: a side of the map is 0; give"),
            ("height 2", "height two", "line 2: `height` \"two\" is not a whole number"),
            ("height 2", "height -2", "line 2: `height` \"-2\" is not a whole number"),
            ("height 2", "height 2.5", "line 2: `height` \"2.5\" is not a whole number"),
            (
                "height 2",
                "height 99999999999999999999",
                "line 2: `height` \"99999999999999999999\" is too large",
            ),
            ("height 2", "height 18446744073709551615", "line 4: a map of 3x18446744073709551615 has more"),
            (
                "height 2",
                "height 80000000",
                "line 6: the file ends after 2 rows, the header promises 80000000",
            ),
            (".GS", ".xS", "line 5: unknown cell letter 'x' in column 2; use"),
            (".GS", ".äS", "line 5: unknown cell letter 'ä' in column 2; use"),
            (".GS", ".GS ", "line 5: unknown cell letter ' ' in column 4; use"),
        ];
        for (from, to, expected) in cases {
            let error = parse_map(GOOD.replacen(from, to, 1).as_bytes()).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error:?} should start with {expected:?}");
        }
        for (bytes, expected) in [
            (&b""[..], "the file is empty; a MovingAI map"),
            (b"\n", "line 1: this is not a map"),
            (b"type octile", "line 1: the file ends within the header"),
            (b"type octile\nheight 2\nwidth 3\nmap\n.\xff.\n", "line 5: byte 0xff is not text"),
        ] {
            let error = parse_map(bytes).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error:?} should start with {expected:?}");
        }
    }

    #[test]
    fn survives_every_cut() {
        for end in 0..GOOD.len() - 1 {
            assert!(parse_map(&GOOD.as_bytes()[..end]).is_err(), "cut at {end}");
        }
    }

    #[test]
    fn files_round_trip_and_are_named() {
        let folder = Folder::new("maps");
        let path = folder.0.join("a.map");
        let error = read_map(&path).unwrap_err();
        assert_eq!(error.file(), Some(path.as_path()));
        assert!(error.to_string().ends_with("check the path"), "{error}");
        write_map(&path, &good()).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), GOOD);
        assert_eq!(read_map(&path).unwrap(), good());
        std::fs::write(&path, "type octile\nheight 1\nwidth 3\nmap\n..").unwrap();
        let expected = format!("{}:5: row has 2 cells", path.display());
        assert!(read_map(&path).unwrap_err().to_string().starts_with(&expected));
        assert!(read_map(&folder.0).is_err());
    }

    #[test]
    fn large_maps_round_trip() {
        let map = crate::generate::random::generate(1024, 1024, 35, 1).unwrap().map;
        let mut bytes = Vec::new();
        write_map_to(&mut bytes, &map).unwrap();
        let begin = std::time::Instant::now();
        assert_eq!(parse_map(&bytes).unwrap(), map);
        println!("1024x1024 parsed and compared in {:?}", begin.elapsed());
    }
}
