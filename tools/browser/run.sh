#!/usr/bin/env bash
# Tests playground, replay and report in Debian's Chromium, driven by playwright-core, and checks the types of their scripts.
# The playground must have been built (crates/fleetfoot-web/build.sh), and the program after it. Installs what is missing.
#
#   tools/browser/run.sh                    all tests
#   tools/browser/run.sh playground story   the tests of these files
#   tools/browser/run.sh measure [four …]   frames, heap, first paint, seeking, the budget of a fleet (see measure.js)
#   tools/browser/run.sh shots [replay …]   screenshots of all pages at four sizes, light, dark and printed, into SHOTS
#
# FLEETFOOT: the program (default: the release build). FROM_SOURCE=1: pages are put together from the scripts as they are
# now, so that a change of a script needs no build. SHOTS: a folder for screenshots. MINUTES: how long memory and frames are
# watched (default: a fraction of a minute).
set -euo pipefail
cd "$(dirname "$0")"
missing=()
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || missing+=(chromium)
command -v node >/dev/null || missing+=(nodejs)
command -v npm >/dev/null || missing+=(npm)
if ((${#missing[@]})); then
    apt-get update -qq && apt-get install -y -qq "${missing[@]}"
fi
[ -d node_modules/playwright-core ] && [ -d node_modules/axe-core ] && [ -d node_modules/typescript ] ||
    npm install --no-package-lock --no-audit --no-fund --silent
export CHROMIUM="${CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome)}"
export FLEETFOOT="${FLEETFOOT:-$PWD/../../target/release/fleetfoot}"
if [ "${1:-}" = measure ] || [ "${1:-}" = shots ]; then
    node "$1.js" "${@:2}"
elif (($#)); then
    node --test --test-concurrency=1 "${@/%/.test.js}"
else
    bash types.sh
    npm test --silent
fi
