//! Converts a fleet to shell commands, and to a program.

use fleetfoot_sim::formats::script::{Change, ChangeKind, Script};

use super::{document, filled, line, rows, script_file};
use crate::catalogue::text;
use crate::troop::{Deed, FleetSession};

impl FleetSession {
    /// Returns shell commands that run this fleet on the map of this name, with a budget in microseconds per tick.
    /// The program gives each unit one order in the first tick, so only the last order counts.
    pub fn command_line(&self, name: &str, micros: u32) -> String {
        let (mut out, mut map) = (String::new(), name.to_owned());
        let mut file = format!("{}.map", name.trim_start_matches("builtin:"));
        if !map.starts_with("builtin:") {
            (map, file) = ("drawn.map".into(), "drawn.map".into());
            out += &document(&map, &text(&self.map));
        }
        // The lengths of shortest paths are unknown and not needed.
        let (width, height) = (self.map.width(), self.map.height());
        let mut scen = String::from("version 1\n");
        for (&(x, y), goal) in self.starts.iter().zip(self.goals()) {
            let (gx, gy) = goal.unwrap_or((x, y));
            line(&mut scen, format_args!("0\t{file}\t{width}\t{height}\t{x}\t{y}\t{gx}\t{gy}\t0"));
        }
        out += &document("drawn.scen", &scen);
        let script = self.script();
        let mut world = String::new();
        if !script.changes.is_empty() {
            out += &script_file(&script);
            world = " --world 'dynamic(drawn.script)'".into();
        }
        if self.deeds.iter().any(|(tick, deed)| *tick > 0 && !matches!(deed, Deed::Set(..))) {
            out += "# Each unit has one order here, its last one, from the first tick on.\n";
        }
        if self.weighs {
            out += "# All ground weighs the same here: fleets of the program do not know weights.\n";
        }
        line(&mut out, format_args!("fleetfoot fleet {map} --scen drawn.scen \\"));
        line(&mut out, format_args!("    --interval {micros}us{world} --replay fleet.html"));
        out
    }

    /// Returns a program that runs this fleet, with all orders and changes at their ticks and a budget in
    /// microseconds per tick.
    pub fn program(&self, micros: u32) -> String {
        let mut out = BEGIN.to_owned();
        rows(&mut out, &self.map);
        out += "];\n\n/// Where units begin: column and row.\nconst STARTS: &[(u32, u32)] = &[\n";
        for (x, y) in &self.starts {
            line(&mut out, format_args!("    ({x}, {y}),"));
        }
        out += "];\n\n/// Orders by units (none: all), column and row; changes by column, row and weight.\n";
        out += "#[allow(dead_code)]\nenum Deed {\n    Send(&'static [usize], u32, u32),\n    Set(u32, u32, u8),\n}\n\n";
        out += "/// What is done, by tick.\nconst DEEDS: &[(u64, Deed)] = &[\n";
        for (tick, deed) in &self.deeds {
            let what = match deed {
                Deed::Send(units, x, y) => {
                    let units: Vec<String> = units.iter().map(u32::to_string).collect();
                    format!("Send(&[{}], {x}, {y})", units.join(", "))
                }
                Deed::Set(x, y, weight) => format!("Set({x}, {y}, {weight})"),
            };
            line(&mut out, format_args!("    ({tick}, Deed::{what}),"));
        }
        let (grass, swamp, widest) =
            if self.weighs { ("2", "4", ".with_weights(1, 4)?") } else { ("1", "1", "") };
        let values = [
            ("MAP", format!("Map::from(Grid::new(width, height, Rules::default(), weight)?{widest})")),
            ("GRASS", grass.into()),
            ("SWAMP", swamp.into()),
            ("NANOS", (1000 * u64::from(micros)).to_string()),
        ];
        out + &filled(BODY, &values)
    }

    /// Returns the edits as a script.
    fn script(&self) -> Script {
        let change = |(tick, deed): &(u64, Deed)| match *deed {
            Deed::Set(x, y, weight) => {
                let what = if weight == 0 { ChangeKind::Close } else { ChangeKind::Open };
                Some(Change { tick: *tick, x, y, what })
            }
            Deed::Send(..) => None,
        };
        let changes = self.deeds.iter().filter_map(change).collect();
        Script { changes, ..Script::empty(self.map.width(), self.map.height()) }
    }
}

const BEGIN: &str = include_str!("fleet_begin.txt");
const BODY: &str = include_str!("fleet.txt");
