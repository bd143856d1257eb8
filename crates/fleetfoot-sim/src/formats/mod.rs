//! File formats: `MovingAI` maps and scenarios, lists of cells for fleets, and scripts of changes.
//!
//! Readers trust nothing: allocations are bounded by the size of the file, never by a number in it. Every error names
//! the line and the remedy.

pub mod cells;
pub mod database;
pub mod map;
pub mod scen;
pub mod script;

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::error::InputError;

/// Maximum length of a file. Protects the memory from endless devices and pipes.
const MAX_FILE: u64 = 1 << 30;

/// Writes a file completely or not at all: into a new file in the same folder, which then replaces it.
///
/// Links are followed, and the permissions of an existing file are kept. Other targets (`/dev/stdout`, a pipe) are
/// written directly, because replacing would destroy them.
///
/// # Errors
/// If the file cannot be written. The old file at `path` is then unchanged.
pub fn write_atomically(
    path: impl AsRef<Path>,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), InputError> {
    let path = path.as_ref();
    replace(path, write).map_err(|cause| InputError::io(path, "write", &cause))
}

fn replace(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let old = fs::metadata(path).ok();
    if old.as_ref().is_some_and(fs::Metadata::is_dir) {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        return fill(OpenOptions::new().write(true).open(path)?, write).map(drop);
    }
    let target = if old.is_some() { fs::canonicalize(path)? } else { path.to_owned() };
    let (file, beside) = create_beside(&target)?;
    let done = fill(file, write).and_then(|file| {
        if let Some(old) = old {
            fs::set_permissions(&beside, old.permissions())?;
        }
        // Without this a crash of the machine could leave the new name on an empty file.
        file.sync_all()
    });
    let done = done.and_then(|()| fs::rename(&beside, &target));
    if done.is_err() {
        // The first error matters; a remaining temporary file does no harm.
        let _ = fs::remove_file(&beside);
    }
    done
}

fn fill(file: File, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<File> {
    let mut buffer = BufWriter::with_capacity(1 << 16, file);
    write(&mut buffer)?;
    buffer.into_inner().map_err(io::IntoInnerError::into_error)
}

/// Creates a new file in the folder of `target`, since renaming works only within a file system.
fn create_beside(target: &Path) -> io::Result<(File, PathBuf)> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let name = target.file_name().ok_or(io::ErrorKind::InvalidFilename)?;
    loop {
        let mut new = std::ffi::OsString::from(".");
        new.push(name);
        new.push(format!(".{}-{}.tmp", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed)));
        let beside = target.with_file_name(new);
        match OpenOptions::new().write(true).create_new(true).open(&beside) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            other => return Ok((other?, beside)),
        }
    }
}

/// Reads the bytes of a file.
///
/// # Errors
/// If it cannot be read, or is longer than 1 GiB.
pub fn read_file(path: impl AsRef<Path>) -> Result<Vec<u8>, InputError> {
    read(path.as_ref(), |bytes| Ok(bytes.to_vec()))
}

/// Reads a file and parses it. Errors name the file.
fn read<T>(path: &Path, parse: impl FnOnce(&[u8]) -> Result<T, InputError>) -> Result<T, InputError> {
    let bytes = read_bytes(path).map_err(|cause| InputError::io(path, "read", &cause))?;
    if bytes.len() as u64 > MAX_FILE {
        let what = format!("the file is longer than {MAX_FILE} bytes");
        return Err(InputError::new(what, "check the path, or split the file").with_file(path));
    }
    parse(&bytes).map_err(|error| error.with_file(path))
}

fn read_bytes(path: &Path) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    let size = file.metadata()?.len().min(MAX_FILE);
    let mut bytes = Vec::with_capacity(size as usize + 1);
    file.take(MAX_FILE + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Decodes the text of a file, without a byte order mark.
fn text(bytes: &[u8]) -> Result<&str, InputError> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let good = &bytes[..error.valid_up_to()];
        let line = good.split(|&byte| byte == b'\n').count();
        let what = format!("byte 0x{:02x} is not text", bytes[good.len()]);
        InputError::at(line, what, "save the file as plain ASCII or UTF-8, and check that it is not packed")
    })?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

/// Parses a whole number. Errors call it `name`.
fn number<T>(word: &str, name: &str, line: usize) -> Result<T, InputError>
where
    T: std::str::FromStr<Err = std::num::ParseIntError>,
{
    word.parse().map_err(|error: std::num::ParseIntError| {
        let what = match error.kind() {
            std::num::IntErrorKind::PosOverflow => format!("{name} {word:?} is too large"),
            _ => format!("{name} {word:?} is not a whole number of at least 0"),
        };
        InputError::at(line, what, format!("write {name} as a plain number such as 512"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A temporary folder of one test.
    pub(crate) struct Folder(pub(crate) PathBuf);

    impl Folder {
        pub(crate) fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("fleetfoot-{}-{name}", std::process::id()));
            fs::create_dir_all(&path).unwrap();
            Self(path)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn names(folder: &Folder) -> Vec<String> {
        let entries = fs::read_dir(&folder.0).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn a_failed_write_leaves_the_old_file() {
        let folder = Folder::new("atomic");
        let path = folder.0.join("a.txt");
        write_atomically(&path, |w| w.write_all(b"old")).unwrap();
        let failed = write_atomically(&path, |w| {
            w.write_all(&vec![b'n'; 1 << 20])?;
            Err(io::ErrorKind::StorageFull.into())
        });
        assert!(failed.unwrap_err().to_string().contains("free some space"));
        assert_eq!(fs::read(&path).unwrap(), b"old");
        write_atomically(&path, |w| w.write_all(b"new")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(names(&folder), ["a.txt"]);
    }

    #[test]
    fn names_the_remedy_when_it_cannot_write() {
        let folder = Folder::new("refused");
        let error = write_atomically(folder.0.join("no/such/a.txt"), |_| Ok(())).unwrap_err();
        assert!(error.to_string().contains("create the folder first"), "{error}");
        let error = write_atomically(&folder.0, |_| Ok(())).unwrap_err();
        assert!(error.to_string().contains("name a file in this folder"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn follows_links_keeps_permissions_and_spares_devices() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = Folder::new("unix");
        let (real, link) = (folder.0.join("real"), folder.0.join("link"));
        fs::write(&real, "old").unwrap();
        fs::set_permissions(&real, fs::Permissions::from_mode(0o600)).unwrap();
        symlink(&real, &link).unwrap();
        write_atomically(&link, |w| w.write_all(b"new")).unwrap();
        assert_eq!(fs::read(&real).unwrap(), b"new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o600);
        write_atomically("/dev/null", |w| w.write_all(b"gone")).unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }

    #[test]
    fn reports_the_line_that_is_not_text() {
        let error = text(b"one\ntwo\xff\n").unwrap_err();
        assert!(error.to_string().starts_with("line 2: byte 0xff is not text"), "{error}");
        assert_eq!(text(b"\xef\xbb\xbfhi").unwrap(), "hi");
    }

    /// Checks that damaged files never cause panics, and that accepted ones can be written and read again.
    #[test]
    fn readers_survive_random_damage() {
        let map: &[u8] = b"type octile\nheight 3\nwidth 4\nmap\n.GS@\nOTW.\n....\n";
        let scen: &[u8] = b"version 1\n0\ta.map\t4\t3\t0\t0\t3\t1\t3.41\n1 a.map 4 3 1 1 2 2 1.4\n";
        let script: &[u8] =
            b"fleetfoot-script 2\nsize 4 3\nrule shut-near 3 0 radius 2 ticks 9\n0 close 1 1\n9 weight 1 2 7\n# end\n\
              10 open 1 1\n";
        let mut dice = crate::generate::SeededRng::new(1);
        for round in 0..30_000 {
            let mut bytes = [map, scen, script][round % 3].to_vec();
            for _ in 0..=dice.below(4) {
                let at = dice.below(bytes.len() as u32) as usize;
                match dice.below(4) {
                    0 => bytes[at] = dice.below(256) as u8,
                    1 => bytes[at] = b"0123456789 .\t\n\r@-"[dice.below(17) as usize],
                    2 => drop(bytes.remove(at)),
                    _ => bytes.insert(at, bytes[at]),
                }
            }
            let mut again = Vec::new();
            if let Ok(map) = map::parse_map(&bytes) {
                map::write_map_to(&mut again, &map).unwrap();
                assert_eq!(map::parse_map(&again).unwrap(), map);
            } else if let Ok(script) = script::parse_script(&bytes) {
                script.validate().unwrap();
                script::write_script_to(&mut again, &script).unwrap();
                assert_eq!(script::parse_script(&again).unwrap(), script);
            } else if let Ok(problems) = scen::parse_scen(&bytes) {
                scen::write_scen_to(&mut again, &problems).unwrap();
                assert_eq!(scen::parse_scen(&again).unwrap().len(), problems.len());
            }
        }
    }
}
