#!/usr/bin/env bash
# Builds the wheel, and tests it in a fresh virtual environment: pytest with the tutorial and the pages' snippets,
# stubs
# against the module, strict types. Needs Rust, CPython 3.11 or later with pip, and a network.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
python=${PYTHON:-python3}
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$root/target}
export CARGO_TERM_COLOR=never PIP_DISABLE_PIP_VERSION_CHECK=1
home=$CARGO_TARGET_DIR/python
mkdir -p "$home"

said=$SECONDS
step() {
    printf -- '-- python: %s (after %d s)\n' "$*" $((SECONDS - said))
}

step "a fresh environment"
rm -rf "$home/venv" "$home/wheels"
"$python" -m venv "$home/venv"
bin=$home/venv/bin
# uv fetches in parallel, pip sequentially.
"$bin/pip" install --quiet uv==0.13.7 maturin==1.16.0
"$bin/uv" pip install --quiet --python "$bin/python" -r python/requirements-test.txt &
fetching=$!

step "the wheel"
cargo fmt --manifest-path python/Cargo.toml --check
# The program, for comparison: rows, pages and databases must be equal.
cargo build --release --locked -p fleetfoot-cli
"$bin/maturin" build --profile checks --locked --quiet --manifest-path python/Cargo.toml --interpreter "$bin/python" --out "$home/wheels"
wait "$fetching"
"$bin/uv" pip install --quiet --python "$bin/python" --no-deps "$home"/wheels/*.whl

step "types and stubs"
# In another folder, so that the wheel is tested and not the sources.
(
    cd "$home"
    "$bin/python" -m mypy.stubtest --mypy-config-file "$root/python/pyproject.toml" fleetfoot
    "$bin/python" -m mypy --config-file "$root/python/pyproject.toml" -p fleetfoot
)

step "tests"
FLEETFOOT_PROGRAM=$CARGO_TARGET_DIR/release/fleetfoot "$bin/python" -m pytest "$root/python" --rootdir "$root/python" -p no:cacheprovider --durations=8

if [ "${1:-}" = lint ]; then
    step "lints"
    PYO3_PYTHON=$bin/python cargo clippy --manifest-path python/Cargo.toml --locked -- -D warnings
fi
step "all is well"
