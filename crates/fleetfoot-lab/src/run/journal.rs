//! The file to which rows are appended while an experiment runs, so that it can continue after an interruption.
//!
//! One JSON object per line. A line counts if it ends with a line feed: the rest of a line after a crash, a full disk
//! or Ctrl-C is removed before the next one is written.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use fleetfoot_sim::error::InputError;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::row::Row;
use super::seal::{Seal, seal, unseal};

/// Appends complete rows.
#[derive(Debug)]
pub(crate) struct Journal {
    file: File,
    path: PathBuf,
    /// Length of the file up to the last complete line.
    length: u64,
}

/// The contents of a file of rows.
#[derive(Debug)]
pub(crate) struct Stored<T> {
    /// The rows, by line.
    pub(crate) rows: Vec<T>,
    /// Number of rows without a checksum, whose edits cannot be detected.
    pub(crate) unsealed: usize,
}

/// Reads rows from a file that may be truncated. Refuses edited lines, and lines without a checksum if `all_sealed`.
pub(crate) fn read(path: &Path, all_sealed: bool) -> Result<Stored<Row>, InputError> {
    read_lines(path, all_sealed)
}

/// Reads lines of any type from a file that may be truncated.
pub(super) fn read_lines<T: DeserializeOwned>(
    path: &Path,
    all_sealed: bool,
) -> Result<Stored<T>, InputError> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => {
            return Ok(Stored { rows: Vec::new(), unsealed: 0 });
        }
        Err(cause) => return Err(InputError::io(path, "read", &cause)),
    };
    // A device has no end.
    if !file.metadata().is_ok_and(|data| data.is_file()) {
        return Err(InputError::new("this is no file", "choose another folder with --output").with_file(path));
    }
    let (mut reader, mut rows, mut unsealed) = (BufReader::new(file), Vec::new(), 0);
    let mut line = Vec::new();
    loop {
        line.clear();
        reader.read_until(b'\n', &mut line).map_err(|cause| InputError::io(path, "read", &cause))?;
        if line.last() != Some(&b'\n') {
            return Ok(Stored { rows, unsealed });
        }
        let found = unseal(&mut line);
        let row = serde_json::from_slice(&line).map_err(|cause| {
            let remedy = "rows must not be edited: remove the file, and its runs are made again";
            InputError::at(rows.len() + 1, format!("this is no row: {cause}"), remedy).with_file(path)
        })?;
        let what = match found {
            Seal::Broken => "this row was changed after it was made: its checksum does not fit",
            Seal::None if all_sealed => {
                "this row has no checksum, and all rows here have one: it was changed or added"
            }
            Seal::None | Seal::Whole => "",
        };
        if !what.is_empty() {
            let remedy = "rows must not be edited: remove the line, and its run is made again";
            return Err(InputError::at(rows.len() + 1, what, remedy).with_file(path));
        }
        unsealed += usize::from(found == Seal::None);
        rows.push(row);
    }
}

/// Opens a file after its last complete line, and returns its length up to there.
pub(super) fn append(path: &Path) -> io::Result<(File, u64)> {
    let mut file = OpenOptions::new().create(true).read(true).append(true).open(path)?;
    let (mut buffer, mut read, mut length) = (vec![0; 1 << 16], 0, 0);
    loop {
        let n = file.read(&mut buffer)?;
        if n == 0 {
            break;
        }
        if let Some(last) = buffer[..n].iter().rposition(|byte| *byte == b'\n') {
            length = read + last as u64 + 1;
        }
        read += n as u64;
    }
    file.set_len(length)?;
    Ok((file, length))
}

impl Journal {
    /// Opens the journal for appending.
    pub(crate) fn open(path: &Path) -> Result<Self, InputError> {
        let (file, length) = append(path).map_err(|cause| InputError::io(path, "write", &cause))?;
        Ok(Self { file, path: path.to_owned(), length })
    }

    /// Writes lines completely, or not at all.
    pub(crate) fn write(&mut self, lines: &[u8]) -> Result<(), InputError> {
        if let Err(cause) = self.file.write_all(lines) {
            // Best effort: the rest of a line is also removed when the journal is opened again.
            let _ = self.file.set_len(self.length);
            let error = InputError::io(&self.path, "write", &cause);
            let remedy = format!("{}, and run the same command again: it goes on from here", error.remedy());
            return Err(InputError::new(error.what(), remedy).with_file(&self.path));
        }
        self.length += lines.len() as u64;
        Ok(())
    }
}

/// Appends a row as a line with its checksum.
pub(crate) fn write_line(row: &impl Serialize, lines: &mut Vec<u8>) {
    let start = lines.len();
    serde_json::to_writer(&mut *lines, row).expect("a row is plain data");
    seal(lines, start);
    lines.push(b'\n');
}

/// Formats a row as a line of the journal.
#[cfg(test)]
pub(super) fn line(row: &Row) -> Vec<u8> {
    let mut line = Vec::new();
    write_line(row, &mut line);
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the error on `/dev/full`, which behaves like a full disk.
    #[test]
    #[cfg(target_os = "linux")]
    fn a_full_disk_is_reported_with_a_remedy() {
        let path = Path::new("/dev/full");
        let file = OpenOptions::new().append(true).open(path).unwrap();
        let mut journal = Journal { file, path: path.to_owned(), length: 0 };
        let told = journal.write(&line(&crate::run::row::tests::row())).unwrap_err().to_string();
        assert!(told.contains("/dev/full: cannot write") && told.contains("free some space"), "{told}");
        assert!(told.contains("run the same command again"), "{told}");
        assert_eq!(journal.length, 0);
        assert!(read(path, false).unwrap_err().to_string().contains("this is no file"));
    }

    #[test]
    fn half_a_line_is_no_row() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        let row = line(&crate::run::row::tests::row());
        let mut journal = Journal::open(&path).unwrap();
        journal.write(&row).unwrap();
        journal.write(&row).unwrap();
        let whole = std::fs::read(&path).unwrap();
        for end in 0..=whole.len() {
            std::fs::write(&path, &whole[..end]).unwrap();
            let rows = read(&path, true).unwrap().rows;
            let mut journal = Journal::open(&path).unwrap();
            assert_eq!(rows.len(), usize::from(end > whole.len() / 2 - 1) + usize::from(end == whole.len()));
            journal.write(&row).unwrap();
            let after = read(&path, true).unwrap();
            assert_eq!((after.rows.len(), after.unsealed), (rows.len() + 1, 0));
        }
    }
}
