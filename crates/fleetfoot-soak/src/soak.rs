//! Many cases, in threads, with a journal.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use fleetfoot_sim::error::InputError;
use fleetfoot_sim::formats::write_atomically;
use serde::{Deserialize, Serialize};

use crate::rng::Rng;
use crate::{Case, Fault, Tally, run_case, shrink};

/// Version of the journal, and of what a seed draws.
const VERSION: u32 = 1;
/// Stream of the seeds of cases.
const CASES: u64 = 20;
/// Time for making a failing case smaller.
const SHRINKING: Duration = Duration::from_secs(60);
/// A soak ends after this many failures: they tend to have one cause.
const MOST_FAILURES: usize = 8;
/// Time between two writings of the journal.
const PAUSE: Duration = Duration::from_secs(5);

/// How a soak is carried out.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Seed of all cases.
    pub seed: u64,
    /// Number of cases in all, with those of earlier calls.
    pub cases: Option<u64>,
    /// Time for this call.
    pub time: Option<Duration>,
    /// Threads.
    pub threads: usize,
    /// The journal: a file that the next call goes on from.
    pub journal: Option<PathBuf>,
    /// Time after which a case is said to hang.
    pub hangs_after: Duration,
}

/// The result of a soak.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    version: u32,
    /// Seed of all cases.
    pub seed: u64,
    /// Number of cases that were run: the first ones of this seed.
    pub cases: u64,
    /// Time that was spent, in seconds, with earlier calls.
    pub seconds: f64,
    /// What was done.
    pub tally: Tally,
    /// What failed.
    pub failures: Vec<Failure>,
}

/// A case that failed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// Its number.
    pub number: u64,
    /// The case as it was drawn.
    pub case: String,
    /// What was wrong.
    pub fault: Fault,
    /// The smallest case found that fails in the same manner.
    pub smallest: String,
    /// What is wrong there.
    pub smallest_fault: Fault,
}

/// Receives what happens while a soak runs.
pub trait Observer {
    /// Returns `true` if the soak is to stop.
    fn stops(&mut self) -> bool;
    /// Receives the report so far.
    fn progress(&mut self, report: &Report);
    /// Receives a failure as soon as its smallest case is known.
    fn failed(&mut self, failure: &Failure);
    /// Receives a case that does not end. Only the end of the program stops it.
    fn hangs(&mut self, number: u64, case: &Case);
}

/// Returns case `number` of a seed.
pub fn case(seed: u64, number: u64) -> Case {
    Case::draw(Rng::of(seed, CASES, number).bits())
}

/// Runs cases until the time is up, or their number is reached, or too many have failed.
///
/// # Errors
/// If the journal cannot be read or written, or is one of another seed.
pub fn run(settings: &Settings, observer: &mut dyn Observer) -> Result<Report, InputError> {
    let mut report = match &settings.journal {
        Some(path) => read_journal(path, settings.seed)?,
        None => Report { version: VERSION, seed: settings.seed, ..Report::default() },
    };
    let begun = Instant::now();
    let before = report.seconds;
    // What failed is run again: it may be mended by now.
    for failure in std::mem::take(&mut report.failures) {
        let case = case(settings.seed, failure.number);
        if let Err(fault) = run_case(&case, &mut Tally::default()) {
            let failure = shrunk(failure.number, &case, fault);
            observer.failed(&failure);
            report.failures.push(failure);
        }
    }
    let (next, is_over) = (AtomicU64::new(report.cases), AtomicBool::new(false));
    let last = settings.cases.unwrap_or(u64::MAX);
    let (send, results) = mpsc::channel();
    thread::scope(|scope| -> Result<(), InputError> {
        for _ in 0..settings.threads.max(1) {
            let (send, next, is_over) = (send.clone(), &next, &is_over);
            scope.spawn(move || {
                while !is_over.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= last {
                        break;
                    }
                    let _ = send.send(Message::Begun(number, Instant::now()));
                    let mut tally = Tally::default();
                    let case = case(settings.seed, number);
                    let fault = run_case(&case, &mut tally).err();
                    let failure = fault.map(|fault| shrunk(number, &case, fault));
                    let _ = send.send(Message::Done(number, Box::new((tally, failure))));
                }
            });
        }
        drop(send);
        let done = collect(settings, observer, &mut report, &results, (begun, before), &is_over);
        is_over.store(true, Ordering::Relaxed);
        done
    })?;
    report.seconds = before + begun.elapsed().as_secs_f64();
    write_journal(settings, &report)?;
    Ok(report)
}

enum Message {
    Begun(u64, Instant),
    Done(u64, Box<(Tally, Option<Failure>)>),
}

/// Takes what threads have done into the report, in the order of the cases.
fn collect(
    settings: &Settings,
    observer: &mut dyn Observer,
    report: &mut Report,
    results: &mpsc::Receiver<Message>,
    (begun, before): (Instant, f64),
    is_over: &AtomicBool,
) -> Result<(), InputError> {
    let mut early: Vec<(u64, Tally, Option<Failure>)> = Vec::new();
    let mut running: Vec<(u64, Instant)> = Vec::new();
    let mut written = Instant::now();
    loop {
        match results.recv_timeout(Duration::from_millis(200)) {
            Ok(Message::Begun(number, since)) => running.push((number, since)),
            Ok(Message::Done(number, result)) => {
                running.retain(|other| other.0 != number);
                early.push((number, result.0, result.1));
            }
            Err(mpsc::RecvTimeoutError::Timeout) => {}
            Err(mpsc::RecvTimeoutError::Disconnected) => return Ok(()),
        }
        while let Some(place) = early.iter().position(|done| done.0 == report.cases) {
            let (_, tally, failure) = early.swap_remove(place);
            report.cases += 1;
            report.tally += tally;
            if let Some(failure) = failure {
                observer.failed(&failure);
                report.failures.push(failure);
            }
        }
        let is_late = settings.time.is_some_and(|time| begun.elapsed() >= time);
        if is_late || report.failures.len() >= MOST_FAILURES || observer.stops() {
            is_over.store(true, Ordering::Relaxed);
        }
        if let Some(&(number, _)) = running.iter().find(|(_, since)| since.elapsed() > settings.hangs_after) {
            observer.hangs(number, &case(settings.seed, number));
            running.retain(|other| other.0 != number);
        }
        if written.elapsed() >= PAUSE {
            written = Instant::now();
            report.seconds = before + begun.elapsed().as_secs_f64();
            observer.progress(report);
            write_journal(settings, report)?;
        }
    }
}

/// Makes a failing case smaller.
fn shrunk(number: u64, case: &Case, fault: Fault) -> Failure {
    let judge = |case: &Case| run_case(case, &mut Tally::default()).err();
    let (smallest, smallest_fault) = shrink::smallest(case, fault.clone(), SHRINKING, judge);
    Failure { number, case: case.to_string(), fault, smallest: smallest.to_string(), smallest_fault }
}

fn read_journal(path: &Path, seed: u64) -> Result<Report, InputError> {
    let fresh = Report { version: VERSION, seed, ..Report::default() };
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => return Ok(fresh),
        Err(cause) => return Err(InputError::io(path, "read", &cause)),
    };
    let report: Report = serde_json::from_str(&text).map_err(|error| {
        InputError::new(format!("this is no journal of a soak: {error}"), "name another file").with_file(path)
    })?;
    if (report.version, report.seed) != (VERSION, seed) {
        let what = format!("this is the journal of seed {}, version {}", report.seed, report.version);
        return Err(InputError::new(what, format!("name another file, or give --seed {}", report.seed))
            .with_file(path));
    }
    Ok(report)
}

fn write_journal(settings: &Settings, report: &Report) -> Result<(), InputError> {
    let Some(path) = &settings.journal else { return Ok(()) };
    let text = serde_json::to_string_pretty(report).expect("plain data");
    write_atomically(path, |out| writeln!(out, "{text}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Quiet;

    impl Observer for Quiet {
        fn stops(&mut self) -> bool {
            false
        }
        fn progress(&mut self, _: &Report) {}
        fn failed(&mut self, failure: &Failure) {
            panic!("{failure:?}");
        }
        fn hangs(&mut self, number: u64, case: &Case) {
            panic!("case {number} hangs: {case}");
        }
    }

    fn settings(cases: u64, threads: usize, journal: Option<PathBuf>) -> Settings {
        Settings {
            seed: 3,
            cases: Some(cases),
            time: None,
            threads,
            journal,
            hangs_after: Duration::from_secs(300),
        }
    }

    #[test]
    fn a_soak_that_was_stopped_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let journal = Some(folder.path().join("soak.json"));
        let first = run(&settings(7, 1, journal.clone()), &mut Quiet).unwrap();
        assert_eq!((first.cases, first.tally.fleets + first.tally.agents), (7, 7));
        let second = run(&settings(20, 2, journal.clone()), &mut Quiet).unwrap();
        let at_once = run(&settings(20, 2, None), &mut Quiet).unwrap();
        assert_eq!((second.cases, second.tally), (at_once.cases, at_once.tally));
        let other = run(&Settings { seed: 4, ..settings(30, 1, journal) }, &mut Quiet).unwrap_err();
        assert!(other.to_string().contains("--seed 3"), "{other}");
    }
}
