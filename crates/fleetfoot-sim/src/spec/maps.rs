//! Sources of maps: files, names and generators.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::error::InputError;
use crate::formats::map::read_map;
use crate::generate::Generated;
use crate::generate::builtin::{self, PREFIX};
use crate::map::GridMap;

use super::generator::Made;

/// The source of a map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MapSource {
    /// A named map: `builtin:cave512`.
    Builtin(&'static str),
    /// A generator.
    Made(Made),
    /// `scaled(MAP,FACTOR)`: another map with each cell scaled to FACTOR by FACTOR cells.
    Scaled(Box<MapSource>, u32),
    /// A file in `MovingAI` format.
    File {
        /// Name in rows, without the folder of maps, so that it is the same on every machine.
        name: String,
        /// Path of the file.
        path: PathBuf,
        /// Checksum of its cells, so that rows of a different map of the same name are not reused.
        sum: u64,
    },
    /// A smaller copy of another map, which samples the upper left corner of each square.
    Sampled {
        /// The map.
        of: Box<MapSource>,
        /// Columns and rows.
        side: u32,
    },
}

/// Maximum number of cells of a map that is made from a text: 4096x4096. Larger ones take so long that the text is
/// more likely a typing error. Files may be larger.
const MOST_CELLS: u64 = 1 << 24;

/// Refuses maps that are too large to be made from a text.
fn check_size(text: &str, (width, height): (u64, u64)) -> Result<(), InputError> {
    if width.saturating_mul(height) <= MOST_CELLS {
        return Ok(());
    }
    let what = format!("`{}` is a map of {width}x{height} cells", text.trim());
    let remedy =
        format!("make it smaller, up to {MOST_CELLS} cells, or write it to a file first (fleetfoot map)");
    Err(InputError::new(what, remedy))
}

impl MapSource {
    /// Parses `builtin:NAME`, a generator, or a file's path, which may be relative to `base`.
    ///
    /// # Errors
    /// If the text names nothing, in which case the error lists the valid names, or a map that is too large.
    pub fn parse(text: &str, base: &Path) -> Result<Self, InputError> {
        if let Some(builtin) = Self::builtin(text) {
            return builtin;
        }
        if let Some(inside) = text.trim().strip_prefix("scaled(") {
            let parts = inside.strip_suffix(')').and_then(|inside| inside.rsplit_once(','));
            let factor = |text: &str| text.trim().parse().ok().filter(|factor| (1..=64).contains(factor));
            let Some((map, factor)) = parts.and_then(|(map, text)| Some((map, factor(text)?))) else {
                let what = format!("`{text}` is not a scaled map");
                return Err(InputError::new(what, "write scaled(MAP,FACTOR) with a factor from 1 to 64"));
            };
            // Texts are parsed recursively, so the depth is limited.
            if map.matches("scaled(").count() > 8 {
                return Err(InputError::new(
                    "a map is scaled too often",
                    "scale it once, by a larger factor",
                ));
            }
            let scaled = Self::Scaled(Box::new(Self::parse(map, base)?), factor);
            check_size(text, scaled.size()?)?;
            return Ok(scaled);
        }
        if Made::is_named(text) {
            let made: Made = text.parse()?;
            let (width, height) = made.size();
            check_size(text, (width.into(), height.into()))?;
            made.make()?;
            return Ok(Self::Made(made));
        }
        let path = base.join(text.trim());
        if !path.exists() {
            let names: Vec<_> =
                builtin::BUILTINS.iter().map(|builtin| format!("{PREFIX}{}", builtin.name)).collect();
            let what = format!("there is no map `{text}`");
            let remedy = format!("name a file, a folder, {}, or one of {}", Made::list(), names.join(", "));
            return Err(InputError::new(what, remedy));
        }
        Self::file(text.trim(), &path)
    }

    /// Returns columns and rows of the map.
    fn size(&self) -> Result<(u64, u64), InputError> {
        let (width, height) = match self {
            Self::Scaled(map, factor) => {
                let (width, height) = map.size()?;
                return Ok((width * u64::from(*factor), height * u64::from(*factor)));
            }
            Self::Made(made) => made.size(),
            Self::Sampled { side, .. } => (*side, *side),
            Self::Builtin(_) | Self::File { .. } => {
                let map = self.load()?.map;
                (map.width(), map.height())
            }
        };
        Ok((width.into(), height.into()))
    }

    /// Parses `builtin:NAME`. Returns `None` if the text begins otherwise.
    pub fn builtin(text: &str) -> Option<Result<Self, InputError>> {
        let name = text.trim().strip_prefix(PREFIX)?;
        Some(builtin::find(name).map(|builtin| Self::Builtin(builtin.name)))
    }

    /// Reads a map file and gives it the name that rows show.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn file(name: &str, path: &Path) -> Result<Self, InputError> {
        Ok(Self::read(name, path)?.0)
    }

    /// Reads a map file and gives it the name that rows show. Also returns the map.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read(name: &str, path: &Path) -> Result<(Self, Generated), InputError> {
        let map = read_map(path)?;
        let source = Self::File { name: name.to_owned(), path: path.to_owned(), sum: map.checksum() };
        Ok((source, Generated { map, start: None, goal: None, doors: Vec::new() }))
    }

    /// Makes the map, with the problem that it was made around, if any.
    ///
    /// # Errors
    /// If the file cannot be read or has changed.
    pub fn load(&self) -> Result<Generated, InputError> {
        match self {
            Self::Builtin(name) => builtin::find(name)?.make(),
            Self::Sampled { of, side } => {
                let map = sampled(&of.load()?.map, *side)?;
                Ok(Generated { map, start: None, goal: None, doors: Vec::new() })
            }
            Self::Made(made) => made.make(),
            Self::Scaled(map, factor) => {
                let map = map.load()?.map.scaled(*factor)?;
                Ok(Generated { map, start: None, goal: None, doors: Vec::new() })
            }
            Self::File { path, sum, .. } => {
                let map = read_map(path)?;
                if map.checksum() != *sum {
                    let what = "the map has changed while the experiment was running";
                    return Err(InputError::new(what, "start again").with_file(path));
                }
                Ok(Generated { map, start: None, goal: None, doors: Vec::new() })
            }
        }
    }

    /// Returns the path of the file that it is or is made from, if any.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::File { path, .. } => Some(path),
            Self::Scaled(map, _) | Self::Sampled { of: map, .. } => map.path(),
            Self::Builtin(_) | Self::Made(_) => None,
        }
    }

    /// Returns a text that identifies the map: its name, and the checksum of a file.
    pub fn key(&self) -> String {
        match self {
            Self::File { sum, .. } => format!("{self}#{sum:016x}"),
            Self::Scaled(map, factor) => format!("scaled({},{factor})", map.key()),
            Self::Sampled { of, side } => format!("{}@{side}", of.key()),
            Self::Builtin(_) | Self::Made(_) => self.to_string(),
        }
    }
}

impl fmt::Display for MapSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Builtin(name) => write!(f, "{PREFIX}{name}"),
            Self::Made(made) => made.fmt(f),
            Self::Scaled(map, factor) => write!(f, "scaled({map},{factor})"),
            Self::File { name, .. } => f.write_str(name),
            Self::Sampled { of, side } => write!(f, "{of}@{side}"),
        }
    }
}

/// Returns a smaller copy of a map.
fn sampled(map: &GridMap, side: u32) -> Result<GridMap, InputError> {
    let mut small = GridMap::new(side, side, b'@')?;
    let from = |k: u32, of: u32| (u64::from(k) * u64::from(of) / u64::from(side)) as u32;
    for y in 0..side {
        for x in 0..side {
            small.set(x, y, map.letter(from(x, map.width()), from(y, map.height())));
        }
    }
    Ok(small)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_print_back_and_can_be_made() {
        for text in [
            "maze(width=31,height=21,corridor=1,seed=4)",
            "cave(width=64,height=64,seed=18446744073709551615)",
            "rooms(width=41,height=41,room=9,doors=80,seed=2)",
            "random(width=32,height=32,blocked=30,seed=1)",
            "corner(side=20)",
            "corridors(length=40,width=3,detour=10)",
            "corridors(length=40,width=1,detour=0,hall=8)",
            "builtin:corner40",
            "scaled(corner(side=20),3)",
        ] {
            let source = MapSource::parse(text, Path::new("")).unwrap();
            assert_eq!(source.to_string(), text);
            assert_eq!(source.key(), text);
            assert!(source.load().unwrap().map.passable_count() > 10);
        }
        assert_eq!(
            MapSource::parse("maze", Path::new("")).unwrap().to_string(),
            "maze(width=151,height=151,corridor=1,seed=0)"
        );
    }

    #[test]
    fn smaller_copies_keep_the_shape() {
        let whole = MapSource::parse("corner(side=40)", Path::new("")).unwrap();
        let small = MapSource::Sampled { of: Box::new(whole), side: 20 };
        let map = small.load().unwrap().map;
        assert_eq!((map.width(), map.height(), small.to_string()), (20, 20, "corner(side=40)@20".into()));
        assert!(map.passable(0, 0) && map.passable(19, 19));
    }

    #[test]
    fn refusals_list_valid_names() {
        let refusal = |text: &str| MapSource::parse(text, Path::new("")).unwrap_err().to_string();
        assert!(refusal("nowhere.map").contains("builtin:cave512"));
        assert!(refusal("builtin:x").contains("cave512"));
        assert!(refusal("maze(side=3)").contains("its parameters are width, height, corridor, seed"));
        assert!(refusal("maze(width=x)").contains("maze(width=x)"));
        assert!(refusal("maze(width=9,width=9)").contains("twice"));
        assert!(refusal("maze(9)").contains("name=value"));
        assert!(refusal("maze(width=9").contains("closing bracket"));
        assert!(refusal("maze(width=1)").contains("width"));
        assert!(refusal("scaled(maze,0)").contains("scaled(MAP,FACTOR)"));
    }

    /// Checks that a mistyped size is refused before the map is generated.
    #[test]
    fn huge_maps_are_refused_with_their_size_before_they_are_made() {
        let refusal = |text: &str| MapSource::parse(text, Path::new("")).unwrap_err().to_string();
        assert!(
            refusal("maze(width=15100,height=15101)").contains("a map of 15100x15101 cells; make it smaller")
        );
        assert!(refusal("rooms(width=16384,height=16384)").contains("16384x16384"));
        assert!(refusal("random(width=4294967295,height=4294967295)").contains("4294967295x4294967295"));
        assert!(refusal("corner(side=9999)").contains("9999x9999"));
        assert!(refusal("corridors(length=999999999,width=99)").contains("cells"));
        assert!(refusal("corridors(length=4294967295,width=4294967295,hall=7)").contains("make it smaller"));
        assert!(refusal("scaled(maze(width=151,height=151),64)").contains("9664x9664"));
        assert!(
            refusal("scaled(scaled(scaled(corner(side=64),64),64),64)").contains("cells; make it smaller")
        );
        let deep = "scaled(".repeat(100_000) + "corner" + &",1)".repeat(100_000);
        assert!(refusal(&deep).contains("scaled too often"));
        assert!(MapSource::parse("scaled(corner(side=64),64)", Path::new("")).is_ok());
    }
}
