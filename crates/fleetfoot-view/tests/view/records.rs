//! Checks that records are true and small, and that damaged files are refused.

use std::collections::{BTreeSet, HashMap};

use crate::stage::{Stage, planners, stages};
use fleetfoot::planners::{DStarLite, KeyFocus};
use fleetfoot::{Decision, NodeId, Scratch, SearchEvent, SearchProbe};
use fleetfoot_sim::episode::Episode;
use fleetfoot_sim::metrics::Outcome;
use fleetfoot_view::{Answer, Record, RecordError, RecordFilter, RecordedEvent, html};

/// Collects all events of a planner, one list per tick.
#[derive(Default)]
struct Listener(Vec<SearchEvent>);

impl SearchProbe for Listener {
    fn event(&mut self, event: SearchEvent) {
        self.0.push(event);
    }
}

fn cell(stage: &Stage, n: NodeId) -> u32 {
    let (x, y) = stage.world.truth().xy(n);
    y * stage.world.truth().width() + x
}

/// Returns the event that a record should contain.
fn expected(stage: &Stage, event: SearchEvent) -> Option<RecordedEvent> {
    let cell = |n| cell(stage, n);
    let visit = |node: NodeId, parent: NodeId, g: fleetfoot::Cost, f: fleetfoot::Cost| {
        fleetfoot_view::Visit { cell: cell(node), parent: parent.some().map(cell), g: g.raw(), f: f.raw() }
    };
    Some(match event {
        SearchEvent::Search { root } => RecordedEvent::Search { root: cell(root) },
        SearchEvent::Discard { node } => RecordedEvent::Leave { cell: cell(node) },
        SearchEvent::SwitchSearch { is_local: is_near } => RecordedEvent::Turn { is_near },
        SearchEvent::Subgoal { node, record } => RecordedEvent::Lead { cell: cell(node), record },
        SearchEvent::Expand { node, parent, g, f } => RecordedEvent::Expand(visit(node, parent, g, f)),
        SearchEvent::Open { node, parent, g, f } => RecordedEvent::Open(visit(node, parent, g, f)),
        SearchEvent::Learn { node, new, .. } => RecordedEvent::Learn { cell: cell(node), new: new.raw() },
        SearchEvent::Trace { node } => RecordedEvent::Trace { cell: cell(node) },
        SearchEvent::AdoptPath => RecordedEvent::Follow,
        _ => return None,
    })
}

/// Returns events with the search that they belong to; `true` is the local one.
fn attributed((events, is_near): (&Vec<RecordedEvent>, &mut bool)) -> Vec<(bool, RecordedEvent)> {
    let mut all = Vec::new();
    for event in events {
        match event {
            RecordedEvent::Turn { is_near: turned } => *is_near = *turned,
            _ => all.push((*is_near, *event)),
        }
    }
    all
}

/// Executes a run without a recorder and compares every tick with the record.
fn holds_against_the_life(stage: &Stage, spec: &str, record: &Record) {
    let (trip, terms) = (stage.trip(), stage.terms());
    let (mut planner, mut scratch) = (stage.planner(spec), Scratch::new());
    let mut episode = Episode::new(&trip, &terms);
    let mut player = record.play(0);
    let (mut told_near, mut written_near) = (false, false);
    while episode.outcome().is_none() {
        let mut listener = Listener::default();
        let tick = episode.tick(&mut *planner, &mut scratch, Some(&mut listener)).unwrap();
        let frame = player.advance().unwrap().expect("a tick is missing");
        let context = format!("{spec} on {} in tick {}", stage.name, tick.tick);
        assert_eq!((frame.tick, frame.at), (tick.tick + 1, cell(stage, tick.at)), "{context}");
        let answer = match tick.decision {
            Decision::Go(to) => Answer::Go(cell(stage, to)),
            Decision::Wait => Answer::Wait,
            Decision::NoPath => Answer::NoPath,
        };
        assert_eq!(frame.answer, answer, "{context}");
        let work: Vec<u64> = fleetfoot::WorkKind::ALL.iter().map(|kind| tick.work[*kind]).collect();
        assert_eq!(frame.work, work, "{context}");
        let events: Vec<_> = listener.0.iter().filter_map(|event| expected(stage, *event)).collect();
        // The switch between searches may be recorded earlier or later, and updates may precede the expansion of
        // their state.
        let [told, written] = [(&events, &mut told_near), (&frame.events, &mut written_near)].map(attributed);
        for is_lesson in [false, true] {
            let of = |events: &[(bool, RecordedEvent)]| -> Vec<_> {
                let is = |event: &RecordedEvent| matches!(event, RecordedEvent::Learn { .. }) == is_lesson;
                events.iter().copied().filter(|(_, event)| is(event)).collect()
            };
            assert_eq!(of(&written), of(&told), "{context}");
        }
        let grid = episode.truth();
        for (k, (truth, believed)) in player.truth().iter().zip(player.believed()).enumerate() {
            let (x, y) = (k as u32 % grid.width(), k as u32 / grid.width());
            let n = grid.node(x, y).unwrap();
            assert_eq!(*truth, grid.weight(n), "truth of {x},{y}: {context}");
            assert_eq!(*believed, episode.believed().weight(n), "belief of {x},{y}: {context}");
        }
    }
    assert_eq!(player.advance().unwrap(), None);
    assert_eq!(record.meta().lives[0].outcome.as_deref(), episode.outcome().map(Outcome::name));
}

#[test]
fn a_record_is_true_and_recording_changes_nothing() {
    for stage in stages() {
        for spec in planners(&stage) {
            let record = stage.record(&[&spec], RecordFilter::default());
            let again = Record::from_bytes(&record.to_bytes()).unwrap();
            assert_eq!(again.to_bytes(), record.to_bytes());
            assert_eq!(again.meta(), record.meta());
            holds_against_the_life(&stage, &spec, &again);
        }
    }
}

#[test]
fn a_hundred_thousand_ticks_on_a_large_map_take_little_room() {
    let stage = Stage::large();
    for (spec, most) in [("rtaa", 2_500_000), ("lrta", 1_000_000)] {
        let record = stage.record(&[spec], RecordFilter::default());
        assert_eq!(record.meta().lives[0].ticks, 100_000);
        let size = html::page(&record).len();
        assert!(size < most, "{spec}: {size} bytes");
    }
}

#[test]
fn a_page_holds_its_record() {
    let stage = &stages()[0];
    let record = stage.record(&["astar", "tba", "lrta", "rtaa"], RecordFilter::default());
    let page = html::page(&record);
    assert!(page.starts_with("<!doctype html>") && !page.contains("{{"));
    assert_eq!(Record::from_bytes(page.as_bytes()).unwrap().to_bytes(), record.to_bytes());
    // The page requests nothing from outside.
    let code = page.replace("http-equiv", "");
    assert!(!code.contains("http:") && !code.contains("https:") && !code.contains("fetch("), "a request");
}

#[test]
fn a_window_begins_with_the_current_state() {
    for stage in stages() {
        for spec in planners(&stage) {
            let all = stage.record(&[&spec], RecordFilter::default());
            let ticks = all.meta().lives[0].ticks;
            let window = (ticks / 3, ticks / 3 + 20);
            let part = stage.record(&[&spec], RecordFilter { every: 1, window });
            let part = Record::from_bytes(&part.to_bytes()).unwrap();
            let (mut whole, mut part) = (all.play(0), part.play(0));
            let mut learned = HashMap::new();
            let note = |learned: &mut HashMap<u32, u32>, events: &[RecordedEvent]| {
                for event in events {
                    if let RecordedEvent::Learn { cell, new } = event {
                        learned.insert(*cell, *new);
                    }
                }
            };
            let mut learned_in_part = HashMap::new();
            let (mut near, mut part_near) = (false, false);
            while let Some(frame) = whole.advance().unwrap().filter(|frame| frame.tick <= window.1) {
                note(&mut learned, &frame.events);
                if frame.tick <= window.0 {
                    attributed((&frame.events, &mut near));
                    continue;
                }
                let other = part.advance().unwrap().expect("a tick of the window");
                note(&mut learned_in_part, &other.events);
                let context = format!("{spec} on {} in tick {}", stage.name, frame.tick);
                assert_eq!(
                    (frame.tick, frame.at, frame.answer),
                    (other.tick, other.at, other.answer),
                    "{context}"
                );
                assert_eq!(frame.work, other.work, "{context}");
                assert_eq!(learned, learned_in_part, "{context}");
                assert_eq!((whole.truth(), whole.believed()), (part.truth(), part.believed()), "{context}");
                let [all, part] =
                    [(&frame.events, &mut near), (&other.events, &mut part_near)].map(attributed);
                assert!(part.ends_with(&all), "{context}: the first tick may tell more, but no less");
            }
            assert_eq!(part.advance().unwrap(), None);
        }
    }
}

#[test]
fn thinning_leaves_out_searches_and_nothing_else() {
    let stage = &stages()[0];
    for spec in ["rtaa", "lss-lrta", "lrta"] {
        let all = stage.record(&[spec], RecordFilter::default());
        let thin = stage.record(&[spec], RecordFilter { every: 5, ..RecordFilter::default() });
        assert!(thin.to_bytes().len() < all.to_bytes().len());
        let (mut all, mut thin) = (all.play(0), thin.play(0));
        let mut searches = 0u64;
        while let Some(frame) = all.advance().unwrap() {
            let other = thin.advance().unwrap().unwrap();
            assert_eq!((frame.at, frame.answer, &frame.work), (other.at, other.answer, &other.work));
            let kept: Vec<_> = frame
                .events
                .iter()
                .filter_map(|event| match event {
                    RecordedEvent::Search { .. } => {
                        searches += 1;
                        let kept = (searches - 1).is_multiple_of(5);
                        Some(if kept { *event } else { RecordedEvent::Skipped })
                    }
                    RecordedEvent::Learn { .. } => Some(*event),
                    _ => (searches.saturating_sub(1)).is_multiple_of(5).then_some(*event),
                })
                .collect();
            assert_eq!(other.events, kept);
        }
    }
}

#[test]
fn damaged_records_are_refused_or_read_never_more() {
    let stage = &stages()[1];
    let bytes = stage.record(&["tbaa"], RecordFilter::default()).to_bytes();
    let mut refused = 0;
    for k in 0..bytes.len() {
        let mut other = bytes.clone();
        other[k] ^= 1 << (k % 8);
        refused += usize::from(Record::from_bytes(&other).is_err());
    }
    assert_eq!(refused, bytes.len(), "every byte is under a checksum, or is the magic or the version");
    for k in 0..bytes.len() {
        let error = Record::from_bytes(&bytes[..k]).unwrap_err().to_string();
        assert!(k < 8 || error.contains("cut off"), "{k}: {error}");
    }
}

#[test]
fn reports_what_is_wrong_with_a_file() {
    let record = stages()[0].record(&["astar"], RecordFilter::default());
    let bytes = record.to_bytes();
    let error = |bytes: &[u8]| Record::from_bytes(bytes).unwrap_err().to_string();
    assert!(error(b"").starts_with("the file is empty; record a run"));
    assert!(error(b"type octile\nheight 3").starts_with("this is no Fleetfoot record; make one"));
    assert!(error(b"<!doctype html><p>hello").starts_with("this page holds no Fleetfoot record"));
    let mut newer = bytes.clone();
    newer[8] = 3;
    assert_eq!(
        error(&newer),
        "the record has format 3, and this program reads format 2; update fleetfoot, or record the run again with this one"
    );
    let mut older = bytes.clone();
    older[8] = 1;
    assert_eq!(
        error(&older),
        "the record has format 1, and this program reads format 2; record the run again; a page that holds such a record still plays it"
    );
    let text: Vec<u8> = bytes.iter().copied().filter(|byte| *byte != b'\r').collect();
    assert!(error(&text).contains("copy it as a binary file"));
    assert!(error(&[&bytes[..], b"more"].concat()).contains("something follows its end"));
    let page = html::page(&record);
    let cut = page.rfind("</script>").unwrap() - 100;
    assert!(error(&page.as_bytes()[..cut]).contains("cut off"));
    let mut changed = page.clone().into_bytes();
    changed[cut] = b'!';
    assert!(error(&changed).contains("base64"));
}

#[test]
fn errors_about_long_runs_suggest_options() {
    let stage = Stage::circling();
    match stage.try_record("repeated-astar", RecordFilter::default()) {
        Err(RecordError::TooLong(error)) => {
            let text = error.to_string();
            assert!(text.contains("2000000 ticks") && text.contains("--replay-window 0..1000000"), "{text}");
            assert!(text.contains("--replay-every"), "{text}");
        }
        other => panic!("{other:?}"),
    }
    let window = (1_999_000, 1_999_500);
    let life = stage.try_record("repeated-astar", RecordFilter { every: 1, window }).unwrap();
    assert_eq!((life.meta().first, life.meta().ticks, life.meta().outcome.clone()), (1_999_000, 500, None));
}

#[test]
fn a_window_beyond_the_run_is_refused_with_its_end() {
    let stage = &stages()[0];
    let ticks = stage.record(&["tba"], RecordFilter::default()).meta().lives[0].ticks;
    for (first, is_there) in [(ticks - 1, true), (ticks, false), (ticks + 500, false)] {
        let thinning = RecordFilter { every: 1, window: (first, u64::MAX) };
        match stage.try_record("tba", thinning) {
            Ok(life) => assert!(is_there && life.meta().ticks == 1, "{first}"),
            Err(RecordError::TooShort(error)) => {
                let text = error.to_string();
                assert!(!is_there && text.contains(&format!("the run ends at tick {ticks}")), "{text}");
            }
            Err(other) => panic!("{other:?}"),
        }
    }
}

/// Compares the open list of the global search at the end of each tick with the one that the record gives.
#[test]
fn the_open_list_is_that_of_the_search() {
    for stage in &stages()[1..3] {
        let record = stage.record(&["dstar-lite"], RecordFilter::default());
        let mut player = record.play(0);
        let (trip, terms) = (stage.trip(), stage.terms());
        let mut planner = DStarLite::new(KeyFocus::PerEpisode, stage.world.graph());
        let (mut scratch, mut episode) = (Scratch::new(), Episode::new(&trip, &terms));
        let (mut open, mut left, mut most) = (BTreeSet::new(), 0, 0);
        while episode.outcome().is_none() {
            episode.tick(&mut planner, &mut scratch, None).unwrap();
            let frame = player.advance().unwrap().unwrap();
            for event in &frame.events {
                match event {
                    RecordedEvent::Search { .. } => open.clear(),
                    RecordedEvent::Open(visit) => drop(open.insert(visit.cell)),
                    RecordedEvent::Expand(visit) => drop(open.remove(&visit.cell)),
                    RecordedEvent::Leave { cell } => {
                        left += 1;
                        assert!(open.remove(cell), "{cell} leaves and was not open");
                    }
                    _ => {}
                }
            }
            let queue: BTreeSet<_> = planner.field().queue().map(|(n, _)| cell(stage, n)).collect();
            assert_eq!(open, queue, "on {} after tick {}", stage.name, frame.tick);
            most = most.max(queue.len());
        }
        assert!(left > 10 && most > 20, "on {}: {left} left, {most} were open", stage.name);
    }
}

#[test]
fn events_of_two_searches_are_distinguished() {
    let stage = &stages()[2];
    for spec in ["rtd", "rtd(global=ad-star)"] {
        let record = stage.record(&[spec], RecordFilter::default());
        assert!(record.meta().lives[0].near);
        let (mut player, mut is_near, mut roots) = (record.play(0), false, [0, 0]);
        let goal = record.meta().goal.1 * record.meta().width + record.meta().goal.0;
        while let Some(frame) = player.advance().unwrap() {
            for event in &frame.events {
                match *event {
                    RecordedEvent::Turn { is_near: turned } => is_near = turned,
                    RecordedEvent::Search { root } => {
                        roots[usize::from(is_near)] += 1;
                        assert_eq!(root, if is_near { frame.at } else { goal });
                    }
                    RecordedEvent::Learn { .. } => assert!(is_near, "the global search learns nothing"),
                    RecordedEvent::Leave { .. } => assert!(!is_near, "a learner takes nothing back"),
                    _ => {}
                }
            }
        }
        assert!(roots[0] == 1 && roots[1] > 10, "{spec}: {roots:?}");
    }
    assert!(!stage.record(&["dstar-lite"], RecordFilter::default()).meta().lives[0].near);
}
