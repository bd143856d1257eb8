//! A fleet's record, in memory and as a file.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::map::is_terrain;

use super::meta::FleetMeta;
use super::player::FleetPlayer;
use crate::format::bytes::{Bytes, put};
use crate::format::damaged;
use crate::format::section::{END, LETTERS, META, MOVES, Section, UNITS, WEIGHTS, head, split};
use crate::html;

/// A fleet's record. See the module.
#[derive(Clone, Debug)]
pub struct FleetRecord {
    pub(super) meta: FleetMeta,
    /// Letter of each cell, row by row.
    pub(super) letters: Vec<u8>,
    /// Weight of each cell before the first tick.
    pub(super) weights: Vec<u8>,
    /// Start of each unit.
    pub(super) starts: Vec<u32>,
    pub(super) chunks: Vec<Section>,
}

impl FleetRecord {
    /// Returns the description.
    pub fn meta(&self) -> &FleetMeta {
        &self.meta
    }

    /// Returns the map's letters, row by row.
    pub fn letters(&self) -> &[u8] {
        &self.letters
    }

    /// Returns a player at the beginning of the run.
    pub fn play(&self) -> FleetPlayer<'_> {
        FleetPlayer::new(self)
    }

    /// Returns the bytes of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let meta = serde_json::to_vec(&self.meta).expect("plain data");
        let mut starts = Vec::new();
        for &start in &self.starts {
            put(&mut starts, u64::from(start));
        }
        let sections = [
            Section::pack(META, &meta),
            Section::pack(LETTERS, &self.letters),
            Section::pack(WEIGHTS, &self.weights),
            Section::pack(UNITS, &starts),
        ];
        let (mut out, end) = (head(), Section::pack(END, &[]));
        for section in sections.iter().chain(&self.chunks).chain([&end]) {
            section.write(&mut out);
        }
        out
    }

    /// Returns `true` if the file is a Fleetfoot record of a fleet, or a page that contains one.
    pub fn is_one(file: &[u8]) -> bool {
        unwrapped(file).is_ok_and(|bytes| {
            split(&bytes).is_ok_and(|sections| sections.iter().any(|section| section.tag == UNITS))
        })
    }

    /// Parses a record from a record file or a page. Plays it once to its end, so an accepted record always can be
    /// played.
    ///
    /// # Errors
    /// If it is not a record of a fleet, has an unsupported version, or is damaged or truncated.
    pub fn from_bytes(file: &[u8]) -> Result<Self, InputError> {
        let record = Self::parse(&unwrapped(file)?)?;
        let mut player = record.play();
        while player.advance()? {}
        if player.tick() != record.meta.ticks {
            return Err(damaged("its number of ticks differs from the one in its description"));
        }
        Ok(record)
    }

    fn parse(file: &[u8]) -> Result<Self, InputError> {
        let mut sections = split(file)?.into_iter().peekable();
        let mut next = |tag| {
            let found = sections.next_if(|section| section.tag == tag);
            found.ok_or_else(|| damaged("a section is missing"))?.unpack()
        };
        let meta: FleetMeta = serde_json::from_slice(&next(META)?)
            .map_err(|error| damaged(format!("its description is wrong: {error}")))?;
        let (letters, weights, list) = (next(LETTERS)?, next(WEIGHTS)?, next(UNITS)?);
        meta.check(&letters, &weights)?;
        if !letters.iter().all(|letter| is_terrain(*letter)) {
            return Err(damaged("the map has an unknown letter"));
        }
        let (mut starts, mut bytes) = (Vec::new(), Bytes(&list));
        for _ in 0..meta.units {
            starts.push(bytes.small()?);
        }
        if !bytes.is_empty() || starts.iter().any(|&start| start as usize >= letters.len()) {
            return Err(damaged("its units begin where they cannot"));
        }
        let chunks: Vec<Section> = sections.collect();
        if chunks.iter().any(|section| section.tag != MOVES) {
            return Err(damaged("a section that does not belong there"));
        }
        Ok(Self { meta, letters, weights, starts, chunks })
    }

    /// Changes bytes of a record, recomputes its checksums, and parses it. For fuzzing.
    ///
    /// # Errors
    /// If the result is refused.
    #[doc(hidden)]
    pub fn damaged(&self, damage: &crate::Damage) -> Result<Self, InputError> {
        Self::from_bytes(&crate::record::reseal(&self.to_bytes(), damage)?)
    }
}

/// Returns the bytes of a record, extracting it from its page if necessary.
fn unwrapped(file: &[u8]) -> Result<Vec<u8>, InputError> {
    match html::embedded(file)? {
        None => Ok(file.to_vec()),
        Some(text) => STANDARD.decode(text).map_err(|_| damaged("the page's data is not base64")),
    }
}
