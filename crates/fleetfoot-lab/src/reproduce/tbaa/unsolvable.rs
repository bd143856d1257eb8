//! Goals that cannot be reached: who says so, and when?

use std::sync::Arc;

use fleetfoot::registry::Spec;
use fleetfoot_sim::budget::Budget;
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::generate::Dice;
use fleetfoot_sim::map::{Components, GridMap};
use fleetfoot_sim::world::WorldSpec;

use super::super::Evidence;
use crate::places::{Made, MapSource, Place, Scene};
use crate::report::{Finding, Measured, Verdict};
use crate::run::{Job, Problem, Row};

pub(super) const NOTE: &str = "besides, goals that cannot be reached: random maps of 64×64 cells with 45 % blocked, start in the largest part, goal in another, 50 expansions per interval, given up after 100,000 intervals";

const PLANNERS: [(&str, &str); 4] =
    [("RTBA*", "rtba"), ("TBAA*", "tbaa"), ("RTAA*", "rtaa"), ("daRTAA*", "da-rtaa")];

fn label(name: &str) -> String {
    format!("{name}, no way")
}

pub(super) fn runs(maps: u64) -> Result<Vec<Job>, InputError> {
    let mut jobs = Vec::new();
    for seed in 0..maps {
        let map = MapSource::Made(Made::Random { size: (64, 64), blocked: 45, seed });
        let Some((start, goal)) = apart(&map.load()?.map, seed) else { continue };
        let place = Arc::new(Place::new(map, Scene::Spec(WorldSpec::Unknown { sight: None })));
        for (name, spec) in PLANNERS {
            let spec: Spec =
                spec.parse().map_err(|error| InputError::new(format!("{error}"), "use a later version"))?;
            let job = Job::new(&place, Problem { index: seed, start, goal }, spec, Budget::Expansions(50));
            jobs.push(Job { max_steps: Some(100_000), ..job.labelled(label(name)) });
        }
    }
    Ok(jobs)
}

/// A cell of the largest part, and one of any other.
fn apart(map: &GridMap, seed: u64) -> Option<((u32, u32), (u32, u32))> {
    let Components { labels, sizes } = map.components();
    let largest = (0..sizes.len()).max_by_key(|part| sizes[*part])? as u32;
    let place = |cell: usize| (cell as u32 % map.width(), cell as u32 / map.width());
    let of = |is_mine: &dyn Fn(u32) -> bool| -> Vec<(u32, u32)> {
        (0..labels.len())
            .filter(|cell| labels[*cell] != Components::BLOCKED && is_mine(labels[*cell]))
            .map(place)
            .collect()
    };
    let (here, there) = (of(&|part| part == largest), of(&|part| part != largest));
    let mut dice = Dice::new(seed);
    let mut draw = |cells: &[(u32, u32)]| cells.get(dice.below(cells.len() as u32) as usize).copied();
    Some((draw(&here)?, draw(&there)?))
}

pub(super) fn finding(evidence: &Evidence<'_>) -> Finding {
    let says_so = |name: &str| {
        let rows = evidence.rows(&label(name));
        (rows.iter().filter(|row| row.outcome == "no-path").count(), rows.len())
    };
    let time = |name: &str| evidence.mean(&label(name), |row: &Row| row.intervals as f64);
    let all = ["RTBA*", "TBAA*"].iter().all(|name| says_so(name).0 == says_so(name).1);
    let slow = ["RTAA*", "daRTAA*"]
        .iter()
        .all(|name| says_so(name).0 < says_so(name).1 || time(name) > time("TBAA*"));
    let mut measured = Vec::new();
    for (name, _) in PLANNERS {
        let (said, of) = says_so(name);
        measured.push(Measured::exact(format!("{name}: says that there is no way, of {of}"), said as f64));
        measured.push(Measured::exact(
            format!("{name}: mean intervals until then, or until it gives up"),
            time(name),
        ));
    }
    Finding::new(
        "B7",
        "RTBA* and TBAA* detect that there is no way; many real-time algorithms cannot do so efficiently",
        "RTBA* and TBAA* say so in every run, and RTAA* and daRTAA* either do not always or need more intervals than TBAA* on average",
        measured,
        Verdict::of(all && slow),
    )
}
