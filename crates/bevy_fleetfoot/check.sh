#!/usr/bin/env bash
# Everything that must hold of the plugin: format, lints, tests, docs, and the examples, which need no window.
# It is a workspace of its own; what it has in common with the main one is not shared, for Bevy asks for other features.
set -euo pipefail
cd "$(dirname "$0")"
export CARGO_TERM_COLOR=never
target="${CARGO_TARGET_DIR:-../../target}/bevy"

cargo fmt --check
cargo clippy --all-targets --all-features --locked --target-dir "$target" -- -D warnings
cargo test --all-features --locked --target-dir "$target"
RUSTDOCFLAGS="-D warnings" cargo doc --no-deps --all-features --locked --target-dir "$target"
for example in hello rts; do
    cargo run --all-features --locked --target-dir "$target" --example "$example"
done
cargo run --all-features --locked --target-dir "$target" --example crowd -- 20
