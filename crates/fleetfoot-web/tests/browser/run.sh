#!/usr/bin/env bash
# The playground in a real browser: Debian's Chromium, driven by playwright-core. The page must have been built
# (../../build.sh) and the program after it.
# Installs what is missing; FLEETFOOT names the program (default: the release build), SHOTS a folder for screenshots,
# MINUTES for how long memory is watched (default: a fraction of one).
set -euo pipefail
cd "$(dirname "$0")"
missing=()
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || missing+=(chromium)
command -v node >/dev/null || missing+=(nodejs)
command -v npm >/dev/null || missing+=(npm)
if ((${#missing[@]})); then
    apt-get update -qq && apt-get install -y -qq "${missing[@]}"
fi
[ -d node_modules/playwright-core ] || npm install --no-package-lock --no-audit --no-fund --silent
export CHROMIUM="${CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome)}"
export FLEETFOOT="${FLEETFOOT:-$PWD/../../../../target/release/fleetfoot}"
npm test --silent
