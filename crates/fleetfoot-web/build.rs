//! Includes the wasm build in the library, if there is one: `build.sh` makes it, and a published package contains it.

use std::path::Path;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=dist");
    println!("cargo::rerun-if-changed=build.rs");
    let root = env::var("CARGO_MANIFEST_DIR").expect("cargo names the folder");
    let out = env::var("OUT_DIR").expect("cargo names the folder");
    let dist = Path::new(&root).join("dist");
    let [glue, wasm] = ["fleetfoot.js", "fleetfoot.wasm"].map(|name| dist.join(name));
    let is_there = glue.is_file() && wasm.is_file();
    // As Rust string literals, whatever characters the paths contain.
    let [glue, wasm] = [glue, wasm].map(|path| path.to_string_lossy().into_owned());
    let made = if is_there {
        format!("Some((include_str!({glue:?}), include_bytes!({wasm:?})))")
    } else {
        "None".to_owned()
    };
    fs::write(Path::new(&out).join("dist.rs"), made).expect("the build folder can be written");
}
