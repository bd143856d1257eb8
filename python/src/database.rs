//! Databases of solved problems, made in parts: part k of n has every n-th record, beginning with record k.
//!
//! A record depends only on the map, the seed and its number, so the parts of several machines make the same file as
//! `fleetfoot database build`.

use fleetfoot::Graph;
use fleetfoot::NodeId;
use fleetfoot::database::{KnnBuilder, KnnConfig, KnnRecord};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rayon::ThreadPoolBuilder;

use crate::errors::{input, wrong};
use crate::map::Map;
use crate::work::supervise;

/// Number of records between two checks for Ctrl-C.
const TURN: usize = 64;

/// Makes every `parts`-th of `count` records, beginning with record `part`, counted from 0.
#[pyfunction]
#[pyo3(signature = (map, count, seed, exact, part, parts, threads, tell))]
#[expect(clippy::too_many_arguments, reason = "Python names them")]
pub(crate) fn records<'py>(
    py: Python<'py>,
    map: &Map,
    count: u64,
    seed: u64,
    exact: bool,
    part: u64,
    parts: u64,
    threads: usize,
    tell: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let grid = map.inner().read(py, |map| map.grid().clone());
    let pool =
        ThreadPoolBuilder::new().num_threads(threads.min(1024)).build().map_err(|error| input(py, error))?;
    let bytes = supervise(py, tell, move |progress| {
        let builder = KnnBuilder::new(&grid, KnnConfig { seed, is_exact: exact });
        let parts = parts.max(1);
        progress.begin(count.saturating_sub(part).div_ceil(parts));
        // In rounds, since the number of records is unlimited.
        let mut numbers = (part..count).step_by(parts as usize);
        let mut bytes = Vec::new();
        while !progress.is_over() {
            let some: Vec<u64> = numbers.by_ref().take(TURN).collect();
            if some.is_empty() {
                break;
            }
            pool.install(|| builder.records(&some)).iter().for_each(|record| write(record, &mut bytes));
            progress.advance(some.len() as u64);
        }
        bytes
    })?;
    Ok(PyBytes::new(py, &bytes))
}

/// Assembles the file of a database from all its parts in order.
#[pyfunction]
pub(crate) fn assemble<'py>(
    py: Python<'py>,
    map: &Map,
    seed: u64,
    exact: bool,
    parts: Vec<Vec<u8>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let grid = map.inner().read(py, |map| map.grid().clone());
    let file = py.detach(|| {
        let parts: Vec<Vec<KnnRecord>> =
            parts.iter().map(|bytes| read(bytes, grid.bound())).collect::<Option<_>>()?;
        let longest = parts.iter().map(Vec::len).max().unwrap_or(0);
        // Parts are interleaved.
        let records = (0..longest).flat_map(|k| parts.iter().filter_map(move |part| part.get(k).cloned()));
        let builder = KnnBuilder::new(&grid, KnnConfig { seed, is_exact: exact });
        Some(builder.assemble(records.collect(), false).into_bytes())
    });
    match file {
        Some(file) => Ok(PyBytes::new(py, &file)),
        None => Err(wrong(py, "the parts are damaged, or of another map", "make them again")),
    }
}

/// Encodes a record: number of states, length of its path, and the states.
fn write(record: &KnnRecord, out: &mut Vec<u8>) {
    out.extend((record.states.len() as u32).to_le_bytes());
    out.extend(record.path_edges.to_le_bytes());
    record.states.iter().for_each(|n| out.extend(n.raw().to_le_bytes()));
}

/// Decodes all records of a part. Returns `None` if they are invalid.
fn read(mut bytes: &[u8], bound: usize) -> Option<Vec<KnnRecord>> {
    let mut records = Vec::new();
    while !bytes.is_empty() {
        let (states, rest) = bytes.split_first_chunk::<4>()?;
        let (edges, rest) = rest.split_first_chunk::<8>()?;
        let (states, rest) = rest.split_at_checked(4 * u32::from_le_bytes(*states) as usize)?;
        let (words, _) = states.as_chunks::<4>();
        let states: Vec<NodeId> = words.iter().map(|word| NodeId::new(u32::from_le_bytes(*word))).collect();
        if states.len() < 2 || states.iter().any(|n| n.index() >= bound) {
            return None;
        }
        records.push(KnnRecord { states, path_edges: u64::from_le_bytes(*edges) });
        bytes = rest;
    }
    Some(records)
}
