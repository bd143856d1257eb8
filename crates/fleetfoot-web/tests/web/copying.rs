//! Tests sessions as shell commands and as programs.

use std::path::Path;

use fleetfoot_sim::budget::PriceList;
use fleetfoot_web::troop::FleetSession;
use fleetfoot_web::{Session, Setup};

use crate::setup;

#[test]
fn a_plain_session_is_one_command() {
    let (setup, map) = setup("rooms100", &["tba", "auto"]);
    let ((sx, sy), (gx, gy)) = (setup.start, setup.goal);
    let session = Session::new(setup, map).unwrap();
    assert_eq!(
        session.command_line(),
        format!(
            "fleetfoot run builtin:rooms100 --from {sx},{sy} --to {gx},{gy} \\\n    -p 'tba' \\\n    -p 'auto' \\\n    \
             -b 10 --replay race.html\n"
        )
    );
}

#[test]
fn commands_contain_the_drawn_map() {
    let (setup, map) = setup("corner40", &["rtd"]);
    let setup = Setup {
        name: "drawn".into(),
        radius: Some(4),
        weighs: true,
        budget: None,
        prices: PriceList::Papers,
        ..setup
    };
    let mut session = Session::new(setup, map).unwrap();
    session.live(3);
    session.edit(0, 39, 4).unwrap();
    session.live(1);
    let text = session.command_line();
    assert!(text.starts_with("cat > drawn.map <<'END'\ntype octile\nheight 40\nwidth 40\nmap\n"), "{text}");
    assert!(text.contains("fleetfoot-script 1\nsize 40 40\n3 weight 0 39 4\nEND\n"), "{text}");
    let rest = "-b inf --prices papers --terrain G=2,S=4 --world 'dynamic(drawn.script,radius=4)' --force";
    assert!(text.contains(rest), "{text}");
}

/// Checks that the page copies the programs that are compiled as tests.
#[test]
fn programs_are_as_they_were_compiled() {
    let map = fleetfoot_sim::map::GridMap::from_rows(&["......", "..@@S.", "......"]).unwrap();
    let (plain, _) = setup("corner40", &["tba", "auto"]);
    let known = Setup { start: (0, 1), goal: (5, 1), name: "drawn".into(), doors: Vec::new(), ..plain };
    let fog = Setup { radius: Some(2), prices: PriceList::Papers, weighs: true, ..known.clone() };
    let doors = Setup { doors: vec![(1, 0), (1, 2)], swing: 3, ..known.clone() };
    let programs = [(known, "known_program.rs"), (fog, "fog_program.rs"), (doors, "doors_program.rs")];
    for (setup, name) in programs {
        let mut session = Session::new(setup, map.clone()).unwrap();
        session.live(2);
        session.edit(4, 0, 0).unwrap();
        session.live(1);
        compare(name, &session.program());
    }
}

#[test]
fn a_fleet_is_commands() {
    let map = fleetfoot_sim::map::GridMap::from_rows(&["......", "..@@S.", "......"]).unwrap();
    let mut troop = FleetSession::new(&map, false).unwrap();
    troop.scatter(3, 1);
    troop.order(&[0, 1, 2], (5, 0));
    tick(&mut troop, 2);
    // The cell is free; an edit without effect is ignored.
    troop.edit(0, 2, 0).unwrap();
    troop.edit(0, 2, 0).unwrap();
    let text = troop.command_line("drawn", 500);
    assert!(
        text.starts_with("cat > drawn.map <<'END'\ntype octile\nheight 3\nwidth 6\nmap\n......\n"),
        "{text}"
    );
    assert_eq!(text.matches("0\tdrawn.map\t6\t3\t").count(), 3, "{text}");
    assert!(text.contains("fleetfoot-script 1\nsize 6 3\n2 close 0 2\nEND\n"), "{text}");
    let end = "END\nfleetfoot fleet drawn.map --scen drawn.scen \\\n    --interval 500us --world 'dynamic(drawn.script)' --replay fleet.html\n";
    assert!(text.ends_with(end), "{text}");
    // The program accepts the scenario.
    let scen = text.split("cat > drawn.scen <<'END'\n").nth(1).unwrap().split("END\n").next().unwrap();
    let problems = fleetfoot_sim::formats::scen::parse_scen(scen.as_bytes()).unwrap();
    assert!(problems.iter().all(|problem| problem.check(&map, "drawn.map", true).is_ok()));
    troop.roam(1);
    let text = troop.command_line("builtin:rooms100", 2000);
    assert!(text.contains("\trooms100.map\t") && text.contains("one order here"), "{text}");
    assert!(
        text.contains("fleetfoot fleet builtin:rooms100 ") && text.contains("--interval 2000us "),
        "{text}"
    );
}

/// Checks that the page copies the program that is compiled as a test, and that its units arrive.
#[test]
fn a_fleet_is_a_program() {
    let map = fleetfoot_sim::map::GridMap::from_rows(&["......", "..@@S.", "......"]).unwrap();
    let mut troop = FleetSession::new(&map, true).unwrap();
    troop.scatter(3, 1);
    troop.order(&[0, 1, 2], (5, 0));
    tick(&mut troop, 2);
    troop.edit(0, 2, 0).unwrap();
    troop.order(&[1], (0, 0));
    compare("fleet_program.rs", &troop.program(500));
}

fn tick(troop: &mut FleetSession, ticks: u32) {
    for _ in 0..ticks {
        troop.tick(&mut fleetfoot::Meter::unlimited());
    }
}

/// Checks that the compiled file equals the program.
fn compare(name: &str, program: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name);
    // A program may allow what the lints of this repository do not.
    let lints = if program.contains("#[allow(") {
        "clippy::pedantic, clippy::allow_attributes"
    } else {
        "clippy::pedantic"
    };
    let text = format!("{}{program}", HEAD.replace("clippy::pedantic", lints));
    if std::env::var_os("FLEETFOOT_BLESS").is_some() {
        std::fs::write(&file, &text).unwrap();
    }
    let compiled = std::fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(text, compiled, "if that is wanted: FLEETFOOT_BLESS=1 cargo test -p fleetfoot-web program");
}

/// The head of the compiled file.
const HEAD: &str = "\
//! A program as the playground copies it, so that it is compiled and run.
#![cfg_attr(rustfmt, rustfmt_skip)]
#![expect(clippy::pedantic, reason = \"short, meant for copying\")]

";

/// Checks that a long session with swinging doors is copied as its rule: the text does not grow with its ticks.
#[test]
fn swinging_doors_are_copied_as_their_rule() {
    let (setup, map) = setup("doors100", &["rtd"]);
    let setup = Setup { swing: 5, ..setup };
    assert!(!setup.doors.is_empty());
    let mut session = Session::new(setup, map).unwrap();
    session.live(20);
    session.edit(0, 99, 0).unwrap();
    session.live(1);
    let (short, program) = (session.command_line(), session.program());
    session.live(2_000);
    assert_eq!(session.command_line(), short);
    assert_eq!(session.program(), program);
    assert!(short.len() < 8_000, "{} bytes", short.len());
    assert!(
        short.contains("# Doors swing every 5 ticks. The playground ends at tick 200000.\nawk 'BEGIN {\n"),
        "{short}"
    );
    assert!(program.contains("const PERIOD: u64 = 5;"), "{program}");
}
