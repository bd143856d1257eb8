//! Ticks that have to end in time, while other processes want the same cores.

use std::hint::black_box;
use std::io::{self, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio, exit};
use std::thread;
use std::time::Duration;

use fleetfoot::Meter;
use fleetfoot::fleet::{Fleet, Goal, TeamId, UnitId};
use fleetfoot_sim::budget::{monotonic_nanos, thread_nanos};
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::generate::cave;
use serde::Serialize;

use crate::rng::Rng;
use crate::stage::stage;

/// Side of the map.
const SIDE: u32 = 256;
/// Numbers of units.
const UNITS: [usize; 3] = [200, 1000, 4000];
/// Ticks of which one unit in ten gets a new goal in one.
const RENEWED_EVERY: u64 = 8;

/// What is measured.
#[derive(Clone, Debug)]
pub struct Settings<'a> {
    /// Time for each tick.
    pub limit: Duration,
    /// Ticks of each fleet.
    pub ticks: u64,
    /// Seed of the map and of goals.
    pub seed: u64,
    /// Number of processes that burn a core each, for half of the rows.
    pub burners: usize,
    /// The program that burns a core if it is called with `soak --burn`.
    pub program: &'a Path,
}

/// A fleet under a deadline.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Number of units.
    pub units: usize,
    /// Number of other processes that want the cores.
    pub burners: usize,
    /// Ticks that were measured.
    pub ticks: u64,
    /// Share of them that took longer than the limit.
    pub beyond: f64,
    /// Likewise, by the thread's own time on a core, which other programs do not disturb.
    pub beyond_of_own: f64,
    /// The tick that half of all do not exceed, in microseconds.
    pub median: f64,
    /// The tick that 99 of 100 do not exceed, in microseconds.
    pub most_of_99: f64,
    /// The longest tick, in microseconds.
    pub longest: f64,
    /// Share of units that were skipped, of all in all ticks.
    pub skipped: f64,
    /// Share of units that had arrived at the end.
    pub arrived: f64,
}

/// Measures fleets of several sizes, without other processes and with them.
///
/// # Errors
/// If another process cannot be started.
pub fn run(settings: &Settings<'_>) -> Result<Vec<Row>, InputError> {
    let mut rows = Vec::new();
    for burners in [0, settings.burners] {
        let _burning = Burning::start(settings.program, burners)?;
        for units in UNITS {
            rows.push(measure(settings, units, burners)?);
        }
        if settings.burners == 0 {
            break;
        }
    }
    Ok(rows)
}

fn measure(settings: &Settings<'_>, units: usize, burners: usize) -> Result<Row, InputError> {
    let made = cave::generate(SIDE, SIDE, settings.seed)?.map;
    let (map, free) = stage(&made);
    let rng = &mut Rng::new(settings.seed);
    let mut fleet = Fleet::new(map);
    let mut all: Vec<UnitId> = Vec::new();
    while all.len() < units.min(free.len() / 2) {
        all.extend(fleet.spawn(TeamId::FIRST, rng.pick(&free)));
    }
    for &unit in &all {
        fleet.order(&[unit], Goal::at(rng.pick(&free)));
    }
    let limit = settings.limit.as_nanos() as u64;
    let (mut wall, mut own, mut skipped) = (Vec::new(), Vec::new(), 0);
    for tick in 0..settings.ticks {
        if tick % RENEWED_EVERY == 0 {
            for _ in 0..all.len() / 10 {
                fleet.order(&[rng.pick(&all)], Goal::at(rng.pick(&free)));
            }
        }
        let (begun, had) = (monotonic_nanos(), thread_nanos());
        fleet.tick_with(&mut Meter::until(monotonic_nanos, begun + limit)).for_each(drop);
        wall.push(monotonic_nanos() - begun);
        own.push(thread_nanos() - had);
        skipped += u64::from(fleet.summary().left_out);
    }
    wall.sort_unstable();
    let share =
        |times: &[u64]| times.iter().filter(|&&time| time > limit).count() as f64 / times.len().max(1) as f64;
    let part = |k: usize| wall.get(wall.len() * k / 100).copied().unwrap_or(0) as f64 / 1e3;
    let arrived =
        all.iter().filter(|&&unit| fleet.status(unit) == Some(fleetfoot::fleet::UnitStatus::Arrived));
    Ok(Row {
        units: all.len(),
        burners,
        ticks: settings.ticks,
        beyond: share(&wall),
        beyond_of_own: share(&own),
        median: part(50),
        most_of_99: part(99),
        longest: wall.last().copied().unwrap_or(0) as f64 / 1e3,
        skipped: skipped as f64 / (all.len().max(1) as u64 * settings.ticks.max(1)) as f64,
        arrived: arrived.count() as f64 / all.len().max(1) as f64,
    })
}

/// Processes that burn cores. They end when this is dropped.
struct Burning(Vec<Child>);

impl Burning {
    fn start(program: &Path, count: usize) -> Result<Self, InputError> {
        let mut all = Self(Vec::new());
        for _ in 0..count {
            let mut command = Command::new(program);
            command.args(["soak", "--burn"]).stdin(Stdio::piped()).stdout(Stdio::null());
            all.0.push(command.spawn().map_err(|cause| InputError::io(program, "run", &cause))?);
        }
        Ok(all)
    }
}

impl Drop for Burning {
    fn drop(&mut self) {
        for child in &mut self.0 {
            // A process that has ended already is what was wanted.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Burns a core until the input ends, as it does when the process ends that started this one.
pub fn burn() -> ! {
    thread::spawn(|| {
        let _ = io::stdin().read_to_end(&mut Vec::new());
        exit(0);
    });
    let mut x = 1_u64;
    loop {
        x = black_box(x.wrapping_mul(0x5851_f42d_4c95_7f2d).rotate_left(7));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fleets_under_a_deadline_are_measured() {
        let limit = Duration::from_secs(5);
        let settings = Settings { limit, ticks: 4, seed: 1, burners: 0, program: Path::new("none") };
        let rows = run(&settings).unwrap();
        assert_eq!(rows.iter().map(|row| row.units).collect::<Vec<_>>(), UNITS);
        for row in rows {
            assert!(row.beyond == 0.0 && row.skipped == 0.0 && row.median <= row.longest, "{row:?}");
        }
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        let limit = Duration::from_millis(1);
        let settings = Settings { limit, ticks: 1, seed: 1, burners: 1, program: Path::new("/not/there") };
        assert!(run(&settings).unwrap_err().to_string().contains("/not/there"));
    }
}
