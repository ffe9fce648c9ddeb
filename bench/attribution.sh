#!/usr/bin/env bash
# How much of real models do their operators explain, when each is measured alone?
#   bench/attribution.sh [--cache hot,model,cold] [--budget 30s] [--only NAMES] [--repeat] [--times N]
# Needs the test models (tests/models/prepare.sh). Let nothing else run meanwhile.
set -euo pipefail
cd "$(dirname "$0")/.."
log=build/attribution.log
mkdir -p build
if ! { cmake --preset release && cmake --build --preset release; } >"$log" 2>&1; then
  tail -n 40 "$log" >&2
  echo "attribution: the build failed (whole log: $log)" >&2
  exit 1
fi
exec /usr/bin/python3 bench/attribution.py build/release/bin/jouletree .deps/models "$@"
