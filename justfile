# Recipes are CI jobs: `just ci` does what `.ci/run` does.

default: test

# The README's test command.
test:
    cargo test --workspace --locked

fmt:
    cargo fmt --all --check

# Words that the project avoids, against the committed counts.
prose:
    tools/prose

lint:
    cargo clippy --workspace --all-targets --all-features --locked -- -D warnings

docs:
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --all-features --locked

# The library without std, and for the browser.
no-std:
    cargo build -p fleetfoot --target thumbv7em-none-eabi --locked
    cargo build -p fleetfoot --target wasm32-unknown-unknown --locked

# Instruction counts against the committed ones; needs valgrind.
instructions:
    cargo bench -p fleetfoot --bench instructions --locked

# Side by side with other crates, as ratios. In the lab, not in CI.
peers:
    cargo bench -p fleetfoot --bench peers --locked

# What recording a life costs, as ratios.
recorder:
    cargo bench -p fleetfoot-view --bench recorder --locked

# Playground, replays and reports in a real browser; needs chromium and node, or the right to install them. Screenshots: SHOTS=folder.
browser:
    bash crates/fleetfoot-web/build.sh
    cargo build --release --locked -p fleetfoot-cli
    bash tools/browser/run.sh

# The Python package: the wheel, in a fresh environment; needs CPython 3.11 and a network. Lints too.
python:
    bash python/check.sh lint

# The bodies of the fuzz targets on a few thousand mutations each.
fuzz-smoke:
    cargo test --manifest-path fuzz/Cargo.toml --target-dir target --no-default-features --locked

# A planner that is written outside the workspace, in the conformance kit.
outsider:
    cargo test --manifest-path outsider/Cargo.toml --target-dir target --locked

# The Bevy plugin: format, lints, tests, docs, examples.
bevy:
    bash crates/bevy_fleetfoot/check.sh

# One fuzz target for a while: `just fuzz map 120`. Needs cargo-fuzz and a nightly toolchain.
fuzz target seconds="60":
    cd fuzz && cargo +nightly fuzz run {{target}} -- -max_total_time={{seconds}}

# Rewrite golden walks and instruction counts after a change that is meant to change them.
bless:
    FLEETFOOT_BLESS=1 cargo test -p fleetfoot --test kit golden
    cargo bench -p fleetfoot --bench instructions -- --bless

# Make the book's tables and figures, and the README's, anew.
book:
    FLEETFOOT_BLESS=1 cargo test -p fleetfoot-cli --test book

# The replays that the book's pages link to, into book/src/replays; some 100 KB each.
book-replays:
    cargo test -p fleetfoot-cli --test book --locked -- --ignored write_the_replays

# Measure again what `auto` costs, for the book's page, which takes some minutes. Run it after changes of `auto`, of prices and of planners.
regret:
    FLEETFOOT_MAPS= cargo run --release --locked -p fleetfoot-cli -- reproduce regret --fresh --output target
    FLEETFOOT_STUDY={{justfile_directory()}}/target/regret cargo test -p fleetfoot-cli --test book --locked -- --ignored take_the_study
    FLEETFOOT_BLESS=1 cargo test -p fleetfoot-cli --test book --locked studies_are_shown_as_measured

# Licences and advisories; needs cargo-deny.
deny:
    cargo deny check

ci:
    bash .ci/run
