//! The interface for JavaScript. Errors are thrown as text that says what is wrong and what to do.
#![expect(unreachable_pub, reason = "functions that JavaScript calls must be public")]

use fleetfoot_sim::error::InputError;
use serde_json::json;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::catalogue::{self, Place};
use crate::session::Session;
use crate::troop::FleetSession;

fn thrown(error: &InputError) -> String {
    error.to_string()
}

/// Returns the planners as JSON.
#[wasm_bindgen]
pub fn planners() -> String {
    catalogue::planners().to_string()
}

/// Returns the built-in maps as JSON.
#[wasm_bindgen]
pub fn builtins() -> String {
    catalogue::builtins().to_string()
}

/// A map with a problem on it.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Ground {
    place: Place,
}

#[wasm_bindgen]
impl Ground {
    /// Returns a built-in map.
    pub fn builtin(name: &str, seed: u32) -> Result<Ground, String> {
        let place = catalogue::builtin(name, u64::from(seed)).map_err(|error| thrown(&error))?;
        Ok(Ground { place })
    }

    /// Parses a map file.
    pub fn read(bytes: &[u8], seed: u32) -> Result<Ground, String> {
        let place = catalogue::read(bytes, u64::from(seed)).map_err(|error| thrown(&error))?;
        Ok(Ground { place })
    }

    /// Returns everything except the letters as JSON.
    pub fn about(&self) -> String {
        let Place { map, start, goal, doors } = &self.place;
        json!({ "width": map.width(), "height": map.height(), "start": start, "goal": goal, "doors": doors })
            .to_string()
    }

    /// Returns the letters, row by row.
    pub fn letters(&self) -> Vec<u8> {
        self.place.map.cells().to_vec()
    }
}

/// Formats a map as a file.
#[wasm_bindgen]
pub fn map_text(width: u32, height: u32, letters: &[u8]) -> Result<String, String> {
    catalogue::drawn(width, height, letters).map(|map| catalogue::text(&map)).map_err(|error| thrown(&error))
}

/// A session.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Playground {
    session: Session,
}

#[wasm_bindgen]
impl Playground {
    /// Creates a session with this setup, given as JSON, on a map with these letters.
    #[wasm_bindgen(constructor)]
    pub fn new(setup: &str, width: u32, height: u32, letters: &[u8]) -> Result<Playground, String> {
        let setup =
            serde_json::from_str(setup).map_err(|error| format!("the setup cannot be read: {error}"))?;
        let map = catalogue::drawn(width, height, letters).map_err(|error| thrown(&error))?;
        let session = Session::new(setup, map).map_err(|error| thrown(&error))?;
        Ok(Playground { session })
    }

    /// Returns the description of the record as JSON.
    pub fn meta(&self) -> String {
        serde_json::to_string(&self.session.meta()).unwrap_or_default()
    }

    /// Returns the weight of each cell before the first tick.
    pub fn weights(&self) -> Vec<u8> {
        self.session.weights().to_vec()
    }

    /// Executes up to `ticks` ticks. Returns their number.
    pub fn live(&mut self, ticks: u32) -> u32 {
        self.session.live(u64::from(ticks)) as u32
    }

    /// Returns the number of ticks that have passed.
    pub fn ticks(&self) -> u32 {
        self.session.ticks() as u32
    }

    /// Returns `true` if nothing more will happen unless the map is changed.
    pub fn is_at_rest(&self) -> bool {
        self.session.is_at_rest()
    }

    /// Returns the new chunks of a track. Empty if there are none.
    pub fn chunks(&mut self, life: usize) -> Vec<u8> {
        // Each chunk follows its length.
        let mut all = Vec::new();
        for chunk in self.session.chunks(life) {
            all.extend_from_slice(&(chunk.len() as u32).to_le_bytes());
            all.extend_from_slice(&chunk);
        }
        all
    }

    /// Returns the states of the agents as JSON.
    pub fn states(&self) -> String {
        let states = (0..).map_while(|life| self.session.state(life));
        let list: Vec<_> = states.map(|(state, note)| json!({ "state": state, "note": note })).collect();
        json!(list).to_string()
    }

    /// Changes a cell before the next tick. Returns `false` if an agent occupies it, or nothing changes.
    pub fn edit(&mut self, x: u32, y: u32, weight: u8) -> Result<bool, String> {
        self.session.edit(x, y, weight).map_err(|error| thrown(&error))
    }

    /// Returns the session as shell commands.
    pub fn command_line(&self) -> String {
        self.session.command_line()
    }

    /// Returns the session as a program.
    pub fn program(&self) -> String {
        self.session.program()
    }
}

#[wasm_bindgen]
extern "C" {
    /// Returns the time of the browser's clock in milliseconds.
    #[wasm_bindgen(js_namespace = performance)]
    fn now() -> f64;
}

/// Returns the time of the browser's clock in nanoseconds.
fn nanos() -> u64 {
    #[expect(clippy::cast_sign_loss, reason = "a page has no time before its beginning")]
    {
        (now() * 1e6) as u64
    }
}

/// A fleet.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Units {
    troop: FleetSession,
}

#[wasm_bindgen]
impl Units {
    /// Creates a fleet without units on a map with these letters.
    #[wasm_bindgen(constructor)]
    pub fn new(width: u32, height: u32, letters: &[u8], weighs: bool) -> Result<Units, String> {
        let map = catalogue::drawn(width, height, letters).map_err(|error| thrown(&error))?;
        Ok(Units { troop: FleetSession::new(&map, weighs).map_err(|error| thrown(&error))? })
    }

    /// Spawns up to `units` further units on free cells. Returns their number.
    pub fn scatter(&mut self, units: u32, seed: u32) -> u32 {
        self.troop.scatter(units, u64::from(seed))
    }

    /// Sends units near a cell. Returns the number of units that have a place there.
    pub fn order(&mut self, units: &[u32], x: u32, y: u32) -> u32 {
        self.troop.order(units, (x, y))
    }

    /// Sends every unit to a random cell.
    pub fn roam(&mut self, seed: u32) {
        self.troop.roam(u64::from(seed));
    }

    /// Changes a cell. Returns `false` if nothing changes.
    pub fn edit(&mut self, x: u32, y: u32, weight: u8) -> Result<bool, String> {
        self.troop.edit(x, y, weight).map_err(|error| thrown(&error))
    }

    /// Executes a tick with a budget in milliseconds.
    pub fn tick(&mut self, milliseconds: f64) {
        #[expect(clippy::cast_sign_loss, reason = "clamped")]
        let until = nanos() + (milliseconds.clamp(0.0, 1000.0) * 1e6) as u64;
        self.troop.tick(&mut fleetfoot::Meter::until(nanos, until));
    }

    /// Returns the fleet as shell commands, on the map of this name, with a budget in microseconds per tick.
    pub fn command_line(&self, name: &str, micros: u32) -> String {
        self.troop.command_line(name, micros)
    }

    /// Returns the fleet as a program, with a budget in microseconds per tick.
    pub fn program(&self, micros: u32) -> String {
        self.troop.program(micros)
    }

    /// Returns the cell of each unit, row by row, with its state in the highest four bits.
    pub fn places(&self) -> Vec<u32> {
        self.troop.places()
    }

    /// Returns the weight of each cell.
    pub fn weights(&self) -> Vec<u8> {
        self.troop.weights()
    }

    /// Returns the cells ahead of a unit.
    pub fn path(&self, unit: u32) -> Vec<u32> {
        self.troop.path(unit)
    }

    /// Returns the unit that blocks this one, and its goal, as JSON.
    pub fn reason(&self, unit: u32) -> String {
        let (by, goal) = self.troop.reason(unit);
        json!({ "by": by, "goal": goal }).to_string()
    }

    /// Returns statistics of the last tick as JSON.
    pub fn summary(&self) -> String {
        let (summary, tally) = (self.troop.summary(), self.troop.tally());
        json!({
            "ticks": self.troop.ticks(), "units": tally.units, "moved": summary.moved, "seeking": summary.seeking,
            "arrived": tally.arrived, "unreachable": tally.unreachable, "buried": tally.buried, "work": summary.work,
        })
        .to_string()
    }
}
