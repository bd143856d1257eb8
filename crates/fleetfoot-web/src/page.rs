//! The finished page: a folder of four files that opens from disk or from any host.

use fleetfoot_view::html;

/// The output of wasm-bindgen: the JavaScript interface and the wasm.
static DIST: Option<(&str, &[u8])> = include!(concat!(env!("OUT_DIR"), "/dist.rs"));

const PAGE: &str = include_str!("../page/index.html");
const STYLE: &str = include_str!("../page/style.css");
/// Plain scripts. Each uses those before it.
const SCRIPTS: [&str; 14] = [
    include_str!("../page/stage.js"),
    include_str!("../page/session.js"),
    include_str!("../page/draw.js"),
    include_str!("../page/history.js"),
    include_str!("../page/play.js"),
    include_str!("../page/lessons.js"),
    include_str!("../page/fleet-pane.js"),
    include_str!("../page/frame-chart.js"),
    include_str!("../page/fleet-session.js"),
    include_str!("../page/fleet-tab.js"),
    include_str!("../page/planner-fields.js"),
    include_str!("../page/settings.js"),
    include_str!("../page/tools.js"),
    include_str!("../page/main.js"),
];

/// Returns the files of the page by name. Returns `None` if this was built without the wasm.
///
/// `playground.wasm.js` contains the same bytes as `playground.wasm`: browsers do not let a page from disk fetch
/// files, but let it run scripts. Only one of the two is loaded.
pub fn files() -> Option<[(&'static str, Vec<u8>); 4]> {
    let (glue, wasm) = DIST?;
    let index = html::fill_template(PAGE).replace("{{own}}", STYLE);
    let scripts = SCRIPTS.concat();
    let script = format!("'use strict';\n{glue}\n(() => {{\n{}{scripts}}})();\n", html::scripts());
    let packed = html::packed(wasm);
    let held = format!("window.playgroundWasmSize = {};\nwindow.playgroundWasm = '{packed}';\n", wasm.len());
    Some([
        ("index.html", index.into_bytes()),
        ("playground.js", script.into_bytes()),
        ("playground.wasm", wasm.to_vec()),
        ("playground.wasm.js", held.into_bytes()),
    ])
}
