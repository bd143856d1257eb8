//! What JavaScript sees. Errors are thrown as text that says what is wrong and what to do.

use fleetfoot_sim::error::InputError;
use serde_json::json;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::catalogue::{self, Place};
use crate::session::Session;

fn thrown(error: &InputError) -> String {
    error.to_string()
}

/// The planners, as JSON.
#[wasm_bindgen]
pub fn planners() -> String {
    catalogue::planners().to_string()
}

/// The built-in maps, as JSON.
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
    /// A built-in map.
    pub fn builtin(name: &str, seed: u32) -> Result<Ground, String> {
        let place = catalogue::builtin(name, u64::from(seed)).map_err(|error| thrown(&error))?;
        Ok(Ground { place })
    }

    /// The map of a file.
    pub fn read(bytes: &[u8], seed: u32) -> Result<Ground, String> {
        let place = catalogue::read(bytes, u64::from(seed)).map_err(|error| thrown(&error))?;
        Ok(Ground { place })
    }

    /// Everything but the letters, as JSON.
    pub fn about(&self) -> String {
        let Place { map, start, goal, doors } = &self.place;
        json!({ "width": map.width(), "height": map.height(), "start": start, "goal": goal, "doors": doors })
            .to_string()
    }

    /// The letters, row by row.
    pub fn letters(&self) -> Vec<u8> {
        self.place.map.cells().to_vec()
    }
}

/// The text of a map's file.
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
    /// A session with this setup, as JSON, on a map of these letters.
    #[wasm_bindgen(constructor)]
    pub fn new(setup: &str, width: u32, height: u32, letters: &[u8]) -> Result<Playground, String> {
        let setup =
            serde_json::from_str(setup).map_err(|error| format!("the setup cannot be read: {error}"))?;
        let map = catalogue::drawn(width, height, letters).map_err(|error| thrown(&error))?;
        let session = Session::new(setup, map).map_err(|error| thrown(&error))?;
        Ok(Playground { session })
    }

    /// What the record says about itself so far, as JSON.
    pub fn meta(&self) -> String {
        serde_json::to_string(&self.session.meta()).unwrap_or_default()
    }

    /// By cell: what it weighs before the first tick.
    pub fn weights(&self) -> Vec<u8> {
        self.session.weights().to_vec()
    }

    /// Lives up to so many ticks; how many it were.
    pub fn live(&mut self, ticks: u32) -> u32 {
        self.session.live(u64::from(ticks)) as u32
    }

    /// How many ticks have passed.
    pub fn ticks(&self) -> u32 {
        self.session.ticks() as u32
    }

    /// Whether nothing more will happen unless the map is changed.
    pub fn is_at_rest(&self) -> bool {
        self.session.is_at_rest()
    }

    /// The next chunk of a life's record; empty if there is none.
    pub fn chunks(&mut self, life: usize) -> Vec<u8> {
        // Chunks are told apart by their lengths before them.
        let mut all = Vec::new();
        for chunk in self.session.chunks(life) {
            all.extend_from_slice(&(chunk.len() as u32).to_le_bytes());
            all.extend_from_slice(&chunk);
        }
        all
    }

    /// How the lives stand, as JSON.
    pub fn states(&self) -> String {
        let states = (0..).map_while(|life| self.session.state(life));
        let list: Vec<_> = states.map(|(state, note)| json!({ "state": state, "note": note })).collect();
        json!(list).to_string()
    }

    /// Changes a cell before the next tick; false if somebody stands there, or it is as it was.
    pub fn edit(&mut self, x: u32, y: u32, weight: u8) -> Result<bool, String> {
        self.session.edit(x, y, weight).map_err(|error| thrown(&error))
    }

    /// The session as commands for a shell.
    pub fn command_line(&self) -> String {
        self.session.command_line()
    }

    /// The session as a program.
    pub fn program(&self) -> String {
        self.session.program()
    }
}
