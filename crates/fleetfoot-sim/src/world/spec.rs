//! Worlds as text: `known`, `unknown(radius=7)`, `dynamic(doors.script,sight=8)`.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::call::Call;
use crate::error::InputError;
use crate::sensor::Sight;

/// The kind of a world: how much of it the agent knows, and whether it changes.
///
/// ```
/// use fleetfoot_sim::world::WorldSpec;
/// let spec: WorldSpec = "partial(seed=7, hidden=0.50)".parse()?;
/// assert_eq!(spec.to_string(), "partial(hidden=0.5,seed=7)");
/// # Ok::<(), fleetfoot_sim::error::InputError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WorldSpec {
    /// The agent knows the map, and nothing changes.
    Known,
    /// The agent knows only the size of the map.
    Unknown {
        /// Range of its sensor; by default the cells that it can enter next.
        sight: Option<Sight>,
    },
    /// The agent knows a random part of the map.
    Partial {
        /// Share of the cells that are hidden at first, in millionths.
        hidden: u32,
        /// Seed of the hidden cells.
        seed: u64,
        /// Range of its sensor; by default the cells that it can enter next.
        sight: Option<Sight>,
    },
    /// The map changes by a script.
    Dynamic {
        /// File of the script.
        script: PathBuf,
        /// Range of the agent's sensor. `None` if it knows the map and every change.
        sight: Option<Sight>,
    },
}

impl WorldSpec {
    /// Returns `true` if the agent has to discover the map.
    pub fn is_unknown(&self) -> bool {
        match self {
            Self::Known => false,
            Self::Unknown { .. } | Self::Partial { .. } => true,
            Self::Dynamic { sight, .. } => sight.is_some(),
        }
    }

    /// Returns the file of recorded changes, if the map may change.
    pub fn script(&self) -> Option<&Path> {
        if let Self::Dynamic { script, .. } = self { Some(script) } else { None }
    }

    /// Returns `true` if the map may change.
    pub fn is_dynamic(&self) -> bool {
        matches!(self, Self::Dynamic { .. })
    }
}

const WORLDS: &str = "use known, unknown, unknown(sight=4|8), unknown(radius=R), partial(hidden=SHARE,seed=S), \
                      dynamic(FILE), dynamic(FILE,sight=4|8) or dynamic(FILE,radius=R)";

impl fmt::Display for WorldSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let with = |sight: &Option<Sight>| sight.map(|sight| format!(",{sight}")).unwrap_or_default();
        match self {
            Self::Known => f.write_str("known"),
            Self::Unknown { sight: None } => f.write_str("unknown"),
            Self::Unknown { sight: Some(sight) } => write!(f, "unknown({sight})"),
            Self::Partial { hidden, seed, sight } => {
                let share = format!("{}.{:06}", hidden / MILLION, hidden % MILLION);
                let share = share.trim_end_matches('0').trim_end_matches('.');
                write!(f, "partial(hidden={share},seed={seed}{})", with(sight))
            }
            Self::Dynamic { script, sight } => write!(f, "dynamic({}{})", script.display(), with(sight)),
        }
    }
}

impl FromStr for WorldSpec {
    type Err = InputError;

    fn from_str(text: &str) -> Result<Self, InputError> {
        let (name, list) = Call::split(text)?;
        let params = |valid: &[&str]| {
            let call = Call::new(name, list)?;
            call.only(valid)?;
            Ok::<_, InputError>(call)
        };
        match name {
            "known" => params(&[]).map(|_| Self::Known),
            "unknown" => Ok(Self::Unknown { sight: params(&["sight", "radius"])?.sight()? }),
            "partial" => {
                let params = params(&["hidden", "seed", "sight", "radius"])?;
                let (hidden, seed) = (params.hidden()?, params.value("seed", 0)?);
                Ok(Self::Partial { hidden, seed, sight: params.sight()? })
            }
            "dynamic" => dynamic(list),
            name => Err(InputError::new(format!("there is no world `{name}`"), WORLDS)),
        }
    }
}

/// Parses the list of a dynamic world. The file comes first. Its name may contain commas, but a part that looks like
/// a parameter is one.
fn dynamic(list: &str) -> Result<WorldSpec, InputError> {
    let is_param = |part: &str| {
        let name = part.split_once('=').map(|(name, _)| name.trim());
        name.is_some_and(|name| !name.is_empty() && name.bytes().all(|b| b.is_ascii_lowercase()))
    };
    let mut file = list;
    while let Some((rest, _)) = file.rsplit_once(',').filter(|(_, part)| is_param(part)) {
        file = rest;
    }
    let params = list[file.len()..].trim_start_matches(',');
    let params = Call::new("dynamic", params)?;
    params.only(&["sight", "radius"])?;
    let file = file.trim_end();
    if file.is_empty() || ["sight", "radius"].iter().any(|name| file.starts_with(&format!("{name}="))) {
        let remedy = "name the script first: dynamic(FILE) or dynamic(FILE,radius=R)";
        return Err(InputError::new("a dynamic world needs a script of its changes", remedy));
    }
    Ok(WorldSpec::Dynamic { script: file.into(), sight: params.sight()? })
}

const MILLION: u32 = 1_000_000;

/// Parses the parameters of a world.
trait Params {
    fn sight(&self) -> Result<Option<Sight>, InputError>;
    fn hidden(&self) -> Result<u32, InputError>;
}

impl Params for Call<'_> {
    fn sight(&self) -> Result<Option<Sight>, InputError> {
        match (self.text("sight"), self.text("radius")) {
            (Some(_), Some(_)) => Err(self.refuse("sight", "give sight or radius, not both")),
            (None, None) => Ok(None),
            (Some("4"), None) => Ok(Some(Sight::Four)),
            (Some("8"), None) => Ok(Some(Sight::Eight)),
            (Some(_), None) => Err(self.refuse("sight", "sight is 4 or 8; farther is radius=R")),
            (None, Some(radius)) => match radius.parse() {
                Ok(radius) => Ok(Some(Sight::Radius(radius))),
                Err(_) => Err(self.refuse("radius", "write a whole number of cells")),
            },
        }
    }

    fn hidden(&self) -> Result<u32, InputError> {
        let share: f64 = match self.text("hidden") {
            None => 0.5,
            Some(value) => value.parse().unwrap_or(f64::NAN),
        };
        if !(0.0..=1.0).contains(&share) {
            return Err(self.refuse("hidden", "write a share between 0 and 1, such as 0.5"));
        }
        #[expect(clippy::cast_sign_loss, reason = "checked to be positive")]
        Ok((share * f64::from(MILLION)).round() as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(text: &str) -> String {
        text.parse::<WorldSpec>().unwrap_err().to_string()
    }

    #[test]
    fn specs_print_back() {
        for text in [
            "known",
            "unknown",
            "unknown(sight=4)",
            "unknown(sight=8)",
            "unknown(radius=7)",
            "partial(hidden=0.5,seed=3)",
            "partial(hidden=1,seed=0,sight=8)",
            "partial(hidden=0.000001,seed=18446744073709551615,radius=2)",
            "dynamic(doors.script)",
            "dynamic(a, b (1).script,radius=7)",
            "dynamic(x=1/doors.script,sight=8)",
        ] {
            assert_eq!(text.parse::<WorldSpec>().unwrap().to_string(), text);
        }
        let loose = [
            (" known ( ) ", "known"),
            ("unknown()", "unknown"),
            ("unknown ( radius = 7 )", "unknown(radius=7)"),
            ("partial", "partial(hidden=0.5,seed=0)"),
            ("partial(sight=8,seed=1,hidden=.25)", "partial(hidden=0.25,seed=1,sight=8)"),
            ("dynamic( doors.script , sight=8 )", "dynamic(doors.script,sight=8)"),
        ];
        for (text, expected) in loose {
            assert_eq!(text.parse::<WorldSpec>().unwrap().to_string(), expected);
        }
    }

    #[test]
    fn refusals_list_what_is_valid() {
        assert!(refusal("foggy").starts_with("there is no world `foggy`; use known, unknown,"));
        assert!(refusal("").contains("partial(hidden=SHARE,seed=S)"));
        assert_eq!(refusal("known(sight=4)"), "known has no parameter `sight`; its parameters are none");
        assert!(refusal("unknown(seed=4)").ends_with("its parameters are sight, radius"));
        assert!(refusal("partial(share=4)").ends_with("its parameters are hidden, seed, sight, radius"));
        assert!(refusal("dynamic(a.script,speed=4)").ends_with("its parameters are sight, radius"));
        assert!(refusal("dynamic").contains("name the script first"));
        assert!(refusal("dynamic(radius=7)").contains("name the script first"));
        assert!(refusal("unknown(radius=7").contains("closing bracket"));
        assert!(refusal("unknown(radius=7,sight=8)").contains("not both"));
        assert!(refusal("unknown(radius=7,radius=8)").contains("twice"));
        assert!(refusal("unknown(sight=5)").contains("4 or 8"));
        assert!(refusal("unknown(radius=-1)").contains("whole number"));
        for bad in ["1.5", "-0.1", "nan", "x", ""] {
            assert!(refusal(&format!("partial(hidden={bad})")).contains("between 0 and 1"));
        }
    }
}
