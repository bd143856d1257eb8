//! A record: a problem and up to four lives on it, in memory as in a file.

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

/// For fuzzing: which section, which byte of it, and what is added to it.
#[doc(hidden)]
pub type Damage = Vec<(usize, usize, u8)>;

/// No more lives are shown side by side.
pub const MAX_TRACKS: usize = 4;

/// Kinds of work that the mask of a tick has room for, in browsers too.
const MOST_KINDS: usize = 31;

/// No life has more ticks in a record: a page keeps some forty bytes of each at hand.
pub const MOST_TICKS: u64 = 2_000_000;

/// One life, recorded.
#[derive(Clone, Debug)]
pub struct Track {
    pub(crate) meta: TrackMeta,
    pub(crate) chunks: Vec<Section>,
}

impl Track {
    /// What is said about it.
    pub fn meta(&self) -> &TrackMeta {
        &self.meta
    }

    /// The bytes that it takes in a file.
    pub fn size(&self) -> u64 {
        self.chunks.iter().map(Section::size).sum()
    }
}

/// See the module.
#[derive(Clone, Debug)]
pub struct Record {
    pub(crate) meta: Meta,
    /// By cell, row by row: the map's letters.
    pub(crate) letters: Vec<u8>,
    /// By cell: what it weighs before the first tick.
    pub(crate) weights: Vec<u8>,
    /// By cell: whether it is known from the beginning.
    pub(crate) known: Vec<bool>,
    pub(crate) lives: Vec<Track>,
}

impl Record {
    /// What is said about it.
    pub fn meta(&self) -> &Meta {
        &self.meta
    }

    /// The lives, one to four.
    pub fn lives(&self) -> &[Track] {
        &self.lives
    }

    /// The map's letters, row by row.
    pub fn letters(&self) -> &[u8] {
        &self.letters
    }

    /// By cell: whether an agent knows it from the beginning.
    pub fn known(&self) -> &[bool] {
        &self.known
    }

    /// A life from its beginning.
    pub fn play(&self, life: usize) -> Player<'_> {
        let Meta { width, height, costs, goal, .. } = self.meta;
        let believe = |(&weight, &known): (&u8, &bool)| if known { weight } else { costs.least };
        let believed = self.weights.iter().zip(&self.known).map(believe).collect();
        let model = Model::new(width, height, costs, goal.1 * width + goal.0, believed);
        let life = &self.lives[life];
        let at = life.meta.at.1 * width + life.meta.at.0;
        Player::new(&life.chunks, model, self.weights.clone(), (at, life.meta.first), self.meta.kinds.len())
    }

    /// The file's bytes.
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

    /// A record from a file's bytes: the record itself, or a page that holds it. All of it is read once, so what is
    /// accepted can be played to its end.
    ///
    /// # Errors
    /// If it is no record, one of a newer version, or is damaged or cut off.
    pub fn from_bytes(file: &[u8]) -> Result<Self, InputError> {
        let record = match html::embedded(file)? {
            None => Self::parse(file)?,
            Some(text) => {
                let bytes = STANDARD.decode(text).map_err(|_| damaged("the page's data is no base64"))?;
                Self::parse(&bytes)?
            }
        };
        for (k, life) in record.lives.iter().enumerate() {
            let (mut player, mut ticks) = (record.play(k), 0);
            while player.advance()?.is_some() {
                ticks += 1;
            }
            if ticks != life.meta.ticks {
                return Err(damaged("it has another number of ticks than it says"));
            }
        }
        Ok(record)
    }

    /// For fuzzing: the record with bytes under its checksums changed, sealed again, and read.
    ///
    /// # Errors
    /// If what came of it is refused.
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

/// For fuzzing: a file with bytes under its checksums changed, sealed again.
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

/// Whether the description fits itself and the map.
fn check(meta: &Meta, letters: &[u8], weights: &[u8]) -> Result<(), InputError> {
    let cells = u64::from(meta.width) * u64::from(meta.height);
    if cells == 0 || cells != letters.len() as u64 || cells != weights.len() as u64 {
        return Err(damaged("the map has another size than it says"));
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
        return Err(damaged("a life has too many ticks"));
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
        return Err(damaged("what is known has another size than the map"));
    }
    Ok((0..count).map(|k| bytes[k / 8] >> (k % 8) & 1 == 1).collect())
}
