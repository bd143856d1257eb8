//! Checksums of rows, which reveal edited lines.
//!
//! A line of JSON ends with `,"sum":"0123456789abcdef"}`, where the checksum is that of the line without it.

use fleetfoot::database::checksum;

const KEY: &[u8] = b",\"sum\":\"";
/// Sixteen digits, a quotation mark and a bracket.
const TAIL: usize = 18;

/// The result of verifying a line's checksum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seal {
    /// The checksum matches.
    Whole,
    /// The line was changed.
    Broken,
    /// There is no checksum: the line comes from an older program, or from elsewhere.
    None,
}

/// Adds a checksum to the JSON object that begins at `start`.
pub(super) fn seal(lines: &mut Vec<u8>, start: usize) {
    let sum = checksum(&lines[start..]);
    lines.pop();
    lines.extend_from_slice(KEY);
    lines.extend_from_slice(format!("{sum:016x}\"}}").as_bytes());
}

/// Removes the checksum from a line and verifies it.
pub(super) fn unseal(line: &mut Vec<u8>) -> Seal {
    while line.last().is_some_and(u8::is_ascii_whitespace) {
        line.pop();
    }
    let Some(key) = line.len().checked_sub(TAIL + KEY.len()) else { return Seal::None };
    if &line[key..key + KEY.len()] != KEY || !line.ends_with(b"\"}") {
        return Seal::None;
    }
    let digits = String::from_utf8_lossy(&line[key + KEY.len()..line.len() - 2]).into_owned();
    line.truncate(key);
    line.push(b'}');
    if u64::from_str_radix(&digits, 16) == Ok(checksum(line)) { Seal::Whole } else { Seal::Broken }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that a change of any byte is detected.
    #[test]
    fn a_changed_line_is_detected() {
        let object = b"{\"a\":1,\"text\":\"x\"}".to_vec();
        let mut line = object.clone();
        seal(&mut line, 0);
        let mut read = [&line[..], b"\n"].concat();
        assert_eq!((unseal(&mut read), &read), (Seal::Whole, &object));
        for place in 0..line.len() {
            let mut other = line.clone();
            other[place] ^= 1;
            assert_ne!(unseal(&mut other), Seal::Whole, "{place}");
        }
        let mut cut = [&line[..4], &line[5..]].concat();
        assert_eq!(unseal(&mut cut), Seal::Broken);
        for plain in [&object[..], b"", b"{}"] {
            assert_eq!(unseal(&mut plain.to_vec()), Seal::None);
        }
        let mut two = b"before\n".to_vec();
        two.extend_from_slice(&object);
        seal(&mut two, 7);
        assert_eq!(two[7..], line[..]);
    }
}
