//! A record: a problem and up to four tracks on it, in memory and as a file.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::map::is_terrain;

use crate::decode::Player;
use crate::format::damaged;
use crate::format::meta::{Meta, TrackMeta};
use crate::format::section::{END, KNOWN, LETTERS, META, NEXT, Section, TICKS, WEIGHTS, head, split};
use crate::html;
use crate::model::Model;

/// Changes for fuzzing: section, byte within it, and the number to add.
#[doc(hidden)]
pub type Damage = Vec<(usize, usize, u8)>;

/// Maximum number of tracks, which are shown side by side.
pub const MAX_TRACKS: usize = 4;

/// Maximum number of kinds of work, limited by the mask of a tick in browsers.
const MOST_KINDS: usize = 31;

/// Maximum number of ticks in a track. A page keeps about forty bytes of each in memory.
pub const MOST_TICKS: u64 = 2_000_000;

/// One recorded run.
#[derive(Clone, Debug)]
pub struct Track {
    pub(crate) meta: TrackMeta,
    pub(crate) chunks: Vec<Section>,
}

impl Track {
    /// Returns the description.
    pub fn meta(&self) -> &TrackMeta {
        &self.meta
    }

    /// Returns the size in a file.
    pub fn size(&self) -> u64 {
        self.chunks.iter().map(Section::size).sum()
    }
}

/// A record. See the module.
#[derive(Clone, Debug)]
pub struct Record {
    pub(crate) meta: Meta,
    /// Letter of each cell, row by row.
    pub(crate) letters: Vec<u8>,
    /// Weight of each cell before the first tick.
    pub(crate) weights: Vec<u8>,
    /// Whether each cell is known from the beginning.
    pub(crate) known: Vec<bool>,
    pub(crate) lives: Vec<Track>,
}

impl Record {
    /// Returns the description.
    pub fn meta(&self) -> &Meta {
        &self.meta
    }

    /// Returns the tracks, one to four.
    pub fn lives(&self) -> &[Track] {
        &self.lives
    }

    /// Returns the map's letters, row by row.
    pub fn letters(&self) -> &[u8] {
        &self.letters
    }

    /// Returns for each cell whether agents know it from the beginning.
    pub fn known(&self) -> &[bool] {
        &self.known
    }

    /// Returns a player at the beginning of a track.
    pub fn play(&self, life: usize) -> Player<'_> {
        let Meta { width, height, costs, goal, .. } = self.meta;
        let believe = |(&weight, &known): (&u8, &bool)| if known { weight } else { costs.least };
        let believed = self.weights.iter().zip(&self.known).map(believe).collect();
        let model = Model::new(width, height, costs, goal.1 * width + goal.0, believed);
        let life = &self.lives[life];
        let at = life.meta.at.1 * width + life.meta.at.0;
        Player::new(&life.chunks, model, self.weights.clone(), (at, life.meta.first), self.meta.kinds.len())
    }

    /// Returns the bytes of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let meta = serde_json::to_vec(&self.meta).expect("plain data");
        let mut sections = vec![
            Section::pack(META, &meta),
            Section::pack(LETTERS, &self.letters),
            Section::pack(WEIGHTS, &self.weights),
        ];
        if self.known.contains(&false) {
            sections.push(Section::pack(KNOWN, &bits(&self.known)));
        }
        let mut out = head();
        let mark = |tag| Section::pack(tag, &[]);
        let (next, end) = (mark(NEXT), mark(END));
        let lives = self.lives.iter().flat_map(|life| std::iter::once(&next).chain(&life.chunks));
        for section in sections.iter().chain(lives).chain([&end]) {
            section.write(&mut out);
        }
        out
    }

    /// Parses a record from a record file or a page. Plays it once to its end, so an accepted record always can be
    /// played.
    ///
    /// # Errors
    /// If it is not a record, has an unsupported version, or is damaged or truncated.
    pub fn from_bytes(file: &[u8]) -> Result<Self, InputError> {
        let record = match html::embedded(file)? {
            None => Self::parse(file)?,
            Some(text) => {
                let bytes = STANDARD.decode(text).map_err(|_| damaged("the page's data is not base64"))?;
                Self::parse(&bytes)?
            }
        };
        for (k, life) in record.lives.iter().enumerate() {
            let (mut player, mut ticks) = (record.play(k), 0);
            while player.advance()?.is_some() {
                ticks += 1;
            }
            if ticks != life.meta.ticks {
                return Err(damaged("its number of ticks differs from the one in its description"));
            }
        }
        Ok(record)
    }

    /// Changes bytes of a record, recomputes its checksums, and parses it. For fuzzing.
    ///
    /// # Errors
    /// If the result is refused.
    #[doc(hidden)]
    pub fn damaged(&self, damage: &Damage) -> Result<Self, InputError> {
        Self::from_bytes(&reseal(&self.to_bytes(), damage)?)
    }

    fn parse(file: &[u8]) -> Result<Self, InputError> {
        let mut sections = split(file)?.into_iter().peekable();
        let mut next = |tag| match sections.next_if(|section| section.tag == tag) {
            Some(section) => section.unpack().map(Some),
            None => Ok(None),
        };
        let missing = || damaged("a section is missing");
        let meta: Meta = serde_json::from_slice(&next(META)?.ok_or_else(missing)?)
            .map_err(|error| damaged(format!("its description is wrong: {error}")))?;
        let letters = next(LETTERS)?.ok_or_else(missing)?;
        let weights = next(WEIGHTS)?.ok_or_else(missing)?;
        let known = next(KNOWN)?;
        check(&meta, &letters, &weights)?;
        let known = match known {
            None => vec![true; letters.len()],
            Some(bits) => unbits(&bits, letters.len())?,
        };
        let mut lives = Vec::new();
        for life in &meta.lives {
            sections.next_if(|section| section.tag == NEXT).ok_or_else(missing)?;
            let mut chunks = Vec::new();
            while let Some(chunk) = sections.next_if(|section| section.tag == TICKS) {
                chunks.push(chunk);
            }
            lives.push(Track { meta: life.clone(), chunks });
        }
        if sections.next().is_some() {
            return Err(damaged("a section that does not belong there"));
        }
        Ok(Self { meta, letters, weights, known, lives })
    }
}

/// Changes bytes of a file and recomputes its checksums. For fuzzing.
pub(crate) fn reseal(file: &[u8], damage: &Damage) -> Result<Vec<u8>, InputError> {
    let mut sections = split(file)?;
    for &(section, byte, change) in damage {
        let count = sections.len();
        let section = &mut sections[section % count];
        let mut raw = section.unpack()?;
        let length = raw.len().max(1);
        raw.get_mut(byte % length).into_iter().for_each(|byte| *byte = byte.wrapping_add(change));
        *section = Section::pack(section.tag, &raw);
    }
    sections.push(Section::pack(END, &[]));
    let mut out = head();
    for section in &sections {
        section.write(&mut out);
    }
    Ok(out)
}

/// Returns an error if the description contradicts itself or the map.
fn check(meta: &Meta, letters: &[u8], weights: &[u8]) -> Result<(), InputError> {
    let cells = u64::from(meta.width) * u64::from(meta.height);
    if cells == 0 || cells != letters.len() as u64 || cells != weights.len() as u64 {
        return Err(damaged("the map's size differs from the one in its description"));
    }
    if !letters.iter().all(|letter| is_terrain(*letter)) {
        return Err(damaged("the map has an unknown letter"));
    }
    let inside = |(x, y): (u32, u32)| x < meta.width && y < meta.height;
    if !inside(meta.start) || !inside(meta.goal) || !meta.lives.iter().all(|life| inside(life.at)) {
        return Err(damaged("a cell is off the map"));
    }
    let kinds = meta.kinds.len();
    if kinds > MOST_KINDS || meta.prices.len() != kinds || meta.all_work.len() != kinds {
        return Err(damaged("the kinds of work do not fit together"));
    }
    if meta.lives.is_empty() || meta.lives.len() > MAX_TRACKS {
        return Err(damaged("it has not one to four lives"));
    }
    if meta.lives.iter().any(|life| life.ticks > MOST_TICKS || life.first > u64::MAX / 2) {
        return Err(damaged("a track has too many ticks"));
    }
    if meta.costs.unit == 0 {
        return Err(damaged("a length of 1 costs nothing"));
    }
    Ok(())
}

fn bits(flags: &[bool]) -> Vec<u8> {
    let byte = |eight: &[bool]| eight.iter().enumerate().map(|(k, flag)| u8::from(*flag) << k).sum();
    flags.chunks(8).map(byte).collect()
}

fn unbits(bytes: &[u8], count: usize) -> Result<Vec<bool>, InputError> {
    if bytes.len() != count.div_ceil(8) {
        return Err(damaged("the set of known cells differs from the map in size"));
    }
    Ok((0..count).map(|k| bytes[k / 8] >> (k % 8) & 1 == 1).collect())
}
