//! `fleetfoot-web-bindgen IN.wasm OUT_DIR`: generates the JavaScript interface of a wasm file, as one plain script.

use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let [input, output] = &std::env::args().skip(1).collect::<Vec<_>>()[..] else {
        eprintln!("usage: fleetfoot-web-bindgen IN.wasm OUT_DIR");
        return ExitCode::FAILURE;
    };
    let mut bindgen = Bindgen::new();
    let made = bindgen
        .input_path(input)
        .out_name("fleetfoot")
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .no_modules(true)
        .and_then(|bindgen| bindgen.no_modules_global("fleetfootWasm"))
        .and_then(|bindgen| bindgen.generate(output));
    if let Err(error) = made {
        eprintln!("fleetfoot-web-bindgen: {error:?}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
