//! Converts a session to shell commands, and to a program; `troop` does the same for fleets.

mod troop;

use std::fmt::Write as _;

use fleetfoot_sim::budget::PriceList;
use fleetfoot_sim::formats::script::{ChangeKind, Script, write_script_to};
use fleetfoot_sim::map::GridMap;
use fleetfoot_sim::spec::{Movement, ProblemSpec, RunSpec};

use crate::catalogue::text;
use crate::session::{MOST_TICKS, Session};
use crate::swing::{program_doors, script_commands};

impl Session {
    /// Returns shell commands that run this session, including its changes so far.
    pub fn command_line(&self) -> String {
        let setup = &self.setup;
        let (mut out, mut map) = (String::new(), setup.name.clone());
        if !map.starts_with("builtin:") {
            map = "drawn.map".into();
            out += &document(&map, &text(&self.map));
        }
        let by_hand = &self.happened;
        let has_script = self.swings() || !by_hand.is_empty();
        let world = match (!has_script, setup.radius) {
            (true, None) => None,
            (true, Some(radius)) => Some(format!("unknown(radius={radius})")),
            (false, None) => Some("dynamic(drawn.script)".to_owned()),
            (false, Some(radius)) => Some(format!("dynamic(drawn.script,radius={radius})")),
        };
        if self.swings() {
            out += &script_commands(setup, (self.map.width(), self.map.height()), by_hand);
        } else if has_script {
            out += &script_file(&self.script());
        }
        let ((sx, sy), (gx, gy)) = (setup.start, setup.goal);
        let run = RunSpec {
            rules: Movement { terrain: setup.terrain(), ..Movement::default() },
            world: world.unwrap_or_else(|| "known".to_owned()),
            planners: setup.planners.clone(),
            budgets: vec![setup.budget().to_string()],
            prices: setup.prices,
            problems: ProblemSpec { pairs: Some(vec![[sx, sy, gx, gy]]), ..ProblemSpec::default() },
            // Doors swing as long as the playground continues.
            max_steps: self.swings().then_some(MOST_TICKS),
            force: has_script,
            ..RunSpec::new(map)
        };
        line(&mut out, format_args!("{run} --replay race.html"));
        out
    }

    /// Returns a program that runs this session, including its changes so far.
    pub fn program(&self) -> String {
        let setup = &self.setup;
        let used = |name: &&str| match *name {
            "Belief" => setup.radius.is_some(),
            "Prices" => setup.budget.is_some() && setup.prices != PriceList::default(),
            _ => true,
        };
        let names = ["Agent", "Belief", "Grid", "Map", "Meter", "Prices", "Rules", "Scratch"];
        let names: Vec<_> = names.into_iter().filter(used).collect();
        let mut out = PROGRAM_BEGIN.replace("@NAMES@", &names.join(", "));
        let weight = |letter: char| if setup.weighs { letter.to_string() } else { "1".into() };
        rows(&mut out, &self.map);
        let (grass, swamp) = (weight('2'), weight('4'));
        out += "];\n\n/// Column, row and weight of cells that change, by tick.\nconst CHANGES: &[(u64, u32, u32, u8)] = &[\n";
        for change in &self.happened {
            let weight = match change.what {
                ChangeKind::Close => 0,
                ChangeKind::Open => 1,
                ChangeKind::Weight(weight) => weight,
            };
            line(&mut out, format_args!("    ({}, {}, {}, {weight}),", change.tick, change.x, change.y));
        }
        out += "];\n";
        // A blocked path may open again if doors swing.
        let ends = if self.swings() {
            "agent.at() == goal"
        } else {
            "status.is_final() && CHANGES.iter().all(|change| change.0 <= tick)"
        };
        let (mut doors, mut doors_swing) = (String::new(), String::new());
        if self.swings() {
            doors = program_doors(setup);
            let map = if setup.radius.is_some() { "truth" } else { "map" };
            doors_swing = DOORS_SWING.replace("@MAP@", map);
        }
        out += &doors;
        let names: Vec<String> = setup.planners.iter().map(|planner| format!("{planner:?}")).collect();
        let (start, goal) = (setup.start, setup.goal);
        let budget = setup.budget.map_or_else(
            || "Meter::unlimited()".to_owned(),
            |budget| match setup.prices {
                PriceList::AllWork => format!("Meter::expansions({budget})"),
                PriceList::Papers => format!("Meter::priced({budget}, Prices::PAPERS)"),
                PriceList::Expansions => format!("Meter::priced({budget}, Prices::EXPANSIONS)"),
            },
        );
        let grid = "Grid::new(width, height, Rules::default(), weight)?";
        let widest = if setup.weighs { ".with_weights(1, 4)?" } else { "" };
        let values = [
            ("MAP", format!("Map::from({grid}{widest})")),
            ("GRASS", grass),
            ("SWAMP", swamp),
            ("PLANNERS", names.join(", ")),
            ("START", format!("{}, {}", start.0, start.1)),
            ("GOAL", format!("{}, {}", goal.0, goal.1)),
            ("BUDGET", budget),
            ("DOORS", doors_swing),
            ("ENDS", ends.to_owned()),
        ];
        let body = if setup.radius.is_some() { PROGRAM_FOG } else { PROGRAM_KNOWN };
        let radius = ("RADIUS", setup.radius.unwrap_or(0).to_string());
        let values: Vec<(&str, String)> = values.into_iter().chain([radius]).collect();
        out + &filled(body, &values)
    }
}

/// Returns a shell command that writes a file.
fn document(name: &str, text: &str) -> String {
    format!("cat > {name} <<'END'\n{text}END\n")
}

/// Returns a shell command that writes the script of changes.
fn script_file(script: &Script) -> String {
    let mut bytes = Vec::new();
    write_script_to(&mut bytes, script).expect("memory takes everything");
    document("drawn.script", &String::from_utf8_lossy(&bytes))
}

/// Writes the rows of a map as Rust code.
fn rows(out: &mut String, map: &GridMap) {
    for row in map.cells().chunks(map.width() as usize) {
        line(out, format_args!("    {:?},", String::from_utf8_lossy(row)));
    }
}

/// Replaces names in a text by their values.
fn filled(text: &str, values: &[(&str, String)]) -> String {
    values.iter().fold(text.to_owned(), |text, (name, value)| text.replace(&format!("@{name}@"), value))
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    writeln!(out, "{text}").expect("text takes everything");
}

const PROGRAM_BEGIN: &str = include_str!("copy/begin.txt");
/// What a program does with its doors in each tick.
const DOORS_SWING: &str = "
            for (k, &(x, y)) in DOORS.iter().enumerate() {
                if let Some(weight) = swung(tick, k as u64).filter(|_| @MAP@.xy(agent.at()) != (x, y)) {
                    @MAP@.set(@MAP@.node(x, y).unwrap(), weight)?;
                }
            }";
const PROGRAM_KNOWN: &str = include_str!("copy/known.txt");
const PROGRAM_FOG: &str = include_str!("copy/fog.txt");
