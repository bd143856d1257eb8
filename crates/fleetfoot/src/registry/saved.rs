//! Saved planners: format version, spec, fingerprint of the graph, state, checksum.

use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use super::{BoxedPlanner, PlannerGraph, Resources, Spec};
use crate::graph::Graph;
use crate::planner::PlannerState;
use crate::save::{SaveError, SaveReader, SaveWriter, checksum};

const MAGIC: &[u8; 8] = b"flfoot\0p";
const VERSION: u32 = 3;

/// A saved planner. Restored on the same graph, it continues exactly where it stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SavedPlanner {
    /// The contents of a save file.
    pub bytes: Vec<u8>,
}

impl SavedPlanner {
    /// Saves a planner that was built from `spec`. The graph must be saved as well, and its change log if the planner has
    /// read from one.
    pub fn new<G: Graph>(spec: &Spec, planner: &dyn PlannerState, graph: &G) -> Self {
        let mut bytes = Vec::new();
        bytes.put(MAGIC);
        bytes.u32(VERSION);
        let text = spec.to_string();
        bytes.u32(text.len() as u32);
        bytes.put(text.as_bytes());
        bytes.u64(graph.fingerprint());
        planner.save(&mut bytes);
        let sum = checksum(&bytes);
        bytes.u64(sum);
        Self { bytes }
    }

    /// Restores the planner on the graph it was saved with.
    pub fn restore<G: PlannerGraph>(&self, graph: &G) -> Result<BoxedPlanner<G>, SaveError> {
        self.restore_with(graph, &Resources::EMPTY)
    }

    /// Restores a planner that uses precomputed resources, such as a database.
    pub fn restore_with<G: PlannerGraph>(
        &self,
        graph: &G,
        resources: &Resources,
    ) -> Result<BoxedPlanner<G>, SaveError> {
        let (spec, fingerprint, mut from) = self.open()?;
        if fingerprint != graph.fingerprint() {
            return Err(SaveError::new("it belongs to another graph, or to this one in another state"));
        }
        let mut planner = graph.build(&spec, resources).map_err(|e| SaveError::new(e.to_string()))?;
        planner.load(graph, &mut from).and_then(|()| from.end()).map_err(|error| error.under(&spec))?;
        Ok(planner)
    }

    /// Returns the spec of the planner.
    pub fn spec(&self) -> Result<Spec, SaveError> {
        self.open().map(|(spec, ..)| spec)
    }

    /// Returns the spec, the fingerprint of the graph, and a reader at the start of the state.
    fn open(&self) -> Result<(Spec, u64, SaveReader<'_>), SaveError> {
        let (body, sum) =
            self.bytes.split_last_chunk::<8>().ok_or_else(|| SaveError::new("it ends too early"))?;
        let mut from = SaveReader::new(body);
        if from.bytes(MAGIC.len())? != MAGIC {
            return Err(SaveError::new("these bytes are not a saved planner"));
        }
        let version = from.u32()?;
        if version != VERSION {
            return Err(SaveError::new(format!(
                "it has format version {version}, this library reads {VERSION}; save it again with this version"
            )));
        }
        if checksum(body) != u64::from_le_bytes(*sum) {
            return Err(SaveError::new("its checksum is wrong, so it is damaged; use another copy"));
        }
        let len = from.len(1)?;
        let text =
            core::str::from_utf8(from.bytes(len)?).map_err(|_| SaveError::new("its spec is not text"))?;
        let spec: Spec = text.parse().map_err(|e: super::SpecError| SaveError::new(e.to_string()))?;
        let fingerprint = from.u64()?;
        Ok((spec, fingerprint, from))
    }
}
