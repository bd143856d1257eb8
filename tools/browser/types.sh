#!/usr/bin/env bash
# Checks the types of the pages' scripts, as far as they can be inferred. The scripts of a page share one scope.
set -euo pipefail
cd "$(dirname "$0")"
for page in replay playground; do
    node_modules/.bin/tsc -p "types/$page.json"
done
